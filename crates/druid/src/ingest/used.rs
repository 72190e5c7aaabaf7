//! What a task action fetches: the used segments over some intervals, those of them that are visible.
//!
//! What it does not do: filter by creation time (REPLACE locks).

use crate::interval::{Interval, condense};
use crate::order::Order as _;
use crate::segment::compare_versions;
use crate::timeline::{Holder, HolderId, Timeline};

/// Full intervals of the used segments that overlap `within` and are visible in a complete timeline of just these,
/// sorted, without repeats: `retrieveUsedSegmentsForIntervals(…, ONLY_VISIBLE)`.
///
/// A segment counts that is hidden everywhere, if what hides it lies outside `within`; and one that is hidden inside,
/// if it sticks out.
pub fn used_and_visible(timeline: &Timeline, within: &[Interval]) -> Vec<Interval> {
    let mut fetched: Vec<HolderId> =
        within.iter().flat_map(|interval| timeline.overlapping(*interval)).collect();
    fetched.order();
    fetched.dedup();
    let mut served: Vec<HolderId> = within
        .iter()
        .flat_map(|interval| timeline.visible().overlapping(*interval).map(|piece| piece.holder))
        .collect();
    served.order();
    served.dedup();
    // What lies inside is hidden by what is fetched as well, so there the whole timeline says the same.
    let sticks_out = |holder: &Holder<'_>| !within.iter().any(|interval| interval.contains(holder.interval));
    let shows = |id: &HolderId| {
        let holder = timeline.holder(*id).filter(|holder| holder.complete)?;
        let visible = served.binary_search(id).is_ok()
            || (sticks_out(&holder) && !hidden_by(timeline, &holder, &fetched));
        visible.then_some(holder.interval)
    };
    let mut intervals: Vec<Interval> = fetched.iter().filter_map(shows).collect();
    intervals.order();
    intervals.dedup();
    intervals
}

fn hidden_by(timeline: &Timeline, holder: &Holder<'_>, others: &[HolderId]) -> bool {
    let above = others.iter().filter_map(|id| timeline.holder(*id)).filter(|other| {
        other.complete
            && other.interval.overlaps(holder.interval)
            && compare_versions(other.version, holder.version).is_gt()
    });
    let covered = condense(above.map(|other| other.interval));
    covered.iter().any(|cover| cover.start <= holder.interval.start && holder.interval.end <= cover.end)
}
