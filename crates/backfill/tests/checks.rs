//! Every check with a case that just trips it and a near copy that just does not.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds nothing should fail loudly"
)]

mod ground;

use backfill::check::Verdict::{Pass, Stop, Warn};
use backfill::check::names;
use backfill::forecast::Basis;
use druid::lock::LockType;
use ground::Ground;

/// A day of six-hour-old HOUR segments, the third hour outside what most cases type.
const HOURS: &str = "
    2026-07-16T03/PT1H v1 100
    2026-07-16T07/PT1H v1 200
    2026-07-16T08/PT1H v1 300
";
const DAY: &str = "2026-07-16/P1D v1 1000";

#[track_caller]
fn says(ground: &Ground, check: &str, verdict: backfill::check::Verdict, title: &str) {
    assert_eq!(ground.says(check), (verdict, title.to_owned()), "{check}");
}

#[test]
fn rows_outside_the_typed_interval_that_vanish_stop_the_run() {
    let spec = r#"
        segmentGranularity = "DAY"
        intervals = ["2026-07-16T06/2026-07-16T12"]
        dropExisting = true
    "#;
    let widened = Ground::of(DAY).spec(spec);
    says(&widened, "widened-interval", Stop, "18 hours you did not name will be replaced or emptied");
    let stop = &widened.check("widened-interval")[0];
    assert_eq!(stop.number, Some(18 * 3_600_000));
    // Both fixes settle it: chunks that fit, or the chunk that is meant.
    for (label, passes) in [
        ("Use HOUR chunks", "The interval is cut along whole chunks"),
        ("Name whole chunks", "The interval is cut along whole chunks"),
    ] {
        let fixed = Ground::of(DAY).spec(spec).fixed(stop, label);
        says(&fixed, "widened-interval", Pass, passes);
    }
}

#[test]
fn widening_over_nothing_is_only_a_warning() {
    let ground = Ground::of("2026-07-16T06/PT6H v1 10").spec(
        r#"
        segmentGranularity = "DAY"
        intervals = ["2026-07-16T06/2026-07-16T12"]
        dropExisting = true
        "#,
    );
    says(&ground, "widened-interval", Warn, "The interval is widened by 18 hours");
}

#[test]
fn an_append_that_takes_rows_from_outside_says_so() {
    let ground = Ground::of(DAY).spec(
        r#"
        segmentGranularity = "DAY"
        intervals = ["2026-07-16T06/2026-07-16T12"]
        appendToExisting = true
        "#,
    );
    says(&ground, "widened-interval", Warn, "Rows up to 18 hours outside the interval are taken too");
}

#[test]
fn a_neighbour_in_a_chunk_that_is_only_touched_stops_the_run() {
    let spec = |from: &str| {
        format!("segmentGranularity = \"DAY\"\nintervals = [\"{from}/2026-07-16T12\"]\ndropExisting = true")
    };
    let hit = Ground::of(HOURS).spec(&spec("2026-07-16T06"));
    says(&hit, "neighbour-hit", Stop, "1 neighbour outside the interval will vanish");
    // From the third hour on it is inside the typed interval, so it was named.
    let named = Ground::of(HOURS).spec(&spec("2026-07-16T03"));
    says(&named, "neighbour-hit", Pass, "No neighbour is hit");
}

#[test]
fn chunks_that_may_be_emptied_are_counted_with_their_rows() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true";
    let unknown = Ground::of(HOURS).spec(spec);
    says(&unknown, "chunks-emptied", Warn, "Up to 3 chunks with 600 rows may be emptied");
    let certain = Ground::of(HOURS).spec(spec).rows(&["2026-07-16T03:30Z"]);
    says(&certain, "chunks-emptied", Warn, "2 chunks with 500 rows will be emptied");
    let full = Ground::of(HOURS).spec(spec).known(Basis::AsExisting);
    says(&full, "chunks-emptied", Pass, "No chunk is emptied");
    let fixed =
        Ground::of(HOURS).spec(spec).fixed(&certain.check("chunks-emptied")[0], "Keep chunks without rows");
    assert!(fixed.check("chunks-emptied").is_empty(), "without dropExisting nothing is emptied");
}

