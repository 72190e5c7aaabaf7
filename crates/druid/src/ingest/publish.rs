//! Segments as a task publishes them: identity, shard, columns, and stand-ins for what only real rows could say.
//!
//! Bytes are an estimate (1,000 and 40 a row); the path in deep storage is made up but unique, as Druid's is.

use serde_json::{Map, Value, json};

use crate::interval::Interval;
use crate::segment::{Segment, ShardSpec};
use crate::spec::Batch;

/// A segment of a batch task.
pub(super) fn of_batch(
    datasource: &str,
    batch: &Batch,
    interval: Interval,
    version: &str,
    shard: ShardSpec,
    rows: u64,
) -> Segment {
    let partition = shard.partition();
    Segment {
        dimensions: batch.dimensions.names.join(",").into(),
        metrics: batch.metrics.join(",").into(),
        size: 1_000 + 40 * rows,
        rows: Some(rows),
        load_spec: Some(json!({
            "type": "local",
            "path": format!("segments/{datasource}/{interval}/{version}/{partition}/index.zip"),
        })),
        extra: binary_version(json!(9)),
        ..Segment::new(datasource, interval, version, shard)
    }
}

/// A tombstone.
pub(super) fn tombstone(datasource: &str, chunk: Interval, version: &str) -> Segment {
    Segment {
        size: 1,
        rows: Some(0),
        load_spec: Some(json!({"type": "tombstone", "path": null})),
        extra: binary_version(Value::Null),
        ..Segment::new(datasource, chunk, version, ShardSpec::Tombstone)
    }
}

fn binary_version(version: Value) -> Map<String, Value> {
    Map::from_iter([("binaryVersion".to_owned(), version)])
}
