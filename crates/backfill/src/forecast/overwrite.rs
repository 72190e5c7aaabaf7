//! Worlds of a run that overwrites: `REPLACE_LEGACY` and `REPLACE` (facts 3.4 to 3.7).
//!
//! One rule per chunk handles known and unknown input alike: with a row the chunk is published anew; without one it
//! gets a tombstone (`dropExisting`, and existing data reaches it) or stays as it is. What can only be said of the run
//! as a whole (it fails with a row, it publishes nothing without one) divides the forecast into worlds.
//!
//! What it does not do: rows that are appended.

use std::sync::Arc;

use druid::spec::Mode;
use druid::timeline::NewHolder;

use super::fate::{Becomes, Born, Fate, FateKind, OldPiece, Reason};
use super::frame::{Cell, Frame};
use super::known::Presence;
use super::trouble::{Trouble, trouble};
use super::{Outcome, World};
use crate::words;

/// How a world reads the chunks whose input is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// As it is: either / or.
    Open,
    /// No unknown chunk has a row.
    Empty,
    /// The only unknown chunk has one, since some chunk must.
    OneRow,
    /// Either / or, and a chunk without rows is left alone even where `dropExisting` says otherwise.
    NeverEmptied,
}

/// How many chunks may have rows.
struct Spread {
    /// Chunks that have rows for certain; saturating.
    sure: u64,
    /// Chunks that may.
    maybe: u64,
    /// Some chunk has rows for certain, though nobody knows which.
    some: bool,
}

impl Spread {
    fn of(frame: &Frame<'_>) -> Spread {
        let sum = |presence: Presence| {
            let cells = frame.cells.iter().filter(|cell| cell.presence == presence);
            cells.fold(0u64, |sum, cell| sum.saturating_add(cell.run.chunks))
        };
        let some = frame.carried.as_ref().is_some_and(|carried| carried.some_row);
        let maybe = sum(Presence::Unknown);
        Spread { sure: sum(Presence::Rows), maybe, some: some && maybe > 0 }
    }

    fn may_be_empty(&self) -> bool {
        self.sure == 0 && !self.some
    }

    fn may_have_rows(&self) -> bool {
        self.sure > 0 || self.maybe > 0
    }
}

/// The worlds, the likeliest to be looked at first.
pub(super) fn worlds(frame: &Frame<'_>) -> Vec<World> {
    let spread = Spread::of(frame);
    let divided = spread.may_be_empty() && spread.may_have_rows();
    let with_rows = if divided { "at least one row in range" } else { "" };
    let without = if divided { "no row in range" } else { "" };
    // The one chunk that may have rows has them in a world where some chunk has.
    let only = spread.sure == 0 && spread.maybe == 1;
    let some_row = if only && (divided || spread.some) { Reading::OneRow } else { Reading::Open };
    // Nobody says that there is one: every reading stands.
    let open = if spread.some { some_row } else { Reading::Open };
    let success = |when: &str, reading: Reading| build(frame, when, reading, true);

    match trouble(frame) {
        None => vec![success("", open)],
        Some(Trouble::Always(why)) => vec![fails(frame, "", why)],
        Some(Trouble::WithRows(why)) => {
            let mut worlds = Vec::new();
            if spread.may_have_rows() {
                worlds.push(fails(frame, with_rows, why));
            }
            if spread.may_be_empty() {
                worlds.push(success(without, Reading::Empty));
            }
            worlds
        }
        Some(Trouble::WithoutRows(why)) => {
            let mut worlds = Vec::new();
            if spread.may_have_rows() {
                worlds.push(success(with_rows, some_row));
            }
            if spread.may_be_empty() {
                worlds.push(fails(frame, without, why));
            }
            worlds
        }
        // One part of many in a compaction, and one chunk: what holds for the part holds for the chunk.
        Some(Trouble::EmptyPublishesNothing(_)) if frame.is_an_open_group() => {
            vec![success("", Reading::NeverEmptied)]
        }
        Some(Trouble::EmptyPublishesNothing(words)) => {
            let mut worlds = Vec::new();
            if spread.may_have_rows() {
                worlds.push(success(with_rows, some_row));
            }
            if spread.may_be_empty() {
                let mut world = build(frame, without, Reading::Empty, false);
                world.reason = Some(words);
                worlds.push(world);
            }
            worlds
        }
        Some(Trouble::TwoSegmentsInOneSplit(full, why)) => {
            let two = frame.input.a_split_opens_two_segments(&frame.chunking, full);
            let one_chunk = spread.sure.saturating_add(spread.maybe) == 1;
            match two {
                Some(true) => vec![fails(frame, "", why)],
                Some(false) => vec![success("", open)],
                None if !spread.may_have_rows() => vec![success("", open)],
                None => {
                    let rows = format!("more than {} rows of one chunk", words::number(full));
                    let seen = if one_chunk { rows } else { format!("rows of two chunks or {rows}") };
                    vec![
                        success(&format!("no sub-task sees {seen}"), open),
                        fails(frame, &format!("a sub-task sees {seen}"), why),
                    ]
                }
            }
        }
    }
}

