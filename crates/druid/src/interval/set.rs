//! Lists of intervals as sets of instants: condensed (sorted, disjoint, not abutting, not empty) and subtracted.
//!
//! Does not bucket: rounding to time chunks is [`crate::granularity`].

use super::Interval;

/// Sorted, overlapping and abutting ones merged, empty ones dropped: Druid's `JodaUtils.condenseIntervals`.
pub fn condense(intervals: impl IntoIterator<Item = Interval>) -> Vec<Interval> {
    let mut sorted: Vec<Interval> = intervals.into_iter().filter(|i| !i.is_empty()).collect();
    sorted.sort_unstable();
    let mut merged: Vec<Interval> = Vec::new();
    for next in sorted {
        match merged.last_mut() {
            Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
            _ => merged.push(next),
        }
    }
    merged
}

/// What of `from` is in none of `minus`. Both must be condensed; so is the result.
pub fn subtract(from: &[Interval], minus: &[Interval]) -> Vec<Interval> {
    let mut left = Vec::new();
    let mut cuts = minus.iter().copied().peekable();
    for &piece in from {
        let mut start = piece.start;
        while cuts.next_if(|cut| cut.end <= piece.start).is_some() {}
        while let Some(&cut) = cuts.peek().filter(|cut| cut.start < piece.end) {
            left.extend(Interval::new(start, cut.start).filter(|rest| !rest.is_empty()));
            start = start.max(cut.end);
            if cut.end >= piece.end {
                break; // it may cut the next piece as well
            }
            cuts.next();
        }
        left.extend(Interval::new(start, piece.end).filter(|rest| !rest.is_empty()));
    }
    left
}
