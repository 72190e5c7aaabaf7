//! Pieces: which holder is served when. Sorted, disjoint, as long as they can be.
//!
//! [`Columns`] is nothing but the holders in the order in which they are served, and an index that answers "is all of
//! this interval covered by higher versions" in logarithmic time. Where a piece begins and ends follows from its
//! holder and its neighbours ([`Served::piece`]). [`Pieces`] is what readers see: the columns, with windows replaced by
//! those of an overlay ([`Splice`]).

#![allow(
    clippy::indexing_slicing,
    reason = "every index comes from a search in, or the length of, the same column"
)]

use super::build::Base;
use super::{HolderId, Piece, VersionKey};
use crate::interval::{Instant, Interval};

/// Entries a block of the index sums up.
const BLOCK: usize = 32;

/// The holders of all pieces, oldest first, in columns.
#[derive(Debug, Default)]
pub(super) struct Columns {
    holder: Vec<u32>,
    /// Least standing per block of pieces, then per block of those, and so on.
    levels: Vec<Vec<u32>>,
}

/// Takes pieces in order and makes columns of them.
#[derive(Debug, Default)]
pub(super) struct Collector {
    holder: Vec<u32>,
    blocks: Vec<u32>,
    end: i64,
}

impl Collector {
    pub(super) fn with_room(pieces: usize) -> Collector {
        Collector { holder: Vec::with_capacity(pieces), ..Collector::default() }
    }

    /// Appends a piece of a holder of this version rank. One that goes on with the holder of the last piece is no new
    /// one; says whether it is.
    pub(super) fn push(&mut self, start: i64, end: i64, holder: u32, rank: u32) -> bool {
        let follows = self.end == start && !self.holder.is_empty();
        self.end = end;
        if follows && self.holder.last() == Some(&holder) {
            return false;
        }
        let standing = if follows { rank + 1 } else { 0 };
        match self.blocks.last_mut() {
            Some(least) if !self.holder.len().is_multiple_of(BLOCK) => *least = standing.min(*least),
            _ => self.blocks.push(standing),
        }
        self.holder.push(holder);
        true
    }

    pub(super) fn columns(mut self) -> Columns {
        self.holder.shrink_to_fit();
        let (mut levels, mut level) = (Vec::new(), self.blocks);
        while level.len() > 1 {
            let next = level.chunks(BLOCK).map(|block| block.iter().copied().min().unwrap_or(0)).collect();
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        levels.iter_mut().for_each(Vec::shrink_to_fit);
        Columns { holder: self.holder, levels }
    }
}

impl Columns {
    /// Bytes it holds on to.
    pub(super) fn bytes(&self) -> usize {
        let words = self.holder.capacity() + self.levels.iter().map(Vec::capacity).sum::<usize>();
        words * size_of::<u32>() + self.levels.capacity() * size_of::<Vec<u32>>()
    }
}

/// Columns with what their holders are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Served<'a> {
    pub(super) columns: &'a Columns,
    pub(super) base: &'a Base,
}

/// A holder that is served somewhere.
#[derive(Debug, Clone, Copy)]
struct Whole {
    holder: u32,
    rank: u32,
    interval: Interval,
}

impl Whole {
    /// What is left of it between its neighbours.
    fn between(self, before: Option<Whole>, after: Option<Whole>) -> Piece {
        let Interval { mut start, mut end } = self.interval;
        if let Some(before) = before.filter(|before| before.rank > self.rank) {
            start = start.max(before.interval.end);
        }
        if let Some(after) = after.filter(|after| after.rank > self.rank) {
            end = end.min(after.interval.start);
        }
        Piece { interval: Interval { start, end }, holder: HolderId(self.holder) }
    }
}

