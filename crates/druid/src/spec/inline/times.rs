//! One cell to one instant: `TimestampSpec` and `TimestampParser`, held against Druid's own classes by a table.

use std::borrow::Cow;

use super::pattern::Pattern;
use crate::interval::{Instant, Interval};

/// What a time column holds.
pub(super) enum Cell<'t> {
    Text(Cow<'t, str>),
    /// A JSON number in its own spelling.
    Number(String),
}

/// How times are written: by a name, or by a pattern of letters.
pub(super) enum Format {
    Auto,
    Iso,
    Posix,
    Millis,
    Micro,
    Nano,
    Ruby,
    Pattern(Pattern),
}

impl Format {
    /// None for a pattern that is not read here.
    pub(super) fn of(name: &str) -> Option<Format> {
        Some(match name.to_ascii_lowercase().as_str() {
            "auto" => Format::Auto,
            "iso" => Format::Iso,
            "posix" => Format::Posix,
            "millis" => Format::Millis,
            "micro" => Format::Micro,
            "nano" => Format::Nano,
            "ruby" => Format::Ruby,
            _ => Format::Pattern(Pattern::of(name)?),
        })
    }

    /// The instant, or why there is none.
    pub(super) fn read(&self, cell: &Cell<'_>) -> Result<Instant, String> {
        let instant = match (self, cell) {
            // Numbers are taken as such by every format but iso and patterns.
            (Format::Iso, Cell::Number(text)) => iso(text),
            (Format::Pattern(pattern), Cell::Number(text)) => pattern.read(text),
            (_, Cell::Number(text)) => number(text).and_then(|number| self.scaled(number)),
            (_, Cell::Text(text)) if text.is_empty() => return Err("the time is empty".to_owned()),
            (Format::Auto, Cell::Text(text)) => auto(text),
            (Format::Iso, Cell::Text(text)) => iso(strip_quotes(text)),
            (Format::Pattern(pattern), Cell::Text(text)) => pattern.read(strip_quotes(text)),
            (Format::Ruby, Cell::Text(text)) => strip_quotes(text).parse().ok().and_then(ruby),
            (_, Cell::Text(text)) => {
                long(strip_quotes(text)).and_then(|number| self.scaled(Number::Long(number)))
            }
        };
        let text = match cell {
            Cell::Text(text) => text,
            Cell::Number(text) => text.as_str(),
        };
        instant
            .filter(|instant| Interval::ETERNITY.contains_instant(*instant))
            .ok_or_else(|| format!("{text} is no time in the format {}", self.name()))
    }

    fn name(&self) -> &'static str {
        match self {
            Format::Auto => "auto",
            Format::Iso => "iso",
            Format::Posix => "posix",
            Format::Millis => "millis",
            Format::Micro => "micro",
            Format::Nano => "nano",
            Format::Ruby => "ruby",
            Format::Pattern(_) => "of the spec",
        }
    }

    /// `createNumericTimestampParser`: fractions of a millisecond are cut off towards 0.
    fn scaled(&self, number: Number) -> Option<Instant> {
        let long = match number {
            Number::Long(long) => long,
            Number::Double(double) => double as i64,
        };
        Some(Instant::from_ms(match self {
            Format::Posix => long.saturating_mul(1000),
            Format::Micro => long / 1_000,
            Format::Nano => long / 1_000_000,
            Format::Ruby => {
                return ruby(match number {
                    Number::Long(long) => long as f64,
                    Number::Double(double) => double,
                });
            }
            Format::Auto | Format::Iso | Format::Millis | Format::Pattern(_) => long,
        }))
    }
}

#[derive(Clone, Copy)]
enum Number {
    Long(i64),
    Double(f64),
}

fn number(text: &str) -> Option<Number> {
    text.parse().map(Number::Long).ok().or_else(|| text.parse().map(Number::Double).ok())
}

/// Zeros of the decimal digits that Java's `Character.digit` knows beside those of ASCII; nine more follow each.
const ZEROS: [u16; 36] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0,
    0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
];

/// The value of a decimal digit of any script.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let zero =
        ZEROS.iter().map(|zero| u32::from(*zero)).find(|zero| (*zero..zero + 10).contains(&u32::from(c)))?;
    char::from_digit(u32::from(c) - zero, 10)
}

/// Java's `Long.parseLong`.
fn long(text: &str) -> Option<i64> {
    if text.is_ascii() {
        return text.parse().ok();
    }
    let digits: Option<String> = text
        .char_indices()
        .map(|(at, c)| if at == 0 && matches!(c, '+' | '-') { Some(c) } else { digit(c) })
        .collect();
    digits?.parse().ok()
}

/// Seconds with a fraction.
fn ruby(seconds: f64) -> Option<Instant> {
    Some(Instant::from_ms((seconds * 1000.0) as i64))
}

/// `ParserUtils.stripQuotes`.
fn strip_quotes(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.map_or(text, str::trim)
}

/// `DateTimes.of`: ISO, otherwise milliseconds.
fn iso(text: &str) -> Option<Instant> {
    Instant::parse(text).ok().or_else(|| long(text).map(Instant::from_ms))
}

/// All digits: milliseconds. Otherwise ISO, where a space may stand for the T, with a zone name behind that
/// changes nothing (Druid reads the time as UTC and only then looks at it from the zone).
fn auto(text: &str) -> Option<Instant> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return long(text).map(Instant::from_ms);
    }
    let text = strip_quotes(text);
    let text = match text.rsplit_once(' ') {
        Some((time, zone)) if !time.is_empty() && looks_like_a_zone(zone) => time,
        _ => text,
    };
    // A date has to come first: a time alone, which the general parser takes, is refused.
    if text.starts_with('T') {
        return None;
    }
    Instant::parse(&text.replacen(' ', "T", 1)).ok()
}

/// Whether a time that was read ends with the name of a region, which only a zone table could tell from a misspelt one:
/// Druid drops the row then.
pub(super) fn hangs_on_a_zone(cell: &Cell<'_>) -> bool {
    let Cell::Text(text) = cell else { return false };
    strip_quotes(text).rsplit_once(' ').is_some_and(|(_, zone)| zone.contains('/'))
}

/// A zone id of Java: `UTC`, `PST`, `Europe/Paris`, `Etc/GMT+8`. Taken by its looks.
fn looks_like_a_zone(text: &str) -> bool {
    let has_slash = text.contains('/');
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/_+-".contains(&b))
        && (has_slash || text.len() >= 3 && text.bytes().all(|b| b.is_ascii_uppercase()))
}