#[test]
fn a_source_that_may_match_nothing_is_told_before_it_empties_the_range() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true";
    let local = Ground::of(HOURS).spec(spec);
    says(
        &local,
        "source-may-match-nothing",
        Warn,
        "If no file matches, 3 pieces of segments vanish with SUCCESS",
    );
    let elsewhere = Ground::of(HOURS).spec("intervals = [\"2026-07-20/2026-07-21\"]\ndropExisting = true");
    says(&elsewhere, "source-may-match-nothing", Pass, "Nothing is there to be lost");
    let inline = Ground::of(HOURS).spec(&format!(
        "{spec}\ninputSource = {{\"type\":\"inline\",\"data\":\"{{\\\"ts\\\":\\\"2026-07-16T03:00Z\\\"}}\"}}"
    ));
    says(&inline, "source-may-match-nothing", Pass, "The rows stand in the task itself");
}

#[test]
fn range_partitioning_spares_the_old_data_before_37_only() {
    let spec = r#"
        intervals = ["2026-07-16/2026-07-17"]
        dropExisting = true
        tuningConfig.maxNumConcurrentSubTasks = 2
        tuningConfig.forceGuaranteedRollup = true
        partitionsSpec = {"type":"range","partitionDimensions":["page"],"targetRowsPerSegment":100}
    "#;
    let (old, new) = (Ground::of(HOURS).spec(spec).release(36), Ground::of(HOURS).spec(spec).release(37));
    assert!(old.check("source-may-match-nothing").is_empty());
    says(&old, "range-keeps-old", Warn, "Without a usable row 3 pieces of segments would stay, with SUCCESS");
    says(&old.rows(&["2026-07-16T05Z"]), "range-keeps-old", Pass, "The range is replaced");
    assert!(new.check("range-keeps-old").is_empty());
    assert_eq!(new.says("source-may-match-nothing").0, Warn);
}

#[test]
fn an_append_onto_rows_says_how_many_would_count_twice() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true";
    let unknown = Ground::of(HOURS).spec(spec);
    says(
        &unknown,
        "append-doubles",
        Warn,
        "Up to 3 chunks already hold 600 rows: the same data would count twice",
    );
    let one = Ground::of(HOURS).spec(spec).rows(&["2026-07-16T03:30Z"]);
    says(&one, "append-doubles", Warn, "1 chunk already holds 100 rows: the same data would count twice");
    let beside = Ground::of(HOURS).spec(spec).rows(&["2026-07-16T04:30Z"]);
    says(&beside, "append-doubles", Pass, "Nothing is counted twice");
    let replaced = Ground::of(HOURS).spec(spec).fixed(&unknown.check("append-doubles")[0], "Replace instead");
    says(&replaced, "append-doubles", Pass, "Nothing is counted twice");
}

#[test]
fn what_the_server_refuses_is_said_in_its_own_words() {
    let both = Ground::of("")
        .spec("intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true\ndropExisting = true");
    says(&both, "drop-with-append", Stop, "Replaces and appends at once");
    assert!(both.check("drop-with-append")[0].why.contains("Cannot simultaneously replace and append"));

    let unbounded = Ground::of(DAY).spec("dropExisting = true");
    says(&unbounded, "drop-without-intervals", Stop, "Replaces without saying what");
    let words = "GranularitySpec's intervals cannot be empty when using replace.";
    assert!(unbounded.check("drop-without-intervals")[0].why.contains(words));
    let named = Ground::of(DAY)
        .spec("dropExisting = true")
        .fixed(&unbounded.check("drop-without-intervals")[0], "Name what is there");
    says(&named, "drop-without-intervals", Pass, "What is replaced is bounded");

    let rollup = Ground::of("")
        .spec("tuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"dynamic\"}");
    assert_eq!(rollup.says("server-refuses").0, Stop);
    let perfect = "DynamicPartitionsSpec cannot be used for perfect rollup";
    assert!(rollup.check("server-refuses")[0].why.contains(perfect));
    says(&Ground::of("").spec(""), "server-refuses", Pass, "Druid 33.0.0 accepts this spec");
}

