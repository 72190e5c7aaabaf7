//! What one batch of a compaction carries over: the rows of the segments that are visible in what it reads.
//!
//! What always holds: a chunk into which a wholly visible data segment falls whole has rows, one over which nothing with
//! rows is visible has none, and between these nobody knows: a segment says how many rows it has, never when they are.
//!
//! What it does not do: say what happens to a chunk.

use druid::ingest::Part;
use druid::interval::Interval;
use druid::spec::Compact;

use super::Question;
use super::chunks::Run;
use super::frame::Under;
use super::known::{Input, Known, Presence};

/// Where the rows of one batch of a compaction come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    /// What is read.
    pub(super) reads: Interval,
    /// Chunks are those of a granularity that the task names.
    pub(super) by_granularity: bool,
    /// At least one row is read for certain.
    pub(super) some_row: bool,
    /// It gets to run at all.
    pub(super) is_ready: bool,
    /// A filter may drop any of them.
    filters: bool,
}

impl Carried {
    pub(super) fn of(q: &Question<'_>, compact: &Compact, part: &Part) -> Carried {
        let whole_data = |piece: druid::timeline::Piece| {
            let holder = q.timeline.holder(piece.holder);
            holder.is_some_and(|holder| !holder.tombstone && holder.interval == piece.interval)
        };
        Carried {
            reads: part.reads,
            by_granularity: compact.segment_granularity.is_some(),
            some_row: !compact.filters_rows && q.timeline.visible().within(part.reads).any(whole_data),
            is_ready: part.is_ready,
            filters: compact.filters_rows,
        }
    }

    /// How many rows of a run are read, where that is known.
    pub(super) fn rows(&self, known: &Known, input: &Input<'_>, run: Interval) -> Option<u64> {
        let read = run.intersect(self.reads)?;
        known.exact().map(|_| input.rows_in(read) as u64)
    }

    /// What is known of the chunks of a run. `under`: what is visible in it.
    pub(super) fn presence(
        &self,
        q: &Question<'_>,
        input: &Input<'_>,
        run: &Run,
        under: &[Under],
    ) -> Presence {
        let Some(read) = run.interval.intersect(self.reads) else { return Presence::NoRows };
        if q.known.exact().is_some() {
            return if input.rows_in(read) > 0 { Presence::Rows } else { Presence::NoRows };
        }
        let (mut maybe, mut sure) = (false, false);
        for piece in under.iter().filter(|piece| piece.data) {
            let Some(part) = piece.interval.intersect(read) else { continue };
            maybe = true;
            let whole = q.timeline.holder(piece.holder).is_some_and(|holder| holder.interval == part);
            sure |= whole && run.chunks == 1;
        }
        match (sure, maybe) {
            (true, _) if !self.filters => Presence::Rows,
            (_, false) => Presence::NoRows,
            _ => input.presence(run, true),
        }
    }
}
