//! A replace beside appends that run now, over a chunk for which it may publish nothing (facts 7.3).
//!
//! What was appended meanwhile is to be carried over into the replace's version, and there is none for that chunk: 33
//! fails the whole replace, 37 hides the older data of the chunk.

use druid::lock::{LockType, resolve};
use druid::order::Order as _;
use druid::release::Release;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::forecast::FateKind;
use crate::words::{intervals, listed};

pub(super) const NAME: &str = "append-meets-replace";

/// Tasks that append while they run.
const STREAMS: [&str; 3] = ["index_kafka", "index_kinesis", "index_rabbit"];

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(world)) = (seen.batch().filter(|_| seen.overwrites()), seen.worst) else {
        return Vec::new();
    };
    if resolve(batch.mode, &seen.question.task.context).kind != Ok(LockType::Replace) {
        return Vec::new();
    }
    let effective = &seen.forecast.effective;
    let held = seen.question.locks.iter().filter(|lock| {
        lock.kind == LockType::Append && effective.iter().any(|stretch| stretch.overlaps(lock.interval))
    });
    let streams = seen
        .question
        .running
        .iter()
        .filter(|running| STREAMS.contains(&running.kind.as_str()) && running.touches(effective));
    let mut names: Vec<&str> =
        held.map(|lock| lock.group_id.as_str()).chain(streams.map(|running| running.id.as_str())).collect();
    names.order();
    names.dedup();
    let empty: Vec<_> = world
        .fates
        .iter()
        .filter(|fate| fate.kind.may().iter().any(|kind| matches!(kind, FateKind::Kept | FateKind::Nothing)))
        .map(|fate| fate.interval)
        .collect();
    if names.is_empty() || empty.is_empty() {
        let why = "Nobody appends in range now, or every chunk gets something new.";
        return vec![Finding::pass(NAME, "No append can get between", why)];
    }
    let saw = names.iter().fold(Saw::new(NAME), |saw, name| saw.text(name));
    let saw = empty.iter().fold(saw, |saw, interval| saw.text(&interval.short()));
    let who = listed(names.iter().map(|name| (*name).to_owned()), 2);
    let ends = if seen.question.release < Release::major(37) {
        "the whole run fails when it publishes (a NullPointerException)"
    } else {
        "what was there before is hidden, although this run has no row for it"
    };
    let title = format!("An append by {who} could get between");
    let why = format!(
        "The run may publish nothing for {}. If {who} appends there before it ends, {ends}. Wait for it, or replace with \
         dropExisting where every chunk holds rows.",
        intervals(&empty, 3)
    );
    let drop = edits::fix("Empty chunks without rows", vec![edits::drop_existing(batch, true)]);
    let fix = drop.filter(|_| !batch.drop_existing && !seen.forecast.typed.is_empty());
    vec![Finding::warn(NAME, title, why).number(names.len() as u64).saw(&saw).fix(fix)]
}
