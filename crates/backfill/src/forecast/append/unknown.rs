//! The worlds of an append whose rows are not known.
//!
//! A chunk with nothing in it takes rows as a version of its own; a chunk under one whole segment adds to that; both are
//! told by rule, a run of chunks at once. The rest is explored. What can make the run fail or hang gives worlds of its
//! own beside the one in which every row finds a place.

use std::collections::BTreeMap;

use druid::interval::{Interval, condense};
use druid::lock::LockType;
use druid::order::Order as _;
use druid::timeline::HolderId;

use super::divided::divide;
use super::known::{LOST, hangs};
use super::slots::Ladder;
use super::sorts::{Sort, ends, fits_query, groups, never_fits, parts, sort, wide};
use super::{Site, inside, lay};
use crate::forecast::chunks::Run;
use crate::forecast::fate::{Born, Fate, FateKind, Reason};
use crate::forecast::frame::{Cell, Frame};
use crate::forecast::known::Presence;
use crate::forecast::locking::{LockMoment, moment};
use crate::forecast::overwrite::fails;
use crate::forecast::{Either, Outcome, World};
use crate::words;

/// What is found out about all chunks.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) fates: Vec<Fate>,
    pub(super) either: Vec<Either>,
    pub(super) added: Vec<druid::timeline::NewHolder>,
    /// Stretches in which a row can make the run fail.
    pub(super) fails: Vec<Interval>,
    /// Stretches in which a row can make it hang, with the words.
    pub(super) hangs: Vec<(Interval, String)>,
    /// A chunk that has rows for certain takes none: these worlds are all there is.
    pub(super) forced: bool,
    pub(super) lost: bool,
    pub(super) cut: bool,
}

pub(super) fn worlds(site: &Site<'_>) -> Vec<World> {
    let frame = site.frame;
    let mut found = Findings::default();
    let wide = wide(frame);
    let mut holders: BTreeMap<HolderId, Joined> = BTreeMap::new();
    let ladder = Ladder::of(site.segment);
    let sorts: Vec<Sort> = frame.cells.iter().map(|cell| sort(site, cell, &wide, &ladder)).collect();
    for group in groups(site, &sorts, &ladder) {
        let blocked = group.iter().any(|(_, sort)| *sort == Sort::Blocked);
        let mut divided: Vec<Interval> = Vec::new();
        let mut certain = false;
        let last = group.len().saturating_sub(1);
        for (at, (cell, sort)) in group.into_iter().enumerate() {
            match sort {
                Sort::NoRows => {}
                // `locking::shut_out` tells of the run that fails.
                Sort::ShutOut => {
                    let kind = if frame.under(cell).is_empty() { FateKind::Nothing } else { FateKind::Kept };
                    found.fates.push(Fate { why: Reason::ShutOut, ..start(cell, kind) });
                }
                Sort::Covered(holder) => covered(site, cell, holder, &mut holders),
                Sort::Empty if !blocked => empty(site, cell, &mut found),
                Sort::Finer => finer(cell, &ladder, &mut found),
                Sort::Empty | Sort::Blocked => match parts(frame, cell) {
                    Some(parts) => {
                        certain |= cell.presence == Presence::Rows;
                        divided.extend(parts);
                    }
                    // A long run beside one that is divided: only its ends may be touched.
                    None if sort == Sort::Empty => {
                        let ends = ends(site, cell, &ladder, (at > 0, at < last));
                        certain |= cell.presence == Presence::Rows
                            && !(ends.head.is_empty() && ends.tail.is_empty());
                        found.cut |= !ends.apart;
                        divided.extend(ends.head.into_iter().chain(ends.tail));
                        let chunks = frame.chunking.count(ends.rest);
                        let rest = Cell { run: Run { interval: ends.rest, chunks }, ..cell.clone() };
                        empty(site, &rest, &mut found);
                    }
                    None if ladder.takes_own(site.segment) => {
                        found.cut = true;
                        empty(site, cell, &mut found);
                    }
                    None => {
                        found.cut = true;
                        found.fates.push(Fate {
                            why: Reason::Starts { rows: None, finer: true },
                            ..start(cell, FateKind::Mixed)
                        });
                    }
                },
            }
        }
        // Locks taken after a scan are of those chunks that turn out to have rows: of several, only all and one by one are
        // looked at.
        found.cut |= moment(frame) == LockMoment::AfterScan && divided.len() > 1;
        if !divided.is_empty() {
            divide(site, &divided, certain, &ladder, &mut found);
        }
    }
    for (id, joined) in holders {
        join(site, id, &joined, &mut found);
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

/// A run of chunks with nothing in them: rows start a version of their own.
fn empty(site: &Site<'_>, cell: &Cell, found: &mut Findings) {
    let certain = cell.presence == Presence::Rows;
    if never_fits(site, cell.run.interval) {
        found.fails.push(cell.run.interval);
        found.forced |= certain;
        found.fates.push(Fate { why: Reason::NoPlaceHere, ..start(cell, FateKind::Nothing) });
        return;
    }
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

/// A run of chunks with nothing in them whose granularity is no candidate: rows start chunks of the longest one that is.
fn finer(cell: &Cell, ladder: &Ladder, found: &mut Findings) {
    /// More of them than this nobody looks at one by one.
    const MOST: u64 = 2_000;
    let run = cell.run.interval;
    let starts = |interval: Interval, chunks: u64| Fate {
        interval,
        chunks,
        why: Reason::Starts { rows: None, finer: true },
        ..start(cell, FateKind::NewOrNothing)
    };
    match ladder.first() {
        _ if crate::forecast::chunks::is_unbounded(run) => found.fates.push(starts(run, u64::MAX)),
        Some(first) if first.count(run) <= MOST => {
            found.fates.extend(first.buckets(run).map(|chunk| starts(chunk, 1)));
        }
        _ => {
            found.cut = true;
            found.fates.push(Fate { kind: FateKind::Mixed, ..starts(run, cell.run.chunks) });
        }
    }
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
        // Of a long run what was explored beside it is taken out.
        let (long, mut fates): (Vec<Fate>, Vec<Fate>) =
            found.fates.into_iter().partition(|fate| fate.chunks > 1);
        let explored = condense(fates.iter().map(|fate| fate.interval));
        fates.extend(lay::outside(long, &explored, |interval| frame.chunking.count(interval)));
        lay::lay(timeline, &mut world, lay::disjoint(fates));
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
