//! Every recorded run of a live 33.0.0 and a live 37.0.0 whose rows are known, run again by `ingest`: the same end, the
//! same holders served afterwards, the same segments overshadowed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)] // recordings are ours

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use druid::ingest::{Outcome, Published, Rows, Situation, run};
use druid::interval::Instant;
use druid::json::Document;
use druid::release::Release;
use druid::segment::{Segment, SegmentId, SegmentSet};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::Value;

fn recordings() -> Vec<Value> {
    let packed: [&[u8]; 2] =
        [include_bytes!("vectors/live-33.jsonl.gz"), include_bytes!("vectors/live-37.jsonl.gz")];
    let mut runs = Vec::new();
    for bytes in packed {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        runs.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    runs
}

/// What is compared: how it ended, what is served, which old segments are overshadowed.
#[derive(Debug, PartialEq)]
struct After {
    ended: String,
    visible: Vec<(String, String, String, bool)>,
    overshadowed: BTreeSet<String>,
}

/// A holder that was not there before, by interval and version, is `new` whatever its version is.
fn named(version: &str, interval: &str, before: &BTreeSet<(String, String)>) -> String {
    if before.contains(&(interval.to_owned(), version.to_owned())) {
        version.to_owned()
    } else {
        "new".to_owned()
    }
}

fn holders(segments: &[Segment]) -> BTreeSet<(String, String)> {
    segments.iter().map(|s| (s.interval.to_string(), s.version.to_string())).collect()
}

fn recorded(run: &Value, before: &[Segment]) -> After {
    let old = holders(before);
    let ids: BTreeSet<String> = before.iter().map(|s| s.id().to_string()).collect();
    let text = |v: &Value, key: &str| v[key].as_str().unwrap().to_owned();
    After {
        ended: text(run, "status"),
        visible: run["visible_after"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| {
                let (interval, whole) = (text(v, "interval"), text(v, "true_interval"));
                let version = named(&text(v, "version"), &whole, &old);
                (interval, whole, version, v["tombstone"].as_bool().unwrap())
            })
            .collect(),
        overshadowed: run["overshadowed_after"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap().to_owned())
            .filter(|id| ids.contains(id))
            .collect(),
    }
}

fn foreseen(datasource: &str, outcome: &Outcome, before: &[Segment]) -> After {
    let none = Published::default();
    let (ended, published) = match outcome {
        Outcome::Success(published) => ("SUCCESS", published),
        Outcome::Failed { .. } => ("FAILED", &none),
        _ => ("NEITHER", &none),
    };
    let old = holders(before);
    let all = SegmentSet::of(datasource, before.iter().chain(&published.segments));
    let timeline = Timeline::build(&all).unwrap();
    let visible = timeline.visible().iter().map(|piece| {
        let holder = timeline.holder(piece.holder).unwrap();
        let whole = holder.interval.to_string();
        (piece.interval.to_string(), whole.clone(), named(holder.version, &whole, &old), holder.tombstone)
    });
    let was = before.len() as u32;
    After {
        ended: ended.to_owned(),
        visible: visible.collect(),
        overshadowed: timeline.overshadowed().filter(|&row| row < was).map(|row| all.id(row)).collect(),
    }
}

fn instants(list: &Value) -> Vec<Instant> {
    // Rows and files that could not be read are null.
    list.as_array().into_iter().flatten().filter_map(|t| Some(Instant::parse(t.as_str()?).unwrap())).collect()
}

/// The rows of a run by split: each file is one where at most one may share a sub-task.
fn rows(run: &Value, task: &Task) -> Option<Rows> {
    if let Some(files) = run.get("files").filter(|files| !files.is_null()) {
        let mut splits: Vec<Vec<Instant>> = files.as_object().unwrap().values().map(instants).collect();
        let batch = task.batch();
        let one_each = batch.is_some_and(|batch| batch.is_parallel() && batch.max_num_files == Some(1));
        if !one_each {
            splits = vec![splits.concat()];
        }
        return Some(Rows { splits });
    }
    run["rows"].is_array().then(|| Rows { splits: vec![instants(&run["rows"])] })
}

/// Runs one recording; `None` when its rows are not known.
fn rerun(run_json: &Value, zones: &Tzdb) -> Option<(After, After, Outcome)> {
    let segments = |key: &str| -> Vec<Segment> {
        let list = run_json.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        list.iter().map(|s| Segment::from_json(s).unwrap()).collect()
    };
    let before = segments("before");
    let task = Task::read(&Document::parse(run_json["task"].to_string()), zones);
    let rows = if run_json["kind"].as_str().unwrap().starts_with("kill.") {
        Rows::default()
    } else {
        rows(run_json, &task)?
    };
    let datasource = task.datasource.clone().unwrap();
    let set = SegmentSet::of(&datasource, &before);
    let timeline = Timeline::build(&set).unwrap();
    let unused: Vec<SegmentId> = segments("unused_before").iter().map(Segment::id).collect();
    let situation = Situation {
        timeline: &timeline,
        unused: &unused,
        locks: &[],
        release: Release::parse(run_json["druid"].as_str().unwrap()).unwrap(),
        lock_version: Instant::parse(run_json["created"].as_str().unwrap()).unwrap(),
    };
    let outcome = run(&situation, &task, &rows);
    Some((foreseen(&datasource, &outcome, &before), recorded(run_json, &before), outcome))
}

#[test]
fn recorded_runs_come_out_as_they_did() {
    let zones = Tzdb::default();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for recording in recordings() {
        let kind = recording["kind"].as_str().unwrap();
        let family = kind.split('.').next().unwrap();
        if !["replace", "overwrite", "append", "arbitrary", "reindex"].contains(&family) {
            continue;
        }
        let Some((foreseen, recorded, outcome)) = rerun(&recording, &zones) else { continue };
        let count = counts.entry(kind.to_owned()).or_default();
        count.1 += 1;
        if foreseen == recorded {
            count.0 += 1;
        } else {
            wrong.push(format!(
                "{}\n  {outcome:?}\n  foreseen {foreseen:?}\n  recorded {recorded:?}",
                recording["name"]
            ));
        }
    }
    for (kind, (right, all)) in &counts {
        println!("{kind}: {right} of {all}");
    }
    let (right, all) = counts.values().fold((0, 0), |(r, a), (right, all)| (r + right, a + all));
    println!("all: {right} of {all}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
