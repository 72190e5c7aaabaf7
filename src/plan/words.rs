//! Times, lengths and counts as people read them. Pure; UTC throughout.

use druid::interval::{Instant, Interval};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// "16 Jul 06:00", with the year where it is not `year`; Druid's eternity as "−∞" and "∞".
pub fn when(instant: Instant, year: Option<i64>) -> String {
    if instant == Instant::MIN {
        return "−∞".to_owned();
    }
    if instant == Instant::MAX {
        return "∞".to_owned();
    }
    let civil = instant.civil();
    let month = MONTHS.get(usize::from(civil.month.saturating_sub(1))).copied().unwrap_or("?");
    let mut text = format!("{} {month}", civil.day);
    if Some(civil.year) != year {
        text.push_str(&format!(" {}", civil.year));
    }
    text.push_str(&format!(" {:02}:{:02}", civil.hour, civil.minute));
    if civil.second != 0 || civil.millisecond != 0 {
        text.push_str(&format!(":{:02}", civil.second));
    }
    if civil.millisecond != 0 {
        text.push_str(&format!(".{:03}", civil.millisecond));
    }
    text
}

/// "16 Jul 2026 00:00 → 17 Jul 00:00": the year once where both share it.
pub fn span(interval: Interval) -> String {
    let year = interval.start.civil().year;
    format!("{} → {}", when(interval.start, None), when(interval.end, Some(year)))
}