/// A world in which the run ends FAILED and nothing changes.
pub(super) fn fails(frame: &Frame<'_>, when: &str, why: String) -> World {
    let mut world = build(frame, when, Reading::Empty, false);
    world.outcome = Outcome::Fails;
    world.reason = Some(why);
    world
}

fn build(frame: &Frame<'_>, when: &str, reading: Reading, publishes: bool) -> World {
    let mut world = World::new(when, Outcome::Success, frame.q.timeline);
    let drops = frame.batch.mode == Mode::Replace && reading != Reading::NeverEmptied;
    let version: Arc<str> = frame.version.as_str().into();
    for cell in &frame.cells {
        let presence = match (cell.presence, reading) {
            // `locking::shut_out` tells of the run that meets a row there.
            (Presence::Unknown, _) if cell.shut => Presence::NoRows,
            (Presence::Unknown, Reading::Empty) => Presence::NoRows,
            (Presence::Unknown, Reading::OneRow) => Presence::Rows,
            (presence, _) => presence,
        };
        let fate = if publishes {
            fate(frame, cell, presence, drops)
        } else {
            Fate { kind: left_alone(frame, cell), why: Reason::NothingPublished, ..blank(cell) }
        };
        let fate = match cell.shut && publishes && presence == Presence::NoRows {
            true => Fate { why: Reason::ShutOut, ..fate },
            false => fate,
        };
        let becomes = match fate.kind {
            FateKind::New | FateKind::Tombstone | FateKind::NewOrTombstone => Becomes::Hidden,
            FateKind::NewOrKept => Becomes::MayBeHidden,
            _ => Becomes::Stays,
        };
        for piece in frame.under(cell) {
            let becomes = if piece.newer { Becomes::Stays } else { becomes };
            world.old.push(OldPiece {
                interval: piece.interval,
                holder: piece.holder,
                holds_data: piece.data,
                becomes,
            });
        }
        match fate.kind {
            FateKind::New => world.added.push(NewHolder::whole(fate.interval, &version, 1)),
            FateKind::Tombstone => world.added.push(NewHolder::tombstone(fate.interval, &version)),
            _ => {}
        }
        world.fates.push(fate);
    }
    world
}

fn blank(cell: &Cell) -> Fate {
    Fate {
        interval: cell.run.interval,
        chunks: cell.run.chunks,
        kind: FateKind::Nothing,
        why: Reason::NeverHeld,
        born: Born::Served,
        over: cell.pieces.clone(),
    }
}

fn left_alone(frame: &Frame<'_>, cell: &Cell) -> FateKind {
    if frame.under(cell).is_empty() { FateKind::Nothing } else { FateKind::Kept }
}

/// The rule of one chunk.
fn fate(frame: &Frame<'_>, cell: &Cell, presence: Presence, drops: bool) -> Fate {
    let stays = left_alone(frame, cell);
    let swept = drops && cell.reached;
    let (kind, why) = match presence {
        Presence::Rows => (FateKind::New, Reason::RowsHere { rows: frame.rows(cell.run.interval) }),
        Presence::NoRows if swept => (FateKind::Tombstone, emptied(frame, cell)),
        Presence::NoRows => {
            let why = if stays == FateKind::Kept { Reason::EmptyStays } else { Reason::NeverHeld };
            (stays, why)
        }
        Presence::Unknown => {
            let kind = match (swept, stays) {
                (true, _) => FateKind::NewOrTombstone,
                (false, FateKind::Kept) => FateKind::NewOrKept,
                (false, _) => FateKind::NewOrNothing,
            };
            let why = if frame.is_open() { Reason::AnyChunk } else { Reason::InputUnknown { drops: swept } };
            (kind, why)
        }
    };
    let born = match kind {
        FateKind::Kept | FateKind::Nothing => Born::Served,
        _ => born(frame, cell),
    };
    Fate { kind, why, born, ..blank(cell) }
}

fn emptied(frame: &Frame<'_>, cell: &Cell) -> Reason {
    let under = frame.under(cell);
    match under.iter().any(|piece| piece.data) {
        true => Reason::EmptyOverData,
        false if under.is_empty() => Reason::EmptyOverReach,
        false => Reason::EmptyOverTombstone,
    }
}

/// Whether existing versions above the run's own lie over the chunk.
fn born(frame: &Frame<'_>, cell: &Cell) -> Born {
    let newer = frame.under(cell).iter().filter(|piece| piece.newer);
    let (mut covered, mut any) = (0i64, false);
    for piece in newer {
        covered += piece.interval.duration_ms();
        any = true;
    }
    match any {
        false => Born::Served,
        true if covered >= cell.run.interval.duration_ms() => Born::Hidden,
        true => Born::PartlyHidden,
    }
}
