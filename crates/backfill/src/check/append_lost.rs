//! An append whose first segment gets the very id of an unused one: up to 34 its rows are lost, with SUCCESS (facts 3.8).
//!
//! Under an APPEND lock the first segment of an empty chunk has the epoch for a version; after a chunk was emptied and
//! cleaned up, the unused segment still has that id.

use druid::ingest::APPEND_VERSION;
use druid::lock::{LockType, resolve};
use druid::order::Order as _;
use druid::release::Release;
use druid::segment::SegmentId;
use druid::spec::Mode;

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::{count, intervals};

pub(super) const NAME: &str = "append-lost";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let task = seen.question.task;
    let Some(batch) = seen.batch().filter(|batch| batch.mode == Mode::Append) else { return Vec::new() };
    let lock = resolve(batch.mode, &task.context).kind;
    let (Ok(LockType::Append), Some(unused)) = (lock, seen.question.unused) else { return Vec::new() };
    if seen.question.release >= Release::major(35) {
        return Vec::new();
    }
    let datasource = task.datasource.as_deref().unwrap_or_default();
    let timeline = seen.question.timeline;
    let effective = &seen.forecast.effective;
    let mut found: Vec<_> = unused
        .iter()
        .filter_map(|unused| SegmentId::parse(datasource, &unused.id))
        .filter(|id| *id.version == *APPEND_VERSION)
        .map(|id| id.interval)
        .filter(|interval| effective.iter().any(|stretch| stretch.overlaps(*interval)))
        .filter(|interval| timeline.visible().within(*interval).next().is_none())
        .collect();
    found.order();
    found.dedup();
    if found.is_empty() {
        return vec![Finding::pass(
            NAME,
            "No unused segment has an id that this append would get",
            "None of the unused segments in range has the version that appends begin with.",
        )];
    }
    let number = found.len() as u64;
    let saw = found.iter().fold(Saw::new(NAME), |saw, interval| saw.text(&interval.short()));
    let title = format!("Rows for {} would be lost, with SUCCESS", count(number, "chunk"));
    let why = format!(
        "An unused segment of {} has the version {APPEND_VERSION}, which the first append to an empty chunk gets as well. \
         Druid {} then marks the new segment unused at once, and every further one. Delete the unused segments first, by a \
         kill task; 35 and later append an S to the version.",
        intervals(&found, 3),
        seen.question.release
    );
    vec![Finding::stop(NAME, title, why).number(number).saw(&saw)]
}
