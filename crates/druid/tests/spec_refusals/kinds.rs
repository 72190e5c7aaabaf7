//! What depends on the release, on the kind of task, and on what else is wrong.

use druid::json::{Document, quote};
use druid::release::Release;

use super::{DRUID_33, DRUID_37, GOOD, path, refused, rules, with};

#[test]
fn rules_change_with_the_release() {
    let missing = with(&[("spec.dataSchema.timestampSpec", "")]);
    assert_eq!(refused(&missing, DRUID_37)[0].message, "timestampSpec must not be null");
    let format = with(&[("spec.ioConfig.inputFormat", "")]);
    assert_eq!(refused(&format, DRUID_37)[0].message, "inputFormat must not be null");
    let source = with(&[("spec.ioConfig.inputSource", "")]);
    assert_eq!(refused(&source, DRUID_37)[0].message, "inputSource must not be null");
    let time = with(&[(
        "spec.dataSchema.dimensionsSpec.dimensions",
        "[{\"type\":\"long\",\"name\":\"__time\"},\"a\"]",
    )]);
    assert_eq!(rules(&time, Release::major(30)), ["duplicate-column"]);
    assert_eq!(rules(&time, Release::major(31)), [] as [&str; 0]);
    let hadoop = Document::parse("{\"type\":\"index_hadoop\"}");
    assert_eq!(rules(&hadoop, DRUID_33), [] as [&str; 0]);
    assert_eq!(rules(&hadoop, DRUID_37), ["hadoop-gone"]);
    let base = with(&[("spec.dataSchema.baseTable", "{}")]);
    assert_eq!(rules(&base, Release::major(38)), ["base-table-and-legacy"]);
    assert_eq!(rules(&base, DRUID_37), [] as [&str; 0]);
}

#[test]
fn a_parser_is_taken_until_36_and_refused_since() {
    let old = with(&[
        ("spec.dataSchema.timestampSpec", ""),
        ("spec.dataSchema.dimensionsSpec", ""),
        ("spec.ioConfig.inputFormat", ""),
        ("spec.ioConfig.inputSource", ""),
        ("spec.dataSchema.parser", r#"{"type":"string","parseSpec":{"format":"csv","columns":["t","a"]}}"#),
    ]);
    assert_eq!(rules(&old, Release::major(36)), ["no-input-source"]);
    let found = refused(&old, DRUID_37);
    assert_eq!(
        found[0].line(),
        "Cannot construct instance of `org.apache.druid.segment.indexing.DataSchema`, problem: parser was removed in \
         Druid 37, define the timestampSpec and dimensionsSpec on the schema directly instead of nested inside the \
         parser definition"
    );
}

#[test]
fn the_simple_task_has_its_own_words() {
    let text = GOOD.replace("index_parallel", "index");
    let document = Document::parse(text.as_str());
    assert_eq!(refused(&document, DRUID_33), []);
    let splice = document.set(&path("spec.ioConfig.dropExisting"), "true").unwrap();
    let document = document.apply(&splice).unwrap();
    let splice = document.remove(&path("spec.dataSchema.granularitySpec.intervals")).unwrap();
    let found = refused(&document.apply(&splice).unwrap(), DRUID_33);
    assert_eq!(
        found[0].line(),
        "Cannot construct instance of `org.apache.druid.indexing.common.task.IndexTask$IndexIngestionSpec`, \
         problem: GranularitySpec's intervals cannot be empty for replace."
    );
}

#[test]
fn several_refusals_come_in_the_order_in_which_druid_would_meet_them() {
    let document = with(&[
        ("spec.ioConfig.appendToExisting", "true"),
        ("spec.ioConfig.dropExisting", "true"),
        ("spec.tuningConfig.maxNumConcurrentSubTasks", "0"),
        ("spec.dataSchema.granularitySpec.intervals", "[\"x\"]"),
        ("id", "\".x\""),
    ]);
    assert_eq!(rules(&document, DRUID_33), ["interval", "not-positive", "id-characters", "append-and-drop"]);
}

#[test]
fn an_id_that_would_stall_the_cluster_is_refused_here() {
    let long = with(&[("id", &quote(&"x".repeat(218)))]);
    assert_eq!(rules(&long, DRUID_33), ["id-stalls"]);
    assert!(!refused(&long, DRUID_33)[0].verbatim);
    let longer = with(&[("id", &quote(&"x".repeat(256)))]);
    assert_eq!(rules(&longer, DRUID_33), ["id-too-long"]);
}

#[test]
fn compaction_and_kill_need_a_datasource() {
    assert_eq!(
        rules(&Document::parse(r#"{"type":"kill","interval":"2026-01-01/P1D"}"#), DRUID_33),
        ["datasource"]
    );
    assert_eq!(
        rules(
            &Document::parse(r#"{"type":"compact","dataSource":"d","interval":"2026-01-01/P1D"}"#),
            DRUID_33
        ),
        [] as [&str; 0]
    );
}
