//! Instants and intervals as Druid has them: milliseconds since 1970 in UTC, half-open, up to ±146 million years.
//!
//! Always holds: an [`Interval`] starts no later than it ends; printing and reading are inverse; texts are read
//! exactly as Joda's `ISODateTimeFormat.dateTimeParser` and `Interval` read them (no zone means UTC).
//!
//! Does not know time chunks ([`crate::granularity`]) or zone names ([`crate::zone`]).

pub(crate) mod civil;
mod parse;
mod period;
mod set;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

pub use parse::ParseError;
pub use period::Period;
pub(crate) use period::{Field as PeriodField, within_64_bits};
pub use set::{condense, subtract};

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Instant(i64);

impl Instant {
    /// Where Druid's eternity begins (`JodaUtils.MIN_INSTANT`), -146136543-09-08T08:23:32.096Z.
    pub const MIN: Instant = Instant(i64::MIN / 2);
    /// Where Druid's eternity ends (`JodaUtils.MAX_INSTANT`), 146140482-04-24T15:36:27.903Z.
    pub const MAX: Instant = Instant(i64::MAX / 2);
    /// 1970-01-01T00:00:00Z; as text also the version of data appended under an APPEND lock.
    pub const EPOCH: Instant = Instant(0);

    /// From milliseconds since 1970 in UTC.
    pub const fn from_ms(ms: i64) -> Instant {
        Instant(ms)
    }

    /// Milliseconds since 1970 in UTC.
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// Reads one ISO date or date-time as Joda does: `2026`, `2026-07`, `2026-07-16T05Z`, `2026-W29-4`, `2026-197`,
    /// offsets and fractions included. Without an offset it is UTC.
    pub fn parse(text: &str) -> Result<Instant, ParseError> {
        parse::instant(parse::Cursor::new(text))
    }

    /// `2026-07-16T00:00:00Z`, with milliseconds only where they are not zero: the canonical text of ids.
    pub fn short(self) -> String {
        if self.0.rem_euclid(1000) != 0 {
            return self.to_string();
        }
        let mut text = self.to_string();
        text.truncate(text.len() - ".000Z".len());
        text.push('Z');
        text
    }
}

/// A moment by calendar and clock, in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Civil {
    /// Proleptic Gregorian year; may be negative.
    pub year: i64,
    /// 1–12.
    pub month: u8,
    /// 1–31.
    pub day: u8,
    /// 0–23.
    pub hour: u8,
    /// 0–59.
    pub minute: u8,
    /// 0–59.
    pub second: u8,
    /// 0–999.
    pub millisecond: u16,
    /// 1 (Monday) – 7 (Sunday).
    pub weekday: u8,
}

impl Instant {
    /// Calendar and clock of this moment in UTC.
    pub fn civil(self) -> Civil {
        let (year, month, day, rest) = civil::civil(self.0);
        Civil {
            year,
            month: month as u8,
            day: day as u8,
            hour: (rest / civil::HOUR) as u8,
            minute: (rest / civil::MINUTE % 60) as u8,
            second: (rest / civil::SECOND % 60) as u8,
            millisecond: (rest % civil::SECOND) as u16,
            weekday: (civil::days_since_monday(self.0) + 1) as u8,
        }
    }

    /// The first millisecond of a date in UTC. A month outside 1–12 or a day outside the month counts on from there.
    pub fn of_date(year: i64, month: i64, day: i64) -> Instant {
        let index = year * 12 + month - 1;
        let first = civil::days_from_civil(index.div_euclid(12), index.rem_euclid(12) + 1, 1);
        Instant((first + day - 1).saturating_mul(civil::DAY))
    }
}

/// As Joda prints it: `2026-07-16T00:00:00.000Z`; years have at least four digits and may be negative.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, rest) = civil::civil(self.0);
        let sign = if year < 0 { "-" } else { "" };
        let (hour, minute) = (rest / civil::HOUR, rest / civil::MINUTE % 60);
        let (second, milli) = (rest / civil::SECOND % 60, rest % civil::SECOND);
        let year = year.abs();
        write!(f, "{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

/// From `start` (inside) to `end` (outside), both in UTC milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interval {
    /// First millisecond inside.
    pub start: Instant,
    /// First millisecond after. Never before `start`.
    pub end: Instant,
}

impl Interval {
    /// All time that Druid knows (`Intervals.ETERNITY`).
    pub const ETERNITY: Interval = Interval { start: Instant::MIN, end: Instant::MAX };

    /// `None` when it would end before it starts.
    pub fn new(start: Instant, end: Instant) -> Option<Interval> {
        (start <= end).then_some(Interval { start, end })
    }

    /// Reads `start/end`, `start/period` or `period/end`, as Joda's `Interval` does in UTC.
    pub fn parse(text: &str) -> Result<Interval, ParseError> {
        parse::interval(text)
    }

    /// From two millisecond counts; an end before the start is moved to the start. For arithmetic that is known good.
    pub(crate) fn of_ms(start: i64, end: i64) -> Interval {
        Interval { start: Instant(start), end: Instant(end.max(start)) }
    }

    /// Whether all of `other` lies inside. An empty interval lies inside when its instant does (Joda's rule: not at
    /// the very end).
    pub fn contains(self, other: Interval) -> bool {
        self.start <= other.start && other.start < self.end && other.end <= self.end
    }

    /// Whether the instant lies inside; the end does not.
    pub fn contains_instant(self, at: Instant) -> bool {
        self.start <= at && at < self.end
    }

    /// Whether the two share at least a millisecond.
    pub fn overlaps(self, other: Interval) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether one ends where the other starts.
    pub fn abuts(self, other: Interval) -> bool {
        self.end == other.start || other.end == self.start
    }

    /// The shared part, or `None` when they share no millisecond.
    pub fn intersect(self, other: Interval) -> Option<Interval> {
        self.overlaps(other)
            .then(|| Interval { start: self.start.max(other.start), end: self.end.min(other.end) })
    }

    /// Whether it holds no millisecond at all.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Length in milliseconds. Eternity fits exactly; what is wider than 64 bits is as long as they allow.
    pub fn duration_ms(self) -> i64 {
        self.end.0.saturating_sub(self.start.0)
    }

    /// `2026-07-16T00:00:00Z/2026-07-17T00:00:00Z`, milliseconds only where they are not zero.
    pub fn short(self) -> String {
        format!("{}/{}", self.start.short(), self.end.short())
    }
}

/// `start/end`, both as Joda prints them.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.start, self.end)
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Instant, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Instant::parse(&text).map_err(D::Error::custom)
    }
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Interval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Interval, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Interval::parse(&text).map_err(D::Error::custom)
    }
}