#[test]
fn a_run_that_is_accepted_and_then_fails_is_stopped_here() {
    let range = "intervals = [\"2026-07-05/2026-07-09\"]\ntuningConfig.forceGuaranteedRollup = true\n\
                 partitionsSpec = {\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":9}\n\
                 inputSource = {\"type\":\"inline\",\"data\":\"{}\"}";
    says(&Ground::of("").spec(range), "run-fails", Stop, "The run will fail");
    let shared =
        range.replace(r#"{"type":"inline","data":"{}"}"#, r#"{"type":"local","baseDir":"/in","filter":"*"}"#);
    says(&Ground::of("").spec(&shared), "run-fails", Pass, "Nothing known makes it fail");
}

#[test]
fn an_interval_over_everything_is_told() {
    let part = Ground::of(HOURS).spec("intervals = [\"2026-07-16T03/2026-07-16T08\"]");
    says(&part, "interval-over-everything", Pass, "The interval is a part of what is there");
    let all = Ground::of(HOURS).spec("intervals = [\"2026-07-16T03/2026-07-16T09\"]");
    says(&all, "interval-over-everything", Warn, "The interval covers everything in the datasource: 6 hours");
    let millennia = Ground::of(HOURS)
        .spec("intervals = [\"1000/3000\"]\nsegmentGranularity = \"DAY\"\ndropExisting = true");
    assert_eq!(millennia.says("interval-over-everything").0, Stop);
    assert_eq!(millennia.check("interval-over-everything")[0].number, Some(730_485));
    let none = Ground::of(HOURS).spec("");
    says(&none, "interval-over-everything", Warn, "No interval: every chunk that a row touches is replaced");
}

#[test]
fn known_rows_that_no_chunk_takes_are_told() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]";
    let some = Ground::of("").spec(spec).rows(&["2026-07-16T05Z", "2026-07-18T05Z"]);
    says(&some, "rows-outside", Warn, "1 row of 2 lies outside the interval");
    let all = Ground::of("").spec(spec).rows(&["2026-07-17T00Z", "2026-07-18T05Z"]);
    says(&all, "rows-outside", Stop, "All 2 rows lie outside the interval");
    let more = Ground::of("").spec(spec).rows(&["2026-07-16T05Z", "2026-07-18T05Z", "2026-07-19T05Z"]);
    says(&more, "rows-outside", Warn, "2 rows of 3 lie outside the interval");
    let only = Ground::of("").spec(spec).rows(&["2026-07-17T00Z"]);
    says(&only, "rows-outside", Stop, "The only row lies outside the interval");
    let none = Ground::of("").spec(spec).rows(&["2026-07-16T23:59:59.999Z"]);
    assert!(none.check("rows-outside")[0].why.starts_with("1 row falls into "));
    says(&none, "rows-outside", Pass, "Every row is in range");
}

#[test]
fn inline_rows_that_cannot_be_read_are_told() {
    let data = |lines: &str| {
        format!("inputSource = {{\"type\":\"inline\",\"data\":{}}}", serde_json::Value::from(lines))
    };
    let bad = Ground::of("").spec(&data("{\"ts\":\"2026-07-16T03:00Z\"}\n{\"ts\":\"yesterday\"}"));
    says(&bad, "inline-unreadable", Warn, "1 inline row of 2 cannot be read");
    let strict = Ground::of("").spec(&format!(
        "{}\ntuningConfig.reportParseExceptions = true",
        data("{\"ts\":\"2026-07-16T03:00Z\"}\n{\"ts\":\"yesterday\"}")
    ));
    assert_eq!(strict.says("inline-unreadable").0, Stop);
    let good = Ground::of("").spec(&data("{\"ts\":\"2026-07-16T03:00Z\"}"));
    says(&good, "inline-unreadable", Pass, "Every inline row can be read");
}

