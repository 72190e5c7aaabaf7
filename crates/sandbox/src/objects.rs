//! The pretend object store: what `s3`, `http` and `local` sources can read here.
//!
//! There is one lake. It has a file an hour for each day from 2026-06-01 to 2026-07-30:
//! `events/web/2026-07-16/hour-05.json`, three rows each, under `s3://lake/`, `https://lake.example/` and, for `local`
//! sources, `/lake/`. Two things are missing on purpose, so that replaces have something to empty: hour 13 of
//! 2026-07-16, and everything on 2026-07-19. Any other prefix, address or folder matches nothing.

use druid::interval::{Instant, Interval};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its key below the root: `events/web/2026-07-16/hour-05.json`.
    pub key: String,
    /// The times of its rows, in order.
    pub rows: Vec<Instant>,
}

/// Every file of the lake, in order of keys.
pub fn all() -> impl Iterator<Item = Object> {
    let days = Interval::parse("2026-06-01T00:00:00Z/2026-07-31T00:00:00Z").ok();
    let (first, end) = days.map(|days| (days.start.ms(), days.end.ms())).unwrap_or_default();
    (0..(end - first) / HOUR)
        .map(move |hour| first + hour * HOUR)
        .filter(|start| !is_missing(*start))
        .map(object)
}

fn is_missing(start: i64) -> bool {
    let at = |text: &str| Instant::parse(text).map(Instant::ms).unwrap_or_default();
    let quiet_day = at("2026-07-19T00:00:00Z");
    start == at("2026-07-16T13:00:00Z") || (quiet_day..quiet_day + DAY).contains(&start)
}

fn object(start: i64) -> Object {
    let text = Instant::from_ms(start).to_string();
    let (day, hour) = (text.get(..10).unwrap_or_default(), text.get(11..13).unwrap_or_default());
    Object {
        key: format!("events/web/{day}/hour-{hour}.json"),
        rows: [5, 25, 45].map(|minute| Instant::from_ms(start + minute * 60_000)).to_vec(),
    }
}

/// The files below an S3 prefix.
pub fn below_s3(prefix: &str) -> Vec<Object> {
    prefix.strip_prefix("s3://lake/").map(below).unwrap_or_default()
}

/// The file at an address of any kind, if there is one.
pub fn at_uri(uri: &str) -> Option<Object> {
    let key = uri.strip_prefix("s3://lake/").or_else(|| uri.strip_prefix("https://lake.example/"))?;
    all().find(|object| object.key == key)
}

/// The files of a folder on the server whose names match a filter (`*` stands for anything).
pub fn in_folder(folder: &str, filter: &str) -> Vec<Object> {
    let Some(prefix) = folder.strip_prefix("/lake").map(|rest| rest.trim_matches('/')) else {
        return Vec::new();
    };
    all()
        .filter(|object| object.key.starts_with(prefix))
        .filter(|object| object.key.rsplit('/').next().is_some_and(|name| matches(filter, name)))
        .collect()
}

fn below(prefix: &str) -> Vec<Object> {
    all().filter(|object| object.key.starts_with(prefix)).collect()
}

/// Whether a name matches a pattern with `*`.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut last = "";
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
        last = part;
    }
    pattern.contains('*') && (last.is_empty() || name.ends_with(last)) || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_prefix_has_every_hour_but_one() {
        let day = below_s3("s3://lake/events/web/2026-07-16/");
        assert_eq!(day.len(), 23);
        assert!(!day.iter().any(|object| object.key.ends_with("hour-13.json")));
        assert_eq!(below_s3("s3://lake/events/web/2026-07-19/"), []);
    }

    #[test]
    fn a_mistyped_prefix_matches_nothing() {
        for prefix in ["s3://lake/event/web/", "s3://other/events/web/2026-07-16/", "lake/events", ""] {
            assert_eq!(below_s3(prefix), [], "{prefix}");
        }
    }

    #[test]
    fn folders_take_a_filter() {
        assert_eq!(in_folder("/lake/events/web/2026-07-15", "*.json").len(), 24);
        assert_eq!(in_folder("/lake/events/web/2026-07-15/", "hour-0*.json").len(), 10);
        assert_eq!(in_folder("/lake/events/web/2026-07-15", "*.csv").len(), 0);
        assert_eq!(in_folder("/elsewhere", "*").len(), 0);
    }
}
