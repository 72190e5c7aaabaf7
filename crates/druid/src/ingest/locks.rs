//! Which locks a batch task takes, when, and what happens when one is not free.
//!
//! Source: `AbstractBatchIndexTask.determineLockGranularityAndTryLock`, `TaskQueue` (a task that is not ready waits),
//! `TimeChunkLockRequest` (the version is the clock).

use crate::interval::Interval;
use crate::lock::{Held, LockType, Note, Request, Verdict, judge, resolve};
use crate::order::Order as _;
use crate::release::Release;
use crate::spec::{Batch, Body, Context, Mode, Task};
use crate::timeline::Timeline;

use super::{APPEND_VERSION, Chunks, compaction, way};

/// What a task will ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wish {
    /// The kind; or the message with which it fails before it asks.
    pub kind: Result<LockType, String>,
    /// What differs from what the spec says.
    pub notes: Vec<Note>,
    /// When, and on what.
    pub when: When,
}

/// When a task asks for its locks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// Before it starts, one lock for each run of chunks. Not free: the task waits, and starts when the holder ends.
    AtStart(Vec<Interval>),
    /// After it has looked at all rows, one for each run of chunks that got any. Not free: the task fails at once.
    AfterScan,
    /// For each chunk when its first row comes. Not free: the task fails at once.
    AsRowsCome,
}

/// The locks of a batch task.
pub fn wish(batch: &Batch, context: &Context) -> Wish {
    let chunks = Chunks::of(&batch.granularity);
    let resolved = resolve(batch.mode, context);
    let when = if chunks.are_bounded() {
        When::AtStart(chunks.runs())
    } else if way(batch).parallel {
        When::AsRowsCome
    } else {
        When::AfterScan
    };
    Wish { kind: resolved.kind, notes: resolved.notes, when }
}

/// The locks that a task of any kind asks for before it starts: kind and intervals. `None`: it starts without.
///
/// # Errors
/// The message with which it fails while waiting to be ready.
pub fn wanted_at_start(
    timeline: &Timeline,
    task: &Task,
    release: Release,
) -> Result<Option<(LockType, Vec<Interval>)>, String> {
    let task = task.as_read_by(release);
    match &task.body {
        Body::Batch(batch) => {
            let wish = wish(batch, &task.context);
            let kind = wish.kind?;
            Ok(match wish.when {
                When::AtStart(runs) => Some((kind, runs)),
                When::AfterScan | When::AsRowsCome => None,
            })
        }
        Body::Compact(compact) => {
            let datasource = task.datasource.as_deref().unwrap_or_default();
            let compaction = compaction(timeline, datasource, compact, release)?;
            let mode = if compact.drop_existing { Mode::Replace } else { Mode::Overwrite };
            Ok(Some((resolve(mode, &task.context).kind?, compaction.locks)))
        }
        Body::Kill(kill) => Ok(kill.interval.map(|interval| (LockType::Exclusive, vec![interval]))),
        Body::Mark(_) | Body::Supervisor(_) | Body::Other => Ok(None),
    }
}

/// Who asks, as locks see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asker<'a> {
    /// The group; the task's id unless it sets one.
    pub group_id: &'a str,
    /// The priority.
    pub priority: i64,
    /// The kind of lock.
    pub kind: LockType,
    /// The version a new lock gets, unless it is an APPEND lock: the clock, as text.
    pub clock: &'a str,
}

/// What came of asking for several locks at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Locks in the way, as places in the list of locks held. Empty: all were granted.
    pub blocked_by: Vec<usize>,
    /// Locks taken away from others for it.
    pub revoked: Vec<usize>,
    /// The locks the asker then holds.
    pub granted: Vec<Held>,
}

/// Asks for a lock on each interval.
pub fn ask(asker: Asker<'_>, held: &[Held], intervals: &[Interval]) -> Asked {
    let mut asked = Asked::default();
    for &interval in intervals {
        let request = Request {
            group_id: asker.group_id.to_owned(),
            kind: asker.kind,
            interval,
            priority: asker.priority,
        };
        match judge(&request, held) {
            Verdict::WaitsFor(blockers) | Verdict::Ambiguous(blockers) => asked.blocked_by.extend(blockers),
            Verdict::Revokes(losers) => {
                asked.revoked.extend(losers);
                asked.granted.push(asker.new_lock(interval));
            }
            Verdict::Granted => asked.granted.push(asker.new_lock(interval)),
            Verdict::Reuses(own) => asked.granted.extend(held.get(own).cloned()),
        }
    }
    asked.blocked_by.order();
    asked.blocked_by.dedup();
    asked.revoked.order();
    asked.revoked.dedup();
    asked
}

impl Asker<'_> {
    /// The version of a lock granted now.
    pub fn version(&self) -> &str {
        if self.kind == LockType::Append { APPEND_VERSION } else { self.clock }
    }

    fn new_lock(&self, interval: Interval) -> Held {
        Held {
            task_id: None,
            group_id: self.group_id.to_owned(),
            kind: self.kind,
            interval,
            version: self.version().to_owned(),
            priority: self.priority,
            revoked: false,
        }
    }
}

/// What a task says when a lock that it needs after its start is not free: its message, and that of its sub-task.
pub(super) fn not_free(mode: Mode, parallel: bool, intervals: &[Interval]) -> (String, Option<String>) {
    let list = intervals.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match (parallel, mode) {
        (true, _) => (
            "Failed in phase[segment generation]. See task logs for details.".to_owned(),
            Some(format!("Cannot acquire a lock for interval[{list}]")),
        ),
        (false, _) => (
            format!("org.apache.druid.java.util.common.ISE: Failed to get locks for intervals[[{list}]]"),
            None,
        ),
    }
}
