//! Worlds of a run that appends (facts 3.8): partitions beside those that are there, or a version of their own.
//!
//! Rows that are known are given to `druid::ingest`'s allocator one by one. Where they are not, chunks with nothing in
//! them and chunks under one segment are told by rule, and only chunks that existing segments divide are explored.
//!
//! What it does not do: count segments. How often a place gets another partition depends on sizes.

mod divided;
mod explore;
mod known;
mod lay;
mod slots;
mod sorts;
mod unknown;

use druid::granularity::Granularity;
use druid::ingest::Ground;
use druid::interval::Interval;
use druid::lock::LockType;
use druid::segment::SegmentId;

use super::World;
use super::frame::Frame;
use super::locking;
use super::overwrite::fails;
use super::trouble::{Trouble, trouble};

/// What stays the same over all worlds of an append.
struct Site<'a> {
    frame: &'a Frame<'a>,
    kind: LockType,
    group: String,
    priority: i64,
    unused: Vec<SegmentId>,
    /// Locks that others hold, without those that it waits for or takes away at its start.
    others: Vec<druid::lock::Held>,
    segment: &'a Granularity,
}

impl Site<'_> {
    fn ground(&self) -> Ground<'_> {
        Ground {
            timeline: self.frame.q.timeline,
            unused: &self.unused,
            segment: self.segment,
            query: &self.frame.batch.granularity.query,
            kind: self.kind,
            lock_version: &self.frame.lock_version,
            group_id: &self.group,
            priority: self.priority,
            release: self.frame.q.release,
        }
    }

    /// Words in which a run ends that found no place for a row.
    fn no_place(&self, row: Option<druid::interval::Instant>) -> String {
        if self.frame.batch.is_parallel() {
            return "Failed in phase[segment generation]. See task logs for details.".to_owned();
        }
        let row = row.map_or_else(|| "…".to_owned(), |row| row.to_string());
        format!("org.apache.druid.java.util.common.ISE: Failed to add a row with timestamp[{row}]")
    }
}

/// The worlds, the likeliest to be looked at first.
pub(super) fn worlds(frame: &Frame<'_>) -> Vec<World> {
    let always = match trouble(frame) {
        Some(Trouble::Always(why)) => Some(why),
        _ => None,
    };
    let kind = match (always, locking::resolved(frame.q, frame.batch.mode).kind) {
        (Some(why), _) | (None, Err(why)) => return vec![fails(frame, "", why)],
        (None, Ok(kind)) => kind,
    };
    let site = Site {
        frame,
        kind,
        group: locking::group(frame.q),
        priority: locking::priority(frame.q),
        unused: unused(frame),
        others: others(frame),
        segment: &frame.batch.granularity.segment,
    };
    // An arbitrary granularity has no segment granularity to allocate by.
    if let Some(Trouble::WithRows(why)) = trouble(frame) {
        return unknown::arbitrary(frame, &why);
    }
    match frame.q.known.exact() {
        Some(rows) => vec![known::world(&site, rows)],
        None => unknown::worlds(&site),
    }
}

fn others(frame: &Frame<'_>) -> Vec<druid::lock::Held> {
    let wish = locking::wish(frame);
    let locks = frame.q.locks.iter();
    match wish.moment {
        locking::LockMoment::UpFront => {
            let gone = locking::conflicts(frame.q, &wish);
            let stays = |held: &&druid::lock::Held| !gone.iter().any(|conflict| conflict.is_about(held));
            locks.filter(stays).cloned().collect()
        }
        _ => locks.cloned().collect(),
    }
}

fn unused(frame: &Frame<'_>) -> Vec<SegmentId> {
    let datasource = frame.q.task.datasource.as_deref().unwrap_or_default();
    let ids = frame.q.unused.unwrap_or_default().iter();
    ids.filter_map(|unused| SegmentId::parse(datasource, &unused.id)).collect()
}

/// Whether `interval` lies in one of condensed `stretches`.
fn inside(stretches: &[Interval], interval: Interval) -> bool {
    stretches.iter().any(|stretch| stretch.start <= interval.start && interval.end <= stretch.end)
}
