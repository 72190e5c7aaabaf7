//! The 32 races of appends and replaces recorded on a live 33.0.0 and a live 37.0.0, run again by `ingest::race`: how
//! the slow task ends, how each task beside it stands and ends, and every used segment in between and afterwards.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout)] // recordings are ours

use std::collections::BTreeSet;

use druid::ingest::{Ended, Entrant, Outcome, Race, Rows, Situation, race};
use druid::interval::Instant;
use druid::json::Document;
use druid::release::Release;
use druid::segment::{Segment, SegmentSet};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::Value;

fn recordings() -> Vec<Value> {
    let packed = include_bytes!("vectors/live-concurrent.json.gz");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(packed.as_slice())).unwrap();
    let mut all: Value = serde_json::from_str(&text).unwrap();
    all["cases"].as_array_mut().unwrap().drain(..).collect()
}

fn segments(list: &Value) -> Vec<Segment> {
    list.as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect()
}

fn task(raw: &Value) -> Task {
    Task::read(&Document::parse(raw.to_string()), &Tzdb::default())
}

fn rows(list: &Value) -> Rows {
    let rows = list.as_array().unwrap().iter().map(|row| Instant::parse(row.as_str().unwrap()).unwrap());
    Rows { splits: vec![rows.collect()] }
}

/// Segments by interval, version, kind, partition and core count. Versions that were there before, and the one of
/// first appends, keep their names; of new ones only the order is the same in every run.
fn shape(before: &[Segment], now: &[Segment]) -> BTreeSet<String> {
    let known = |version: &str| {
        version.starts_with("1970") || before.iter().any(|segment| *segment.version == *version)
    };
    let new: BTreeSet<&str> = now.iter().map(|s| &*s.version).filter(|version| !known(version)).collect();
    let name = |version: &str| match new.iter().position(|v| *v == version) {
        Some(at) => format!("new {at}"),
        None => version.to_owned(),
    };
    let line = |s: &Segment| {
        let core = s.shard.core();
        format!(
            "{} {} {:?} {} of {core:?}",
            s.interval,
            name(&s.version),
            s.shard.kind(),
            s.shard.partition()
        )
    };
    now.iter().map(line).collect()
}

fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Success(_) => "SUCCESS",
        Outcome::Failed { .. } => "FAILED",
        _ => "RUNNING",
    }
}

fn run_again(recording: &Value) -> Race {
    let first = (task(&recording["slow_task"]), rows(&recording["slow_rows"]));
    let others: Vec<(Task, Rows)> = recording["meanwhile"]
        .as_array()
        .unwrap()
        .iter()
        .map(|other| (task(&other["task"]), rows(&other["rows"])))
        .collect();
    let before = segments(&recording["before"]);
    let timeline = Timeline::build(&SegmentSet::of(first.0.datasource.as_deref().unwrap(), &before)).unwrap();
    let situation = Situation {
        timeline: &timeline,
        unused: &[],
        locks: &[],
        release: Release::parse(recording["druid"].as_str().unwrap()).unwrap(),
        lock_version: Instant::parse("2026-12-01").unwrap(),
    };
    let entrant = |(task, rows): &'_ (Task, Rows)| -> (Task, Rows) { (task.clone(), rows.clone()) };
    let owned: Vec<(Task, Rows)> = others.iter().map(entrant).collect();
    let others: Vec<Entrant<'_>> = owned.iter().map(|(task, rows)| Entrant { task, rows }).collect();
    race(&situation, Entrant { task: &first.0, rows: &first.1 }, &others).unwrap()
}

/// What of a recording comes out otherwise.
fn differences(recording: &Value) -> Vec<String> {
    let race = run_again(recording);
    let before = segments(&recording["before"]);
    let mut wrong = Vec::new();
    let mut same = |what: &str, ours: String, real: String| {
        if ours != real {
            wrong.push(format!("{what}: {ours}, recorded {real}"));
        }
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    same("slow task", status(&race.first.outcome).to_owned(), text(&recording["slow_status"]));
    if let Outcome::Failed { message, .. } = &race.first.outcome {
        let known = message.split("Cannot upgrade segment").next().unwrap().to_owned();
        let said = text(&recording["slow_error"]);
        same("its message", said.contains(&known).to_string(), "true".to_owned());
    }
    let others = recording["meanwhile"].as_array().unwrap();
    for (Ended { waited, outcome, .. }, real) in race.others.iter().zip(others) {
        // What has to wait is RUNNING at first, and its end stands beside that.
        same("a task beside it waits", waited.to_string(), real.get("status_later").is_some().to_string());
        let end = real.get("status_later").unwrap_or(&real["status"]);
        same("a task beside it ends", status(outcome).to_owned(), text(end));
    }
    for (what, added, real) in
        [("in between", &race.middle, &recording["middle"]), ("afterwards", &race.added, &recording["after"])]
    {
        let ours: Vec<Segment> = before.iter().chain(added).cloned().collect();
        let (ours, real) = (shape(&before, &ours), shape(&before, &segments(real)));
        same(what, format!("{ours:#?}"), format!("{real:#?}"));
    }
    wrong
}

#[test]
fn recorded_races_of_appends_and_replaces_come_out_as_they_did() {
    let recordings = recordings();
    let mut wrong = Vec::new();
    for recording in &recordings {
        let name = format!("{} on {}", recording["name"], recording["druid"]);
        wrong.extend(differences(recording).into_iter().map(|difference| format!("{name}: {difference}")));
    }
    let bad: BTreeSet<&str> = wrong.iter().filter_map(|line| line.split(": ").next()).collect();
    println!("races: {} of {}", recordings.len() - bad.len(), recordings.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(recordings.len(), 32);
}

#[test]
fn a_copy_has_the_files_of_what_it_is_a_copy_of() {
    for recording in recordings() {
        let race = run_again(&recording);
        let copies = race.added.iter().filter(|segment| {
            let twice = |other: &&Segment| other.load_spec == segment.load_spec && other.id() != segment.id();
            !segment.is_tombstone() && race.added.iter().any(|other| twice(&other))
        });
        // Digests of paths: what occurs twice afterwards is one set of files under two ids.
        let after = recording["after"].as_array().unwrap();
        let path = |raw: &Value| raw["loadSpec"]["path"].as_str().map(str::to_owned);
        let real = after.iter().filter(|one| {
            path(one).is_some() && after.iter().filter(|other| path(other) == path(one)).count() > 1
        });
        assert_eq!(copies.count(), real.count(), "{} on {}", recording["name"], recording["druid"]);
    }
}
