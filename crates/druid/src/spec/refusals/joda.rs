//! What Joda says of a text that is no interval: the words that come back inside `Invalid interval[…]: […]`.
//!
//! Only for texts that are refused; what the good ones mean is [`crate::interval`].

use crate::interval::{Instant, Interval, Period};

/// What stands in the second brackets; `None` for a good interval.
pub fn interval(text: &str) -> Option<String> {
    if Interval::parse(text).is_ok() {
        return None;
    }
    let Some((left, right)) = text.split_once('/') else {
        return Some(format!("Format requires a '/' separator: {text}"));
    };
    if left.is_empty() || right.is_empty() {
        return Some(format!("Format invalid: {text}"));
    }
    let is_period = |side: &str| side.starts_with(['P', 'p']);
    if is_period(left) && is_period(right) {
        return Some(format!("Interval composed of two durations: {text}"));
    }
    let bad =
        [left, right].into_iter().find_map(|side| if is_period(side) { period(side) } else { instant(side) });
    Some(bad.unwrap_or_else(|| "The end instant must be greater than the start instant".to_owned()))
}

/// Words for a text that is no period; `None` for a good one.
pub(super) fn period(text: &str) -> Option<String> {
    let error = Period::parse(text).err()?;
    // Joda stops before the number whose unit it does not know.
    let before = text.get(..error.at).unwrap_or(text);
    let at = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    Some(malformed(text, at))
}

fn instant(text: &str) -> Option<String> {
    let error = Instant::parse(text).err()?;
    Some(out_of_range(text).unwrap_or_else(|| malformed(text, error.at)))
}

/// `FormatUtils.createErrorMessage`
fn malformed(text: &str, at: usize) -> String {
    let sample = if text.len() <= at + 35 {
        text.to_owned()
    } else {
        format!("{}...", text.get(..text.floor_char_boundary(at + 32)).unwrap_or_default())
    };
    match at {
        0 => format!("Invalid format: \"{sample}\""),
        _ if at >= text.len() => format!("Invalid format: \"{sample}\" is too short"),
        _ => format!(
            "Invalid format: \"{sample}\" is malformed at \"{}\"",
            sample.get(at..).unwrap_or_default()
        ),
    }
}

/// A text that is built like a time and has a field no calendar has: month 13, day 99, hour 24.
fn out_of_range(text: &str) -> Option<String> {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let mut parts = date.split('-');
    let year = parts.next()?;
    let mut fields: Vec<(&str, &str, u32, u32)> = Vec::new();
    let month = parts.next();
    let day = parts.next();
    if let Some(month) = month {
        fields.push(("monthOfYear", month, 1, 12));
    }
    if let (Some(month), Some(day)) = (month, day) {
        fields.push(("dayOfMonth", day, 1, last_day(year, month)?));
    }
    let clock = time.trim_end_matches('Z');
    let clock = clock.split(['+', '.']).next().unwrap_or_default();
    for (name, text, top) in clock
        .split(':')
        .zip([("hourOfDay", 23), ("minuteOfHour", 59), ("secondOfMinute", 59)])
        .map(|(text, (name, top))| (name, text, top))
    {
        if !text.is_empty() {
            fields.push((name, text, 0, top));
        }
    }
    let is_whole = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
    if parts.next().is_some() || !fields.iter().all(|(_, text, ..)| is_whole(text)) {
        return None;
    }
    fields.into_iter().find_map(|(name, digits, low, high)| {
        let value: u32 = digits.parse().ok()?;
        (!(low..=high).contains(&value)).then(|| {
            format!("Cannot parse \"{text}\": Value {value} for {name} must be in the range [{low},{high}]")
        })
    })
}

/// The last day of a month; 31 where the month is none.
fn last_day(year: &str, month: &str) -> Option<u32> {
    let year: i64 = year.parse().ok()?;
    Some(match month {
        "04" | "06" | "09" | "11" => 30,
        "02" if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        "02" => 28,
        _ => 31,
    })
}
