//! Locks on the range: whom the run would wait for, and whom it would throw out (facts 7.2).

use super::saw::Saw;
use super::{Finding, Seen};
use crate::forecast::Stand;
use crate::words::listed;

pub(super) const NAME: &str = "lock-held";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(lock) = &seen.forecast.lock else { return Vec::new() };
    let conflicts = &seen.forecast.conflicts;
    if conflicts.is_empty() {
        let why =
            format!("The run asks for {} locks, and nothing stands in their way now.", lock.kind_name());
        return vec![Finding::pass(NAME, "Nobody holds the range", why)];
    }
    let of = |stand: Stand| conflicts.iter().filter(move |conflict| conflict.stand == stand);
    let saw = conflicts.iter().fold(Saw::new(NAME).text(lock.kind_name()), |saw, conflict| {
        saw.text(&conflict.task_id).text(&conflict.interval.short()).number(conflict.stand as u64)
    });
    let names = |stand: Stand| listed(of(stand).map(|conflict| conflict.task_id.clone()), 2);
    let sentences = |stand: Stand| of(stand).map(|c| c.why.clone()).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (stand, verb) in [
        (Stand::FailsAgainst, "Fails at once against"),
        (Stand::WaitsFor, "Waits for"),
        (Stand::Revokes, "Throws out"),
    ] {
        let number = of(stand).count() as u64;
        if number == 0 {
            continue;
        }
        let title = format!("{verb} {}", names(stand));
        let why = sentences(stand);
        let finding = match stand {
            Stand::FailsAgainst => Finding::stop(NAME, title, why),
            _ => Finding::warn(NAME, title, why),
        };
        found.push(finding.number(number).saw(&saw));
    }
    found
}
