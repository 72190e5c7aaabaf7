//! Several tasks on one datasource at once: one that works for a while, and others that are handed in meanwhile.
//!
//! Source: `TaskQueue` (a task that is not ready waits), `TaskLockbox`, and the commits of [`super::commit`].
//!
//! Always holds: the first task takes its locks before the others are looked at, and reads its input after they have
//! had their turn. Those that can run do, one after the other, to their end; those that must wait start when the first
//! has ended, in the order in which they came. A replace that holds REPLACE locks goes by what was there when it
//! started: what was appended meanwhile is carried over, not dropped (`RetrieveUsedSegmentsAction`).
//!
//! Does not do: streams; tasks whose sub-tasks publish at different times; who goes first among equals on a real queue.

use crate::interval::Instant;
use crate::lock::{Held, LockType};
use crate::segment::Segment;
use crate::spec::{Mode, Task};
use crate::timeline::{Illegal, NewHolder, Timeline};

use super::commit::{Remembered, remembered, replaced};
use super::{Asker, Outcome, Published, Rows, Situation, ask, asker_of, kind_of, run, wanted_at_start};

/// A task and the rows that it reads.
#[derive(Clone, Copy, Debug)]
pub struct Entrant<'a> {
    /// The task.
    pub task: &'a Task,
    /// Its rows.
    pub rows: &'a Rows,
}

/// How it went for one task.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// It had to wait until the first had ended.
    pub waited: bool,
    /// Somebody took its locks away.
    pub evicted: bool,
    /// How it ended. What it published has the copies with it.
    pub outcome: Outcome,
}

/// How it went for all.
#[derive(Clone, PartialEq, Debug)]
pub struct Race {
    /// The task that worked for a while.
    pub first: Ended,
    /// The others, in their order.
    pub others: Vec<Ended>,
    /// What was added before the first one's input came.
    pub middle: Vec<Segment>,
    /// All that was added in the end.
    pub added: Vec<Segment>,
}

/// Lets them run. `situation` is what the first one meets; the others start a second apart, so that versions differ.
///
/// # Errors
/// What they publish makes a set that Druid refuses.
pub fn race(situation: &Situation<'_>, first: Entrant<'_>, others: &[Entrant<'_>]) -> Result<Race, Illegal> {
    let mut course = Course {
        situation: *situation,
        held: situation.locks.to_vec(),
        timeline: situation.timeline.clone(),
        added: Vec::new(),
        remembered: Vec::new(),
        turn: 0,
    };
    let own = course.start(first.task);
    if let Err(blocked) = own {
        // It waits for somebody who is not in this race; nobody waits for it.
        let mut ended = Vec::new();
        for other in others {
            ended.push(course.turn_of(*other, false)?);
        }
        let middle = course.added.clone();
        let first = Ended { waited: true, evicted: false, outcome: Outcome::Waits { on: blocked } };
        return Ok(Race { first, others: ended, middle, added: course.added });
    }
    let mut ended: Vec<Option<Ended>> = Vec::new();
    for other in others {
        let end = course.turn_of(*other, false)?;
        ended.push((!matches!(end.outcome, Outcome::Waits { .. })).then_some(end));
    }
    let middle = course.added.clone();
    let first_end = course.finish(first)?;
    let mut all = Vec::new();
    for (end, other) in ended.into_iter().zip(others) {
        all.push(match end {
            Some(end) => end,
            None => course.turn_of(*other, true)?,
        });
    }
    Ok(Race { first: first_end, others: all, middle, added: course.added })
}

/// The datasource while they run.
struct Course<'a> {
    situation: Situation<'a>,
    held: Vec<Held>,
    timeline: Timeline,
    added: Vec<Segment>,
    remembered: Vec<Remembered>,
    turn: i64,
}

