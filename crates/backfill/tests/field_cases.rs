//! What happened to people who backfilled Druid, each as what the checks and the forecast must say of it. The reports are
//! public: the number behind each is of apache/druid, an issue or a pull request, or a class of it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds nothing should fail loudly"
)]

mod ground;

use backfill::check::Verdict::{Stop, Warn};
use backfill::forecast::{Basis, EntryVersion, FateKind, Outcome, visible};
use druid::lock::LockType;
use ground::{Ground, interval};

/// The fates of the first world, as interval and kind.
fn fates(ground: &Ground) -> Vec<(String, FateKind)> {
    let made = ground.forecast();
    made.worlds[0].fates.iter().map(|fate| (fate.interval.short(), fate.kind)).collect()
}

/// What is visible afterwards: the piece, and whether it is new.
fn after(ground: &Ground) -> Vec<(String, bool, bool)> {
    let made = ground.forecast();
    let mut entries: Vec<_> = visible(&made, &made.worlds[0]).collect();
    entries.sort();
    entries
        .into_iter()
        .map(|entry| (entry.interval.short(), entry.version == EntryVersion::New, entry.tombstone))
        .collect()
}

const DAY16: &str = "2026-07-16T00:00:00Z/2026-07-17T00:00:00Z";

/// `TombstoneHelper`, `IntervalsByGranularity`.
#[test]
fn six_typed_hours_of_a_day_chunk_empty_the_whole_day() {
    let ground = Ground::of("2026-07-16/P1D v1 100")
        .spec("segmentGranularity = \"DAY\"\nintervals = [\"2026-07-16T06/2026-07-16T12\"]\ndropExisting = true")
        .known(Basis::NoRows);
    assert_eq!(after(&ground), [(DAY16.to_owned(), true, true)]);
    let (verdict, title) = ground.says("widened-interval");
    assert_eq!((verdict, title.as_str()), (Stop, "18 hours you did not name will be replaced or emptied"));
}

/// Druid's page says "fully contained", its code says "overlaps" (PR 12137).
#[test]
fn an_old_day_under_new_hours_is_hidden_only_where_they_are() {
    let ground = Ground::of("2026-07-16/P1D v1 100")
        .spec("intervals = [\"2026-07-16T00/2026-07-16T02\"]\ndropExisting = true")
        .rows(&["2026-07-16T00:30Z"]);
    let hour = |from: u8| format!("2026-07-16T0{from}:00:00Z/2026-07-16T0{}:00:00Z", from + 1);
    assert_eq!(
        after(&ground),
        [
            (hour(0), true, false),
            (hour(1), true, true),
            ("2026-07-16T02:00:00Z/2026-07-17T00:00:00Z".to_owned(), false, false),
        ]
    );
    assert_eq!(ground.says("partly-hidden").0, Warn);
}

/// The January of docs/ingestion/native-batch.md.
#[test]
fn without_drop_existing_an_empty_january_keeps_its_old_row() {
    let months = "2021-01-01/P1M v1 1\n2021-02-01/P1M v1 3\n2021-03-01/P1M v1 3";
    let spec = "segmentGranularity = \"MONTH\"\nintervals = [\"2021-01-01/2021-04-01\"]";
    let ground = Ground::of(months).spec(spec).rows(&["2021-02-10T00Z", "2021-03-10T00Z"]);
    let january = "2021-01-01T00:00:00Z/2021-02-01T00:00:00Z".to_owned();
    assert_eq!(fates(&ground)[0], (january, FateKind::Kept));
    assert_eq!(ground.says("chunks-kept").1, "1 chunk keeps its old rows");
}

/// PR 12334.
#[test]
fn weeks_over_a_month_take_days_of_its_neighbours() {
    let months = "2015-01-01/P1M v1 31\n2015-02-01/P1M v1 28\n2015-03-01/P1M v1 31";
    let spec = "segmentGranularity = \"WEEK\"\nintervals = [\"2015-02-01/2015-03-01\"]\ndropExisting = true";
    let ground = Ground::of(months).spec(spec).known(Basis::AllRows);
    assert_eq!(ground.forecast().effective, [interval("2015-01-26/2015-03-02")]);
    let (verdict, title) = ground.says("widened-interval");
    assert_eq!((verdict, title.as_str()), (Stop, "7 days you did not name will be replaced or emptied"));
    assert_eq!(ground.says("chunks-cross").0, Warn);
}

