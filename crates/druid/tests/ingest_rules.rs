//! What runs publish, case by case: the worked cases of the rules, and what no recording holds.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // specs and tables are ours

use druid::ingest::{Chunks, Outcome, Published, Rows, Situation, When, extent, run, tombstone, wish};
use druid::interval::{Instant, Interval, condense};
use druid::json::Document;
use druid::lock::{Held, LockType};
use druid::release::Release;
use druid::segment::{Segment, SegmentId, SegmentSet, ShardSpec};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::{Value, json};

const NOW: &str = "2026-07-20T12:00:00.000Z";

fn interval(text: &str) -> Interval {
    Interval::parse(text).unwrap()
}

fn instants(texts: &[&str]) -> Rows {
    Rows { splits: vec![texts.iter().map(|t| Instant::parse(t).unwrap()).collect()] }
}

/// A datasource: lines of `interval version [partition/core]`, `tombstone` in place of the numbers.
fn timeline(lines: &[&str]) -> Timeline {
    let segments: Vec<Segment> = lines
        .iter()
        .map(|line| {
            let mut words = line.split(' ');
            let (on, version) = (interval(words.next().unwrap()), words.next().unwrap());
            let shard = match words.next() {
                Some("tombstone") => ShardSpec::Tombstone,
                numbers => {
                    let (partition, core) = numbers.unwrap_or("0/1").split_once('/').unwrap();
                    ShardSpec::Numbered { partition: partition.parse().unwrap(), core: core.parse().unwrap() }
                }
            };
            Segment::new("web", on, version, shard)
        })
        .collect();
    Timeline::build(&SegmentSet::of("web", &segments)).unwrap()
}

/// A batch task, with parts of the spec set by path.
fn task(granularity: &str, intervals: &[&str], edits: &[(&str, Value)]) -> Task {
    let mut spec = json!({
        "type": "index_parallel", "id": "t",
        "spec": {
            "dataSchema": {
                "dataSource": "web",
                "timestampSpec": {"column": "ts", "format": "iso"},
                "dimensionsSpec": {"dimensions": ["page"]},
                "granularitySpec": {"segmentGranularity": granularity, "rollup": false, "intervals": intervals},
            },
            "ioConfig": {"type": "index_parallel", "inputSource": {"type": "inline", "data": "x"}, "inputFormat": {"type": "json"}},
            "tuningConfig": {"type": "index_parallel"},
        },
        "context": {},
    });
    for (path, value) in edits {
        let mut at = &mut spec;
        for key in path.split('.') {
            at = at.as_object_mut().unwrap().entry(key).or_insert(json!({}));
        }
        *at = value.clone();
    }
    Task::read(&Document::parse(spec.to_string()), &Tzdb::default())
}

fn drop_existing() -> (&'static str, Value) {
    ("spec.ioConfig.dropExisting", json!(true))
}

fn append() -> (&'static str, Value) {
    ("spec.ioConfig.appendToExisting", json!(true))
}

fn situation(timeline: &Timeline) -> Situation<'_> {
    let lock_version = Instant::parse(NOW).unwrap();
    Situation { timeline, unused: &[], locks: &[], release: Release::major(33), lock_version }
}

fn success(outcome: Outcome) -> Published {
    match outcome {
        Outcome::Success(published) => published,
        other => panic!("{other:?}"),
    }
}

/// `interval kind` of everything published, in order of time.
fn summary(published: &Published) -> Vec<String> {
    let mut lines: Vec<(Interval, u32, String)> = published
        .segments
        .iter()
        .map(|s| {
            let kind = match &s.shard {
                ShardSpec::Tombstone => "tombstone".to_owned(),
                shard => format!("{}/{}", shard.partition(), shard.core().unwrap()),
            };
            (s.interval, s.shard.partition(), format!("{} {kind}", s.interval.short().replace(":00:00Z", "")))
        })
        .collect();
    lines.sort();
    lines.into_iter().map(|(.., line)| line).collect()
}

