//! From the message of a FAILED run to its class.

use super::FailureClass;

/// Text that, found in an `errorMsg`, gives the class. First match wins, so the narrower text stands first.
/// All spellings were seen live or stand in Druid's source.
const RUN_TEXTS: &[(&str, FailureClass)] = &[
    ("Shutdown request from user", FailureClass::Shutdown),
    ("Failed to add a row with timestamp", FailureClass::Allocation),
    ("Could not allocate segment", FailureClass::Allocation),
    ("Can't find previously allocated segmentId", FailureClass::ShardSpec),
    ("Failed to get shardSpec for interval", FailureClass::ShardSpec),
    ("Java heap space", FailureClass::OutOfMemory),
    ("OutOfMemoryError", FailureClass::OutOfMemory),
    ("GC overhead limit exceeded", FailureClass::OutOfMemory),
    ("Max parse exceptions", FailureClass::ParseLimit),
    ("was revoked", FailureClass::LockLost),
    ("are not covered by locks", FailureClass::LockLost),
    ("not covered by locks", FailureClass::LockLost),
    ("Invalid task locks", FailureClass::LockLost),
    ("Cannot acquire a lock for interval", FailureClass::LockTaken),
    ("Failed to get locks for intervals", FailureClass::LockTaken),
    ("has multiple locks for the same interval", FailureClass::LockTaken),
    ("No segments found for compaction", FailureClass::NothingToCompact),
    ("Encountered error[Empty list of intervals]", FailureClass::NothingToCompact),
    ("cannot be cast to class", FailureClass::Context),
    ("to be referring to one of the values", FailureClass::Context),
    ("Cannot specify a column more than once", FailureClass::Schema),
    ("is not aligned with segmentGranularity", FailureClass::Alignment),
    ("UnsupportedOperationException", FailureClass::Unsupported),
    ("is not supported", FailureClass::Unsupported),
    ("is unsupported", FailureClass::Unsupported),
    ("partitionsSpec [null] is not a single_dim or hash partition spec", FailureClass::Unsupported),
    ("Failed to publish segments", FailureClass::Publish),
    ("disappeared", FailureClass::Worker),
    ("Failed to assign this task", FailureClass::Worker),
    ("did not start it in timeout", FailureClass::Worker),
    ("Canceled for worker cleanup", FailureClass::Worker),
    ("HttpResponseException", FailureClass::Input),
    ("UnknownHostException", FailureClass::Input),
    ("FileNotFoundException", FailureClass::Input),
    ("NoSuchFileException", FailureClass::Input),
    ("AmazonS3Exception", FailureClass::Input),
    ("ConnectException", FailureClass::Input),
    ("java.io.IOException", FailureClass::Input),
    ("while waiting for task to be ready", FailureClass::NotReady),
    ("while waiting for the task to be ready", FailureClass::NotReady),
];

impl FailureClass {
    /// The class of a FAILED run, from the `errorMsg` of its status. Druid cuts long messages in the middle
    /// (first and last 512 characters), so the text is searched, not parsed.
    pub fn of_run(error_msg: Option<&str>) -> FailureClass {
        let text = error_msg.unwrap_or("").trim();
        if text.is_empty() {
            return FailureClass::Silent;
        }
        // A stack trace names exceptions of its own below the first line; the first line is the failure.
        let first = text.lines().next().unwrap_or(text);
        for place in [first, text] {
            if let Some((_, class)) = RUN_TEXTS.iter().find(|(words, _)| place.contains(words)) {
                return class.clone();
            }
        }
        if let Some(phase) = between(first, "Failed in phase[", "]") {
            return FailureClass::Phase(phase.to_owned());
        }
        if let Some(code) = between(first, "exited unsuccessfully with code[", "]") {
            return FailureClass::Process(code.to_owned());
        }
        FailureClass::Other(family(first))
    }
}

/// The text between the first `open` and the next `close`.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(inside, _)| inside)
}

