//! What a task publishes, as a concrete step: from what is there, the task, its rows, the locks and the clock to one
//! outcome. Nothing is guessed: the rows are given.
//!
//! The rules behind it are public and pure, so that a forecast over unknown rows uses the very same ones:
//! [`Chunks`] (which chunks, how widened), [`wish`] and [`ask`] (locks), [`troubles`] (certain failures),
//! [`extent`] and [`tombstone`] (what is emptied), [`Allocator`] (where appended rows go).
//!
//! One task alone is [`run`]; several at once are a [`race`]. What a call to mark segments takes is [`mark`]: no task.
//!
//! What it does not do: read input or know a clock; refuse what the server refuses at submission (that is
//! [`crate::spec`]).

mod allocate;
mod append;
mod chunks;
pub mod commit;
mod compact;
mod cut;
mod kill;
mod locks;
pub mod mark;
mod overwrite;
mod publish;
mod race;
pub mod tombstone;
mod turns;
mod used;
mod way;

pub use allocate::{APPEND_VERSION, Allocator, Ground, NoPlace, Place};
pub use chunks::Chunks;
pub use compact::{Compaction, Part, are_intertwined, compaction};
pub use cut::opens_two_segments;
pub use kill::marks_first;
pub use locks::{Asked, Asker, When, Wish, ask, wanted_at_start, wish};
pub use overwrite::{NO_ROWS_FOR_RANGE, empties_without_rows, is_met};
pub use race::{Ended, Entrant, Race, race};
pub use tombstone::extent;
pub use used::used_and_visible;
pub use way::{Condition, Cut, Trouble, Way, overwrites_as_append, troubles, way, zone_trouble};

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::endpoint::Marks;
use crate::interval::{Instant, Interval, condense};
use crate::lock::{BATCH_PRIORITY, COMPACTION_PRIORITY, Held, LockType, resolve};
use crate::release::Release;
use crate::segment::{Segment, SegmentId};
use crate::spec::{Batch, Body, Compact, Mode, Task};
use crate::timeline::{NewHolder, Timeline};

/// The readable rows of an input: timestamps in the order they are read, by split. A sub-task reads one split; a source
/// that cannot be split is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Timestamps by split.
    pub splits: Vec<Vec<Instant>>,
}

/// What a task meets when it starts.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The used segments of its datasource.
    pub timeline: &'a Timeline,
    /// Ids of the unused ones.
    pub unused: &'a [SegmentId],
    /// Locks that others hold on the datasource.
    pub locks: &'a [Held],
    /// The server's release.
    pub release: Release,
    /// The Overlord's clock when the task asks for its locks: the version of what it publishes.
    pub lock_version: Instant,
}

/// How a task ends, or why it does not.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// SUCCESS.
    Success(Published),
    /// FAILED; nothing was published.
    Failed {
        /// `errorMsg` of the task; `…` where only the server knows.
        message: String,
        /// What its sub-tasks say, where the task itself does not.
        detail: Option<String>,
    },
    /// FAILED, after some of its parts had published (compaction of several groups of segments).
    FailedInPart {
        /// `errorMsg` of the task.
        message: String,
        /// What was published before.
        published: Published,
    },
    /// It does not start: others hold locks on its chunks. It will when they end.
    Waits {
        /// Their places in [`Situation::locks`].
        on: Vec<usize>,
    },
    /// It runs on and publishes nothing: it tries something again and again that cannot succeed.
    Hangs {
        /// What it is told each time.
        why: String,
    },
    /// This kind of task is not known here.
    Unknown {
        /// Its kind.
        kind: String,
    },
}

/// What a task leaves behind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Published {
    /// New used segments, data and tombstones, in one transaction.
    pub segments: Vec<Segment>,
    /// Segments written and never used: up to 34, an append whose id an unused segment has.
    pub lost: Vec<Segment>,
    /// Segments deleted for good: unused ones, and before 30 used ones where `markAsUnused` says so.
    pub deleted: Vec<SegmentId>,
    /// Locks taken away from others, as places in [`Situation::locks`].
    pub revoked: Vec<usize>,
    /// A message although it is SUCCESS.
    pub error_msg: Option<String>,
}

