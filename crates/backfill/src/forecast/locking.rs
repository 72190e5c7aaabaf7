//! Locks: what the run asks for, who is in its way, and in whose way it is (facts 3.2, 7.1, 7.2).
//!
//! What always holds: verdicts are `druid::lock`'s; held locks that are revoked count for nothing.
//! What it does not do: guess in which order waiting tasks get their turn.

use druid::ingest::When;
use druid::interval::Interval;
use druid::lock::{
    BATCH_PRIORITY, COMPACTION_PRIORITY, Held, LockType, Note, Request, Resolved, Verdict, judge, resolve,
};
use druid::spec::{Body, Mode};

use super::frame::Frame;
use super::{Outcome, Question, World};
use crate::words;

/// A task of the datasource that runs or waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Running {
    /// Its id.
    pub id: String,
    /// Its type: `index_parallel`, `compact`, `index_kafka`, ….
    pub kind: String,
    /// The intervals it works on, as far as its payload says; empty = not known.
    pub intervals: Vec<Interval>,
    /// Whether it waits for a lock or a slot.
    pub waits: bool,
    /// Its priority; none where nobody has read its payload or its locks.
    pub priority: Option<i64>,
}

impl Running {
    /// Whether a lock that is held may be this task's. `activeLocks` names the group alone, and the tasks of a stream are
    /// called after their group.
    pub fn may_hold(&self, held: &Held) -> bool {
        let of_group = |group: &str| self.id.strip_prefix(group).is_some_and(|rest| rest.starts_with('_'));
        match &held.task_id {
            Some(task) => *task == self.id,
            None => held.group_id == self.id || of_group(&held.group_id),
        }
    }

    /// Whether it may work on one of these stretches.
    pub fn touches(&self, stretches: &[Interval]) -> bool {
        self.intervals.is_empty()
            || self.intervals.iter().any(|own| stretches.iter().any(|stretch| stretch.overlaps(*own)))
    }
}

/// The locks a run asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct LockWish {
    /// The kind; or the words with which the task fails before it asks.
    pub kind: Result<LockType, String>,
    /// What differs from what the spec says, and what is odd about it.
    pub notes: Vec<Note>,
    /// What is locked: the condensed chunks.
    pub intervals: Vec<Interval>,
    /// When it asks.
    pub moment: LockMoment,
    /// With which priority.
    pub priority: i64,
}

impl LockWish {
    /// `EXCLUSIVE`, `APPEND`, …; `no` when the task fails before it asks.
    pub fn kind_name(&self) -> &'static str {
        self.kind.as_ref().map_or("no", |kind| kind.name())
    }
}

/// When a task asks for its locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockMoment {
    /// Before it starts, all at once: it waits until it has them.
    UpFront,
    /// After a first scan of the input: it fails at once where it cannot have one.
    AfterScan,
    /// Chunk by chunk, when a row first needs one: it fails at once, or tries another chunk.
    PerChunk,
}

/// How the run stands to a lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stand {
    /// It waits until the holder ends.
    WaitsFor,
    /// It takes the lock away: its priority is higher.
    Revokes,
    /// It asks too late to wait, and fails.
    FailsAgainst,
    /// It fails if a row falls there.
    MayFailAgainst,
}

/// A held lock that is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Who holds it: the task, or its group where only that is known.
    pub task_id: String,
    /// What is held.
    pub interval: Interval,
    /// The kind held.
    pub kind: LockType,
    /// The holder's priority.
    pub priority: i64,
    /// How the run stands to it.
    pub stand: Stand,
    /// The same in one sentence.
    pub why: String,
}

impl Conflict {
    /// Whether this lock is the one in the way.
    pub(super) fn is_about(&self, held: &Held) -> bool {
        let name = held.task_id.as_deref().unwrap_or(&held.group_id);
        self.task_id == name && self.interval == held.interval && self.kind == held.kind
    }
}

/// The lock kind and priority of the question's task.
pub(super) fn resolved(question: &Question<'_>, mode: Mode) -> Resolved {
    resolve(mode, &question.task.context)
}

/// The task's own group: locks inside it are shared.
pub(super) fn group(question: &Question<'_>) -> String {
    let own = question.task.group_id.as_deref().or(question.sent_id());
    own.unwrap_or_default().to_owned()
}

pub(super) fn priority(question: &Question<'_>) -> i64 {
    let usual = match question.task.body {
        Body::Compact(_) | Body::Kill(_) => COMPACTION_PRIORITY,
        _ => BATCH_PRIORITY,
    };
    question.task.context.priority.unwrap_or(usual)
}

pub(super) fn wish(frame: &Frame<'_>) -> LockWish {
    let Resolved { kind, notes } = resolved(frame.q, frame.batch.mode);
    let moment = moment(frame);
    LockWish { kind, notes, intervals: frame.effective.clone(), moment, priority: priority(frame.q) }
}

