//! The queue: tasks get their locks in the order in which they came, then a slot, then run and publish.

use crate::{
    Sandbox, input,
    task::{State, StoredTask},
};
use druid::{
    ingest::{self, Asker, Outcome, Rows, Situation},
    interval::Instant,
    lock::{BATCH_PRIORITY, COMPACTION_PRIORITY, Held},
    spec::Body,
    timeline::Timeline,
};

impl Sandbox {
    /// Lets everything happen that is due, each at its own moment: locks given, slots taken, runs ended.
    pub(crate) fn work(&mut self) {
        let mut moment = self.worked;
        loop {
            for at in 0..self.tasks.len() {
                if self.tasks.get(at).is_some_and(|task| matches!(task.state, State::Waiting)) {
                    self.lock(at, moment);
                }
            }
            let Some((due, at)) = self.next(moment).filter(|(due, _)| *due <= self.clock) else { break };
            moment = due;
            match self.tasks.get(at).map(|task| &task.state) {
                Some(State::Running { .. }) => self.finish(at, moment),
                _ => self.assign(at, moment),
            }
        }
        self.worked = self.clock;
    }

    /// What happens next: the task, and when. Runs that end go before tasks that want their slot.
    fn next(&self, moment: Instant) -> Option<(Instant, usize)> {
        let busy = self.tasks.iter().filter(|task| matches!(task.state, State::Running { .. })).count();
        let due = |(at, task): (usize, &StoredTask)| match &task.state {
            State::Running { until: Some(until), .. } => Some(((*until).max(moment), 0, at)),
            State::Pending { since, .. } if busy < self.slots => {
                Some((Instant::from_ms(since.ms() + self.pace.assign_ms).max(moment), 1, at))
            }
            _ => None,
        };
        self.tasks.iter().enumerate().filter_map(due).min().map(|(when, _, at)| (when, at))
    }

    /// Gives a pending task a slot.
    fn assign(&mut self, at: usize, moment: Instant) {
        let until = Some(Instant::from_ms(moment.ms() + self.pace.run_ms));
        if let Some(task) = self.tasks.get_mut(at)
            && let State::Pending { locks, .. } = &task.state
        {
            // A task that lost its lock on the way runs on and cannot publish.
            let lost = locks.iter().any(|lock| lock.revoked);
            task.state = State::Running { locks: locks.clone(), until: until.filter(|_| !lost) };
        }
    }

    /// Asks for the locks a task wants before it starts. Where they are not free it goes on waiting.
    fn lock(&mut self, at: usize, moment: Instant) {
        let Some(task) = self.tasks.get(at) else { return };
        let (others, owners) = self.held_by_others(task);
        let clock = moment.to_string();
        let group = task.group().to_owned();
        let mut locks = Vec::new();
        let mut revoked = Vec::new();
        let priority = task.task.context.priority.unwrap_or_else(|| default_priority(&task.task.body));
        let Some(timeline) = self.timeline_of(task.datasource()) else { return };
        let wish = ingest::wanted_at_start(&timeline, &task.task, self.release);
        match wish {
            Err(message) => {
                self.end(at, moment, Some(message), false);
                return;
            }
            Ok(Some((kind, runs))) => {
                let asker = Asker { group_id: &group, priority, kind, clock: &clock };
                let asked = ingest::ask(asker, &others, &runs);
                if !asked.blocked_by.is_empty() {
                    return;
                }
                revoked = asked.revoked;
                locks = asked.granted;
            }
            Ok(None) => {}
        }
        for place in revoked {
            if let Some((owner, which)) = owners.get(place).copied() {
                self.revoke(owner, which);
            }
        }
        if let Some(task) = self.tasks.get_mut(at) {
            task.state = State::Pending { locks, since: moment };
        }
    }

    /// Takes a lock away. Its task goes on, cannot publish, and keeps its slot until it is shut down (facts 7.2).
    fn revoke(&mut self, owner: usize, which: usize) {
        let Some(task) = self.tasks.get_mut(owner) else { return };
        match &mut task.state {
            State::Running { locks, until } => {
                if let Some(lock) = locks.get_mut(which) {
                    lock.revoked = true;
                }
                *until = None;
            }
            State::Pending { locks, .. } => {
                if let Some(lock) = locks.get_mut(which) {
                    lock.revoked = true;
                }
            }
            State::Waiting | State::Done { .. } => {}
        }
    }

