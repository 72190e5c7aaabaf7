//! Compaction by the native engine: which segments a run reads, what it makes of them, and where it refuses.
//!
//! Source: `CompactionTask`, `NativeCompactionRunner`, `GranularityType.fromPeriod`.
//!
//! Always holds: a run is a list of [`Part`]s, each an overwriting or replacing batch over a `druid` input. With a
//! `segmentGranularity` there is one part: it *reads* the interval asked for and *replaces* the whole extent of every
//! segment it touches, rounded outward. So with a finer granularity, `dropExisting` and an interval over only a part of
//! a coarser segment, the rest of that segment is lost. Without one, each group of overlapping segments is a part of
//! its own, read and written whole.
//!
//! Locks: up to 36 one for each run of touching segments, from 37 on one over all of them and the interval asked for
//! (`CompactionTask.umbrellaInterval`). Each part asks again for the runs of its own chunks ([`Part::is_ready`]).
//!
//! Does not do: compaction of single segments by id; the MSQ engine.

use crate::granularity::Granularity;
use crate::interval::{Instant, Interval, Period, condense};
use crate::json::Path;
use crate::order::Order as _;
use crate::release::Release;
use crate::spec::{Batch, Compact, Dimensions, GranularitySpec, InputSource, Mode, TimestampSpec};
use crate::timeline::{HolderId, Timeline};

use super::{Chunks, Rows, used_and_visible};

/// One batch that a compaction runs.
#[derive(Clone, Debug)]
pub struct Part {
    /// What is read: the interval of its `druid` input.
    pub reads: Interval,
    /// The batch.
    pub batch: Batch,
    /// Whether it gets to run: each run of its chunks lies in a lock that the task holds. One that only overlaps its own
    /// locks is not given to it, and the task goes on to the next part (`NativeCompactionRunner.runParallelIndexSubtasks`:
    /// `indexSpec is not ready`).
    pub is_ready: bool,
}

/// What a compaction comes to before it runs.
#[derive(Clone, Debug)]
pub struct Compaction {
    /// The runs of chunks it locks before it starts.
    pub locks: Vec<Interval>,
    /// The batches it runs, one after the other; or the message with which it fails before the first.
    pub parts: Result<Vec<Part>, String>,
}

/// Why a compaction is not ready, or what it will do.
///
/// # Errors
/// The message of a task that fails while waiting to be ready: there is nothing to compact.
pub fn compaction(
    timeline: &Timeline,
    datasource: &str,
    compact: &Compact,
    release: Release,
) -> Result<Compaction, String> {
    let asked = compact.interval.unwrap_or(Interval { start: Instant::EPOCH, end: Instant::EPOCH });
    let found = used_and_visible(timeline, &[asked]);
    if found.is_empty() {
        let why = if release < Release::major(37) {
            "No segments found for compaction. Please check that datasource name and interval are correct."
        } else {
            "Empty list of intervals"
        };
        return Err(crate::lock::waiting(why));
    }
    let found = match release < Release::major(37) {
        true => found,
        false => umbrella(found.into_iter().chain([asked])).into_iter().collect(),
    };
    // The locks are aligned to the granularity where there is one.
    let locks = match &compact.segment_granularity {
        Some(granularity) => Chunks::uniform(granularity, &found).runs(),
        None => condense(found),
    };
    let holds = |run: &Interval| locks.iter().any(|lock| lock.contains(*run));
    let parts = parts(timeline, datasource, compact, asked)
        .map_err(|message| format!("Failed with exception [{message}]. See indexer logs for details."))
        .map(|parts| {
            let part = |(reads, batch): (Interval, Batch)| {
                let is_ready = Chunks::of(&batch.granularity).runs().iter().all(holds);
                Part { reads, batch, is_ready }
            };
            parts.into_iter().map(part).collect()
        });
    Ok(Compaction { locks, parts })
}

fn umbrella(intervals: impl IntoIterator<Item = Interval>) -> Option<Interval> {
    let both = |a: Interval, b: Interval| Interval { start: a.start.min(b.start), end: a.end.max(b.end) };
    intervals.into_iter().reduce(both)
}

fn parts(
    timeline: &Timeline,
    datasource: &str,
    compact: &Compact,
    asked: Interval,
) -> Result<Vec<(Interval, Batch)>, String> {
    let mut holders: Vec<HolderId> = timeline.visible().within(asked).map(|piece| piece.holder).collect();
    holders.order();
    holders.dedup();
    if let Some(granularity) = &compact.segment_granularity {
        let whole = holders.iter().filter_map(|&id| timeline.holder(id)).map(|holder| holder.interval);
        let Some(umbrella) = umbrella(whole) else { return Ok(Vec::new()) };
        let batch = batch(timeline, datasource, compact, &holders, umbrella, asked, granularity)?;
        return Ok(vec![(asked, batch)]);
    }
    let mut parts = Vec::new();
    for (group, members) in groups(timeline, &holders) {
        let period = Period::between(group.start, group.end);
        let granularity =
            Granularity::like(period).ok_or_else(|| format!("Granularity is not supported. [{period}]"))?;
        let batch = batch(timeline, datasource, compact, &members, group, group, &granularity)?;
        parts.push((group, batch));
    }
    Ok(parts)
}