#[test]
fn tombstones_stand_where_druids_own_cases_have_them() {
    let table: Value = serde_json::from_str(include_str!("vectors/tombstone-rule.json")).unwrap();
    for case in table["cases"].as_array().unwrap() {
        let list = |key: &str| -> Vec<Interval> {
            case.get(key)
                .into_iter()
                .flat_map(|v| v.as_array().unwrap())
                .map(|i| interval(i.as_str().unwrap()))
                .collect()
        };
        let hours = |key: &str| -> Vec<Interval> {
            let hour = |h: &Value| interval(&format!("2015-09-12T{:02}/PT1H", h.as_i64().unwrap()));
            case.get(key).into_iter().flat_map(|v| v.as_array().unwrap()).map(hour).collect()
        };
        let used: Vec<String> =
            list("used").iter().map(|i| format!("{i} 2020-01-01T00:00:00.000Z")).collect();
        let timeline = timeline(&used.iter().map(String::as_str).collect::<Vec<_>>());
        let spec = task(
            case["granularity"].as_str().unwrap(),
            &case["intervals"].as_array().unwrap().iter().map(|i| i.as_str().unwrap()).collect::<Vec<_>>(),
            &[drop_existing()],
        );
        let chunks = Chunks::of(&spec.batch().unwrap().granularity);
        let published = condense(list("rows_in").into_iter().chain(hours("rows_in_hours")));
        let wanted: Vec<Interval> = list("tombstones").into_iter().chain(hours("tombstone_hours")).collect();
        let extent = extent(&timeline, chunks.typed());
        let found: Vec<Interval> = tombstone::emptied(&chunks, &published, &extent).collect();
        assert_eq!(found, wanted, "{}", case["name"]);
        for chunk in chunks.all() {
            assert_eq!(tombstone::is_emptied(chunk, &published, &extent), wanted.contains(&chunk), "{chunk}");
        }
    }
}

#[test]
fn a_finer_replace_leaves_the_rest_of_a_coarse_segment() {
    let there = timeline(&["2026-01-01/2026-02-01 2026-02-01T00:00:00.000Z"]);
    let replace = task("DAY", &["2026-01-05/2026-01-08"], &[drop_existing()]);
    let published = success(run(&situation(&there), &replace, &instants(&["2026-01-06T07Z"])));
    assert_eq!(
        summary(&published),
        [
            "2026-01-05T00/2026-01-06T00 tombstone",
            "2026-01-06T00/2026-01-07T00 0/1",
            "2026-01-07T00/2026-01-08T00 tombstone",
        ]
    );
    assert!(published.segments.iter().all(|s| *s.version == *NOW));
}

#[test]
fn one_typed_day_empties_the_whole_month_that_its_chunk_is() {
    let there = timeline(&["2026-01-01/2026-01-02 v1", "2026-01-05/2026-01-06 v1"]);
    let replace = |typed| task("MONTH", &[typed], &[drop_existing()]);
    let over_data = success(run(&situation(&there), &replace("2026-01-05/2026-01-06"), &Rows::default()));
    assert_eq!(summary(&over_data), ["2026-01-01T00/2026-02-01T00 tombstone"]);
    let beside = success(run(&situation(&there), &replace("2026-01-10/2026-01-11"), &Rows::default()));
    assert!(beside.segments.is_empty(), "nothing lies under the typed interval itself");
}

#[test]
fn rows_count_by_their_chunk_not_by_the_typed_interval() {
    let there = timeline(&[]);
    let overwrite = task("DAY", &["2026-07-16T06/2026-07-16T12"], &[]);
    let rows = instants(&["2026-07-16T01Z", "2026-07-15T23Z", "2026-07-16T23:59:59.999Z"]);
    let published = success(run(&situation(&there), &overwrite, &rows));
    assert_eq!(summary(&published), ["2026-07-16T00/2026-07-17T00 0/1"]);
    assert_eq!(published.segments[0].rows, Some(2));
}