/// Issue 11906, PR 12062, PR 15589.
#[test]
fn a_month_and_a_week_that_overlap_are_told_before_anything_runs_beside_them() {
    let mixed = "2021-09-01/P1M v1 100\n2021-09-27/P7D v2 10";
    let concurrent = "segmentGranularity = \"WEEK\"\nintervals = [\"2021-09-27/2021-10-04\"]\ncontext.useConcurrentLocks = true";
    assert_eq!(Ground::of(mixed).spec(concurrent).says("mixed-granularity").0, Warn);
    // A late row for September finds no place any more.
    let late =
        "segmentGranularity = \"MONTH\"\nintervals = [\"2021-09-01/2021-10-01\"]\nappendToExisting = true";
    let ground = Ground::of(mixed).spec(late).rows(&["2021-09-10T00Z"]);
    assert_eq!(ground.forecast().worlds[0].outcome, Outcome::Fails);
    assert_eq!(ground.says("append-into-hidden").0, Warn);
}

/// `TaskLocks.defaultLockVersion`.
#[test]
fn the_version_is_the_clock_at_the_lock_and_is_said_to_be_a_prediction() {
    let ground = Ground::of("2026-07-16/P1D v1 1").spec("intervals = [\"2026-07-16/2026-07-17\"]");
    let made = ground.forecast();
    assert_eq!(&*made.version, "2026-11-30T12:00:00.000Z");
    assert!(
        made.unknown.iter().any(|text| text.contains("the moment the lock is granted")),
        "{:?}",
        made.unknown
    );
}

/// PR 7046, issue 6989.
#[test]
fn without_intervals_a_stray_row_replaces_a_day_somewhere_else() {
    let days = "2026-07-16/P1D v1 10\n2020-01-01/P1D v1 10";
    let ground = Ground::of(days).spec("segmentGranularity = \"DAY\"");
    assert_eq!(
        ground.says("interval-over-everything").1,
        "No interval: every chunk that a row touches is replaced"
    );
    let stray =
        Ground::of(days).spec("segmentGranularity = \"DAY\"").rows(&["2026-07-16T05Z", "2020-01-01T00Z"]);
    let replaced: Vec<bool> = after(&stray).into_iter().map(|(_, new, _)| new).collect();
    assert_eq!(replaced, [true, true]);
}

/// Issue 13385.
#[test]
fn a_compaction_over_all_time_meets_the_stream_that_runs() {
    let ground = Ground::of("2026-07-16/P1D v1 10")
        .task(
            r#"{"type":"compact","dataSource":"events_web","ioConfig":{"type":"compact",
                "inputSpec":{"type":"interval","interval":"1970-01-01/2026-11-18"}},
                "granularitySpec":{"segmentGranularity":"DAY"}}"#,
        )
        .lock("index_kafka_web", LockType::Exclusive, "2026-07-16/P1D", 75);
    let (verdict, title) = ground.says("lock-held");
    assert_eq!((verdict, title.as_str()), (Warn, "Waits for index_kafka_web"));
}

/// docs/ingestion/native-batch.md, replacing.
#[test]
fn a_month_around_new_days_is_split_into_what_stays_and_what_is_hidden() {
    let ground = Ground::of("2026-07-01/P1M v1 100")
        .spec("segmentGranularity = \"DAY\"\nintervals = [\"2026-07-16/2026-07-17\"]")
        .rows(&["2026-07-16T05Z"]);
    assert_eq!(
        after(&ground),
        [
            ("2026-07-01T00:00:00Z/2026-07-16T00:00:00Z".to_owned(), false, false),
            (DAY16.to_owned(), true, false),
            ("2026-07-17T00:00:00Z/2026-08-01T00:00:00Z".to_owned(), false, false),
        ]
    );
}

/// `IntervalsByGranularityTest`.
#[test]
fn millennia_of_days_and_a_year_of_seconds_are_counted_and_not_listed() {
    let of = |chunks: &str, on: &str| {
        Ground::of("2026-07-16/P1D v1 1")
            .spec(&format!("segmentGranularity = \"{chunks}\"\nintervals = [\"{on}\"]"))
    };
    assert_eq!(of("DAY", "1000/3000").forecast().chunks, 730_485);
    assert_eq!(of("SECOND", "2012/2013").forecast().chunks, 31_622_400);
    assert!(of("SECOND", "2012/2013").forecast().worlds[0].fates.len() < 10);
}

