//! What an append can come to when it is not known which rows come: every reachable result of the allocator.
//!
//! Slots whose possible places overlap can stand in each other's way, so they are explored together; others are
//! independent. A state is the set of places given so far; from each state every slot is tried. So every alternative
//! is reached by some rows in some order, and no result is missed.
//!
//! What always holds: past [`MOST_STATES`] results the list is cut and says so, never wrong silently.
//! What it does not do: rows that are known.

use druid::order::Order as _;
use std::collections::{BTreeMap, BTreeSet};

use druid::ingest::{Allocator, NoPlace, Place};
use druid::interval::{Interval, condense};
use druid::lock::LockType;
use druid::segment::compare_versions;

/// More results than this nobody reads; the rest is said in words.
const MOST_STATES: usize = 256;

/// Slots that can stand in each other's way, and what can come of them.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// From the first slot or place to the end of the last.
    pub(super) interval: Interval,
    /// The places of each reachable result; the first is "no rows", and is there always.
    pub(super) results: Vec<Vec<Place>>,
    /// Slots of which a row can make the run fail, and whether it does so even as the first row.
    pub(super) fails: BTreeMap<Interval, bool>,
    /// Slots of which a row can make the run hang, likewise.
    pub(super) hangs: BTreeMap<Interval, bool>,
    /// Not all results are listed.
    pub(super) cut: bool,
}

impl Component {
    /// Whether no row can be here without the run ending badly.
    pub(super) fn never_takes_a_row(&self) -> bool {
        self.results.len() <= 1 && !self.cut
    }

    /// Places of a result that are there after the run: those whose rows are not lost.
    pub(super) fn kept(places: &[Place]) -> impl Iterator<Item = &Place> {
        places.iter().filter(|place| !place.lost)
    }
}

/// Explores `slots` from each of `starts` (allocators before their first row).
pub(super) fn explore(starts: &[Allocator<'_>], slots: &[Interval], kind: LockType) -> Vec<Component> {
    components(starts, slots).into_iter().map(|slots| one(starts, slots, kind)).collect()
}

/// Groups slots by whether their first places overlap, directly or through others.
fn components(starts: &[Allocator<'_>], slots: &[Interval]) -> Vec<Vec<Interval>> {
    // A stretch per slot: the slot and every free candidate over it.
    let reach = |slot: &Interval| {
        let candidates = starts.iter().flat_map(|start| start.free_candidates(slot.start));
        candidates.fold(*slot, |all, interval| Interval {
            start: all.start.min(interval.start),
            end: all.end.max(interval.end),
        })
    };
    let reaches: Vec<Interval> = slots.iter().map(reach).collect();
    // Slots are in order, but one that reaches far can hold others between.
    let mut groups: Vec<(Interval, Vec<Interval>)> = Vec::new();
    for (slot, reach) in slots.iter().zip(&reaches) {
        let mut whole = (*reach, vec![*slot]);
        while let Some((before, _)) = groups.last()
            && before.overlaps(whole.0)
        {
            if let Some((before, mut inside)) = groups.pop() {
                inside.append(&mut whole.1);
                whole = (
                    Interval { start: before.start.min(whole.0.start), end: before.end.max(whole.0.end) },
                    inside,
                );
            }
        }
        groups.push(whole);
    }
    groups.into_iter().map(|(_, slots)| slots).collect()
}

fn one(starts: &[Allocator<'_>], slots: Vec<Interval>, kind: LockType) -> Component {
    let mut results: BTreeSet<Vec<Place>> = BTreeSet::from([Vec::new()]);
    let mut seen: BTreeSet<(Vec<Place>, Vec<Interval>)> = BTreeSet::new();
    let (mut fails, mut hangs) = (BTreeMap::new(), BTreeMap::new());
    let mut cut = false;
    let mut open: Vec<(Allocator<'_>, bool)> = starts.iter().map(|start| (start.clone(), true)).collect();
    while let Some((state, first)) = open.pop() {
        for slot in &slots {
            let mut next = state.clone();
            let hang = match next.allocate(slot.start) {
                Ok(place) => kind != LockType::Append && above_its_lock(place),
                Err(NoPlace::Fails { .. }) => {
                    *fails.entry(*slot).or_insert(false) |= first;
                    continue;
                }
                Err(NoPlace::Hangs { .. }) => true,
            };
            if hang {
                *hangs.entry(*slot).or_insert(false) |= first;
                continue;
            }
            let places: Vec<Place> = next.places().cloned().collect();
            if !seen.insert((places.clone(), next.locked().collect())) {
                continue;
            }
            if seen.len() > MOST_STATES {
                cut = true;
                continue;
            }
            results.insert(places);
            open.push((next, false));
        }
    }
    let mut results: Vec<Vec<Place>> = results.into_iter().collect();
    results.order_by_key(Vec::len);
    let places = results.iter().flatten().map(|place| place.interval);
    let hull = condense(slots.iter().copied().chain(places));
    let interval = Interval {
        start: hull.first().map_or(druid::interval::Instant::MIN, |first| first.start),
        end: hull.last().map_or(druid::interval::Instant::MAX, |last| last.end),
    };
    Component { interval, results, fails, hangs, cut }
}

/// A version above the lock's cannot be published under it: `Segment IDs[…] are not covered by locks`, HTTP 500, tried
/// again for ever.
pub(super) fn above_its_lock(place: &Place) -> bool {
    compare_versions(&place.version, &place.lock_version).is_gt()
}
