//! Chunks of a time zone with a partitioning that loses its place in them: accepted, and fails at run time (facts 3.4).

use druid::granularity::Granularity;
use druid::ingest::{Condition, zone_trouble};
use druid::json::Edit;

use super::{Finding, Seen, edits};
use crate::words::{self, upper_first};

pub(super) const NAME: &str = "zoned-partitions";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some((batch, trouble)) = seen.batch().and_then(|batch| Some((batch, zone_trouble(batch)?))) else {
        return Vec::new();
    };
    let when = match trouble.when {
        Condition::SubTaskInTwoSegments { full } => &format!(
            "as soon as one sub-task has rows in two chunks, or more than {} in one",
            words::number(full)
        ),
        _ => "as soon as one row is in range",
    };
    let zone = match &batch.granularity.segment {
        Granularity::Period(period) => period.zone_name(),
        _ => "UTC",
    };
    let title = format!("Chunks of {zone} fail with this partitioning");
    let why = format!("{}. It is accepted and fails {when}: {}", upper_first(trouble.why), trouble.message);
    let tuning = |key: &str| batch.path(&["tuningConfig", key]);
    let one_process = Edit::Set(tuning("maxNumConcurrentSubTasks"), "1".to_owned());
    let dynamic = [
        Edit::Set(tuning("partitionsSpec"), r#"{"type": "dynamic"}"#.to_owned()),
        Edit::Set(tuning("forceGuaranteedRollup"), "false".to_owned()),
        one_process.clone(),
    ];
    let fix = match trouble.when {
        Condition::SubTaskInTwoSegments { .. } => edits::fix("Run it in one process", vec![one_process]),
        _ => edits::fix("Partition dynamically, in one process", dynamic.to_vec()),
    };
    vec![Finding::stop(NAME, title, why).fix(fix)]
}
