//! Kinds of failure, so that "the same failure again" has a meaning.
//!
//! A class comes from the answer to a submit (`submission` chooses it) or from the `errorMsg` of a FAILED run
//! ([`FailureClass::of_run`]). Two failures are the same when their classes are equal: ids, timestamps and numbers in
//! the text do not count, the kind of trouble does.
//!
//! Not here: Druid's own words. They are kept in full beside the class and shown; a class only counts.

use serde::{Deserialize, Serialize};

/// A kind of failure. Written as a short text code (`allocation`, `phase:segment generation`), so that a journal
/// written by a newer version can still be read: an unknown code becomes [`FailureClass::Other`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum FailureClass {
    /// No answer came back: network, timeout, connection cut.
    NoAnswer,
    /// No leading Overlord (503, 307 of a standby, "Queue is not active!").
    NoLeader,
    /// The server asked to come back later (429): its queue or its request limit is full.
    Busy,
    /// The server failed in a way that may pass (500, metadata store).
    ServerTrouble,
    /// Something between us and Druid failed (502, 504, a gateway's own error).
    Gateway,
    /// An answer that is not what Druid says, such as a proxy's page with status 200.
    Unreadable,
    /// The server refused the task itself (400).
    Refused,
    /// Not authenticated or not authorised (401, 403).
    NotAllowed,
    /// There is no such endpoint there (404, 405, 415).
    NoEndpoint,
    /// The server could not read the task as JSON (a 500 page).
    NotJson,

    /// A row found no segment to go into ("Failed to add a row with timestamp"): the chunk's segments do not fit.
    Allocation,
    /// A phase of a parallel task failed; Druid says only which.
    Phase(String),
    /// The worker ran out of memory.
    OutOfMemory,
    /// The input could not be fetched.
    Input,
    /// More unreadable rows than the task allows.
    ParseLimit,
    /// The task's lock was taken by a higher priority, or does not cover what it made.
    LockLost,
    /// A lock was held by somebody else when the task needed it.
    LockTaken,
    /// A context value has the wrong type or is no value Druid knows.
    Context,
    /// Compaction found no segment in its interval.
    NothingToCompact,
    /// Anything else that failed before the task could start.
    NotReady,
    /// Druid does not support the combination asked for.
    Unsupported,
    /// Columns clash.
    Schema,
    /// The interval does not fit the segment granularity.
    Alignment,
    /// The partitioning found no place for a chunk (zoned granularity with hashed partitions).
    ShardSpec,
    /// The segments were made and could not be published.
    Publish,
    /// The worker disappeared, or did not start the task.
    Worker,
    /// The worker's process ended with this exit code.
    Process(String),
    /// Somebody shut the task down.
    Shutdown,
    /// The server took the task and later did not know it.
    Forgotten,
    /// A FAILED run without any message.
    Silent,
    /// Anything else: the first line of the text with everything that varies cut out.
    Other(String),
}

