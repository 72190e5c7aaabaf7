//! An append into a segment of a coarser chunk than the spec's: further partitions of that one, or a run that fails,
//! as the locks have it (facts 3.8).

use druid::granularity::Granularity;
use druid::interval::{Interval, Period};
use druid::lock::LockType;

use super::{Finding, Seen, appends_into, edits};
use crate::forecast::LockMoment;
use crate::words::{agreeing, count, intervals};

pub(super) const NAME: &str = "append-into-coarser";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| batch.granularity.uniform) else { return Vec::new() };
    let chunks = &batch.granularity.segment;
    let coarser = seen.appends_into().iter().filter(|holder| {
        let chunk = chunks.bucket(holder.interval.start);
        holder.interval.contains(chunk) && holder.interval != chunk
    });
    let (found, saw) = appends_into::told(NAME, coarser);
    if found.is_empty() {
        return Vec::new();
    }
    let number = found.len() as u64;
    let title = format!("Rows may go to {} coarser than {chunks}", count(number, "chunk"));
    let outcome = if takes_more(seen, &found) {
        "The rows become further partitions of the coarse segment, whatever the spec says."
    } else {
        "The run fails where its locks do not hold the coarse chunk whole, and adds to the coarse segment where they do."
    };
    let is = agreeing(number, "is one chunk", "are chunks");
    let why = format!("{} {is} there. {outcome}", intervals(&found, 3));
    let like = found.first().and_then(|coarse| {
        let name = Granularity::like(Period::between(coarse.start, coarse.end))?.name()?;
        edits::fix(&format!("Use {name} chunks"), vec![edits::segment_granularity(batch, name)])
    });
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw).fix(like)]
}

/// Whether the task can have a lock on each of the coarse chunks: it holds one, or it holds none that only overlaps them,
/// or several of its locks may stand side by side.
fn takes_more(seen: &Seen<'_>, coarse: &[Interval]) -> bool {
    let Some(lock) = &seen.forecast.lock else { return false };
    match (&lock.kind, lock.moment) {
        (Ok(LockType::Append | LockType::Shared), _) | (Ok(_), LockMoment::PerChunk) => true,
        (Ok(_), LockMoment::UpFront) => {
            coarse.iter().all(|coarse| lock.intervals.iter().any(|held| held.contains(*coarse)))
        }
        _ => false,
    }
}
