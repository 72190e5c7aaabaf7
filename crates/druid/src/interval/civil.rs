//! The proleptic Gregorian calendar in plain `i64` milliseconds.
//!
//! Always holds: every function is total over all 64 bits of milliseconds, twice as far out as Druid's instants (about
//! ±146 million years), since an interval may be written that reaches there; what would lie beyond stops at their ends. No
//! calendar crate reaches that far, which is why this is written out.
//!
//! Does not know zones: a "local" millisecond count is an instant shifted by an offset (see [`crate::zone`]).

use super::period::within_64_bits;

/// Milliseconds in a second.
pub(crate) const SECOND: i64 = 1_000;
/// Milliseconds in a minute.
pub(crate) const MINUTE: i64 = 60 * SECOND;
/// Milliseconds in an hour.
pub(crate) const HOUR: i64 = 60 * MINUTE;
/// Milliseconds in a day of 24 hours.
pub(crate) const DAY: i64 = 24 * HOUR;
/// Days in the 400 years after which the Gregorian calendar, weekdays included, repeats.
pub(crate) const DAYS_PER_400_YEARS: i64 = 146_097;

/// Days since 1970-01-01 of a civil date. `month` 1–12, `day` 1–31 (or any day count from the first of the month).
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years that start in March put the leap day last.
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_PER_400_YEARS + day_of_era - 719_468
}

/// Civil date `(year, month, day)` of a day count since 1970-01-01.
pub(crate) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(DAYS_PER_400_YEARS);
    let day_of_era = z.rem_euclid(DAYS_PER_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// Whether February of `year` has 29 days.
pub(crate) fn is_leap(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

/// Days in a month, `month` 1–12.
pub(crate) fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Civil date and millisecond of the day of a millisecond count.
pub(crate) fn civil(ms: i64) -> (i64, i64, i64, i64) {
    let (year, month, day) = civil_from_days(ms.div_euclid(DAY));
    (year, month, day, ms.rem_euclid(DAY))
}

/// Day of the month, 1–31.
pub(crate) fn day_of_month(ms: i64) -> i64 {
    civil(ms).2
}

/// Rounds down to a multiple of `unit` milliseconds.
pub(crate) fn floor(ms: i64, unit: i64) -> i64 {
    ms.saturating_sub(ms.rem_euclid(unit))
}

/// First millisecond of the month `ms` lies in.
pub(crate) fn floor_month(ms: i64) -> i64 {
    let (year, month, ..) = civil(ms);
    days_from_civil(year, month, 1).saturating_mul(DAY)
}

/// First millisecond of the year `ms` lies in.
pub(crate) fn floor_year(ms: i64) -> i64 {
    days_from_civil(civil(ms).0, 1, 1).saturating_mul(DAY)
}

/// Days since the last Monday, 0–6.
pub(crate) fn days_since_monday(ms: i64) -> i64 {
    since_monday(ms.div_euclid(DAY))
}

/// Days from the last Monday to a day counted since 1970-01-01, which was a Thursday.
fn since_monday(days: i64) -> i64 {
    (days + 3).rem_euclid(7)
}

/// First millisecond of the Monday on or before `ms`.
pub(crate) fn floor_week(ms: i64) -> i64 {
    (ms.div_euclid(DAY) - days_since_monday(ms)).saturating_mul(DAY)
}

/// Adds calendar months; a day that the target month lacks becomes its last day (Joda: 01-31 + P1M = 02-28).
pub(crate) fn add_months(ms: i64, months: i64) -> i64 {
    let (year, month, day, rest) = civil(ms);
    // 300 million years: beyond the 64 bits, and near enough for the days to be counted.
    let index = (year * 12 + (month - 1)).saturating_add(months).clamp(-3_600_000_000, 3_600_000_000);
    let (year, month) = (index.div_euclid(12), index.rem_euclid(12) + 1);
    let day = days_from_civil(year, month, day.min(days_in_month(year, month)));
    // Floor and rest are apart only at the very ends.
    within_64_bits(i128::from(day) * i128::from(DAY) + i128::from(rest))
}

/// Whole calendar months from `from` to `to`, rounded toward zero as Joda's `months().getDifference(to, from)`.
pub(crate) fn months_between(to: i64, from: i64) -> i64 {
    if to < from {
        return -months_between(from, to);
    }
    let ((ty, tm, ..), (fy, fm, ..)) = (civil(to), civil(from));
    let months = (ty - fy) * 12 + tm - fm;
    if add_months(from, months) > to { months - 1 } else { months }
}

/// Monday of ISO week 1 of a week-based year, in days since 1970-01-01. Week 1 is the week that holds January 4.
pub(crate) fn week_year_start(year: i64) -> i64 {
    let fourth = days_from_civil(year, 1, 4);
    fourth - since_monday(fourth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_survive_the_way_to_days_and_back_at_the_edges_of_eternity() {
        for days in [0, -1, 59, 60, 11_016, -719_528, 53_375_995_583, -53_375_995_583] {
            let (y, m, d) = civil_from_days(days);
            assert_eq!(days_from_civil(y, m, d), days);
        }
    }

    #[test]
    fn eternity_lies_in_the_years_that_druid_prints() {
        assert_eq!(civil(i64::MIN / 2).0, -146_136_543);
        assert_eq!(civil(i64::MAX / 2).0, 146_140_482);
    }

    #[test]
    fn a_day_the_month_lacks_becomes_its_last_day() {
        let january_31 = days_from_civil(2020, 1, 31) * DAY;
        assert_eq!(add_months(january_31, 1), days_from_civil(2020, 2, 29) * DAY);
        assert_eq!(add_months(january_31, 13), days_from_civil(2021, 2, 28) * DAY);
        assert_eq!(add_months(january_31, -2), days_from_civil(2019, 11, 30) * DAY);
    }

    #[test]
    fn nothing_overflows_at_the_ends_of_64_bits() {
        for ms in [i64::MIN, i64::MIN + 1, -1, 0, i64::MAX - 1, i64::MAX] {
            assert_eq!(add_months(ms, 0), ms);
            for floor in [floor_week, floor_month, floor_year, |ms| floor(ms, DAY)] {
                assert!(floor(ms) <= ms);
            }
        }
        assert_eq!((add_months(0, i64::MAX), add_months(0, i64::MIN)), (i64::MAX, i64::MIN));
        assert_eq!(months_between(i64::MAX, i64::MIN), 7_014_648_591);
        assert_eq!(week_year_start(292_278_995) - week_year_start(292_278_994), 364);
    }

    #[test]
    fn weeks_start_on_monday_before_and_after_the_epoch() {
        assert_eq!(floor_week(0), days_from_civil(1969, 12, 29) * DAY);
        assert_eq!(week_year_start(2013), days_from_civil(2012, 12, 31));
        assert_eq!(week_year_start(2020), days_from_civil(2019, 12, 30));
    }
}
