//! The ground a forecast of an ingestion stands on: typed and effective range, runs of chunks, what is visible under
//! each, and what is known of its input. Built once per question and shared by all worlds.
//!
//! What always holds: cells are sorted and disjoint and cover the effective range; the pieces of a cell are what is
//! visible now inside it, cut to it.
//!
//! What it does not do: say what happens to a cell.

use std::ops::Range;
use std::rc::Rc;

use druid::ingest::{APPEND_VERSION, extent, overwrites_as_append};
use druid::interval::Interval;
use druid::lock::{LockType, Request, Verdict, judge};
use druid::segment::compare_versions;
use druid::spec::{Batch, Mode};
use druid::timeline::{HolderId, Piece};

use super::Question;
use super::carried::Carried;
use super::chunks::{Chunking, Run};
use super::known::{Basis, Input, Presence};

/// A visible piece inside one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Under {
    pub(super) interval: Interval,
    pub(super) holder: HolderId,
    /// Not a tombstone.
    pub(super) data: bool,
    /// Its version is above the one the run will get: it stays on top.
    pub(super) newer: bool,
}

/// A run of chunks that meet the same things.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) run: Run,
    pub(super) presence: Presence,
    /// Into [`Frame::pieces`].
    pub(super) pieces: Range<u32>,
    /// Overlaps a segment that `dropExisting` looks at (E of facts 3.5).
    pub(super) reached: bool,
    /// Without intervals: somebody holds a lock here that the run would have to wait for, and it asks too late to.
    pub(super) shut: bool,
}

pub(super) struct Frame<'a> {
    pub(super) q: &'a Question<'a>,
    pub(super) batch: &'a Batch,
    /// The intervals of the spec, condensed; empty when none were given.
    pub(super) typed: Vec<Interval>,
    /// Set for a part of a compaction: where its rows come from.
    pub(super) carried: Option<Carried>,
    pub(super) chunking: Chunking,
    pub(super) effective: Vec<Interval>,
    pub(super) input: Rc<Input<'a>>,
    /// The clock as the version of a lock: what the run's segments get, unless they are appended under APPEND locks.
    pub(super) lock_version: String,
    /// The version of what the run starts.
    pub(super) version: String,
    pub(super) cells: Vec<Cell>,
    pub(super) pieces: Vec<Under>,
}

impl<'a> Frame<'a> {
    pub(super) fn of(q: &'a Question<'a>, batch: &'a Batch) -> Frame<'a> {
        Frame::build(q, batch, Rc::new(Input::of(q.known)), q.lock_version(), None)
    }

    /// One batch of a compaction, which reads visible segments. `input` and `lock_version` are those of all its parts.
    pub(super) fn of_part(
        q: &'a Question<'a>,
        batch: &'a Batch,
        input: Rc<Input<'a>>,
        lock_version: &str,
        carried: Carried,
    ) -> Frame<'a> {
        Frame::build(q, batch, input, lock_version.to_owned(), Some(carried))
    }

