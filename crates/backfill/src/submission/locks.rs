//! What the locks of a datasource say of a run that the server has: for whom it waits, and that it has lost its own.
//!
//! A run whose lock was revoked does not fail (live on 33.0.0, facts §7.2): it reads on, its publish is answered 500 and
//! retried for ever, its status stays RUNNING and its worker slot taken. All that shows it is that its lock is gone
//! from `activeLocks`.
//!
//! What always holds: nobody is told to have lost a lock that was not seen, or could not be missing ([`Has`]); and nothing
//! is said after one look, because a run that is over gives its locks back just before its status turns. Where only the
//! cluster's settings say whether one can be missing, the task as the Overlord keeps it is asked for: the Overlord writes
//! `forceTimeChunkLock` into its context (`TaskQueue.add`; live on 33.0.0).
//!
//! Not here: when the locks are read (the machine asks [`LockWatch::is_due`] at each look at the status).

use super::event::RunnerStatus;
use crate::forecast::{LockMoment, LockWish};
use druid::interval::Interval;
use druid::json::{Document, Node, Path};
use druid::lock::{Held, LockType, Request, Verdict, coexist, judge};
use druid::spec::{Mode, Task};
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

/// Two looks at the locks are at least so far apart, ms of sleep.
pub(super) const APART_MS: u64 = 10_000;
/// So many looks in a row must miss a lock before it is believed lost.
const MISSED_IN_A_ROW: u32 = 2;

/// The locks that a run asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LockWanted {
    /// Their kind.
    pub kind: LockType,
    /// The priority it asks with.
    pub priority: i64,
    /// The `groupId` that the task sets; without one its group is called by its id.
    pub group: Option<String>,
    /// When it has them.
    pub has: Has,
}

/// When a run has its locks. From then until it ends it holds them all (live on 33.0.0, of every mode).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Has {
    /// Before it starts, whatever the cluster is set to: in REPLACE mode, which forces time chunk locks.
    AtStart,
    /// Before it starts, unless it takes segment locks: then it may not have one for long, or ever.
    AtStartMostly,
    /// After a first scan of its input, or as rows come.
    Later,
}

impl LockWanted {
    /// Of a task whose forecast says `wish`. None: the task fails before it asks.
    pub fn of(wish: &LockWish, task: &Task) -> Option<LockWanted> {
        let replaces = task.batch().is_some_and(|batch| batch.mode == Mode::Replace);
        Some(LockWanted {
            kind: wish.kind.as_ref().ok().copied()?,
            priority: wish.priority,
            group: task.group_id.clone(),
            has: match wish.moment {
                LockMoment::UpFront if replaces => Has::AtStart,
                LockMoment::UpFront => Has::AtStartMostly,
                LockMoment::AfterScan | LockMoment::PerChunk => Has::Later,
            },
        })
    }
}

/// How a run stands to the locks of its datasource.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LockStanding {
    /// Nothing that is certain and worth a word.
    Quiet,
    /// It waits until these are given back; never empty.
    WaitsFor(Vec<Held>),
    /// It held a lock, or must have, and holds it no more.
    Lost {
        /// The lock that took its place, where it was seen.
        to: Option<Held>,
    },
}

impl LockStanding {
    /// The same in words, of the run `id` and where the runner has it. None: there is nothing to say.
    pub(super) fn sentence(&self, id: &str, runner: RunnerStatus) -> Option<String> {
        match self {
            LockStanding::Quiet => None,
            LockStanding::WaitsFor(locks) => {
                let first = locks.first()?;
                let more = match locks.len() - 1 {
                    0 => String::new(),
                    1 => ", and for one more".to_owned(),
                    more => format!(", and for {more} more"),
                };
                Some(format!("{id} waits for the lock of {}{more}.", told(first)))
            }
            LockStanding::Lost { to } => {
                let taker = match to {
                    Some(lock) => format!("{}, took it", told(lock)),
                    None => "a task of a higher priority took it".to_owned(),
                };
                let slot = match runner {
                    RunnerStatus::Pending => "it will take a worker slot and keep it",
                    _ => "it keeps its worker slot",
                };
                Some(format!(
                    "{id} has lost its lock: {taker}. Druid will not let it publish and does not end it by itself; \
                     {slot}. Cancel it."
                ))
            }
        }
    }
}

