//! Ticks of the time axis and what to write at them, from milliseconds to tens of millions of years. UTC.
//!
//! Steps follow the calendar: a month is a month, whatever its days. A tick where something larger begins (a day among
//! hours, a year among months) is `strong` and is written as that larger thing. Where a label goes and how wide it may
//! be is said here; measuring and drawing it is the caller's. Ticks are an iterator: no allocation.

use crate::civil::{Civil, midnight};
use crate::view::View;

/// A unit of the calendar, small to large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Thousandth of a second.
    Millisecond,
    /// Second.
    Second,
    /// Minute.
    Minute,
    /// Hour.
    Hour,
    /// Day.
    Day,
    /// Month.
    Month,
    /// Year.
    Year,
}

/// From one tick to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Counted in this.
    pub unit: Unit,
    /// So many of it; 7 days begin on Mondays.
    pub count: i64,
}

/// Steps below a year; above, 1, 2 and 5 times the powers of ten.
const STEPS: [(Unit, i64, i64); 28] = {
    use Unit::{Day, Hour, Millisecond, Minute, Month, Second};
    const S: i64 = 1_000;
    const M: i64 = 60 * S;
    const H: i64 = 60 * M;
    const D: i64 = 24 * H;
    [
        (Millisecond, 1, 1),
        (Millisecond, 2, 2),
        (Millisecond, 5, 5),
        (Millisecond, 10, 10),
        (Millisecond, 20, 20),
        (Millisecond, 50, 50),
        (Millisecond, 100, 100),
        (Millisecond, 200, 200),
        (Millisecond, 500, 500),
        (Second, 1, S),
        (Second, 2, 2 * S),
        (Second, 5, 5 * S),
        (Second, 10, 10 * S),
        (Second, 30, 30 * S),
        (Minute, 1, M),
        (Minute, 2, 2 * M),
        (Minute, 5, 5 * M),
        (Minute, 10, 10 * M),
        (Minute, 30, 30 * M),
        (Hour, 1, H),
        (Hour, 3, 3 * H),
        (Hour, 6, 6 * H),
        (Hour, 12, 12 * H),
        (Day, 1, D),
        (Day, 2, 2 * D),
        (Day, 7, 7 * D),
        (Month, 1, 28 * D),
        (Month, 3, 90 * D),
    ]
};

/// The shortest year, in milliseconds.
const YEAR_MS: f64 = 365.0 * 86_400_000.0;

impl Step {
    /// The smallest step whose ticks are at least `spacing` pixels apart.
    pub fn for_view(view: &View, spacing: f64) -> Step {
        let least = view.ms_per_px() * spacing.max(1.0);
        if let Some((unit, count, _)) = STEPS.iter().find(|(_, _, ms)| *ms as f64 >= least) {
            return Step { unit: *unit, count: *count };
        }
        let mut count: i64 = 1;
        for factor in [2, 5, 10].into_iter().cycle() {
            if count as f64 * YEAR_MS >= least || count >= 1_000_000_000 {
                break;
            }
            let power = 10_i64.pow(count.ilog10());
            count = power * factor;
        }
        Step { unit: Unit::Year, count }
    }

    /// The number of the last tick at or before `t`.
    fn index_at(self, t: i64) -> i64 {
        match self.unit {
            Unit::Month => {
                let civil = Civil::of(t);
                (civil.year * 12 + i64::from(civil.month) - 1).div_euclid(self.count)
            }
            Unit::Year => Civil::of(t).year.div_euclid(self.count),
            _ => t.saturating_sub(self.offset()).div_euclid(self.ms()),
        }
    }

    /// The millisecond of a tick.
    fn time_of(self, index: i64) -> i64 {
        let at = index.saturating_mul(self.count);
        match self.unit {
            Unit::Month => midnight(at.div_euclid(12), at.rem_euclid(12) as u8 + 1, 1),
            Unit::Year => midnight(at, 1, 1),
            _ => index.saturating_mul(self.ms()).saturating_add(self.offset()),
        }
    }

    fn ms(self) -> i64 {
        let one = match self.unit {
            Unit::Millisecond => 1,
            Unit::Second => 1_000,
            Unit::Minute => 60_000,
            Unit::Hour => 3_600_000,
            Unit::Day | Unit::Month | Unit::Year => 86_400_000,
        };
        one * self.count
    }

    /// Weeks begin on Mondays, and 1970-01-05 was the first of them.
    fn offset(self) -> i64 {
        if self.unit == Unit::Day && self.count == 7 { 4 * 86_400_000 } else { 0 }
    }
}

