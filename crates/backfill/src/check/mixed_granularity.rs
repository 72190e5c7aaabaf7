//! Concurrent locks over chunks of several lengths: one of the two states the doc page says not to use them in.

use std::collections::BTreeSet;

use druid::json::{Edit, Path};

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::{length, listed};

pub(super) const NAME: &str = "mixed-granularity";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let task = seen.question.task;
    if seen.batch().is_none() || !task.context.use_concurrent_locks {
        return Vec::new();
    }
    let timeline = seen.question.timeline;
    let mut overlapping = BTreeSet::new();
    let mut last: Option<druid::interval::Interval> = None;
    for stretch in &seen.forecast.effective {
        for id in timeline.overlapping(*stretch) {
            let Some(holder) = timeline.holder(id).filter(|_| !timeline.is_overshadowed(id)) else {
                continue;
            };
            if let Some(before) = last.filter(|before| before.overlaps(holder.interval))
                && before.duration_ms() != holder.interval.duration_ms()
            {
                overlapping.insert(before.duration_ms().unsigned_abs());
                overlapping.insert(holder.interval.duration_ms().unsigned_abs());
            }
            // The one that reaches furthest meets what comes next.
            last = last.filter(|before| before.end >= holder.interval.end).or(Some(holder.interval));
        }
    }
    if overlapping.is_empty() {
        return vec![Finding::pass(
            NAME,
            "Chunks in range have one length where they meet",
            "Concurrent append and replace is safe only where no interval holds chunks of several lengths.",
        )];
    }
    let lengths = listed(overlapping.iter().rev().map(|ms| length(*ms)), 4);
    let saw = overlapping.iter().fold(Saw::new(NAME), |saw, ms| saw.number(*ms));
    let finding = Finding::warn(
        NAME,
        format!("Concurrent locks over chunks of {} lengths", overlapping.len()),
        format!(
            "Segments of {lengths} overlap here. Druid's own page says not to use concurrent append and replace on such \
             data: rows may be lost or counted twice."
        ),
    );
    let off = Edit::Remove(Path::keys(&["context", "useConcurrentLocks"]));
    vec![
        finding.number(overlapping.len() as u64).saw(&saw).fix(edits::fix("Take exclusive locks", vec![off])),
    ]
}