impl Course<'_> {
    fn clock(&self) -> Instant {
        Instant::from_ms(self.situation.lock_version.ms().saturating_add(self.turn * 1_000))
    }

    /// Takes the locks that the first task asks for before it works.
    ///
    /// # Errors
    /// Places of the locks in its way.
    fn start(&mut self, task: &Task) -> Result<(), Vec<usize>> {
        let Ok(Some((kind, intervals))) = wanted_at_start(&self.timeline, task, self.situation.release)
        else {
            return Ok(());
        };
        let clock = self.clock().to_string();
        let asked = ask(asker_of(task, kind, &clock), &self.held, &intervals);
        if !asked.blocked_by.is_empty() {
            return Err(asked.blocked_by);
        }
        for place in asked.revoked {
            if let Some(lock) = self.held.get_mut(place) {
                lock.revoked = true;
            }
        }
        self.held.extend(asked.granted);
        Ok(())
    }

    /// A task runs from its start to its end, if it can.
    fn turn_of(&mut self, entrant: Entrant<'_>, waited: bool) -> Result<Ended, Illegal> {
        self.turn += 1;
        let situation = Situation {
            timeline: &self.timeline,
            locks: &self.held,
            lock_version: self.clock(),
            ..self.situation
        };
        let outcome = run(&situation, entrant.task, entrant.rows);
        let outcome = self.commit(entrant.task, outcome)?;
        Ok(Ended { waited, evicted: false, outcome })
    }

    /// The first task's input has come: it works and publishes with the locks it has.
    fn finish(&mut self, entrant: Entrant<'_>) -> Result<Ended, Illegal> {
        let Asker { group_id, .. } = asker_of(entrant.task, LockType::Exclusive, "");
        let own = |lock: &&Held| lock.group_id == group_id;
        let evicted = self.held.iter().filter(own).any(|lock| lock.revoked);
        let starts_late = self.held.iter().filter(own).count() == 0;
        let appends = entrant.task.batch().is_some_and(|batch| batch.mode == Mode::Append);
        self.turn += 1;
        // It works as if it asked for its locks now, with the clock of its start. One whose locks are gone works on as
        // well: only its commit is refused.
        let mut held = self.held.clone();
        held.retain(|lock| !evicted && lock.group_id != group_id);
        let situation = Situation {
            timeline: if appends { &self.timeline } else { self.situation.timeline },
            locks: &held,
            lock_version: if starts_late { self.clock() } else { self.situation.lock_version },
            ..self.situation
        };
        let outcome = run(&situation, entrant.task, entrant.rows);
        let publishes = matches!(&outcome, Outcome::Success(published) if !published.segments.is_empty());
        let outcome = if evicted && publishes {
            Outcome::Hangs {
                why: "Invalid task locks. Maybe they are revoked by a higher priority task. Please check the overlord log \
                      for details."
                    .to_owned(),
            }
        } else {
            self.commit(entrant.task, outcome)?
        };
        let group_id = group_id.to_owned();
        self.held.retain(|lock| lock.group_id != group_id);
        Ok(Ended { waited: false, evicted, outcome })
    }

    /// Publishes what a task has made; a commit that is refused makes it fail.
    fn commit(&mut self, task: &Task, outcome: Outcome) -> Result<Outcome, Illegal> {
        let Outcome::Success(published) = outcome else { return Ok(outcome) };
        for place in &published.revoked {
            if let Some(lock) = self.held.get_mut(*place) {
                lock.revoked = true;
            }
        }
        let kind = kind_of(task, self.situation.release);
        let Published { segments, .. } = published.clone();
        let segments = match kind {
            Some(LockType::Replace) => {
                let Asker { group_id, .. } = asker_of(task, LockType::Replace, "");
                let (own, rest): (Vec<Remembered>, Vec<Remembered>) =
                    std::mem::take(&mut self.remembered).into_iter().partition(|r| r.group_id == group_id);
                self.remembered = rest;
                match replaced(segments, &own, self.situation.release) {
                    Ok(segments) => segments,
                    Err(message) => return Ok(Outcome::Failed { message, detail: None }),
                }
            }
            _ => segments,
        };
        if kind == Some(LockType::Append) {
            self.remembered.extend(remembered(&segments, &self.held));
        }
        let new: Vec<NewHolder> = segments.iter().map(NewHolder::from).collect();
        self.timeline = self.timeline.with(&new, &[])?;
        self.added.extend(segments.iter().cloned());
        Ok(Outcome::Success(Published { segments, ..published }))
    }
}
