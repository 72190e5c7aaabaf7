//! Reading ISO 8601 texts the way Joda 2 does, with the place where reading stopped.
//!
//! Grammar (`ISODateTimeFormat.dateTimeParser`): a date as `yyyy[-MM[-dd]]`, `yyyy-DDD` or `xxxx-Www[-e]`, then
//! optionally `T`, a time `HH[:mm[:ss]]` whose last part may have a fraction, and an offset `Z`, `±HH[[:]mm[[:]ss]]`;
//! or a time alone after `T`, which then is of 1970-01-01. An offset needs the `T` before it.
//!
//! Does not know zone names: an interval text cannot hold one.

use std::fmt;

use super::civil::{self, DAY, HOUR, MINUTE, SECOND};
use super::{Instant, Interval, Period};

/// Why a text is no instant, interval or period.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Byte offset into the text at which it stops to make sense; its length when something is missing.
    pub at: usize,
    /// What is wrong there and what would be right.
    pub message: String,
}

impl ParseError {
    pub(super) fn new(at: usize, message: impl Into<String>) -> ParseError {
        ParseError { at, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// A position in a text; every step says whether it moved.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    /// In the second part of a text: what is refused there is told by its place in the whole.
    fn behind(text: &'a str, at: usize) -> Cursor<'a> {
        Cursor { text, at }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Takes one ASCII character, ignoring case as Joda's literals do.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let found = self.peek().is_some_and(|c| c.eq_ignore_ascii_case(&wanted));
        if found {
            self.at += 1;
        }
        found
    }

    /// Takes up to `most` decimal digits; `None` (and no move) when there is none.
    pub(super) fn digits(&mut self, most: usize) -> Option<i64> {
        let (mut value, mut taken) = (0i64, 0);
        while taken < most
            && let Some(digit) = self.peek().and_then(|c| c.to_digit(10))
        {
            value = value * 10 + i64::from(digit);
            self.at += 1;
            taken += 1;
        }
        (taken > 0).then_some(value)
    }

    /// Takes exactly two decimal digits; `None` (and no move) when there are fewer.
    fn two_digits(&mut self) -> Option<i64> {
        let before = self.at;
        let number = self.digits(2)?;
        if self.at - before == 2 {
            return Some(number);
        }
        self.at = before;
        None
    }

    /// `.` or `,` and digits as a share of `unit` milliseconds, cut off below a millisecond.
    fn fraction(&mut self, unit: i64) -> Option<i64> {
        let before = self.at;
        if !(self.take('.') || self.take(',')) {
            return None;
        }
        let (mut share, mut weight, mut any) = (0i64, 1i64, false);
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            if weight < 1_000_000_000 {
                weight *= 10;
                share = share * 10 + i64::from(digit);
            }
            self.at += 1;
            any = true;
        }
        if !any {
            self.at = before;
            return None;
        }
        Some((i128::from(share) * i128::from(unit) / i128::from(weight)) as i64)
    }

    pub(super) fn unexpected(&self, expected: &str) -> ParseError {
        match self.peek() {
            None => ParseError::new(self.at, format!("the text ends where {expected} should follow")),
            Some(c) => ParseError::new(
                self.at,
                format!(
                    "unexpected '{}' at character {}: expected {expected}",
                    c.escape_debug(),
                    self.at + 1
                ),
            ),
        }
    }
}

/// A number with its allowed range, in Joda's words when it is outside.
fn ranged(value: i64, low: i64, high: i64, what: &str, at: usize) -> Result<i64, ParseError> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(ParseError::new(at, format!("{what} {value} must be in the range [{low},{high}]")))
}

pub(super) fn instant(mut cursor: Cursor<'_>) -> Result<Instant, ParseError> {
    let from = cursor.at;
    let at_time = cursor.peek().is_some_and(|c| c.eq_ignore_ascii_case(&'T'));
    let days = if at_time { 0 } else { date(&mut cursor)? };
    let (mut of_day, mut offset) = (0, 0);
    let has_time = cursor.take('T');
    if has_time {
        of_day = time(&mut cursor)?;
        offset = zone_offset(&mut cursor)?;
    }
    if !cursor.is_done() {
        let expected = if has_time { "more of the time, or the end" } else { "'T' and a time, or the end" };
        return Err(cursor.unexpected(expected));
    }
    let ms = i128::from(days) * i128::from(DAY) + i128::from(of_day - offset);
    let ms = i64::try_from(ms);
    ms.map(Instant::from_ms)
        .map_err(|_| ParseError::new(from, "the time is beyond what 64 bits of milliseconds hold"))
}

/// Days since 1970-01-01. Of the readings as calendar, week or ordinal date the longest wins.
fn date(cursor: &mut Cursor<'_>) -> Result<i64, ParseError> {
    let start = cursor.at;
    let negative = cursor.take('-');
    if !negative {
        cursor.take('+');
    }
    let Some(year) = cursor.digits(9) else {
        cursor.at = start;
        return Err(cursor.unexpected("a year, such as 2026"));
    };
    let year = if negative { -year } else { year };
    // Joda's own limits for a year in milliseconds.
    let year = ranged(year, -292_275_054, 292_278_994, "year", start)?;
    let after_year = *cursor;
    if !cursor.take('-') {
        return Ok(civil::days_from_civil(year, 1, 1));
    }
    if cursor.take('W') {
        return week_date(cursor, year);
    }
    let from = cursor.at;
    let Some(number) = cursor.digits(3) else {
        *cursor = after_year;
        return Err(ParseError::new(after_year.at + 1, after_dash(cursor)));
    };
    if cursor.at - from == 3 {
        let last = if civil::is_leap(year) { 366 } else { 365 };
        return Ok(civil::days_from_civil(year, 1, 1) + ranged(number, 1, last, "day of year", from)? - 1);
    }
    let month = ranged(number, 1, 12, "month", from)?;
    let before_day = *cursor;
    if !cursor.take('-') {
        return Ok(civil::days_from_civil(year, month, 1));
    }
    let from = cursor.at;
    let Some(day) = cursor.digits(2) else {
        *cursor = before_day;
        return Ok(civil::days_from_civil(year, month, 1));
    };
    let day = ranged(day, 1, civil::days_in_month(year, month), "day of month", from)?;
    Ok(civil::days_from_civil(year, month, day))
}

fn after_dash(before: &Cursor<'_>) -> String {
    let mut after = *before;
    after.at += 1;
    after.unexpected("a month, a day of the year or a week").message
}

fn week_date(cursor: &mut Cursor<'_>, year: i64) -> Result<i64, ParseError> {
    let from = cursor.at;
    let week = cursor.digits(2).ok_or_else(|| cursor.unexpected("a week, such as W05"))?;
    let first = civil::week_year_start(year);
    let weeks = (civil::week_year_start(year + 1) - first) / 7;
    let week = ranged(week, 1, weeks, "week", from)?;
    let before_day = *cursor;
    let mut day = 1;
    if cursor.take('-') {
        let from = cursor.at;
        match cursor.digits(1) {
            Some(number) => day = ranged(number, 1, 7, "day of week", from)?,
            None => *cursor = before_day,
        }
    }
    Ok(first + (week - 1) * 7 + day - 1)
}

/// Milliseconds of the day; nothing at all is midnight.
fn time(cursor: &mut Cursor<'_>) -> Result<i64, ParseError> {
    let parts = [("hour", 23, HOUR), ("minute", 59, MINUTE), ("second", 59, SECOND)];
    let mut total = 0;
    for (index, (what, high, unit)) in parts.into_iter().enumerate() {
        let before = *cursor;
        if index > 0 && !cursor.take(':') {
            break;
        }
        let from = cursor.at;
        let Some(number) = cursor.digits(2) else {
            *cursor = before;
            break;
        };
        total += ranged(number, 0, high, what, from)? * unit;
        if let Some(part) = cursor.fraction(unit) {
            return Ok(total + part);
        }
    }
    Ok(total)
}

/// Milliseconds east of Greenwich; none is UTC.
fn zone_offset(cursor: &mut Cursor<'_>) -> Result<i64, ParseError> {
    if cursor.take('Z') {
        return Ok(0);
    }
    let sign = if cursor.take('+') {
        1
    } else if cursor.take('-') {
        -1
    } else {
        return Ok(0);
    };
    let from = cursor.at;
    let hours = cursor
        .two_digits()
        .ok_or_else(|| cursor.unexpected("two digits for the hours of an offset, such as +05:30"))?;
    let mut total = ranged(hours, 0, 23, "offset hour", from)? * HOUR;
    for (what, unit) in [("offset minute", MINUTE), ("offset second", SECOND)] {
        let before = *cursor;
        cursor.take(':');
        let from = cursor.at;
        let Some(number) = cursor.two_digits() else {
            *cursor = before;
            break;
        };
        total += ranged(number, 0, 59, what, from)? * unit;
    }
    Ok(sign * total)
}

pub(super) fn interval(text: &str) -> Result<Interval, ParseError> {
    let Some((left, right)) = text.split_once('/') else {
        return Err(ParseError::new(
            text.len(),
            "an interval needs a '/' between its start and its end, such as 2026-07-16/2026-07-17",
        ));
    };
    let right_at = left.len() + 1;
    if left.is_empty() {
        return Err(ParseError::new(0, "the start before the '/' is missing"));
    }
    if right.is_empty() {
        return Err(ParseError::new(right_at, "the end after the '/' is missing"));
    }
    let (first, second) = (Cursor::new(left), Cursor::behind(text, right_at));
    let is_period = |side: &str| side.starts_with(['P', 'p']);
    let (start, end) = match (is_period(left), is_period(right)) {
        (true, true) => {
            return Err(ParseError::new(right_at, "two periods make no interval: one side must be a date"));
        }
        (true, false) => {
            let end = instant(second)?;
            (Period::read(first)?.add_utc(end, -1), end)
        }
        (false, true) => {
            let start = instant(first)?;
            (start, Period::read(second)?.add_utc(start, 1))
        }
        (false, false) => (instant(first)?, instant(second)?),
    };
    Interval::new(start, end).ok_or_else(|| {
        ParseError::new(right_at, format!("the end {} lies before the start {}", end.short(), start.short()))
    })
}
