//! What a `timeZone` text can be, before any table is asked: UTC, an offset, a region, or nothing Druid knows.
//!
//! Follows `DateTimes.inferTzFromString`: Joda's `DateTimeZone.forID` first, then Java's `TimeZone.getTimeZone`,
//! which answers GMT to anything it does not know. Region names are case-sensitive, as in Joda.

/// A zone text, classified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named<'a> {
    /// UTC under one of its names.
    Utc,
    /// A fixed offset in milliseconds east of Greenwich.
    Offset(i32),
    /// A name to look up in the tz database; Java's three-letter names are already translated.
    Region(&'a str),
    /// Cannot be a zone: Druid takes UTC.
    Unknown,
}

/// Java's old three-letter names (`java.time.ZoneId.SHORT_IDS`) that the tz database does not have.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("ACT", "Australia/Darwin"),
    ("AET", "Australia/Sydney"),
    ("AGT", "America/Argentina/Buenos_Aires"),
    ("ART", "Africa/Cairo"),
    ("AST", "America/Anchorage"),
    ("BET", "America/Sao_Paulo"),
    ("BST", "Asia/Dhaka"),
    ("CAT", "Africa/Harare"),
    ("CNT", "America/St_Johns"),
    ("CST", "America/Chicago"),
    ("CTT", "Asia/Shanghai"),
    ("EAT", "Africa/Addis_Ababa"),
    ("ECT", "Europe/Paris"),
    ("IET", "America/Indiana/Indianapolis"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("MIT", "Pacific/Apia"),
    ("NET", "Asia/Yerevan"),
    ("NST", "Pacific/Auckland"),
    ("PLT", "Asia/Karachi"),
    ("PNT", "America/Phoenix"),
    ("PRT", "America/Puerto_Rico"),
    ("PST", "America/Los_Angeles"),
    ("SST", "Pacific/Guadalcanal"),
    ("VST", "Asia/Ho_Chi_Minh"),
];

/// Zones of the tz database that never differ from UTC. Joda keeps them apart from UTC all the same, so that
/// chunks in `Etc/UTC` have the troubles of zoned chunks (some partitionings fail at run time).
const ZERO_OFFSET: &[&str] = &[
    "Etc/UTC",
    "Etc/UCT",
    "Etc/Universal",
    "Etc/Zulu",
    "Etc/GMT",
    "Etc/GMT+0",
    "Etc/GMT-0",
    "Etc/GMT0",
    "Etc/Greenwich",
    "GMT",
    "GMT0",
    "Greenwich",
    "UCT",
    "Universal",
    "Zulu",
];

/// Classifies a `timeZone` text.
pub fn named(text: &str) -> Named<'_> {
    if matches!(text, "UTC" | "UT" | "Z") {
        return Named::Utc;
    }
    if ZERO_OFFSET.contains(&text) {
        return Named::Offset(0);
    }
    // Joda reads plain offsets, Java those behind GMT, which may have one digit for the hour; neither knows UTC+1.
    let (custom, hour_digits) = match text.strip_prefix("GMT") {
        Some(custom) => (custom, 1),
        None => (text, 2),
    };
    if custom.starts_with(['+', '-']) {
        return match offset(custom, hour_digits) {
            Some(0) => Named::Utc,
            Some(ms) => Named::Offset(ms),
            None => Named::Unknown,
        };
    }
    if let Some((_, region)) = SHORT_NAMES.iter().find(|(short, _)| *short == text) {
        return Named::Region(region);
    }
    let plausible = !text.is_empty()
        && text.len() <= 64
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'+'));
    if plausible { Named::Region(text) } else { Named::Unknown }
}

/// `+05`, `+0530`, `+05:30`, `-08:00:00` in milliseconds; with one digit for the hour allowed, `+5` and `+5:30` too.
fn offset(text: &str, hour_digits: usize) -> Option<i32> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = text.get(1..)?;
    let digits: String = rest.chars().filter(|c| *c != ':').collect();
    let hours_alone = rest.split(':').next().map_or(0, str::len);
    let odd = digits.len() % 2 == 1;
    if digits.is_empty()
        || digits.len() > 6
        || !digits.bytes().all(|b| b.is_ascii_digit())
        || hours_alone < hour_digits
        || (odd && hour_digits > 1)
    {
        return None;
    }
    let padded = if odd { format!("0{digits}") } else { digits };
    let part = |from: usize| padded.get(from..from + 2).map_or(Some(0), |two| two.parse::<i32>().ok());
    let (hours, minutes, seconds) = (part(0)?, part(2)?, part(4)?);
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    Some(sign * (hours * 3600 + minutes * 60 + seconds) * 1000)
}
