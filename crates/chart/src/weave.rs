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

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, clippy::unwrap_used)] // a missing piece is the failure of the test
    use crate::index::{LanePieces, Pieces};
    use crate::mark::Mark;
    use crate::store::{Bar, Store};
    use proptest::prelude::*;

    fn store(spans: &[(i64, i64)]) -> Store {
        let bar = |(id, (start, end)): (usize, &(i64, i64))| Bar {
            lane: 0,
            start: *start,
            end: *end,
            id: id as u32,
            weight: 1.0,
            mark: Mark::ALL[id % Mark::COUNT],
        };
        Store::build(1, spans.iter().enumerate().map(bar).collect())
    }

    /// Start, end and the caller's id of each piece, gaps left out.
    fn pieces(store: &Store) -> Vec<(i64, i64, u32)> {
        fn read(store: &Store, pieces: impl Pieces) -> Vec<(i64, i64, u32)> {
            (0..pieces.len())
                .filter_map(|at| Some((pieces.start(at), pieces.end(at), store.id[pieces.owner(at)?])))
                .collect()
        }
        match store.seen(&store.lanes[0]) {
            LanePieces::Plain(pieces) => read(store, pieces),
            LanePieces::Woven(pieces) => read(store, pieces),
        }
    }

    #[test]
    fn a_day_under_its_hours_is_seen_where_no_hour_is() {
        let woven = pieces(&store(&[(0, 24), (3, 4), (4, 5), (20, 30)]));
        assert_eq!(woven, [(0, 3, 0), (3, 4, 1), (4, 5, 2), (5, 20, 0), (20, 30, 3)]);
    }

    #[test]
    fn a_long_bar_that_starts_later_does_not_cover_a_short_one() {
        assert_eq!(pieces(&store(&[(0, 10), (5, 100)])), [(0, 10, 0), (10, 100, 1)]);
    }

    #[test]
    fn bars_that_only_touch_are_left_as_they_are() {
        let store = store(&[(0, 5), (5, 9), (12, 13)]);
        assert!(store.pieces.is_empty(), "nothing to weave, nothing to keep");
        assert_eq!(pieces(&store), [(0, 5, 0), (5, 9, 1), (12, 13, 2)]);
    }

    #[test]
    fn of_bars_over_the_same_interval_the_last_is_on_top() {
        assert_eq!(pieces(&store(&[(0, 9), (0, 9), (0, 9)])), [(0, 9, 2)]);
    }

    proptest! {
        #[test]
        fn at_every_instant_the_shortest_bar_is_seen(
            spans in prop::collection::vec((0i64..60, 1i64..40), 0..24)
        ) {
            let spans: Vec<(i64, i64)> = spans.into_iter().map(|(start, length)| (start, start + length)).collect();
            let store = store(&spans);
            let woven = pieces(&store);
            prop_assert!(store.pieces.len() <= 2 * spans.len() + 1);
            for pair in woven.windows(2) {
                prop_assert!(pair[0].1 <= pair[1].0, "pieces overlap");
            }
            for t in -1..110 {
                // The rule, spelled out: shortest, then later start, then further on in the store.
                let mut over: Vec<usize> =
                    (0..store.len()).filter(|at| store.start[*at] <= t && t < store.end[*at]).collect();
                over.sort_by_key(|at| (store.end[*at] - store.start[*at], std::cmp::Reverse(*at)));
                let expected = over.first().map(|at| store.id[*at]);
                let seen = woven.iter().find(|(start, end, _)| *start <= t && t < *end).map(|(_, _, id)| *id);
                prop_assert_eq!(seen, expected, "at {}", t);
            }
        }
    }
}
