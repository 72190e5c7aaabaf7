//! When two JSON values that are written differently are read alike by Druid.

use druid::interval::{Instant, Interval};
use druid::json::{Path, Step};
use serde_json::{Map, Value};

/// Null, false, empty, or made of nothing else.
pub(super) fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.values().all(says_nothing),
        _ => false,
    }
}

/// Two values, not both objects and not both lists, that Druid reads alike.
pub(super) fn means_the_same(path: &Path, ours: &Value, theirs: &Value) -> bool {
    if ours == theirs {
        return true;
    }
    match (ours, theirs) {
        // Two whole numbers digit by digit: as floats, neighbours among the long ones would be equal.
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        },
        (Value::String(text), Value::Number(number)) | (Value::Number(number), Value::String(text)) => {
            text.trim() == number.to_string()
                || bytes(text).is_some_and(|bytes| Some(bytes) == number.as_u64())
        }
        (Value::String(text), Value::Bool(flag)) | (Value::Bool(flag), Value::String(text)) => {
            text.trim() == flag.to_string()
        }
        (Value::String(a), Value::String(b)) => {
            (is_granularity(path) && a.eq_ignore_ascii_case(b))
                || interval_texts_mean_the_same(a, b)
                || instants_mean_the_same(a, b)
                || (is_the_tuning_of_a_compaction(path) && a == "index_parallel" && b == "compaction")
        }
        // `"page"` is stored as `{"type":"string","name":"page",…}`, `"NONE"` as `{"type":"none"}`.
        (Value::String(text), Value::Object(object)) | (Value::Object(object), Value::String(text)) => {
            let says = |key: &str| object.get(key).and_then(Value::as_str);
            says("name") == Some(text)
                || (is_granularity(path) && says("type").is_some_and(|kind| kind.eq_ignore_ascii_case(text)))
                || (is_granularity(path) && period_named(says("period"), text))
        }
        _ => false,
    }
}

pub(super) fn is_granularity(path: &Path) -> bool {
    path.last_key().is_some_and(|key| key.ends_with("Granularity"))
}

/// A period granularity and the name Druid has for it.
fn period_named(period: Option<&str>, name: &str) -> bool {
    const NAMES: &[(&str, &str)] = &[
        ("PT1S", "SECOND"),
        ("PT1M", "MINUTE"),
        ("PT5M", "FIVE_MINUTE"),
        ("PT10M", "TEN_MINUTE"),
        ("PT15M", "FIFTEEN_MINUTE"),
        ("PT30M", "THIRTY_MINUTE"),
        ("PT1H", "HOUR"),
        ("PT6H", "SIX_HOUR"),
        ("PT8H", "EIGHT_HOUR"),
        ("P1D", "DAY"),
        ("P1W", "WEEK"),
        ("P1M", "MONTH"),
        ("P3M", "QUARTER"),
        ("P1Y", "YEAR"),
    ];
    NAMES.iter().any(|(of, called)| period == Some(of) && called.eq_ignore_ascii_case(name))
}

/// A compaction's tuning may be given as that of `index_parallel`; it is stored as its own kind (33.0.0, seen live).
fn is_the_tuning_of_a_compaction(path: &Path) -> bool {
    matches!(path.0.as_slice(), [Step::Key(tuning), Step::Key(kind)] if tuning == "tuningConfig" && kind == "type")
}

fn instants_mean_the_same(a: &str, b: &str) -> bool {
    matches!((Instant::parse(a), Instant::parse(b)), (Ok(a), Ok(b)) if a == b)
}

/// A size in bytes with a unit, as `1g` and `512MiB` (`HumanReadableBytes`): k, m, g, t, p are powers of 1000, with an i
/// behind them of 1024, and a b may follow.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(digits)?;
    let unit = unit.strip_suffix('b').unwrap_or(unit);
    let (letter, base) = unit.strip_suffix('i').map_or((unit, 1000u64), |letter| (letter, 1024));
    let power = ["k", "m", "g", "t", "p"].iter().position(|known| *known == letter)?;
    number.parse::<u64>().ok()?.checked_mul(base.checked_pow(u32::try_from(power).ok()? + 1)?)
}

/// The values of an `in` filter are a set: Druid keeps them sorted and once each.
pub(super) fn values_mean_the_same(ours: &[Value], theirs: &[Value]) -> bool {
    let set = |values: &[Value]| {
        let mut texts: Vec<String> = values
            .iter()
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    };
    set(ours) == set(theirs)
}

/// Our part of a task as Druid rewrites it before it fills in defaults, where it moves things from one key to another.
pub(super) fn moved(
    path: &Path,
    ours: &Map<String, Value>,
    theirs: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let mut moved = ours.clone();
    if path.last_key() == Some("dimensionsSpec") {
        // `spatialDimensions` become dimensions of the type spatial (`DimensionsSpec`).
        let Some(Value::Array(spatial)) = moved.remove("spatialDimensions") else { return None };
        let Value::Array(all) = moved.entry("dimensions").or_insert(Value::Array(Vec::new())) else {
            return None;
        };
        all.extend(spatial.into_iter().map(
            |one| serde_json::json!({"type": "spatial", "name": one.get("dimName"), "dims": one.get("dims")}),
        ));
        return Some(moved);
    }
    // A duration without an origin begins at the epoch (`DurationGranularity`).
    let is_duration = theirs.get("type").and_then(Value::as_str) == Some("duration");
    (is_granularity(path) && is_duration && ours.get("origin").is_none_or(Value::is_null)).then(|| {
        moved.insert("origin".to_owned(), Value::from("1970-01-01T00:00:00.000Z"));
        moved
    })
}

fn interval_texts_mean_the_same(a: &str, b: &str) -> bool {
    match (Interval::parse(a), Interval::parse(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

pub(super) fn intervals_mean_the_same(ours: &[Value], theirs: &[Value]) -> bool {
    let read = |list: &[Value]| {
        let intervals: Option<Vec<_>> =
            list.iter().map(|text| Interval::parse(text.as_str()?).ok()).collect();
        intervals.map(druid::interval::condense)
    };
    match (read(ours), read(theirs)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => ours == theirs,
    }
}
