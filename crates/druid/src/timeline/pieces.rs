//! Pieces: which holder is served when. Sorted, disjoint, as long as they can be.
//!
//! [`Columns`] is the immutable form with an index that answers "is all of this interval covered by higher
//! versions" in logarithmic time; [`Pieces`] is what readers see: the columns, with windows replaced by those
//! of an overlay ([`Splice`]).

#![allow(
    clippy::indexing_slicing,
    reason = "every index comes from a search in, or the length of, the same column"
)]

use super::{HolderId, Piece, VersionKey};
use crate::interval::{Instant, Interval};

/// Entries a block of the index sums up.
const BLOCK: usize = 32;

/// Pieces as columns.
#[derive(Debug, Default)]
pub(super) struct Columns {
    start: Vec<i64>,
    end: Vec<i64>,
    holder: Vec<u32>,
    /// Least standing per block of pieces, then per block of those, and so on.
    levels: Vec<Vec<u32>>,
}

impl Columns {
    /// Appends a piece after the last one, or lengthens that one when it is the same holder's.
    pub(super) fn push(&mut self, start: i64, end: i64, holder: u32) {
        if let (Some(last), Some(last_end)) = (self.holder.last(), self.end.last_mut())
            && *last == holder
            && *last_end == start
        {
            *last_end = end;
            return;
        }
        self.start.push(start);
        self.end.push(end);
        self.holder.push(holder);
    }

    /// Builds the index, once all pieces are in; `rank` gives the version rank of a holder.
    pub(super) fn index(&mut self, rank: impl Fn(u32) -> u32) {
        self.start.shrink_to_fit();
        self.end.shrink_to_fit();
        self.holder.shrink_to_fit();
        let least = |standings: &mut dyn Iterator<Item = u32>| standings.min().unwrap_or(0);
        let mut level: Vec<u32> = (0..self.holder.len().div_ceil(BLOCK))
            .map(|block| {
                let from = block * BLOCK;
                let to = (from + BLOCK).min(self.holder.len());
                least(&mut (from..to).map(|at| self.standing(at, &rank)))
            })
            .collect();
        while level.len() > 1 {
            let next = level.chunks(BLOCK).map(|block| least(&mut block.iter().copied())).collect();
            self.levels.push(std::mem::replace(&mut level, next));
        }
        self.levels.push(level);
    }

    /// A piece's version rank plus one, or 0 when there is a hole before it.
    fn standing(&self, at: usize, rank: &impl Fn(u32) -> u32) -> u32 {
        match at.checked_sub(1) {
            Some(before) if self.end[before] == self.start[at] => rank(self.holder[at]) + 1,
            _ => 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.holder.len()
    }

    pub(super) fn piece(&self, at: usize) -> Piece {
        Piece { interval: interval(self.start[at], self.end[at]), holder: HolderId(self.holder[at]) }
    }

    /// The first piece that ends after this instant.
    pub(super) fn first_ending_after(&self, ms: i64) -> usize {
        self.end.partition_point(|end| *end <= ms)
    }

    /// The first piece that ends at or after this instant.
    pub(super) fn first_ending_at_or_after(&self, ms: i64) -> usize {
        self.end.partition_point(|end| *end < ms)
    }

    /// The first piece that starts after this instant.
    pub(super) fn first_starting_after(&self, ms: i64) -> usize {
        self.start.partition_point(|start| *start <= ms)
    }

    /// Whether pieces of versions above `floor` (a rank) cover [start, end) without a hole.
    pub(super) fn covered_above(
        &self,
        start: i64,
        end: i64,
        floor: Option<u32>,
        rank: impl Fn(u32) -> u32,
    ) -> bool {
        let first = self.first_ending_after(start);
        if start >= end || first >= self.len() || self.start[first] > start {
            return false;
        }
        let last = self.first_ending_at_or_after(end);
        if last >= self.len() || self.start[last] >= end {
            return false;
        }
        // A standing is the rank plus one, so "rank above floor" is "standing above floor + 1".
        let floor = floor.map_or(0, |floor| floor + 1);
        rank(self.holder[first]) + 1 > floor && self.least_above(first + 1, last + 1, floor, &rank)
    }

    /// Whether every standing in [from, to) is above the floor.
    fn least_above(&self, mut from: usize, mut to: usize, floor: u32, rank: &impl Fn(u32) -> u32) -> bool {
        while from < to && !from.is_multiple_of(BLOCK) {
            if self.standing(from, rank) <= floor {
                return false;
            }
            from += 1;
        }
        while from < to && !to.is_multiple_of(BLOCK) {
            to -= 1;
            if self.standing(to, rank) <= floor {
                return false;
            }
        }
        let (mut from, mut to) = (from / BLOCK, to / BLOCK);
        for level in &self.levels {
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

fn interval(start: i64, end: i64) -> Interval {
    Interval { start: Instant::from_ms(start), end: Instant::from_ms(end) }
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
    pub(super) columns: &'a Columns,
    pub(super) splices: &'a [Splice],
}

impl<'a> Pieces<'a> {
    /// How many.
    pub fn len(self) -> usize {
        let replaced: usize = self.splices.iter().map(|splice| splice.to - splice.from).sum();
        let put: usize = self.splices.iter().map(|splice| splice.pieces.len()).sum();
        self.columns.len() - replaced + put
    }

    /// Whether nothing is served at all.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of them, oldest first.
    pub fn iter(self) -> PieceIter<'a> {
        PieceIter { pieces: self, splice: 0, inside: false, at: 0 }
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
            },
            _ => PieceIter {
                pieces: self,
                splice,
                inside: false,
                at: self.columns.first_ending_after(instant.ms()).max(low),
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
                    if self.at < splice.map_or(self.pieces.columns.len(), |splice| splice.from) {
                        self.at += 1;
                        return Some(self.pieces.columns.piece(self.at - 1));
                    }
                    splice?;
                    (self.inside, self.at) = (true, 0);
                }
            }
        }
    }
}
