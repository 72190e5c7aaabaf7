//! Chunks that existing segments, locks or unused ids divide: explored slot by slot.
//!
//! What always holds: what comes of a chunk is a list of results that some rows reach, or it is said that the list is cut.
//! What it does not do: chunks that are told by rule.

use druid::granularity::Granularity;
use druid::ingest::{Allocator, Place};
use druid::interval::{Instant, Interval, condense};
use druid::lock::LockType;
use druid::order::Order as _;

use super::explore::{Component, explore};
use super::known::{fate as fate_of_place, several_locks};
use super::slots::Ladder;
use super::unknown::Findings;
use super::{Site, lay};
use crate::forecast::Either;
use crate::forecast::fate::{Born, Fate, FateKind, Reason};
use crate::forecast::known::Presence;
use crate::forecast::locking::{LockMoment, moment};

/// More slots than this in one stretch are not explored one by one.
const MOST_SLOTS: usize = 400;

/// Explores chunks that existing segments divide. `certain`: at least one row comes.
pub(super) fn divide(
    site: &Site<'_>,
    group: &[Interval],
    certain: bool,
    ladder: &Ladder,
    found: &mut Findings,
) {
    let frame = site.frame;
    let timeline = frame.q.timeline;
    let mut slots = Vec::new();
    let group: Vec<Interval> = group.iter().flat_map(|chunk| near(site, *chunk, found)).collect();
    for chunk in &group {
        let holders = timeline.overlapping(*chunk).into_iter().filter_map(|id| timeline.holder(id));
        let mut blocks: Vec<Interval> =
            holders.filter(|holder| holder.complete).map(|holder| holder.interval).collect();
        if moment(frame) == LockMoment::UpFront && site.kind != LockType::Append {
            blocks.extend(beyond(&frame.effective, *chunk));
        }
        blocks.extend(site.others.iter().map(|held| held.interval));
        blocks.extend(beside(site, *chunk, ladder.reach(*chunk)));
        match ladder.slots(*chunk, &blocks, MOST_SLOTS) {
            Some(more) if slots.len() + more.len() <= MOST_SLOTS => {
                blocks.push(*chunk);
                slots.extend(more.into_iter().flat_map(|slot| by_query(site, slot, &blocks)));
            }
            _ => {
                found.cut = true;
                slots.push(*chunk);
            }
        }
    }
    let starts = starts(site, &group);
    let components = explore(&starts, &slots, site.kind);
    let takes_none = components.iter().all(Component::never_takes_a_row);
    found.forced |= certain && takes_none;
    let lone = components.len() == 1;
    for component in components {
        found.cut |= component.cut;
        found.fails.extend(component.fails.keys());
        let interval = component.interval;
        found.hangs.extend(component.hangs.keys().map(|slot| (*slot, several_locks(site, interval))));
        take(site, component, certain && lone, found);
    }
}

/// What is served nearest before and behind a chunk, as far as candidates for its rows reach: a year that lies in the chunk
/// only in part is not free when something else of the year is taken.
fn beside(site: &Site<'_>, chunk: Interval, reach: Interval) -> impl Iterator<Item = Interval> {
    let visible = site.frame.q.timeline.visible();
    let before = Interval { start: reach.start.min(chunk.start), end: chunk.start };
    let behind = Interval { start: chunk.end, end: reach.end.max(chunk.end) };
    let nearest = [visible.overlapping(before).last(), visible.overlapping(behind).next()];
    nearest.into_iter().flatten().map(|piece| piece.interval)
}

/// What of a chunk can be explored: all of it, or of all of time the years around what is there. Beyond these every row
/// finds an empty year.
fn near(site: &Site<'_>, chunk: Interval, found: &mut Findings) -> Vec<Interval> {
    if !crate::forecast::chunks::is_unbounded(chunk) {
        return vec![chunk];
    }
    let timeline = site.frame.q.timeline;
    let year = site.segment.finer().into_iter().find(|granularity| *granularity != Granularity::All);
    let bounds = |interval: &Interval| interval.start > Instant::MIN && interval.end < Instant::MAX;
    let visible = timeline.visible().within(chunk).map(|piece| piece.interval).filter(bounds);
    let held = site.others.iter().map(|held| held.interval).filter(bounds);
    let hull =
        visible.chain(held).reduce(|a, b| Interval { start: a.start.min(b.start), end: a.end.max(b.end) });
    let (Some(year), Some(hull)) = (year, hull) else { return vec![chunk] };
    let Some(inner) = year.cover(hull) else { return vec![chunk] };
    for outer in druid::interval::subtract(&[chunk], &[inner]) {
        found.fates.push(Fate {
            interval: outer,
            chunks: u64::MAX,
            kind: FateKind::NewOrNothing,
            why: Reason::Starts { rows: None, finer: true },
            born: Born::Served,
            over: 0..0,
        });
    }
    vec![inner]
}

