//! Deleting unused segments for good.
//!
//! Source: `KillUnusedSegmentsTask`: what lies wholly inside the interval goes, used segments are never touched.

use crate::spec::Kill;

use super::{Published, Situation};

/// What a kill task deletes. Without an interval, nothing (Druid refuses it).
pub(super) fn delete(situation: &Situation<'_>, order: &Kill) -> Published {
    let Some(interval) = order.interval else { return Published::default() };
    let inside = situation.unused.iter().filter(|id| {
        let version =
            order.versions.as_ref().is_none_or(|versions| versions.iter().any(|v| **v == *id.version));
        version && interval.start <= id.interval.start && id.interval.end <= interval.end
    });
    Published { deleted: inside.cloned().collect(), ..Published::default() }
}