/// A length of time in its two largest units: "12 h", "1 d 6 h", "∞".
pub fn length(ms: i64) -> String {
    if ms >= Instant::MAX.ms() {
        return "∞".to_owned();
    }
    let units = [(365 * DAY, "y"), (DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s"), (1, "ms")];
    let mut rest = ms.max(0);
    let mut parts = Vec::new();
    for (size, name) in units {
        if rest >= size && parts.len() < 2 {
            parts.push(format!("{} {name}", rest / size));
            rest %= size;
        } else if !parts.is_empty() {
            break;
        }
    }
    if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") }
}

/// The time of day: "12:04:31 UTC".
pub fn clock(now: Instant) -> String {
    let civil = now.civil();
    format!("{:02}:{:02}:{:02} UTC", civil.hour, civil.minute, civil.second)
}

/// How long ago: "just now", "40 s ago", "4 min ago".
pub fn ago(ms: i64) -> String {
    match ms {
        ..5_000 => "just now".to_owned(),
        5_000..MINUTE => format!("{} s ago", ms / SECOND),
        MINUTE..HOUR => format!("{} min ago", ms / MINUTE),
        _ => format!("{} ago", length(ms)),
    }
}

/// A count with thin groups of three: "48,213,901".
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A large count in short: "48.2 M".
pub fn short_count(value: u64) -> String {
    let scaled = |unit: f64, name: &str| format!("{:.1} {name}", value as f64 / unit);
    match value {
        0..10_000 => count(value),
        10_000..1_000_000 => scaled(1e3, "k"),
        1_000_000..1_000_000_000 => scaled(1e6, "M"),
        _ => scaled(1e9, "G"),
    }
}

/// "1 chunk", "3 chunks".
pub fn several(value: u64, one: &str) -> String {
    if value == 1 { format!("1 {one}") } else { format!("{} {one}s", count(value)) }
}

/// A named granularity in lower case words: `FIFTEEN_MINUTE` is "fifteen minute".
pub fn granularity(name: &str) -> String {
    name.to_lowercase().replace('_', " ")
}

/// How long a chunk is, as a granularity where it is one: "hour", "day", "month".
pub fn chunk_length(ms: i64) -> &'static str {
    match ms {
        ..60_000 => "below a minute",
        60_000..HOUR => "minutes",
        HOUR => "hour",
        3_600_001..82_800_000 => "hours",
        82_800_000..=90_000_000 => "day",
        604_800_000 => "week",
        2_415_600_000..=2_682_000_000 => "month",
        7_772_400_000..=7_952_400_000 => "quarter",
        31_532_400_000..=31_626_000_000 => "year",
        90_000_001..=31_626_000_000 => "days",
        31_626_000_001..1_000_000_000_000_000 => "years",
        _ => "all of time",
    }
}

/// A version as people read it: "18 Jul 03:00" where it is a lock's time, else as it stands.
pub fn version(text: &str) -> String {
    match Instant::parse(text) {
        Ok(instant) if text.len() == 24 => {
            let civil = instant.civil();
            if instant.ms() == 0 {
                return "epoch".to_owned();
            }
            // To the minute: lanes are told apart by more than their names, and the story has the whole text.
            let minute = Instant::from_ms(instant.ms() - instant.ms().rem_euclid(MINUTE));
            when(minute, Some(civil.year).filter(|year| *year >= 2020))
        }
        _ => text.to_owned(),
    }
}

/// A chunk's name, as short as it can be: "06" for an hour, "16 Jul" for a day, "Jul 2026" for a month.
pub fn chunk_name(chunk: Interval) -> String {
    let civil = chunk.start.civil();
    let month = MONTHS.get(usize::from(civil.month.saturating_sub(1))).copied().unwrap_or("?");
    match chunk.duration_ms() {
        ..82_800_000 => format!("{} {:02}:{:02}", civil.day, civil.hour, civil.minute),
        82_800_000..2_415_600_000 => format!("{} {month}", civil.day),
        2_415_600_000..=2_682_000_000 => format!("{month} {}", civil.year),
        _ => when(chunk.start, None),
    }
}

/// The interval a new row starts with: the one after the last, or the day before now.
pub fn next_interval(last: Option<&str>, now: Instant) -> String {
    let next = match last.and_then(|text| Interval::parse(text).ok()) {
        Some(last) => {
            let end = last.end.ms().saturating_add(last.duration_ms()).min(Instant::MAX.ms());
            Interval { start: last.end, end: Instant::from_ms(end) }
        }
        None => {
            let midnight = now.ms() - now.ms().rem_euclid(DAY);
            Interval { start: Instant::from_ms(midnight - DAY), end: Instant::from_ms(midnight) }
        }
    };
    next.short()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn times_say_no_more_than_is_needed() {
        let at = |text: &str| Instant::parse(text).unwrap();
        assert_eq!(when(at("2026-07-16T06:00:00Z"), Some(2026)), "16 Jul 06:00");
        assert_eq!(when(at("2026-07-16T06:00:01.050Z"), None), "16 Jul 2026 06:00:01.050");
        assert_eq!(when(Instant::MIN, None), "−∞");
    }

    #[test]
    fn lengths_name_the_two_largest_units() {
        for (ms, text) in
            [(0, "0 s"), (12 * HOUR, "12 h"), (DAY + 6 * HOUR + 5, "1 d 6 h"), (90 * SECOND, "1 min 30 s")]
        {
            assert_eq!(length(ms), text);
        }
    }

    #[test]
    fn counts_are_grouped_by_three() {
        for (value, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (48_213_901, "48,213,901")] {
            assert_eq!(count(value), text);
        }
        assert_eq!(short_count(48_213_901), "48.2 M");
    }

    #[test]
    fn an_added_interval_follows_the_last_one() {
        let now = Instant::parse("2026-07-30T10:00:00Z").unwrap();
        assert_eq!(
            next_interval(Some("2026-07-16T00:00Z/P1D"), now),
            "2026-07-17T00:00:00Z/2026-07-18T00:00:00Z"
        );
        assert_eq!(next_interval(None, now), "2026-07-29T00:00:00Z/2026-07-30T00:00:00Z");
        assert_eq!(next_interval(Some("nonsense"), now), "2026-07-29T00:00:00Z/2026-07-30T00:00:00Z");
    }
}
