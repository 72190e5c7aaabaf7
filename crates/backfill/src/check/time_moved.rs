//! A transform that writes `__time`: neither file names nor the times in the rows say which chunks get rows.

use super::{Finding, Seen};

pub(super) const NAME: &str = "time-moved";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    if seen.batch().is_none_or(|batch| !batch.moves_time) {
        return Vec::new();
    }
    let why = "Rows are put into chunks by the time that the transform makes, after the input's own was read: which chunks \
               get rows cannot be told from the input, and rows may fall outside the interval and be dropped. Say it on the \
               timeline, or have a sample of rows read.";
    vec![Finding::warn(NAME, "A transform moves the time of the rows", why)]
}