/// Whether trying again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// It passes by itself; trying again is right.
    Waiting,
    /// It will fail the same way until something is changed.
    Changing,
    /// It may be either.
    Unclear,
}

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

    /// The text code that stands in journals and exports.
    pub fn code(&self) -> String {
        match self {
            FailureClass::Phase(phase) => format!("phase:{phase}"),
            FailureClass::Process(code) => format!("process:{code}"),
            FailureClass::Other(family) => format!("other:{family}"),
            plain => {
                CODES.iter().find(|(_, class)| class == plain).map_or("other", |(code, _)| code).to_owned()
            }
        }
    }

    /// A few words for a badge or a table cell.
    pub fn label(&self) -> String {
        use FailureClass as C;
        match self {
            C::NoAnswer => "no answer".into(),
            C::NoLeader => "no leading Overlord".into(),
            C::Busy => "server busy".into(),
            C::ServerTrouble => "server trouble".into(),
            C::Gateway => "gateway trouble".into(),
            C::Unreadable => "unreadable answer".into(),
            C::Refused => "refused".into(),
            C::NotAllowed => "not allowed".into(),
            C::NoEndpoint => "no such endpoint".into(),
            C::NotJson => "not readable as JSON".into(),
            C::Allocation => "no segment for a row".into(),
            C::Phase(phase) => format!("failed in phase {phase}"),
            C::OutOfMemory => "out of memory".into(),
            C::Input => "input not readable".into(),
            C::ParseLimit => "too many unreadable rows".into(),
            C::LockLost => "lock lost".into(),
            C::LockTaken => "lock held by another".into(),
            C::Context => "context value not understood".into(),
            C::NothingToCompact => "nothing to compact".into(),
            C::NotReady => "could not start".into(),
            C::Unsupported => "not supported".into(),
            C::Schema => "columns clash".into(),
            C::Alignment => "interval not aligned".into(),
            C::ShardSpec => "no partition for a chunk".into(),
            C::Publish => "not published".into(),
            C::Worker => "worker lost".into(),
            C::Process(code) => format!("process ended with code {code}"),
            C::Shutdown => "shut down".into(),
            C::Forgotten => "forgotten by the server".into(),
            C::Silent => "failed without a message".into(),
            C::Other(family) => family.clone(),
        }
    }

    /// Whether trying again can help.
    pub fn remedy(&self) -> Remedy {
        use FailureClass as C;
        match self {
            C::NoAnswer
            | C::NoLeader
            | C::Busy
            | C::ServerTrouble
            | C::Gateway
            | C::Worker
            | C::LockTaken => Remedy::Waiting,
            C::Refused
            | C::NotAllowed
            | C::NoEndpoint
            | C::NotJson
            | C::Allocation
            | C::ParseLimit
            | C::Context
            | C::NothingToCompact
            | C::Unsupported
            | C::Schema
            | C::Alignment
            | C::ShardSpec
            | C::OutOfMemory => Remedy::Changing,
            C::Unreadable
            | C::Phase(_)
            | C::Input
            | C::LockLost
            | C::NotReady
            | C::Publish
            | C::Process(_)
            | C::Shutdown
            | C::Forgotten
            | C::Silent
            | C::Other(_) => Remedy::Unclear,
        }
    }

    /// What would clear it: one sentence for the dead-letter list.
    pub fn clears(&self) -> &'static str {
        use FailureClass as C;
        match self {
            C::NoAnswer | C::Gateway => {
                "Check the way to the cluster, then ask again: the id is kept and is asked for before anything is sent."
            }
            C::NoLeader => "Wait until an Overlord leads, then ask again.",
            C::Busy => {
                "Wait until the server's task queue has room, or have druid.indexer.queue.maxSize raised, then ask again."
            }
            C::ServerTrouble => "Have the Overlord's metadata store looked at, then ask again.",
            C::Unreadable => {
                "Something that is not Druid answered: check the address and the proxies between, then ask again."
            }
            C::Refused => {
                "Change the spec as the server's words say. If a type is unknown to the server, an extension is not loaded or an upgrade is under way: try again later."
            }
            C::NotAllowed => "Sign in again, or have the right to write to this datasource granted.",
            C::NoEndpoint => {
                "This address does not take tasks: check that it is an Overlord, or a Router with its management proxy on."
            }
            C::NotJson => "The server could not read the task as JSON: mend the text of the spec.",
            C::Allocation => {
                "Use a segment granularity that fits the segments that are there, or replace the chunk instead of appending to it."
            }
            C::Phase(_) => {
                "Druid keeps the reason with the sub-tasks: open the newest failed sub-task of this phase, then change what it names."
            }
            C::OutOfMemory => "Give fewer rows in memory or fewer chunks to a task, or use larger workers.",
            C::Input => "Make sure that every file the input names can be read by the workers.",
            C::ParseLimit => "Mend the unreadable rows, or allow more of them with maxParseExceptions.",
            C::LockLost => {
                "Somebody with a higher priority took the interval: wait until that task has ended, or raise the priority."
            }
            C::LockTaken => {
                "Wait until the task that holds the interval has ended. Naming the intervals makes Druid wait by itself."
            }
            C::Context => "Write the context value as the JSON type Druid expects: true, not \"true\".",
            C::NothingToCompact => "Name an interval that holds segments.",
            C::NotReady => "The reason is in the Overlord's log.",
            C::Unsupported => {
                "Druid does not support this combination: change the setting that its words name."
            }
            C::Schema => "Give each column one role: dimension or metric, not both.",
            C::Alignment => "Let the interval begin and end on chunk borders of the segment granularity.",
            C::ShardSpec => {
                "Use dynamic partitions with one chunk a sub-task, or range partitions, or a granularity in UTC."
            }
            C::Publish => {
                "Compare the segments with the forecast: nothing may have been published. Then run again."
            }
            C::Worker => "Nothing in the spec is wrong: run again when the worker is back.",
            C::Process(_) => {
                "The worker's process was ended from outside or ran out of memory: look at the worker's log."
            }
            C::Shutdown => "Somebody stopped it. Run again when that is settled.",
            C::Forgotten => {
                "Compare the segments with the forecast to see whether it published, then decide."
            }
            C::Silent | C::Other(_) => {
                "Read the server's words and the task's log, and change what they name."
            }
        }
    }
}

