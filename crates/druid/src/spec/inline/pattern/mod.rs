//! Times written by a pattern of letters, `yyyy-MM-dd HH:mm`: Joda's `DateTimeFormat` in UTC and English, as a server has
//! it unless somebody set another locale.
//!
//! What always holds: a pattern that is read here gives the instant that Druid's `TimestampSpec` gives, and refuses what it
//! refuses; where that hangs on the server's clock (two-digit years) or on zone tables (zone names), or where a letter is
//! rare (eras, centuries), the whole pattern is not read.
//!
//! What it does not do: print.

mod bucket;

use bucket::{Bucket, Field};

use crate::interval::Instant;

/// A pattern, taken apart.
#[derive(Debug)]
pub(super) struct Pattern {
    elements: Vec<Element>,
}

#[derive(Debug)]
enum Element {
    /// This text, in either case.
    Literal(String),
    /// At most so many digits.
    Number { field: Field, most: usize, signed: bool },
    /// One of these words, long or short.
    Word { field: Field, first: i64, long: &'static [&'static str] },
    /// At most so many digits of a second's fraction.
    Fraction { most: usize },
    /// `Z`, `+05`, `+0530`, `+05:30:00.000`.
    Offset,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const HALVES: [&str; 2] = ["AM", "PM"];

/// A run of one letter, or text between letters with its quotes taken away (`DateTimeFormat.parseToken`).
enum Token {
    Letters(char, usize),
    Text(String),
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = pattern.chars().peekable();
    while let Some(letter) = rest.peek().copied() {
        if letter.is_ascii_alphabetic() {
            let mut length = 0;
            while rest.next_if_eq(&letter).is_some() {
                length += 1;
            }
            found.push(Token::Letters(letter, length));
            continue;
        }
        let (mut text, mut quoted) = (String::new(), false);
        while let Some(c) = rest.peek().copied() {
            if c == '\'' {
                rest.next();
                // Two in a row are one that is meant.
                if rest.next_if_eq(&'\'').is_some() { text.push('\'') } else { quoted = !quoted }
            } else if !quoted && c.is_ascii_alphabetic() {
                break;
            } else {
                text.push(c);
                rest.next();
            }
        }
        found.push(Token::Text(text));
    }
    found
}

impl Token {
    /// Whether digits follow at once, so that a year before them has no more than its own (`isNumericToken`).
    fn is_number(&self) -> bool {
        match self {
            Token::Letters('M', length) => *length <= 2,
            Token::Letters(letter, _) => "cCxyYdhHmsSeDFwWkK".contains(*letter),
            Token::Text(_) => false,
        }
    }
}

impl Pattern {
    /// Takes a pattern apart; none where it is not read here.
    pub(super) fn of(pattern: &str) -> Option<Pattern> {
        let tokens = tokens(pattern);
        let mut elements = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            let before_number = tokens.get(at + 1).is_some_and(Token::is_number);
            elements.push(match token {
                Token::Text(text) => Element::Literal(text.clone()),
                Token::Letters(letter, length) => Element::of(*letter, *length, before_number)?,
            });
        }
        Some(Pattern { elements })
    }

    /// The instant that a text says; none where Joda refuses it.
    pub(super) fn read(&self, text: &str) -> Option<Instant> {
        let mut bucket = Bucket::default();
        let mut rest = text;
        for element in &self.elements {
            rest = element.read(rest, &mut bucket)?;
        }
        if rest.is_empty() { bucket.instant().map(Instant::from_ms) } else { None }
    }
}

impl Element {
    fn of(letter: char, length: usize, before_number: bool) -> Option<Element> {
        let small = |field, most| Element::Number { field, most: length.max(most), signed: false };
        let year = |field, signed| {
            // Two letters mean the year of a century that the server's clock decides.
            let most = if before_number { length } else { length.max(9) };
            (length != 2).then_some(Element::Number { field, most, signed })
        };
        Some(match letter {
            'y' => year(Field::Year, true)?,
            'Y' => year(Field::YearOfEra, false)?,
            'x' => year(Field::Weekyear, true)?,
            'M' if length >= 3 => Element::Word { field: Field::Month, first: 1, long: &MONTHS },
            'M' => small(Field::Month, 2),
            'd' => small(Field::Day, 2),
            'D' => small(Field::DayOfYear, 3),
            'w' => small(Field::Week, 2),
            'e' => small(Field::DayOfWeek, 1),
            'E' => Element::Word { field: Field::DayOfWeek, first: 1, long: &DAYS },
            'a' => Element::Word { field: Field::Half, first: 0, long: &HALVES },
            'H' => small(Field::Hour, 2),
            'k' => small(Field::ClockHour, 2),
            'K' => small(Field::HourOfHalf, 2),
            'h' => small(Field::ClockHourOfHalf, 2),
            'm' => small(Field::Minute, 2),
            's' => small(Field::Second, 2),
            'S' => Element::Fraction { most: length },
            'Z' if length <= 2 => Element::Offset,
            _ => return None,
        })
    }

