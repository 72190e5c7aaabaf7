//! The rows a task would read here, and how large what it publishes is.

use crate::{metadata::Metadata, objects};
use druid::{
    ingest::{Rows, compaction},
    interval::{Instant, Interval},
    release::Release,
    segment::Segment,
    spec::{Batch, Compact, InputSource, Task, inline},
    timeline::Timeline,
};

/// Rows a reindex reads of one visible piece: enough to fall into each of its hours.
const MOST_ROWS_A_PIECE: i64 = 24;
const HOUR: i64 = 3_600_000;
/// What a row stands for: the pretend rows are few, the sizes shown are those of real hours.
const ROWS_EACH: u64 = 4_000;
const BYTES_A_ROW: u64 = 38;

/// The readable rows of a batch task, split as Druid would split them.
///
/// # Errors
/// The message with which the task fails.
pub(crate) fn rows(task: &Task, metadata: &Metadata) -> Result<Rows, String> {
    let Some(batch) = task.batch() else { return Ok(Rows::default()) };
    let splits = match &batch.input {
        InputSource::Inline { .. } => {
            let read = inline::rows(task).map_err(|error| error.sentence())?;
            vec![read.instants()]
        }
        source => splits(source, metadata)?,
    };
    Ok(Rows { splits: grouped(batch, splits) })
}

/// One list for each thing the source can be split into.
fn splits(source: &InputSource, metadata: &Metadata) -> Result<Vec<Vec<Instant>>, String> {
    let files =
        |objects: Vec<objects::Object>| objects.into_iter().map(|object| object.rows).collect::<Vec<_>>();
    Ok(match source {
        InputSource::S3 { uris, prefixes } => {
            let mut all: Vec<_> = prefixes.iter().flat_map(|prefix| objects::below_s3(prefix)).collect();
            all.extend(uris.iter().filter_map(|uri| objects::at_uri(uri)));
            files(all)
        }
        InputSource::Http { uris } => {
            let mut all = Vec::new();
            for uri in uris {
                let missing = || format!("java.io.FileNotFoundException: {uri}");
                all.push(objects::at_uri(uri).ok_or_else(missing)?);
            }
            files(all)
        }
        InputSource::Local { base_dir, filter, .. } => files(objects::in_folder(
            base_dir.as_deref().unwrap_or_default(),
            filter.as_deref().unwrap_or("*"),
        )),
        InputSource::Druid { datasource, interval: Some(interval), .. } => {
            visible_rows(datasource, *interval, metadata)
        }
        InputSource::Combining(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(splits(part, metadata)?);
            }
            all
        }
        InputSource::Inline { .. }
        | InputSource::Druid { .. }
        | InputSource::Other(_)
        | InputSource::Missing => Vec::new(),
    })
}

/// The rows that a compaction reads: those of every part it comes to.
pub(crate) fn rows_to_compact(
    name: &str,
    compact: &Compact,
    timeline: &Timeline,
    release: Release,
    metadata: &Metadata,
) -> Rows {
    let parts = compaction(timeline, name, compact, release).and_then(|compaction| compaction.parts);
    let reads = parts.unwrap_or_default().into_iter().map(|part| part.reads);
    Rows { splits: reads.map(|interval| visible_rows(name, interval, metadata).concat()).collect() }
}

/// Rows spread over the visible pieces of a datasource: at the start of each piece and of each of its hours.
fn visible_rows(name: &str, interval: Interval, metadata: &Metadata) -> Vec<Vec<Instant>> {
    let Some(timeline) = metadata.datasources.get(name).and_then(|datasource| datasource.timeline(name))
    else {
        return Vec::new();
    };
    timeline
        .visible()
        .within(interval)
        .filter(|piece| timeline.holder(piece.holder).is_some_and(|holder| !holder.tombstone))
        .map(|piece| {
            let step = (piece.interval.duration_ms() / MOST_ROWS_A_PIECE).max(HOUR);
            let mut at = piece.interval.start.ms();
            let mut rows = Vec::new();
            while at < piece.interval.end.ms() && (rows.len() as i64) < MOST_ROWS_A_PIECE {
                rows.push(Instant::from_ms(at));
                at = at.saturating_add(step);
            }
            rows
        })
        .collect()
}

/// A task that does not run in parallel reads everything as one split; one that does reads `maxNumFiles` at a time.
fn grouped(batch: &Batch, splits: Vec<Vec<Instant>>) -> Vec<Vec<Instant>> {
    if !batch.is_parallel() {
        return vec![splits.concat()];
    }
    let files = batch.max_num_files.and_then(|most| usize::try_from(most).ok()).unwrap_or(1_000).max(1);
    splits.chunks(files).map(<[Vec<Instant>]>::concat).collect()
}

/// Segments with the rows and bytes that were read for them.
pub(crate) fn sized(segments: Vec<Segment>, rows: &Rows) -> Vec<Segment> {
    let count = |interval: Interval| {
        rows.splits.iter().flatten().filter(|row| interval.contains_instant(**row)).count() as u64
    };
    let partitions = |all: &[Segment], of: &Segment| {
        all.iter().filter(|one| one.interval == of.interval && one.version == of.version).count() as u64
    };
    let sizes: Vec<u64> = segments
        .iter()
        .map(|segment| count(segment.interval) * ROWS_EACH / partitions(&segments, segment).max(1))
        .collect();
    segments
        .into_iter()
        .zip(sizes)
        .map(|(segment, rows)| match segment.is_tombstone() {
            true => segment,
            false => Segment { rows: Some(rows), size: rows * BYTES_A_ROW, ..segment },
        })
        .collect()
}
