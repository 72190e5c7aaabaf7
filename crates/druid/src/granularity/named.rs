//! The granularities that have names, and which of them are finer than a given one.
//!
//! Source: Druid's `GranularityType` (names and periods) and `Granularity.granularitiesFinerThan`.

use super::{Granularity, PeriodGranularity};
use crate::interval::{Instant, Period};
use crate::order::Order as _;
use crate::zone::Zone;

const ZERO: Period =
    Period { years: 0, months: 0, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0, millis: 0 };

/// Druid's names for periods, finest first.
pub(super) const NAMED: &[(&str, Period)] = &[
    ("SECOND", Period { seconds: 1, ..ZERO }),
    ("MINUTE", Period { minutes: 1, ..ZERO }),
    ("FIVE_MINUTE", Period { minutes: 5, ..ZERO }),
    ("TEN_MINUTE", Period { minutes: 10, ..ZERO }),
    ("FIFTEEN_MINUTE", Period { minutes: 15, ..ZERO }),
    ("THIRTY_MINUTE", Period { minutes: 30, ..ZERO }),
    ("HOUR", Period { hours: 1, ..ZERO }),
    ("SIX_HOUR", Period { hours: 6, ..ZERO }),
    ("EIGHT_HOUR", Period { hours: 8, ..ZERO }),
    ("DAY", Period { days: 1, ..ZERO }),
    ("WEEK", Period { weeks: 1, ..ZERO }),
    ("MONTH", Period { months: 1, ..ZERO }),
    ("QUARTER", Period { months: 3, ..ZERO }),
    ("YEAR", Period { years: 1, ..ZERO }),
];

impl Granularity {
    /// By Druid's name in either case: `DAY`, `fifteen_minute`, `ALL`, `none`.
    pub fn named(name: &str) -> Option<Granularity> {
        if name.eq_ignore_ascii_case("ALL") {
            return Some(Granularity::All);
        }
        if name.eq_ignore_ascii_case("NONE") {
            return Some(Granularity::None);
        }
        let (_, period) = NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        PeriodGranularity::new(*period, None, Zone::Utc, "UTC").map(Granularity::Period)
    }

    /// Every name that [`Granularity::named`] knows, from the finest to the coarsest.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once("NONE").chain(NAMED.iter().map(|(name, _)| *name)).chain(std::iter::once("ALL"))
    }

    /// Its name, when it is one of the named ones in UTC without an origin.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Granularity::None => Some("NONE"),
            Granularity::All => Some("ALL"),
            Granularity::Period(p) if p.origin().is_none() && !p.is_zoned() => {
                NAMED.iter().find(|(_, period)| *period == p.period()).map(|(name, _)| *name)
            }
            Granularity::Period(_) | Granularity::Duration { .. } => None,
        }
    }

    /// The named granularity that Druid takes for a period of one field (`GranularityType.fromPeriod`): any number of
    /// years, weeks, days or seconds counts as one of them. `None` is Druid's `Granularity is not supported. […]`.
    pub fn like(period: Period) -> Option<Granularity> {
        let mut fields = period.values().into_iter().enumerate().filter(|(_, value)| *value != 0);
        let (field, _) = fields.next()?;
        if fields.next().is_some() {
            return None;
        }
        match field {
            0 => Granularity::named("YEAR"),
            2 => Granularity::named("WEEK"),
            3 => Granularity::named("DAY"),
            6 => Granularity::named("SECOND"),
            _ => {
                let (name, _) = NAMED.iter().find(|(_, known)| *known == period)?;
                Granularity::named(name)
            }
        }
    }

    /// The named granularities as fine as this one or finer, longest first, in its own zone and origin: the order in
    /// which an append looks for a place (`Granularity.granularitiesFinerThan`).
    ///
    /// `WEEK` is among them only for `WEEK` in UTC itself, `ALL` only for `ALL`, `NONE` never. A granularity that is
    /// not a named period (`PT4H`) is not in its own list: to Druid it is no place to append to.
    pub fn finer(&self) -> Vec<Granularity> {
        let length = |granularity: &Granularity| granularity.bucket(Instant::EPOCH).duration_ms();
        let longest = length(self);
        let mut finer: Vec<Granularity> = Vec::new();
        for (name, period) in NAMED {
            if *name == "WEEK" && self.name() != Some("WEEK") {
                continue;
            }
            let candidate = match self {
                Granularity::Period(own) => Some(Granularity::Period(own.with_period(*period))),
                _ => Granularity::named(name),
            };
            finer.extend(candidate.filter(|c| length(c) <= longest));
        }
        if *self == Granularity::All {
            finer.push(Granularity::All);
        }
        finer.order_by_key(|granularity| std::cmp::Reverse(length(granularity)));
        finer
    }
}
