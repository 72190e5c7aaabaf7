//! Time zones as Joda uses them for chunks: an offset for every instant, and the way back from local time.
//!
//! Always holds: zone rules are an argument ([`Zones`]), so that the browser loads one zone when it needs it; a name
//! Druid does not know means UTC, as in `DateTimes.inferTzFromString`.
//!
//! Does not know abbreviations or daylight saving as such: only offsets and the instants at which they change.

mod names;
mod table;
#[cfg(feature = "tzdb")]
mod tzdb;

use std::sync::Arc;

pub use names::{Named, named};
pub use table::{BadTable, ZoneTable};
#[cfg(feature = "tzdb")]
pub use tzdb::Tzdb;

use crate::interval::Instant;

/// The rules of one zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Zone {
    /// No offset, ever.
    Utc,
    /// Always the same offset, in milliseconds east of Greenwich.
    Fixed(i32),
    /// Offsets that change.
    Table(Arc<ZoneTable>),
}

/// What a provider knows of a zone name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// The rules.
    Known(Zone),
    /// No such zone: Druid takes UTC and says nothing.
    Unknown,
    /// There may be such a zone, but its table has not been loaded here yet.
    NotLoaded,
}

/// Where zone rules come from.
pub trait Zones {
    /// The rules behind a `timeZone` text of a spec.
    fn lookup(&self, name: &str) -> Lookup;
}

/// Knows what needs no table: UTC and fixed offsets. Every region is [`Lookup::NotLoaded`].
#[derive(Clone, Copy, Debug, Default)]
pub struct UtcOnly;

impl Zones for UtcOnly {
    fn lookup(&self, name: &str) -> Lookup {
        match named(name) {
            Named::Utc => Lookup::Known(Zone::Utc),
            Named::Offset(ms) => Lookup::Known(Zone::Fixed(ms)),
            Named::Region(_) => Lookup::NotLoaded,
            Named::Unknown => Lookup::Unknown,
        }
    }
}

/// Tables that were loaded one by one, as the browser does. A region that is in no table is [`Lookup::NotLoaded`]
/// until it is added or known to be missing.
#[derive(Clone, Debug, Default)]
pub struct LoadedZones {
    known: Vec<(String, Option<Zone>)>,
}

impl LoadedZones {
    /// Adds a table under its own name.
    pub fn add(&mut self, table: ZoneTable) {
        let name = table.name().to_owned();
        self.set(name, Some(Zone::Table(Arc::new(table))));
    }

    /// Remembers that nobody has such a zone, so that it reads as UTC.
    pub fn add_missing(&mut self, name: &str) {
        self.set(name.to_owned(), None);
    }

    fn set(&mut self, name: String, zone: Option<Zone>) {
        self.known.retain(|(other, _)| *other != name);
        self.known.push((name, zone));
    }
}

impl Zones for LoadedZones {
    fn lookup(&self, name: &str) -> Lookup {
        let Named::Region(region) = named(name) else { return UtcOnly.lookup(name) };
        match self.known.iter().find(|(known, _)| known == region) {
            Some((_, Some(zone))) => Lookup::Known(zone.clone()),
            Some((_, None)) => Lookup::Unknown,
            None => Lookup::NotLoaded,
        }
    }
}

impl Zone {
    /// Milliseconds to add to UTC to get local time at this instant.
    pub fn offset(&self, at: Instant) -> i64 {
        self.offset_ms(at.ms())
    }

    /// Whether the offset never changes, so that a day is always 24 hours.
    pub fn is_fixed(&self) -> bool {
        match self {
            Zone::Utc | Zone::Fixed(_) => true,
            Zone::Table(table) => table.is_fixed(),
        }
    }

    pub(crate) fn offset_ms(&self, ms: i64) -> i64 {
        match self {
            Zone::Utc => 0,
            Zone::Fixed(offset) => i64::from(*offset),
            Zone::Table(table) => table.offset(ms),
        }
    }

    /// Local milliseconds of an instant.
    pub(crate) fn local(&self, ms: i64) -> i64 {
        ms.saturating_add(self.offset_ms(ms))
    }

    /// First change of offset after `ms`, and the offset from then on.
    pub(crate) fn next_change(&self, ms: i64) -> Option<(i64, i64)> {
        match self {
            Zone::Utc | Zone::Fixed(_) => None,
            Zone::Table(table) => table.next_change(ms),
        }
    }

    /// The instant of a local time, for adding periods: Joda's `DateTimeZone.getOffsetFromLocal`. A time that occurs
    /// twice is its first occurrence; one that is skipped moves past the gap by the gap's length.
    pub(crate) fn instant_of(&self, local: i64) -> i64 {
        if matches!(local, i64::MIN | i64::MAX) {
            return local; // what was too far stays there
        }
        let estimate = self.offset_ms(local);
        let adjusted = local.saturating_sub(estimate);
        let offset = self.offset_ms(adjusted);
        if estimate != offset {
            if estimate < offset
                && self.next_change(adjusted) != self.next_change(local.saturating_sub(offset))
            {
                return adjusted; // skipped: stay after the gap
            }
        } else if let Some((change, before)) = self.last_change(adjusted)
            && estimate >= 0
            && adjusted < change.saturating_add(before - estimate)
        {
            return local.saturating_sub(before); // occurs twice: the first one
        }
        local.saturating_sub(offset)
    }

    /// The instant of a local time, for rounding: Joda's `convertLocalToUTC(local, false, original)`. It keeps the
    /// original's offset where that is possible.
    pub(crate) fn instant_near(&self, local: i64, original: i64) -> i64 {
        let with = |offset: i64| local.saturating_sub(offset);
        let kept = self.offset_ms(original);
        if self.offset_ms(with(kept)) == kept {
            return with(kept);
        }
        let estimate = self.offset_ms(local);
        let offset = self.offset_ms(with(estimate));
        let skipped = estimate != offset
            && estimate < 0
            && self.next_change(with(estimate)) != self.next_change(with(offset));
        with(if skipped { estimate } else { offset })
    }

    /// Last change at or before `ms`, and the offset before it.
    fn last_change(&self, ms: i64) -> Option<(i64, i64)> {
        match self {
            Zone::Utc | Zone::Fixed(_) => None,
            Zone::Table(table) => table.last_change(ms),
        }
    }
}
