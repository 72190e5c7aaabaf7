//! More chunks than anybody wants: segments or tombstones by the hundred thousand (facts 3.5).

use druid::granularity::Granularity;

use super::saw::Saw;
use super::{Finding, Seen};
use crate::forecast::FateKind;
use crate::words::{count, number};

pub(super) const NAME: &str = "many-chunks";

/// SQL refuses more (`Limits.MAX_PARTITION_BUCKETS`); native batch has no limit.
const MANY: u64 = 5_000;

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(world)) = (seen.batch(), seen.worst) else { return Vec::new() };
    // `granularity-none` tells of those.
    if batch.granularity.segment == Granularity::None && batch.granularity.uniform {
        return Vec::new();
    }
    let published = |kind: FateKind| {
        let fates = world.fates.iter().filter(|fate| fate.kind.may().contains(&kind));
        fates.filter(|fate| fate.chunks < u64::MAX).fold(0u64, |sum, fate| sum.saturating_add(fate.chunks))
    };
    let (tombstones, new) = (published(FateKind::Tombstone), published(FateKind::New));
    let most = tombstones.max(new);
    if most <= MANY {
        let why = format!("At most {} get segments.", count(most, "chunk"));
        return vec![Finding::pass(NAME, "The number of chunks is reasonable", why)];
    }
    let what = if tombstones >= new { "tombstone" } else { "new chunk" };
    let finding = Finding::warn(
        NAME,
        format!("Up to {}", count(most, what)),
        format!(
            "Each {} chunk is at least one segment in the metadata store and on the servers; SQL would refuse more than \
             {}, native batch does not.",
            batch.granularity.segment,
            number(MANY)
        ),
    );
    vec![finding.number(most).saw(&Saw::new(NAME).number(tombstones).number(new))]
}
