//! The worlds of an append whose rows are not known.
//!
//! A chunk with nothing in it takes rows as a version of its own; a chunk under one whole segment adds to that; both are
//! told by rule, a run of chunks at once. The rest is explored. What can make the run fail or hang gives worlds of its
//! own beside the one in which every row finds a place.

use druid::order::Order as _;
use std::collections::BTreeMap;

use druid::granularity::Granularity;
use druid::ingest::{Allocator, Place};
use druid::interval::{Instant, Interval, condense};
use druid::lock::LockType;
use druid::segment::compare_versions;
use druid::timeline::HolderId;

use super::explore::{Component, explore};
use super::known::{LOST, fate as fate_of_place, hangs, several_locks};
use super::slots::Ladder;
use super::{Site, inside, lay};
use crate::forecast::fate::{Born, Fate, FateKind, Reason};
use crate::forecast::frame::{Cell, Frame};
use crate::forecast::known::Presence;
use crate::forecast::locking::{LockMoment, moment};
use crate::forecast::overwrite::fails;
use crate::forecast::{Either, Outcome, World};
use crate::words;

/// More slots than this in one stretch are not explored one by one.
const MOST_SLOTS: usize = 400;

/// What is found out about all chunks.
#[derive(Default)]
struct Findings {
    fates: Vec<Fate>,
    either: Vec<Either>,
    added: Vec<druid::timeline::NewHolder>,
    /// Stretches in which a row can make the run fail.
    fails: Vec<Interval>,
    /// Stretches in which a row can make it hang, with the words.
    hangs: Vec<(Interval, String)>,
    /// A chunk that has rows for certain takes none: these worlds are all there is.
    forced: bool,
    lost: bool,
    cut: bool,
}

pub(super) fn worlds(site: &Site<'_>) -> Vec<World> {
    let frame = site.frame;
    let mut found = Findings::default();
    let wide = wide(frame);
    let mut holders: BTreeMap<HolderId, Joined> = BTreeMap::new();
    let ladder = Ladder::of(site.segment);
    let sorts: Vec<Sort> = frame.cells.iter().map(|cell| sort(site, cell, &wide)).collect();
    for group in groups(frame, &sorts, &ladder) {
        let blocked = group.iter().any(|(_, sort)| *sort == Sort::Blocked);
        let mut divided: Vec<Interval> = Vec::new();
        let mut certain = false;
        for (cell, sort) in group {
            match sort {
                Sort::NoRows => {}
                Sort::Covered(holder) => covered(site, cell, holder, &mut holders),
                Sort::Empty if !blocked => empty(site, cell, &mut found),
                Sort::Empty | Sort::Blocked => match parts(frame, cell) {
                    Some(parts) => {
                        certain |= cell.presence == Presence::Rows;
                        divided.extend(parts);
                    }
                    // A long run beside one that is divided: its first chunks might be touched.
                    None => {
                        found.cut = true;
                        empty(site, cell, &mut found);
                    }
                },
            }
        }
        if !divided.is_empty() {
            divide(site, &divided, certain, &ladder, &mut found);
        }
    }
    for (id, joined) in holders {
        join(site, id, &joined, &mut found);
    }
    assemble(site, found)
}

/// What a cell is to an append.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// No row comes.
    NoRows,
    /// Nothing is there, and nothing stands in the way.
    Empty,
    /// It lies whole under one served holder, which its rows join.
    Covered(HolderId),
    /// Existing segments, locks or unused ids are in the way: explored.
    Blocked,
}

fn sort(site: &Site<'_>, cell: &Cell, wide: &[Interval]) -> Sort {
    if cell.presence == Presence::NoRows {
        Sort::NoRows
    } else if is_empty(site, cell, wide) {
        Sort::Empty
    } else {
        covering(site, cell, wide).map_or(Sort::Blocked, Sort::Covered)
    }
}

