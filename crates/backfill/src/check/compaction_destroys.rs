//! A compaction that destroys rows it never read (facts 3.9, seen on live clusters).
//!
//! With a segment granularity only rows inside the interval are read, while chunks and tombstones cover the whole extent
//! of every segment that is touched, rounded outward. So finer chunks with dropExisting over a part of a coarser segment
//! empty the rest of it; and with allowNonAlignedInterval a chunk is published with only a part of its rows, also where
//! the granularity is that of the segments themselves and they do not begin where its chunks do.

use druid::interval::Interval;
use druid::json::{Edit, Path, quote};
use druid::spec::{Body, Compact};

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::{intervals, length};

pub(super) const NAME: &str = "compaction-destroys";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Body::Compact(compact) = &seen.question.task.body else { return Vec::new() };
    // What of the hidden was not read is the forecast's word; it has none where single segments are named.
    let (Some(asked), Some(world)) = (compact.interval, seen.worst) else { return Vec::new() };
    let timeline = seen.question.timeline;
    let neighbours = &world.counts.neighbours;
    if neighbours.is_empty() && !world.outcome.publishes() {
        // It fails before it replaces anything: `run-fails` tells of that.
        return Vec::new();
    }
    if neighbours.is_empty() {
        let why = if compact.segment_granularity.is_some() {
            "The interval holds every row of the chunks that are replaced."
        } else {
            "Each group of overlapping segments is read whole, and its chunks end where it ends."
        };
        return vec![Finding::pass(NAME, "What is rewritten is read whole", why)];
    }
    let lost = druid::interval::condense(neighbours.iter().map(|neighbour| neighbour.interval));
    let number = world.counts.not_named.most;
    let mut saw = Saw::new(NAME);
    for neighbour in neighbours {
        let Some(holder) = timeline.holder(neighbour.holder) else { continue };
        saw = saw.text(&neighbour.interval.short()).text(holder.version);
    }
    let verb = if neighbours.iter().any(|neighbour| neighbour.certain) { "would" } else { "could" };
    let title = format!("{} of rows that are not read {verb} vanish", length(number));
    let chunks = match &compact.segment_granularity {
        Some(chunks) => format!("whole {chunks} chunks"),
        None => "whole chunks of their granularity".to_owned(),
    };
    let why = format!(
        "Only rows inside the interval are read, and {} are replaced all the same: the compaction works on whole segments \
         and {chunks}. It ends with SUCCESS.",
        intervals(&lost, 3)
    );
    vec![Finding::stop(NAME, title, why).number(number).saw(&saw).fix(whole(seen, compact, asked))]
}

/// Rounds in which the interval may grow: each takes in a segment at either end that the one before only touched.
const ROUNDS: usize = 100;

/// The interval over every segment and chunk that is touched; none where it goes on growing.
fn whole(seen: &Seen<'_>, compact: &Compact, asked: Interval) -> Option<druid::spec::Fix> {
    let timeline = seen.question.timeline;
    let chunks = compact.segment_granularity.as_ref()?;
    let hull = |a: Interval, b: Interval| Interval { start: a.start.min(b.start), end: a.end.max(b.end) };
    let grown = |over: &Interval| {
        let pieces = timeline.visible().within(*over);
        let touched = pieces.filter_map(|piece| Some(timeline.holder(piece.holder)?.interval));
        chunks.cover(touched.fold(*over, hull))
    };
    let mut all = chunks.cover(asked)?;
    for _ in 0..ROUNDS {
        let next = grown(&all)?;
        if next == all {
            let path = Path::keys(&["ioConfig", "inputSpec", "interval"]);
            seen.document().get(&path)?;
            return edits::fix("Compact whole segments", vec![Edit::Set(path, quote(&all.short()))]);
        }
        all = next;
    }
    None
}
