//! ISO 8601 periods (`P1M2DT3H`) as Joda's `PeriodType.standard` has them: eight whole fields, never normalised.
//!
//! Always holds: what is read prints the same fields (`PT24H` stays hours and is not `P1D`: to Druid they are
//! different granularities). Adding is done field by field, largest first, as `BaseChronology.add` does.

use std::fmt;

use super::Instant;
use super::civil::{self, DAY, HOUR, MINUTE, SECOND};
use super::parse::{Cursor, ParseError};

/// A period. Fields may be negative, as in Joda; Druid's granularities need positive ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)] // the field names are their meaning
pub struct Period {
    pub years: i32,
    pub months: i32,
    pub weeks: i32,
    pub days: i32,
    pub hours: i32,
    pub minutes: i32,
    pub seconds: i32,
    pub millis: i32,
}

/// One field of a period with the number in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// Whole calendar months (a year is twelve).
    Months(i64),
    /// Days by the calendar: 23 or 25 hours where a zone says so. In milliseconds of 24-hour days.
    Days(i64),
    /// Real elapsed milliseconds.
    Ms(i64),
}

impl Period {
    /// Reads `P1M`, `PT12H5M`, `P1W`, `PT0.5S`. Letters in either case; seconds may have three decimals.
    pub fn parse(text: &str) -> Result<Period, ParseError> {
        Period::read(Cursor::new(text))
    }

    /// Reads the rest of a text.
    pub(super) fn read(mut cursor: Cursor<'_>) -> Result<Period, ParseError> {
        if !cursor.take('P') {
            return Err(cursor.unexpected("a period that starts with 'P', such as P1D or PT6H"));
        }
        let mut period = Period::default();
        let mut in_time = false;
        let mut rank = 0;
        while !cursor.is_done() {
            // `P` alone is a period of nothing, as in Joda; a `T` must have something behind it.
            if !in_time && cursor.take('T') {
                in_time = true;
            }
            let from = cursor.at;
            let (number, millis) = number(&mut cursor)?;
            let letter = cursor.peek().map(|c| c.to_ascii_uppercase());
            let (field, this_rank) = match (in_time, letter) {
                (false, Some('Y')) => (&mut period.years, 1),
                (false, Some('M')) => (&mut period.months, 2),
                (false, Some('W')) => (&mut period.weeks, 3),
                (false, Some('D')) => (&mut period.days, 4),
                (true, Some('H')) => (&mut period.hours, 5),
                (true, Some('M')) => (&mut period.minutes, 6),
                (true, Some('S')) => (&mut period.seconds, 7),
                (false, _) => return Err(cursor.unexpected("Y, M, W or D after the number")),
                (true, _) => return Err(cursor.unexpected("H, M or S after the number")),
            };
            if this_rank <= rank {
                return Err(ParseError::new(
                    from,
                    "the parts of a period go from years down to seconds, once each",
                ));
            }
            rank = this_rank;
            *field = number;
            match (millis, this_rank) {
                (None, _) => {}
                (Some(part), 7) => period.millis = part,
                (Some(_), _) => return Err(ParseError::new(from, "only seconds may have decimals")),
            }
            cursor.at += 1;
        }
        Ok(period)
    }

    /// The fields in the order in which Joda adds them; zero ones left out.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> + use<> {
        let of = i64::from;
        [
            Field::Months(of(self.years) * 12),
            Field::Months(of(self.months)),
            Field::Days(of(self.weeks) * 7 * DAY),
            Field::Days(of(self.days) * DAY),
            Field::Ms(of(self.hours) * HOUR),
            Field::Ms(of(self.minutes) * MINUTE),
            Field::Ms(of(self.seconds) * SECOND),
            Field::Ms(of(self.millis)),
        ]
        .into_iter()
        .filter(|field| !matches!(field, Field::Months(0) | Field::Days(0) | Field::Ms(0)))
    }

    /// Adds it `times` over in UTC. Stops at the edges of 64 bits, far outside Druid's eternity.
    pub fn add_utc(&self, at: Instant, times: i64) -> Instant {
        let added = self.fields().fold(at.ms(), |ms, field| field.add_local(ms, times.into()));
        Instant::from_ms(added)
    }

    /// The period from one instant to another in UTC, largest fields first: Joda's `Interval.toPeriod()`. A week is
    /// `P1W`, a calendar month `P1M`, a day and a half hour `P1DT30M`. Fields that 32 bits cannot hold stop there.
    pub fn between(start: Instant, end: Instant) -> Period {
        // Field by field, each from where the last one led to: 2000-02-29/2004-02-28 is P3Y12M.
        let years = civil::months_between(end.ms(), start.ms()) / 12;
        let after_years = civil::add_months(start.ms(), years * 12);
        let months = civil::months_between(end.ms(), after_years);
        let mut left = end.ms().saturating_sub(civil::add_months(after_years, months));
        let mut take = |unit: i64| {
            let whole = left / unit;
            left -= whole * unit;
            i32::try_from(whole).unwrap_or(i32::MAX)
        };
        Period {
            weeks: take(7 * DAY),
            days: take(DAY),
            hours: take(HOUR),
            minutes: take(MINUTE),
            seconds: take(SECOND),
            millis: take(1),
            years: i32::try_from(years).unwrap_or(i32::MAX),
            months: i32::try_from(months).unwrap_or(i32::MAX),
        }
    }

    /// Every field is zero or more, and one is more.
    pub fn is_positive(&self) -> bool {
        let all = self.values();
        all.iter().all(|&v| v >= 0) && all.iter().any(|&v| v > 0)
    }

    /// Years to milliseconds, in order.
    pub(crate) fn values(&self) -> [i32; 8] {
        [self.years, self.months, self.weeks, self.days, self.hours, self.minutes, self.seconds, self.millis]
    }
}

