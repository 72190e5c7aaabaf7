//! An interval over all there is, or none at all: whatever the rows touch is replaced.

use druid::interval::Interval;
use druid::spec::Mode;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::{agreeing, count, length};

pub(super) const NAME: &str = "interval-over-everything";

/// Nobody backfills a century on purpose.
const CENTURY: u64 = 100 * 365 * 86_400_000;

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|_| seen.overwrites()) else { return Vec::new() };
    let Some(held) = extent(seen) else { return Vec::new() };
    let forecast = seen.forecast;
    let narrow = edits::fix("Name what is there", vec![edits::intervals(batch, &[held])]);
    let saw =
        forecast.typed.iter().fold(Saw::new(NAME).text(&held.short()), |saw, typed| saw.text(&typed.short()));
    if forecast.typed.is_empty() {
        let finding = Finding::warn(
            NAME,
            "No interval: every chunk that a row touches is replaced",
            format!(
                "Without intervals the rows alone decide. One row with a wrong time replaces a whole {} chunk somewhere in \
                 {}, where rows are now.",
                batch.granularity.segment,
                held.short()
            ),
        );
        return vec![finding.saw(&saw).fix(narrow)];
    }
    let long: u64 = forecast.typed.iter().map(|typed| typed.duration_ms().unsigned_abs()).sum();
    let covers = forecast.typed.iter().any(|typed| typed.start <= held.start && held.end <= typed.end);
    if !covers {
        let why = format!("Rows are visible from {} to {}.", held.start.short(), held.end.short());
        return vec![Finding::pass(NAME, "The interval is a part of what is there", why)];
    }
    let all = seen.question.timeline.visible().len() as u64;
    let title = format!(
        "The interval covers everything in the datasource: {}",
        length(held.duration_ms().unsigned_abs())
    );
    let why = format!(
        "{} of segments {} visible, and nothing lies outside. The interval has {}.",
        count(all, "piece"),
        agreeing(all, "is", "are"),
        count(forecast.chunks, "chunk")
    );
    let finding = if long > CENTURY && batch.mode == Mode::Replace {
        Finding::stop(NAME, title, why)
    } else {
        Finding::warn(NAME, title, why)
    };
    vec![finding.number(forecast.chunks).saw(&saw).fix(narrow.filter(|_| forecast.typed != [held]))]
}

/// From the first visible row to the last; none for an empty datasource.
pub(super) fn extent(seen: &Seen<'_>) -> Option<Interval> {
    let timeline = seen.question.timeline;
    let data = || {
        timeline
            .visible()
            .iter()
            .filter(|piece| timeline.holder(piece.holder).is_some_and(|holder| !holder.tombstone))
    };
    let start = data().next()?.interval.start;
    let end = data().last()?.interval.end;
    Interval::new(start, end)
}
