//! Fields of a time as they were read, and the instant they make together: Joda's `DateTimeParserBucket`.
//!
//! What always holds: fields are set from the longest to the shortest, each rounded down, and then all once more; so a
//! weekday that is not the date's moves the date within its week, and a day that the month does not have is refused.

use crate::interval::civil;
use crate::order::Order as _;

const DAY: i64 = 86_400_000;
const WEEK: i64 = 7 * DAY;
const HOUR: i64 = 3_600_000;

/// A field, in the order in which they are set: by the length of what they are a part of, then by their own
/// (`SavedField.compareTo`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Year,
    YearOfEra,
    Weekyear,
    Month,
    Week,
    DayOfYear,
    Day,
    DayOfWeek,
    Half,
    Hour,
    ClockHour,
    HourOfHalf,
    ClockHourOfHalf,
    Minute,
    Second,
    Millisecond,
}

impl Field {
    /// Equal ones keep the order of the pattern.
    fn rank(self) -> u8 {
        match self {
            Field::Year | Field::YearOfEra | Field::Weekyear => 0,
            Field::Month => 1,
            Field::Week => 2,
            Field::DayOfYear => 3,
            Field::Day => 4,
            Field::DayOfWeek => 5,
            Field::Half => 6,
            Field::Hour | Field::ClockHour => 7,
            Field::HourOfHalf | Field::ClockHourOfHalf => 8,
            Field::Minute => 9,
            Field::Second => 10,
            Field::Millisecond => 11,
        }
    }

    /// The same time with this field at another value; none where it cannot have it.
    fn set(self, ms: i64, value: i64) -> Option<i64> {
        let date = civil::civil(ms);
        let within = |least: i64, most: i64| (least..=most).contains(&value).then_some(());
        // A part of the day, whose unit and count per larger unit are these.
        let part = |unit: i64, count: i64, value: i64| {
            let now = ms.div_euclid(unit).rem_euclid(count);
            ms + (value - now) * unit
        };
        Some(match self {
            Field::Year | Field::YearOfEra => {
                within(if self == Field::Year { -292_275_054 } else { 1 }, 292_278_993)?;
                let (_, month, day, of_day) = date;
                // February 29 of a year that has none is the 28th.
                let day = day.min(civil::days_in_month(value, month));
                civil::days_from_civil(value, month, day) * DAY + of_day
            }
            Field::Weekyear => {
                within(-292_275_054, 292_278_993)?;
                let now = weekyear(ms);
                let week = week(ms).min(weeks_in(now)).min(weeks_in(value));
                let monday = civil::week_year_start(value) + (week - 1) * 7;
                (monday + civil::days_since_monday(ms)) * DAY + ms.rem_euclid(DAY)
            }
            Field::Month => {
                within(1, 12)?;
                let (year, _, day, of_day) = date;
                let day = day.min(civil::days_in_month(year, value));
                civil::days_from_civil(year, value, day) * DAY + of_day
            }
            Field::Week => {
                within(1, weeks_in(weekyear(ms)))?;
                ms + (value - week(ms)) * WEEK
            }
            Field::DayOfYear => {
                let (year, .., of_day) = date;
                within(1, if civil::is_leap(year) { 366 } else { 365 })?;
                (civil::days_from_civil(year, 1, 1) + value - 1) * DAY + of_day
            }
            Field::Day => {
                let (year, month, day, _) = date;
                within(1, civil::days_in_month(year, month))?;
                ms + (value - day) * DAY
            }
            Field::DayOfWeek => {
                within(1, 7)?;
                ms + (value - 1 - civil::days_since_monday(ms)) * DAY
            }
            Field::Half => part(12 * HOUR, 2, value),
            Field::Hour => within(0, 23).map(|()| part(HOUR, 24, value))?,
            Field::ClockHour => within(1, 24).map(|()| part(HOUR, 24, value % 24))?,
            Field::HourOfHalf => within(0, 11).map(|()| part(HOUR, 12, value))?,
            Field::ClockHourOfHalf => within(1, 12).map(|()| part(HOUR, 12, value % 12))?,
            Field::Minute => within(0, 59).map(|()| part(60_000, 60, value))?,
            Field::Second => within(0, 59).map(|()| part(1_000, 60, value))?,
            Field::Millisecond => part(1, 1_000, value),
        })
    }

    /// The time rounded down to this field.
    fn floor(self, ms: i64) -> i64 {
        match self {
            Field::Year | Field::YearOfEra => civil::floor_year(ms),
            Field::Weekyear => civil::week_year_start(weekyear(ms)) * DAY,
            Field::Month => civil::floor_month(ms),
            Field::Week => civil::floor_week(ms),
            Field::DayOfYear | Field::Day | Field::DayOfWeek => civil::floor(ms, DAY),
            Field::Half => civil::floor(ms, 12 * HOUR),
            Field::Hour | Field::ClockHour | Field::HourOfHalf | Field::ClockHourOfHalf => {
                civil::floor(ms, HOUR)
            }
            Field::Minute => civil::floor(ms, 60_000),
            Field::Second => civil::floor(ms, 1_000),
            Field::Millisecond => ms,
        }
    }
}

/// The year of the ISO week.
fn weekyear(ms: i64) -> i64 {
    let days = ms.div_euclid(DAY);
    let year = civil::civil(ms).0;
    if days < civil::week_year_start(year) {
        year - 1
    } else if days >= civil::week_year_start(year + 1) {
        year + 1
    } else {
        year
    }
}

/// The ISO week, from 1.
fn week(ms: i64) -> i64 {
    (ms.div_euclid(DAY) - civil::week_year_start(weekyear(ms))).div_euclid(7) + 1
}

fn weeks_in(year: i64) -> i64 {
    (civil::week_year_start(year + 1) - civil::week_year_start(year)) / 7
}

/// Fields in the order in which the pattern names them.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    fields: Vec<(Field, i64)>,
    offset: i64,
}

/// The year of a pattern that begins with a month or a day and has none.
const DEFAULT_YEAR: i64 = 2000;

impl Bucket {
    pub(super) fn save(&mut self, field: Field, value: i64) {
        self.fields.push((field, value));
    }

    /// Milliseconds east of Greenwich.
    pub(super) fn offset(&mut self, ms: i64) {
        self.offset = ms;
    }

    /// Milliseconds since 1970 in UTC; none where a field cannot have its value.
    pub(super) fn instant(mut self) -> Option<i64> {
        self.fields.order_by_key(|(field, _)| field.rank());
        // What is between a month and a day long, and nothing longer is there.
        let lacks_year = self.fields.first().is_some_and(|(field, _)| {
            matches!(field, Field::Month | Field::Week | Field::DayOfYear | Field::Day | Field::DayOfWeek)
        });
        if lacks_year {
            self.fields.insert(0, (Field::Year, DEFAULT_YEAR));
        }
        let mut ms = 0;
        for (field, value) in &self.fields {
            ms = field.floor(field.set(ms, *value)?);
        }
        let last = self.fields.len().saturating_sub(1);
        for (at, (field, value)) in self.fields.iter().enumerate() {
            ms = field.set(ms, *value)?;
            if at == last {
                ms = field.floor(ms);
            }
        }
        Some(ms - self.offset)
    }
}
