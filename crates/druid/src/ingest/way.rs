//! How a batch task goes about its work, and the ways that are known to fail.
//!
//! Source: `ParallelIndexSupervisorTask.isParallelMode`, `IndexTask.isReady`, `IndexTuningConfig`; the failures in
//! zoned granularities were seen on live clusters (33.0.0 and 37.0.0) and come from comparing intervals in the zone
//! with intervals in UTC.
//!
//! Always holds: a [`Trouble`] whose condition is met ends the run FAILED, and nothing is published.

use crate::granularity::Granularity;
use crate::release::Release;
use crate::spec::{Batch, Context, Mode, Partitions};

use super::cut::Limits;

/// In one process, or cut into sub-tasks; and how chunks are cut into segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Whether sub-tasks share the work.
    pub parallel: bool,
    /// How chunks are cut into segments.
    pub cut: Cut,
}

/// How the rows of one chunk are cut into segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// By size, as rows come in.
    Dynamic,
    /// By a hash of dimensions; the number of buckets where it is given.
    Hashed {
        /// `numShards`
        num_shards: Option<u32>,
    },
    /// By ranges of dimension values.
    Range,
}

/// A way to fail that is certain once its condition is met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// What has to be so.
    pub when: Condition,
    /// `errorMsg` of the task.
    pub message: String,
    /// What its sub-tasks say, where the task itself does not.
    pub detail: Option<String>,
    /// Why, in words for people.
    pub why: &'static str,
}

/// What has to be so for a [`Trouble`] to come true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Nothing: it always fails.
    Always,
    /// At least one row of the input lies in a chunk of the run.
    AnyRow,
    /// There is input, and no row of it lies in a chunk of the run.
    NoRow,
    /// Some sub-task opens a second segment: it has rows in two chunks, or more in one than a segment takes.
    SubTaskInTwoSegments {
        /// Rows that fill a segment, or all open ones of a process.
        full: u64,
    },
}

/// How a batch task goes about its work.
pub fn way(batch: &Batch) -> Way {
    let cut = match &batch.partitions {
        Partitions::Unset if batch.force_guaranteed_rollup => Cut::Hashed { num_shards: None },
        Partitions::Unset | Partitions::Dynamic { .. } => Cut::Dynamic,
        Partitions::Hashed { num_shards, .. } => Cut::Hashed { num_shards: *num_shards },
        Partitions::Range { .. } => Cut::Range,
    };
    Way { parallel: batch.is_parallel(), cut }
}

/// The ways in which this task is certain to fail, each with its condition, in the order in which they strike.
pub fn troubles(batch: &Batch, context: &Context, release: Release) -> Vec<Trouble> {
    let way = way(batch);
    let mut troubles = Vec::new();
    if !way.parallel && way.cut == Cut::Range {
        let class = match &batch.partitions {
            Partitions::Range { single_dim: true, .. } => "SingleDimensionPartitionsSpec",
            _ => "DimensionRangePartitionsSpec",
        };
        troubles.push(Trouble {
            when: Condition::Always,
            message: format!(
                "Failed with exception [partitionsSpec[org.apache.druid.indexer.partitions.{class}] is not \
                 supported]. See indexer logs for details."
            ),
            detail: None,
            why: "range partitioning needs an input source that sub-tasks can share",
        });
    }
    if way.parallel && batch.force_guaranteed_rollup && batch.partitions == Partitions::Unset {
        troubles.push(Trouble {
            when: Condition::Always,
            message:
                "Failed with exception [forceGuaranteedRollup is set but partitionsSpec [null] is not a \
                      single_dim or hash partition spec.]. See indexer logs for details."
                    .to_owned(),
            detail: None,
            why: "forceGuaranteedRollup needs a hashed or range partitionsSpec when sub-tasks share the work",
        });
    }
    if !batch.granularity.uniform && batch.mode == Mode::Append {
        troubles.push(Trouble {
            when: Condition::AnyRow,
            message: "java.lang.UnsupportedOperationException".to_owned(),
            detail: None,
            why: "an append asks for the segment granularity, and an arbitrary granularitySpec has none",
        });
    }
    let by_supervisor = way == Way { parallel: true, cut: Cut::Dynamic } && batch.mode != Mode::Append;
    if by_supervisor && context.concurrent_locks_is_text() && release < Release::major(37) {
        troubles.push(text_trouble());
    }
    let hashed = matches!(way, Way { parallel: true, cut: Cut::Hashed { .. } });
    if hashed && batch.granularity.intervals.is_empty() && batch.mode != Mode::Append {
        troubles.push(Trouble {
            when: Condition::NoRow,
            message: "Failed with exception [Missing intervals in granularitySpec]. See indexer logs for details."
                .to_owned(),
            detail: None,
            why: "the intervals are taken from the rows that sub-tasks have counted, and they have counted none",
        });
    }
    troubles.extend(zone_trouble(batch));
    troubles
}

