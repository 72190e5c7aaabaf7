//! Time-chunk locks: which may be held at once, who waits for whom, and whose lock is taken away.
//!
//! Source: `TaskLockbox` (`createOrFindLockPosse`, `can…LockCoexist`, `revokeAllIncompatibleActiveLocksIfPossible`).
//!
//! Always holds: a verdict depends on nothing but the request and the locks held; revoked locks count for nothing;
//! equal priority never takes a lock away.
//!
//! Does not do: segment locks (`forceTimeChunkLock: false`), which Druid 37 deprecates; queues (who waits first).

mod resolve;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use resolve::waiting;
pub use resolve::{Note, Resolved, resolve};

use crate::interval::Interval;

/// Kinds of time-chunk locks (`TaskLockType`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LockType {
    /// Nobody else, on nothing that overlaps.
    Exclusive,
    /// Others that are SHARED too.
    Shared,
    /// Others that append, and one that replaces all around.
    Append,
    /// Others that append inside.
    Replace,
    /// Embedded kill tasks, since 39: in nobody's way but each other's.
    Kill,
}

impl LockType {
    /// Reads Druid's name in either case.
    pub fn parse(text: &str) -> Option<LockType> {
        use LockType::{Append, Exclusive, Kill, Replace, Shared};
        [Exclusive, Shared, Append, Replace, Kill]
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(text))
    }

    /// Druid's name.
    pub fn name(self) -> &'static str {
        match self {
            LockType::Exclusive => "EXCLUSIVE",
            LockType::Shared => "SHARED",
            LockType::Append => "APPEND",
            LockType::Replace => "REPLACE",
            LockType::Kill => "KILL",
        }
    }
}

impl fmt::Display for LockType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A lock that is held.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Held {
    /// Who holds it, where known: `activeLocks` names only the group.
    pub task_id: Option<String>,
    /// The group that shares it; the task's id unless it was set.
    pub group_id: String,
    /// Its kind.
    pub kind: LockType,
    /// What is locked.
    pub interval: Interval,
    /// The version its holder publishes under.
    pub version: String,
    /// The holder's priority.
    pub priority: i64,
    /// Whether it has been taken away.
    pub revoked: bool,
}

/// A lock that is asked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Request {
    /// The asking task's group.
    pub group_id: String,
    /// The kind asked for.
    pub kind: LockType,
    /// What is to be locked; not empty.
    pub interval: Interval,
    /// The asking task's priority.
    pub priority: i64,
}

/// What becomes of a request. Numbers are places in the list of locks held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A new lock.
    Granted,
    /// The group holds a lock that will do.
    Reuses(usize),
    /// A new lock; these are taken away for it. Their tasks go on and fail to publish.
    Revokes(Vec<usize>),
    /// Not now: these stand in the way. At the start a task waits; later it fails, or tries another chunk.
    WaitsFor(Vec<usize>),
    /// The group holds several locks that would do: `Task group[…] has multiple locks for the same interval[…]?`.
    /// Druid answers 500, the task tries again and again.
    Ambiguous(Vec<usize>),
}

/// Priority of a native batch task that sets none.
pub const BATCH_PRIORITY: i64 = 50;
/// Priority of a streaming task that sets none.
pub const STREAMING_PRIORITY: i64 = 75;
/// Priority of a compaction task that sets none.
pub const COMPACTION_PRIORITY: i64 = 25;

/// Whether two locks on overlapping intervals can stand side by side, looking at these two alone.
pub fn coexist(asked: LockType, asked_on: Interval, held: LockType, held_on: Interval) -> bool {
    use LockType::{Append, Exclusive, Kill, Replace, Shared};
    match (asked, held) {
        (Kill, Kill) => false,
        (Kill, _) | (_, Kill) => true,
        (Exclusive, _) | (_, Exclusive) => false,
        (Shared, other) | (other, Shared) => other == Shared,
        (Append, Append) => true,
        (Append, Replace) => held_on.contains(asked_on),
        (Replace, Append) => asked_on.contains(held_on),
        (Replace, Replace) => false,
    }
}

/// What becomes of a request among the locks held on its datasource.
pub fn judge(request: &Request, held: &[Held]) -> Verdict {
    let overlapping = || held.iter().enumerate().filter(|(_, lock)| lock.interval.overlaps(request.interval));
    // Revoked locks of the own group are found again here by Druid and tell the task that it lost; a task that asks
    // for the first time has none.
    let own: Vec<usize> = overlapping()
        .filter(|(_, lock)| {
            !lock.revoked
                && lock.group_id == request.group_id
                && lock.kind == request.kind
                && lock.interval.contains(request.interval)
        })
        .map(|(place, _)| place)
        .collect();
    match own.as_slice() {
        [] => {}
        [one] => return Verdict::Reuses(*one),
        _ => return Verdict::Ambiguous(own),
    }
    let active = || overlapping().filter(|(_, lock)| !lock.revoked);
    let in_the_way: Vec<(usize, &Held)> = active()
        .filter(|(_, lock)| !coexist(request.kind, request.interval, lock.kind, lock.interval))
        .collect();
    let places = |locks: &[(usize, &Held)]| locks.iter().map(|(place, _)| *place).collect::<Vec<_>>();
    if in_the_way.is_empty() {
        // Each one alone is fine; of REPLACE locks around an APPEND there may still be only one. When there are
        // more, Druid finds nothing to revoke and grants it after all.
        return Verdict::Granted;
    }
    if in_the_way.iter().all(|(_, lock)| lock.priority < request.priority) {
        Verdict::Revokes(places(&in_the_way))
    } else {
        Verdict::WaitsFor(places(&in_the_way))
    }
}