#[test]
fn a_task_that_reads_its_own_target_is_told() {
    let read = |datasource: &str| {
        format!(
            "intervals = [\"2026-07-16/2026-07-17\"]\n\
             inputSource = {{\"type\":\"druid\",\"dataSource\":\"{datasource}\",\"interval\":\"2026-07-16/2026-07-17\"}}"
        )
    };
    let own = Ground::of(DAY).spec(&read("events_web"));
    says(&own, "reads-own-target", Warn, "Rewrites events_web from itself");
    let append = Ground::of(DAY).spec(&format!("{}\nappendToExisting = true", read("events_web")));
    says(&append, "reads-own-target", Stop, "Appends events_web to itself");
    let other = Ground::of(DAY).spec(&read("events_app"));
    says(&other, "reads-own-target", Pass, "The input is another place than the target");
}

#[test]
fn whoever_holds_the_range_is_named() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]";
    let held = |on: &str, priority: i64| {
        Ground::of("").spec(spec).lock("index_kafka_web", LockType::Exclusive, on, priority)
    };
    says(&held("2026-07-16T05/PT1H", 75), "lock-held", Warn, "Waits for index_kafka_web");
    says(&held("2026-07-16T05/PT1H", 25), "lock-held", Warn, "Throws out index_kafka_web");
    says(&held("2026-07-17T00/PT1H", 75), "lock-held", Pass, "Nobody holds the range");
    let late = Ground::of("").spec("").rows(&["2026-07-16T05:30Z"]).lock(
        "index_kafka_web",
        LockType::Exclusive,
        "2026-07-16T05/PT1H",
        75,
    );
    says(&late, "lock-held", Stop, "Fails at once against index_kafka_web");
}

#[test]
fn versions_above_the_clock_stop_the_run() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\nsegmentGranularity = \"DAY\"";
    let future = Ground::of("2026-07-16/P1D 2999-01-01T00:00:00.000Z 10").spec(spec).known(Basis::AllRows);
    says(&future, "future-versions", Stop, "1 chunk would be overshadowed at birth");
    // A millisecond below the clock of the fixture.
    let past = Ground::of("2026-07-16/P1D 2026-11-30T11:59:59.999Z 10").spec(spec).known(Basis::AllRows);
    says(&past, "future-versions", Pass, "What is published will be served");
}

#[test]
fn a_set_that_misses_a_core_partition_is_told() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]";
    let missing = Ground::of("2026-07-16/P1D v1 10 parts=2 missing").spec(spec);
    says(&missing, "incomplete-sets", Warn, "1 set in range misses a partition");
    let whole = Ground::of("2026-07-16/P1D v1 10 parts=2").spec(spec);
    says(&whole, "incomplete-sets", Pass, "Every set in range is complete");
    let buried = Ground::of("2026-07-16/P1D v1 10 parts=2 missing\n2026-07-16/P1D v2 10").spec(spec);
    says(&buried, "incomplete-sets", Pass, "Every set in range is complete");
}

#[test]
fn concurrent_locks_over_mixed_chunks_are_told() {
    let spec = "intervals = [\"2026-07-16/2026-07-18\"]\ncontext.useConcurrentLocks = true";
    let mixed = Ground::of("2026-07-13/P7D v1\n2026-07-16/P1D v2").spec(spec);
    says(&mixed, "mixed-granularity", Warn, "Concurrent locks over chunks of 2 lengths");
    let beside = Ground::of("2026-07-16/P1D v1\n2026-07-17T00/PT1H v2").spec(spec);
    assert_eq!(beside.says("mixed-granularity").0, Pass, "they do not overlap");
    let exclusive =
        Ground::of("2026-07-13/P7D v1\n2026-07-16/P1D v2").spec("intervals = [\"2026-07-16/2026-07-18\"]");
    assert!(exclusive.check("mixed-granularity").is_empty());
}

#[test]
fn a_year_of_minutes_over_one_segment_is_told() {
    let year = |granularity: &str| {
        Ground::of("2025-01-01/P1Y v1 10")
            .spec(&format!(
                "segmentGranularity = \"{granularity}\"\nintervals = [\"2025/2026\"]\ndropExisting = true"
            ))
            .known(Basis::NoRows)
    };
    says(&year("MINUTE"), "many-chunks", Warn, "Up to 525,600 tombstones");
    says(&year("DAY"), "many-chunks", Pass, "The number of chunks is reasonable");
    says(&year("NONE"), "granularity-none", Stop, "Every millisecond is a chunk of its own");
    assert!(
        year("NONE").check("many-chunks").is_empty() && year("MINUTE").check("granularity-none").is_empty()
    );
}