/// Whether an overwriting run publishes under the version of APPEND locks, the oldest there is: whatever older data
/// covers a chunk stays over what is written there, and the task ends SUCCESS.
///
/// Where sub-tasks share the work and no intervals are given, their supervisor takes the lock of each chunk when the
/// first row for it comes, and asks for the lock of an append whatever the mode (`allocateNewSegment` with
/// `TaskLocks.determineLockTypeForAppend`; seen on a live 33.0.0). With intervals it has its own locks already.
pub fn overwrites_as_append(batch: &Batch, context: &Context) -> bool {
    let by_supervisor = way(batch) == Way { parallel: true, cut: Cut::Dynamic };
    by_supervisor
        && batch.mode != Mode::Append
        && batch.granularity.intervals.is_empty()
        && context.use_concurrent_locks
}

/// Where sub-tasks are given their segments by the supervisor, it reads the switch with an unchecked cast, whatever the
/// text says (`TaskLocks.determineLockTypeForAppend`; seen on a live 33.0.0, and no longer on 37.0.0).
fn text_trouble() -> Trouble {
    Trouble {
        when: Condition::AnyRow,
        message: "Failed in phase[segment generation]. See task logs for details.".to_owned(),
        detail: None,
        why: "useConcurrentLocks is a text, and sub-tasks of this kind take only true or false without quotes",
    }
}

/// The trouble that comes of chunks that follow a zone other than UTC, if this task meets one.
pub fn zone_trouble(batch: &Batch) -> Option<Trouble> {
    let zoned = matches!(&batch.granularity.segment, Granularity::Period(period) if period.is_zoned());
    if !zoned || !batch.granularity.uniform || batch.mode == Mode::Append {
        return None;
    }
    let bounded = !batch.granularity.intervals.is_empty();
    let way = way(batch);
    match (way.parallel, way.cut) {
        (false, Cut::Hashed { .. }) => Some(Trouble {
            when: Condition::AnyRow,
            message: "org.apache.druid.java.util.common.ISE: Failed to get shardSpec for interval[…]".to_owned(),
            detail: None,
            why: "hash partitioning in one process does not find chunks of a zone other than UTC again",
        }),
        (true, Cut::Hashed { num_shards: Some(_) }) if bounded => Some(Trouble {
            when: Condition::AnyRow,
            message: "Failed in phase[partial segment generation]. See task logs for details.".to_owned(),
            detail: Some("Failed with exception [Failed to get shardSpec for interval[…]]. See indexer logs for details.".to_owned()),
            why: "hash partitioning with numShards and intervals does not find chunks of a zone other than UTC again",
        }),
        (true, Cut::Dynamic) => Some(Trouble {
            when: Condition::SubTaskInTwoSegments { full: Limits::of(&batch.partitions).full() },
            message: "Failed in phase[segment generation]. See task logs for details.".to_owned(),
            detail: Some("Can't find previously allocated segmentId[…] for sequenceName[…]".to_owned()),
            why: "a sub-task that goes from one segment to the next loses its place when chunks follow a zone other than UTC",
        }),
        _ => None,
    }
}
