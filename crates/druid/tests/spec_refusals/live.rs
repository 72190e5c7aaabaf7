//! Against the recorded answers and runs of live clusters.

use druid::json::Document;
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
        "unknown-key" => with(&[("spec.ioConfig.dropExsiting", "true")]),
        _ => return None,
    })
}

#[test]
fn a_live_druid_refused_the_same_tasks_in_the_same_words() {
    let live: Value = serde_json::from_str(include_str!("../vectors/live-responses.json")).unwrap();
    let (mut taken, mut refused_too) = (0, 0);
    for pair in live["pairs"].as_array().unwrap() {
        let is_submit =
            pair["request"]["path"] == "/druid/indexer/v1/task" && pair["request"]["method"] == "POST";
        let Some(document) = Some(pair).filter(|_| is_submit).and_then(submitted) else { continue };
        let (id, status) = (pair["id"].as_str().unwrap(), pair["response"]["status"].as_u64().unwrap());
        let found = refused(&document, DRUID_33);
        if status == 200 {
            // A task that stalls the cluster is taken by the server and refused here.
            let found: Vec<_> = found.iter().filter(|refusal| refusal.rule != "id-stalls").collect();
            assert!(found.is_empty(), "{id}: {found:?}");
            taken += 1;
            continue;
        }
        if status == 415 || status == 405 {
            continue; // not about the task
        }
        let first = found.first().unwrap_or_else(|| panic!("{id} was refused: {}", pair["response"]));
        let told = pair["response"]["body"]["error"].as_str().unwrap_or_default();
        if first.verbatim {
            assert_eq!(first.line(), told, "{id}");
        } else if status == 400 && id != "malformed-json-trailing" {
            assert!(told.contains(&first.message), "{id}: {told} | {}", first.message);
        }
        refused_too += 1;
    }
    assert!(taken >= 25 && refused_too >= 30, "{taken} accepted and {refused_too} refused submits agree");
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