#[test]
fn no_rows_and_range_partitions_leave_old_rows_up_to_36_and_empty_the_interval_from_37_on() {
    let there = timeline(&["2026-07-16/2026-07-17 v1"]);
    let range = task(
        "DAY",
        &["2026-07-16/2026-07-17"],
        &[
            drop_existing(),
            ("spec.ioConfig.inputSource", json!({"type": "s3", "prefixes": ["s3://b/p/"]})),
            (
                "spec.tuningConfig.partitionsSpec",
                json!({"type": "range", "partitionDimensions": ["page"], "targetRowsPerSegment": 5}),
            ),
            ("spec.tuningConfig.forceGuaranteedRollup", json!(true)),
        ],
    );
    for (release, tombstones) in [(Release(36, 0, 0), 0), (Release(37, 0, 0), 1)] {
        let at = Situation { release, ..situation(&there) };
        let published = success(run(&at, &range, &Rows::default()));
        assert_eq!(published.segments.len(), tombstones, "{release}");
        assert!(published.error_msg.unwrap().starts_with("No valid rows for range partitioning."));
    }
}

#[test]
fn chunks_of_a_year_of_seconds_are_not_walked() {
    let spec = task("SECOND", &["2026/2027"], &[drop_existing()]);
    let chunks = Chunks::of(&spec.batch().unwrap().granularity);
    assert_eq!(chunks.count(), 31_536_000);
    assert_eq!(chunks.runs(), [interval("2026/2027")]);
    let there = timeline(&["2026-07-16T00:00:00.500Z/2026-07-16T00:00:03Z v1"]);
    let published = success(run(&situation(&there), &spec, &instants(&["2026-07-16T00:00:01Z"])));
    assert_eq!(published.segments.len(), 3);
}

#[test]
fn what_was_typed_is_widened_to_whole_chunks_and_shared_chunks_count_once() {
    let spec =
        task("WEEK", &["2026-07-14/2026-07-15", "2026-07-16/2026-07-17", "2026-08-01/2026-08-02"], &[]);
    let chunks = Chunks::of(&spec.batch().unwrap().granularity);
    assert_eq!(chunks.runs(), [interval("2026-07-13/2026-07-20"), interval("2026-07-27/2026-08-03")]);
    assert_eq!(chunks.count(), 2);
    assert_eq!(chunks.all().count(), 2);
    assert_eq!(wish(spec.batch().unwrap(), &spec.context).when, When::AtStart(chunks.runs()));
}

#[test]
fn full_segments_close_all_open_ones_of_their_process() {
    let there = timeline(&[]);
    let limits = json!({"type": "dynamic", "maxRowsPerSegment": 2});
    let overwrite = task("HOUR", &["2026-07-16/2026-07-17"], &[("spec.tuningConfig.partitionsSpec", limits)]);
    // The second row of hour 1 closes hour 0 as well, so its next row opens another segment.
    let rows =
        instants(&["2026-07-16T00:01Z", "2026-07-16T01:01Z", "2026-07-16T01:02Z", "2026-07-16T00:02Z"]);
    let published = success(run(&situation(&there), &overwrite, &rows));
    let wanted = [
        "2026-07-16T00/2026-07-16T01 0/2",
        "2026-07-16T00/2026-07-16T01 1/2",
        "2026-07-16T01/2026-07-16T02 0/1",
    ];
    assert_eq!(summary(&published), wanted);
}

fn held(kind: LockType, on: &str, priority: i64) -> Held {
    Held {
        task_id: None,
        group_id: "other".to_owned(),
        kind,
        interval: interval(on),
        version: NOW.to_owned(),
        priority,
        revoked: false,
    }
}

