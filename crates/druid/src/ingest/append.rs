//! Appending: every segment is allocated by the Overlord, into what is there where something is.
//!
//! The places come from [`Allocator`]; here rows are dealt out to them, and what publishing refuses is found.
//!
//! Always holds: a row that finds no place fails the whole run and nothing is published. Sub-tasks are taken one after
//! the other; on a real cluster they run at the same time, which can change who gets which partition number.

use std::collections::BTreeMap;

use crate::interval::{Interval, condense};
use crate::lock::{Held, LockType};
use crate::segment::{Segment, ShardSpec, compare_versions};
use crate::spec::Batch;

use super::cut::{Limits, Open};
use super::locks::{Asker, not_free};
use super::publish::of_batch;
use super::{Allocator, Chunks, Ground, NoPlace, Outcome, Place, Published, Rows, Situation, ask, way};

/// What an append ends as. `granted` are the locks it took at its start.
pub(super) fn run(
    situation: &Situation<'_>,
    datasource: &str,
    batch: &Batch,
    rows: &Rows,
    asker: Asker<'_>,
    granted: &[Held],
) -> Outcome {
    let chunks = Chunks::of(&batch.granularity);
    let parallel = way(batch).parallel;
    let mut locked: Vec<Interval> = granted.iter().map(|lock| lock.interval).collect();
    if !chunks.are_bounded() && !parallel {
        // One process looks at all rows first and then locks what it found.
        locked = condense(rows.splits.iter().flatten().filter_map(|&row| chunks.holding(row)));
        let asked = ask(asker, situation.locks, &locked);
        if !asked.blocked_by.is_empty() {
            let (message, detail) = not_free(batch.mode, parallel, &locked);
            return Outcome::Failed { message, detail };
        }
    }
    let ground = Ground {
        timeline: situation.timeline,
        unused: situation.unused,
        segment: &batch.granularity.segment,
        query: &batch.granularity.query,
        kind: asker.kind,
        lock_version: asker.clock,
        group_id: asker.group_id,
        priority: asker.priority,
        release: situation.release,
    };
    let mut allocator = Allocator::new(ground, situation.locks, &locked);
    let mut given: Vec<(Place, u64)> = Vec::new();
    for split in &rows.splits {
        let mut open = Open::new(Limits::of(&batch.partitions));
        let mut close = |closed: BTreeMap<Interval, u64>, allocator: &Allocator<'_>| {
            for (interval, rows) in closed {
                given.extend(allocator.places().find(|p| p.interval == interval).map(|p| (p.clone(), rows)));
            }
        };
        for &row in split.iter().filter(|&&row| chunks.holding(row).is_some()) {
            let interval = match open.holding(row) {
                Some(interval) => interval,
                None => match allocator.allocate(row) {
                    Ok(place) => place.interval,
                    Err(no_place) => return no_place_for(no_place, parallel, asker.group_id),
                },
            };
            close(open.add(interval), &allocator);
        }
        close(open.close(), &allocator);
    }
    if let Some(why) = not_covered(asker.kind, &given) {
        return Outcome::Hangs { why };
    }
    let mut next: BTreeMap<Interval, u32> = BTreeMap::new();
    let mut published = Published::default();
    for (place, rows) in given {
        let offset = next.entry(place.interval).or_insert(0);
        let shard = ShardSpec::Numbered { partition: place.partition + *offset, core: place.core };
        *offset += 1;
        let segment: Segment = of_batch(datasource, batch, place.interval, &place.version, shard, rows);
        if place.lost { published.lost.push(segment) } else { published.segments.push(segment) }
    }
    Outcome::Success(published)
}

fn no_place_for(no_place: NoPlace, parallel: bool, group_id: &str) -> Outcome {
    match no_place {
        NoPlace::Fails { row } => {
            let message =
                format!("org.apache.druid.java.util.common.ISE: Failed to add a row with timestamp[{row}]");
            if !parallel {
                return Outcome::Failed { message, detail: None };
            }
            let phase = "Failed in phase[segment generation]. See task logs for details.".to_owned();
            Outcome::Failed { message: phase, detail: Some(message) }
        }
        NoPlace::Hangs { interval } => Outcome::Hangs {
            why: format!("Task group[{group_id}] has multiple locks for the same interval[{interval}]?"),
        },
    }
}

/// Publishing wants every segment's version to be at most its lock's, except under APPEND locks
/// (`TaskLocks.checkLockCoversSegments`). The refusal is a 500 that the task tries again for a long time.
fn not_covered(kind: LockType, given: &[(Place, u64)]) -> Option<String> {
    if kind == LockType::Append {
        return None;
    }
    let newer = |place: &Place| compare_versions(&place.version, &place.lock_version).is_gt();
    let (place, _) = given.iter().find(|(place, _)| newer(place))?;
    Some(format!(
        "Segment IDs[…] are not covered by locks[…]: the chunk {} has version {}, newer than the lock's {}",
        place.interval, place.version, place.lock_version
    ))
}
