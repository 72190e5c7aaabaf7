//! The typed interval against the one Druid works on: whole chunks, rounded outward (facts 3.2).

use druid::granularity::Granularity;
use druid::spec::Mode;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::{intervals, length};

pub(super) const NAME: &str = "widened-interval";

/// Granularities people name, from long to short.
const NAMED: [&str; 9] =
    ["YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "FIFTEEN_MINUTE", "MINUTE", "SECOND"];

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let forecast = seen.forecast;
    let Some(batch) = seen.batch().filter(|_| !forecast.typed.is_empty()) else { return Vec::new() };
    if forecast.widened.is_empty() {
        return vec![Finding::pass(
            NAME,
            "The interval is cut along whole chunks",
            "What was typed is exactly what the run works on.",
        )];
    }
    let wider: u64 = forecast.widened.iter().map(|stretch| stretch.duration_ms().unsigned_abs()).sum();
    let chunk = batch.granularity.segment.to_string();
    let hit = seen.worst.map_or(0, |world| world.counts.not_named.most);
    let certain = seen.worst.is_some_and(|world| world.counts.not_named.least > 0);
    let will = if certain { "will" } else { "may" };
    let range = intervals(&forecast.effective, 3);
    let finding = match (batch.mode, hit) {
        (Mode::Append, _) => Finding::warn(
            NAME,
            format!("Rows up to {} outside the interval are taken too", length(wider)),
            format!("Rows are taken by whole {chunk} chunks, so the run works on {range}."),
        )
        .number(wider),
        (_, 0) => Finding::warn(
            NAME,
            format!("The interval is widened by {}", length(wider)),
            format!(
                "Druid works on whole {chunk} chunks, so the run works on {range}. {}",
                if seen.knows_segments {
                    "Nothing that is visible there now is lost."
                } else {
                    "What is there now has not been looked at."
                }
            ),
        )
        .number(wider),
        (mode, hit) => {
            let verb = if mode == Mode::Replace { "be replaced or emptied" } else { "be replaced" };
            Finding::stop(
                NAME,
                format!("{} you did not name {will} {verb}", length(hit)),
                format!(
                    "Druid works on whole {chunk} chunks, rounded outward: the run works on {range}, {} more than was \
                     typed, and rows are there now.",
                    length(wider)
                ),
            )
            .number(hit)
        }
    };
    let mut saw = Saw::new(NAME);
    for stretch in forecast.typed.iter().chain(&forecast.effective) {
        saw = saw.text(&stretch.short());
    }
    let finer = finest_fitting(seen).and_then(|name| {
        edits::fix(&format!("Use {name} chunks"), vec![edits::segment_granularity(batch, name)])
    });
    let whole = edits::fix("Name whole chunks", vec![edits::intervals(batch, &forecast.effective)]);
    vec![finding.saw(&saw).fix(finer).fix(whole)]
}

/// The longest named granularity whose chunks fit the typed intervals exactly.
fn finest_fitting(seen: &Seen<'_>) -> Option<&'static str> {
    NAMED.into_iter().find(|name| {
        let Some(granularity) = Granularity::named(name) else { return false };
        seen.forecast.typed.iter().all(|typed| granularity.is_whole(*typed))
    })
}
