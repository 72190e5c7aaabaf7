//! An append into a chunk of which a tombstone is all there is: the rows become partitions beside it, in its version
//! (facts 3.8).
//!
//! They are served, and they are old from the start: whatever hides the tombstone hides them too.

use super::{Finding, Seen, appends_into};
use crate::words::{agreeing, count, intervals};

pub(super) const NAME: &str = "append-into-tombstone";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let tombstones = seen.appends_into().iter().filter(|holder| holder.tombstone);
    let (found, saw) = appends_into::told(NAME, tombstones);
    if found.is_empty() {
        return Vec::new();
    }
    let number = found.len() as u64;
    let title = format!("Rows may go beside {}", count(number, "tombstone"));
    let why = format!(
        "{} {} emptied by a run with dropExisting. An append adds partitions in the tombstone's own version, so rows that \
         were deleted on purpose may come back, and they are as old as the tombstone.",
        intervals(&found, 3),
        agreeing(number, "was", "were")
    );
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw)]
}
