//! Appends and replaces at the same time, recorded on a real Druid 33 and 37: the course is foreseen from known rows, and
//! a forecast that knows only the locks has the real end among its worlds.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "recordings are ours, and the shares that agree are the product's claim"
)]

use std::collections::BTreeSet;

use backfill::forecast::{Basis, Course, Known, Outcome, Question, RowsFrom, forecast, race};
use druid::ingest::{Entrant, Rows};
use druid::interval::{Instant, Interval};
use druid::json::Document;
use druid::lock::{Held, LockType};
use druid::release::Release;
use druid::segment::{Segment, SegmentSet};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::Value;

fn recordings() -> Vec<Value> {
    let packed = include_bytes!("../../druid/tests/vectors/live-concurrent.json.gz");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(packed.as_slice())).unwrap();
    let mut all: Value = serde_json::from_str(&text).unwrap();
    all["cases"].as_array_mut().unwrap().drain(..).collect()
}

struct Recorded<'a> {
    raw: &'a Value,
    set: SegmentSet,
    timeline: Timeline,
    first: (Task, Rows),
    others: Vec<(Task, Rows)>,
}

fn task(raw: &Value) -> Task {
    // The recording leaves the address out, and a server would refuse what stands there.
    let text = raw.to_string().replace("(answers late)", "http://input/late.json");
    Task::read(&Document::parse(text), &Tzdb::default())
}

fn rows(list: &Value) -> Rows {
    let rows = list.as_array().unwrap().iter().map(|row| Instant::parse(row.as_str().unwrap()).unwrap());
    Rows { splits: vec![rows.collect()] }
}

fn set(datasource: &str, list: &Value) -> SegmentSet {
    let segments: Vec<Segment> =
        list.as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect();
    SegmentSet::of(datasource, &segments)
}

impl Recorded<'_> {
    fn of(raw: &Value) -> Recorded<'_> {
        let first = (task(&raw["slow_task"]), rows(&raw["slow_rows"]));
        let others = raw["meanwhile"].as_array().unwrap().iter();
        let others = others.map(|other| (task(&other["task"]), rows(&other["rows"]))).collect();
        let set = set(first.0.datasource.as_deref().unwrap(), &raw["before"]);
        Recorded { raw, timeline: Timeline::build(&set).unwrap(), set, first, others }
    }

    fn question<'a>(&'a self, task: &'a Task, known: &'a Known, locks: &'a [Held]) -> Question<'a> {
        Question {
            segments: &self.set,
            timeline: &self.timeline,
            task,
            known,
            release: self.raw["druid"].as_str().unwrap().parse::<Release>().unwrap(),
            now: Instant::parse("2026-12-01").unwrap(),
            locks,
            running: &[],
            unused: None,
            id: None,
        }
    }

    fn course(&self) -> Course {
        let known = Known::default();
        let others: Vec<Entrant<'_>> =
            self.others.iter().map(|(task, rows)| Entrant { task, rows }).collect();
        let own = Entrant { task: &self.first.0, rows: &self.first.1 };
        race(&self.question(&self.first.0, &known, &[]), own, &others).unwrap()
    }

    /// What is served: versions that were there keep their name, of new ones the order counts.
    fn served(&self, timeline: &Timeline) -> Vec<(Interval, Interval, String, bool, usize)> {
        let holders: Vec<_> = (timeline.visible().iter())
            .map(|piece| (piece.interval, timeline.holder(piece.holder).unwrap()))
            .collect();
        let known = |v: &str| v.starts_with("1970") || self.set.versions().any(|version| version == v);
        let new: BTreeSet<&str> = holders.iter().map(|(_, h)| h.version).filter(|v| !known(v)).collect();
        let name = |v: &str| new.iter().position(|n| *n == v).map_or(v.to_owned(), |at| format!("new {at}"));
        let line = |(interval, h): &(Interval, druid::timeline::Holder<'_>)| {
            (*interval, h.interval, name(h.version), h.tombstone, h.len())
        };
        holders.iter().map(line).collect()
    }

    fn timeline_of(&self, key: &str) -> Timeline {
        Timeline::build(&set(self.set.datasource(), &self.raw[key])).unwrap()
    }
}

fn outcome(status: &Value) -> Outcome {
    match status.as_str().unwrap() {
        "SUCCESS" => Outcome::Success,
        "FAILED" => Outcome::Fails,
        _ => Outcome::Waits,
    }
}

