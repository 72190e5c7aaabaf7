//! How the rows of a chunk become segments: how many, of which kind, with how many rows.
//!
//! Always holds: partitions of a chunk are numbered from 0 without a gap and their core count is their number
//! (`SegmentPublisherHelper`); a chunk without rows has none.
//!
//! What it cannot know: which values rows have. Dynamic counts are exact for rows that rollup does not merge; hashed
//! ones assume that rows spread over all buckets; a range is taken to fit one segment.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::interval::{Instant, Interval};
use crate::segment::ShardSpec;
use crate::spec::{Batch, DEFAULT_MAX_ROWS_PER_SEGMENT, DEFAULT_MAX_TOTAL_ROWS, Partitions};

use super::{Chunks, Cut, Rows, way};

/// Rows of each segment of each chunk.
pub(super) type Counts = BTreeMap<Interval, Vec<u64>>;

/// How many rows an open segment takes, and all open ones of a process together (`DynamicPartitionsSpec`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) per_segment: u64,
    pub(super) total: u64,
}

impl Limits {
    pub(super) fn of(partitions: &Partitions) -> Limits {
        let (per_segment, total) = match partitions {
            Partitions::Dynamic { max_rows_per_segment, max_total_rows } => {
                (*max_rows_per_segment, *max_total_rows)
            }
            _ => (None, None),
        };
        let or = |value: Option<u64>, default| value.filter(|&v| v > 0).unwrap_or(default);
        Limits {
            per_segment: or(per_segment, DEFAULT_MAX_ROWS_PER_SEGMENT),
            total: or(total, DEFAULT_MAX_TOTAL_ROWS),
        }
    }
}

impl Limits {
    /// Rows after which the first open segment of a process is closed.
    pub(super) fn full(self) -> u64 {
        self.per_segment.min(self.total)
    }
}

/// Whether a process that gets these rows, by their chunks, opens more than one segment.
pub fn opens_two_segments(mut chunks: impl Iterator<Item = Interval>, full: u64) -> bool {
    let Some(first) = chunks.next() else { return false };
    chunks.zip(1..).any(|(chunk, before): (Interval, u64)| chunk != first || before >= full)
}

/// The open segments of one process, as its driver keeps them: full ones are closed, and all others with them
/// (`AppenderatorDriverAddResult.isPushRequired`, then `pushAllAndClear`).
#[derive(Clone, Debug)]
pub(super) struct Open {
    limits: Limits,
    rows: BTreeMap<Interval, u64>,
    total: u64,
}

impl Open {
    pub(super) fn new(limits: Limits) -> Open {
        Open { limits, rows: BTreeMap::new(), total: 0 }
    }

    /// The open segment that takes the row: the one of the latest start, if it reaches so far
    /// (`BaseAppenderatorDriver.getActiveSegment`).
    pub(super) fn holding(&self, row: Instant) -> Option<Interval> {
        let until = Interval { start: row, end: Instant::from_ms(i64::MAX) };
        let (interval, _) = self.rows.range(..=until).next_back()?;
        interval.contains_instant(row).then_some(*interval)
    }

    /// Adds a row to the segment of a chunk, which is opened if it is not. Returns the counts of those closed by it.
    pub(super) fn add(&mut self, chunk: Interval) -> BTreeMap<Interval, u64> {
        let rows = self.rows.entry(chunk).or_insert(0);
        *rows += 1;
        self.total += 1;
        if *rows >= self.limits.per_segment || self.total >= self.limits.total {
            self.close()
        } else {
            BTreeMap::new()
        }
    }

    /// Closes all.
    pub(super) fn close(&mut self) -> BTreeMap<Interval, u64> {
        self.total = 0;
        std::mem::take(&mut self.rows)
    }
}

/// The segments of each chunk of an overwriting run, by rows.
pub(super) fn counts(batch: &Batch, chunks: &Chunks, rows: &Rows) -> Counts {
    let mut counts = Counts::new();
    if way(batch).cut == Cut::Dynamic {
        for split in &rows.splits {
            let mut open = Open::new(Limits::of(&batch.partitions));
            let mut closed = |segments: BTreeMap<Interval, u64>| {
                for (chunk, rows) in segments {
                    counts.entry(chunk).or_default().push(rows);
                }
            };
            for chunk in split.iter().filter_map(|&row| chunks.holding(row)) {
                closed(open.add(chunk));
            }
            closed(open.close());
        }
        return counts;
    }
    let mut total: BTreeMap<Interval, u64> = BTreeMap::new();
    for chunk in rows.splits.iter().flatten().filter_map(|&row| chunks.holding(row)) {
        *total.entry(chunk).or_default() += 1;
    }
    let segments = |rows: u64| match &batch.partitions {
        Partitions::Hashed { num_shards: Some(shards), .. } => u64::from(*shards).clamp(1, rows),
        Partitions::Hashed { target_rows, .. } => {
            rows.div_ceil(target_rows.filter(|&t| t > 0).unwrap_or(DEFAULT_MAX_ROWS_PER_SEGMENT))
        }
        _ => 1,
    };
    for (chunk, rows) in total {
        let parts = segments(rows);
        let share = |part: u64| rows / parts + u64::from(part < rows % parts);
        counts.insert(chunk, (0..parts).map(share).collect());
    }
    counts
}

/// The shard spec of one of `core` partitions.
pub(super) fn shard(batch: &Batch, partition: u32, core: u32) -> ShardSpec {
    let texts =
        |names: &[String]| names.iter().map(|name| Arc::from(name.as_str())).collect::<Vec<Arc<str>>>();
    match &batch.partitions {
        Partitions::Hashed { num_shards, dimensions, .. } => ShardSpec::Hashed {
            partition,
            core,
            bucket: Some((partition, num_shards.unwrap_or(core).max(core))),
            dimensions: texts(dimensions),
            function: Some("murmur3_32_abs".into()),
        },
        Partitions::Unset if way(batch).cut != Cut::Dynamic => ShardSpec::Hashed {
            partition,
            core,
            bucket: Some((partition, core)),
            dimensions: Vec::new(),
            function: Some("murmur3_32_abs".into()),
        },
        // `range` over one dimension is published as `single`, as live clusters do.
        Partitions::Range { dimensions, .. } => match dimensions.as_slice() {
            [dimension] => ShardSpec::Single {
                partition,
                core: Some(core),
                dimension: dimension.as_str().into(),
                start: None,
                end: None,
            },
            _ => ShardSpec::Range {
                partition,
                core: Some(core),
                dimensions: texts(dimensions),
                start: None,
                end: None,
                virtual_columns: None,
            },
        },
        Partitions::Unset | Partitions::Dynamic { .. } => ShardSpec::Numbered { partition, core },
    }
}