impl Served<'_> {
    pub(super) fn len(self) -> usize {
        self.columns.holder.len()
    }

    /// A piece is its holder's interval, cut by the pieces beside it where those are of a higher version: who overlaps
    /// a higher one gives way exactly to it, for at each instant the highest is served.
    pub(super) fn piece(self, at: usize) -> Piece {
        let before = at.checked_sub(1).and_then(|at| self.whole(at));
        match self.whole(at) {
            Some(whole) => whole.between(before, self.whole(at + 1)),
            None => {
                Piece { interval: Interval { start: Instant::MAX, end: Instant::MAX }, holder: HolderId(0) }
            }
        }
    }

    /// The holder of a piece, before it is cut.
    fn whole(self, at: usize) -> Option<Whole> {
        let holder = *self.columns.holder.get(at)?;
        Some(Whole { holder, rank: self.base.rank(holder), interval: self.base.interval(holder) })
    }

    fn rank(self, at: usize) -> u32 {
        self.base.rank(self.columns.holder[at])
    }

    /// A piece's version rank plus one, or 0 when there is a hole before it.
    fn standing(self, at: usize) -> u32 {
        match at.checked_sub(1) {
            Some(before) if self.piece(before).interval.end == self.piece(at).interval.start => {
                self.rank(at) + 1
            }
            _ => 0,
        }
    }

    /// The first piece that is not like this; those that are come first.
    fn partition_point(self, is_before: impl Fn(Interval) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if is_before(self.piece(middle).interval) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The first piece that ends after this instant.
    pub(super) fn first_ending_after(self, instant: Instant) -> usize {
        self.partition_point(|piece| piece.end <= instant)
    }

    /// The first piece that ends at or after this instant.
    pub(super) fn first_ending_at_or_after(self, instant: Instant) -> usize {
        self.partition_point(|piece| piece.end < instant)
    }

    /// The first piece that starts after this instant.
    pub(super) fn first_starting_after(self, instant: Instant) -> usize {
        self.partition_point(|piece| piece.start <= instant)
    }

    /// Whether pieces of versions above `floor` (a rank) cover an interval without a hole.
    pub(super) fn covered_above(self, interval: Interval, floor: Option<u32>) -> bool {
        let Interval { start, end } = interval;
        let first = self.first_ending_after(start);
        if start >= end || first >= self.len() || self.piece(first).interval.start > start {
            return false;
        }
        let last = self.first_ending_at_or_after(end);
        if last >= self.len() || self.piece(last).interval.start >= end {
            return false;
        }
        // A standing is the rank plus one, so "rank above floor" is "standing above floor + 1".
        let floor = floor.map_or(0, |floor| floor + 1);
        self.rank(first) + 1 > floor && self.least_above(first + 1, last + 1, floor)
    }

    /// Whether every standing in [from, to) is above the floor: a standing is a rank plus one, 0 behind a hole.
    pub(super) fn least_above(self, mut from: usize, mut to: usize, floor: u32) -> bool {
        while from < to && !from.is_multiple_of(BLOCK) {
            if self.standing(from) <= floor {
                return false;
            }
            from += 1;
        }
        while from < to && !to.is_multiple_of(BLOCK) {
            to -= 1;
            if self.standing(to) <= floor {
                return false;
            }
        }
        let (mut from, mut to) = (from / BLOCK, to / BLOCK);
        for level in &self.columns.levels {
            while from < to && !from.is_multiple_of(BLOCK) {
                if level[from] <= floor {
                    return false;
                }
                from += 1;
            }
            while from < to && !to.is_multiple_of(BLOCK) {
                to -= 1;
                if level[to] <= floor {
                    return false;
                }
            }
            (from, to) = (from / BLOCK, to / BLOCK);
        }
        true
    }
}

/// A run of pieces of the columns and what stands in its place.
#[derive(Debug, Clone)]
pub(super) struct Splice {
    /// The replaced pieces, by position; may be empty.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The time it speaks for: everything that may have changed, and the pieces replaced.
    pub(super) span: Interval,
    pub(super) pieces: Vec<Piece>,
}

/// The pieces of a timeline, oldest first: disjoint, and no two neighbours of one holder abut.
#[derive(Debug, Clone, Copy)]
pub struct Pieces<'a> {
    pub(super) served: Served<'a>,
    pub(super) splices: &'a [Splice],
}

impl<'a> Pieces<'a> {
    /// How many.
    pub fn len(self) -> usize {
        let replaced: usize = self.splices.iter().map(|splice| splice.to - splice.from).sum();
        let put: usize = self.splices.iter().map(|splice| splice.pieces.len()).sum();
        self.served.len() - replaced + put
    }

