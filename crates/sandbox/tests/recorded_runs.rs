//! Recorded runs of live clusters, run again by the built-in one through its calls: submitted, waited for, read back.
//! It is a Druid in what it answers, or it teaches wrong things.
//!
//! Left out: inputs that are not in the recording (local files, reindexes and compactions, whose rows the built-in
//! cluster spreads over visible pieces by its own rule).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "recordings are ours"
)]

use std::collections::BTreeSet;

use druid::answer::{self, RunState, Submit, classify_submit};
use druid::endpoint::{Endpoint, Name, Request};
use druid::interval::Instant;
use druid::release::Release;
use druid::segment::{ChunkKind, Segment, SegmentSet};
use druid::timeline::Timeline;
use sandbox::Sandbox;
use serde_json::Value;

fn lines(gz: &[u8]) -> Vec<Value> {
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(gz)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn segments(raw: &Value) -> Vec<Segment> {
    raw.as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect()
}

/// What is served: piece, holder, its version (`new` when no such holder was there before), partitions (0 where rows
/// are hashed: which of them share a bucket depends on their other columns, which are not read here), tombstone.
type Served = Vec<(String, String, String, usize, bool)>;

fn served(datasource: &str, after: &[Segment], before: &[Segment]) -> Served {
    let old: BTreeSet<(String, String)> =
        before.iter().map(|segment| (segment.interval.to_string(), segment.version.to_string())).collect();
    let timeline = Timeline::build(&SegmentSet::of(datasource, after)).unwrap();
    timeline
        .visible()
        .iter()
        .map(|piece| {
            let holder = timeline.holder(piece.holder).unwrap();
            let named = (holder.interval.to_string(), holder.version.to_owned());
            let version = if old.contains(&named) { named.1 } else { "new".to_owned() };
            let hashed =
                holder.segments.iter().all(|row| after[*row as usize].shard.kind() == ChunkKind::Hashed);
            let partitions = if hashed { 0 } else { holder.len() };
            (piece.interval.to_string(), named.0, version, partitions, holder.tombstone)
        })
        .collect()
}

/// How a run ends here, and what is used afterwards.
fn run_again(line: &Value) -> (String, Vec<Segment>) {
    let datasource = line["before"].as_array().unwrap().first().map_or_else(
        || line["task"]["spec"]["dataSchema"]["dataSource"].clone(),
        |first| first["dataSource"].clone(),
    );
    let name = Name::new(datasource.as_str().unwrap()).unwrap();
    let created = Instant::parse(line["created"].as_str().unwrap()).unwrap();
    let mut cluster = Sandbox::empty(Release::parse(line["druid"].as_str().unwrap()).unwrap(), created);
    cluster.seed(name.as_str(), segments(&line["before"]));
    let id = line["task"]["id"].as_str().unwrap();
    let response = cluster.handle(created, &Request::submit(line["task"].to_string()));
    let submitted = classify_submit(&response, id);
    assert!(matches!(submitted, Submit::Accepted { .. }), "{}: {submitted:?}", line["name"]);
    let later = Instant::from_ms(created.ms() + 60_000);
    let status = cluster.handle(later, &Endpoint::TaskStatus(Name::new(id).unwrap()).request());
    let status = answer::task_status(&status).unwrap().unwrap();
    let used = cluster.handle(later, &Request::used_segments(name, &[]));
    let used: Value = serde_json::from_slice(&used.body).unwrap();
    let ended = match status.state {
        RunState::Success => "SUCCESS",
        RunState::Failed => "FAILED",
        _ => "RUNNING",
    };
    (ended.to_owned(), segments(&used))
}

#[test]
fn recorded_runs_on_inline_input_come_out_as_they_did() {
    let recordings = [
        lines(include_bytes!("../../druid/tests/vectors/live-33.jsonl.gz")),
        lines(include_bytes!("../../druid/tests/vectors/live-37.jsonl.gz")),
    ];
    let mut seen = 0;
    let mut wrong = Vec::new();
    for line in recordings.iter().flatten() {
        let inline = line["task"]["spec"]["ioConfig"]["inputSource"]["type"] == "inline";
        if !inline || line["unused_before"].is_array() {
            continue;
        }
        seen += 1;
        let before = segments(&line["before"]);
        let (ended, after) = run_again(line);
        let (here, there) = (served("x", &after, &before), served("x", &segments(&line["after"]), &before));
        if ended != line["status"].as_str().unwrap() || here != there {
            wrong.push(format!("{}: {ended}\n  here  {here:?}\n  there {there:?}", line["name"]));
        }
    }
    println!("{} of {seen} recorded runs come out the same", seen - wrong.len());
    assert!(seen > 700, "only {seen} recordings on inline input");
    assert!(wrong.is_empty(), "{} of {seen} come out differently:\n{}", wrong.len(), wrong.join("\n"));
}
