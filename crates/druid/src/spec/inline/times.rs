//! One cell to one instant: `TimestampParser`.

use std::borrow::Cow;

use crate::interval::{Instant, Interval};

/// What a time column holds.
pub(super) enum Cell<'t> {
    Text(Cow<'t, str>),
    /// A JSON number in its own spelling.
    Number(String),
}

/// The time formats that have a name; all others are patterns.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Auto,
    Iso,
    Posix,
    Millis,
    Micro,
    Nano,
    Ruby,
}

impl Format {
    pub(super) fn named(name: &str) -> Option<Format> {
        Some(match name.to_ascii_lowercase().as_str() {
            "auto" => Format::Auto,
            "iso" => Format::Iso,
            "posix" => Format::Posix,
            "millis" => Format::Millis,
            "micro" => Format::Micro,
            "nano" => Format::Nano,
            "ruby" => Format::Ruby,
            _ => return None,
        })
    }

    /// The instant, or why there is none.
    pub(super) fn read(self, cell: &Cell<'_>) -> Result<Instant, String> {
        let instant = match (self, cell) {
            // Numbers are taken as such by every format but iso.
            (Format::Iso, Cell::Number(text)) => iso(text),
            (_, Cell::Number(text)) => number(text).and_then(|number| self.scaled(number)),
            (_, Cell::Text(text)) if text.is_empty() => return Err("the time is empty".to_owned()),
            (Format::Auto, Cell::Text(text)) => auto(text),
            (Format::Iso, Cell::Text(text)) => iso(strip_quotes(text)),
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

    fn name(self) -> &'static str {
        match self {
            Format::Auto => "auto",
            Format::Iso => "iso",
            Format::Posix => "posix",
            Format::Millis => "millis",
            Format::Micro => "micro",
            Format::Nano => "nano",
            Format::Ruby => "ruby",
        }
    }

    /// `createNumericTimestampParser`: fractions of a millisecond are cut off towards 0.
    fn scaled(self, number: Number) -> Option<Instant> {
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
            Format::Auto | Format::Iso | Format::Millis => long,
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

/// Java's `Long.parseLong`.
fn long(text: &str) -> Option<i64> {
    text.parse().ok()
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

/// A zone id of Java: `UTC`, `PST`, `Europe/Paris`, `Etc/GMT+8`. Taken by its looks.
fn looks_like_a_zone(text: &str) -> bool {
    let has_slash = text.contains('/');
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/_+-".contains(&b))
        && (has_slash || text.len() >= 3 && text.bytes().all(|b| b.is_ascii_uppercase()))
}
