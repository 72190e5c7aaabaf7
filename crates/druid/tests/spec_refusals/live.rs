//! Against the recorded answers and runs of live clusters.

use std::collections::BTreeMap;

use druid::json::{Document, quote};
use druid::release::Release;
use serde_json::Value;

use super::{DRUID_33, GRANULARITY, IO, TUNING, refused, with};

/// The document of a recorded submit, where its description says enough to make it again.
fn submitted(pair: &Value) -> Option<Document> {
    let id = pair["id"].as_str().unwrap();
    if let Some(text) = pair["request"]["body_text"].as_str() {
        return Some(Document::parse(text));
    }
    if pair["request"]["body"].is_object() {
        return Some(Document::parse(pair["request"]["body"].to_string()));
    }
    let body = pair["request"]["body"].as_str()?.strip_prefix('(')?.strip_suffix(')')?;
    let intervals = format!("{GRANULARITY}.intervals");
    let segment = format!("{GRANULARITY}.segmentGranularity");
    let (append, drop) = (format!("{IO}.appendToExisting"), format!("{IO}.dropExisting"));
    let (force, partitions) = (format!("{TUNING}.forceGuaranteedRollup"), format!("{TUNING}.partitionsSpec"));
    let hashed = "{\"type\":\"hashed\"}";
    if let Some(json) = body.strip_prefix("granularitySpec.intervals ").filter(|json| json.starts_with('[')) {
        return Some(with(&[(&intervals, json)]));
    }
    if let Some(json) = body.strip_prefix("segmentGranularity ") {
        return Some(with(&[(&segment, json.split(", a one-day").next()?)]));
    }
    // An id that is told by its first letter and its length.
    let long =
        body.strip_prefix("id \"").and_then(|rest| rest.strip_suffix(" characters")?.split_once("\"… "));
    if let Some((letters, length)) = long {
        let id = letters[..1].repeat(length.parse().unwrap());
        return Some(with(&[("id", &quote(&id))]));
    }
    if let Some(json) = body.strip_prefix("id ").filter(|json| json.ends_with('"')) {
        return Some(with(&[("id", json)]));
    }
    Some(match id {
        "missing-datasource" => with(&[("spec.dataSchema.dataSource", "")]),
        "empty-datasource" => with(&[("spec.dataSchema.dataSource", "\"\"")]),
        "slash-datasource" => with(&[("spec.dataSchema.dataSource", "\"a/b\"")]),
        "interval-not-array" => with(&[(&intervals, "\"2026-07-16/2026-07-17\"")]),
        "append-and-drop" => with(&[(&append, "true"), (&drop, "true")]),
        "append-with-hashed" => with(&[(&append, "true"), (&partitions, hashed), (&force, "true")]),
        "append-with-hashed-noforce" => with(&[(&append, "true"), (&partitions, hashed)]),
        "hashed-noforce" => with(&[(&partitions, hashed)]),
        "dynamic-with-force" => with(&[(&partitions, "{\"type\":\"dynamic\"}"), (&force, "true")]),
        "force-without-partitionsSpec" => with(&[(&force, "true")]),
        "drop-without-intervals" => with(&[(&drop, "true"), (&intervals, "")]),
        "drop-with-empty-intervals" => with(&[(&drop, "true"), (&intervals, "[]")]),
        "empty-intervals-overwrite" => with(&[(&intervals, "[]")]),
        "range-on-inline" => with(&[
            (
                &partitions,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":5}",
            ),
            (&force, "true"),
        ]),
        "id-inside-spec-only" => with(&[("id", ""), ("spec.id", "\"x\"")]),
        "no-id" => with(&[("id", "")]),
        // Whatever else they are about, the task itself is a good one.
        "submit-ok" | "content-type-json-charset=utf-8" | "higher-priority-submit" => with(&[]),
        "unknown-key" => with(&[("spec.ioConfig.dropExsiting", "true")]),
        _ => return None,
    })
}

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// The server took the task.
    Taken,
    /// A constructor failed: its words are foretold one by one.
    Constructor,
    /// Jackson could not read a value: the same.
    Value,
    /// The metadata store could not keep it: the same.
    Store,
    /// Refused, and what is foretold is part of the server's words or ours.
    Refused,
    /// Nothing that is known of a task decides it: an id that is used, a header, another server.
    Elsewhere,
}

