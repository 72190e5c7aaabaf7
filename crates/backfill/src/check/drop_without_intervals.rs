//! `dropExisting` without intervals: refused by the server (`ParallelIndexSupervisorTask`, `IndexTask`).

use super::interval_over_everything::extent;
use super::{Finding, Seen, edits};

pub(super) const NAME: &str = "drop-without-intervals";

/// The name of the rule in `druid::spec::refusals`.
pub(super) const RULE: &str = "drop-without-intervals";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| batch.drop_existing && !batch.append_to_existing) else {
        return Vec::new();
    };
    let Some(refusal) = seen.refusals.iter().find(|refusal| refusal.rule == RULE) else {
        return vec![Finding::pass(
            NAME,
            "What is replaced is bounded",
            "dropExisting is true, and intervals say where.",
        )];
    };
    let why = format!(
        "dropExisting is true and no intervals are given. The server refuses it: {}",
        refusal.message
    );
    let name_all = extent(seen)
        .and_then(|held| edits::fix("Name what is there", vec![edits::intervals(batch, &[held])]));
    vec![Finding::stop(NAME, "Replaces without saying what", why).fixes(&refusal.fixes).fix(name_all)]
}
