//! Period granularities: rounding down and stepping, as Druid's `PeriodGranularity` does it on Joda's calendar.
//!
//! Always holds: the result is Druid's to the millisecond, including where Druid is odd:
//! * a step of several hours (`PT6H`, `PT8H`) rounds *up* for instants before the origin when the origin is not after
//!   1970: `SIX_HOUR` of 1969-12-31T23:00 is the chunk that starts at 1970-01-01T00:00, which does not hold it;
//! * before the origin a compound calendar period (`P1M2D`) steps back from it, and the chunk that follows from the
//!   start found so may end short of the instant;
//! * where a zone skips midnight, the chunk after the gap starts late, and walking on from it keeps the later hour.
//!
//! Exact for years within ±9999 in every case; compound calendar periods (`P1M2D`) step by mean lengths beyond.

use super::round_down;
use crate::interval::civil::{self, DAY, HOUR, MINUTE, SECOND};
use crate::interval::{Instant, Period, PeriodField as Field, within_64_bits};
use crate::zone::Zone;

/// A period with its zone and origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeriodGranularity {
    period: Period,
    origin: Option<Instant>,
    zone: Zone,
    zone_name: String,
    /// The origin in use: the given one, or local midnight of 1970-01-01.
    base: i64,
}

/// Beyond ±this many milliseconds (about 10,000 years) a compound calendar period is not walked step by step.
const WALKED: i128 = 10_000 * 366 * DAY as i128;

impl PeriodGranularity {
    /// `None` unless every field of the period is zero or more and one is more: Druid refuses a zero period and never
    /// ends with a negative one. The zone name is kept for printing.
    pub fn new(
        period: Period,
        origin: Option<Instant>,
        zone: Zone,
        zone_name: &str,
    ) -> Option<PeriodGranularity> {
        if !period.is_positive() {
            return None;
        }
        let base = origin.map_or_else(|| zone.instant_near(0, 0), Instant::ms);
        Some(PeriodGranularity { period, origin, zone, zone_name: zone_name.to_owned(), base })
    }

    /// The period.
    pub fn period(&self) -> Period {
        self.period
    }

    /// The origin as given; without one chunks align to 1970-01-01 in the zone.
    pub fn origin(&self) -> Option<Instant> {
        self.origin
    }

    /// The zone's rules.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// The zone as it was called; `UTC` when none was.
    pub fn zone_name(&self) -> &str {
        &self.zone_name
    }

    /// Whether chunks follow a zone other than UTC. Such granularities break some partitionings at run time.
    pub fn is_zoned(&self) -> bool {
        self.zone != Zone::Utc
    }

    /// The same zone and origin with another period.
    pub(super) fn with_period(&self, period: Period) -> PeriodGranularity {
        PeriodGranularity { period, ..self.clone() }
    }

    /// `chronology.add(period, at, times)`.
    pub(super) fn add(&self, at: i64, times: i64) -> i64 {
        self.period.fields().fold(at, |ms, field| self.add_field(ms, field, times.into()))
    }

    fn add_field(&self, ms: i64, field: Field, times: i128) -> i64 {
        match field {
            // Clock time passes the same everywhere (Joda's "time fields").
            Field::Ms(_) => field.add_local(ms, times),
            Field::Months(_) | Field::Days(_) if self.zone.is_fixed() => {
                let offset = self.zone.offset_ms(ms);
                field.add_local(ms.saturating_add(offset), times).saturating_sub(offset)
            }
            Field::Months(_) | Field::Days(_) => {
                self.zone.instant_of(field.add_local(self.zone.local(ms), times))
            }
        }
    }

    /// The length of a chunk, in the mean over 400 years.
    pub(super) fn mean_ms(&self) -> i128 {
        self.period.fields().map(|field| field.mean_ms()).sum()
    }

    /// Where the chunk of `t` starts (`PeriodGranularity.truncate`).
    pub(super) fn truncate(&self, t: i64) -> i64 {
        if self.period.values().iter().filter(|&&v| v > 0).count() > 1 {
            return self.truncate_compound(t);
        }
        let Period { years, months, weeks, days, hours, minutes, seconds, millis } = self.period;
        let aligned = self.origin.is_some();
        let wide = |n: i32| i64::from(n);
        if years > 0 {
            return if years == 1 && !aligned {
                self.floor_local(t, civil::floor_year)
            } else {
                self.steps_of_months(t, wide(years) * 12, 12)
            };
        }
        if months > 0 {
            return if months == 1 && !aligned {
                self.floor_local(t, civil::floor_month)
            } else {
                self.steps_of_months(t, wide(months), 1)
            };
        }
        if weeks > 0 {
            return if weeks == 1 && !aligned {
                self.floor_week(t)
            } else {
                self.steps_of_days(t, wide(weeks), 7 * DAY)
            };
        }
        if days > 0 {
            return if days == 1 && !aligned {
                self.floor_local(t, |local| civil::floor(local, DAY))
            } else {
                self.steps_of_days(t, wide(days), DAY)
            };
        }
        if hours > 0 {
            return if hours == 1 && !aligned {
                self.floor_clock(t, HOUR)
            } else {
                self.steps_of_hours(t, wide(hours))
            };
        }
        if minutes > 0 {
            return if minutes == 1 && !aligned {
                self.floor_clock(t, MINUTE)
            } else {
                self.steps_of_clock(t, wide(minutes), MINUTE)
            };
        }
        if seconds > 0 {
            return if seconds == 1 && !aligned {
                self.floor_clock(t, SECOND)
            } else {
                self.steps_of_clock(t, wide(seconds), SECOND)
            };
        }
        if millis > 1 { self.steps_of_clock(t, wide(millis), 1) } else { t }
    }

