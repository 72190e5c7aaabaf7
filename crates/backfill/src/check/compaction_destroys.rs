//! A compaction that destroys rows it never read (facts 3.9, seen on live clusters).
//!
//! With a segment granularity only rows inside the interval are read, while chunks and tombstones cover the whole extent
//! of every segment that is touched, rounded outward. So finer chunks with dropExisting over a part of a coarser segment
//! empty the rest of it; and with allowNonAlignedInterval a coarser chunk is published with only a part of its rows.

use druid::interval::{Interval, subtract};
use druid::json::{Edit, Path, quote};
use druid::spec::{Body, Compact};

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::{intervals, length};

pub(super) const NAME: &str = "compaction-destroys";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Body::Compact(compact) = &seen.question.task.body else { return Vec::new() };
    let (Some(asked), Some(chunks)) = (compact.interval, &compact.segment_granularity) else {
        return vec![Finding::pass(
            NAME,
            "What is rewritten is read whole",
            "Without a segment granularity each group of overlapping segments is read and written whole.",
        )];
    };
    let timeline = seen.question.timeline;
    // Chunks that are written for what is touched, and what of them is not read.
    let mut lost: Vec<Interval> = Vec::new();
    let mut saw = Saw::new(NAME);
    for piece in timeline.visible().within(asked) {
        let Some(holder) = timeline.holder(piece.holder).filter(|holder| !holder.tombstone) else { continue };
        saw = saw.text(&holder.interval.short()).text(holder.version);
        let replaced: Vec<Interval> = if compact.drop_existing {
            chunks.buckets(holder.interval).take(MOST).collect()
        } else {
            // Without dropExisting only chunks with rows are published.
            chunks.buckets(piece.interval).take(MOST).collect()
        };
        lost.extend(subtract(&druid::interval::condense(replaced), &[asked]).into_iter().flat_map(
            |stretch| timeline.visible().within(stretch).map(|piece| piece.interval).collect::<Vec<_>>(),
        ));
    }
    let lost = druid::interval::condense(lost);
    let number: u64 = lost.iter().map(|stretch| stretch.duration_ms().unsigned_abs()).sum();
    if number == 0 {
        return vec![Finding::pass(
            NAME,
            "What is rewritten is read whole",
            "The interval holds every segment and every chunk that it touches.",
        )];
    }
    let title = format!("{} of rows that are not read would vanish", length(number));
    let why = format!(
        "Only rows inside the interval are read, and {} are replaced all the same: the compaction works on whole segments \
         and whole {chunks} chunks. It ends with SUCCESS.",
        intervals(&lost, 3)
    );
    vec![Finding::stop(NAME, title, why).number(number).saw(&saw).fix(whole(seen, compact, asked))]
}

/// Chunks looked at in one segment: what is beyond them is lost as well, and the number only grows.
const MOST: usize = 100_000;

/// The interval over every segment and chunk that is touched.
fn whole(seen: &Seen<'_>, compact: &Compact, asked: Interval) -> Option<druid::spec::Fix> {
    let timeline = seen.question.timeline;
    let chunks = compact.segment_granularity.as_ref()?;
    let touched = timeline.visible().within(asked).filter_map(|piece| timeline.holder(piece.holder));
    let span = touched
        .map(|holder| holder.interval)
        .reduce(|a, b| Interval { start: a.start.min(b.start), end: a.end.max(b.end) })?;
    let mut buckets = chunks.buckets(span);
    let first = buckets.next()?;
    let last = buckets.next_back().unwrap_or(first);
    let all = Interval { start: first.start.min(span.start), end: last.end.max(span.end) };
    let path = Path::keys(&["ioConfig", "inputSpec", "interval"]);
    seen.document().get(&path)?;
    edits::fix("Compact whole segments", vec![Edit::Set(path, quote(&all.short()))])
}
