//! A replace beside appends that run now, over a chunk for which it may publish nothing (facts 7.3).
//!
//! What was appended meanwhile is to be carried over into the replace's version, and there is none for that chunk: 33
//! fails the whole replace, 37 hides the older data of the chunk.

use druid::interval::Interval;
use druid::lock::LockType;
use druid::order::Order as _;
use druid::release::Release;
use druid::spec::is_stream;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::forecast::FateKind;
use crate::words::{agreeing, intervals, listed};

pub(super) const NAME: &str = "append-meets-replace";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(lock)) = (seen.batch().filter(|_| seen.overwrites()), &seen.forecast.lock) else {
        return Vec::new();
    };
    let Some(world) = seen.worst.filter(|_| lock.kind == Ok(LockType::Replace)) else { return Vec::new() };
    let leaves = |kind: FateKind| kind.may().iter().any(|k| matches!(k, FateKind::Kept | FateKind::Nothing));
    let left: Vec<Interval> =
        world.fates.iter().filter(|fate| leaves(fate.kind)).map(|fate| fate.interval).collect();
    // Who holds a chunk is known from the locks; where a stream without one will append, nobody knows.
    let held = seen.forecast.beside.iter().filter(|beside| beside.kind == LockType::Append);
    let held = held.filter(|beside| left.iter().any(|chunk| chunk.overlaps(beside.interval)));
    let (locks, effective) = (seen.question.locks, &seen.forecast.effective);
    let streams = seen.question.running.iter().filter(|running| {
        is_stream(&running.kind)
            && running.touches(effective)
            && !locks.iter().any(|held| !held.revoked && running.may_hold(held))
    });
    let mut names: Vec<&str> =
        held.map(|beside| beside.task_id.as_str()).chain(streams.map(|stream| stream.id.as_str())).collect();
    names.order();
    names.dedup();
    if names.is_empty() || left.is_empty() || !world.outcome.publishes() {
        let why = "Nobody appends now to a chunk for which the run may publish nothing.";
        return vec![Finding::pass(NAME, "No append can get between", why)];
    }
    let saw = names.iter().fold(Saw::new(NAME), |saw, name| saw.text(name));
    let saw = left.iter().fold(saw, |saw, interval| saw.text(&interval.short()));
    let who = listed(names.iter().map(|name| (*name).to_owned()), 2);
    let ends = if seen.question.release < Release::major(37) {
        "the whole run fails when it publishes (a NullPointerException)"
    } else {
        "what was there before is hidden, although this run has no row for it"
    };
    let title = format!("An append by {who} could get between");
    let appends = agreeing(names.len() as u64, "appends", "append");
    let why = format!(
        "The run may publish nothing for {}. If {who} {appends} there before it ends, {ends}. Wait for it, or replace with \
         dropExisting where every chunk holds rows.",
        intervals(&left, 3)
    );
    let drop = edits::fix("Empty chunks without rows", vec![edits::drop_existing(batch, true)]);
    let fix = drop.filter(|_| !batch.drop_existing && !seen.forecast.typed.is_empty());
    vec![Finding::warn(NAME, title, why).number(names.len() as u64).saw(&saw).fix(fix)]
}
