//! Without `dropExisting`, chunks for which the input has no row keep their old rows beside the new ones (facts 3.1).

use druid::spec::Mode;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::forecast::FateKind;
use crate::words::{count, intervals};

pub(super) const NAME: &str = "chunks-kept";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(world)) = (seen.batch(), seen.worst) else { return Vec::new() };
    if batch.mode != Mode::Overwrite || seen.forecast.typed.is_empty() {
        return Vec::new();
    }
    let kept = world.counts.kept.chunks;
    if !kept.may_be() {
        let why = "Every chunk that holds rows now gets new ones, or none holds any.";
        return vec![Finding::pass(NAME, "No chunk keeps its old rows", why)];
    }
    let of: Vec<_> = world
        .fates
        .iter()
        .filter(|fate| fate.kind.may().contains(&FateKind::Kept))
        .filter(|fate| world.under(fate).iter().any(|piece| piece.holds_data))
        .map(|fate| fate.interval)
        .collect();
    let saw = of.iter().fold(Saw::new(NAME), |saw, interval| saw.text(&interval.short()));
    let title = if kept.is_certain() {
        format!(
            "{} old rows",
            count(kept.most, "chunk") + if kept.most == 1 { " keeps its" } else { " keep their" }
        )
    } else {
        format!("Up to {} may keep old rows", count(kept.most, "chunk"))
    };
    let why = format!(
        "dropExisting is false: a chunk for which the input has no row is left as it is. That goes for {}.",
        intervals(&of, 3)
    );
    let drop = edits::fix("Empty chunks without rows", vec![edits::drop_existing(batch, true)]);
    vec![Finding::warn(NAME, title, why).number(kept.most).saw(&saw).fix(drop)]
}