#[test]
fn with_intervals_a_task_waits_for_its_locks_and_without_it_fails_at_once() {
    let there = timeline(&[]);
    let locks = [held(LockType::Exclusive, "2026-07-16T03/2026-07-16T04", 50)];
    let at = Situation { locks: &locks, ..situation(&there) };
    let rows = instants(&["2026-07-16T07Z"]);
    let bounded = task("DAY", &["2026-07-16/2026-07-17"], &[]);
    assert_eq!(run(&at, &bounded, &rows), Outcome::Waits { on: vec![0] });
    let unbounded = task("DAY", &[], &[]);
    let Outcome::Failed { message, .. } = run(&at, &unbounded, &rows) else { panic!() };
    assert!(message.contains("Failed to get locks for intervals[["), "{message}");
    let urgent = task("DAY", &["2026-07-16/2026-07-17"], &[("context.priority", json!(75))]);
    assert_eq!(success(run(&at, &urgent, &rows)).revoked, [0]);
    let beside = task("DAY", &["2026-07-17/2026-07-18"], &[]);
    assert!(matches!(run(&at, &beside, &rows), Outcome::Success(_)));
}

#[test]
fn too_many_runs_of_chunks_fail_by_the_lock_limit() {
    let there = timeline(&[]);
    let limit = ("spec.tuningConfig.maxAllowedLockCount", json!(1));
    let two = task("DAY", &["2026-07-16/2026-07-17", "2026-07-18/2026-07-19"], &[limit]);
    let Outcome::Failed { message, .. } = run(&situation(&there), &two, &Rows::default()) else { panic!() };
    assert_eq!(message, "Number of locks exceeded maxAllowedLockCount [1].");
}

#[test]
fn appending_twice_doubles_in_one_version() {
    let there = timeline(&["2026-07-16/2026-07-17 2026-01-01 0/1", "2026-07-16/2026-07-17 2026-01-01 1/1"]);
    let twice = task("DAY", &["2026-07-16/2026-07-17"], &[append()]);
    let published = success(run(&situation(&there), &twice, &instants(&["2026-07-16T07Z"])));
    assert_eq!(summary(&published), ["2026-07-16T00/2026-07-17T00 2/1"]);
    assert_eq!(&*published.segments[0].version, "2026-01-01");
}

#[test]
fn appending_to_a_version_newer_than_the_lock_never_ends_except_under_append_locks() {
    let there = timeline(&["2026-07-16/2026-07-17 2999-01-01T00:00:00.000Z"]);
    let rows = instants(&["2026-07-16T07Z"]);
    let plain = task("DAY", &["2026-07-16/2026-07-17"], &[append()]);
    let Outcome::Hangs { why } = run(&situation(&there), &plain, &rows) else { panic!() };
    assert!(why.contains("are not covered by locks"), "{why}");
    let concurrent =
        task("DAY", &["2026-07-16/2026-07-17"], &[append(), ("context.useConcurrentLocks", json!(true))]);
    assert_eq!(
        &*success(run(&situation(&there), &concurrent, &rows)).segments[0].version,
        "2999-01-01T00:00:00.000Z"
    );
}

#[test]
fn an_unused_segment_of_the_first_append_swallows_the_next_one_up_to_34() {
    let there = timeline(&[]);
    let unused = [SegmentId::parse(
        "web",
        "web_2026-07-16T00:00:00.000Z_2026-07-17T00:00:00.000Z_1970-01-01T00:00:00.000Z",
    )
    .unwrap()];
    let spec =
        task("DAY", &["2026-07-16/2026-07-17"], &[append(), ("context.useConcurrentLocks", json!(true))]);
    let rows = instants(&["2026-07-16T07Z"]);
    let at = |release| Situation { unused: &unused, release, ..situation(&there) };
    let old = success(run(&at(Release::major(34)), &spec, &rows));
    assert_eq!((old.segments.len(), old.lost.len()), (0, 1));
    let new = success(run(&at(Release::major(35)), &spec, &rows));
    assert_eq!(&*new.segments[0].version, "1970-01-01T00:00:00.000ZS");
}

