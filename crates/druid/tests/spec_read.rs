//! Specs as Druid reads them: typed values, and words about what it would not read.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failing test should stop at once"
)]

use druid::granularity::Granularity;
use druid::json::{Document, Severity};
use druid::spec::{Batch, Body, Flag, InputSource, Mode, Partitions, Task, TaskKind, TaskLockType, example};
use druid::zone::UtcOnly;

fn read(text: &str) -> Task {
    Task::read(&Document::parse(text), &UtcOnly)
}

fn batch(text: &str) -> Batch {
    match read(text).body {
        Body::Batch(batch) => batch,
        other => panic!("not a batch: {other:?}"),
    }
}

/// A batch spec with parts put in, each a list of members.
fn spec(granularity: &str, io: &str, tuning: &str) -> String {
    format!(
        r#"{{"type":"index_parallel","spec":{{"dataSchema":{{"dataSource":"d","timestampSpec":{{}},
        "granularitySpec":{{{granularity}}}}},"ioConfig":{{"type":"index_parallel"{io}}},
        "tuningConfig":{{"type":"index_parallel"{tuning}}}}}}}"#
    )
}

#[test]
fn the_example_is_the_spec_of_the_article() {
    let task = read(example());
    assert_eq!(task.kind, TaskKind::IndexParallel);
    assert_eq!(task.id, None);
    assert_eq!(task.datasource.as_deref(), Some("events_web"));
    assert_eq!(task.problems, []);
    let batch = batch(example());
    assert_eq!(batch.mode, Mode::Replace);
    assert_eq!(batch.granularity.segment.to_string(), "HOUR");
    assert_eq!(batch.granularity.query.to_string(), "MINUTE");
    assert_eq!(batch.granularity.intervals[0].short(), "2026-07-16T00:00:00Z/2026-07-17T00:00:00Z");
    assert_eq!(batch.granularity.interval_texts, ["2026-07-16T00:00:00Z/2026-07-17T00:00:00Z"]);
    assert_eq!(batch.timestamp.column, "event_ts");
    assert_eq!(batch.dimensions.names, ["country", "device", "page_id"]);
    assert_eq!(batch.dimensions.types, ["string", "string", "long"]);
    assert_eq!(batch.metrics, ["rows", "bytes"]);
    assert_eq!(
        batch.input,
        InputSource::S3 { uris: vec![], prefixes: vec!["s3://lake/events/web/2026-07-16/".to_owned()] }
    );
    assert_eq!(
        batch.partitions,
        Partitions::Range {
            dimensions: vec!["country".to_owned()],
            single_dim: false,
            target_rows: Some(5_000_000),
            max_rows: None
        }
    );
    assert!(batch.force_guaranteed_rollup && batch.granularity.rollup);
    assert_eq!(batch.max_num_concurrent_sub_tasks, 4);
    assert!(batch.is_parallel());
}

#[test]
fn what_is_not_given_is_what_druid_takes() {
    let batch = batch(&spec("", "", ""));
    assert_eq!(batch.mode, Mode::Overwrite);
    assert_eq!(batch.granularity.segment.to_string(), "DAY");
    assert_eq!(batch.granularity.query, Granularity::None);
    assert!(batch.granularity.rollup && batch.granularity.uniform);
    assert_eq!(batch.granularity.intervals, []);
    assert_eq!((batch.timestamp.column.as_str(), batch.timestamp.format.as_str()), ("timestamp", "auto"));
    assert_eq!(batch.partitions, Partitions::Unset);
    assert_eq!(batch.max_num_concurrent_sub_tasks, 1);
    assert!(!batch.is_parallel());
}