/// A blog's spec: `listDelimiter` beside `inputFormat`. `DefaultObjectMapper` ignores what it does not know.
#[test]
fn a_list_delimiter_in_the_wrong_place_is_told_with_the_place_where_it_is_read() {
    let ground = Ground::of("").spec("ioConfig.inputFormat = {\"type\":\"tsv\",\"columns\":[\"ts\",\"page\"]}\nioConfig.listDelimiter = \"|\"");
    assert_eq!(ground.says("unknown-key"), (Warn, "Druid ignores spec.ioConfig.listDelimiter".to_owned()));
    assert!(ground.check("unknown-key")[0].why.contains("inputFormat"), "{:?}", ground.check("unknown-key"));
}

/// `AbstractTask`, `AbstractBatchIndexTask`, PR 10748.
#[test]
fn appends_that_the_server_refuses_are_refused_here_in_its_words() {
    let words = |ground: &Ground| {
        let found = ground.findings();
        found.iter().filter(|f| f.verdict == Stop).map(|f| f.why.clone()).collect::<Vec<_>>().join("\n")
    };
    let empty = Ground::of("").spec("intervals = []\ndropExisting = true");
    assert!(words(&empty).contains("GranularitySpec's intervals cannot be empty when using replace."));
    let both =
        Ground::of("").spec("intervals = [\"2026/2027\"]\ndropExisting = true\nappendToExisting = true");
    assert!(words(&both).contains("Cannot simultaneously replace and append to existing segments."));
    let hashed = Ground::of("").spec(
        "appendToExisting = true\ntuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"hashed\"}",
    );
    assert!(
        words(&hashed).contains("Perfect rollup cannot be guaranteed when appending to existing dataSources")
    );
}

/// `DataSchema` since 37.
#[test]
fn a_parser_is_refused_from_37_on_only() {
    let spec = "spec.dataSchema.parser = {\"type\":\"string\",\"parseSpec\":{\"format\":\"json\"}}";
    let refused = |release: u32| {
        let found = Ground::of("").spec(spec).release(release).check("server-refuses");
        found.iter().any(|finding| finding.why.contains("parser was removed in Druid 37"))
    };
    assert_eq!((refused(36), refused(37)), (false, true));
}

/// Templates of Druid's own tests and of a public loader.
#[test]
fn a_template_that_nobody_filled_in_is_not_sent() {
    for interval in ["%%INTERVAL%%", "${START}/${END}", "{{ ds }}/{{ next_ds }}"] {
        let ground = Ground::of("").spec(&format!("intervals = [\"{interval}\"]"));
        assert_eq!(ground.says("placeholders").0, Stop, "{interval}");
    }
}

/// The password of an `sql` source, keys of S3.
#[test]
fn secrets_in_a_spec_are_told_by_place_and_never_by_value() {
    let ground = Ground::of("").spec(
        "inputSource = {\"type\":\"sql\",\"database\":{\"type\":\"mysql\",\"connectorConfig\":{\"user\":\"u\",\"password\":\"hunter2\"}},\"sqls\":[\"SELECT 1\"]}",
    );
    assert_eq!(ground.says("secrets"), (Warn, "1 secret in the spec".to_owned()));
    let all = format!("{:?}", ground.findings());
    assert!(all.contains("connectorConfig.password") && !all.contains("hunter2"), "{all}");
}

/// examples/quickstart/tutorial/updates-append-index.json.
#[test]
fn a_combining_source_that_reads_its_target_doubles_with_each_run() {
    let ground = Ground::of("2026-07-16/P1D v1 1").spec(
        "intervals = [\"2026-07-16/2026-07-17\"]\ninputSource = {\"type\":\"combining\",\"delegates\":[{\"type\":\"druid\",\"dataSource\":\"events_web\",\"interval\":\"2026-07-16/2026-07-17\"},{\"type\":\"local\",\"baseDir\":\"/in\",\"filter\":\"*\"}]}",
    );
    assert_eq!(
        ground.says("reads-own-target"),
        (Warn, "Reads events_web and adds to what it reads".to_owned())
    );
}

/// A seeder that shifts `__time`.
#[test]
fn a_time_that_a_transform_moves_is_known_from_nothing() {
    let spec = "spec.dataSchema.transformSpec = {\"transforms\":[{\"type\":\"expression\",\"name\":\"__time\",\"expression\":\"__time + 1\"}]}\n\
                inputSource = {\"type\":\"inline\",\"data\":\"{\\\"ts\\\":\\\"2026-07-16T05Z\\\"}\"}";
    let ground = Ground::of("").spec(spec);
    assert_eq!(ground.says("time-moved").0, Warn);
    assert!(backfill::forecast::Known::inline(&ground.task).is_err());
    assert!(ground.forecast().unknown.iter().any(|text| text.contains("writes __time")));
}

