//! A segment from and to the JSON of Druid's metadata endpoints.
//!
//! Only what identifies a segment is demanded (interval and version); everything else has Druid's default, and
//! what is not known is kept. The shapes differ by endpoint: `metadata/segments` adds `overshadowed`,
//! `replicationFactor`, `numRows` and `realtime`; a Broker replaces the load spec; SQL gives other names and is
//! not read here.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Segment, ShardSpec};
use crate::interval::Interval;

/// Why a JSON value is no segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SegmentError {
    /// It is not a JSON object.
    NotAnObject,
    /// A key that must be there is missing, or is no text.
    Missing(&'static str),
    /// The interval cannot be read.
    Interval {
        /// What stood there.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// `size` or `totalRows` is not a whole number of at least 0.
    Number(&'static str),
}

impl fmt::Display for SegmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SegmentError::NotAnObject => {
                write!(f, "a segment must be a JSON object as the Coordinator gives it")
            }
            SegmentError::Missing(key) => write!(f, "the segment has no {key}; it must be a text"),
            SegmentError::Interval { text, reason } => {
                write!(f, "the segment's interval {text:?} cannot be read: {reason}")
            }
            SegmentError::Number(key) => {
                write!(f, "the segment's {key} must be a whole number of at least 0")
            }
        }
    }
}

impl std::error::Error for SegmentError {}

/// Keys that are fields of [`Segment`] or follow from them.
const FIELDS: [&str; 10] = [
    "dataSource",
    "interval",
    "version",
    "loadSpec",
    "dimensions",
    "metrics",
    "shardSpec",
    "size",
    "totalRows",
    "identifier",
];

/// Keys that Druid writes before `size`.
const BEFORE_SIZE: [&str; 3] = ["projections", "lastCompactionState", "binaryVersion"];

impl Segment {
    /// Reads a segment. `identifier` is not read: Druid ignores it too, and it may disagree with the fields.
    pub fn from_json(raw: &Value) -> Result<Segment, SegmentError> {
        let raw = raw.as_object().ok_or(SegmentError::NotAnObject)?;
        let text = |key: &'static str| raw.get(key).and_then(Value::as_str).ok_or(SegmentError::Missing(key));
        let interval = text("interval")?;
        let interval = Interval::parse(interval)
            .map_err(|e| SegmentError::Interval { text: interval.to_owned(), reason: e.message })?;
        let rows =
            ["totalRows", "numRows"].iter().find_map(|key| raw.get(*key).filter(|rows| !rows.is_null()));
        let rows = match rows {
            None => None,
            Some(rows) => Some(rows.as_u64().ok_or(SegmentError::Number("totalRows"))?),
        };
        Ok(Segment {
            datasource: text("dataSource")?.into(),
            interval,
            version: text("version")?.into(),
            shard: ShardSpec::from_json(raw.get("shardSpec").unwrap_or(&Value::Null)),
            dimensions: joined(raw.get("dimensions")),
            metrics: joined(raw.get("metrics")),
            size: match raw.get("size") {
                None | Some(Value::Null) => 0,
                Some(size) => size.as_u64().ok_or(SegmentError::Number("size"))?,
            },
            rows,
            load_spec: raw.get("loadSpec").filter(|spec| !spec.is_null()).cloned(),
            extra: raw
                .iter()
                .filter(|(key, _)| !FIELDS.contains(&key.as_str()))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        })
    }

    /// The JSON as Druid writes it, key by key in its order; kept keys included.
    pub fn to_json(&self) -> Value {
        let mut raw = Map::new();
        raw.insert("dataSource".into(), json!(*self.datasource));
        raw.insert("interval".into(), json!(self.interval.to_string()));
        raw.insert("version".into(), json!(*self.version));
        raw.insert("loadSpec".into(), self.load_spec.clone().unwrap_or(Value::Null));
        raw.insert("dimensions".into(), json!(*self.dimensions));
        raw.insert("metrics".into(), json!(*self.metrics));
        raw.insert("shardSpec".into(), self.shard.to_json());
        let early = |key: &String| BEFORE_SIZE.contains(&key.as_str());
        for (key, value) in self.extra.iter().filter(|(key, _)| early(key)) {
            raw.insert(key.clone(), value.clone());
        }
        raw.insert("size".into(), json!(self.size));
        raw.insert("identifier".into(), json!(self.id().to_string()));
        // An answer that counts rows by the other name keeps it, if that says the same.
        if let Some(rows) = self.rows
            && self.extra.get("numRows").and_then(Value::as_u64) != Some(rows)
        {
            raw.insert("totalRows".into(), json!(rows));
        }
        for (key, value) in self.extra.iter().filter(|(key, _)| !early(key)) {
            raw.insert(key.clone(), value.clone());
        }
        Value::Object(raw)
    }
}

/// Druid writes names as one text joined by commas; arrays are taken too.
fn joined(raw: Option<&Value>) -> Arc<str> {
    match raw {
        Some(Value::String(names)) => names.as_str().into(),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",").into()
        }
        _ => "".into(),
    }
}
