//! Known rows that no chunk of the intervals takes: silently thrown away.

use super::saw::Saw;
use super::{Finding, Seen};
use crate::forecast::Basis;
use crate::words::{agreeing, count, intervals, number};

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
        let fall = agreeing(all, "falls", "fall");
        let why = format!("{} {fall} into {range}.", count(all, "row"));
        return vec![Finding::pass(NAME, "Every row is in range", why)];
    }
    let why = format!(
        "Rows outside the chunks of the intervals are dropped without a word; the run works on {range}."
    );
    let lie = agreeing(outside, "lies", "lie");
    let finding = if outside == all {
        let title = match all {
            1 => "The only row lies outside the interval".to_owned(),
            _ => format!("All {} lie outside the interval", count(all, "row")),
        };
        Finding::stop(NAME, title, why)
    } else {
        let title = format!("{} of {} {lie} outside the interval", count(outside, "row"), number(all));
        Finding::warn(NAME, title, why)
    };
    vec![finding.number(outside).saw(&saw)]
}
