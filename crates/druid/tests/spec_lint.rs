//! Keys that Druid passes over in silence, and no false alarm about the others.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failing test should stop at once"
)]

use std::collections::BTreeSet;
use std::io::Read;

use druid::json::{Document, Path, Severity};
use druid::release::Release;
use druid::spec::fields::{self, Help, Kind};
use druid::spec::{Problem, TaskKind, example, lint, lint_for, secrets};
use serde_json::Value;

fn of(text: &str) -> Vec<Problem> {
    lint(&Document::parse(text))
}

/// A batch spec with more members in its parts.
fn spec(schema: &str, io: &str, tuning: &str, context: &str) -> String {
    format!(
        r#"{{"type":"index_parallel","spec":{{"dataSchema":{{"dataSource":"d","granularitySpec":{{}}{schema}}},
        "ioConfig":{{"type":"index_parallel","inputFormat":{{"type":"csv"}}{io}}},
        "tuningConfig":{{"type":"index_parallel"{tuning}}}}},"context":{{{context}}}}}"#
    )
}

/// The text after the first fix.
#[track_caller]
fn mended(text: &str) -> String {
    let document = Document::parse(text);
    let fix = lint(&document).into_iter().find_map(|problem| problem.fix).unwrap();
    let apply = |document: Document, edit| document.apply(&document.edit(edit).unwrap()).unwrap();
    fix.edits.iter().fold(document, apply).text().to_owned()
}

#[track_caller]
fn check(text: &str, code: &str, path: &str, part: &str) {
    let found = of(text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].code, found[0].path.to_string().as_str()), (code, path));
    assert!(found[0].message.contains(part), "{}", found[0].message);
    let span = found[0].span;
    let key = found[0].path.last_key().unwrap();
    assert_eq!(&text[span.start..span.end], format!("\"{key}\""), "the key is what is pointed at");
}

