//! The worlds of an append whose rows are not known.
//!
//! A chunk with nothing in it takes rows as a version of its own; a chunk under one whole segment adds to that; both are
//! told by rule, a run of chunks at once. The rest is explored. What can make the run fail or hang gives worlds of its
//! own beside the one in which every row finds a place.

use std::collections::BTreeMap;

use druid::ingest::{Allocator, Place};
use druid::interval::{Interval, condense};
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
    let mut divided: Vec<&Cell> = Vec::new();
    let ladder = Ladder::of(site.segment);
    for cell in &frame.cells {
        let plain = cell.presence == Presence::NoRows
            || empty(site, cell, &wide, &ladder, &mut found)
            || covered(site, cell, &wide, &mut holders);
        if !plain {
            divided.push(cell);
        }
    }
    for (id, joined) in holders {
        join(site, id, &joined, &mut found);
    }
    for group in groups(divided, &ladder) {
        divide(site, &group, &ladder, &mut found);
    }
    assemble(site, found)
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
    wide.sort_unstable();
    wide.dedup();
    wide
}

/// A chunk with nothing in it: its rows start a version of their own.
fn empty(site: &Site<'_>, cell: &Cell, wide: &[Interval], ladder: &Ladder, found: &mut Findings) -> bool {
    let frame = site.frame;
    let run = cell.run.interval;
    let fits = ladder.nests && fits_query(site, run) && !super::super::chunks::is_unbounded(run);
    if !frame.under(cell).is_empty() || wide.iter().any(|other| other.overlaps(run)) || !fits {
        // Beyond all that is there nobody can count chunks; each of them is empty.
        return super::super::chunks::is_unbounded(run) && frame.under(cell).is_empty() && {
            found.fates.push(start(cell, FateKind::NewOrNothing));
            true
        };
    }
    // An unused segment with the epoch's id can take the first partition: look at such chunks one by one.
    if site.unused.iter().any(|id| id.interval.overlaps(run)) {
        return false;
    }
    let certain = cell.presence == Presence::Rows;
    if certain {
        let version = frame.version.as_str();
        for chunk in chunks(frame, cell) {
            found.added.push(druid::timeline::NewHolder::appended(chunk, version, 0, 0));
        }
    }
    found.fates.push(start(cell, if certain { FateKind::New } else { FateKind::NewOrNothing }));
    true
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
    let chunk = site.segment.bucket(run.start);
    query.bucket(chunk.start).start == chunk.start && query.bucket(chunk.end).start == chunk.end
}

/// Chunks under one holder.
struct Joined {
    presence: Presence,
    fails: bool,
}

/// A chunk that lies whole under one served holder: its rows join that one, if the locks allow it.
fn covered(
    site: &Site<'_>,
    cell: &Cell,
    wide: &[Interval],
    holders: &mut BTreeMap<HolderId, Joined>,
) -> bool {
    let frame = site.frame;
    let timeline = frame.q.timeline;
    let run = cell.run.interval;
    let [only] = frame.under(cell) else { return false };
    let Some(holder) = timeline.holder(only.holder) else { return false };
    let whole = only.interval == run
        && holder.interval.start <= run.start
        && run.end <= holder.interval.end
        && fits_query(site, run);
    let alone = timeline.visible().overlapping(holder.interval).count() == 1
        && wide.iter().all(|other| *other == holder.interval || !other.overlaps(run));
    let plain = holder.highest().is_some_and(|(_, core)| core.is_some());
    let publishable =
        site.kind == LockType::Append || compare_versions(holder.version, &frame.lock_version).is_le();
    // Locks that depend on the rows are explored.
    let locks_known = match moment(frame) {
        LockMoment::UpFront => true,
        LockMoment::PerChunk => site.others.is_empty(),
        LockMoment::AfterScan => holder.interval == run && cell.run.chunks == 1,
    };
    if !(whole && alone && plain && publishable && locks_known) {
        return false;
    }
    let fails = moment(frame) == LockMoment::UpFront
        && matches!(site.kind, LockType::Exclusive | LockType::Replace)
        && !inside(&frame.effective, holder.interval);
    let joined = holders.entry(only.holder).or_insert(Joined { presence: cell.presence, fails });
    if cell.presence == Presence::Rows {
        joined.presence = Presence::Rows;
    }
    true
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

/// Chunks that are explored together: neighbours, where candidate intervals can reach from one into the next.
fn groups<'c>(divided: Vec<&'c Cell>, ladder: &Ladder) -> Vec<Vec<&'c Cell>> {
    let mut groups: Vec<Vec<&Cell>> = Vec::new();
    for cell in divided {
        match groups.last_mut() {
            Some(group)
                if !ladder.nests
                    && group.last().is_some_and(|last| last.run.interval.end == cell.run.interval.start) =>
            {
                group.push(cell);
            }
            _ => groups.push(vec![cell]),
        }
    }
    groups
}

/// Explores chunks that existing segments divide.
fn divide(site: &Site<'_>, group: &[&Cell], ladder: &Ladder, found: &mut Findings) {
    let frame = site.frame;
    let timeline = frame.q.timeline;
    let mut slots = Vec::new();
    for cell in group {
        // Chunks of one run meet the same things, so the first speaks for all, unless places can reach further.
        let mut blocks: Vec<Interval> = timeline
            .overlapping(cell.run.interval)
            .into_iter()
            .filter_map(|id| timeline.holder(id))
            .filter(|holder| holder.complete)
            .map(|holder| holder.interval)
            .collect();
        if moment(frame) == LockMoment::UpFront && site.kind != LockType::Append {
            blocks.extend(beyond(&frame.effective, cell.run.interval));
        }
        match ladder.slots(cell.run.interval, &blocks, MOST_SLOTS) {
            Some(more) if slots.len() + more.len() <= MOST_SLOTS => slots.extend(more),
            _ => {
                found.cut = true;
                slots.push(cell.run.interval);
            }
        }
    }
    let starts = starts(site, group);
    let components = explore(&starts, &slots, site.kind);
    let certain = group.iter().any(|cell| cell.presence == Presence::Rows);
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
fn starts<'s>(site: &'s Site<'_>, group: &[&Cell]) -> Vec<Allocator<'s>> {
    let frame = site.frame;
    let new = |locked: &[Interval]| Allocator::new(site.ground(), &site.others, locked);
    match moment(frame) {
        LockMoment::UpFront => vec![new(&frame.effective)],
        LockMoment::PerChunk => vec![new(&[])],
        // It locks the condensed chunks of its rows: of this one alone, or of everything that may have rows around it.
        LockMoment::AfterScan => {
            let firsts = group.iter().map(|cell| match cell.run.chunks {
                1 => cell.run.interval,
                _ => frame.chunking.chunk(cell.run.interval.start).unwrap_or(cell.run.interval),
            });
            let own = condense(firsts);
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
        world.either.sort_by_key(|either| either.interval);
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