/// Refusals whose words hang on what a server has loaded, or come with an error page: told in part, or in our words.
const IN_OUR_WORDS: [&str; 4] = ["malformed-json", "empty-body", "json-null", "unknown-type"];

fn about(pair: &Value) -> About {
    let (id, status) = (pair["id"].as_str().unwrap(), pair["response"]["status"].as_u64().unwrap());
    let body = &pair["response"]["body"];
    match status {
        200 => About::Taken,
        307 | 405 | 415 => About::Elsewhere,
        _ if body["errorCode"] == "entryAlreadyExists" => About::Elsewhere,
        _ if body["category"] == "RUNTIME_FAILURE" => About::Store,
        _ if IN_OUR_WORDS.contains(&id) => About::Refused,
        _ if body["error"].as_str().is_some_and(|told| told.starts_with("Cannot construct instance")) => {
            About::Constructor
        }
        _ => About::Value,
    }
}

#[test]
fn a_live_druid_refused_the_same_tasks_in_the_same_words() {
    let live: Value = serde_json::from_str(include_str!("../vectors/live-responses.json")).unwrap();
    let mut count = BTreeMap::new();
    for pair in live["pairs"].as_array().unwrap() {
        if pair["request"]["path"] != "/druid/indexer/v1/task" || pair["request"]["method"] != "POST" {
            continue;
        }
        let (id, about) = (pair["id"].as_str().unwrap(), about(pair));
        *count.entry(about).or_insert(0) += 1;
        if about == About::Elsewhere {
            continue;
        }
        let document = submitted(pair).unwrap_or_else(|| panic!("{id} cannot be made again"));
        let found = refused(&document, DRUID_33);
        if about == About::Taken {
            // A task that stalls the cluster is taken by the server and refused here.
            let found: Vec<_> = found.iter().filter(|refusal| refusal.rule != "id-stalls").collect();
            assert!(found.is_empty(), "{id}: {found:?}");
            continue;
        }
        let body = &pair["response"]["body"];
        let told = body["errorMessage"].as_str().or(body["error"].as_str()).unwrap_or_default();
        let first = found.first().unwrap_or_else(|| panic!("{id} was refused: {}", pair["response"]));
        if about == About::Refused {
            let is_part = told.is_empty() || told.contains(&first.message);
            assert!(is_part && !first.verbatim, "{id}: {told} | {}", first.message);
            continue;
        }
        assert!(first.verbatim, "{id}: {}", first.line());
        assert_eq!(first.line(), told, "{id}");
    }
    let counted =
        [About::Taken, About::Constructor, About::Value, About::Store, About::Refused, About::Elsewhere];
    assert_eq!(counted.map(|about| count[&about]), [30, 22, 11, 3, 4, 9], "79 submits");
}

#[test]
fn no_task_that_a_live_druid_ran_is_refused() {
    let packed: [&[u8]; 2] =
        [include_bytes!("../vectors/live-33.jsonl.gz"), include_bytes!("../vectors/live-37.jsonl.gz")];
    let mut seen = 0;
    for bytes in packed {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(bytes), &mut text).unwrap();
        for line in text.lines() {
            let run: Value = serde_json::from_str(line).unwrap();
            let release = Release::parse(run["druid"].as_str().unwrap()).unwrap();
            let document = Document::parse(run["task"].to_string());
            assert_eq!(refused(&document, release), [], "{}", run["name"]);
            seen += 1;
        }
    }
    assert_eq!(seen, 1061);
}