/// A text without what varies from run to run: `[…]` for what stands in brackets, `#` for each run of digits, at
/// most 120 characters.
fn family(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0u32;
    for c in text.chars() {
        match c {
            '[' => {
                if depth == 0 {
                    out.push_str("[…]");
                }
                depth += 1;
            }
            ']' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            c if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            c => out.push(c),
        }
        if out.chars().count() >= 120 {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages seen on live 33.0.0 and 37.0.0, or standing in Druid's source.
    const SEEN: &[(&str, &str)] = &[
        (
            "org.apache.druid.java.util.common.ISE: Failed to add a row with timestamp[2026-01-15T09:18:00.000Z]\n\tat org.apache.druid.indexing.common.task.InputSourceProcessor.process(InputSourceProcessor.java:132)",
            "allocation",
        ),
        ("Failed in phase[segment generation]. See task logs for details.", "phase:segment generation"),
        (
            "Failed in phase[partial segment generation]. See task logs for details.",
            "phase:partial segment generation",
        ),
        (
            "Encountered error[No segments found for compaction. Please check that datasource name and interval are correct.] while waiting for task to be ready. See Overlord logs for more details.",
            "nothing-to-compact",
        ),
        (
            "Encountered error[Empty list of intervals] while waiting for task to be ready. See Overlord logs for more details.",
            "nothing-to-compact",
        ),
        (
            "Encountered error[class java.lang.String cannot be cast to class java.lang.Boolean (java.lang.String and java.lang.Boolean are in module java.base)] while waiting for task to be ready. See Overlord logs for more details.",
            "context",
        ),
        (
            "Encountered error[Expected key [taskLockType] to be referring to one of the values [EXCLUSIVE,SHARED,REPLACE,APPEND] of enum [TaskLockType], but got [x]] while waiting for task to be ready. See Overlord logs for more details.",
            "context",
        ),
        (
            "java.lang.RuntimeException: org.apache.druid.rpc.HttpResponseException: Server error [500 Internal Server Error]; first 1KB of body: org.apache.druid.java.util.common.ISE: Can't find previously allocated segmentId[v] for sequence[v_t1_0]",
            "shard-spec",
        ),
        (
            "Failed with exception [Failed to get shardSpec for interval[2025-10-31T18:30:00.000Z/2025-11-01T18:30:00.000Z]]. See indexer logs for details.",
            "shard-spec",
        ),
        (
            "java.lang.UnsupportedOperationException\n\tat org.apache.druid.indexer.granularity.ArbitraryGranularitySpec.getSegmentGranularity(ArbitraryGranularitySpec.java:81)",
            "unsupported",
        ),
        (
            "Failed with exception [Interval[2026-03-28T12:00:00.000Z/2026-04-16T02:24:00.000Z] to compact is not aligned with segmentGranularity[{type=period, period=P1M, timeZone=UTC, origin=null}]]. See indexer logs for details.",
            "alignment",
        ),
        (
            "Failed with exception [Granularity is not supported. [P1DT30M]]. See indexer logs for details.",
            "unsupported",
        ),
        (
            "Failed with exception [partitionsSpec[org.apache.druid.indexer.partitions.DimensionRangePartitionsSpec] is not supported]. See indexer logs for details.",
            "unsupported",
        ),
        (
            "Failed with exception [Cannot specify a column more than once: [n] seen in dimensions list, metricsSpec list]. See indexer logs for details.",
            "schema",
        ),
        ("Failed with exception [Java heap space]. See indexer logs for details.", "out-of-memory"),
        ("org.apache.druid.java.util.common.RE: Max parse exceptions[0] exceeded", "parse-limit"),
        ("Shutdown request from user", "shutdown"),
        ("Ran [1] specs, [0] succeeded, [1] failed", "other:Ran […] specs, […] succeeded, […] failed"),
        (
            "Lock of type[EXCLUSIVE] for interval[2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z] was revoked",
            "lock-lost",
        ),
        (
            "Invalid task locks. Maybe they are revoked by a higher priority task. Please check the overlord log for details.",
            "lock-lost",
        ),
        (
            "Cannot acquire a lock for interval[2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z]",
            "lock-taken",
        ),
        (
            "Failed to publish segments because of [java.lang.NullPointerException: Cannot invoke Map.get(Object)]",
            "publish",
        ),
        (
            "This task disappeared on the worker where it was assigned. See overlord logs for more details.",
            "worker",
        ),
        ("Failed to assign this task. See overlord logs for more details.", "worker"),
        (
            "Task execution process exited unsuccessfully with code[137]. See middleManager logs for more details.",
            "process:137",
        ),
        ("org.apache.druid.rpc.HttpResponseException: Server error [404 Not Found]; no body", "input"),
        (
            "Encountered error[something new] while waiting for task to be ready. See Overlord logs for more details.",
            "not-ready",
        ),
        ("", "silent"),
    ];

    #[test]
    fn every_message_seen_live_has_the_class_of_its_kind() {
        for (text, code) in SEEN {
            assert_eq!(FailureClass::of_run(Some(text)).code(), *code, "{text}");
        }
        assert_eq!(FailureClass::of_run(None), FailureClass::Silent);
    }

    #[test]
    fn the_same_failure_at_another_hour_is_the_same_class_and_another_phase_is_not() {
        let at = |hour: u32| {
            FailureClass::of_run(Some(&format!(
                "org.apache.druid.java.util.common.ISE: Failed to add a row with timestamp[2026-01-15T{hour:02}:18:00.000Z]"
            )))
        };
        assert_eq!(at(9), at(23));
        let unknown =
            |n: u32| FailureClass::of_run(Some(&format!("Something odd after {n} ms in [task_{n}]")));
        assert_eq!(unknown(7), unknown(1_234));
        assert_ne!(
            FailureClass::of_run(Some("Failed in phase[segment generation]. See task logs for details.")),
            FailureClass::of_run(Some("Failed in phase[segment merge]. See task logs for details."))
        );
    }

    #[test]
    fn a_family_is_short_whatever_the_message() {
        assert!(family(&"x".repeat(10_000)).chars().count() <= 123);
        assert_eq!(family("a[b[c]d]e"), "a[…]e");
        assert_eq!(family("unclosed [ 12"), "unclosed […]");
        assert_eq!(family("]"), "]", "whatever was said, something is");
    }
}
