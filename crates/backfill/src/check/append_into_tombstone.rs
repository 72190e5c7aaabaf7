//! An append into a chunk of which a tombstone is all there is: the rows become partitions beside it, in its version
//! (facts 3.8).
//!
//! They are served, and they are old from the start: whatever hides the tombstone hides them too.

use druid::interval::Interval;

use super::saw::Saw;
use super::{Finding, Seen, appends_into};
use crate::words::{count, intervals};

pub(super) const NAME: &str = "append-into-tombstone";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let mut found: Vec<Interval> = Vec::new();
    let mut saw = Saw::new(NAME);
    for (_, holder) in appends_into::reached(seen).into_iter().filter(|(_, holder)| holder.tombstone) {
        if !found.contains(&holder.interval) {
            found.push(holder.interval);
            saw = saw.text(&holder.interval.short()).text(holder.version);
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let number = found.len() as u64;
    let title = format!("Rows may go beside {}", count(number, "tombstone"));
    let why = format!(
        "{} was emptied by a run with dropExisting. An append adds partitions in the tombstone's own version, so rows that \
         were deleted on purpose may come back, and they are as old as the tombstone.",
        intervals(&found, 3)
    );
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw)]
}