impl Field {
    /// Its length in milliseconds; for months the mean over 400 years. The longest period that can be written has more
    /// than 64 bits of them.
    pub(crate) fn mean_ms(&self) -> i128 {
        match self {
            Field::Months(n) => i128::from(*n) * i128::from(civil::DAYS_PER_400_YEARS * DAY / 4_800),
            Field::Days(n) | Field::Ms(n) => i128::from(*n),
        }
    }

    /// Adds the field `times` over to local milliseconds, by the calendar alone. Stops at the ends of 64 bits. (From one
    /// to the other there are more milliseconds than `i64` counts.)
    pub(crate) fn add_local(self, ms: i64, times: i128) -> i64 {
        match self {
            Field::Months(n) => civil::add_months(ms, within_64_bits(i128::from(n) * times)),
            Field::Days(n) | Field::Ms(n) => within_64_bits(i128::from(ms) + i128::from(n) * times),
        }
    }
}

/// The nearest number of 64 bits.
pub(crate) fn within_64_bits(number: i128) -> i64 {
    number.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// A signed whole number and, after a decimal point, milliseconds.
fn number(cursor: &mut Cursor<'_>) -> Result<(i32, Option<i32>), ParseError> {
    let from = cursor.at;
    let negative = cursor.take('-');
    if !negative {
        cursor.take('+');
    }
    let whole = cursor.digits(11).ok_or_else(|| cursor.unexpected("a number"))?;
    let too_big = |_| ParseError::new(from, "the number does not fit 32 bits");
    let whole = i32::try_from(if negative { -whole } else { whole }).map_err(too_big)?;
    if !(cursor.take('.') || cursor.take(',')) {
        return Ok((whole, None));
    }
    let mut millis = 0;
    for place in [100, 10, 1] {
        match cursor.digits(1) {
            Some(digit) => millis += digit as i32 * place,
            None if place == 100 => return Err(cursor.unexpected("digits after the decimal point")),
            None => break,
        }
    }
    while cursor.digits(1).is_some() {} // finer than a millisecond is cut off
    Ok((whole, Some(if negative { -millis } else { millis })))
}

/// As Joda's `ISOPeriodFormat.standard` prints it; nothing at all is `PT0S`.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("P")?;
        for (value, letter) in [(self.years, 'Y'), (self.months, 'M'), (self.weeks, 'W'), (self.days, 'D')] {
            if value != 0 {
                write!(f, "{value}{letter}")?;
            }
        }
        let has_seconds = self.seconds != 0 || self.millis != 0;
        let nothing = *self == Period::default();
        if self.hours != 0 || self.minutes != 0 || has_seconds || nothing {
            f.write_str("T")?;
        }
        for (value, letter) in [(self.hours, 'H'), (self.minutes, 'M')] {
            if value != 0 {
                write!(f, "{value}{letter}")?;
            }
        }
        if has_seconds || nothing {
            let total = i64::from(self.seconds) * 1000 + i64::from(self.millis);
            let sign = if total < 0 { "-" } else { "" };
            write!(f, "{sign}{}", total.abs() / 1000)?;
            if total % 1000 != 0 {
                write!(f, ".{:03}", total.abs() % 1000)?;
            }
            f.write_str("S")?;
        }
        Ok(())
    }
}
