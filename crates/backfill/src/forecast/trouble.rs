//! What Druid accepts at submission and then cannot run, or runs to an odd end (facts 3.2, 3.4, 3.6, 3.10, 4.4).
//!
//! What always holds: each trouble says under which condition it comes, and in which words the task ends.
//! What it does not do: refusals at submission (`druid::spec::refusals`) and append allocation (`append`).

use druid::granularity::Granularity;
use druid::spec::{Batch, Mode, Partitions};

use super::frame::Frame;
use super::locking::resolved;

/// A known way to end otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// FAILED whatever the input.
    Always(String),
    /// FAILED as soon as one row is in range.
    WithRows(String),
    /// FAILED when one sub-task has rows in two chunks or more.
    TwoChunksInOneSplit(String),
    /// SUCCESS without a row in range publishes nothing at all, tombstones included; the errorMsg says this.
    EmptyPublishesNothing(String),
}

const RANGE_EMPTY: &str = "No valid rows for range partitioning. All rows may have invalid timestamps or multiple dimension values.";

/// The first trouble that this run meets.
pub(super) fn trouble(frame: &Frame<'_>) -> Option<Trouble> {
    let batch = frame.batch;
    let locks = resolved(frame.q, batch.mode).kind.err().map(Trouble::Always);
    locks.or_else(|| never_runs(batch)).or_else(|| zoned(frame)).or_else(|| {
        // 37: tombstones like every other partitioning (7ef444c1cc).
        let keeps_old = frame.q.release < druid::release::Release::major(37);
        let ranged = matches!(batch.partitions, Partitions::Range { .. }) && batch.is_parallel();
        (batch.mode == Mode::Replace && ranged && keeps_old)
            .then(|| Trouble::EmptyPublishesNothing(RANGE_EMPTY.to_owned()))
    })
}

/// Partitionings that pass submission and fail when the task starts.
fn never_runs(batch: &Batch) -> Option<Trouble> {
    let parallel = batch.is_parallel();
    match &batch.partitions {
        // IndexTask.isReady: range needs a splittable source.
        Partitions::Range { single_dim, .. } if !parallel => {
            let kind = if *single_dim { "single_dim" } else { "range" };
            Some(Trouble::Always(format!(
                "partitionsSpec[{kind}] is not supported: the task runs in one piece, because its input source cannot \
                 be split."
            )))
        }
        Partitions::Unset if parallel && batch.force_guaranteed_rollup => Some(Trouble::Always(
            "forceGuaranteedRollup is set but partitionsSpec [null] is not a single_dim or hash partition spec."
                .to_owned(),
        )),
        _ => None,
    }
}

/// A period granularity in a zone other than UTC breaks some partitionings (table of facts 3.4).
fn zoned(frame: &Frame<'_>) -> Option<Trouble> {
    let batch = frame.batch;
    if !is_zoned(&batch.granularity.segment) || !batch.granularity.uniform {
        return None;
    }
    let parallel = batch.is_parallel();
    let phase = |name: &str| format!("Failed in phase[{name}]. See task logs for details.");
    // Sequential with forceGuaranteedRollup and no partitionsSpec publishes hashed.
    let hashed = match &batch.partitions {
        Partitions::Hashed { num_shards, .. } => Some(num_shards.is_some()),
        Partitions::Unset if batch.force_guaranteed_rollup && !parallel => Some(false),
        _ => None,
    };
    match (parallel, hashed) {
        (false, Some(_)) => {
            let chunk = frame.cells.iter().find(|cell| cell.presence == super::known::Presence::Rows);
            let interval = chunk.map_or_else(|| "…".to_owned(), |cell| cell.run.interval.to_string());
            Some(Trouble::WithRows(format!(
                "org.apache.druid.java.util.common.ISE: Failed to get shardSpec for interval[{interval}]"
            )))
        }
        (true, Some(true)) if !frame.is_open() => {
            Some(Trouble::WithRows(phase("partial segment generation")))
        }
        (true, None) if matches!(batch.partitions, Partitions::Unset | Partitions::Dynamic { .. }) => {
            Some(Trouble::TwoChunksInOneSplit(phase("segment generation")))
        }
        _ => None,
    }
}

fn is_zoned(granularity: &Granularity) -> bool {
    match granularity {
        Granularity::Period(period) => period.is_zoned(),
        _ => false,
    }
}
