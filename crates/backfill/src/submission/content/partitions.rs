//! How a task cuts its chunks into partitions, whichever keys say it.
//!
//! Druid reads it from `partitionsSpec`; where there is none, from older keys of the tuning itself
//! (`ParallelIndexTuningConfig.getGivenOrDefaultPartitionsSpec`, `IndexTuningConfig`). What it stores has the defaults
//! filled in (`DynamicPartitionsSpec`, `HashedPartitionsSpec`) and each number under all names that it has had.

use super::meaning::means_the_same;
use druid::json::Path;
use serde_json::{Map, Value, json};

/// Rows of a segment where nobody says how many (`PartitionsSpec.DEFAULT_MAX_ROWS_PER_SEGMENT`).
const ROWS: i64 = 5_000_000;
const FUNCTION: &str = "murmur3_32_abs";

/// Do two tunings cut alike?
pub(super) fn mean_the_same(ours: &Map<String, Value>, theirs: &Map<String, Value>) -> bool {
    let (ours, theirs) = (said(ours), said(theirs));
    let keys = ours.keys().chain(theirs.keys());
    keys.into_iter().all(|key| match (ours.get(key), theirs.get(key)) {
        (Some(Value::Array(ours)), Some(Value::Array(theirs))) => ours == theirs,
        (Some(ours), Some(theirs)) => means_the_same(&Path::root(), ours, theirs),
        _ => false,
    })
}

/// What a tuning says of it, in one form.
fn said(tuning: &Map<String, Value>) -> Map<String, Value> {
    let whole = match given(tuning, &["partitionsSpec"]) {
        Some(Value::Object(spec)) => of_spec(spec),
        Some(other) => json!({ "unknown": other }),
        None if truth(tuning.get("forceGuaranteedRollup")) => hashed(tuning),
        None => dynamic(tuning),
    };
    match whole {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn of_spec(spec: &Map<String, Value>) -> Value {
    match spec.get("type").and_then(Value::as_str) {
        None | Some("dynamic") => dynamic(spec),
        Some("hashed") => hashed(spec),
        Some(kind @ ("single_dim" | "range")) => ranges(kind, spec),
        Some(_) => Value::Object(spec.clone()),
    }
}

fn dynamic(keys: &Map<String, Value>) -> Value {
    json!({
        "type": "dynamic",
        "rows": given(keys, &["maxRowsPerSegment", "maxPartitionSize"]).unwrap_or(&ROWS.into()),
        "total": given(keys, &["maxTotalRows"]),
    })
}

fn hashed(keys: &Map<String, Value>) -> Value {
    let shards = given(keys, &["numShards"]);
    let rows = given(keys, &["targetRowsPerSegment", "targetPartitionSize", "maxRowsPerSegment"]);
    let unsaid = Value::from(ROWS);
    json!({
        "type": "hashed",
        "shards": shards,
        "rows": rows.or(shards.is_none().then_some(&unsaid)),
        "dimensions": given(keys, &["partitionDimensions"]).unwrap_or(&json!([])),
        "function": given(keys, &["partitionFunction"]).unwrap_or(&FUNCTION.into()),
    })
}

fn ranges(kind: &str, keys: &Map<String, Value>) -> Value {
    let one = given(keys, &["partitionDimension"]).map(|name| json!([name]));
    json!({
        "type": kind,
        "target": given(keys, &["targetRowsPerSegment", "targetPartitionSize"]),
        "most": given(keys, &["maxRowsPerSegment", "maxPartitionSize"]),
        "dimensions": given(keys, &["partitionDimensions"]).cloned().or(one),
        "grouped": truth(keys.get("assumeGrouped")),
    })
}

/// The first of the keys that says something: null, -1 and an empty list say nothing (`PartitionsSpec.isEffectivelyNull`).
fn given<'a>(keys: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    let says = |value: &&Value| match value {
        Value::Null => false,
        Value::Number(number) => number.as_i64() != Some(-1),
        Value::String(text) => text.trim() != "-1",
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    names.iter().filter_map(|name| keys.get(*name)).find(says)
}

/// A flag, also as a text.
fn truth(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("true"),
        _ => false,
    }
}
