//! Existing versions above the server's clock: what is published is overshadowed at birth (facts 3.3).

use super::saw::Saw;
use super::{Finding, Seen, overwrites_below};
use crate::forecast::Born;
use crate::words::{count, intervals};

pub(super) const NAME: &str = "future-versions";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    // Not the clock is to blame there.
    let told = overwrites_below::applies(seen);
    let Some(world) = seen.worst.filter(|_| seen.batch().is_some() && !told) else { return Vec::new() };
    let hidden = world.counts.born_hidden;
    if !hidden.may_be() {
        return vec![Finding::pass(
            NAME,
            "What is published will be served",
            "No version in range is newer than the server's clock.",
        )];
    }
    let born: Vec<_> = world.fates.iter().filter(|fate| fate.born != Born::Served).collect();
    let saw =
        born.iter().fold(Saw::new(NAME), |saw, fate| saw.text(&fate.interval.short()).number(fate.chunks));
    let verb = if hidden.is_certain() { "would be" } else { "could be" };
    let finding = Finding::stop(
        NAME,
        format!("{} {verb} overshadowed at birth", count(hidden.most, "chunk")),
        format!(
            "A version newer than the server's clock lies over {}. The run would end with SUCCESS and nothing new would be \
             served there.",
            intervals(born.iter().map(|fate| &fate.interval), 3)
        ),
    );
    vec![finding.number(hidden.most).saw(&saw)]
}