/// Neighbouring cells with candidates that reach from one into the next. Where time chunks nest each is alone.
fn groups<'f>(frame: &'f Frame<'_>, sorts: &[Sort], ladder: &Ladder) -> Vec<Vec<(&'f Cell, Sort)>> {
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
fn parts(frame: &Frame<'_>, cell: &Cell) -> Option<Vec<Interval>> {
    match frame.chunking.granularity() {
        _ if cell.run.chunks == 1 || !frame.under(cell).is_empty() => Some(vec![cell.run.interval]),
        Some(granularity) if cell.run.chunks <= 4 => Some(granularity.buckets(cell.run.interval).collect()),
        _ => None,
    }
}

/// Fates of the chunks if no row goes anywhere.
pub(super) fn idle(frame: &Frame<'_>) -> Vec<Fate> {
    let fate = |cell: &Cell| {
        let kept = !frame.under(cell).is_empty();
        let (kind, why) = if kept {
            (FateKind::Kept, Reason::NoRowAppended)
        } else {
            (FateKind::Nothing, Reason::NeverHeld)
        };
        Fate {
            interval: cell.run.interval,
            chunks: cell.run.chunks,
            kind,
            why,
            born: Born::Served,
            over: 0..0,
        }
    };
    frame.cells.iter().map(fate).collect()
}

/// A run that fails with the first row.
pub(super) fn arbitrary(frame: &Frame<'_>, why: &str) -> Vec<World> {
    let some = frame.cells.iter().any(|cell| cell.presence == Presence::Rows);
    let may = frame.cells.iter().any(|cell| cell.presence == Presence::Unknown);
    let mut worlds = Vec::new();
    if some || may {
        worlds.push(fails(frame, if some { "" } else { "at least one row in range" }, why.to_owned()));
    }
    if !some {
        let mut world =
            World::new(if may { "no row in range" } else { "" }, Outcome::Success, frame.q.timeline);
        lay::lay(frame.q.timeline, &mut world, idle(frame));
        worlds.push(world);
    }
    worlds
}

/// Used segments in range that are wider than a chunk and hidden where they lie: allocation sees them all the same.
fn wide(frame: &Frame<'_>) -> Vec<Interval> {
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

/// A run of chunks with nothing in them: rows start a version of their own.
fn empty(site: &Site<'_>, cell: &Cell, found: &mut Findings) {
    let certain = cell.presence == Presence::Rows;
    if certain {
        for chunk in chunks(site.frame, cell) {
            let version = site.frame.version.as_str();
            found.added.push(druid::timeline::NewHolder::appended(chunk, version, 0, 0));
        }
    }
    // Of a long run only the ends are asked whether a row's query chunk fits its time chunk.
    if !fits_query(site, cell.run.interval) {
        found.fails.push(cell.run.interval);
    }
    found.fates.push(start(cell, if certain { FateKind::New } else { FateKind::NewOrNothing }));
}

fn start(cell: &Cell, kind: FateKind) -> Fate {
    Fate {
        interval: cell.run.interval,
        chunks: cell.run.chunks,
        kind,
        why: Reason::Starts { rows: None, finer: false },
        born: Born::Served,
        over: 0..0,
    }
}

/// The chunks of a run as the timeline takes them: the run itself where it is one, or longer than anybody draws.
fn chunks(frame: &Frame<'_>, cell: &Cell) -> Vec<Interval> {
    const MOST: u64 = 10_000;
    match frame.chunking.granularity() {
        Some(granularity) if cell.run.chunks > 1 && cell.run.chunks <= MOST => {
            granularity.buckets(cell.run.interval).collect()
        }
        _ => vec![cell.run.interval],
    }
}

/// Whether a row's whole query chunk lies in its time chunk, as allocation demands.
fn fits_query(site: &Site<'_>, run: Interval) -> bool {
    let query = &site.frame.batch.granularity.query;
    // All of time has no chunks at its ends; any other will do.
    let sample = if super::super::chunks::is_unbounded(run) { Instant::EPOCH } else { run.start };
    let chunk = site.segment.bucket(sample);
    query.bucket(chunk.start).start == chunk.start && query.bucket(chunk.end).start == chunk.end
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

/// Chunks under one holder.
struct Joined {
    presence: Presence,
    fails: bool,
}

fn covered(site: &Site<'_>, cell: &Cell, id: HolderId, holders: &mut BTreeMap<HolderId, Joined>) {
    let frame = site.frame;
    let holder = frame.q.timeline.holder(id);
    let fails = moment(frame) == LockMoment::UpFront
        && matches!(site.kind, LockType::Exclusive | LockType::Replace)
        && holder.is_some_and(|holder| !inside(&frame.effective, holder.interval));
    let joined = holders.entry(id).or_insert(Joined { presence: cell.presence, fails });
    if cell.presence == Presence::Rows {
        joined.presence = Presence::Rows;
    }
}

/// The fate of a holder that rows may join.
fn join(site: &Site<'_>, id: HolderId, joined: &Joined, found: &mut Findings) {
    let timeline = site.frame.q.timeline;
    let Some(holder) = timeline.holder(id) else { return };
    let interval = holder.interval;
    let fate =
        |kind: FateKind, why: Reason| Fate { interval, chunks: 1, kind, why, born: Born::Served, over: 0..0 };
    if joined.fails {
        found.fails.push(interval);
        found.forced |= joined.presence == Presence::Rows;
        found.fates.push(fate(FateKind::Kept, Reason::NoPlaceHere));
        return;
    }
    let chunk = site.segment.bucket(interval.start);
    let coarser = interval != chunk && interval.contains(chunk);
    let why = Reason::Joins { rows: None, coarser, tombstone: holder.tombstone };
    match (joined.presence, holder.highest()) {
        (Presence::Rows, Some((highest, Some(core)))) => {
            found.fates.push(fate(FateKind::Appended, why));
            found.added.push(druid::timeline::NewHolder::appended(
                interval,
                holder.version,
                highest.saturating_add(1),
                core,
            ));
        }
        _ => found.fates.push(fate(FateKind::AppendedOrKept, why)),
    }
}

/// Explores chunks that existing segments divide. `certain`: at least one row comes.
fn divide(site: &Site<'_>, group: &[Interval], certain: bool, ladder: &Ladder, found: &mut Findings) {
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

/// What of a chunk can be explored: all of it, or of all of time the years around what is there. Beyond these every row
/// finds an empty year.
fn near(site: &Site<'_>, chunk: Interval, found: &mut Findings) -> Vec<Interval> {
    if !super::super::chunks::is_unbounded(chunk) {
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
    let mut years = year.buckets(hull);
    let (first, last) = (years.next(), years.next_back());
    let Some(first) = first else { return vec![chunk] };
    let inner = Interval { start: first.start, end: last.unwrap_or(first).end };
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
            let may = frame.cells.iter().filter(|cell| cell.presence != Presence::NoRows);
            let all = condense(may.map(|cell| cell.run.interval));
            let around: Vec<Interval> =
                all.into_iter().filter(|stretch| own.iter().any(|own| own.overlaps(*stretch))).collect();
            if own == around { vec![new(&own)] } else { vec![new(&own), new(&around)] }
        }
    }
}

fn assemble(site: &Site<'_>, mut found: Findings) -> Vec<World> {
    let frame = site.frame;
    let timeline = frame.q.timeline;
    let mut worlds = Vec::new();
    let failing = condense(found.fails.iter().copied());
    let hanging = condense(found.hangs.iter().map(|(interval, _)| *interval));
    let divided = !failing.is_empty() || !hanging.is_empty();
    if !found.forced {
        let when = if divided { "every row finds a place" } else { "" };
        let mut world = World::new(when, Outcome::Success, timeline);
        if found.lost {
            world.reason = Some(LOST.to_owned());
        }
        let taken = condense(found.fates.iter().map(|fate| fate.interval));
        found.fates.extend(lay::outside(idle(frame), &taken, |interval| frame.chunking.count(interval)));
        world.added = found.added;
        world.either = found.either;
        world.either.order_by_key(|either| either.interval);
        world.either.dedup();
        world.is_cut = found.cut;
        lay::lay(timeline, &mut world, lay::disjoint(found.fates));
        worlds.push(world);
    }
    let when = |stretches: &[Interval]| format!("a row falls into {}", words::intervals(stretches, 3));
    if !failing.is_empty() {
        let when = if found.forced && hanging.is_empty() { String::new() } else { when(&failing) };
        worlds.push(fails(frame, &when, site.no_place(None)));
    }
    if let Some((_, words)) = found.hangs.first() {
        let when = if found.forced && failing.is_empty() { String::new() } else { when(&hanging) };
        worlds.push(hangs(site, &when, words.clone()));
    }
    worlds
}