#[test]
fn one_bad_interval_does_not_cost_the_good_ones() {
    let text = spec(r#""intervals":["2026-07-16/P1D","2026-07-99/P1D","2026-07-18/2026-07-19"]"#, "", "");
    let task = read(&text);
    let batch = task.batch().unwrap();
    assert_eq!(batch.granularity.intervals.len(), 2);
    assert_eq!(batch.granularity.interval_texts.len(), 3);
    let problem = &task.problems[0];
    assert_eq!(problem.path.to_string(), "spec.dataSchema.granularitySpec.intervals[1]");
    let span = problem.span;
    assert_eq!(&text[span.start..span.end], "\"2026-07-99/P1D\"");
    assert_eq!(problem.severity, Severity::Error);
    assert!(problem.remedy.is_some());
}

#[test]
fn a_single_interval_outside_a_list_is_understood_and_can_be_mended() {
    let text = spec(r#""intervals":"2026-07-16/P1D""#, "", "");
    let task = read(&text);
    assert_eq!(task.batch().unwrap().granularity.intervals.len(), 1);
    let fix = task.problems[0].fix.clone().unwrap();
    let document = Document::parse(text);
    let mended = document.apply(&document.edit(&fix.edits[0]).unwrap()).unwrap();
    assert_eq!(Task::read(&mended, &UtcOnly).problems, []);
}

#[test]
fn values_are_taken_as_jackson_takes_them() {
    let text = spec(
        r#""segmentGranularity":"hour","rollup":"false""#,
        r#","appendToExisting":"true","dropExisting":null"#,
        r#","maxNumConcurrentSubTasks":"2","maxNumSubTasks":null,"reportParseExceptions":1"#,
    );
    let batch = batch(&text);
    assert_eq!(batch.granularity.segment.to_string(), "HOUR");
    assert!(!batch.granularity.rollup);
    assert_eq!(batch.mode, Mode::Append);
    assert_eq!(batch.max_num_concurrent_sub_tasks, 2);
    assert!(batch.report_parse_exceptions);
    assert!(read(&text).problems.is_empty());
}

#[test]
fn a_value_of_the_wrong_kind_is_said_to_be_one() {
    let task = read(&spec("", r#","dropExisting":"yes""#, r#","maxNumConcurrentSubTasks":[2]"#));
    let said: Vec<_> = task.problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "dropExisting is a text, but must be true or false",
            "maxNumConcurrentSubTasks is a list [ … ], but must be a whole number"
        ]
    );
}

#[test]
fn older_names_mean_the_same() {
    assert_eq!(
        batch(&spec("", "", r#","maxRowsPerSegment":3000000"#)).partitions,
        Partitions::Dynamic { max_rows_per_segment: Some(3_000_000), max_total_rows: None }
    );
    assert_eq!(
        batch(&spec("", "", r#","targetPartitionSize":4,"forceGuaranteedRollup":true"#)).partitions,
        Partitions::Hashed { num_shards: None, target_rows: Some(4), dimensions: vec![] }
    );
    assert_eq!(
        batch(&spec(
            "",
            "",
            r#","partitionsSpec":{"type":"single_dim","partitionDimension":"page","targetRowsPerSegment":9}"#
        ))
        .partitions,
        Partitions::Range {
            dimensions: vec!["page".to_owned()],
            single_dim: true,
            target_rows: Some(9),
            max_rows: None
        }
    );
    assert_eq!(batch(&spec("", "", r#","maxNumSubTasks":3"#)).max_num_concurrent_sub_tasks, 3);
    let old = r#"{"type":"index","spec":{"dataSchema":{"dataSource":"d","parser":{"parseSpec":{"timestampSpec":{"column":"t","format":"posix"},"dimensionsSpec":{"dimensions":["a"]}}}}}}"#;
    assert_eq!(batch(old).timestamp.column, "t");
    assert_eq!(batch(old).dimensions.names, ["a"]);
}

#[test]
fn a_partitioning_that_druid_does_not_know_is_hashed_and_said_so() {
    let task = read(&spec("", "", r#","partitionsSpec":{"type":"rnage","numShards":2}"#));
    assert!(matches!(task.batch().unwrap().partitions, Partitions::Hashed { num_shards: Some(2), .. }));
    assert!(task.problems[0].message.contains("takes hashed"), "{:?}", task.problems);
}

#[test]
fn whether_a_run_is_parallel_hangs_on_source_slots_and_partitions() {
    let with = |source: &str, tuning: &str| {
        batch(&spec("", &format!(r#","inputSource":{source}"#), tuning)).is_parallel()
    };
    let local = r#"{"type":"local","baseDir":"x","filter":"*"}"#;
    let inline = r#"{"type":"inline","data":"x"}"#;
    let range = r#","partitionsSpec":{"type":"range","partitionDimensions":["a"],"maxRowsPerSegment":1}"#;
    assert!(!with(local, ""), "one sub-task is none");
    assert!(with(local, r#","maxNumConcurrentSubTasks":2"#));
    assert!(with(local, range), "range needs no second one");
    assert!(!with(inline, r#","maxNumConcurrentSubTasks":2"#), "rows in the spec cannot be split");
    let index = spec("", &format!(r#","inputSource":{local}"#), r#","maxNumConcurrentSubTasks":2"#);
    assert!(!batch(&index.replacen("index_parallel", "index", 1)).is_parallel());
}

#[test]
fn the_extensions_that_a_server_needs_are_known() {
    assert_eq!(batch(example()).input.extensions(), ["druid-s3-extensions"]);
    let source = r#","inputSource":{"type":"combining","delegates":[{"type":"hdfs","paths":"x"},{"type":"s3","uris":["s3://a/b"]},{"type":"s3","uris":["s3://a/c"]}]}"#;
    assert_eq!(
        batch(&spec("", source, "")).input.extensions(),
        ["druid-hdfs-storage", "druid-s3-extensions"]
    );
    assert_eq!(druid::spec::extension_of_format("parquet"), Some("druid-parquet-extensions"));
    assert_eq!(druid::spec::extension_of_format("json"), None);
}

#[test]
fn a_source_that_reads_a_datasource_is_found_on_any_level() {
    let source = r#","inputSource":{"type":"combining","delegates":[{"type":"local","baseDir":"x","filter":"*"},{"type":"druid","dataSource":"d","interval":"2026-01-01/P1D"}]}"#;
    let batch = batch(&spec("", source, ""));
    assert!(batch.input.reads("d"));
    assert!(!batch.input.reads("e"));
    assert!(batch.input.splittable());
}

#[test]
fn a_flat_spec_keeps_id_and_context_and_can_be_upgraded() {
    let text = r#"{"type":"index_parallel","id":"keep-me","context":{"useConcurrentLocks":true},
        "dataSchema":{"dataSource":"d"},"ioConfig":{"appendToExisting":true},"tuningConfig":{"maxNumConcurrentSubTasks":7}}"#;
    let task = read(text);
    assert_eq!(task.id.as_deref(), Some("keep-me"));
    assert!(task.context.use_concurrent_locks);
    assert_eq!(task.batch().unwrap().mode, Mode::Append);
    assert_eq!(
        task.batch().unwrap().path(&["ioConfig", "dropExisting"]).to_string(),
        "ioConfig.dropExisting"
    );
    let document = druid::spec::upgrade::upgrade(&Document::parse(text)).unwrap().document;
    let nested = Task::read(&document, &UtcOnly);
    assert_eq!(nested.problems, []);
    assert_eq!(nested.id.as_deref(), Some("keep-me"));
    assert!(nested.context.use_concurrent_locks);
    assert_eq!(nested.batch().unwrap().max_num_concurrent_sub_tasks, 7);
    assert_eq!(nested.batch().unwrap().path(&["ioConfig"]).to_string(), "spec.ioConfig");
}

#[test]
fn an_id_inside_the_spec_is_not_the_id() {
    let task = read(r#"{"type":"index_parallel","spec":{"id":"x"}}"#);
    assert_eq!(task.id, None);
    assert!(task.problems.iter().any(|p| p.path.to_string() == "spec.id" && p.fix.is_some()));
}

#[test]
fn the_context_is_read_as_batch_tasks_read_it() {
    let context =
        |members: &str| read(&format!(r#"{{"type":"index_parallel","spec":{{}},"context":{{{members}}}}}"#));
    let task = context(r#""priority":75,"taskLockType":"append","useConcurrentLocks":"true""#);
    assert_eq!(task.context.priority, Some(75));
    assert_eq!(task.context.task_lock_type, Some(TaskLockType::Append));
    assert!(task.context.use_concurrent_locks);
    assert!(!context(r#""useConcurrentLocks":"yes""#).context.use_concurrent_locks);
    let broken = context(r#""useSharedLock":"true""#);
    assert_eq!(broken.context.use_shared_lock, Some(Flag::NotABoolean("java.lang.String")));
    assert_eq!(broken.problems[0].severity, Severity::Error);
    let unread = context(r#""useSharedLock":"true","taskLockType":"SHARED""#);
    assert_eq!(unread.problems[0].severity, Severity::Warning);
    let unknown = context(r#""taskLockType":"FOO""#);
    assert_eq!(unknown.context.task_lock_type, Some(TaskLockType::Unknown("FOO".to_owned())));
    assert!(unknown.problems[0].message.contains("FOO is no lock type"));
}

#[test]
fn a_placeholder_inside_a_text_is_told_and_rows_are_left_alone() {
    let task = read(&spec(
        r#""intervals":["{{ day }}"]"#,
        r#","inputSource":{"type":"inline","data":"{{ not a placeholder }}"}"#,
        r#","partitionsSpec":{"type":"range","partitionDimensions":["%%DIM%%"],"maxRowsPerSegment":1}"#,
    ));
    let said: Vec<_> = task.problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("{{ day }}"));
    assert!(said[1].contains("%%DIM%%"));
}

#[test]
fn compaction_kill_and_supervisors_are_known_by_what_they_touch() {
    let old =
        read(r#"{"type":"compact","dataSource":"d","interval":"2015-09-12/P1D","segmentGranularity":"DAY"}"#);
    let Body::Compact(compact) = &old.body else { panic!() };
    assert_eq!(compact.interval.unwrap().short(), "2015-09-12T00:00:00Z/2015-09-13T00:00:00Z");
    assert_eq!(compact.segment_granularity.as_ref().unwrap().to_string(), "DAY");
    let new = read(
        r#"{"type":"compact","dataSource":"d","ioConfig":{"inputSpec":{"type":"interval","interval":"2013-08-31/2013-09-02"},"dropExisting":true},"granularitySpec":{"segmentGranularity":"MONTH"}}"#,
    );
    let Body::Compact(compact) = &new.body else { panic!() };
    assert!(compact.drop_existing && compact.interval.is_some());
    assert_eq!(new.datasource.as_deref(), Some("d"));
    let kill = read(r#"{"type":"kill","dataSource":"d","interval":"2015-09-12/2015-09-13"}"#);
    assert!(matches!(&kill.body, Body::Kill(kill) if kill.interval.is_some()));
    for text in [
        r#"{"type":"kafka","spec":{"dataSchema":{"dataSource":"k","granularitySpec":{"segmentGranularity":"hour"}},"ioConfig":{"topic":"t"}}}"#,
        r#"{"type":"kafka","dataSchema":{"dataSource":"k","granularitySpec":{"segmentGranularity":"hour"}},"ioConfig":{"topic":"t"}}"#,
    ] {
        let task = read(text);
        assert_eq!(task.datasource.as_deref(), Some("k"));
        let Body::Supervisor(stream) = &task.body else { panic!() };
        assert_eq!(stream.stream.as_deref(), Some("t"));
        assert_eq!(stream.segment_granularity.as_ref().unwrap().to_string(), "HOUR");
    }
    let auto = read(
        r#"{"type":"autocompact","spec":{"dataSource":"a","granularitySpec":{"segmentGranularity":"DAY"}}}"#,
    );
    assert_eq!(auto.kind, TaskKind::Supervisor("autocompact".to_owned()));
    assert_eq!(auto.datasource.as_deref(), Some("a"));
}

#[test]
fn what_is_no_ingestion_task_is_said_kindly() {
    assert_eq!(read("[]").kind, TaskKind::NotATask);
    assert_eq!(read("\"hello\"").kind, TaskKind::NotATask);
    assert_eq!(read("").kind, TaskKind::NotATask);
    assert_eq!(read(r#"{"type":"noop"}"#).kind, TaskKind::Other("noop".to_owned()));
    assert_eq!(
        read(r#"{"type":"index_hadoop","spec":{"dataSchema":{"dataSource":"h"}}}"#).datasource.as_deref(),
        Some("h")
    );
    let untyped = read(r#"{"spec":{"dataSchema":{"dataSource":"d"},"ioConfig":{"type":"index_parallel"}}}"#);
    assert_eq!(untyped.kind, TaskKind::IndexParallel);
    assert!(untyped.problems[0].fix.is_some());
    for text in ["[]", "", "{}", r#"{"type":"kill"}"#, r#"{"type":"index_hadoop"}"#, example()] {
        assert!(!read(text).what_it_is().is_empty());
    }
}

#[test]
fn a_zone_whose_table_is_not_there_yet_is_a_problem_and_not_a_guess() {
    let text = spec(
        r#""segmentGranularity":{"type":"period","period":"P1D","timeZone":"America/New_York"}"#,
        "",
        "",
    );
    let task = read(&text);
    assert_eq!(task.problems.len(), 1, "{:?}", task.problems);
    assert_eq!((task.problems[0].code, task.problems[0].severity), ("zone-not-loaded", Severity::Note));
    assert!(!task.batch().unwrap().granularity.segment_known);
    assert!(task.batch().unwrap().granularity.query_known);
    assert_eq!(task.problems[0].path.to_string(), "spec.dataSchema.granularitySpec.segmentGranularity");
}
