//! Sets in range of which a core partition is missing: invisible, and not what they seem (facts 2.2).

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::{count, intervals};
use druid::order::Order as _;

pub(super) const NAME: &str = "incomplete-sets";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    if seen.batch().is_none() {
        return Vec::new();
    }
    let timeline = seen.question.timeline;
    let mut sets = Vec::new();
    for stretch in &seen.forecast.effective {
        for id in timeline.overlapping(*stretch) {
            let Some(holder) = timeline.holder(id).filter(|holder| !holder.complete) else { continue };
            if !timeline.is_overshadowed(id) {
                sets.push((holder.interval, holder.version));
            }
        }
    }
    sets.order();
    sets.dedup();
    if sets.is_empty() {
        return vec![Finding::pass(
            NAME,
            "Every set in range is complete",
            "No core partition is missing, so what is there is what is served.",
        )];
    }
    let number = sets.len() as u64;
    let saw = sets
        .iter()
        .fold(Saw::new(NAME), |saw, (interval, version)| saw.text(&interval.short()).text(version));
    let finding = Finding::warn(
        NAME,
        format!("{} in range misses a partition", count(number, "set"))
            .replace("sets in range misses", "sets in range miss"),
        format!(
            "A set without all its core partitions is not served at all, appended ones included, and counts as not there: \
             {}. Its rows are not among those shown.",
            intervals(sets.iter().map(|(interval, _)| interval), 3)
        ),
    );
    vec![finding.number(number).saw(&saw)]
}
