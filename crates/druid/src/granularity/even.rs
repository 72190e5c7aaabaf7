//! Chunks that are all of one length: those of clock periods, of fixed zones and of `duration`.
//!
//! Always holds: the place of each is computed, and a step costs an addition: they are walked by the ten million.

use crate::interval::{Instant, Interval, within_64_bits};

/// Chunks of one length, in order of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Even {
    /// Where the first of those left starts, in milliseconds.
    next: i64,
    /// Their length in milliseconds, more than 0.
    step: i64,
    left: u64,
}

impl Even {
    /// The chunks from `first` on until `end` is reached.
    pub(super) fn new(first: i64, step: i64, end: i64) -> Even {
        let mut even = Even { next: first, step, left: u64::MAX };
        even.left = even.starting_before(end);
        even
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// How many of those left start before an instant.
    fn starting_before(&self, ms: i64) -> u64 {
        let (distance, step) = (i128::from(ms) - i128::from(self.next), i128::from(self.step));
        let before = distance.div_euclid(step) + i128::from(distance.rem_euclid(step) > 0);
        u64::try_from(before.max(0)).map_or(self.left, |before| before.min(self.left))
    }

    /// The n-th of those left.
    fn at(&self, n: u64) -> Option<Interval> {
        let start = i128::from(self.next) + i128::from(n) * i128::from(self.step);
        let end = within_64_bits(start + i128::from(self.step));
        (n < self.left).then(|| Interval::of_ms(within_64_bits(start), end))
    }

    /// Passes over the first n of those left.
    fn pass(&mut self, n: u64) {
        let n = n.min(self.left);
        self.next = within_64_bits(i128::from(self.next) + i128::from(n) * i128::from(self.step));
        self.left -= n;
    }

    pub(super) fn first(&self) -> Option<Interval> {
        self.at(0)
    }

    pub(super) fn last(&self) -> Option<Interval> {
        self.at(self.left.checked_sub(1)?)
    }

    pub(super) fn containing(&self, at: Instant) -> Option<Interval> {
        let n = self.starting_before(at.ms().saturating_add(1)).checked_sub(1)?;
        self.at(n).filter(|chunk| chunk.contains_instant(at))
    }

    /// Keeps only those that overlap an interval.
    pub(super) fn overlapping(mut self, interval: Interval) -> Even {
        self.left = self.starting_before(interval.end.ms());
        // The one before the first that starts inside may still reach in.
        self.pass(self.starting_before(interval.start.ms()).saturating_sub(1));
        if self.first().is_some_and(|chunk| !chunk.overlaps(interval)) {
            self.pass(1);
        }
        self
    }

    pub(super) fn next(&mut self) -> Option<Interval> {
        self.left = self.left.checked_sub(1)?;
        let start = self.next;
        // Only the last one can end beyond 64 bits.
        self.next = start.saturating_add(self.step);
        Some(Interval::of_ms(start, self.next))
    }

    pub(super) fn nth(&mut self, n: usize) -> Option<Interval> {
        self.pass(n as u64);
        self.next()
    }

    pub(super) fn next_back(&mut self) -> Option<Interval> {
        let last = self.last();
        self.left = self.left.saturating_sub(1);
        last
    }
}
