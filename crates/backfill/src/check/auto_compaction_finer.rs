//! Concurrent locks on a datasource whose compaction cuts it into finer chunks: the second of the two states in which the
//! doc page says not to use them.
//!
//! A replace with finer chunks than an append beside it cannot carry the appended segments over, and fails or loses rows.

use druid::granularity::Granularity;
use druid::interval::Instant;
use druid::json::{Edit, Path};

use super::{Finding, Seen, edits};

pub(super) const NAME: &str = "auto-compaction-finer";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(compaction)) = (seen.batch(), &seen.around.compaction) else { return Vec::new() };
    if !seen.question.task.context.use_concurrent_locks {
        return Vec::new();
    }
    let chunks = &batch.granularity.segment;
    let Some(finer) = compaction.segment_granularity.as_ref().filter(|finer| is_finer(finer, chunks)) else {
        let why = "The datasource's compaction keeps its chunks, or makes them longer.";
        return vec![Finding::pass(NAME, "Compaction does not cut the chunks", why)];
    };
    let title = format!("Compaction cuts {chunks} chunks into {finer}");
    let why = "Druid's own page says not to use concurrent append and replace where a compaction config makes finer chunks: \
               rows may be lost or counted twice. Give both one length, or take exclusive locks.";
    let fix = edits::fix(
        &format!("Use {finer} chunks"),
        vec![edits::segment_granularity(batch, &finer.to_string())],
    );
    let off = Edit::Remove(Path::keys(&["context", "useConcurrentLocks"]));
    vec![
        Finding::warn(NAME, title, why)
            .fix(fix.filter(|_| finer.name().is_some()))
            .fix(edits::fix("Take exclusive locks", vec![off])),
    ]
}

/// Whether chunks of one are shorter than those of the other, today.
fn is_finer(one: &Granularity, other: &Granularity) -> bool {
    let length = |granularity: &Granularity| granularity.bucket(Instant::EPOCH).duration_ms();
    length(one) < length(other)
}
