//! Deleting unused segments for good.
//!
//! Source: `KillUnusedSegmentsTask`: what lies wholly inside the interval goes, used segments are never touched, except
//! before 30 where `markAsUnused` marks them first.

use crate::endpoint::Marks;
use crate::release::Release;
use crate::segment::SegmentId;
use crate::spec::Kill;

use super::mark::{Meant, marked_unused};
use super::{Published, Situation};

/// What a kill task deletes. Without an interval, nothing (Druid refuses it).
pub(super) fn delete(situation: &Situation<'_>, order: &Kill) -> Published {
    let Some(interval) = order.interval else { return Published::default() };
    let inside = situation.unused.iter().filter(|id| {
        let version =
            order.versions.as_ref().is_none_or(|versions| versions.iter().any(|v| **v == *id.version));
        version && interval.start <= id.interval.start && id.interval.end <= interval.end
    });
    let mut deleted: Vec<SegmentId> = inside.cloned().collect();
    if let Some(marks) = marks_first(order, situation.release) {
        let set = situation.timeline.segments();
        let rows = marked_unused(set, &Meant::by(&marks, set.datasource(), situation.release));
        deleted.extend(rows.into_iter().filter_map(|row| set.get(row)).map(|segment| segment.id()));
    }
    Published { deleted, ..Published::default() }
}

/// The used segments that a kill task marks unused before it deletes. `markAsUnused` is gone since 30.
pub fn marks_first(order: &Kill, release: Release) -> Option<Marks> {
    let interval = order.interval.filter(|_| order.mark_as_unused && release < Release::major(30))?;
    Some(Marks::Inside { interval, versions: None })
}
