//! What lies in a pixel column, without looking at every bar in it.
//!
//! Per lane, for every sixteenth piece the milliseconds covered so far by each mark that the lane uses: a prefix sum.
//! What a column of ten thousand bars is made of is then two reads and at most thirty additions, at every scale, with
//! no pyramid of levels. Costs as many bytes a bar as there are half as many marks in the lane.
//! Holds: `cover` equals the plain sum over the pieces (tested), whatever the blocks.

use crate::mark::Mark;
use crate::store::{Lane, Store};
use crate::weave::NOBODY;

/// Pieces a block.
const BLOCK: usize = 16;

/// Covered milliseconds up to each block, for each mark of the lane in the order of `Mark::index`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sums(Vec<u64>);

impl Sums {
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

/// What lies in a pixel column: milliseconds covered by each mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cover {
    pub(crate) ms: [u64; Mark::COUNT],
}

impl Cover {
    #[inline]
    pub(crate) fn add(&mut self, mark: Mark, ms: u64) {
        if let Some(sum) = self.ms.get_mut(mark.index()) {
            *sum = sum.saturating_add(ms);
        }
    }
}

/// What is seen in a lane, left to right, never overlapping. Numbers run from 0 within the lane.
pub(crate) trait Pieces: Copy {
    fn len(self) -> usize;
    fn start(self, at: usize) -> i64;
    fn end(self, at: usize) -> i64;
    /// The bar seen there; `None` for a gap.
    fn owner(self, at: usize) -> Option<usize>;
    fn mark(self, at: usize) -> Option<Mark>;

    /// The first piece that ends after `t`.
    fn first_after(self, t: i64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.end(middle) <= t { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The first piece from `from` on that starts at or after `t`, quick when it is near.
    #[inline]
    fn gallop(self, from: usize, t: i64) -> usize {
        let len = self.len();
        let mut step = 1;
        let mut low = from;
        let mut high = from;
        while high < len && self.start(high) < t {
            low = high + 1;
            high += step;
            step *= 2;
        }
        let mut high = high.min(len);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.start(middle) < t { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// A lane whose bars do not overlap: each bar is a piece.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'a> {
    first: usize,
    start: &'a [i64],
    end: &'a [i64],
    mark: &'a [Mark],
}

impl Pieces for Plain<'_> {
    #[inline]
    fn len(self) -> usize {
        self.start.len()
    }
    #[inline]
    fn start(self, at: usize) -> i64 {
        self.start.get(at).copied().unwrap_or(i64::MAX)
    }
    #[inline]
    fn end(self, at: usize) -> i64 {
        self.end.get(at).copied().unwrap_or(i64::MAX)
    }
    #[inline]
    fn owner(self, at: usize) -> Option<usize> {
        Some(self.first + at)
    }
    #[inline]
    fn mark(self, at: usize) -> Option<Mark> {
        self.mark.get(at).copied()
    }
}

/// A lane whose bars overlap: what `weave` made of it.
#[derive(Clone, Copy)]
pub(crate) struct Woven<'a> {
    store: &'a Store,
    first: usize,
    len: usize,
}

impl Pieces for Woven<'_> {
    #[inline]
    fn len(self) -> usize {
        self.len
    }
    #[inline]
    fn start(self, at: usize) -> i64 {
        // Past the last piece of this lane lies another lane's.
        let piece = if at <= self.len { self.store.pieces.get(self.first + at) } else { None };
        piece.map_or(i64::MAX, |piece| piece.start(&self.store.start, &self.store.end))
    }
    #[inline]
    fn end(self, at: usize) -> i64 {
        self.start(at + 1)
    }
    #[inline]
    fn owner(self, at: usize) -> Option<usize> {
        let piece = self.store.pieces.get(self.first + at)?;
        (piece.owner != NOBODY).then_some(piece.owner as usize)
    }
    #[inline]
    fn mark(self, at: usize) -> Option<Mark> {
        self.store.mark.get(self.owner(at)?).copied()
    }
}

/// One lane's pieces, of either kind.
#[derive(Clone, Copy)]
pub(crate) enum LanePieces<'a> {
    Plain(Plain<'a>),
    Woven(Woven<'a>),
}

/// Runs the same code over either kind of pieces.
macro_rules! with_pieces {
    ($pieces:expr, $name:ident => $body:expr) => {
        match $pieces {
            $crate::index::LanePieces::Plain($name) => $body,
            $crate::index::LanePieces::Woven($name) => $body,
        }
    };
}
pub(crate) use with_pieces;

impl Store {
    /// What is seen in a lane.
    pub(crate) fn seen(&self, lane: &Lane) -> LanePieces<'_> {
        match lane.pieces {
            // The closing gap only says where the last piece ends.
            Some((from, to)) => LanePieces::Woven(Woven {
                store: self,
                first: from as usize,
                len: (to - from).saturating_sub(1) as usize,
            }),
            None => {
                let range = lane.bars.0 as usize..lane.bars.1 as usize;
                LanePieces::Plain(Plain {
                    first: range.start,
                    start: self.start.get(range.clone()).unwrap_or_default(),
                    end: self.end.get(range.clone()).unwrap_or_default(),
                    mark: self.mark.get(range).unwrap_or_default(),
                })
            }
        }
    }

    /// Builds the block sums of every lane.
    pub(crate) fn sum_up(&mut self) {
        let mut sums = Vec::new();
        let mut lanes = std::mem::take(&mut self.lanes);
        for lane in &mut lanes {
            lane.sums = sums.len() as u32;
            let marks = lane.marks;
            let mut so_far = [0u64; Mark::COUNT];
            // One row more than there are full blocks: a sum that ends with the lane needs it.
            with_pieces!(self.seen(lane), pieces => for at in 0..=pieces.len() {
                if at % BLOCK == 0 {
                    let used = so_far.iter().enumerate().filter(|(mark, _)| marks >> mark & 1 == 1);
                    sums.extend(used.map(|(_, ms)| *ms));
                }
                if let Some(sum) = pieces.mark(at).and_then(|mark| so_far.get_mut(mark.index())) {
                    // Pieces of a lane do not overlap, so even eternity cut into pieces sums to 2^63.
                    *sum += pieces.end(at).abs_diff(pieces.start(at));
                }
            });
        }
        self.lanes = lanes;
        sums.shrink_to_fit();
        self.sums = Sums(sums);
    }

    /// Adds the full lengths of the pieces `from..to` of a lane.
    #[inline]
    pub(crate) fn cover(&self, lane: &Lane, pieces: impl Pieces, from: usize, to: usize, into: &mut Cover) {
        let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
        if last <= first + 1 {
            walk(pieces, from, to, into);
            return;
        }
        walk(pieces, from, first * BLOCK, into);
        let used = lane.marks.count_ones() as usize;
        let row = |block: usize| self.sums.0.get(lane.sums as usize + block * used..).unwrap_or_default();
        let (low, high) = (row(first), row(last));
        let mut bits = lane.marks;
        for (low, high) in low.iter().zip(high).take(used) {
            let mark = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if let Some(sum) = into.ms.get_mut(mark) {
                *sum = sum.saturating_add(high - low);
            }
        }
        walk(pieces, last * BLOCK, to, into);
    }
}

#[inline]
fn walk(pieces: impl Pieces, from: usize, to: usize, into: &mut Cover) {
    for at in from..to {
        if let Some(mark) = pieces.mark(at) {
            into.add(mark, pieces.end(at).abs_diff(pieces.start(at)));
        }
    }
}
