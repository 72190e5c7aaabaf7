//! A replace that partitions by range and meets no usable row: up to 36 the old data stays, with SUCCESS (facts 3.6).
//!
//! The task's errorMsg then says "No valid rows for range partitioning"; nothing is emptied, although dropExisting is
//! true.

use druid::release::Release;
use druid::spec::{Mode, Partitions};

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::{count, intervals};

pub(super) const NAME: &str = "range-keeps-old";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| batch.mode == Mode::Replace && batch.is_parallel()) else {
        return Vec::new();
    };
    let is_range = matches!(batch.partitions, Partitions::Range { .. });
    if !is_range || seen.question.release >= Release::major(37) || seen.forecast.typed.is_empty() {
        return Vec::new();
    }
    let effective = &seen.forecast.effective;
    let row_in_range = seen.question.known.exact().is_some_and(|rows| {
        let mut rows = rows.splits.iter().flatten();
        rows.any(|row| effective.iter().any(|stretch| stretch.contains_instant(*row)))
    });
    let mut saw = Saw::new(NAME);
    let mut held = 0u64;
    for (interval, holder) in seen.visible().filter(|(_, holder)| !holder.tombstone) {
        held += 1;
        saw = saw.text(&interval.short()).text(holder.version);
    }
    if row_in_range || held == 0 {
        return vec![Finding::pass(
            NAME,
            "The range is replaced",
            "A row falls into it, or nothing is there that could stay behind.",
        )];
    }
    let title = format!("Without a usable row {} of segments would stay, with SUCCESS", count(held, "piece"));
    let why = format!(
        "With range partitioning Druid {} publishes nothing when no row is in range: no tombstones over {}, and SUCCESS \
         with the message “No valid rows for range partitioning”. Since 37 the range is emptied.",
        seen.question.release,
        intervals(effective, 2)
    );
    vec![Finding::warn(NAME, title, why).number(held).saw(&saw)]
}
