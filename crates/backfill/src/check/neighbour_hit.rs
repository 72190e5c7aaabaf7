//! Segments that lie wholly outside the typed intervals and are hidden all the same.

use std::collections::BTreeMap;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::{count, intervals};

pub(super) const NAME: &str = "neighbour-hit";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(world)) = (seen.batch(), seen.worst) else { return Vec::new() };
    if !seen.overwrites() || seen.forecast.typed.is_empty() {
        return Vec::new();
    }
    let timeline = seen.question.timeline;
    let mut hit = BTreeMap::new();
    for neighbour in &world.counts.neighbours {
        let Some(holder) = timeline.holder(neighbour.holder) else { continue };
        if !seen.forecast.typed.iter().any(|typed| typed.overlaps(holder.interval)) {
            let certain: &mut bool = hit.entry((holder.interval, holder.version)).or_default();
            *certain |= neighbour.certain;
        }
    }
    if hit.is_empty() {
        return vec![Finding::pass(
            NAME,
            "No neighbour is hit",
            "Every segment that is hidden overlaps the typed intervals.",
        )];
    }
    let number = hit.len() as u64;
    let will = if hit.values().any(|certain| *certain) { "will" } else { "may" };
    let (they, their) = if number == 1 { ("It lies", "Its") } else { ("They lie", "Their") };
    let mut saw = Saw::new(NAME);
    for (interval, version) in hit.keys() {
        saw = saw.text(&interval.short()).text(version);
    }
    let where_ = intervals(hit.keys().map(|(interval, _)| interval), 3);
    let finding = Finding::stop(
        NAME,
        format!("{} outside the interval {will} vanish", count(number, "neighbour")),
        format!(
            "{they} in a chunk that the interval only touches, and the new version covers the chunk whole: {where_}. {their} \
             rows come back only if the input holds them."
        ),
    );
    let whole = edits::fix("Name whole chunks", vec![edits::intervals(batch, &seen.forecast.effective)]);
    vec![finding.number(number).saw(&saw).fix(whole)]
}
