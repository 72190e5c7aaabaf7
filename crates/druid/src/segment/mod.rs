//! Segments: what Druid publishes, and what everything here is drawn from.
//!
//! [`Segment`] is one segment with everything its JSON says, [`SegmentSet`] is a datasource's segments packed
//! into columns: what the timeline is built from and what travels to the browser (`columns`).
//! Reading is lenient, as Druid's own JSON grows a key every other release: unknown keys and unknown shard
//! kinds are kept. Nothing here decides what is visible: that is `timeline`.

mod id;
mod json;
mod plain;
pub(crate) mod set;
mod shard;
pub mod stream;
mod texts;
mod unused;

use std::cmp::Ordering;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::interval::Interval;

pub use id::SegmentId;
pub use json::SegmentError;
pub use set::{ColumnSet, Row, SegmentRef, SegmentSet, SetBytes};
pub use shard::{ChunkKind, ShardSpec};
pub use unused::UnusedSegment;

/// One segment as the Coordinator describes it (`DataSegment`).
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// The datasource it belongs to.
    pub datasource: Arc<str>,
    /// The time chunk it covers, start inclusive, end exclusive, UTC.
    pub interval: Interval,
    /// Its version: opaque text, compared by [`compare_versions`].
    pub version: Arc<str>,
    /// Its place among its siblings.
    pub shard: ShardSpec,
    /// Dimension names joined by commas, as Druid writes them: `"a,b"`.
    pub dimensions: Arc<str>,
    /// Metric names joined by commas.
    pub metrics: Arc<str>,
    /// Bytes in deep storage; 1 for a tombstone.
    pub size: u64,
    /// Rows, where the cluster says (`totalRows`, since 37; `numRows` of some answers).
    pub rows: Option<u64>,
    /// Where its files are; `{"type":"tombstone","path":null}` for a tombstone. None when absent or null.
    pub load_spec: Option<Value>,
    /// Every other key of the JSON, in its order.
    pub extra: Map<String, Value>,
}

impl Segment {
    /// A segment with nothing but its identity; sizes and columns empty.
    pub fn new(datasource: &str, interval: Interval, version: &str, shard: ShardSpec) -> Segment {
        Segment {
            datasource: datasource.into(),
            interval,
            version: version.into(),
            shard,
            dimensions: "".into(),
            metrics: "".into(),
            size: 0,
            rows: None,
            load_spec: None,
            extra: Map::new(),
        }
    }

    /// Its id.
    pub fn id(&self) -> SegmentId {
        SegmentId {
            datasource: self.datasource.clone(),
            interval: self.interval,
            version: self.version.clone(),
            partition: self.shard.partition(),
        }
    }

    /// Whether it holds no rows and only hides what is below it.
    pub fn is_tombstone(&self) -> bool {
        matches!(self.shard, ShardSpec::Tombstone)
    }
}

/// Compares two versions as Druid does: `String.compareTo`, i.e. UTF-16 code unit by code unit.
///
/// For the versions Druid makes itself this is the order of bytes and of time; for restored or hand-made ones it
/// may be neither, and Druid does not care (`SegmentTimeline`, `DataSegment.overshadows`).
pub fn compare_versions(a: &str, b: &str) -> Ordering {
    // Byte order of UTF-8 is code point order, which differs from UTF-16 order only above U+D7FF.
    if a.is_ascii() || b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}