const CODES: &[(&str, FailureClass)] = &[
    ("no-answer", FailureClass::NoAnswer),
    ("no-leader", FailureClass::NoLeader),
    ("busy", FailureClass::Busy),
    ("server-trouble", FailureClass::ServerTrouble),
    ("gateway", FailureClass::Gateway),
    ("unreadable", FailureClass::Unreadable),
    ("refused", FailureClass::Refused),
    ("not-allowed", FailureClass::NotAllowed),
    ("no-endpoint", FailureClass::NoEndpoint),
    ("not-json", FailureClass::NotJson),
    ("allocation", FailureClass::Allocation),
    ("out-of-memory", FailureClass::OutOfMemory),
    ("input", FailureClass::Input),
    ("parse-limit", FailureClass::ParseLimit),
    ("lock-lost", FailureClass::LockLost),
    ("lock-taken", FailureClass::LockTaken),
    ("context", FailureClass::Context),
    ("nothing-to-compact", FailureClass::NothingToCompact),
    ("not-ready", FailureClass::NotReady),
    ("unsupported", FailureClass::Unsupported),
    ("schema", FailureClass::Schema),
    ("alignment", FailureClass::Alignment),
    ("shard-spec", FailureClass::ShardSpec),
    ("publish", FailureClass::Publish),
    ("worker", FailureClass::Worker),
    ("shutdown", FailureClass::Shutdown),
    ("forgotten", FailureClass::Forgotten),
    ("silent", FailureClass::Silent),
];

impl From<FailureClass> for String {
    fn from(class: FailureClass) -> String {
        class.code()
    }
}

impl From<String> for FailureClass {
    fn from(code: String) -> FailureClass {
        if let Some(phase) = code.strip_prefix("phase:") {
            return FailureClass::Phase(phase.to_owned());
        }
        if let Some(exit) = code.strip_prefix("process:") {
            return FailureClass::Process(exit.to_owned());
        }
        if let Some(family) = code.strip_prefix("other:") {
            return FailureClass::Other(family.to_owned());
        }
        match CODES.iter().find(|(text, _)| *text == code) {
            Some((_, class)) => class.clone(),
            None => FailureClass::Other(code),
        }
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
            ']' => depth = depth.saturating_sub(1),
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
    #![allow(clippy::expect_used)] // a test that cannot go on should say where
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
    fn every_class_survives_the_journal_and_an_unknown_code_is_kept() {
        let all = CODES.iter().map(|(_, class)| class.clone()).chain([
            FailureClass::Phase("segment merge".into()),
            FailureClass::Process("137".into()),
            FailureClass::Other("Ran […]".into()),
        ]);
        for class in all {
            let json = serde_json::to_string(&class).expect("a text code");
            let back: FailureClass = serde_json::from_str(&json).expect("what was just written");
            assert_eq!(back, class);
            assert!(!class.label().is_empty());
            assert!(class.clears().ends_with('.'));
        }
        assert_eq!(
            FailureClass::from("from-the-future".to_owned()),
            FailureClass::Other("from-the-future".into())
        );
    }

    #[test]
    fn a_family_is_short_whatever_the_message() {
        assert!(family(&"x".repeat(10_000)).chars().count() <= 123);
        assert_eq!(family("a[b[c]d]e"), "a[…]e");
        assert_eq!(family("unclosed [ 12"), "unclosed […]");
    }
}
