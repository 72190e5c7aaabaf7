//! `segmentGranularity` NONE: one chunk a millisecond, and a task that dies of it (facts 3.2).

use druid::granularity::Granularity;

use super::{Finding, Seen, edits};

pub(super) const NAME: &str = "granularity-none";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch() else { return Vec::new() };
    if batch.granularity.segment != Granularity::None || !batch.granularity.uniform {
        return Vec::new();
    }
    let finding = Finding::stop(
        NAME,
        "Every millisecond is a chunk of its own",
        "segmentGranularity NONE is accepted, and the task then dies: a one-day interval ran for 83 s and failed with \
         Java heap space.",
    );
    let day = edits::fix("Use DAY chunks", vec![edits::segment_granularity(batch, "DAY")]);
    vec![finding.fix(day)]
}
