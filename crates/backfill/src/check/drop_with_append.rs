//! `dropExisting` with `appendToExisting`: refused by the server (`AbstractTask`).

use super::{Finding, Seen};

pub(super) const NAME: &str = "drop-with-append";

/// The name of the rule in `druid::spec::refusals`.
pub(super) const RULE: &str = "append-and-drop";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    if seen.batch().is_none() {
        return Vec::new();
    }
    let Some(refusal) = seen.refusals.iter().find(|refusal| refusal.rule == RULE) else {
        return vec![Finding::pass(
            NAME,
            "Either replaces or appends",
            "dropExisting and appendToExisting are not both true.",
        )];
    };
    let why = format!("The server refuses it: {}.", refusal.message.trim_end_matches('.'));
    vec![Finding::stop(NAME, "Replaces and appends at once", why).fixes(&refusal.fixes)]
}
