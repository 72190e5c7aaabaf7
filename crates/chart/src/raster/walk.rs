//! From the pieces of a lane to what its pixels show: blocks of at least two pixels, and columns that many share.
//!
//! Cost is per pixel column: a column with ten thousand pieces is one galloping search and one block sum.
//! Holds: every piece in view is in a block, or in the cover of a column at its place (tested against brute force); a
//! block takes no pixel from a column that smaller pieces need, so the smallest thing keeps its pixel.

use crate::index::{Cover, Pieces};
use crate::mark::Mark;
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

/// Takes what a lane shows, left to right.
pub(crate) trait Sink {
    /// A piece of two pixels or more.
    fn block(&mut self, block: Block);
    /// A column with what covers it, in milliseconds.
    fn column(&mut self, x: i32, cover: &Cover);
}

/// A remainder below this share of a pixel is not worth a column of its own.
const CRUMB: f64 = 0.15;

/// Shows one lane to `sink`.
pub(crate) fn walk<P: Pieces>(store: &Store, lane: &Lane, pieces: P, view: &View, sink: &mut impl Sink) {
    let seen = view.span();
    let (count, columns) = (pieces.len(), view.width() as i32);
    let wide = (2.0 * view.ms_per_px()).max(1.0) as u64;
    let crumb = (CRUMB * view.ms_per_px()) as u64;
    let owner = |at: usize| pieces.owner(at).map_or(u32::MAX, |bar| bar as u32);
    let mut at = pieces.first_after(seen.start);
    // The first column that nothing has been drawn in.
    let mut free = i32::MIN;
    // The last piece that reached beyond what was drawn of it, and whether it still wants its next column.
    let mut rest: Option<(Mark, i64)> = None;
    let mut owed = false;
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
        let from = view.column_start(column);
        let to = view.column_start(column + 1).max(from.saturating_add(1));
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
                sink.column(column, &cover);
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
        sink.column(column, &cover);
        free = column + 1;
        owed = rest.is_some_and(|(_, end)| end > to && end.abs_diff(to) > crumb);
    }
}
