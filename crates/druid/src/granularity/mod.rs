//! Granularities: how time is cut into chunks.
//!
//! Always holds: the chunks of an interval abut and cover it (Druid's own exceptions before 1970 are named at
//! [`PeriodGranularity`]); walking them is lazy, and counting and jumping cost the same however many there are, except
//! for compound calendar periods.
//!
//! Does not know which zones exist: rules come in through [`Zones`].

mod buckets;
mod even;
mod named;
mod period;
mod text;

pub use buckets::Buckets;
pub use period::PeriodGranularity;

use crate::interval::{Instant, Interval, within_64_bits};
#[cfg(doc)]
use crate::zone::Zones;

/// A segment or query granularity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Granularity {
    /// One chunk a millisecond.
    None,
    /// One chunk for everything; as segment granularity, one for each interval that was given.
    All,
    /// A calendar or clock period, in a zone, aligned to an origin. All named ones but NONE and ALL are of this kind.
    Period(PeriodGranularity),
    /// Fixed lengths in milliseconds (`DurationGranularity`).
    Duration {
        /// Length of a chunk in milliseconds, more than 0.
        ms: i64,
        /// A moment at which a chunk starts.
        origin: Instant,
    },
}

impl Granularity {
    /// The chunk that holds an instant. For `All` it is eternity.
    pub fn bucket(&self, at: Instant) -> Interval {
        let start = self.bucket_start(at.ms());
        Interval::of_ms(start, self.increment(start))
    }

    /// The chunks that an interval touches, in order, whole (so they can stick out at both ends). Lazy.
    ///
    /// For `All` it is the interval itself (`IntervalsByGranularity`); an empty interval touches nothing.
    pub fn buckets(&self, interval: Interval) -> Buckets {
        Buckets::new(self, interval)
    }

    /// The smallest run of whole chunks around an interval: what a task over it works on. From the first of
    /// [`Granularity::buckets`] to the last; none where there is none.
    pub fn cover(&self, interval: Interval) -> Option<Interval> {
        self.buckets(interval).span()
    }

    /// Whether an interval is a run of whole chunks.
    pub fn is_whole(&self, interval: Interval) -> bool {
        self.cover(interval) == Some(interval)
    }

    /// How many chunks an interval touches.
    pub fn count(&self, interval: Interval) -> u64 {
        self.buckets(interval).remaining()
    }

    /// Whether the interval is exactly one chunk (`Granularity.isAligned`).
    pub fn is_aligned(&self, interval: Interval) -> bool {
        match self {
            Granularity::None => true,
            Granularity::All => interval == Interval::ETERNITY,
            Granularity::Period(_) => self.bucket(interval.start) == interval,
            Granularity::Duration { ms, origin } => {
                let past = i128::from(interval.start.ms()) - i128::from(origin.ms() % ms);
                interval.duration_ms() == *ms && past % i128::from(*ms) == 0
            }
        }
    }

    /// Where a chunk that starts at `start` ends: Druid's `increment`. `start` need not be aligned.
    pub fn bucket_end_from(&self, start: Instant) -> Instant {
        Instant::from_ms(self.increment(start.ms()))
    }

    /// Where the chunk of `ms` starts.
    pub(crate) fn bucket_start(&self, ms: i64) -> i64 {
        match self {
            Granularity::None => ms,
            Granularity::All => Instant::MIN.ms(),
            Granularity::Period(period) => period.truncate(ms),
            Granularity::Duration { ms: length, origin } => round_down(ms, origin.ms(), (*length).into()),
        }
    }

    /// Where the chunk after the one starting at `start` starts.
    pub(crate) fn increment(&self, start: i64) -> i64 {
        match self {
            Granularity::None => start.saturating_add(1),
            Granularity::All => Instant::MAX.ms(),
            Granularity::Period(period) => period.add(start, 1),
            Granularity::Duration { ms, .. } => start.saturating_add(*ms),
        }
    }
}

/// As `DurationGranularity` and `PeriodGranularity.truncateMillisPeriod` compute it, remainders of negative numbers included.
fn round_down(ms: i64, origin: i64, length: i128) -> i64 {
    let offset = i128::from(ms) % length - i128::from(origin) % length;
    within_64_bits(i128::from(ms) - if offset < 0 { offset + length } else { offset })
}