/// Both places where a compaction may name its interval.
#[test]
fn both_forms_of_a_compaction_are_foreseen() {
    let compact = |body: &str| {
        let ground = Ground::of("2026-07-16/P1D v1 1");
        ground.task(&format!(r#"{{"type":"compact","dataSource":"events_web",{body}}}"#)).forecast()
    };
    let at_the_top = compact(r#""interval":"2026-07-16/2026-07-17""#);
    let inside = compact(
        r#""ioConfig":{"type":"compact","inputSpec":{"type":"interval","interval":"2026-07-16/2026-07-17"}}"#,
    );
    assert_eq!(at_the_top.typed, [interval(DAY16)]);
    assert_eq!(at_the_top.typed, inside.typed);
    assert_eq!(at_the_top.worlds.len(), inside.worlds.len());
}

/// Issue 9993.
#[test]
fn a_day_of_new_york_in_march_has_23_hours_and_hash_partitioning_fails_over_it() {
    let zoned = "segmentGranularity = {\"type\":\"period\",\"period\":\"P1D\",\"timeZone\":\"America/New_York\"}\n\
                 intervals = [\"2026-03-08T05:00Z/2026-03-09T04:00Z\"]";
    let ground = Ground::of("").spec(zoned);
    let made = ground.forecast();
    assert_eq!((made.chunks, made.effective[0].duration_ms()), (1, 23 * 3_600_000));
    assert!(made.widened.is_empty());
    let hashed = format!(
        "{zoned}\ntuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {{\"type\":\"hashed\"}}"
    );
    assert_eq!(Ground::of("").spec(&hashed).says("zoned-partitions").0, Stop);
}

/// Issue 5291.
#[test]
fn a_day_of_shanghai_under_utc_days_is_widened_at_both_ends() {
    let ground = Ground::of("2026-07-15/P1D v1 1\n2026-07-16/P1D v1 1").spec(
        "segmentGranularity = \"DAY\"\nintervals = [\"2026-07-16T00:00:00+08:00/2026-07-17T00:00:00+08:00\"]\ndropExisting = true",
    );
    assert_eq!(ground.forecast().effective, [interval("2026-07-15/2026-07-17")]);
    assert_eq!(ground.says("widened-interval").0, Stop);
}

/// Issue 10254.
#[test]
fn a_day_of_kolkata_begins_at_half_past_six_in_the_evening_utc() {
    let ground = Ground::of("").spec(
        "segmentGranularity = {\"type\":\"period\",\"period\":\"P1D\",\"timeZone\":\"Asia/Kolkata\"}\nintervals = [\"2026-07-16T00Z/2026-07-16T01Z\"]",
    );
    assert_eq!(ground.forecast().effective, [interval("2026-07-15T18:30Z/2026-07-16T18:30Z")]);
}

/// Issue 9894.
#[test]
fn over_the_duration_chunks_of_a_stream_nothing_is_foreseen() {
    let ground = Ground::of("").task(
        r#"{"type":"kafka","spec":{"dataSchema":{"dataSource":"events_web","granularitySpec":{"segmentGranularity":
            {"type":"duration","duration":86400000,"origin":"2026-01-01T06:00:00Z"}}},"ioConfig":{"topic":"t"}}}"#,
    );
    assert!(ground.forecast().worlds.is_empty());
    assert_eq!(ground.says("stream-origin").0, Warn);
}

/// Issue 9466.
#[test]
fn who_waits_for_a_stream_and_who_throws_whom_out_is_said_before() {
    let with = |held: i64, spec: &str| {
        let ground = Ground::of("").spec(&format!("intervals = [\"2026-07-16/2026-07-17\"]\n{spec}"));
        ground.lock("index_kafka_web", LockType::Exclusive, "2026-07-16T05/PT1H", held)
    };
    assert_eq!(with(75, "context.priority = 25").says("lock-held").1, "Waits for index_kafka_web");
    assert_eq!(with(75, "context.priority = 80").says("lock-held").1, "Throws out index_kafka_web");
}

/// `TaskLockbox`.
#[test]
fn concurrent_locks_on_one_side_only_do_not_help() {
    let append =
        "intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true\ncontext.useConcurrentLocks = true";
    let ground =
        Ground::of("").spec(append).lock("index_kafka_web", LockType::Exclusive, "2026-07-16T05/PT1H", 75);
    assert_eq!(ground.says("lock-held"), (Warn, "Waits for index_kafka_web".to_owned()));
    let both =
        Ground::of("").spec(append).lock("index_kafka_web", LockType::Append, "2026-07-16T05/PT1H", 75);
    assert_eq!(both.says("lock-held").1, "Nobody holds the range");
}
