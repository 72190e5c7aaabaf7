//! Days, months and years of the proleptic Gregorian calendar in UTC, for every millisecond of eternity.
//!
//! Own arithmetic because no calendar crate reaches the year -146 136 543, where Druid's eternity begins. No zones, no
//! leap seconds. Years are astronomical: year 0 is 1 BCE.

/// A UTC date and time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
    /// Astronomical year.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999.
    pub ms: u16,
    /// 0 is Monday, 6 is Sunday.
    pub weekday: u8,
}

const DAY_MS: i64 = 86_400_000;

impl Civil {
    /// The date and time of a millisecond since 1970-01-01T00:00Z.
    pub fn of(t: i64) -> Civil {
        let (days, rest) = (t.div_euclid(DAY_MS), t.rem_euclid(DAY_MS));
        let (year, month, day) = civil_from_days(days);
        Civil {
            year,
            month,
            day,
            hour: (rest / 3_600_000) as u8,
            minute: (rest / 60_000 % 60) as u8,
            second: (rest / 1_000 % 60) as u8,
            ms: (rest % 1_000) as u16,
            // 1970-01-01 was a Thursday.
            weekday: (days + 3).rem_euclid(7) as u8,
        }
    }
}

/// Midnight of a date, in milliseconds. Saturates far outside eternity.
pub(crate) fn midnight(year: i64, month: u8, day: u8) -> i64 {
    days_from_civil(year, month, day).saturating_mul(DAY_MS)
}

/// `days_from_civil` and its inverse as Howard Hinnant published them ("chrono-compatible low-level date algorithms"):
/// years that start in March, eras of 400 years = 146 097 days.
fn days_from_civil(year: i64, month: u8, day: u8) -> i64 {
    let year = year.saturating_sub(i64::from(month <= 2));
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era.saturating_mul(146_097).saturating_add(day_of_era - 719_468)
}

fn civil_from_days(days: i64) -> (i64, u8, u8) {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month as u8, day as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fields(t: i64) -> (i64, u8, u8, u8, u8, u8, u16, u8) {
        let c = Civil::of(t);
        (c.year, c.month, c.day, c.hour, c.minute, c.second, c.ms, c.weekday)
    }

    #[test]
    fn known_instants_have_their_known_dates() {
        assert_eq!(fields(0), (1970, 1, 1, 0, 0, 0, 0, 3));
        assert_eq!(fields(-1), (1969, 12, 31, 23, 59, 59, 999, 2));
        assert_eq!(fields(951_782_400_000), (2000, 2, 29, 0, 0, 0, 0, 1));
        assert_eq!(fields(1_784_160_000_000), (2026, 7, 16, 0, 0, 0, 0, 3));
        // Year 0, the leap day of 1 BCE; by `date -u -d '-0000-02-29' +%s` of a calendar that has it: -62162121600.
        assert_eq!(fields(-62_162_121_600_000), (0, 2, 29, 0, 0, 0, 0, 1));
    }

    #[test]
    fn eternity_begins_and_ends_where_druid_prints_it() {
        // Druid prints Intervals.ETERNITY as -146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z.
        let begin = Civil::of(i64::MIN / 2);
        assert_eq!((begin.year, begin.month, begin.day), (-146_136_543, 9, 8));
        assert_eq!((begin.hour, begin.minute, begin.second, begin.ms), (8, 23, 32, 96));
        let end = Civil::of(i64::MAX / 2);
        assert_eq!((end.year, end.month, end.day), (146_140_482, 4, 24));
        assert_eq!((end.hour, end.minute, end.second, end.ms), (15, 36, 27, 903));
    }

    proptest! {
        #[test]
        fn every_date_leads_back_to_its_midnight(t in i64::MIN / 2..i64::MAX / 2) {
            let civil = Civil::of(t);
            let back = midnight(civil.year, civil.month, civil.day);
            prop_assert_eq!(back, t - t.rem_euclid(DAY_MS));
            prop_assert!((1..=12).contains(&civil.month) && (1..=31).contains(&civil.day));
        }
    }
}