/// One tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tick {
    /// Its millisecond.
    pub t: i64,
    /// Pixels from the left edge of the plot.
    pub px: f64,
    /// Its date and time in UTC.
    pub civil: Civil,
    /// The unit that ticks are counted in.
    pub step: Unit,
    /// The largest unit that begins here: `Day` at midnight among hours.
    pub begins: Unit,
}

impl Tick {
    /// Whether something larger than the step begins here.
    pub fn strong(&self) -> bool {
        self.begins > self.step
    }

    /// What to write. `short` where ticks are close: at most about six letters.
    pub fn label(&self, short: bool) -> String {
        let c = &self.civil;
        match self.begins {
            Unit::Millisecond => format!(".{:03}", c.ms),
            Unit::Second if short => format!(":{:02}", c.second),
            Unit::Second => format!("{:02}:{:02}:{:02}", c.hour, c.minute, c.second),
            Unit::Minute | Unit::Hour => format!("{:02}:{:02}", c.hour, c.minute),
            Unit::Day if short => c.day.to_string(),
            Unit::Day => format!("{} {}", weekday(c), c.day),
            Unit::Month if self.step < Unit::Month && !short => format!("1 {}", month(c)),
            Unit::Month => month(c).to_owned(),
            Unit::Year if self.step < Unit::Month && !short => format!("1 Jan {}", c.year),
            Unit::Year => year(c.year),
        }
    }
}

/// The ticks in a view, left to right, one before the left edge included so that its label can still be read.
#[derive(Debug, Clone)]
pub struct Ticks {
    view: View,
    step: Step,
    next: i64,
    end: i64,
}

/// The ticks of a view, at least `spacing` pixels apart.
pub fn ticks(view: &View, spacing: f64) -> Ticks {
    let step = Step::for_view(view, spacing);
    let span = view.span();
    Ticks { view: *view, step, next: step.index_at(span.start), end: span.end }
}

impl Iterator for Ticks {
    type Item = Tick;

    fn next(&mut self) -> Option<Tick> {
        let t = self.step.time_of(self.next);
        if t >= self.end {
            return None;
        }
        self.next += 1;
        let civil = Civil::of(t);
        let begins = if (civil.ms, civil.second, civil.minute, civil.hour) != (0, 0, 0, 0) {
            match civil {
                Civil { ms: 1.., .. } => Unit::Millisecond,
                Civil { second: 1.., .. } => Unit::Second,
                Civil { minute: 1.., .. } => Unit::Minute,
                _ => Unit::Hour,
            }
        } else if civil.day != 1 {
            Unit::Day
        } else if civil.month != 1 {
            Unit::Month
        } else {
            Unit::Year
        };
        Some(Tick { t, px: self.view.px(t), civil, step: self.step.unit, begins })
    }
}

/// The round instant nearest to `t`: on a calendar step that is about `spacing` pixels, so that what is chosen with a
/// pointer reads like something a person would type.
pub fn nearest(view: &View, t: i64, spacing: f64) -> i64 {
    let step = Step::for_view(view, spacing);
    let index = step.index_at(t);
    let (before, after) = (step.time_of(index), step.time_of(index.saturating_add(1)));
    if t.abs_diff(before) <= after.abs_diff(t) { before } else { after }
}

/// What the labels leave out, for the corner of the chart: the month of a week of days, the day of hours. Without zone.
pub fn title(view: &View, spacing: f64, short: bool) -> String {
    let step = Step::for_view(view, spacing);
    let span = view.span();
    let (from, to) = (Civil::of(span.start), Civil::of(span.end.saturating_sub(1)));
    let name = |c: &Civil| if short { month(c) } else { month_long(c) };
    let same_month = (from.year, from.month) == (to.year, to.month);
    match step.unit {
        Unit::Year => "years".to_owned(),
        Unit::Month if from.year == to.year => from.year.to_string(),
        Unit::Month => format!("{} – {}", from.year, to.year),
        _ if same_month && from.day == to.day && step.unit < Unit::Day => {
            format!("{} {} {} {}", weekday(&from), from.day, name(&from), from.year)
        }
        _ if same_month => format!("{} {}", name(&from), from.year),
        _ if from.year == to.year => format!("{} – {} {}", month(&from), month(&to), from.year),
        _ => format!("{} {} – {} {}", month(&from), from.year, month(&to), to.year),
    }
}

fn year(year: i64) -> String {
    let sign = if year < 0 { "−" } else { "" };
    let size = year.unsigned_abs();
    match size {
        0..10_000 => format!("{sign}{size}"),
        10_000..1_000_000 => format!("{sign}{},{:03}", size / 1_000, size % 1_000),
        _ if size.is_multiple_of(1_000_000) => format!("{sign}{} M", size / 1_000_000),
        _ => format!("{sign}{}.{} M", size / 1_000_000, size % 1_000_000 / 100_000),
    }
}

