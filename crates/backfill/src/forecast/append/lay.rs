//! Laying fates over what is visible: each fate gets the old pieces under it.
//!
//! What always holds: fates come out sorted and disjoint; a piece is cut at the ends of fates and belongs to one.

use druid::ingest::Place;
use druid::interval::Interval;
use druid::order::Order as _;
use druid::timeline::{NewHolder, Timeline};

use crate::forecast::World;
use crate::forecast::fate::{Becomes, Fate, FateKind, OldPiece};

/// Fills `world.fates` and `world.old` from fates that are sorted and disjoint.
pub(super) fn lay(timeline: &Timeline, world: &mut World, fates: Vec<Fate>) {
    for mut fate in fates {
        let from = world.old.len() as u32;
        for piece in timeline.visible().within(fate.interval) {
            let Some(holder) = timeline.holder(piece.holder) else { continue };
            let becomes = match fate.kind {
                FateKind::Appended => Becomes::Grows,
                FateKind::AppendedOrKept => Becomes::MayGrow,
                _ => Becomes::Stays,
            };
            world.old.push(OldPiece {
                interval: piece.interval,
                holder: piece.holder,
                holds_data: !holder.tombstone,
                becomes,
            });
        }
        fate.over = from..world.old.len() as u32;
        world.fates.push(fate);
    }
}

/// Sorted and without overlaps. Chunks explored one by one can speak of the same wider segment: the one that leaves more
/// open counts, unless another is certain to add to it.
pub(super) fn disjoint(mut fates: Vec<Fate>) -> Vec<Fate> {
    let weight = |kind: FateKind| match kind {
        FateKind::Appended => 0,
        FateKind::Mixed => 1,
        FateKind::AppendedOrKept => 2,
        _ => 3,
    };
    fates.order_by_key(|fate| (fate.interval.start, std::cmp::Reverse(fate.interval.end), weight(fate.kind)));
    let mut kept: Vec<Fate> = Vec::new();
    for fate in fates {
        if kept.last().is_none_or(|last| !last.interval.overlaps(fate.interval)) {
            kept.push(fate);
        }
    }
    kept
}

/// What a place publishes, as the timeline takes it.
pub(super) fn published(place: &Place) -> NewHolder {
    NewHolder::appended(place.interval, &place.version, place.partition, place.core)
}

/// What of `fates` (sorted, disjoint) lies outside `taken` (condensed); a fate that is cut keeps its kind.
pub(super) fn outside(fates: Vec<Fate>, taken: &[Interval], count: impl Fn(Interval) -> u64) -> Vec<Fate> {
    let mut left = Vec::new();
    for fate in fates {
        let from = taken.partition_point(|other| other.end <= fate.interval.start);
        let over = taken.get(from..).unwrap_or_default();
        let until = over.partition_point(|other| other.start < fate.interval.end);
        let over = over.get(..until).unwrap_or_default();
        if over.is_empty() {
            left.push(fate);
            continue;
        }
        for interval in druid::interval::subtract(&[fate.interval], over) {
            left.push(Fate { interval, chunks: count(interval), ..fate.clone() });
        }
    }
    left
}