/// A slot cut where a row's query chunk crosses an edge: as a whole it fits on neither side.
fn by_query(site: &Site<'_>, slot: Interval, blocks: &[Interval]) -> Vec<Interval> {
    let query = &site.frame.batch.granularity.query;
    let mut cuts = vec![slot.start, slot.end];
    for edge in blocks.iter().flat_map(|block| [block.start, block.end]) {
        if edge == Instant::MIN || edge == Instant::MAX {
            continue;
        }
        let across = query.bucket(edge);
        if across.start != edge {
            cuts.extend([across.start, across.end].into_iter().filter(|at| slot.contains_instant(*at)));
        }
    }
    cuts.order();
    cuts.dedup();
    cuts.iter().zip(cuts.iter().skip(1)).filter_map(|(start, end)| Interval::new(*start, *end)).collect()
}

/// What lies before and behind the locked stretch that holds `chunk`: no candidate may reach there.
fn beyond(locked: &[Interval], chunk: Interval) -> Vec<Interval> {
    let holding = locked.iter().find(|stretch| stretch.overlaps(chunk));
    let sides = holding.map(|stretch| {
        [
            Interval { start: Interval::ETERNITY.start, end: stretch.start },
            Interval { start: stretch.end, end: Interval::ETERNITY.end },
        ]
    });
    sides.into_iter().flatten().filter(|side| !side.is_empty()).collect()
}

/// What a component that was explored means for the picture.
fn take(site: &Site<'_>, component: Component, some_row: bool, found: &mut Findings) {
    let mut results = component.results;
    if some_row && results.len() > 1 {
        results.retain(|places| !places.is_empty());
    }
    found.lost |= results.iter().flatten().any(|place| place.lost);
    let plain = |kind: FateKind, why: Reason| Fate {
        interval: component.interval,
        chunks: 1,
        kind,
        why,
        born: Born::Served,
        over: 0..0,
    };
    let never = results.len() == 1 && results.first().is_some_and(Vec::is_empty);
    if never {
        let held = site.frame.q.timeline.visible().within(component.interval).next().is_some();
        let kind = if held { FateKind::Kept } else { FateKind::Nothing };
        found.fates.push(plain(kind, Reason::NoPlaceHere));
        return;
    }
    // One place, taken or not: as plain as a chunk told by rule.
    let places: Vec<&Place> = results.iter().flatten().collect();
    if let [only] = places.as_slice()
        && !only.lost
    {
        let fate = fate_of_place(site, only, None);
        let kind = match (fate.kind, results.len()) {
            (kind, 1) => {
                found.added.push(lay::published(only));
                kind
            }
            (FateKind::Appended, _) => FateKind::AppendedOrKept,
            _ => {
                found.either.push(Either {
                    interval: component.interval,
                    alternatives: vec![vec![lay::published(only)], Vec::new()],
                });
                FateKind::Mixed
            }
        };
        found.fates.push(Fate { kind, ..fate });
        return;
    }
    let alternatives =
        results.iter().map(|places| Component::kept(places).map(lay::published).collect()).collect();
    found.either.push(Either { interval: component.interval, alternatives });
    found.fates.push(plain(FateKind::Mixed, Reason::DependsOnRows));
}

/// The allocators that exploration starts from: one for each set of locks the task can have when its first row comes.
fn starts<'s>(site: &'s Site<'_>, group: &[Interval]) -> Vec<Allocator<'s>> {
    let frame = site.frame;
    let new = |locked: &[Interval]| Allocator::new(site.ground(), &site.others, locked);
    match moment(frame) {
        LockMoment::UpFront => vec![new(&frame.effective)],
        LockMoment::PerChunk => vec![new(&[])],
        // It locks the condensed chunks of its rows: of this one alone, or of everything that may have rows around it.
        LockMoment::AfterScan => {
            let first = |part: &Interval| frame.chunking.chunk(part.start).unwrap_or(*part);
            let own = condense(group.iter().map(first));
            let may = frame.cells.iter().filter(|cell| cell.presence != Presence::NoRows && !cell.shut);
            let all = condense(may.map(|cell| cell.run.interval));
            let around: Vec<Interval> =
                all.into_iter().filter(|stretch| own.iter().any(|own| own.overlaps(*stretch))).collect();
            if own == around { vec![new(&own)] } else { vec![new(&own), new(&around)] }
        }
    }
}