/// Who holds a lock on what, and with which priority.
fn told(lock: &Held) -> String {
    let holder = lock.task_id.as_ref().unwrap_or(&lock.group_id);
    format!("{holder} on {}, priority {}", lock.interval.short(), lock.priority)
}

/// Whose locks are looked at, and what is known of that run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watched<'a> {
    /// Its id.
    pub(super) id: &'a str,
    /// The locks it asks for; none where that is not known.
    pub(super) wanted: Option<&'a LockWanted>,
    /// The range it asks them for.
    pub(super) range: &'a [Interval],
    /// Where the runner has it, as it was said just now.
    pub(super) runner: RunnerStatus,
    /// Whether it held a lock at any look before, by this tab or another.
    pub(super) held_before: bool,
}

impl Watched<'_> {
    fn group(&self) -> &str {
        self.wanted.and_then(|wanted| wanted.group.as_deref()).unwrap_or(self.id)
    }

    fn has(&self) -> Has {
        self.wanted.map_or(Has::Later, |wanted| wanted.has)
    }

    /// The locks for which it waits among those of other groups.
    fn waits_for(&self, others: &[Held]) -> Vec<Held> {
        let (RunnerStatus::Waiting, Some(wanted), false) =
            (self.runner, self.wanted, self.has() == Has::Later)
        else {
            return vec![];
        };
        let mut found: Vec<Held> = Vec::new();
        for interval in self.range {
            let request = Request {
                group_id: self.group().to_owned(),
                kind: wanted.kind,
                interval: *interval,
                priority: wanted.priority,
            };
            let Verdict::WaitsFor(places) = judge(&request, others) else { continue };
            for lock in places.into_iter().filter_map(|place| others.get(place)) {
                if !found.contains(lock) {
                    found.push(lock.clone());
                }
            }
        }
        found
    }

    /// The lock on one of the `missing` intervals that can have taken the run's own away.
    fn taker(&self, own: &[Held], missing: &[Interval], others: &[Held]) -> Option<Held> {
        // What was seen of the run's own lock goes before what it was thought to ask for.
        let seen = own.first().map(|lock| (lock.kind, lock.priority));
        let (kind, priority) = seen.or(self.wanted.map(|wanted| (wanted.kind, wanted.priority)))?;
        let takes = |lock: &&Held| {
            lock.priority > priority
                && missing.iter().any(|interval| {
                    lock.interval.overlaps(*interval) && !coexist(lock.kind, lock.interval, kind, *interval)
                })
        };
        others.iter().filter(|lock| !lock.revoked).find(takes).cloned()
    }
}

/// What one tab has seen of the locks of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct LockWatch {
    /// Slept since the last look, ms; none before the first.
    pub(super) slept_ms: Option<u64>,
    /// The locks it was seen to hold on a worker or waiting for one, each interval once.
    own: Vec<Held>,
    /// Looks in a row at which one of them was missing.
    missed: u32,
    /// What took its place, as seen at one of these.
    taker: Option<Held>,
    /// At the last look none was there and none had ever been seen: with segment locks that is nothing.
    doubtful: bool,
    /// Whether it takes time chunk locks for certain, by what the Overlord keeps; none before that was read.
    forced: Option<bool>,
    /// Whom it waited for at the last look.
    waits_for: Vec<Held>,
}

impl LockWatch {
    /// Whether it is time to look.
    pub(super) fn is_due(&self) -> bool {
        self.slept_ms.is_none_or(|slept| slept >= APART_MS)
    }