#[test]
fn a_locked_bucket_that_a_finer_candidate_sticks_out_of_makes_the_task_hang() {
    let there = timeline(&["2026-07-16T08/2026-07-16T09 v1", "2026-07-16T12/2026-07-16T13 v1"]);
    let spec = task(
        "EIGHT_HOUR",
        &["2026-07-16T08/2026-07-16T16"],
        &[append(), ("context.useConcurrentLocks", json!(true))],
    );
    let outcome = run(&situation(&there), &spec, &instants(&["2026-07-16T09:30Z"]));
    let Outcome::Hangs { why } = outcome else { panic!("{outcome:?}") };
    assert!(why.starts_with("Task group[t] has multiple locks for the same interval["), "{why}");
    let default_lock = task("EIGHT_HOUR", &["2026-07-16T08/2026-07-16T16"], &[append()]);
    let published = success(run(&situation(&there), &default_lock, &instants(&["2026-07-16T09:30Z"])));
    assert_eq!(summary(&published), ["2026-07-16T09/2026-07-16T10 0/0"]);
}

#[test]
fn a_wider_append_lock_stands_in_for_the_narrower_ones_since_29() {
    // Seen on a live 33.0.0: an append by ALL with intervals, under concurrent locks and beside existing data, ends
    // SUCCESS in a DAY segment. Eternity is locked first and takes the place of the lock on the intervals.
    let there = timeline(&["2026-07-20/2026-07-21 v1", "2026-07-22/2026-07-23 v1"]);
    let all = |kind: (&'static str, Value)| task("ALL", &["2026-07-15/2026-07-18"], &[append(), kind]);
    let rows = instants(&["2026-07-16T07Z", "2026-07-17T07Z"]);
    let concurrent = all(("context.useConcurrentLocks", json!(true)));
    for release in [29, 33, 37] {
        let at = Situation { release: Release::major(release), ..situation(&there) };
        let published = success(run(&at, &concurrent, &rows));
        assert_eq!(
            summary(&published),
            ["2026-07-16T00/2026-07-17T00 0/0", "2026-07-17T00/2026-07-18T00 0/0"]
        );
        assert_eq!(&*published.segments[0].version, "1970-01-01T00:00:00.000Z");
    }
    let old = Situation { release: Release::major(28), ..situation(&there) };
    let outcome = run(&old, &all(("context.taskLockType", json!("APPEND"))), &rows);
    assert!(matches!(outcome, Outcome::Hangs { .. }), "{outcome:?}");
    // An EXCLUSIVE lock on eternity cannot be had beside the own one: the days are inside that.
    let exclusive =
        success(run(&situation(&there), &task("ALL", &["2026-07-15/2026-07-18"], &[append()]), &rows));
    assert_eq!(summary(&exclusive), ["2026-07-16T00/2026-07-17T00 0/0", "2026-07-17T00/2026-07-18T00 0/0"]);
    // Where nothing is there eternity itself is free.
    let nothing = timeline(&[]);
    let published = success(run(&situation(&nothing), &concurrent, &rows));
    assert_eq!(published.segments.len(), 1);
    assert_eq!(published.segments[0].interval, Interval::ETERNITY);
}

#[test]
fn only_a_wider_lock_stands_in_for_a_narrower_one() {
    // A row for the ninth hour tries the six around it first: these stick out of the locked eight, and stand in for
    // nothing.
    let there = timeline(&["2026-07-16T08/2026-07-16T09 v1", "2026-07-16T12/2026-07-16T13 v1"]);
    let concurrent = ("context.useConcurrentLocks", json!(true));
    let rows = instants(&["2026-07-16T09:30Z"]);
    let spec = |chunks: &str, on: &str| task(chunks, &[on], &[append(), concurrent.clone()]);
    let outcome = run(&situation(&there), &spec("EIGHT_HOUR", "2026-07-16T08/2026-07-16T16"), &rows);
    assert!(matches!(outcome, Outcome::Hangs { .. }), "{outcome:?}");
    let day = success(run(&situation(&there), &spec("DAY", "2026-07-16/2026-07-17"), &rows));
    assert_eq!(summary(&day), ["2026-07-16T09/2026-07-16T10 0/0"]);
    // A coarser segment that is there takes in the locked hours and the lock on them.
    let coarse = timeline(&["2026-07-16/2026-07-17 v1"]);
    let hours = success(run(
        &situation(&coarse),
        &spec("HOUR", "2026-07-16T08/2026-07-16T16"),
        &instants(&["2026-07-16T09:30Z", "2026-07-16T15:30Z"]),
    ));
    assert_eq!(summary(&hours), ["2026-07-16T00/2026-07-17T00 1/1"]);
}

#[test]
fn a_row_that_finds_no_place_fails_the_whole_append() {
    let there = timeline(&["2026-07-16/2026-07-17 v1"]);
    let narrow = task("HOUR", &["2026-07-16T07/2026-07-16T08", "2026-07-18/2026-07-19"], &[append()]);
    let rows = instants(&["2026-07-18T07Z", "2026-07-16T07:10Z"]);
    let Outcome::Failed { message, .. } = run(&situation(&there), &narrow, &rows) else { panic!() };
    assert!(message.ends_with("Failed to add a row with timestamp[2026-07-16T07:10:00.000Z]"), "{message}");
}

#[test]
fn compacting_a_part_of_a_week_into_days_with_drop_existing_loses_the_rest() {
    let there = timeline(&["2026-07-13/2026-07-20 v1"]);
    let spec = json!({
        "type": "compact", "id": "c", "dataSource": "web",
        "ioConfig": {"type": "compact", "inputSpec": {"type": "interval", "interval": "2026-07-14/2026-07-16"}, "dropExisting": true},
        "granularitySpec": {"segmentGranularity": "DAY"},
    });
    let task = Task::read(&Document::parse(spec.to_string()), &Tzdb::default());
    let rows = instants(&["2026-07-13T01Z", "2026-07-14T01Z", "2026-07-15T01Z", "2026-07-16T01Z"]);
    let published = success(run(&situation(&there), &task, &rows));
    let (data, tombstones): (Vec<_>, Vec<_>) = published.segments.iter().partition(|s| !s.is_tombstone());
    assert_eq!((data.len(), tombstones.len()), (2, 5));
}

#[test]
fn a_kill_deletes_only_what_lies_wholly_inside() {
    let there = timeline(&["2026-07-16/2026-07-17 v2"]);
    let id = |on: &str| SegmentId {
        datasource: "web".into(),
        interval: interval(on),
        version: "v1".into(),
        partition: 0,
    };
    let unused = [id("2026-07-16/2026-07-17"), id("2026-07-13/2026-07-20"), id("2026-07-17/2026-07-18")];
    let spec = json!({"type": "kill", "id": "k", "dataSource": "web", "interval": "2026-07-16/2026-07-17"});
    let task = Task::read(&Document::parse(spec.to_string()), &Tzdb::default());
    let at = Situation { unused: &unused, ..situation(&there) };
    assert_eq!(success(run(&at, &task, &Rows::default())).deleted, [unused[0].clone()]);
}

#[test]
fn a_granularity_without_a_name_is_no_place_to_append_to() {
    // Granularity.granularitiesFinerThan lists standard granularities only: rows of four-hour chunks go to hours, those
    // of a zone's weeks to its days.
    let appended = |period: &str, zone: &str| {
        let granularity = json!({"type": "period", "period": period, "timeZone": zone});
        let edits = [append(), ("spec.dataSchema.granularitySpec.segmentGranularity", granularity)];
        let timeline = timeline(&[]);
        let outcome = run(&situation(&timeline), &task("DAY", &[], &edits), &instants(&["2026-07-16T05:30"]));
        success(outcome).segments.iter().map(|s| s.interval.short()).collect::<Vec<_>>()
    };
    assert_eq!(appended("PT4H", "UTC"), ["2026-07-16T05:00:00Z/2026-07-16T06:00:00Z"]);
    assert_eq!(appended("PT6H", "UTC"), ["2026-07-16T00:00:00Z/2026-07-16T06:00:00Z"]);
    assert_eq!(appended("P1W", "America/New_York"), ["2026-07-16T04:00:00Z/2026-07-17T04:00:00Z"]);
    assert_eq!(appended("P1W", "UTC"), ["2026-07-13T00:00:00Z/2026-07-20T00:00:00Z"]);
}
