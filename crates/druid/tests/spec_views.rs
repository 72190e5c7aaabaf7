//! The typed views of every kind of task never fail: whatever stands in a place, there is a value, and what is wrong is told
//! with its path and its place in the text.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failing test should stop at once"
)]

use druid::json::{Document, Node, Path};
use druid::release::Release;
use druid::spec::{Body, Problem, Task, TaskKind, example, lint, refusals, secrets};
use druid::zone::UtcOnly;

/// One task of each kind, with everything that its view reads.
fn tasks() -> Vec<(&'static str, String)> {
    let batch = example().to_owned();
    let stream = |kind: &str, source: &str| {
        format!(
            r#"{{"type":"{kind}","spec":{{"dataSchema":{{"dataSource":"k","timestampSpec":{{"column":"t"}},"granularitySpec":{{"segmentGranularity":"HOUR","queryGranularity":{{"type":"period","period":"PT1M"}}}}}},"ioConfig":{{{source},"taskCount":1}},"tuningConfig":{{"type":"{kind}"}}}},"context":{{"useConcurrentLocks":true,"taskLockType":"APPEND","priority":75}},"suspended":false}}"#
        )
    };
    vec![
        ("index_parallel", batch.clone()),
        ("index", batch.replace("index_parallel", "index")),
        (
            "compact",
            r#"{"type":"compact","id":"c","dataSource":"d","ioConfig":{"type":"compact","inputSpec":{"type":"interval","interval":"2026-07-01/P1M"},"dropExisting":true},"granularitySpec":{"segmentGranularity":"DAY","rollup":true},"tuningConfig":{"type":"index_parallel","partitionsSpec":{"type":"range","partitionDimensions":["a"],"targetRowsPerSegment":5},"forceGuaranteedRollup":true},"dimensionsSpec":{"dimensions":["a"]},"metricsSpec":[{"type":"count","name":"n"}],"transformSpec":{"filter":{}}}"#.to_owned(),
        ),
        ("kill", r#"{"type":"kill","id":"k","dataSource":"d","interval":"2026-07-01/P1M","versions":["v"],"limit":5}"#.to_owned()),
        ("kafka", stream("kafka", r#""topic":"t","consumerProperties":{"bootstrap.servers":"h:1"}"#)),
        ("kinesis", stream("kinesis", r#""stream":"s""#)),
        ("rabbit", stream("rabbit", r#""uri":"amqp://h""#)),
        (
            "autocompact",
            r#"{"type":"autocompact","spec":{"dataSource":"d","granularitySpec":{"segmentGranularity":"DAY"}}}"#.to_owned(),
        ),
        ("index_hadoop", r#"{"type":"index_hadoop","spec":{"dataSchema":{"dataSource":"d"}}}"#.to_owned()),
        ("lucene_upset", r#"{"type":"lucene_upset","dataSource":"d","deep":[{"er":[1]}]}"#.to_owned()),
    ]
}

/// What stands where it does not belong.
const ODD: [&str; 9] =
    ["null", "true", "-1", "1e400", "\"\"", "\"${X}\"", "[]", "[[{}]]", "{\"type\":\"x\"}"];

fn places(node: Node<'_>, path: &Path, out: &mut Vec<Path>) {
    out.push(path.clone());
    for (key, child) in node.members() {
        places(child, &path.join(&*key), out);
    }
    for (at, child) in node.items().enumerate() {
        places(child, &path.join(at), out);
    }
}

/// Reads a text by every view; what is told has words, a path and a place.
fn read(text: &str) -> Task {
    let document = Document::parse(text);
    let task = Task::read(&document, &UtcOnly);
    for problem in task.problems.iter().chain(&lint(&document)) {
        let Problem { path, span, message, .. } = problem;
        assert!(!message.is_empty(), "{path}");
        assert_eq!(Path::parse(&path.to_string()).as_ref(), Ok(path));
        let place = text.get(span.start..span.end).unwrap_or_else(|| panic!("{path} is nowhere in {text}"));
        assert!(!place.is_empty() || text.is_empty(), "{path}: {message}");
    }
    let _ = (refusals(&task, Release::major(37)), secrets(&document), task.what_it_is());
    task
}

#[test]
fn every_kind_has_its_view() {
    for (name, text) in tasks() {
        let task = read(&text);
        let is_known = match (&task.kind, &task.body) {
            (TaskKind::IndexParallel | TaskKind::Index, Body::Batch(_)) => true,
            (TaskKind::Compact, Body::Compact(_)) | (TaskKind::Kill, Body::Kill(_)) => true,
            (TaskKind::Supervisor(kind), Body::Supervisor(stream)) => *kind == stream.kind,
            (TaskKind::Hadoop | TaskKind::Other(_), Body::Other) => true,
            _ => false,
        };
        assert!(is_known, "{name}: {:?}", task.kind);
        assert_eq!(task.kind.name(), name);
        assert!(task.datasource.is_some(), "{name}");
        let errors = task.problems.iter().filter(|problem| problem.code != "hadoop").count();
        assert_eq!(errors, 0, "{name}: {:?}", task.problems);
    }
}

#[test]
fn whatever_stands_in_a_place_there_is_a_view() {
    let mut seen = 0;
    for (_, text) in tasks() {
        let document = Document::parse(text.as_str());
        let mut all = Vec::new();
        places(document.root().unwrap(), &Path::root(), &mut all);
        for place in all {
            for odd in ODD {
                let edited = document.apply(&document.set(&place, odd).unwrap()).unwrap();
                read(edited.text());
                seen += 1;
            }
            if let Ok(splice) = document.remove(&place) {
                read(document.apply(&splice).unwrap().text());
            }
        }
    }
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn a_text_that_breaks_off_has_a_view_wherever_it_does() {
    for (_, text) in tasks() {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(3) {
            read(&text[..end]);
        }
    }
}

#[test]
fn what_is_missing_is_told_where_it_is_missing() {
    let place = |text: &'static str| {
        let task = read(text);
        let span = task.problems[0].span;
        (task.problems[0].path.to_string(), &text[span.start..span.end])
    };
    assert_eq!(place(r#"{"type":"kill","dataSource":"d"}"#), ("interval".to_owned(), "{"));
    assert_eq!(
        place(r#"{"type":"compact","ioConfig":{"type":"compact"}}"#),
        ("ioConfig".to_owned(), r#"{"type":"compact"}"#)
    );
    let typeless = r#"{"type":"index_parallel","spec":{"ioConfig":{"inputSource":{"data":"x"}}}}"#;
    assert_eq!(place(typeless), ("spec.ioConfig.inputSource".to_owned(), r#"{"data":"x"}"#));
}
