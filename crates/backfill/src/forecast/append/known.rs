//! The one world of an append whose rows are known.

use druid::order::Order as _;
use std::collections::BTreeMap;

use druid::ingest::{Allocator, NoPlace, Place, Rows};
use druid::interval::{Interval, condense};
use druid::lock::LockType;

use super::explore::above_its_lock;
use super::{Site, lay};
use crate::forecast::fate::{Born, Fate, FateKind, Reason};
use crate::forecast::locking::{LockMoment, moment};
use crate::forecast::overwrite::fails;
use crate::forecast::{Outcome, World};

pub(super) fn world(site: &Site<'_>, rows: &Rows) -> World {
    let frame = site.frame;
    let in_range = |row: &druid::interval::Instant| frame.chunking.chunk(*row).is_some();
    let locked = match moment(frame) {
        LockMoment::PerChunk => Vec::new(),
        LockMoment::UpFront | LockMoment::AfterScan => frame.effective.clone(),
    };
    let mut allocator = Allocator::new(site.ground(), &site.others, &locked);
    let mut counts: BTreeMap<Interval, u64> = BTreeMap::new();
    for row in rows.splits.iter().flatten().filter(|row| in_range(row)) {
        match allocator.allocate(*row) {
            Ok(place) => *counts.entry(place.interval).or_default() += 1,
            Err(NoPlace::Fails { row }) => return fails(frame, "", site.no_place(Some(row))),
            Err(NoPlace::Hangs { interval }) => return hangs(site, "", several_locks(site, interval)),
        }
    }
    let places: Vec<Place> = allocator.places().cloned().collect();
    if site.kind != LockType::Append
        && let Some(place) = places.iter().find(|place| above_its_lock(place))
    {
        return hangs(site, "", not_covered(site, place));
    }
    let mut world = World::new("", Outcome::Success, frame.q.timeline);
    world.added = places.iter().filter(|place| !place.lost).map(lay::published).collect();
    if places.iter().any(|place| place.lost) {
        world.reason = Some(LOST.to_owned());
    }
    let mut fates: Vec<Fate> =
        places.iter().map(|place| fate(site, place, counts.get(&place.interval).copied())).collect();
    let taken = condense(places.iter().map(|place| place.interval));
    let idle = super::unknown::idle(frame);
    fates.extend(lay::outside(idle, &taken, |interval| frame.chunking.count(interval)));
    fates.order_by_key(|fate| fate.interval);
    lay::lay(frame.q.timeline, &mut world, fates);
    world
}

/// Up to 34, an unused segment has the id that the append is given.
pub(super) const LOST: &str = "An unused segment has the very id that the append is given: what it writes there is marked \
                               unused at once. The task ends with SUCCESS and the rows are lost. Delete the unused segment \
                               with a kill task first.";

pub(super) fn fate(site: &Site<'_>, place: &Place, rows: Option<u64>) -> Fate {
    let timeline = site.frame.q.timeline;
    let chunk = site.segment.bucket(place.interval.start);
    let (kind, why) = if place.lost {
        (FateKind::Nothing, Reason::RowsLost { rows })
    } else if place.joins {
        let holder = timeline.find(place.interval, &place.version).and_then(|id| timeline.holder(id));
        let tombstone = holder.is_some_and(|holder| holder.tombstone);
        let coarser = place.interval != chunk && place.interval.contains(chunk);
        (FateKind::Appended, Reason::Joins { rows, coarser, tombstone })
    } else {
        let finer = place.interval != chunk && chunk.contains(place.interval);
        (FateKind::New, Reason::Starts { rows, finer })
    };
    Fate { interval: place.interval, chunks: 1, kind, why, born: Born::Served, over: 0..0 }
}

/// A world in which the task never ends.
pub(super) fn hangs(site: &Site<'_>, when: &str, why: String) -> World {
    let mut world = fails(site.frame, when, why);
    world.outcome = Outcome::Hangs;
    world
}

pub(super) fn several_locks(site: &Site<'_>, interval: Interval) -> String {
    format!(
        "Task group[{}] has multiple locks for the same interval[{interval}]? The Overlord answers 500, and the task tries \
         again and again: it stays RUNNING and publishes nothing.",
        site.group
    )
}

pub(super) fn not_covered(site: &Site<'_>, place: &Place) -> String {
    let what =
        if site.frame.q.release < druid::release::Release::major(34) { "Segments" } else { "Segment IDs" };
    format!(
        "{what}[…] are not covered by locks: version {} of {} is above the lock's. The Overlord answers 500, and the task \
         tries again and again: it stays RUNNING and publishes nothing.",
        place.version, place.interval
    )
}
