//! Random small situations, and what `druid::ingest` makes of them.

use std::collections::BTreeSet;

use backfill::forecast::{Entry, EntryVersion, Forecast, Outcome, Stand};
use druid::ingest::{self, Rows, Situation};
use druid::interval::Instant;
use druid::lock::LockType;
use druid::segment::SegmentId;
use druid::timeline::NewHolder;
use proptest::prelude::*;

use crate::agree::Real;
use crate::ground::Ground;

/// A situation as text, so that a failing case can be read and typed again.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) segments: String,
    pub(crate) spec: String,
    pub(crate) release: u32,
    pub(crate) lock: Option<(LockType, String, i64)>,
    /// By split.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Case {
    pub(crate) fn ground(&self) -> Ground {
        let ground = Ground::of(&self.segments).spec(&self.spec).release(self.release);
        match &self.lock {
            Some((kind, on, priority)) => ground.lock("other", *kind, on, *priority),
            None => ground,
        }
    }

    pub(crate) fn rows(&self) -> Rows {
        let split = |rows: &Vec<String>| rows.iter().map(|row| Instant::parse(row).unwrap()).collect();
        Rows { splits: self.rows.iter().map(split).collect() }
    }
}

/// Stretches of the three days that all of this happens in; hours, days, odd ones, one that spans all.
pub(crate) const CHUNKS: &[&str] = &[
    "2026-07-15/P1D",
    "2026-07-16/P1D",
    "2026-07-17/P1D",
    "2026-07-15/P3D",
    "2026-07-13/P7D",
    "2026-07-01/P1M",
    "2026-07-16T03/PT1H",
    "2026-07-16T05/PT1H",
    "2026-07-16T08/PT8H",
    "2026-07-16T06/PT6H",
    "2026-07-16T12/PT1H",
    "2026-07-17T00/PT1H",
    "2026-07-16T12:30/PT15M",
];

const TYPED: &[&str] = &[
    "[\"2026-07-16/2026-07-17\"]",
    "[\"2026-07-16T06/2026-07-16T13\"]",
    "[\"2026-07-15T20/2026-07-17T02\"]",
    "[\"2026-07-16T01/2026-07-16T04\",\"2026-07-16T10/2026-07-16T11\"]",
    "[\"2026-07-15/2026-07-16\",\"2026-07-17/2026-07-18\"]",
    "[\"2026-07-16T12:20/2026-07-16T12:40\"]",
];

const GRANULARITIES: &[&str] = &["HOUR", "DAY", "EIGHT_HOUR", "MONTH", "FIFTEEN_MINUTE", "ALL", "WEEK"];

pub(crate) fn segments() -> impl Strategy<Value = String> {
    let mark = prop_oneof![
        5 => Just(""),
        1 => Just(" tombstone"),
        1 => Just(" parts=2"),
        1 => Just(" parts=2 missing"),
        1 => Just(" appended"),
    ];
    // Versions by place, so that no two overlapping intervals share one; the last may lie above the clock.
    let holder = (proptest::sample::select(CHUNKS), mark);
    (proptest::collection::vec(holder, 0..5), proptest::bool::weighted(0.1)).prop_map(|(holders, future)| {
        let count = holders.len();
        let line = |(at, (interval, mark)): (usize, (&str, &str))| {
            let version = if future && at + 1 == count {
                "2999-01-01T00:00:00.000Z".to_owned()
            } else {
                format!("v{}", at + 1)
            };
            format!("{interval} {version} 10{mark}\n")
        };
        holders.into_iter().enumerate().map(line).collect()
    })
}