#[test]
fn a_misspelt_key_is_found_with_the_one_that_was_meant() {
    let text = spec("", r#","dropExsiting":true"#, "", "");
    check(&text, "key-misspelt", "spec.ioConfig.dropExsiting", "Did you mean dropExisting?");
    assert!(mended(&text).contains(r#""dropExisting":true"#));
    for (wrong, right) in [
        ("DropExisting", "dropExisting"),
        ("apendToExisting", "appendToExisting"),
        ("inputsource", "inputSource"),
    ] {
        let text = spec("", &format!(r#","{wrong}":true"#), "", "");
        check(&text, "key-misspelt", &format!("spec.ioConfig.{wrong}"), &format!("Did you mean {right}?"));
    }
    let text = spec("", "", r#","maxNumConcurentSubTask":2"#, "");
    check(&text, "key-misspelt", "spec.tuningConfig.maxNumConcurentSubTask", "maxNumConcurrentSubTasks");
    let text = spec("", "", "", r#""useConcurrentLock":true"#);
    check(&text, "key-misspelt", "context.useConcurrentLock", "useConcurrentLocks");
}

#[test]
fn a_key_in_the_wrong_place_is_sent_to_the_right_one() {
    let text = spec("", r#","listDelimiter":"|""#, "", "");
    check(&text, "key-misplaced", "spec.ioConfig.listDelimiter", "known at spec.ioConfig.inputFormat");
    assert!(
        mended(&text).contains(r#""inputFormat":{"type":"csv","listDelimiter":"|"}"#),
        "{}",
        mended(&text)
    );
    let text = spec(r#","intervals":["2026-01-01/P1D"]"#, "", "", "");
    check(&text, "key-misplaced", "spec.dataSchema.intervals", "spec.dataSchema.granularitySpec");
    let text = spec("", "", r#","dropExisting":true"#, "");
    check(&text, "key-misplaced", "spec.tuningConfig.dropExisting", "spec.ioConfig");
    let text = r#"{"type":"index_parallel","spec":{"context":{"priority":1}}}"#;
    check(text, "key-misplaced", "spec.context", "known at the top level");
    assert_eq!(mended(text), r#"{"type":"index_parallel","spec":{},"context":{"priority":1}}"#);
}

#[test]
fn a_key_of_another_type_of_the_same_thing_is_told() {
    let text = spec("", "", r#","partitionsSpec":{"type":"dynamic","numShards":3}"#, "");
    check(
        &text,
        "key-of-other-type",
        "spec.tuningConfig.partitionsSpec.numShards",
        "not read in partitionsSpec of type dynamic",
    );
    let text = spec("", r#","inputSource":{"type":"inline","data":"x","uris":["y"]}"#, "", "");
    check(&text, "key-of-other-type", "spec.ioConfig.inputSource.uris", "of type inline");
}

#[test]
fn a_key_of_streams_is_a_note() {
    let found = of(example());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].path.to_string(), "spec.tuningConfig.intermediatePersistPeriod");
    assert_eq!((found[0].code, found[0].severity), ("key-of-streams", Severity::Note));
}

#[test]
fn what_people_write_for_themselves_is_a_note() {
    let found = of(&spec("", "", "", "").replacen('{', r#"{"_comment":"mine","#, 1));
    assert_eq!((found.len(), found[0].severity), (1, Severity::Note));
}

#[test]
fn objects_of_extensions_are_left_alone() {
    let text = spec(
        r#","metricsSpec":[{"type":"thetaSketch","name":"a","fieldName":"b","size":4,"shouldFinalize":false}],"dimensionsSpec":{"dimensions":[{"type":"extension-complex","name":"x","anything":1}]}"#,
        r#","inputSource":{"type":"iceberg","tableName":"t","namespace":"n"}"#,
        "",
        r#""my.own.key":1"#,
    );
    assert_eq!(of(&text), []);
}

#[test]
fn a_plain_aggregator_is_looked_at() {
    let text = spec(r#","metricsSpec":[{"type":"longSum","name":"a","fieldname":"b"}]"#, "", "", "");
    check(&text, "key-misspelt", "spec.dataSchema.metricsSpec[0].fieldname", "fieldName");
}

#[test]
fn releases_differ_in_what_they_read() {
    let document = Document::parse(spec(r#","parser":{}"#, "", "", r#""useConcurrentLocks":true"#));
    assert_eq!(lint(&document), []);
    let codes = |release| lint_for(&document, release).iter().map(|p| p.code).collect::<Vec<_>>();
    assert_eq!(codes(Release::major(33)), [] as [&str; 0]);
    assert_eq!(codes(Release::major(37)), ["key-gone"]);
    assert_eq!(codes(Release::major(28)), ["key-too-new"]);
}

#[test]
fn no_recorded_task_has_a_key_that_druid_does_not_know() {
    let packed: [&[u8]; 2] =
        [include_bytes!("vectors/live-33.jsonl.gz"), include_bytes!("vectors/live-37.jsonl.gz")];
    for bytes in packed {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        for line in text.lines() {
            let run: Value = serde_json::from_str(line).unwrap();
            assert_eq!(of(&run["task"].to_string()), [], "{}", run["name"]);
        }
    }
}

#[test]
fn a_task_as_the_server_shows_it_has_no_key_that_druid_does_not_know() {
    let live: Value = serde_json::from_str(include_str!("vectors/live-responses.json")).unwrap();
    let payloads = live["pairs"].as_array().unwrap().iter().map(|pair| &pair["response"]["body"]["payload"]);
    let payloads: Vec<_> = payloads.filter(|payload| payload["spec"].is_object()).collect();
    assert!(!payloads.is_empty());
    for payload in payloads {
        assert_eq!(of(&payload.to_string()), []);
    }
}

#[test]
fn the_table_is_in_order() {
    for kind in
        [TaskKind::IndexParallel, TaskKind::Compact, TaskKind::Kill, TaskKind::Supervisor("kafka".to_owned())]
    {
        let all = fields::all(&kind);
        let mut seen = BTreeSet::new();
        for (path, field) in &all {
            let Help { label, default, help, .. } = field.help();
            assert!(!label.is_empty() && !help.is_empty() && help.ends_with(['.', ':']), "{path}: {help}");
            assert!(help.chars().count() <= 130, "{path}: one line of help");
            assert!(seen.insert((path.clone(), field.when.clone())), "{path} twice");
            if let Kind::Choice(choices) = &field.kind {
                assert!(default.is_empty() || choices.contains(&default), "{path}: {default}");
            }
        }
    }
    assert!(fields::all(&TaskKind::IndexParallel).len() > 150);
}

#[test]
fn every_key_of_the_example_can_be_explained() {
    fn walk(node: druid::json::Node<'_>, path: &Path, out: &mut Vec<Path>) {
        for (key, child) in node.members() {
            let below = path.join(&*key);
            out.push(below.clone());
            walk(child, &below, out);
        }
        for (at, child) in node.items().enumerate() {
            walk(child, &path.join(at), out);
        }
    }
    let document = Document::parse(example());
    let mut paths = Vec::new();
    walk(document.root().unwrap(), &Path::root(), &mut paths);
    for path in paths {
        let field = fields::field_at(&document, &TaskKind::IndexParallel, &path);
        let is_known = path.last_key() != Some("intermediatePersistPeriod");
        assert_eq!(field.is_some(), is_known, "{path}");
        assert!(field.is_none_or(|field| Some(field.key) == path.last_key()));
    }
    let missing = Path::parse("spec.ioConfig.inputSource.objectGlob").unwrap();
    assert!(
        fields::field_at(&document, &TaskKind::IndexParallel, &missing).is_some(),
        "also what is not there yet"
    );
}

#[test]
fn secrets_are_found_wherever_they_stand() {
    let text = r#"{"spec":{"ioConfig":{"inputSource":{"type":"combining","delegates":[
        {"type":"s3","uris":["s3://a/b"],"properties":{"accessKeyId":"AK","secretAccessKey":{"type":"default","password":"SK"}}},
        {"type":"s3","prefixes":["s3://a/"],"properties":{"accessKeyId":{"type":"environment","variable":"NAME"}}},
        {"type":"azureStorage","properties":{"key":"K","tenantId":"T","sharedAccessStorageToken":"S"}},
        {"type":"http","uris":["https://u:p@h/x","https://h/y?X-Amz-Signature=1","https://h/z"],"httpAuthenticationUsername":"u","httpAuthenticationPassword":"p"},
        {"type":"sql","database":{"connectorConfig":{"connectURI":"jdbc:x://h/d?password=q","user":"u","password":"p"}}}]}},
        "consumerProperties":{"bootstrap.servers":"h:1","sasl.jaas.config":"…","ssl.truststore.password":"p"}},
        "note":"password=hunter2 in prose is no address","tokenizer":"x","empty":{"password":""}}"#;
    let found: Vec<_> = secrets(&Document::parse(text)).iter().map(|(path, _)| path.to_string()).collect();
    let source = "spec.ioConfig.inputSource.delegates";
    assert_eq!(
        found,
        [
            format!("{source}[0].properties.accessKeyId"),
            format!("{source}[0].properties.secretAccessKey.password"),
            format!("{source}[2].properties.key"),
            format!("{source}[2].properties.sharedAccessStorageToken"),
            format!("{source}[3].uris[0]"),
            format!("{source}[3].uris[1]"),
            format!("{source}[3].httpAuthenticationPassword"),
            format!("{source}[4].database.connectorConfig.connectURI"),
            format!("{source}[4].database.connectorConfig.password"),
            "spec.consumerProperties[\"sasl.jaas.config\"]".to_owned(),
            "spec.consumerProperties[\"ssl.truststore.password\"]".to_owned(),
        ]
    );
    let twice = Document::parse("{\"password\":\"a\",\"n\":1,\"password\":12}");
    let values: Vec<_> = secrets(&twice).iter().map(|(_, node)| node.text().to_owned()).collect();
    assert_eq!(values, ["\"a\"", "12"], "the one that does not count too");
    assert!(secrets(&Document::parse(example())).is_empty());
}
