//! Coarser segments of which only a part is hidden: the rest of them stays visible around what is new (facts 2.1).
//!
//! Druid's page on native batch says that only segments wholly inside the interval are replaced; its code replaces
//! whatever the new chunks cover, piece by piece.

use druid::order::Order as _;

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::{count, intervals};

pub(super) const NAME: &str = "partly-hidden";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(world) = seen.worst.filter(|_| seen.overwrites()) else { return Vec::new() };
    let part = world.counts.hidden_in_part.holders;
    if !part.may_be() {
        return vec![Finding::pass(
            NAME,
            "Segments are hidden whole or not at all",
            "No segment sticks out of the chunks that are replaced.",
        )];
    }
    let timeline = seen.question.timeline;
    let effective = &seen.forecast.effective;
    let mut coarse: Vec<_> = seen
        .visible()
        .filter(|(_, holder)| !holder.tombstone)
        .map(|(_, holder)| (holder.interval, holder.id))
        .filter(|(interval, _)| !effective.iter().any(|stretch| stretch.contains(*interval)))
        .collect();
    coarse.order();
    coarse.dedup();
    let saw = coarse.iter().fold(Saw::new(NAME), |saw, (interval, id)| {
        saw.text(&interval.short()).text(timeline.holder(*id).map_or("", |holder| holder.version))
    });
    let verb = if part.is_certain() { "stays" } else { "may stay" };
    let title = match part.most {
        1 => format!("1 segment set {verb} visible around what is new"),
        most => format!(
            "{} {} visible around what is new",
            count(most, "segment set"),
            verb.replace("stays", "stay")
        ),
    };
    let why = match coarse.as_slice() {
        [] => "Only some of the chunks under it get a new version; it goes on being read for the others."
            .to_owned(),
        coarse => format!(
            "{}: the new version hides only what its chunks cover, and the rest goes on being read from the old one.",
            intervals(coarse.iter().map(|(interval, _)| interval), 3)
        ),
    };
    vec![Finding::warn(NAME, title, why).number(part.most).saw(&saw)]
}
