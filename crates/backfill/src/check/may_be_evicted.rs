//! A task that others may throw out: one with a higher priority takes the locks away, and the loser does not end soon
//! (facts 7.2).
//!
//! It reads on, its publish is refused and tried again for many minutes, and it keeps its worker slot until somebody
//! stops it. Streams have priority 75, batch 50, compaction 25.

use druid::json::{Edit, Path};
use druid::lock::{BATCH_PRIORITY, LockType, STREAMING_PRIORITY};
use druid::spec::is_stream;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::listed;

pub(super) const NAME: &str = "may-be-evicted";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(lock) = seen.forecast.lock.as_ref().filter(|_| seen.batch().is_some()) else {
        return Vec::new();
    };
    let Ok(kind) = lock.kind else { return Vec::new() };
    let effective = &seen.forecast.effective;
    // Two that may stand side by side throw nobody out.
    let shared = matches!(kind, LockType::Append | LockType::Replace);
    let streams: Vec<&str> = seen
        .question
        .running
        .iter()
        .filter(|running| is_stream(&running.kind))
        .filter(|running| running.touches(effective) && lock.priority < STREAMING_PRIORITY && !shared)
        .map(|running| running.id.as_str())
        .collect();
    let saw = streams.iter().fold(Saw::new(NAME), |saw, id| saw.text(id));
    let what_then = "It would then not fail soon: its publish is refused and tried again for many minutes, and it keeps its \
                     worker slot until somebody stops it.";
    if !streams.is_empty() {
        let who = listed(streams.iter().map(|id| (*id).to_owned()), 2);
        let title = format!("{who} may take its locks away");
        let why = format!(
            "A stream has priority {STREAMING_PRIORITY}, this run {}: as soon as a late row falls into its chunks the \
             stream takes the lock. {what_then}",
            lock.priority
        );
        let key = Path::keys(&["context", "useConcurrentLocks"]);
        let fix = edits::fix("Use useConcurrentLocks", vec![Edit::Set(key, "true".to_owned())]);
        return vec![Finding::warn(NAME, title, why).number(streams.len() as u64).saw(&saw).fix(fix)];
    }
    if lock.priority < BATCH_PRIORITY {
        let title = format!("Priority {}: any batch task may take its locks away", lock.priority);
        let why =
            format!("Batch tasks have priority {BATCH_PRIORITY} unless they say otherwise. {what_then}");
        let key = Path::keys(&["context", "priority"]);
        let fix = edits::fix("Use the usual priority", vec![Edit::Remove(key)]);
        return vec![Finding::warn(NAME, title, why).fix(fix)];
    }
    Vec::new()
}
