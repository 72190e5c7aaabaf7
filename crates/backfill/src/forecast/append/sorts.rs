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
    /// Somebody holds it, and the run asks too late to wait: with a row there it fails before it appends any.
    ShutOut,
    /// Nothing is there, and nothing stands in the way.
    Empty,
    /// The same where the granularity is no candidate itself: rows start chunks of the longest candidate.
    Finer,
    /// It lies whole under one served holder, which its rows join.
    Covered(HolderId),
    /// Existing segments, locks or unused ids are in the way: explored.
    Blocked,
}

pub(super) fn sort(site: &Site<'_>, cell: &Cell, wide: &[Interval], ladder: &Ladder) -> Sort {
    if cell.presence == Presence::NoRows {
        Sort::NoRows
    } else if cell.shut && moment(site.frame) == LockMoment::AfterScan {
        Sort::ShutOut
    } else if ladder.takes_own(site.segment) && is_empty(site, cell, wide) && fits_own(site, cell) {
        Sort::Empty
    } else if !ladder.takes_own(site.segment)
        && is_empty(site, cell, wide)
        && falls_to_one(site, cell, ladder)
    {
        Sort::Finer
    } else {
        covering(site, cell, wide).map_or(Sort::Blocked, Sort::Covered)
    }
}

/// Neighbouring cells with candidates that reach from one into the next. Where time chunks nest each is alone; those of
/// `ALL` under locks that can stand side by side are tried all over time, so there all cells belong together.
pub(super) fn groups<'f>(site: &Site<'f>, sorts: &[Sort], ladder: &Ladder) -> Vec<Vec<(&'f Cell, Sort)>> {
    let frame = site.frame;
    let all_over =
        *site.segment == Granularity::All && matches!(site.kind, LockType::Append | LockType::Shared);
    let mut groups: Vec<Vec<(&Cell, Sort)>> = Vec::new();
    for (cell, sort) in frame.cells.iter().zip(sorts) {
        let start = cell.run.interval.start;
        match groups.last_mut() {
            Some(group)
                if all_over
                    || group.last().is_some_and(|(last, _)| last.run.interval.end == start)
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

/// A long empty run beside chunks that are explored, taken apart.
pub(super) struct Ends {
    /// Its first chunks, explored with what lies before them; none where nothing does.
    pub(super) head: Vec<Interval>,
    /// What is left, told by rule.
    pub(super) rest: Interval,
    /// Its last chunks, explored with what lies behind them.
    pub(super) tail: Vec<Interval>,
    /// No candidate reaches from the chunks that are explored into the rest.
    pub(super) apart: bool,
}

/// More chunks than this at either end of a long run are not explored.
const MOST_NEAR: usize = 3;

/// Takes a long run apart up to the nearest instant that no candidate reaches across. `before`, `after`: whether something
/// lies there that rows of its ends may meet.
pub(super) fn ends(site: &Site<'_>, cell: &Cell, ladder: &Ladder, (before, after): (bool, bool)) -> Ends {
    let mut ends = Ends { head: Vec::new(), rest: cell.run.interval, tail: Vec::new(), apart: true };
    while before && !ladder.is_clean(ends.rest.start) {
        let chunk = site.segment.bucket(ends.rest.start);
        if ends.head.len() == MOST_NEAR || chunk.end >= ends.rest.end || chunk.end <= ends.rest.start {
            ends.apart = false;
            break;
        }
        ends.head.push(chunk);
        ends.rest.start = chunk.end;
    }
    while after && !ladder.is_clean(ends.rest.end) {
        let chunk = site.segment.bucket(Instant::from_ms(ends.rest.end.ms().saturating_sub(1)));
        if ends.tail.len() == MOST_NEAR || chunk.start <= ends.rest.start || chunk.end != ends.rest.end {
            ends.apart = false;
            break;
        }
        ends.tail.insert(0, chunk);
        ends.rest.end = chunk.start;
    }
    ends
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
}

/// Whether rows of an empty chunk fit into it. Of a long run only its ends are asked, later.
fn fits_own(site: &Site<'_>, cell: &Cell) -> bool {
    cell.run.chunks > 4 || fits_query(site, cell.run.interval)
}

/// Whether every row of an empty run goes to a chunk of the longest candidate, whatever came before: those make up the
/// chunks of the run without reaching out of them. It has to be open whether a row comes at all.
fn falls_to_one(site: &Site<'_>, cell: &Cell, ladder: &Ladder) -> bool {
    let Some(first) = ladder.first().filter(|_| cell.presence == Presence::Unknown) else { return false };
    let run = cell.run.interval;
    let bounded = |edge: &Instant| *edge != Instant::MIN && *edge != Instant::MAX;
    let sample = site.segment.bucket(if bounded(&run.start) { run.start } else { Instant::EPOCH });
    let edges = [run.start, run.end, sample.start, sample.end];
    edges.iter().filter(|edge| bounded(edge)).all(|edge| ladder.is_clean(*edge))
        && holds_query(site, first.bucket(sample.start))
}

/// Whether a chunk is made of whole query chunks. No row is so near to an end of all time that it matters there.
fn holds_query(site: &Site<'_>, chunk: Interval) -> bool {
    let query = &site.frame.batch.granularity.query;
    [chunk.start, chunk.end]
        .iter()
        .all(|edge| matches!(*edge, Instant::MIN | Instant::MAX) || query.bucket(*edge).start == *edge)
}

/// Whether a row's whole query chunk lies in its time chunk, as allocation demands.
pub(super) fn fits_query(site: &Site<'_>, run: Interval) -> bool {
    // All of time has no chunks at its ends; any other will do.
    let sample = if crate::forecast::chunks::is_unbounded(run) { Instant::EPOCH } else { run.start };
    holds_query(site, site.segment.bucket(sample))
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
