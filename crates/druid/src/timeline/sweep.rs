//! The one rule of visibility, as a sweep: at each instant the holder of the highest version is served.
//!
//! Holders come in order of their starts; a heap of those under way gives the highest version. Who comes and cannot be
//! served before the highest ends, or ends the highest for good, does not lengthen the heap. Near linear when few
//! holders overlap, O(n log n) always.

use std::collections::BinaryHeap;

use super::VersionKey;

/// A holder as the sweep sees it. The order is that of the heap: by version; equal ones cannot overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Contender {
    pub(super) key: VersionKey,
    pub(super) holder: u32,
    pub(super) start: i64,
    pub(super) end: i64,
}

/// Sweeps [from, to): emits `(start, end, holder)` of what is served, oldest first. Neighbours of one holder may
/// be emitted in parts. Contenders must come by ascending start.
pub(super) fn sweep(
    contenders: impl IntoIterator<Item = Contender>,
    from: i64,
    to: i64,
    mut emit: impl FnMut(i64, i64, u32),
) {
    let mut under_way: BinaryHeap<Contender> = BinaryHeap::new();
    let mut now = from;
    for next in contenders {
        if next.end <= from || next.start >= to || next.start >= next.end {
            continue;
        }
        now = serve(&mut under_way, now, next.start, &mut emit);
        if let Some(mut highest) = under_way.peek_mut() {
            if highest.key > next.key && highest.end >= next.end {
                continue;
            }
            if highest.key < next.key && highest.end <= next.end {
                *highest = next;
                continue;
            }
        }
        under_way.push(next);
    }
    serve(&mut under_way, now, to, &mut emit);
}

/// The same over all of time, of two lists of contenders that come by ascending start each; those of `pieces` overlap none
/// of their own. Who overlaps nobody is served whole, without a heap.
pub(super) fn sweep_over(pieces: &[Contender], others: &[Contender], mut emit: impl FnMut(i64, i64, u32)) {
    let (mut pieces, mut others) = (pieces.iter().peekable(), others.iter().peekable());
    // Contenders that overlap one by one, and how far they reach.
    let (mut run, mut reach) = (Vec::new(), i64::MIN);
    loop {
        let is_other = match (pieces.peek(), others.peek()) {
            (Some(piece), Some(other)) => other.start < piece.start,
            (piece, _) => piece.is_none(),
        };
        let next = if is_other { others.next() } else { pieces.next() };
        if next.is_none_or(|next| next.start >= reach) {
            match run.as_slice() {
                [] => {}
                [Contender { holder, start, end, .. }] if start < end => emit(*start, *end, *holder),
                _ => sweep(run.drain(..), i64::MIN, i64::MAX, &mut emit),
            }
            run.clear();
        }
        let Some(next) = next else { return };
        reach = reach.max(next.end);
        run.push(*next);
    }
}

/// Serves from `now` up to `until`; returns the later of both.
fn serve(
    under_way: &mut BinaryHeap<Contender>,
    mut now: i64,
    until: i64,
    emit: &mut impl FnMut(i64, i64, u32),
) -> i64 {
    while now < until {
        let Some(highest) = under_way.peek() else { break };
        if highest.end <= now {
            under_way.pop();
            continue;
        }
        let end = highest.end.min(until);
        emit(now, end, highest.holder);
        now = end;
    }
    now.max(until)
}
