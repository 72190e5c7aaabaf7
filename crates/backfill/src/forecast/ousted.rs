//! Runs that are accepted and then do not get to work: the id cannot be started, or somebody takes the locks away.
//!
//! What always holds: nothing is published in these worlds, and the slot is not free again for a long time.
//! What it does not do: say how long. A task that lost its locks was seen asking on after 34 minutes (facts 7.2).

use druid::id::{IdTrouble, validate_id};
use druid::interval::Interval;
use druid::lock::{LockType, coexist};

use super::locking::{LockMoment, LockWish};
use super::{Outcome, Question, World};
use crate::words;

/// The world in which no worker can start the task: its id is accepted and is too long for a file name, or has U+0000
/// (facts 4.3).
pub(super) fn never_starts(question: &Question<'_>) -> Option<World> {
    let trouble = validate_id(question.sent_id()?).err().filter(IdTrouble::never_starts)?;
    let mut world = World::new("", Outcome::NeverStarts, question.timeline);
    world.reason = Some(format!("Of the task id: {}.", trouble.sentence()));
    Some(world)
}

/// The world in which a task that waits now, and has a higher priority, takes the locks away before the run publishes.
/// `base`: a world in which the run publishes.
pub(super) fn evicted(question: &Question<'_>, wish: &LockWish, base: &World) -> Option<World> {
    let kind = wish.kind.as_ref().ok().filter(|_| wish.moment == LockMoment::UpFront)?;
    let beside = |own: Interval, other: LockType, on: Interval| coexist(other, on, *kind, own);
    // What it will ask for is known only where it holds something already.
    let clashes = |id: &str, intervals: &[Interval]| {
        let held =
            question.locks.iter().filter(|held| held.task_id.as_deref().unwrap_or(&held.group_id) == id);
        let kinds: Vec<LockType> = held.map(|held| held.kind).collect();
        let other = kinds.first().copied().unwrap_or(LockType::Exclusive);
        let pairs = wish.intervals.iter().flat_map(|own| intervals.iter().map(move |on| (*own, *on)));
        pairs.into_iter().any(|(own, on)| own.overlaps(on) && !beside(own, other, on))
    };
    let above = question.running.iter().filter(|running| {
        running.waits
            && running.priority.is_some_and(|priority| priority > wish.priority)
            && clashes(&running.id, &running.intervals)
    });
    let names: Vec<String> = above.map(|running| running.id.clone()).collect();
    if names.is_empty() {
        return None;
    }
    let names = words::listed(names, 2);
    let mut world = base.clone();
    world.when = format!("a turn of {names} before this run has published");
    world.outcome = Outcome::Evicted;
    world.by_others = true;
    world.reason = Some(format!(
        "{names} waits with a higher priority than this run's {}. When it asks for its lock while the run works, it takes the \
         run's away: what the run publishes is then answered with 500 and tried again, and its slot stays taken until \
         somebody shuts it down.",
        wish.priority
    ));
    world.leave_all_as_it_is();
    Some(world)
}
