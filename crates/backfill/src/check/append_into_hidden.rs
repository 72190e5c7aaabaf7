//! An append into a chunk of a segment that is partly overshadowed: the row finds no place, and the run fails
//! (facts 3.8).
//!
//! Allocation takes the coarse segment's full interval for the row's place and then finds several pieces in it; so it
//! is even for rows under the newer, finer segment, where the spec's own chunk reaches beyond that one.

use super::{Finding, Seen, appends_into};
use crate::words::{agreeing, count, intervals};

pub(super) const NAME: &str = "append-into-hidden";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    // What is visible of it over all time, not only in range.
    let visible = seen.question.timeline.visible();
    let partly = seen
        .appends_into()
        .iter()
        .filter(|holder| visible.within(holder.interval).any(|other| other.holder != holder.id));
    let (found, saw) = appends_into::told(NAME, partly);
    if found.is_empty() {
        return Vec::new();
    }
    let number = found.len() as u64;
    let title = format!("Rows would find no place in {}", count(number, "partly overshadowed segment set"));
    let why = format!(
        "{} {} overshadowed in part by newer, finer segments. A row in a chunk that it reaches into makes the whole run fail: \
         “Failed to add a row with timestamp”. Rewrite it to one chunk length first.",
        intervals(&found, 3),
        agreeing(number, "is", "are")
    );
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw)]
}