#[test]
fn a_shared_lock_flag_in_quotes_breaks_the_task() {
    let quoted =
        Ground::of("").spec("intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useSharedLock = \"true\"");
    assert_eq!(quoted.says("lock-context").0, Stop);
    says(&quoted, "run-fails", Stop, "The run will fail");
    let stop = &quoted.check("lock-context")[0];
    let fixed = Ground::of("")
        .spec("intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useSharedLock = \"true\"")
        .fixed(stop, "Write true and false without quotes");
    // SHARED is for appends: what is left is that Druid takes EXCLUSIVE.
    says(&fixed, "lock-context", Warn, "Takes an EXCLUSIVE lock, not SHARED");
    let beside = Ground::of("").spec(
        "intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true\n\
         context.taskLockType = \"APPEND\"\ncontext.useSharedLock = \"true\"",
    );
    says(&beside, "lock-context", Warn, "useSharedLock is never read");
    let plain = Ground::of("").spec("intervals = [\"2026-07-16/2026-07-17\"]");
    says(&plain, "lock-context", Pass, "Takes EXCLUSIVE locks");
    let replace = Ground::of("").spec(
        "intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true\ncontext.taskLockType = \"REPLACE\"",
    );
    says(&replace, "lock-context", Stop, "Appends under a REPLACE lock");
}

#[test]
fn an_id_without_a_version_is_told() {
    says(&Ground::of("").spec("id = nothing"), "task-id", Warn, "No id: a retry would run a second time");
    says(
        &Ground::of("").spec("id = \"nightly_load\""),
        "task-id",
        Warn,
        "nightly_load does not say which version of the work it is",
    );
    says(&Ground::of("").spec(""), "task-id", Pass, "Sent as idx_events_web_0123456789ab");
}

#[test]
fn a_key_that_druid_ignores_is_told() {
    let misspelt =
        Ground::of("").spec("intervals = [\"2026-07-16/2026-07-17\"]\nioConfig.dropExsiting = true");
    says(&misspelt, "unknown-key", Warn, "Druid ignores spec.ioConfig.dropExsiting");
    let why = &misspelt.check("unknown-key")[0].why;
    assert!(why.ends_with("Did you mean dropExisting?"), "{why}");
    let spelt = Ground::of("").spec("intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true");
    says(&spelt, "unknown-key", Pass, "Every key is one that Druid reads");
}

#[test]
fn a_text_that_is_no_json_stops_everything() {
    let mut ground = Ground::of("");
    ground.task = druid::spec::Task::read(
        &druid::json::Document::parse("{\"type\": \"index_parallel\",\n %%SPEC%%}"),
        &druid::zone::Tzdb::default(),
    );
    let finding = &ground.check("spec-unreadable")[0];
    assert_eq!((finding.verdict, finding.title.as_str()), (Stop, "Not JSON at line 2, column 2"));
}

#[test]
fn a_confirmation_outlives_edits_that_change_nothing_a_check_saw_and_no_others() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true";
    let saw = |ground: &Ground| ground.check("chunks-emptied")[0].saw;
    let before = saw(&Ground::of(HOURS).spec(spec));
    let renamed = Ground::of(HOURS).spec(&format!("{spec}\nspec.dataSchema.timestampSpec.column = \"time\""));
    assert_eq!(saw(&renamed), before, "the timestamp column is not what chunks-emptied looks at");
    let moved = Ground::of(&HOURS.replace("07-16", "07-17"))
        .spec("intervals = [\"2026-07-17/2026-07-18\"]\ndropExisting = true");
    assert_ne!(saw(&moved), before, "the same numbers on another day are another finding");
    let newer = Ground::of(&HOURS.replace("v1 100", "v2 100")).spec(spec);
    assert_ne!(saw(&newer), before, "somebody has loaded the hour anew since");
}

#[test]
fn every_check_has_a_name_of_its_own_in_kebab_case() {
    let names: Vec<&str> = names().collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len());
    assert!(names.iter().all(|name| name.bytes().all(|b| b == b'-' || b.is_ascii_lowercase())));
}