fn spec() -> impl Strategy<Value = String> {
    let mode = prop_oneof![
        2 => Just("dropExisting = true"),
        2 => Just(""),
        4 => Just("appendToExisting = true"),
    ];
    let parts = prop_oneof![
        3 => Just(""),
        2 => Just("tuningConfig.maxNumConcurrentSubTasks = 2"),
        1 => Just(
            "tuningConfig.maxNumConcurrentSubTasks = 2\ntuningConfig.forceGuaranteedRollup = true\n\
             partitionsSpec = {\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":9}"
        ),
        1 => Just(
            "tuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"hashed\",\"numShards\":2}"
        ),
    ];
    let context = prop_oneof![
        3 => Just(""),
        1 => Just("context.useConcurrentLocks = true"),
        1 => Just("context.taskLockType = \"SHARED\""),
    ];
    let query = prop_oneof![3 => Just(""), 1 => Just("granularitySpec.queryGranularity = \"HOUR\"")];
    let typed = prop_oneof![
        4 => proptest::sample::select(TYPED).prop_map(|typed| format!("intervals = {typed}")),
        1 => Just(String::new()),
    ];
    let segment = prop_oneof![
        8 => proptest::sample::select(GRANULARITIES).prop_map(|name| format!("segmentGranularity = \"{name}\"")),
        1 => Just(
            "segmentGranularity = {\"type\":\"period\",\"period\":\"P1D\",\"timeZone\":\"America/New_York\"}".to_owned()
        ),
        1 => Just("granularitySpec.type = \"arbitrary\"".to_owned()),
        1 => Just("segmentGranularity = {\"type\":\"period\",\"period\":\"PT4H\"}".to_owned()),
    ];
    (mode, parts, context, query, typed, segment).prop_map(|(mode, parts, context, query, typed, segment)| {
        [mode, parts, context, query, &typed, &segment].join("\n")
    })
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let row = (14u32..19, 0u32..24, 0u32..4)
        .prop_map(|(day, hour, quarter)| format!("2026-07-{day}T{hour:02}:{:02}:07Z", quarter * 15 + 3));
    let rows = proptest::collection::vec(proptest::collection::vec(row, 0..4), 1..3);
    let kind = prop_oneof![Just(LockType::Exclusive), Just(LockType::Append), Just(LockType::Replace)];
    let lock = proptest::option::weighted(
        0.15,
        (kind, proptest::sample::select(CHUNKS).prop_map(str::to_owned), prop_oneof![Just(25), Just(75)]),
    );
    let release = prop_oneof![Just(33), Just(37)];
    (segments(), spec(), release, lock, rows)
        .prop_map(|(segments, spec, release, lock, rows)| Case { segments, spec, release, lock, rows })
        .prop_filter("what the server refuses has no rows", |case| {
            let ground = case.ground();
            druid::spec::refusals(&ground.task, ground.release).is_empty()
        })
}

/// What `druid::ingest` makes of it; none for what never ends (waits, hangs).
pub(crate) fn happens(ground: &Ground, rows: &Rows) -> Result<Real, Outcome> {
    let situation = Situation {
        timeline: &ground.timeline,
        unused: &[] as &[SegmentId],
        locks: &ground.locks,
        release: ground.release,
        lock_version: ground.now,
    };
    let (succeeded, segments) = match ingest::run(&situation, &ground.task, rows) {
        ingest::Outcome::Success(published) => (true, published.segments),
        ingest::Outcome::Failed { .. } => (false, Vec::new()),
        ingest::Outcome::FailedInPart { published, .. } => (false, published.segments),
        ingest::Outcome::Waits { .. } => return Err(Outcome::Waits),
        ingest::Outcome::Hangs { .. } => return Err(Outcome::Hangs),
        other => panic!("no batch ends as {other:?}"),
    };
    let added: Vec<NewHolder> = segments.iter().map(NewHolder::from).collect();
    let after = ground.timeline.with(&added, &[]).unwrap();
    let mut visible: Vec<Entry> = after
        .visible()
        .iter()
        .map(|piece| {
            let holder = after.holder(piece.holder).unwrap();
            Entry {
                interval: piece.interval,
                true_interval: holder.interval,
                version: match holder.new {
                    true => EntryVersion::New,
                    false => EntryVersion::Old(holder.version.to_owned()),
                },
                tombstone: holder.tombstone,
                appended: !holder.new && !holder.added.is_empty(),
            }
        })
        .collect();
    visible.sort();
    let overshadowed: BTreeSet<String> = after.overshadowed().map(|row| ground.set.id(row)).collect();
    Ok(Real { succeeded, visible, overshadowed })
}

/// A run that waits first may be foreseen by what it does once it has its locks, with the wait among the conflicts.
pub(crate) fn unforeseen_end(forecast: &Forecast, outcome: Outcome) -> Option<String> {
    let outcomes: Vec<Outcome> = forecast.worlds.iter().map(|world| world.outcome).collect();
    let waits = forecast.conflicts.iter().any(|conflict| conflict.stand == Stand::WaitsFor);
    let foreseen = outcomes.contains(&outcome) || (outcome == Outcome::Waits && waits);
    (!foreseen).then(|| format!("{outcome:?}, foreseen {outcomes:?}"))
}
