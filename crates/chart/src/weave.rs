//! Which bar of a lane is on top, where bars overlap.
//!
//! Holds: at every instant the piece is owned by the shortest bar over it (of equals, the one that starts later, then
//! the one further on in the store); pieces of one owner that touch are one piece; gaps are pieces without owner, so
//! that a piece ends where the next one starts. At most 2n pieces for n bars, eight bytes each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A stretch of a lane and the bar that is seen there. It ends where the next piece starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Where it starts, as a place to read it: twice the number of a bar for that bar's start, plus one for its end.
    pub(crate) at: u32,
    /// The bar on top, or `NOBODY`.
    pub(crate) owner: u32,
}

/// The owner of a gap.
pub(crate) const NOBODY: u32 = u32::MAX;

impl Piece {
    /// The millisecond where it starts.
    #[inline]
    pub(crate) fn start(self, start: &[i64], end: &[i64]) -> i64 {
        let column = if self.at & 1 == 0 { start } else { end };
        column.get((self.at >> 1) as usize).copied().unwrap_or(i64::MAX)
    }
}

/// Appends the pieces of the bars `range` (sorted by start) to `out`, closed by a gap. Answers their range in `out`.
pub(crate) fn weave(start: &[i64], end: &[i64], range: (u32, u32), out: &mut Vec<Piece>) -> (u32, u32) {
    let first = out.len() as u32;
    let of = |column: &[i64], bar: u32| column.get(bar as usize).copied().unwrap_or(i64::MAX);
    // The bars under way, the one on top first; those that ended are only dropped when they come to the top.
    let mut open: BinaryHeap<Reverse<(u64, Reverse<u32>)>> = BinaryHeap::new();
    let mut next = range.0;
    let mut put = |at: u32, owner: u32| {
        let piece = Piece { at, owner };
        let t = piece.start(start, end);
        // A piece without length (one bar ends where the next starts) gives way to what follows it.
        while out.len() > first as usize && out.last().is_some_and(|last| last.start(start, end) == t) {
            out.pop();
        }
        let same = out.len() > first as usize && out.last().is_some_and(|last| last.owner == owner);
        if !same {
            out.push(piece);
        }
    };
    loop {
        let starts = (next < range.1).then(|| of(start, next));
        let top = open.peek().map(|Reverse((_, Reverse(bar)))| *bar);
        match (top, starts) {
            (None, None) => break,
            // The bar on top ends before anything else starts: whoever is under it and still runs comes up.
            (Some(bar), starts) if starts.is_none_or(|t| of(end, bar) <= t) => {
                let ended = of(end, bar);
                while open.peek().is_some_and(|Reverse((_, Reverse(under)))| of(end, *under) <= ended) {
                    open.pop();
                }
                put(bar * 2 + 1, open.peek().map_or(NOBODY, |Reverse((_, Reverse(under)))| *under));
            }
            (_, _) => {
                let at = next;
                while next < range.1 && of(start, next) == of(start, at) {
                    let length = of(end, next).abs_diff(of(start, next));
                    open.push(Reverse((length, Reverse(next))));
                    next += 1;
                }
                if let Some(Reverse((_, Reverse(bar)))) = open.peek() {
                    put(at * 2, *bar);
                }
            }
        }
    }
    (first, out.len() as u32)
}