    /// Locks that tasks of other groups hold on the datasource, and whose they are: (task, place among its locks).
    fn held_by_others(&self, asking: &StoredTask) -> (Vec<Held>, Vec<(usize, usize)>) {
        let mut held = Vec::new();
        let mut owners = Vec::new();
        for (owner, task) in self.tasks.iter().enumerate() {
            if task.datasource() != asking.datasource() || task.group() == asking.group() {
                continue;
            }
            for (which, lock) in task.locks().iter().enumerate() {
                held.push(lock.clone());
                owners.push((owner, which));
            }
        }
        (held, owners)
    }

    /// The end of a run: what `druid::ingest` says of it, at the moment it ends.
    fn finish(&mut self, at: usize, until: Instant) {
        let Some(task) = self.tasks.get(at) else { return };
        let name = task.datasource().to_owned();
        let datasource = self.metadata.datasources.get(&name).cloned().unwrap_or_default();
        let Some(timeline) = self.timeline_of(&name) else { return };
        let (others, owners) = self.held_by_others(task);
        let granted =
            task.locks().first().and_then(|lock| Instant::parse(&lock.version).ok()).filter(|at| at.ms() > 0);
        let read = match &task.task.body {
            Body::Batch(_) => input::rows(&task.task, &self.metadata),
            Body::Compact(compact) => {
                Ok(input::rows_to_compact(&name, compact, &timeline, self.release, &self.metadata))
            }
            _ => Ok(Rows::default()),
        };
        let rows = match read {
            Ok(rows) => rows,
            Err(message) => {
                self.end(at, until, Some(message), false);
                return;
            }
        };
        let count: u64 = rows.splits.iter().map(|split| split.len() as u64).sum();
        let unused = datasource.unused_ids();
        let situation = Situation {
            timeline: &timeline,
            unused: &unused,
            locks: &others,
            release: self.release,
            lock_version: granted.unwrap_or(until),
        };
        let outcome = ingest::run(&situation, &task.task, &rows);
        if let Some(task) = self.tasks.get_mut(at) {
            task.rows = Some(count);
        }
        match outcome {
            Outcome::Success(published) => {
                for place in published.revoked {
                    if let Some((owner, which)) = owners.get(place).copied() {
                        self.revoke(owner, which);
                    }
                }
                if let Some(task) = self.tasks.get_mut(at) {
                    task.published = Some(published.segments.len() as u64);
                }
                self.metadata.publish(&name, input::sized(published.segments, &rows), until);
                self.metadata.delete(&name, &published.deleted);
                self.end(at, until, published.error_msg, true);
            }
            Outcome::FailedInPart { message, published } => {
                self.metadata.publish(&name, input::sized(published.segments, &rows), until);
                self.end(at, until, Some(message), false);
            }
            Outcome::Failed { message, .. } => self.end(at, until, Some(message), false),
            Outcome::Hangs { .. } => {
                if let Some(StoredTask { state: State::Running { until, .. }, .. }) = self.tasks.get_mut(at) {
                    *until = None;
                }
            }
            // It had its locks; whoever came since cannot hold against them. It waits its turn again.
            Outcome::Waits { .. } => {
                if let Some(task) = self.tasks.get_mut(at) {
                    task.state = State::Waiting;
                }
            }
            Outcome::Unknown { kind } => {
                let error = format!("The built-in cluster does not run tasks of type [{kind}].");
                self.end(at, until, Some(error), false);
            }
        }
    }

    /// The timeline of a datasource; an empty one where it has nothing used.
    fn timeline_of(&self, name: &str) -> Option<Timeline> {
        let there = self.metadata.datasources.get(name).and_then(|datasource| datasource.timeline(name));
        there.or_else(|| Timeline::build(&druid::segment::SegmentSet::new(name)).ok())
    }

    pub(crate) fn end(&mut self, at: usize, ended: Instant, error: Option<String>, success: bool) {
        if let Some(task) = self.tasks.get_mut(at) {
            task.state = State::Done { ended, error, success };
        }
    }
}

/// The priority of a task that sets none.
fn default_priority(body: &Body) -> i64 {
    match body {
        Body::Compact(_) | Body::Kill(_) => COMPACTION_PRIORITY,
        _ => BATCH_PRIORITY,
    }
}