    /// Whether nothing is served at all.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of them, oldest first.
    pub fn iter(self) -> PieceIter<'a> {
        PieceIter { pieces: self, splice: 0, inside: false, at: 0, seen: None }
    }

    /// Those that overlap an interval, whole.
    pub fn overlapping(self, interval: Interval) -> impl Iterator<Item = Piece> + 'a {
        self.from(interval.start)
            .take_while(move |piece| interval.start < interval.end && piece.interval.start < interval.end)
    }

    /// Those that overlap an interval, cut to it: Druid's `lookup`. An empty interval gives nothing.
    pub fn within(self, interval: Interval) -> impl Iterator<Item = Piece> + 'a {
        self.overlapping(interval).map(move |piece| Piece {
            interval: Interval {
                start: piece.interval.start.max(interval.start),
                end: piece.interval.end.min(interval.end),
            },
            holder: piece.holder,
        })
    }

    /// The piece that holds an instant.
    pub fn at(self, instant: Instant) -> Option<Piece> {
        self.from(instant).next().filter(|piece| piece.interval.start <= instant)
    }

    /// From the first one that ends after an instant.
    fn from(self, instant: Instant) -> PieceIter<'a> {
        let splice = self.splices.partition_point(|splice| splice.span.end <= instant);
        let low = splice.checked_sub(1).map_or(0, |before| self.splices[before].to);
        match self.splices.get(splice) {
            Some(next) if next.span.start <= instant => PieceIter {
                pieces: self,
                splice,
                inside: true,
                at: next.pieces.partition_point(|piece| piece.interval.end <= instant),
                seen: None,
            },
            _ => PieceIter {
                pieces: self,
                splice,
                inside: false,
                at: self.served.first_ending_after(instant).max(low),
                seen: None,
            },
        }
    }

    /// Whether pieces of versions above `floor` cover the interval without a hole.
    pub(super) fn covered_above(
        self,
        interval: Interval,
        floor: VersionKey,
        key: impl Fn(HolderId) -> VersionKey,
    ) -> bool {
        let mut covered_to = interval.start;
        for piece in self.overlapping(interval) {
            if piece.interval.start > covered_to || key(piece.holder) <= floor {
                return false;
            }
            covered_to = piece.interval.end;
        }
        interval.start < interval.end && covered_to >= interval.end
    }
}

impl<'a> IntoIterator for Pieces<'a> {
    type Item = Piece;
    type IntoIter = PieceIter<'a>;

    fn into_iter(self) -> PieceIter<'a> {
        self.iter()
    }
}

/// Iterator over [`Pieces`].
#[derive(Debug, Clone)]
pub struct PieceIter<'a> {
    pieces: Pieces<'a>,
    /// The splice we are in, or the next one.
    splice: usize,
    inside: bool,
    at: usize,
    /// Position and holder of the last piece of the columns, and the holder after it: looked up once.
    seen: Option<(usize, Whole, Option<Whole>)>,
}

impl PieceIter<'_> {
    /// The piece of the columns at a position, by what is known of its neighbours from the one before.
    fn of_columns(&mut self, at: usize) -> Option<Piece> {
        let served = self.pieces.served;
        let (before, whole) = match self.seen {
            Some((last, before, whole)) if last + 1 == at => (Some(before), whole?),
            _ => (at.checked_sub(1).and_then(|before| served.whole(before)), served.whole(at)?),
        };
        let after = served.whole(at + 1);
        self.seen = Some((at, whole, after));
        Some(whole.between(before, after))
    }
}

impl Iterator for PieceIter<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            let splice = self.pieces.splices.get(self.splice);
            match splice {
                Some(splice) if self.inside => {
                    if let Some(piece) = splice.pieces.get(self.at) {
                        self.at += 1;
                        return Some(*piece);
                    }
                    (self.splice, self.inside, self.at) = (self.splice + 1, false, splice.to);
                }
                _ => {
                    if self.at < splice.map_or(self.pieces.served.len(), |splice| splice.from) {
                        self.at += 1;
                        return self.of_columns(self.at - 1);
                    }
                    splice?;
                    (self.inside, self.at) = (true, 0);
                }
            }
        }
    }
}