/// Where a task's effect hangs on unused segments: a kill deletes those inside an interval, a call marks them used, an
/// append under APPEND locks may meet the id of any. The outer none: nowhere; the inner: everywhere.
pub fn wants_unused(task: &Task) -> Option<Option<Interval>> {
    match &task.body {
        Body::Kill(kill) => Some(kill.interval),
        Body::Batch(batch) => {
            let lock = resolve(batch.mode, &task.context).kind;
            (lock == Ok(LockType::Append)).then_some(None)
        }
        Body::Mark(mark) if mark.used => match mark.marks.as_ref()? {
            Marks::Inside { interval, .. } => Some(Some(*interval)),
            Marks::Ids(_) => Some(None),
        },
        Body::Compact(_) | Body::Mark(_) | Body::Supervisor(_) | Body::Other => None,
    }
}

/// Runs a task against what is there.
pub fn run(situation: &Situation<'_>, task: &Task, rows: &Rows) -> Outcome {
    let task = &*task.as_read_by(situation.release);
    let datasource = task.datasource.as_deref().unwrap_or_default();
    match &task.body {
        Body::Batch(batch) => run_batch(situation, task, datasource, batch, rows),
        Body::Kill(order) => Outcome::Success(kill::delete(situation, order)),
        Body::Compact(compact) => run_compact(situation, task, datasource, compact, rows),
        Body::Mark(_) | Body::Supervisor(_) | Body::Other => {
            Outcome::Unknown { kind: task.kind.name().to_owned() }
        }
    }
}

fn run_batch(
    situation: &Situation<'_>,
    task: &Task,
    datasource: &str,
    batch: &Batch,
    rows: &Rows,
) -> Outcome {
    let wish = wish(batch, &task.context);
    let kind = match wish.kind {
        Ok(kind) => kind,
        Err(message) => return Outcome::Failed { message, detail: None },
    };
    let clock = situation.lock_version.to_string();
    let asker = asker_of(task, kind, &clock);
    let mut asked = Asked::default();
    if let When::AtStart(runs) = &wish.when {
        if batch.max_allowed_lock_count.is_some_and(|most| runs.len() as u64 > most) {
            let most = batch.max_allowed_lock_count.unwrap_or_default();
            let message = format!("Number of locks exceeded maxAllowedLockCount [{most}].");
            return Outcome::Failed { message, detail: None };
        }
        asked = ask(asker, situation.locks, runs);
        if !asked.blocked_by.is_empty() {
            return Outcome::Waits { on: asked.blocked_by };
        }
    }
    let chunks = Chunks::of(&batch.granularity);
    let met = troubles(batch, &task.context, situation.release)
        .into_iter()
        .find(|trouble| is_met(trouble.when, &chunks, rows));
    if let Some(Trouble { message, detail, .. }) = met {
        return Outcome::Failed { message, detail };
    }
    let mut outcome = if batch.mode == Mode::Append {
        append::run(situation, datasource, batch, rows, asker, &asked.granted)
    } else {
        if !chunks.are_bounded() {
            let touched: Vec<Interval> =
                condense(rows.splits.iter().flatten().filter_map(|&row| chunks.holding(row)));
            asked = ask(asker, situation.locks, &touched);
            if !asked.blocked_by.is_empty() {
                let (message, detail) = locks::not_free(batch.mode, way(batch).parallel, &touched);
                return Outcome::Failed { message, detail };
            }
        }
        let version =
            if overwrites_as_append(batch, &task.context) { APPEND_VERSION } else { asker.version() };
        Outcome::Success(overwrite::publish(situation, datasource, batch, rows, version))
    };
    if let Outcome::Success(published) = &mut outcome {
        published.revoked = asked.revoked;
    }
    outcome
}

