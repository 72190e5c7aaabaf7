//! What a commit adds beside a task's own segments, when an append and a replace overlap under concurrent locks.
//!
//! Source: `SegmentTransactionalAppendAction`, `SegmentTransactionalReplaceAction`,
//! `TaskLocks.findReplaceLocksCoveringSegments`,
//! `IndexerSQLMetadataStorageCoordinator.createNewIdsOfAppendSegmentsAfterReplace`; exact in 32 of 32 recorded races.
//!
//! Always holds: a segment that was appended under somebody's REPLACE lock is committed as it is, and once more when
//! the replace commits: as a copy in the replacing version, numbered after the replacing segments. Copies share the
//! files of what they are copied from.
//!
//! Does not do: pending segments of streams that go on running, which get a second id and serve under both.

use std::collections::BTreeMap;

use crate::interval::Interval;
use crate::lock::{Held, LockType};
use crate::release::Release;
use crate::segment::{Segment, ShardSpec};

/// A segment that was appended while a REPLACE lock of another task lay over it.
#[derive(Clone, PartialEq, Debug)]
pub struct Remembered {
    /// As it was committed.
    pub segment: Segment,
    /// The group that holds the lock.
    pub group_id: String,
    /// The version of the lock: that of the copy.
    pub version: String,
}

/// What a commit under an APPEND lock leaves for replaces that are under way: each of its segments that an active
/// REPLACE lock contains.
pub fn remembered(appended: &[Segment], locks: &[Held]) -> Vec<Remembered> {
    let carrier = |segment: &Segment| {
        let lock = locks.iter().find(|lock| {
            lock.kind == LockType::Replace && !lock.revoked && lock.interval.contains(segment.interval)
        })?;
        Some(Remembered {
            segment: segment.clone(),
            group_id: lock.group_id.clone(),
            version: lock.version.clone(),
        })
    };
    appended.iter().filter_map(carrier).collect()
}

/// What a commit under a REPLACE lock inserts: its own segments, and copies of what was appended meanwhile.
///
/// # Errors
/// The message of a commit that is refused; the task ends FAILED with it.
pub fn replaced(
    own: Vec<Segment>,
    meanwhile: &[Remembered],
    release: Release,
) -> Result<Vec<Segment>, String> {
    if own.is_empty() {
        return Ok(own);
    }
    let mut chunks: BTreeMap<Interval, Chunk> = BTreeMap::new();
    for segment in &own {
        let core = segment.shard.core().unwrap_or(0);
        let chunk = chunks.entry(segment.interval).or_insert(Chunk { core: Some(core), ..Chunk::default() });
        chunk.last = chunk.last.max(Some(segment.shard.partition()));
    }
    let replacing: Vec<Interval> = chunks.keys().copied().collect();
    let mut copies: Vec<Segment> = Vec::new();
    for Remembered { segment, version, .. } in meanwhile {
        let over = replacing.iter().copied().find(|chunk| chunk.overlaps(segment.interval));
        if let Some(finer) = over.filter(|chunk| !chunk.contains(segment.interval)) {
            return Err(format!(
                "Failed to publish segments because of [org.apache.druid.error.DruidException: Replacing with a finer \
                 segment granularity than a concurrent append is unsupported. Cannot upgrade segment[{}] to \
                 version[{version}] as the replace interval[{finer}] does not fully contain the pending segment \
                 interval[{}].",
                segment.id(),
                segment.interval
            ));
        }
        let interval = over.unwrap_or(segment.interval);
        let chunk = chunks.entry(interval).or_default();
        // Up to 36 the number of core partitions of a chunk that the replace did not publish in is looked up and not
        // found.
        let core = match chunk.core {
            Some(core) => core,
            None if release >= Release::major(37) => 0,
            None => {
                return Err(
                    "Failed to publish segments because of [java.lang.NullPointerException: Cannot invoke \
                            \"java.lang.Integer.intValue()\" because the return value of \
                            \"java.util.Map.get(Object)\" is null]"
                        .to_owned(),
                );
            }
        };
        let partition = chunk.last.map_or(0, |last| last.saturating_add(1));
        chunk.last = Some(partition);
        chunk.copied = true;
        copies.push(Segment {
            interval,
            version: version.as_str().into(),
            shard: ShardSpec::Numbered { partition, core },
            ..segment.clone()
        });
    }
    let mut all: Vec<Segment> = own.into_iter().chain(copies).collect();
    if release >= Release::major(37) {
        // All segments of such a chunk become its core set (6badd78e8d).
        for segment in &mut all {
            if let Some(last) =
                chunks.get(&segment.interval).filter(|chunk| chunk.copied).and_then(|c| c.last)
            {
                segment.shard.set_core(last.saturating_add(1));
            }
        }
    }
    Ok(all)
}

/// A chunk of a commit.
#[derive(Clone, Copy, Debug, Default)]
struct Chunk {
    /// Core partitions of what the replace publishes there; none where that is nothing.
    core: Option<u32>,
    /// Highest partition number so far.
    last: Option<u32>,
    copied: bool,
}
