//! The forecast against runs recorded from a real Druid 33 and 37.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the shares that agree are the product's claim: they are printed"
)]

mod agree;
mod recorded;

use std::collections::{BTreeMap, BTreeSet};

use backfill::audit::{Expected, Seen, compare};
use backfill::forecast::Known;
use druid::spec::Body;
use recorded::{Run, runs};

/// The first part of a kind: `replace` of `replace.unaligned`.
fn family(kind: &str) -> &str {
    kind.split('.').next().unwrap_or(kind)
}

/// Asks `check` about each run; prints how many agree by kind, and fails on those that do not.
fn all_agree(runs: &[&Run], check: impl Fn(&Run) -> Option<String>) {
    let mut shares: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for run in runs {
        let difference = check(run);
        let share = shares.entry(&run.kind).or_default();
        share.0 += usize::from(difference.is_none());
        share.1 += 1;
        if let Some(difference) = difference {
            wrong.push(format!("{}: {difference}", run.name));
        }
    }
    for (kind, (agree, of)) in &shares {
        println!("{kind}: {agree} of {of}");
    }
    let (agree, of) = shares.values().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
    println!("all: {agree} of {of}");
    let shown = wrong.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    let names = wrong.iter().filter_map(|text| text.split(':').next()).collect::<Vec<_>>().join(" ");
    assert!(wrong.is_empty(), "{} runs came out otherwise: {names}\n{shown}", wrong.len());
}

/// With the rows known there is exactly one world, and it is what happened. A run whose rows nobody knows only lies in a
/// world; a kill reads none.
fn foreseen(run: &Run) -> Option<String> {
    let is_kill = family(&run.kind) == "kill";
    let known = match run.known() {
        Some(known) => known,
        None if is_kill => Known::default(),
        None => return lies_in_a_world(run),
    };
    let forecast = run.forecast(&known);
    match forecast.worlds.as_slice() {
        [world] if world.is_certain() => {
            let deleted = || {
                let deleted: BTreeSet<&str> = world.deleted.iter().map(String::as_str).collect();
                let real = run.deleted();
                (is_kill && real != deleted).then(|| format!("deleted {deleted:?}, real {real:?}"))
            };
            run.real().differs_from(&run.set, &forecast, world).or_else(deleted)
        }
        worlds => {
            Some(format!("{} worlds: {:?}", worlds.len(), worlds.iter().map(|w| &w.when).collect::<Vec<_>>()))
        }
    }
}

/// With the rows withheld what happened lies in one of the worlds.
fn lies_in_a_world(run: &Run) -> Option<String> {
    let (forecast, real) = (run.forecast(&Default::default()), run.real());
    let reasons: Vec<String> =
        forecast.worlds.iter().map_while(|world| real.lies_outside(&forecast, world)).collect();
    (reasons.len() == forecast.worlds.len()).then(|| reasons.join("\n"))
}

fn all() -> Vec<&'static Run> {
    runs().iter().collect()
}

#[test]
fn every_recorded_run_is_foreseen() {
    let withheld = all().iter().filter(|run| run.known().is_none() && family(&run.kind) != "kill").count();
    println!("{withheld} whose rows the recording does not know");
    all_agree(&all(), foreseen);
}

#[test]
fn with_the_rows_withheld_every_recorded_run_lies_in_a_world() {
    all_agree(&all(), lies_in_a_world);
}

#[test]
fn a_compaction_is_known_from_the_segments_alone_where_each_falls_whole_into_a_chunk() {
    let mut runs = all();
    runs.retain(|run| matches!(run.task.body, Body::Compact(_)));
    let certain = |run: &&Run| match run.forecast(&Known::default()).worlds.as_slice() {
        [world] => world.is_certain(),
        _ => false,
    };
    let (sure, of) = (runs.iter().filter(|run| certain(run)).count(), runs.len());
    println!("{sure} of {of} compactions have one result whatever the rows");
    runs.retain(certain);
    assert!(!runs.is_empty());
    all_agree(&runs, |run| {
        let forecast = run.forecast(&Known::default());
        run.real().differs_from(&run.set, &forecast, forecast.worlds.first()?)
    });
}

/// What the audit says of what was there afterwards; none when it is as foreseen.
fn audited(run: &Run, known: &Known) -> Option<String> {
    let forecast = run.forecast(known);
    let expected = Expected::of(&forecast, &run.timeline)?;
    let kept = serde_json::to_string(&expected).unwrap();
    let expected: Expected = serde_json::from_str(&kept).unwrap();
    let audit = compare(&expected, &Seen::of(&run.timeline_after(), &expected.intervals()));
    (!audit.is_as_foreseen()).then(|| audit.note().line)
}

fn successes() -> Vec<&'static Run> {
    let mut runs = all();
    runs.retain(|run| run.succeeded() && run.known().is_some());
    runs
}

#[test]
fn every_recorded_success_is_audited_as_foreseen() {
    all_agree(&successes(), |run| audited(run, &run.known().unwrap()));
}

#[test]
fn every_recorded_success_is_audited_as_one_of_the_results_foreseen_without_its_rows() {
    all_agree(&successes(), |run| audited(run, &Known::default()));
}

#[test]
fn a_run_that_did_nothing_is_never_audited_as_foreseen_where_something_was_to_change() {
    all_agree(&successes(), |run| {
        let forecast = run.forecast(&run.known().unwrap());
        let expected = Expected::of(&forecast, &run.timeline)?;
        let audit = compare(&expected, &Seen::of(&run.timeline, &expected.intervals()));
        let was_to_change = run.visible_after() != run.visible_before();
        (audit.is_as_foreseen() == was_to_change).then(|| format!("{was_to_change}: {}", audit.note().line))
    });
}
