//! Every recorded run of a live 33.0.0 and a live 37.0.0 whose rows are known, run again by `ingest`: the same end, the
//! same holders served afterwards, the same segments overshadowed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)] // recordings are ours

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::LazyLock;

use druid::ingest::{Outcome, Published, Rows, Situation, compaction, run};
use druid::interval::{Instant, subtract};
use druid::json::Document;
use druid::release::Release;
use druid::segment::{Segment, SegmentId, SegmentSet};
use druid::spec::{Body, Task};
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::Value;

static RECORDINGS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let packed: [&[u8]; 3] = [
        include_bytes!("vectors/live-33.jsonl.gz"),
        include_bytes!("vectors/live-37.jsonl.gz"),
        include_bytes!("vectors/live-found.jsonl.gz"),
    ];
    let mut runs = Vec::new();
    for bytes in packed {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        runs.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    runs
});

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
        Outcome::FailedInPart { published, .. } => ("FAILED", published),
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

/// A compaction without a granularity reads more than the interval whose rows were recorded at first: each group of
/// segments it touches, whole. Every recorded data segment has rows, so one row stands for those of each piece that is served.
fn rows_beyond(task: &Task, timeline: &Timeline, release: Release, rows: &mut Rows) {
    let Body::Compact(compact) = &task.body else { return };
    let datasource = task.datasource.as_deref().unwrap();
    let parts = compaction(timeline, datasource, compact, release).map(|c| c.parts.unwrap_or_default());
    let asked = compact.interval.unwrap();
    for part in parts.unwrap_or_default().iter().filter(|part| !asked.contains(part.reads)) {
        let outside = subtract(&[part.reads], &[asked]);
        let pieces = outside.iter().flat_map(|&rest| timeline.visible().within(rest));
        let data = pieces.filter(|piece| timeline.holder(piece.holder).is_some_and(|h| !h.tombstone));
        rows.splits[0].extend(data.map(|piece| piece.interval.start));
    }
}

fn ids(datasource: &str, list: &Value) -> Vec<SegmentId> {
    let texts = list.as_array().into_iter().flatten().map(|id| id.as_str().unwrap());
    texts.map(|id| SegmentId::parse(datasource, id).unwrap()).collect()
}

/// Runs one recording; `None` when its rows are not known.
fn rerun(run_json: &Value, zones: &Tzdb) -> Option<(After, After, Outcome)> {
    let segments = |key: &str| -> Vec<Segment> {
        let list = run_json.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        list.iter().map(|s| Segment::from_json(s).unwrap()).collect()
    };
    let before = segments("before");
    let task = Task::read(&Document::parse(run_json["task"].to_string()), zones);
    let mut rows = if run_json["kind"].as_str().unwrap().starts_with("kill.") {
        Rows::default()
    } else {
        rows(run_json, &task)?
    };
    let datasource = task.datasource.clone().unwrap();
    let set = SegmentSet::of(&datasource, &before);
    let timeline = Timeline::build(&set).unwrap();
    let release = Release::parse(run_json["druid"].as_str().unwrap()).unwrap();
    if run_json["rows_of"] != "reads" {
        rows_beyond(&task, &timeline, release, &mut rows);
    }
    let unused = ids(&datasource, &run_json["unused_before"]);
    let situation = Situation {
        timeline: &timeline,
        unused: &unused,
        locks: &[],
        release,
        lock_version: Instant::parse(run_json["created"].as_str().unwrap()).unwrap(),
    };
    let outcome = run(&situation, &task, &rows);
    Some((foreseen(&datasource, &outcome, &before), recorded(run_json, &before), outcome))
}

/// A recording, what `ingest` makes of it, what was recorded, and the outcome in full.
type Rerun = (&'static Value, After, After, Outcome);

static RERUNS: LazyLock<Vec<Rerun>> = LazyLock::new(|| {
    let zones = Tzdb::default();
    let rerun = |recording: &'static Value| {
        let (foreseen, recorded, outcome) = rerun(recording, &zones)?;
        Some((recording, foreseen, recorded, outcome))
    };
    RECORDINGS.iter().filter_map(rerun).collect()
});