/// `rows` are the visible rows of what the compaction reads.
fn run_compact(
    situation: &Situation<'_>,
    task: &Task,
    datasource: &str,
    compact: &Compact,
    rows: &Rows,
) -> Outcome {
    let failed = |message: String| Outcome::Failed { message, detail: None };
    let mode = if compact.drop_existing { Mode::Replace } else { Mode::Overwrite };
    let compaction = match compaction(situation.timeline, datasource, compact, situation.release) {
        Ok(compaction) => compaction,
        Err(message) => return failed(message),
    };
    let kind = match resolve(mode, &task.context).kind {
        Ok(kind) => kind,
        Err(message) => return failed(message),
    };
    let clock = situation.lock_version.to_string();
    let asker = asker_of(task, kind, &clock);
    let asked = ask(asker, situation.locks, &compaction.locks);
    if !asked.blocked_by.is_empty() {
        return Outcome::Waits { on: asked.blocked_by };
    }
    let parts = match compaction.parts {
        Ok(parts) => parts,
        Err(message) => return failed(message),
    };
    let mut all = Published { revoked: asked.revoked, ..Published::default() };
    let (intertwined, mut fallen) = (are_intertwined(&parts), 0);
    let mut met = Cow::Borrowed(situation.timeline);
    let reads: Vec<Interval> = parts.iter().map(|part| part.reads).collect();
    for part in turns::turns(&reads, situation.release).into_iter().filter_map(|place| parts.get(place)) {
        let rows = compact::rows_read(part, rows, &met, asker.version());
        let chunks = Chunks::of(&part.batch.granularity);
        let troubles = troubles(&part.batch, &task.context, situation.release);
        if !part.is_ready || troubles.iter().any(|trouble| is_met(trouble.when, &chunks, &rows)) {
            fallen += 1;
            continue;
        }
        let now = Situation { timeline: &met, ..*situation };
        let mut new = overwrite::publish(&now, datasource, &part.batch, &rows, asker.version()).segments;
        if intertwined {
            let taken: BTreeSet<SegmentId> = all.segments.iter().map(Segment::id).collect();
            new.retain(|segment| !taken.contains(&segment.id()));
            // Under REPLACE locks only what was there before is read and emptied (`RetrieveUsedSegmentsAction`).
            let holders: Vec<NewHolder> = new.iter().map(NewHolder::from).collect();
            if let (true, Ok(next)) = (asker.kind != LockType::Replace, met.with(&holders, &[])) {
                met = Cow::Owned(next);
            }
        }
        all.segments.extend(new);
    }
    if fallen == 0 {
        return Outcome::Success(all);
    }
    let count = parts.len();
    let message = format!("Ran [{count}] specs, [{}] succeeded, [{fallen}] failed", count - fallen);
    // What the parts before have published stays.
    if all.segments.is_empty() { failed(message) } else { Outcome::FailedInPart { message, published: all } }
}

/// The kind of lock that a batch or a compaction asks for; none where it fails before it asks, or is another task.
fn kind_of(task: &Task, release: Release) -> Option<LockType> {
    let task = task.as_read_by(release);
    let mode = match &task.body {
        Body::Batch(batch) => batch.mode,
        Body::Compact(compact) if compact.drop_existing => Mode::Replace,
        Body::Compact(_) => Mode::Overwrite,
        _ => return None,
    };
    resolve(mode, &task.context).kind.ok()
}

fn asker_of<'a>(task: &'a Task, kind: LockType, clock: &'a str) -> Asker<'a> {
    let usual = match &task.body {
        Body::Compact(_) | Body::Kill(_) => COMPACTION_PRIORITY,
        _ => BATCH_PRIORITY,
    };
    Asker {
        group_id: task.group_id.as_deref().or(task.id.as_deref()).unwrap_or_default(),
        priority: task.context.priority.unwrap_or(usual),
        kind,
        clock,
    }
}
