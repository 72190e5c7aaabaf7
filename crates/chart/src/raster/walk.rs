//! From the pieces of a lane to what its pixels show: blocks of at least two pixels, and columns that many share.
//!
//! Cost is per pixel column: a column with ten thousand pieces is one galloping search and one block sum.
//! Holds: every piece in view is in a block, or in the cover of a column at its place (tested against brute force); a
//! block takes no pixel from a column that smaller pieces need, so the smallest thing keeps its pixel.

use crate::index::{Cover, Pieces};
use crate::mark::Mark;
use crate::overlays::Span;
use crate::store::{Lane, Store};
use crate::view::View;

/// A piece with its own pixels. Columns are clamped a little outside the plot, times are not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    /// First column and the first after it.
    pub(crate) x0: i32,
    pub(crate) x1: i32,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) mark: Mark,
    /// The bar it belongs to.
    pub(crate) bar: u32,
}

impl Block {
    /// Its width in pixels before it was fitted to the grid of pixels. What bars look like is decided by it: bars of one
    /// length are to look alike, though one has a pixel more than the next.
    pub(crate) fn true_width(&self, view: &View) -> f64 {
        self.end.abs_diff(self.start) as f64 / view.ms_per_px()
    }
}

/// Takes what a lane shows, left to right.
pub(crate) trait Sink {
    /// A piece of two pixels or more.
    fn block(&mut self, block: Block);
    /// A column with what covers it, in milliseconds; `marks` has a bit for each mark that the lane uses at all.
    fn column(&mut self, x: i32, cover: &Cover, marks: u16);
}

/// A remainder below this share of a pixel is not worth a column of its own.
const CRUMB: f64 = 0.15;