    /// Takes its part off the text; none where it is not there.
    fn read<'t>(&self, text: &'t str, bucket: &mut Bucket) -> Option<&'t str> {
        match self {
            Element::Literal(literal) => {
                let head = text.get(..literal.len())?;
                let same = head.chars().zip(literal.chars()).all(|(a, b)| a.eq_ignore_ascii_case(&b));
                if same { text.get(literal.len()..) } else { None }
            }
            Element::Number { field, most, signed } => {
                let (value, rest) = number(text, *most, *signed)?;
                bucket.save(*field, value);
                Some(rest)
            }
            Element::Word { field, first, long } => {
                let (place, rest) = word(text, long)?;
                bucket.save(*field, first + place);
                Some(rest)
            }
            Element::Fraction { most } => {
                let digits = digits(text, *most);
                if digits.is_empty() {
                    return None;
                }
                // Beyond the millisecond digits are read and dropped.
                let three: String = digits.chars().chain("00".chars()).take(3).collect();
                bucket.save(Field::Millisecond, three.parse().ok()?);
                text.get(digits.len()..)
            }
            Element::Offset => {
                let (offset, rest) = offset(text)?;
                bucket.offset(offset);
                Some(rest)
            }
        }
    }
}

/// The digits a text begins with, at most so many.
fn digits(text: &str, most: usize) -> &str {
    let end = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    text.get(..end).unwrap_or_default()
}

/// A number of at most so many digits; a sign does not count among them (`NumberFormatter.parseInto`).
fn number(text: &str, most: usize, signed: bool) -> Option<(i64, &str)> {
    let sign = text.chars().next().filter(|c| signed && matches!(c, '-' | '+'));
    // A sign needs room for a digit behind it within the limit.
    let body = match sign {
        Some(_) if most < 2 => return None,
        Some(_) => text.get(1..)?,
        None => text,
    };
    let digits = digits(body, most);
    let value: i64 = digits.parse().ok()?;
    // Joda keeps an int.
    let value = i32::try_from(value).ok()?;
    let value = if sign == Some('-') { -i64::from(value) } else { i64::from(value) };
    Some((value, body.get(digits.len()..)?))
}

/// The longest of the words that a text begins with, whole or by its first three letters: as written, all small or all
/// capital (`TextField.parseInto`).
fn word<'t>(text: &'t str, long: &[&str]) -> Option<(i64, &'t str)> {
    let mut found: Option<(usize, usize)> = None;
    for (place, word) in long.iter().enumerate() {
        for name in [*word, word.get(..3).unwrap_or(word)] {
            let Some(head) = text.get(..name.len()) else { continue };
            let is_it =
                head == name || head == name.to_ascii_lowercase() || head == name.to_ascii_uppercase();
            if is_it && found.is_none_or(|(_, length)| length < name.len()) {
                found = Some((place, name.len()));
            }
        }
    }
    let (place, length) = found?;
    Some((place as i64, text.get(length..)?))
}

/// `TimeZoneOffset.parseInto` for one `Z` or two: hours, then minutes, seconds and milliseconds, all with colons or none.
fn offset(text: &str) -> Option<(i64, &str)> {
    if let Some(rest) = text.strip_prefix(['Z', 'z']) {
        return Some((0, rest));
    }
    let negative = match text.chars().next()? {
        '-' => true,
        '+' => false,
        _ => return None,
    };
    let mut rest = text.get(1..)?;
    let (hours, after) = two(rest, 23)?;
    let mut offset = hours * 3_600_000;
    rest = after;
    let colons = rest.starts_with(':');
    for (unit, separator) in [(60_000, ':'), (1_000, ':')] {
        let body = match (colons, rest.strip_prefix(separator)) {
            (true, Some(body)) => body,
            (true, None) => return Some((signed(negative, offset), rest)),
            (false, _) => rest,
        };
        if !colons && digits(body, 1).is_empty() {
            return Some((signed(negative, offset), rest));
        }
        let (value, after) = two(body, 59)?;
        offset += value * unit;
        rest = after;
    }
    let body = if colons { rest.strip_prefix(['.', ',']) } else { Some(rest) };
    let fraction = body.map_or("", |body| digits(body, 3));
    match (body, fraction) {
        (Some(_), "") if colons => None,
        (_, "") => Some((signed(negative, offset), rest)),
        (Some(body), fraction) => {
            let three: String = fraction.chars().chain("00".chars()).take(3).collect();
            offset += three.parse::<i64>().ok()?;
            Some((signed(negative, offset), body.get(fraction.len()..)?))
        }
        (None, _) => None,
    }
}

fn signed(negative: bool, offset: i64) -> i64 {
    if negative { -offset } else { offset }
}

/// Exactly two digits, at most this value.
fn two(text: &str, most: i64) -> Option<(i64, &str)> {
    let digits = digits(text, 2);
    let value: i64 = digits.parse().ok()?;
    (digits.len() == 2 && value <= most).then(|| (value, text.get(2..).unwrap_or_default()))
}
