//! Tasks that work on the same range at the same time, each with its lock: appends beside a replace (facts 7.2, 7.3).
//!
//! What always holds: who may work beside whom is `druid::lock`'s word. What an append commits before the replace does is
//! carried over into the new version; in a chunk where the replace publishes nothing that goes wrong, and every such end
//! is a world.
//!
//! What it does not do: guess what others append. Where all rows are known, `race` says it.

use druid::interval::Interval;
use druid::lock::{Held, LockType, coexist};
use druid::order::Order as _;
use druid::release::Release;

use super::fate::{Becomes, FateKind, Reason};
use super::frame::Frame;
use super::locking::{self, LockWish};
use super::{Outcome, Question, World};
use crate::words;

/// A lock of somebody else on the range that is in nobody's way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Who holds it: the task, or its group where only that is known.
    pub task_id: String,
    /// What is held.
    pub interval: Interval,
    /// The kind held.
    pub kind: LockType,
    /// What comes of working side by side, in one sentence.
    pub why: String,
}

/// Every lock of others on the range that the run's own lock can stand beside.
pub(super) fn beside(question: &Question<'_>, wish: &LockWish) -> Vec<Beside> {
    let Ok(kind) = wish.kind else { return Vec::new() };
    let own = locking::group(question);
    let others = question.locks.iter().filter(|held| !held.revoked && held.group_id != own);
    let with = others.filter(|held| {
        let mut over = wish.intervals.iter().filter(|on| on.overlaps(held.interval)).peekable();
        over.peek().is_some() && over.all(|on| coexist(kind, *on, held.kind, held.interval))
    });
    with.map(|held| {
        let task_id = name(held);
        let why = why(kind, held.kind, &task_id, question.release);
        Beside { task_id, interval: held.interval, kind: held.kind, why }
    })
    .collect()
}

fn name(held: &Held) -> String {
    held.task_id.clone().unwrap_or_else(|| held.group_id.clone())
}

fn why(own: LockType, held: LockType, task: &str, release: Release) -> String {
    match (own, held) {
        (LockType::Append, LockType::Replace) => {
            let trouble = if release < Release::major(37) {
                "its commit fails where it publishes nothing in their chunk"
            } else {
                "where it publishes nothing in their chunk, their copy hides what else is there"
            };
            format!(
                "{task} replaces around it: rows are appended to the version that is there now, and copied into its version \
                 when it commits; {trouble}."
            )
        }
        (LockType::Replace, LockType::Append) => {
            format!(
                "{task} appends inside: what it commits before this run does is carried over into the new version; what it has \
                 only been given a place for by then (pending segments) gets a second place in the new version, and is \
                 published in both, so that none of it is hidden."
            )
        }
        _ => format!("{task} writes there as well, and neither is in the other's way."),
    }
}

/// Ends that a replace under a REPLACE lock comes to when tasks that append beside it commit before it does. `base`: the
/// world in which they do not.
pub(super) fn appended_meanwhile(
    frame: &Frame<'_>,
    wish: &LockWish,
    beside: &[Beside],
    base: &World,
) -> Vec<World> {
    let appending: Vec<&Beside> = beside.iter().filter(|held| held.kind == LockType::Append).collect();
    let publishes =
        |kind: FateKind| kind.may().iter().any(|k| matches!(k, FateKind::New | FateKind::Tombstone));
    let some = base.fates.iter().any(|fate| publishes(fate.kind));
    if wish.kind != Ok(LockType::Replace) || appending.is_empty() || !some {
        return Vec::new();
    }
    let under = |interval: Interval| appending.iter().any(|held| held.interval.overlaps(interval));
    let leaves = |kind: FateKind| kind.may().iter().any(|k| matches!(k, FateKind::Kept | FateKind::Nothing));
    let mut names: Vec<&str> = appending.iter().map(|held| held.task_id.as_str()).collect();
    names.order();
    names.dedup();
    let names = words::listed(names.into_iter().map(str::to_owned), 2);
    let rows = |stretches: &[Interval]| {
        format!("rows of {names} in {} before this run publishes", words::intervals(stretches, 3))
    };
    let mut worlds = Vec::new();
    let fails = |stretches: &[Interval], words: &str| World {
        by_others: true,
        ..super::overwrite::fails(frame, &rows(stretches), words.to_owned())
    };

    // What is appended to takes the interval of the segment that is there.
    let wider = |piece: &super::OldPiece| {
        let holder = frame.q.timeline.holder(piece.holder)?;
        let chunk = frame.chunking.chunk(piece.interval.start)?;
        // Its lock has to lie inside the run's.
        let inside = wish.intervals.iter().any(|on| on.contains(holder.interval));
        (inside && !chunk.contains(holder.interval) && under(holder.interval)).then_some(holder.interval)
    };
    let over_new = base.fates.iter().filter(|fate| publishes(fate.kind));
    let mut coarse: Vec<Interval> = over_new.flat_map(|fate| base.under(fate)).filter_map(wider).collect();
    coarse.order();
    coarse.dedup();
    if !coarse.is_empty() {
        let words = "Failed to publish segments because of [org.apache.druid.error.DruidException: Replacing with a finer \
                     segment granularity than a concurrent append is unsupported. …]";
        worlds.push(fails(&coarse, words));
    }

    let left: Vec<Interval> = (base.fates.iter())
        .filter(|fate| leaves(fate.kind) && under(fate.interval))
        .map(|fate| fate.interval)
        .collect();
    if left.is_empty() {
        return worlds;
    }
    if frame.q.release < Release::major(37) {
        let words = "Failed to publish segments because of [java.lang.NullPointerException …]: rows were appended \
                     meanwhile in a chunk of the locked range for which this run publishes nothing.";
        worlds.push(fails(&left, words));
        return worlds;
    }
    let mut world = base.clone();
    world.when = rows(&left);
    world.by_others = true;
    world.reason = Some(format!(
        "What {names} appends where this run publishes nothing is copied into the new version, and the copy hides what else \
         is there, though the run has no rows for it."
    ));
    let World { fates, old, .. } = &mut world;
    for fate in fates.iter_mut().filter(|fate| under(fate.interval)) {
        let over = fate.over.start as usize..fate.over.end as usize;
        fate.kind = match fate.kind {
            FateKind::Kept => FateKind::NewOrKept,
            FateKind::Nothing => FateKind::NewOrNothing,
            _ => continue,
        };
        fate.why = Reason::AppendedMeanwhile;
        let pieces = old.get_mut(over).unwrap_or_default();
        pieces.iter_mut().for_each(|piece| piece.becomes = Becomes::MayBeHidden);
    }
    debug_assert_eq!(world.outcome, Outcome::Success);
    worlds.push(world);
    worlds
}
