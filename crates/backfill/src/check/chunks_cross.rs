//! Chunks and segments that cut across each other, as weeks and months do.
//!
//! A chunk that holds the end of one segment and the start of the next cannot be replaced without both, and rows for it
//! can never be appended: allocation finds several pieces where there should be one (facts 3.8). Each compaction to one
//! of the two lengths mends some chunks and breaks others.

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval};
use druid::order::Order as _;

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::{intervals, length};

pub(super) const NAME: &str = "chunks-cross";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| batch.granularity.uniform) else { return Vec::new() };
    let chunks = &batch.granularity.segment;
    if matches!(chunks, Granularity::None | Granularity::All) {
        return Vec::new();
    }
    let mut crossed: Vec<(Interval, Interval)> = Vec::new();
    for (_, holder) in seen.visible() {
        if crossed.last().is_none_or(|(of, _)| *of != holder.interval)
            && let Some(chunk) = across(chunks, holder.interval)
        {
            crossed.push((holder.interval, chunk));
        }
    }
    crossed.order();
    crossed.dedup();
    let Some((of, chunk)) = crossed.first() else {
        return vec![Finding::pass(
            NAME,
            "Chunks and segments fit into each other",
            "Every visible segment in range is made of whole chunks, or lies inside one.",
        )];
    };
    let saw =
        crossed.iter().fold(Saw::new(NAME), |saw, (of, chunk)| saw.text(&of.short()).text(&chunk.short()));
    let number = crossed.len() as u64;
    let others = match crossed.len() {
        1 => String::new(),
        _ => format!(" So it is with {}.", intervals(crossed.iter().skip(1).map(|(of, _)| of), 3)),
    };
    let why = format!(
        "The {} chunk {} holds a part of the segment {} ({}) and reaches beyond it.{others} Later rows for such chunks \
         cannot be appended, and compacting to either length mends some chunks and breaks others.",
        batch.granularity.segment,
        chunk.short(),
        of.short(),
        length(of.duration_ms().unsigned_abs())
    );
    let title = format!("{} chunks cut across segments of other lengths", batch.granularity.segment);
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw)]
}

/// A chunk that holds one end of the segment and something beyond it, but not the whole segment.
fn across(chunks: &Granularity, segment: Interval) -> Option<Interval> {
    let cuts = |chunk: &Interval| !chunk.contains(segment) && !segment.contains(*chunk);
    let first = chunks.bucket(segment.start);
    if first.contains(segment) {
        return None;
    }
    let last = chunks.bucket(Instant::from_ms(segment.end.ms().saturating_sub(1)));
    [first, last].into_iter().find(cuts)
}
