//! What each run of chunks is to an append: told by rule, or to be explored.
//!
//! What always holds: a chunk counts as empty or covered only where every row in it meets the same, whatever came before.
//! What it does not do: say what comes of it.

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval};
use druid::lock::LockType;
use druid::order::Order as _;
use druid::segment::compare_versions;
use druid::timeline::HolderId;

use super::Site;
use super::slots::Ladder;
use crate::forecast::frame::{Cell, Frame};
use crate::forecast::known::Presence;
use crate::forecast::locking::{LockMoment, moment};

/// What a cell is to an append.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// No row comes.
    NoRows,
    /// Nothing is there, and nothing stands in the way.
    Empty,
    /// It lies whole under one served holder, which its rows join.
    Covered(HolderId),
    /// Existing segments, locks or unused ids are in the way: explored.
    Blocked,
}

pub(super) fn sort(site: &Site<'_>, cell: &Cell, wide: &[Interval], ladder: &Ladder) -> Sort {
    if cell.presence == Presence::NoRows {
        Sort::NoRows
    } else if ladder.takes_own(site.segment) && is_empty(site, cell, wide) {
        Sort::Empty
    } else {
        covering(site, cell, wide).map_or(Sort::Blocked, Sort::Covered)
    }
}

/// Neighbouring cells with candidates that reach from one into the next. Where time chunks nest each is alone.
pub(super) fn groups<'f>(
    frame: &'f Frame<'_>,
    sorts: &[Sort],
    ladder: &Ladder,
) -> Vec<Vec<(&'f Cell, Sort)>> {
    let mut groups: Vec<Vec<(&Cell, Sort)>> = Vec::new();
    for (cell, sort) in frame.cells.iter().zip(sorts) {
        let start = cell.run.interval.start;
        match groups.last_mut() {
            Some(group)
                if group.last().is_some_and(|(last, _)| last.run.interval.end == start)
                    && !ladder.is_clean(start) =>
            {
                group.push((cell, *sort));
            }
            _ => groups.push(vec![(cell, *sort)]),
        }
    }
    groups
}

/// The chunks of a run that is explored; none when they are too many. Chunks of one run under the same segment meet the
/// same, so the first speaks for all.
pub(super) fn parts(frame: &Frame<'_>, cell: &Cell) -> Option<Vec<Interval>> {
    match frame.chunking.granularity() {
        _ if cell.run.chunks == 1 || !frame.under(cell).is_empty() => Some(vec![cell.run.interval]),
        Some(granularity) if cell.run.chunks <= 4 => Some(granularity.buckets(cell.run.interval).collect()),
        _ => None,
    }
}

/// Used segments in range that are wider than a chunk and hidden where they lie: allocation sees them all the same.
pub(super) fn wide(frame: &Frame<'_>) -> Vec<Interval> {
    let timeline = frame.q.timeline;
    let mut wide = Vec::new();
    for stretch in &frame.effective {
        for id in timeline.overlapping(*stretch) {
            let Some(holder) = timeline.holder(id).filter(|holder| holder.complete) else { continue };
            let in_one = frame.chunking.chunk(holder.interval.start.max(stretch.start));
            if in_one.is_none_or(|chunk| !chunk.contains(holder.interval)) {
                wide.push(holder.interval);
            }
        }
    }
    wide.order();
    wide.dedup();
    wide
}

/// A chunk with nothing in it that nothing stands in the way of.
fn is_empty(site: &Site<'_>, cell: &Cell, wide: &[Interval]) -> bool {
    let frame = site.frame;
    let run = cell.run.interval;
    // ALL with intervals asks for eternity first, whatever was locked.
    let odd = *site.segment == Granularity::All && !frame.is_open();
    let touched = |interval: Interval| interval.overlaps(run);
    frame.under(cell).is_empty()
        && !odd
        && !wide.iter().copied().any(touched)
        && !site.others.iter().any(|held| touched(held.interval))
        && !site.unused.iter().any(|id| touched(id.interval))
        && (cell.run.chunks > 4 || fits_query(site, run))
}

/// Whether a row's whole query chunk lies in its time chunk, as allocation demands.
pub(super) fn fits_query(site: &Site<'_>, run: Interval) -> bool {
    let query = &site.frame.batch.granularity.query;
    // All of time has no chunks at its ends; any other will do.
    let sample = if crate::forecast::chunks::is_unbounded(run) { Instant::EPOCH } else { run.start };
    let chunk = site.segment.bucket(sample);
    query.bucket(chunk.start).start == chunk.start && query.bucket(chunk.end).start == chunk.end
}

/// Whether no row at all fits: its query chunk is as long as the time chunk, or longer, and no chunk for itself.
pub(super) fn never_fits(site: &Site<'_>, run: Interval) -> bool {
    let sample = if crate::forecast::chunks::is_unbounded(run) { Instant::EPOCH } else { run.start };
    let query = site.frame.batch.granularity.query.bucket(sample);
    !fits_query(site, run) && query.duration_ms() >= site.segment.bucket(sample).duration_ms()
}

/// The one served holder that a run of chunks lies whole under, if its rows join it whatever they are.
fn covering(site: &Site<'_>, cell: &Cell, wide: &[Interval]) -> Option<HolderId> {
    let frame = site.frame;
    let timeline = frame.q.timeline;
    let run = cell.run.interval;
    let [only] = frame.under(cell) else { return None };
    let holder = timeline.holder(only.holder)?;
    let whole = only.interval == run
        && holder.interval.start <= run.start
        && run.end <= holder.interval.end
        && fits_query(site, run);
    let alone = timeline.visible().overlapping(holder.interval).count() == 1
        && wide.iter().all(|other| *other == holder.interval || !other.overlaps(run));
    let plain = holder.highest().is_some_and(|(_, core)| core.is_some());
    let publishable =
        site.kind == LockType::Append || compare_versions(holder.version, &frame.lock_version).is_le();
    let free = !site.others.iter().any(|held| held.interval.overlaps(holder.interval));
    // Locks that depend on the rows are explored.
    let locks_known = match moment(frame) {
        LockMoment::UpFront | LockMoment::PerChunk => true,
        LockMoment::AfterScan => holder.interval == run && cell.run.chunks == 1,
    };
    (whole && alone && plain && publishable && free && locks_known).then_some(only.holder)
}
