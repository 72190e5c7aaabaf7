//! Retention rules and kill tasks: what is written would be dropped again, or what it hides would be gone for good.
//!
//! The Coordinator asks the rules about each segment by itself, so here they are asked about each chunk that gets one: of
//! a range that reaches beyond what is kept, the chunks beyond are dropped and the others are not.

use druid::interval::Interval;

use super::saw::Saw;
use super::surroundings::Retention;
use super::{Finding, Seen};
use crate::forecast::FateKind;
use crate::forecast::chunks::Chunking;
use crate::words::{agreeing, count, intervals, listed, number};

pub(super) const NAME: &str = "retention";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    if seen.batch().is_none() {
        return Vec::new();
    }
    rules(seen).into_iter().chain(kills(seen)).collect()
}

/// Chunks that get segments which no server would keep.
fn rules(seen: &Seen<'_>) -> Option<Finding> {
    let (rules, now) = (&seen.around.retention, seen.question.now);
    let written = written(seen);
    if rules.is_empty() || written.is_empty() {
        return None;
    }
    let mut gone: Vec<Interval> = Vec::new();
    let (mut dropped, mut all) = (0u64, 0u64);
    let mut by: Vec<&str> = Vec::new();
    for (stretch, chunk, chunks) in written {
        all = all.saturating_add(chunks);
        if let Some(rule) = Retention::dropping(rules, chunk, now) {
            dropped = dropped.saturating_add(chunks);
            gone.push(stretch);
            by.push(&rule.name);
        }
    }
    by.dedup();
    let Some(first) = by.first() else {
        let why = "No retention rule of the datasource drops a chunk that it writes.";
        return Some(Finding::pass(NAME, "What is written is kept", why));
    };
    let ranges = intervals(&druid::interval::condense(gone), 3);
    let saw = by.iter().fold(Saw::new(NAME).text(&ranges), |saw, rule| saw.text(rule));
    let why = format!(
        "{} of the datasource says that segments of {ranges} are not kept: the Coordinator would mark the new ones unused \
         soon after the run, and they would never be served.",
        listed(by.iter().map(|rule| (*rule).to_owned()), 2)
    );
    let finding = if dropped == all {
        let title = format!("A retention rule drops what is written: {first}");
        Finding::stop(NAME, title, why)
    } else {
        let (verb, of) = (agreeing(dropped, "is", "are"), count(all, "chunk"));
        let title = format!("{} of {of} {verb} dropped by a retention rule: {first}", number(dropped));
        Finding::warn(NAME, title, why)
    };
    Some(finding.number(dropped).saw(&saw))
}

/// What may get segments: stretches of chunks that all rules treat alike, one chunk of each, and how many there are.
/// Chunks that nobody can count are left out.
fn written(seen: &Seen<'_>) -> Vec<(Interval, Interval, u64)> {
    let (Some(batch), Some(world)) = (seen.batch(), seen.worst) else { return Vec::new() };
    let now = seen.question.now;
    let edges: Vec<_> = seen.around.retention.iter().flat_map(|rule| rule.edges(now)).collect();
    let chunking = Chunking::of(&batch.granularity);
    let gets =
        |kind: FateKind| kind.may().iter().any(|may| matches!(may, FateKind::New | FateKind::Appended));
    let mut written = Vec::new();
    for fate in world.fates.iter().filter(|fate| gets(fate.kind)) {
        match (fate.chunks, chunking.granularity()) {
            (u64::MAX, _) => {}
            (2.., Some(granularity)) => {
                let runs = chunking.runs(fate.interval, edges.iter().copied());
                written.extend(runs.into_iter().filter_map(|run| {
                    let chunk = granularity.buckets(run.interval).next()?;
                    Some((run.interval, chunk, run.chunks))
                }));
            }
            (chunks, _) => written.push((fate.interval, fate.interval, chunks)),
        }
    }
    written
}

/// Kill tasks at work in range.
fn kills(seen: &Seen<'_>) -> Option<Finding> {
    if seen.forecast.typed.is_empty() || !seen.overwrites() {
        return None;
    }
    let running = seen.question.running.iter().filter(|running| {
        running.kind == "kill" && !running.intervals.is_empty() && running.touches(&seen.forecast.effective)
    });
    let kills: Vec<String> = running.map(|running| running.id.clone()).collect();
    if kills.is_empty() {
        return None;
    }
    let saw = kills.iter().fold(Saw::new(NAME), |saw, id| saw.text(id));
    let number = kills.len() as u64;
    let (verb, they) = (agreeing(number, "deletes", "delete"), agreeing(number, "it has", "they have"));
    let title = format!("{} {verb} unused segments in range", listed(kills.clone(), 2));
    let why = format!(
        "What this run overshadows is marked unused after a while, and a kill task deletes unused segments for good: the way \
         back would be gone. Wait until {they} ended."
    );
    Some(Finding::warn(NAME, title, why).number(number).saw(&saw))
}