fn weekday(civil: &Civil) -> &'static str {
    match civil.weekday {
        0 => "Mon",
        1 => "Tue",
        2 => "Wed",
        3 => "Thu",
        4 => "Fri",
        5 => "Sat",
        _ => "Sun",
    }
}

fn month(civil: &Civil) -> &'static str {
    month_long(civil).get(..3).unwrap_or_default()
}

fn month_long(civil: &Civil) -> &'static str {
    match civil.month {
        1 => "January",
        2 => "February",
        3 => "March",
        4 => "April",
        5 => "May",
        6 => "June",
        7 => "July",
        8 => "August",
        9 => "September",
        10 => "October",
        11 => "November",
        _ => "December",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlays::Span;
    use crate::view::ETERNITY;
    use proptest::prelude::*;

    const HOUR: i64 = 3_600_000;
    const JULY_13: i64 = 1_783_900_800_000; // 2026-07-13T00:00Z, a Monday

    fn labels(start: i64, length: i64, width: u32) -> Vec<String> {
        ticks(&View::of(Span::new(start, start + length), width), 76.0)
            .map(|tick| tick.label(false))
            .collect()
    }

    #[test]
    fn a_week_is_written_in_days() {
        let week = labels(JULY_13, 8 * 24 * HOUR, 880);
        assert_eq!(week.join(" | "), "Mon 13 | Tue 14 | Wed 15 | Thu 16 | Fri 17 | Sat 18 | Sun 19 | Mon 20");
        let view = View::of(Span::new(JULY_13, JULY_13 + 192 * HOUR), 880);
        assert_eq!(title(&view, 76.0, false), "July 2026");
    }

    #[test]
    fn midnight_among_hours_is_written_as_the_day() {
        assert_eq!(
            labels(JULY_13 + 12 * HOUR, 24 * HOUR, 800).join(" | "),
            "12:00 | 15:00 | 18:00 | 21:00 | Tue 14 | 03:00 | 06:00 | 09:00"
        );
    }

    #[test]
    fn the_first_of_a_month_among_days_names_the_month() {
        let july_30 = JULY_13 + 17 * 24 * HOUR;
        assert_eq!(labels(july_30, 4 * 24 * HOUR, 400).join(" | "), "Thu 30 | Fri 31 | 1 Aug | Sun 2");
    }

    #[test]
    fn weeks_begin_on_mondays() {
        assert_eq!(labels(JULY_13, 21 * 24 * HOUR, 240).join(" | "), "Mon 13 | Mon 20 | Mon 27");
    }

    #[test]
    fn months_and_years_have_their_own_lengths() {
        let january = midnight(2026, 1, 1);
        assert_eq!(labels(january, 365 * 24 * HOUR, 1100)[..4].join(" | "), "2026 | Feb | Mar | Apr");
        let decades = labels(midnight(1990, 1, 1), 40 * 365 * 24 * HOUR, 400);
        assert_eq!(decades.join(" | "), "1990 | 2000 | 2010 | 2020");
    }

    #[test]
    fn eternity_is_written_in_millions_of_years() {
        let all = labels(-ETERNITY, i64::MAX, 1600);
        assert!(all.contains(&"−20 M".to_owned()) && all.contains(&"0".to_owned()), "{all:?}");
    }

    #[test]
    fn milliseconds_of_a_second_are_written_after_it() {
        assert_eq!(labels(JULY_13, 1_000, 400)[..3].join(" | "), "Mon 13 | .200 | .400");
    }

    #[test]
    fn a_chosen_instant_is_one_a_person_would_type() {
        let view = View::of(Span::new(JULY_13, JULY_13 + 8 * 24 * HOUR), 800);
        assert_eq!(nearest(&view, JULY_13 + 6 * HOUR + 123_456, 2.0), JULY_13 + 6 * HOUR);
        assert_eq!(nearest(&view, JULY_13 + 6 * HOUR + 16 * 60_000, 2.0), JULY_13 + 6 * HOUR + 30 * 60_000);
    }

    proptest! {
        #[test]
        fn ticks_ascend_keep_their_distance_and_never_run_away(
            start in -ETERNITY..ETERNITY - 1, bits in 1u32..62, width in 100u32..4000
        ) {
            let view = View::of(Span::new(start, start.saturating_add(1 << bits)), width);
            let ticks: Vec<_> = ticks(&view, 76.0).collect();
            prop_assert!(ticks.len() as u32 <= width / 76 + 2, "{} ticks", ticks.len());
            for pair in ticks.windows(2) {
                // Far from 1970 and below a millisecond a pixel f64 itself is coarser than that.
                prop_assert!(pair[1].px - pair[0].px >= 75.9);
            }
        }
    }
}