    /// `roundFloor` of a calendar field: in local time, keeping the offset of `t` where that is possible.
    fn floor_local(&self, t: i64, floor: impl Fn(i64) -> i64) -> i64 {
        self.zone.instant_near(floor(self.zone.local(t)), t)
    }

    /// The start of the day first, then back to its Monday: where that day's midnight is skipped, Monday keeps the later
    /// hour.
    fn floor_week(&self, t: i64) -> i64 {
        let day = self.floor_local(t, |local| civil::floor(local, DAY));
        let local = self.zone.local(day);
        self.zone.instant_near(local.saturating_sub(civil::days_since_monday(local) * DAY), day)
    }

    /// `roundFloor` of a clock field: the offset of `t` holds for the chunk.
    fn floor_clock(&self, t: i64, unit: i64) -> i64 {
        let offset = self.zone.offset_ms(t);
        civil::floor(t.saturating_add(offset), unit).saturating_sub(offset)
    }

    fn steps_of_months(&self, t: i64, step: i64, unit: i64) -> i64 {
        let whole = civil::months_between(self.zone.local(t), self.zone.local(self.base)) / unit * unit;
        let down = whole - whole % step;
        let at = |months: i64| self.add_field(self.base, Field::Months(1), months.into());
        if t < at(down) { at(down - step) } else { at(down) }
    }

    fn steps_of_days(&self, t: i64, step: i64, unit: i64) -> i64 {
        let whole = self.zone.local(t).saturating_sub(self.zone.local(self.base)) / unit;
        let down = whole - whole % step;
        let at = |units: i64| self.add_field(self.base, Field::Days(unit), units.into());
        if t < at(down) { at(down - step) } else { at(down) }
    }

    /// Several hours: Druid's rounding is exact only after the origin (see the top of this file).
    fn steps_of_hours(&self, t: i64, step: i64) -> i64 {
        let whole = t.saturating_sub(self.base) / HOUR;
        let at = self.base + (whole - whole % step) * HOUR;
        if t < at && self.base > 0 {
            at.saturating_sub(step * HOUR)
        } else if t > at && self.base < 0 {
            // Zones whose offset to the hour has changed since 1970 (Kathmandu) come back to the full hour.
            self.zone.instant_near(civil::floor(self.zone.local(self.floor_clock(at, MINUTE)), HOUR), at)
        } else {
            at
        }
    }

    fn steps_of_clock(&self, t: i64, step: i64, unit: i64) -> i64 {
        let whole = t.saturating_sub(self.base) / unit;
        let at = self.base + (whole - whole % step) * unit;
        if t < at { at.saturating_sub(step * unit) } else { at }
    }

    fn truncate_compound(&self, t: i64) -> i64 {
        let fields: Vec<Field> = self.period.fields().collect();
        let calendar = fields.iter().any(|f| matches!(f, Field::Months(_)));
        let by_clock = fields.iter().all(|f| matches!(f, Field::Ms(_)));
        let length = self.mean_ms();
        if !calendar && self.zone.is_fixed() {
            return round_down(t, self.base, length);
        }
        if by_clock {
            // Druid walks from the origin; every step is as long, so the place is known.
            let (t, base) = (i128::from(t), i128::from(self.base));
            return within_64_bits(base + (t - base).div_euclid(length) * length);
        }
        self.walk(t, length)
    }

    /// Step by step from the origin, as Druid does. To what is far away it jumps by the mean length, all but a few steps.
    fn walk(&self, t: i64, length: i128) -> i64 {
        let mut at = self.base;
        let far = i128::from(t) - i128::from(at);
        if far.abs() > WALKED {
            at = within_64_bits(i128::from(at) + (far / length - 4 * far.signum()) * length);
        }
        if t < at {
            while t < at {
                at = self.add(at, -1);
            }
            return at; // adding the period again may end short of where it came from; Druid takes that as it is
        }
        loop {
            let next = self.add(at, 1);
            if t < next || next <= at {
                return at;
            }
            at = next;
        }
    }
}