/// Runs all recordings of some families and says how many come out the same, kind by kind.
fn compare(families: &[&str], same: impl Fn(&Rerun) -> bool) {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for rerun in RERUNS.iter() {
        let (recording, foreseen, recorded, outcome) = rerun;
        let kind = recording["kind"].as_str().unwrap();
        if !families.contains(&kind.split('.').next().unwrap()) {
            continue;
        }
        let count = counts.entry(kind.to_owned()).or_default();
        count.1 += 1;
        if same(rerun) {
            count.0 += 1;
        } else {
            let name = &recording["name"];
            wrong.push(format!("{name}\n  {outcome:?}\n  foreseen {foreseen:?}\n  recorded {recorded:?}"));
        }
    }
    for (kind, (right, all)) in &counts {
        println!("{kind}: {right} of {all}");
    }
    let (right, all) = counts.values().fold((0, 0), |(r, a), (right, all)| (r + right, a + all));
    println!("all: {right} of {all}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn recorded_runs_come_out_as_they_did() {
    compare(&["replace", "overwrite", "append", "arbitrary", "reindex"], |(_, foreseen, recorded, _)| {
        foreseen == recorded
    });
}

#[test]
fn odd_recorded_runs_come_out_as_they_did() {
    compare(&["special"], |(_, foreseen, recorded, _)| foreseen == recorded);
}

#[test]
fn recorded_compactions_come_out_as_they_did() {
    compare(&["compact"], |(_, foreseen, recorded, _)| foreseen == recorded);
}

#[test]
fn messages_begin_as_the_recorded_ones() {
    compare(
        &["replace", "overwrite", "append", "arbitrary", "reindex", "compact"],
        |(recording, _, _, outcome)| {
            let said = recording["error"].as_str().unwrap_or_default();
            let ours = match outcome {
                Outcome::Failed { message, .. } | Outcome::FailedInPart { message, .. } => message.as_str(),
                Outcome::Success(published) => published.error_msg.as_deref().unwrap_or_default(),
                _ => return false,
            };
            // Only the server knows what stands behind the dots.
            let known = ours.split('…').next().unwrap_or_default();
            said.starts_with(known) && known.is_empty() == said.is_empty()
        },
    );
}

#[test]
fn recorded_kills_delete_what_they_did() {
    compare(&["kill"], |(recording, foreseen, recorded, outcome)| {
        let datasource = recording["task"]["dataSource"].as_str().unwrap();
        let Outcome::Success(published) = outcome else { return false };
        let mut left = ids(datasource, &recording["unused_before"]);
        left.retain(|id| !published.deleted.contains(id));
        foreseen == recorded && left == ids(datasource, &recording["unused_after"])
    });
}

#[test]
fn only_unknown_rows_keep_a_recording_from_being_compared() {
    let is_kill = |r: &Value| r["kind"].as_str().unwrap().starts_with("kill.");
    let unknown = |r: &&Value| r["rows"].is_null() && r.get("files").is_none() && !is_kill(r);
    println!("compared: {} of {}", RERUNS.len(), RECORDINGS.len());
    assert_eq!(RERUNS.len() + RECORDINGS.iter().filter(unknown).count(), RECORDINGS.len());
}

#[test]
fn dynamic_partitions_are_as_many_as_were_recorded_where_nothing_merges_rows() {
    // Hashes and ranges depend on values; rollup merges rows: those counts cannot be known from times.
    let mut seen = (0, 0);
    for (recording, _, _, outcome) in RERUNS.iter() {
        let (kind, task) = (recording["kind"].as_str().unwrap(), &recording["task"]);
        let Outcome::Success(published) = outcome else { continue };
        let partitions = &task["spec"]["tuningConfig"]["partitionsSpec"]["type"];
        let rollup = task["spec"]["dataSchema"]["granularitySpec"]["rollup"] != false;
        let dynamic = partitions.is_null() || partitions == "dynamic";
        let forced = task["spec"]["tuningConfig"]["forceGuaranteedRollup"] == true;
        if kind.starts_with("compact")
            || kind.starts_with("reindex")
            || kind.starts_with("kill")
            || rollup
            || !dynamic
            || forced
        {
            continue;
        }
        let list = |key: &str| -> BTreeSet<String> {
            let all = recording[key].as_array().unwrap();
            all.iter().map(|s| s["identifier"].as_str().unwrap().to_owned()).collect()
        };
        let new = list("after").difference(&list("before")).count();
        seen.1 += 1;
        seen.0 += usize::from(new == published.segments.len());
        if new != published.segments.len() {
            println!("{}: recorded {new}, foreseen {}", recording["name"], published.segments.len());
        }
    }
    println!("dynamic partition counts: {} of {}", seen.0, seen.1);
    assert_eq!(seen.0, seen.1);
}