    /// Time has passed since the last look.
    pub(super) fn slept(&mut self, ms: u64) {
        self.slept_ms = self.slept_ms.map(|slept| slept.saturating_add(ms));
    }

    /// The locks are being read.
    pub(super) fn looks(&mut self) {
        self.slept_ms = Some(0);
    }

    /// Takes in every lock of the datasource. True: the run holds one of its own.
    pub(super) fn see(&mut self, of: Watched<'_>, locks: Vec<Held>) -> bool {
        let (own, others): (Vec<Held>, Vec<Held>) =
            locks.into_iter().partition(|lock| lock.group_id == of.group());
        self.waits_for = of.waits_for(&others);
        // A run that waits gives back what it got when it did not get all; and where the runner says nothing, nothing
        // is certain.
        if !matches!(of.runner, RunnerStatus::Running | RunnerStatus::Pending) {
            *self = LockWatch {
                slept_ms: self.slept_ms,
                forced: self.forced,
                waits_for: std::mem::take(&mut self.waits_for),
                ..LockWatch::default()
            };
            return false;
        }
        let (revoked, active): (Vec<Held>, Vec<Held>) = own.into_iter().partition(|lock| lock.revoked);
        for lock in active.iter().chain(&revoked) {
            if !self.own.iter().any(|known| known.interval == lock.interval) {
                self.own.push(lock.clone());
            }
        }
        self.doubtful =
            active.is_empty() && self.own.is_empty() && !of.held_before && self.has(of) == Has::AtStartMostly;
        match self.missing(of, &active) {
            None => (self.missed, self.taker) = (0, None),
            Some(missing) => {
                self.missed = self.missed.saturating_add(1).min(MISSED_IN_A_ROW);
                self.taker = self.taker.take().or_else(|| of.taker(&self.own, &missing, &others));
            }
        }
        !active.is_empty()
    }

    fn has(&self, of: Watched<'_>) -> Has {
        match of.has() {
            Has::AtStartMostly if self.forced == Some(true) => Has::AtStart,
            has => has,
        }
    }

    /// Whether the task as the Overlord keeps it would say more.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.doubtful && self.forced.is_none()
    }

    /// Takes in the task as the Overlord keeps it, JSON text.
    pub(super) fn told(&mut self, stored: &str) {
        let document = Document::parse(stored);
        let said = document.get(&Path::keys(&["context", "forceTimeChunkLock"])).and_then(Node::as_bool);
        self.forced = Some(said == Some(true));
        self.doubtful &= said != Some(true);
    }

    /// The intervals on which the run must hold a lock and does not, as far as they are known. None: nothing is
    /// missing for certain.
    fn missing(&self, of: Watched<'_>, active: &[Held]) -> Option<Vec<Interval>> {
        let seen = || self.own.iter().map(|lock| lock.interval);
        let has = self.has(of);
        if active.is_empty() {
            return match self.own.is_empty() {
                false => Some(seen().collect()),
                true => (has != Has::Later || of.held_before).then(|| of.range.to_vec()),
            };
        }
        if has == Has::Later {
            return None;
        }
        // Some of several are gone: a publish needs them all.
        let covered = |interval: &Interval| active.iter().any(|lock| lock.interval.contains(*interval));
        let gone: Vec<Interval> = seen().filter(|interval| !covered(interval)).collect();
        (!gone.is_empty()).then_some(gone)
    }

    /// How the run stands, as far as this tab has seen, where the runner has it now.
    pub(super) fn standing(&self, runner: RunnerStatus) -> LockStanding {
        if self.missed >= MISSED_IN_A_ROW && !self.doubtful {
            LockStanding::Lost { to: self.taker.clone() }
        } else if runner == RunnerStatus::Waiting && !self.waits_for.is_empty() {
            LockStanding::WaitsFor(self.waits_for.clone())
        } else {
            LockStanding::Quiet
        }
    }
}