/// Shows one lane to `sink`.
pub(crate) fn walk<P: Pieces>(store: &Store, lane: &Lane, pieces: P, view: &View, sink: &mut impl Sink) {
    let (count, columns) = (pieces.len(), view.width() as i32);
    let seen = Span::new(view.column_start(0), view.column_start(columns));
    let wide = (2.0 * view.ms_per_px()).max(1.0) as u64;
    let crumb = (CRUMB * view.ms_per_px()) as u64;
    let owner = |at: usize| pieces.owner(at).map_or(u32::MAX, |bar| bar as u32);
    let mut at = pieces.first_after(seen.start);
    // The first column that nothing has been drawn in.
    let mut free = i32::MIN;
    // The last piece that reached beyond what was drawn of it, and whether it still wants its next column.
    let mut rest: Option<(Mark, i64)> = None;
    let mut owed = false;
    // Where the next column starts, when it was worked out as the end of the one before.
    let mut edge = (i32::MIN, 0);
    loop {
        let column = if owed {
            free
        } else {
            if at >= count {
                return;
            }
            let start = pieces.start(at);
            if start >= seen.end {
                return;
            }
            let Some(mark) = pieces.mark(at) else {
                at += 1;
                continue;
            };
            let end = pieces.end(at);
            let first = view.column(start).max(free);
            if end.abs_diff(start) >= wide {
                let last = view.column(end);
                if last > first {
                    sink.block(Block { x0: first, x1: last, start, end, mark, bar: owner(at) });
                    free = last;
                }
                rest = Some((mark, end));
                at += 1;
                continue;
            }
            first
        };
        if column >= columns {
            return;
        }
        let from = if column == edge.0 { edge.1 } else { view.column_start(column) };
        let to = view.column_start(column + 1).max(from.saturating_add(1));
        edge = (column + 1, to);
        let mut cover = Cover::default();
        if let Some((mark, end)) = rest.take().filter(|(_, end)| *end > from) {
            cover.add(mark, end.min(to).abs_diff(from));
            if end > to {
                rest = Some((mark, end));
            }
        }
        let next = pieces.gallop(at, to);
        if next > at {
            let last = next - 1;
            store.cover(lane, pieces, at, last, &mut cover);
            let (start, end) = (pieces.start(last), pieces.end(last));
            if let Some(mark) = pieces.mark(last) {
                cover.add(mark, end.min(to).saturating_sub(start).max(0) as u64);
                rest = (end > to).then_some((mark, end));
            }
            at = next;
            if let Some((mark, end)) = rest.filter(|_| end.abs_diff(start) >= wide) {
                sink.column(column, &cover, lane.marks);
                let x1 = view.column(end);
                free = column + 1;
                if x1 > free {
                    sink.block(Block { x0: free, x1, start, end, mark, bar: owner(last) });
                    free = x1;
                }
                owed = false;
                continue;
            }
        }
        sink.column(column, &cover, lane.marks);
        free = column + 1;
        owed = rest.is_some_and(|(_, end)| end > to && end.abs_diff(to) > crumb);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, clippy::unwrap_used)] // a missing column is the failure of the test
    use super::*;
    use crate::index::with_pieces;
    use crate::store::Bar;
    use proptest::prelude::*;

    #[derive(Default)]
    struct Shown {
        blocks: Vec<Block>,
        columns: Vec<(i32, Cover)>,
    }

    impl Sink for Shown {
        fn block(&mut self, block: Block) {
            self.blocks.push(block);
        }
        fn column(&mut self, x: i32, cover: &Cover, _: u16) {
            self.columns.push((x, *cover));
        }
    }

    fn shown(store: &Store, view: &View) -> Shown {
        let mut shown = Shown::default();
        let lane = &store.lanes[0];
        with_pieces!(store.seen(lane), pieces => walk(store, lane, pieces, view, &mut shown));
        shown
    }

    fn bar(start: i64, end: i64, mark: Mark) -> Bar {
        Bar { lane: 0, start, end, id: 0, weight: 1.0, mark }
    }

    #[test]
    fn a_bar_longer_than_the_window_fills_it() {
        let store = Store::build(1, vec![bar(-1_000_000, 1_000_000, Mark::Served)]);
        let view = View::of(Span::new(0, 1000), 100);
        let shown = shown(&store, &view);
        assert_eq!(shown.blocks.len(), 1);
        assert!(shown.blocks[0].x0 <= 0 && shown.blocks[0].x1 >= 100);
        assert!(shown.columns.is_empty());
    }

    #[test]
    fn a_year_over_its_hours_is_seen_between_them() {
        let hours = (0..100).map(|n| bar(n * 10, n * 10 + 1, Mark::Hidden));
        let store = Store::build(1, hours.chain([bar(0, 1000, Mark::Served)]).collect());
        let view = View::of(Span::new(0, 1000), 100);
        let shown = shown(&store, &view);
        assert_eq!(shown.columns.len(), 100);
        for (_, cover) in &shown.columns {
            // A column of ten milliseconds: one of an hour, nine of the year (an edge moves by a thousandth).
            assert!(cover.ms[Mark::Hidden.index()].abs_diff(1) <= 1);
            assert!(cover.ms[Mark::Served.index()].abs_diff(9) <= 1);
        }
    }

    #[test]
    fn a_tiny_bar_between_two_long_ones_keeps_a_pixel() {
        let bars =
            vec![bar(0, 500, Mark::Served), bar(500, 501, Mark::Tombstone), bar(501, 1000, Mark::Served)];
        let shown = shown(&Store::build(1, bars), &View::of(Span::new(0, 1000), 100));
        assert_eq!(shown.columns.len(), 1);
        assert_eq!(shown.columns[0].0, 50);
        assert!(shown.columns[0].1.ms[Mark::Tombstone.index()] == 1);
        assert_eq!(shown.blocks.len(), 2);
        assert!(shown.blocks[0].x1 <= 50 && shown.blocks[1].x0 >= 51, "{:?}", shown.blocks);
    }

    /// Bars that may overlap: mostly short ones, some long.
    fn bars() -> impl Strategy<Value = Vec<Bar>> {
        let length = prop_oneof![6 => 1i64..30, 2 => 30i64..400, 1 => 400i64..8000];
        prop::collection::vec((0i64..6000, length, 0usize..Mark::COUNT), 0..300).prop_map(|all| {
            let bar = |(start, length, mark): (i64, i64, usize)| bar(start, start + length, Mark::ALL[mark]);
            all.into_iter().map(bar).collect()
        })
    }

    /// Bars that touch or leave gaps, in great number: block sums are used.
    fn comb() -> impl Strategy<Value = Vec<Bar>> {
        prop::collection::vec((0i64..4, 1i64..12, 0usize..4), 0..1500).prop_map(|all| {
            let mut t = 0;
            let mut next = |(gap, length, mark): (i64, i64, usize)| {
                t += gap + length;
                bar(t - length, t, Mark::ALL[mark])
            };
            all.into_iter().map(&mut next).collect()
        })
    }

    proptest! {
        #[test]
        fn everything_in_view_is_shown_and_nothing_else(
            bars in prop_oneof![bars(), comb()], from in -500i64..6000, length in 1i64..9000, width in 1u32..400
        ) {
            let store = Store::build(1, bars);
            let view = View::of(Span::new(from, from + length), width);
            let shown = shown(&store, &view);

            // Left to right, and no two things on one pixel.
            let mut taken: Vec<(i32, i32)> = shown.blocks.iter().map(|block| (block.x0, block.x1)).collect();
            taken.extend(shown.columns.iter().map(|(x, _)| (*x, x + 1)));
            taken.sort_unstable();
            for pair in taken.windows(2) {
                prop_assert!(pair[0].1 <= pair[1].0, "{:?}", pair);
            }

            // Brute force over all pieces.
            let mut pieces = Vec::new();
            with_pieces!(store.seen(&store.lanes[0]), seen => for at in 0..seen.len() {
                if let Some(mark) = seen.mark(at) {
                    pieces.push((seen.start(at), seen.end(at), mark));
                }
            });
            let span = view.span();
            for (start, end, mark) in &pieces {
                if *end <= span.start || *start >= span.end || view.column(*start) >= width as i32 {
                    continue;
                }
                let first = view.column(*start);
                let in_block = shown.blocks.iter().any(|block| block.start == *start && block.end == *end);
                let in_column = shown.columns.iter().any(|(x, cover)| {
                    (*x == first || *x == first + 1) && cover.ms[mark.index()] > 0
                });
                // What ends within the first thousandth of a pixel of the view may be left out.
                let grazing = view.px(*end) < 0.01;
                prop_assert!(in_block || in_column || grazing, "{:?}", (start, end, mark, first));
            }
            // A column left of the plot is only half looked at, and not drawn.
            for (x, cover) in shown.columns.iter().filter(|(x, _)| *x >= 0) {
                let (from, to) = (view.column_start(*x), view.column_start(x + 1).max(view.column_start(*x) + 1));
                let mut expected = [0u64; Mark::COUNT];
                for (start, end, mark) in &pieces {
                    let part = (*end).min(to).saturating_sub((*start).max(from)).max(0);
                    expected[mark.index()] += part as u64;
                }
                prop_assert_eq!(cover.ms, expected, "column {}", x);
                prop_assert!(cover.ms.iter().any(|ms| *ms > 0));
            }
            for block in &shown.blocks {
                prop_assert!(pieces.contains(&(block.start, block.end, block.mark)));
                prop_assert!(block.x1 > block.x0);
                prop_assert!(view.column(block.end) >= block.x1, "a block does not reach beyond its end");
            }
        }

        #[test]
        fn block_sums_are_the_plain_sums(bars in prop_oneof![bars(), comb()], a in 0usize..1600, b in 0usize..1600) {
            let store = Store::build(1, bars);
            let lane = &store.lanes[0];
            with_pieces!(store.seen(lane), pieces => {
                let (from, to) = (a.min(b).min(pieces.len()), a.max(b).min(pieces.len()));
                let mut quick = Cover::default();
                store.cover(lane, pieces, from, to, &mut quick);
                let mut plain = Cover::default();
                for at in from..to {
                    if let Some(mark) = pieces.mark(at) {
                        plain.add(mark, pieces.end(at).abs_diff(pieces.start(at)));
                    }
                }
                prop_assert_eq!(quick, plain);
            });
        }
    }
}