/// When this run asks for its locks.
pub(super) fn moment(frame: &Frame<'_>) -> LockMoment {
    match druid::ingest::wish(frame.batch, &frame.q.task.context).when {
        When::AtStart(_) => LockMoment::UpFront,
        When::AfterScan => LockMoment::AfterScan,
        When::AsRowsCome => LockMoment::PerChunk,
    }
}

/// Every held lock in the way of the wish.
pub(super) fn conflicts(question: &Question<'_>, wish: &LockWish) -> Vec<Conflict> {
    let Ok(kind) = wish.kind else { return Vec::new() };
    let mut found: Vec<Conflict> = Vec::new();
    for interval in &wish.intervals {
        let request =
            Request { group_id: group(question), kind, interval: *interval, priority: wish.priority };
        let (places, revokes) = match judge(&request, question.locks) {
            Verdict::Granted | Verdict::Reuses(_) | Verdict::Ambiguous(_) => continue,
            Verdict::Revokes(places) => (places, true),
            Verdict::WaitsFor(places) => (places, false),
        };
        for held in places.into_iter().filter_map(|place| question.locks.get(place)) {
            let stand = match (revokes, wish.moment) {
                (true, _) => Stand::Revokes,
                (false, LockMoment::UpFront) => Stand::WaitsFor,
                (false, moment) => late(question, *interval, moment),
            };
            let conflict = conflict(held, kind, wish.priority, stand);
            if !found.contains(&conflict) {
                found.push(conflict);
            }
        }
    }
    found
}

/// A lock that is asked for too late to wait: for certain only where it is known that rows fall there.
fn late(question: &Question<'_>, interval: Interval, moment: LockMoment) -> Stand {
    let known = question.known.exact().is_some();
    let appends = question.task.batch().is_some_and(|batch| batch.mode == Mode::Append);
    match moment {
        // An append that locks as rows come tries finer chunks before it fails.
        LockMoment::PerChunk if appends => Stand::MayFailAgainst,
        _ if known => Stand::FailsAgainst,
        LockMoment::AfterScan if !super::chunks::is_unbounded(interval) => Stand::FailsAgainst,
        _ => Stand::MayFailAgainst,
    }
}

fn conflict(held: &Held, kind: LockType, priority: i64, stand: Stand) -> Conflict {
    let task_id = held.task_id.clone().unwrap_or_else(|| held.group_id.clone());
    let range = held.interval.short();
    let holder = format!("{task_id} holds an {} lock on {range} with priority {}", held.kind, held.priority);
    let own = format!("{kind} lock with priority {priority}");
    let why = match stand {
        Stand::WaitsFor => format!("{holder}: the run's {own} has to wait until it ends."),
        Stand::Revokes => format!(
            "{holder}: the run's {own} takes it away. That task cannot publish any more, and does not fail soon: it goes \
             on asking and keeps its slot until somebody stops it."
        ),
        Stand::FailsAgainst => format!(
            "{holder}: without intervals the run asks for its {own} only after it has begun, and fails at once where it \
             cannot have one."
        ),
        Stand::MayFailAgainst => format!("{holder}: if a row of the input falls there, the run fails."),
    };
    Conflict { task_id, interval: held.interval, kind: held.kind, priority: held.priority, stand, why }
}

/// The world in which a row falls where somebody else holds the lock, and the run asks too late to wait.
pub(super) fn shut_out(frame: &Frame<'_>, wish: &LockWish, conflicts: &[Conflict]) -> Option<World> {
    // An append that locks as rows come tries finer chunks first: its own worlds say when it fails.
    if wish.moment == LockMoment::PerChunk && frame.batch.mode == Mode::Append {
        return None;
    }
    let in_the_way: Vec<&Conflict> =
        conflicts.iter().filter(|conflict| conflict.stand == Stand::MayFailAgainst).collect();
    let first = in_the_way.first()?;
    let ranges = words::intervals(in_the_way.iter().map(|conflict| &conflict.interval), 3);
    Some(super::overwrite::fails(frame, &format!("a row falls into {ranges}"), first.why.clone()))
}

/// What locks do to a world that would end well; one that would never end comes to its locks before that.
pub(super) fn apply(world: &mut World, wish: &LockWish, conflicts: &[Conflict]) {
    let ends_well = world.outcome == Outcome::Success;
    if !ends_well && world.outcome != Outcome::Hangs {
        return;
    }
    let of = |stand: Stand| conflicts.iter().find(|conflict| conflict.stand == stand);
    if let Some(fails) = of(Stand::FailsAgainst) {
        world.outcome = Outcome::Fails;
        let intervals = wish.intervals.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        world.reason = Some(format!("Failed to get locks for intervals[[{intervals}]]. {}", fails.why));
    } else if let Some(waits) = of(Stand::WaitsFor).filter(|_| ends_well) {
        world.outcome = Outcome::Waits;
        world.reason = Some(waits.why.clone());
    }
}