/// Holders whose full intervals overlap, together with what they span.
fn groups(timeline: &Timeline, holders: &[HolderId]) -> Vec<(Interval, Vec<HolderId>)> {
    let mut sorted: Vec<(Interval, HolderId)> =
        holders.iter().filter_map(|&id| timeline.holder(id).map(|holder| (holder.interval, id))).collect();
    sorted.order();
    let mut groups: Vec<(Interval, Vec<HolderId>)> = Vec::new();
    for (interval, id) in sorted {
        match groups.last_mut() {
            Some((union, members)) if union.overlaps(interval) => {
                union.end = union.end.max(interval.end);
                members.push(id);
            }
            _ => groups.push((interval, vec![id])),
        }
    }
    groups
}

/// The batch of one part: `target` are the intervals of its granularity spec, `reads` those of its input.
fn batch(
    timeline: &Timeline,
    datasource: &str,
    compact: &Compact,
    holders: &[HolderId],
    target: Interval,
    reads: Interval,
    granularity: &Granularity,
) -> Result<Batch, String> {
    let (dimensions, metrics) = columns(timeline, compact, holders);
    if let Some(twice) = dimensions.iter().find(|name| metrics.contains(name)) {
        return Err(format!(
            "Cannot specify a column more than once: [{twice}] seen in dimensions list, metricsSpec list"
        ));
    }
    if !compact.allow_non_aligned_interval && !is_aligned(granularity, reads) {
        return Err(format!(
            "Interval[{reads}] to compact is not aligned with segmentGranularity[{}]",
            granularity.in_messages()
        ));
    }
    Ok(Batch {
        base: Path::default(),
        mode: if compact.drop_existing { Mode::Replace } else { Mode::Overwrite },
        append_to_existing: false,
        drop_existing: compact.drop_existing,
        granularity: GranularitySpec {
            uniform: true,
            segment: granularity.clone(),
            segment_known: true,
            query_known: true,
            query: compact.query_granularity.clone().unwrap_or(Granularity::None),
            rollup: compact.rollup.unwrap_or(false),
            intervals: vec![target],
            interval_texts: vec![target.to_string()],
        },
        input: InputSource::Druid {
            datasource: datasource.to_owned(),
            interval: Some(reads),
            segments: false,
        },
        input_format: None,
        timestamp: TimestampSpec::default(),
        dimensions: Dimensions { names: dimensions, ..Dimensions::default() },
        metrics,
        moves_time: false,
        filters_rows: compact.filters_rows,
        partitions: compact.partitions.clone(),
        force_guaranteed_rollup: compact.force_guaranteed_rollup,
        max_num_concurrent_sub_tasks: compact.max_num_concurrent_sub_tasks,
        max_num_files: compact.max_num_files,
        report_parse_exceptions: false,
        max_parse_exceptions: None,
        max_allowed_lock_count: None,
        simple: false,
    })
}

/// Names of dimensions and metrics: as the spec says, or all that occur in the segments.
fn columns(timeline: &Timeline, compact: &Compact, holders: &[HolderId]) -> (Vec<String>, Vec<String>) {
    let mut dimensions = compact.dimensions.clone();
    let mut metrics = compact.metrics.clone().unwrap_or_default();
    let add = |names: &str, to: &mut Vec<String>| {
        for name in names.split(',').filter(|name| !name.is_empty()) {
            if !to.iter().any(|known| known == name) {
                to.push(name.to_owned());
            }
        }
    };
    let set = timeline.segments();
    for holder in holders.iter().filter_map(|&id| timeline.holder(id)) {
        for segment in holder.segments.iter().filter_map(|&row| set.get(row)) {
            if compact.dimensions.is_empty() {
                add(segment.dimensions, &mut dimensions);
            }
            if compact.metrics.is_none() {
                add(segment.metrics, &mut metrics);
            }
        }
    }
    (dimensions, metrics)
}

/// Whether Druid takes an interval for a run of whole chunks (`NativeCompactionRunner`): by the chunks of its first and
/// its last millisecond, so that no interval but eternity is one of `ALL`.
fn is_aligned(granularity: &Granularity, interval: Interval) -> bool {
    if interval.is_empty() {
        return false;
    }
    let last = Instant::from_ms(interval.end.ms() - 1);
    granularity.bucket(interval.start).start == interval.start && granularity.bucket(last).end == interval.end
}

/// Whether some parts that get to run work on the same chunk: then the order in which they run matters.
pub fn are_intertwined(parts: &[Part]) -> bool {
    let mut runs: Vec<Interval> = parts
        .iter()
        .filter(|part| part.is_ready)
        .flat_map(|part| Chunks::of(&part.batch.granularity).runs())
        .collect();
    runs.order();
    runs.iter().zip(runs.iter().skip(1)).any(|(before, after)| before.overlaps(*after))
}

/// The rows of one part: those that lie in what it reads and are not hidden by what parts before it have published, under
/// this version.
pub(super) fn rows_read(part: &Part, rows: &Rows, met: &Timeline, own: &str) -> Rows {
    let hides = |row: Instant| {
        let after = Interval { start: row, end: Instant::from_ms(row.ms().saturating_add(1)) };
        let mut over = met.visible().overlapping(after);
        over.any(|piece| met.holder(piece.holder).is_some_and(|holder| holder.version == own))
    };
    let read = |split: &Vec<Instant>| {
        let rows = split.iter().copied();
        rows.filter(|&row| part.reads.contains_instant(row) && !hides(row)).collect::<Vec<_>>()
    };
    Rows { splits: rows.splits.iter().map(read).filter(|split| !split.is_empty()).collect() }
}
