//! Overwriting and replacing: new holders in the chunks that got rows, tombstones in the others.
//!
//! Source: `IndexTask`, `ParallelIndexSupervisorTask`, `SegmentTransactionalInsertAction`. Publishing is a plain insert:
//! nothing that is there is changed or marked unused; replacing is overshadowing alone. Nobody compares the new
//! version with those that are there: under a future one, the new segments are hidden at birth.

use crate::interval::{Interval, condense};
use crate::release::Release;
use crate::segment::{Segment, ShardSpec};
use crate::spec::{Batch, Mode};

use super::cut::{Counts, counts, opens_two_segments, shard};
use super::publish::{of_batch, tombstone};
use super::{Chunks, Condition, Cut, Published, Rows, Situation, extent, tombstone as rule, way};

/// `errorMsg` of a range-partitioned run without rows, though it ends SUCCESS.
pub const NO_ROWS_FOR_RANGE: &str = "No valid rows for range partitioning. All rows may have invalid timestamps or multiple dimension values.";

/// Whether a replacing run without a single row in its chunks still publishes tombstones. Up to 36 not when sub-tasks
/// partition by range: old data stays, and the run ends SUCCESS with a message (#18938).
pub fn empties_without_rows(batch: &Batch, release: Release) -> bool {
    let way = way(batch);
    !(way.parallel && way.cut == Cut::Range && release < Release::major(37))
}

/// Whether the condition of a trouble is met by these rows.
pub fn is_met(condition: Condition, chunks: &Chunks, rows: &Rows) -> bool {
    let any = |split: &Vec<_>| split.iter().any(|&row| chunks.holding(row).is_some());
    let two =
        |split: &Vec<_>, full| opens_two_segments(split.iter().filter_map(|&row| chunks.holding(row)), full);
    match condition {
        Condition::Always => true,
        Condition::AnyRow => rows.splits.iter().any(any),
        Condition::NoRow => !rows.splits.is_empty() && !rows.splits.iter().any(any),
        Condition::SubTaskInTwoSegments { full } => rows.splits.iter().any(|split| two(split, full)),
    }
}

/// What a replacing or overwriting run publishes once it has its locks. `version` is that of the locks.
pub(super) fn publish(
    situation: &Situation<'_>,
    datasource: &str,
    batch: &Batch,
    rows: &Rows,
    version: &str,
) -> Published {
    let chunks = Chunks::of(&batch.granularity);
    let counts: Counts = counts(batch, &chunks, rows);
    let mut segments: Vec<Segment> = Vec::new();
    for (&chunk, parts) in &counts {
        let core = parts.len() as u32;
        for (partition, &rows) in (0..core).zip(parts) {
            segments.push(of_batch(datasource, batch, chunk, version, shard(batch, partition, core), rows));
        }
    }
    let mut published = Published::default();
    let way = way(batch);
    if counts.is_empty() && way.parallel && way.cut == Cut::Range {
        published.error_msg = Some(NO_ROWS_FOR_RANGE.to_owned());
    }
    let empties = !counts.is_empty() || empties_without_rows(batch, situation.release);
    if batch.mode == Mode::Replace && empties {
        let with_rows: Vec<Interval> = condense(counts.keys().copied());
        let extent = extent(situation.timeline, chunks.typed());
        let emptied = rule::emptied(&chunks, &with_rows, &extent);
        segments.extend(emptied.map(|chunk| tombstone(datasource, chunk, version)));
    }
    debug_assert!(segments.iter().all(|s| s.shard != ShardSpec::None));
    published.segments = segments;
    published
}