    fn build(
        q: &'a Question<'a>,
        batch: &'a Batch,
        input: Rc<Input<'a>>,
        lock_version: String,
        carried: Option<Carried>,
    ) -> Frame<'a> {
        let chunking = Chunking::of(&batch.granularity);
        let typed = chunking.typed().to_vec();
        let effective = effective(&chunking, &typed, q, &input);
        let mut frame = Frame {
            q,
            batch,
            carried,
            typed,
            chunking,
            effective,
            input,
            version: match (batch.mode, super::locking::resolved(q, batch.mode).kind) {
                (Mode::Append, Ok(LockType::Append)) => APPEND_VERSION.to_owned(),
                _ if overwrites_as_append(batch, &q.task.context) => APPEND_VERSION.to_owned(),
                _ => lock_version.clone(),
            },
            lock_version,
            cells: Vec::new(),
            pieces: Vec::new(),
        };
        let swept = match batch.mode {
            Mode::Replace => extent(q.timeline, &frame.typed),
            _ => Vec::new(),
        };
        for stretch in frame.effective.clone() {
            frame.fill(stretch, &swept);
        }
        frame
    }

    /// The visible pieces of a cell.
    pub(super) fn under(&self, cell: &Cell) -> &[Under] {
        self.pieces.get(cell.pieces.start as usize..cell.pieces.end as usize).unwrap_or_default()
    }

    /// Whether this is one group of segments of a compaction, made into one chunk, and nobody knows whether any row of it
    /// is visible.
    pub(super) fn is_an_open_group(&self) -> bool {
        let by_group = self.carried.as_ref().is_some_and(|carried| !carried.by_granularity);
        match self.cells.as_slice() {
            [cell] => by_group && cell.run.chunks == 1 && cell.presence == Presence::Unknown,
            _ => false,
        }
    }

    /// How many rows fall into a run, where that is known.
    pub(super) fn rows(&self, run: Interval) -> Option<u64> {
        match &self.carried {
            None => self.q.known.exact().map(|_| self.input.rows_in(run) as u64),
            Some(carried) => carried.rows(self.q.known, &self.input, run),
        }
    }

    /// What somebody asked to be worked on: rows outside that are hidden were not named.
    pub(super) fn named(&self) -> &[Interval] {
        self.carried.as_ref().map_or(&self.typed, |carried| std::slice::from_ref(&carried.reads))
    }

    /// Whether no intervals were given, so that the rows alone decide which chunks are worked on.
    pub(super) fn is_open(&self) -> bool {
        self.typed.is_empty()
    }

    fn fill(&mut self, stretch: Interval, swept: &[Interval]) {
        let timeline = self.q.timeline;
        let visible: Vec<Piece> = timeline.visible().within(stretch).collect();
        let mut edges = self.input.edges(stretch, &self.chunking);
        edges.extend(visible.iter().flat_map(|piece| [piece.interval.start, piece.interval.end]));
        if let Some(carried) = &self.carried {
            edges.extend([carried.reads.start, carried.reads.end]);
            // Parts of a compaction differ in granularity: where there is none for all, chunks stand alone.
            if !carried.by_granularity {
                edges.extend(self.chunking.starts(stretch, MOST_ALONE));
            }
        }
        let bounds = self.typed.iter().chain(swept).filter(|interval| interval.overlaps(stretch));
        edges.extend(bounds.flat_map(|interval| [interval.start, interval.end]));
        // Without intervals it is asked for each chunk whether its lock is free.
        if self.is_open() {
            edges.extend(self.q.locks.iter().flat_map(|lock| [lock.interval.start, lock.interval.end]));
        }

        // An append has a lock of its own for each chunk; what overwrites is under or over by the version that it writes.
        let over = if self.batch.mode == Mode::Append { &self.lock_version } else { &self.version };
        let mut first = 0;
        for run in self.chunking.runs(stretch, edges) {
            while visible.get(first).is_some_and(|piece| piece.interval.end <= run.interval.start) {
                first += 1;
            }
            let from = self.pieces.len() as u32;
            let inside =
                visible.iter().skip(first).take_while(|piece| piece.interval.start < run.interval.end);
            for piece in inside {
                let Some(interval) = piece.interval.intersect(run.interval) else { continue };
                let Some(holder) = timeline.holder(piece.holder) else { continue };
                let newer = compare_versions(holder.version, over).is_gt();
                self.pieces.push(Under { interval, holder: piece.holder, data: !holder.tombstone, newer });
            }
            let pieces = from..self.pieces.len() as u32;
            let presence = self.presence(&run, self.pieces.get(from as usize..).unwrap_or_default());
            let at = swept.partition_point(|reach| reach.end <= run.interval.start);
            let reached = swept.get(at).is_some_and(|reach| reach.overlaps(run.interval));
            let shut = self.is_open() && !self.q.locks.is_empty() && self.is_shut(run.interval);
            self.cells.push(Cell { run, presence, pieces, reached, shut });
        }
    }

    /// Whether a lock on this stretch cannot be had. Runs are cut where locks begin and end.
    fn is_shut(&self, interval: Interval) -> bool {
        let Ok(kind) = super::locking::resolved(self.q, self.batch.mode).kind else { return false };
        let (group_id, priority) = (super::locking::group(self.q), super::locking::priority(self.q));
        let request = Request { group_id, kind, interval, priority };
        matches!(judge(&request, self.q.locks), Verdict::WaitsFor(_))
    }

    fn presence(&self, run: &Run, under: &[Under]) -> Presence {
        let holds_data = under.iter().any(|piece| piece.data);
        if let Some(carried) = &self.carried {
            return carried.presence(self.q, &self.input, run, under);
        }
        match self.input.presence(run, holds_data) {
            // "Every chunk has rows" cannot mean every chunk of all time.
            Presence::Rows if run.chunks == u64::MAX && !holds_data => Presence::Unknown,
            presence => presence,
        }
    }
}

/// Chunks of a part of a compaction that are looked at one by one; a group of segments makes one, or two where it need
/// not be aligned.
const MOST_ALONE: usize = 8;

/// The whole chunks the run works on: those of the typed intervals, or without any those that rows fall into.
fn effective(chunking: &Chunking, typed: &[Interval], q: &Question<'_>, input: &Input<'_>) -> Vec<Interval> {
    if !typed.is_empty() {
        return chunking.effective().to_vec();
    }
    match (&q.known.basis, q.known.painted.is_empty()) {
        (Basis::Rows { .. }, true) => input.chunks(chunking),
        (Basis::NoRows, true) => Vec::new(),
        _ => chunking.effective().to_vec(),
    }
}
