//! An append into a segment of a coarser chunk than the spec's: further partitions of that one, or a run that fails,
//! as the locks have it (facts 3.8).

use druid::interval::Interval;

use super::saw::Saw;
use super::{Finding, Seen, appends_into, edits};
use crate::words::{count, intervals};

pub(super) const NAME: &str = "append-into-coarser";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| batch.granularity.uniform) else { return Vec::new() };
    let chunks = &batch.granularity.segment;
    let mut found: Vec<Interval> = Vec::new();
    let mut saw = Saw::new(NAME);
    for (_, holder) in appends_into::reached(seen) {
        let chunk = chunks.bucket(holder.interval.start);
        if holder.interval.contains(chunk) && holder.interval != chunk && !found.contains(&holder.interval) {
            found.push(holder.interval);
            saw = saw.text(&holder.interval.short()).text(holder.version);
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let number = found.len() as u64;
    let title = format!("Rows may go to {} coarser than {chunks}", count(number, "chunk"));
    let uncovered =
        found.iter().any(|coarse| !seen.forecast.typed.iter().any(|typed| typed.contains(*coarse)));
    let outcome = if seen.question.task.context.use_concurrent_locks || !uncovered {
        "The rows become further partitions of the coarse segment, whatever the spec says."
    } else {
        "The run fails where its locks do not hold the coarse chunk whole, and adds to the coarse segment where they do."
    };
    let why = format!("{} is one chunk there. {outcome}", intervals(&found, 3));
    let like = found.first().and_then(|coarse| {
        let period = druid::interval::Period::between(coarse.start, coarse.end);
        let name = druid::granularity::Granularity::like(period)?.name()?;
        edits::fix(&format!("Use {name} chunks"), vec![edits::segment_granularity(batch, name)])
    });
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw).fix(like)]
}