#[test]
fn every_recorded_race_is_foreseen() {
    let recordings = recordings();
    let mut wrong = Vec::new();
    for raw in &recordings {
        let recorded = Recorded::of(raw);
        let course = recorded.course();
        let mut same = |what: &str, ours: String, real: String| {
            if ours != real {
                wrong.push(format!("{} on {}: {what}: {ours}, recorded {real}", raw["name"], raw["druid"]));
            }
        };
        same("slow", format!("{:?}", course.first.ends), format!("{:?}", outcome(&raw["slow_status"])));
        for (standing, real) in course.others.iter().zip(raw["meanwhile"].as_array().unwrap()) {
            let stood = outcome(&real["status"]);
            let ended = real.get("status_later").map_or(stood, outcome);
            same(
                "beside",
                format!("{:?}", (standing.stands, standing.ends)),
                format!("{:?}", (stood, ended)),
            );
        }
        for (what, ours) in [("middle", &course.middle), ("after", &course.after)] {
            let real = recorded.served(&recorded.timeline_of(what));
            same(what, format!("{:#?}", recorded.served(ours)), format!("{real:#?}"));
        }
    }
    let bad: BTreeSet<&str> = wrong.iter().filter_map(|line| line.split(": ").next()).collect();
    println!("races: {} of {}", recordings.len() - bad.len(), recordings.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_task_beside_a_slow_one_stands_like_is_foreseen_from_its_lock_alone() {
    let (mut agree, mut of) = (0, 0);
    for raw in &recordings() {
        let recorded = Recorded::of(raw);
        for ((task, rows), real) in recorded.others.iter().zip(raw["meanwhile"].as_array().unwrap()) {
            let locks: Vec<Held> = real["locks"].as_array().unwrap().iter().map(held).collect();
            let known = Known::only(Basis::Rows { rows: rows.clone(), from: RowsFrom::List, exact: true });
            let foreseen = forecast(&recorded.question(task, &known, &locks));
            let [world] = foreseen.worlds.as_slice() else {
                unreachable!("{} {:?}", raw["name"], foreseen.worlds)
            };
            of += 1;
            agree += usize::from(world.outcome == outcome(&real["status"]));
            assert_eq!(world.outcome, outcome(&real["status"]), "{} on {}", raw["name"], raw["druid"]);
            // One that neither waits nor fails works beside the slow one, and is told so.
            assert_eq!(foreseen.beside.is_empty(), world.outcome != Outcome::Success, "{}", raw["name"]);
        }
    }
    println!("tasks beside a slow one: {agree} of {of}");
}

#[test]
fn a_replace_that_knows_who_appends_inside_has_the_real_end_among_its_worlds() {
    let mut failures = 0;
    for raw in &recordings() {
        let recorded = Recorded::of(raw);
        let (task, rows) = &recorded.first;
        if task.batch().unwrap().append_to_existing {
            continue;
        }
        // The appends that run beside it hold their chunks by now.
        let locks: Vec<Held> = (recorded.others.iter().zip(raw["meanwhile"].as_array().unwrap()))
            .filter(|((other, _), real)| real["status"] == "SUCCESS" && other.context.use_concurrent_locks)
            .map(|((other, rows), _)| Held {
                task_id: other.id.clone(),
                group_id: other.id.clone().unwrap(),
                kind: LockType::Append,
                interval: other.batch().unwrap().granularity.segment.bucket(rows.splits[0][0]),
                version: "1970-01-01T00:00:00.000Z".to_owned(),
                priority: 50,
                revoked: false,
            })
            .collect();
        let known = Known::only(Basis::Rows { rows: rows.clone(), from: RowsFrom::List, exact: true });
        let foreseen = forecast(&recorded.question(task, &known, &locks));
        let ends: Vec<Outcome> = foreseen.worlds.iter().map(|world| world.outcome).collect();
        let real = outcome(&raw["slow_status"]);
        assert!(ends.contains(&real), "{} on {}: {ends:?}, recorded {real:?}", raw["name"], raw["druid"]);
        failures += usize::from(real == Outcome::Fails);
    }
    assert!(failures > 0, "some recorded replaces fail because of what was appended meanwhile");
}

fn held(raw: &Value) -> Held {
    let text = |key: &str| raw[key].as_str().unwrap().to_owned();
    Held {
        task_id: None,
        group_id: text("groupId"),
        kind: LockType::parse(&text("type")).unwrap(),
        interval: Interval::parse(&text("interval")).unwrap(),
        version: text("version"),
        priority: raw["priority"].as_i64().unwrap(),
        revoked: raw["revoked"] == true,
    }
}
