//! Known rows that no chunk of the intervals takes: silently thrown away.

use super::saw::Saw;
use super::{Finding, Seen};
use crate::forecast::Basis;
use crate::words::{count, intervals};

pub(super) const NAME: &str = "rows-outside";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Basis::Rows { rows, .. } = &seen.question.known.basis else { return Vec::new() };
    if seen.batch().is_none() || seen.forecast.typed.is_empty() {
        return Vec::new();
    }
    let all: u64 = rows.splits.iter().map(|split| split.len() as u64).sum();
    let outside = seen.forecast.rows_outside;
    let range = intervals(&seen.forecast.effective, 2);
    let saw = Saw::new(NAME).number(all).number(outside).text(&range);
    if all == 0 {
        return vec![
            Finding::warn(NAME, "The input has no row", "No line of it has a time that can be read.")
                .saw(&saw),
        ];
    }
    if outside == 0 {
        let why = format!("{} fall into {range}.", count(all, "row"));
        return vec![Finding::pass(NAME, "Every row is in range", why)];
    }
    let why = format!(
        "Rows outside the chunks of the intervals are dropped without a word; the run works on {range}."
    );
    let finding = if outside == all {
        Finding::stop(NAME, format!("All {} lie outside the interval", count(all, "row")), why)
    } else {
        Finding::warn(NAME, format!("{} of {} lie outside the interval", count(outside, "row"), all), why)
    };
    vec![finding.number(outside).saw(&saw)]
}
