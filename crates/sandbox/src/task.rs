//! A task in the store: what was sent, where it stands, how it ended.

use druid::{interval::Instant, lock::Held, spec::Task};
use serde_json::{Value, json};

/// One task. Its id stays used for ever.
#[derive(Clone, Debug)]
pub(crate) struct StoredTask {
    pub(crate) id: String,
    pub(crate) task: Task,
    pub(crate) created: Instant,
    pub(crate) state: State,
    /// Rows read, once it ran.
    pub(crate) rows: Option<u64>,
    /// Segments published, once it ran.
    pub(crate) published: Option<u64>,
}

/// Where a task stands.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// In the queue; its locks are not free, or its turn has not come.
    Waiting,
    /// Has its locks, waits for a slot.
    Pending { locks: Vec<Held>, since: Instant },
    /// On a worker until `until`; never where it hangs.
    Running { locks: Vec<Held>, until: Option<Instant> },
    /// Over.
    Done { ended: Instant, error: Option<String>, success: bool },
}

impl StoredTask {
    pub(crate) fn new(id: &str, task: Task, created: Instant) -> StoredTask {
        StoredTask { id: id.to_owned(), task, created, state: State::Waiting, rows: None, published: None }
    }

    pub(crate) fn datasource(&self) -> &str {
        self.task.datasource.as_deref().unwrap_or_default()
    }

    pub(crate) fn group(&self) -> &str {
        self.task.group_id.as_deref().unwrap_or(&self.id)
    }

    pub(crate) fn locks(&self) -> &[Held] {
        match &self.state {
            State::Pending { locks, .. } | State::Running { locks, .. } => locks,
            State::Waiting | State::Done { .. } => &[],
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.state, State::Done { .. })
    }

    /// `statusCode` and `runnerStatusCode`. A task asked for by its id says WAITING once it is over (facts 5.3); in
    /// lists it says NONE.
    pub(crate) fn codes(&self, listed: bool) -> (&'static str, &'static str) {
        match &self.state {
            State::Waiting => ("RUNNING", "WAITING"),
            State::Pending { .. } => ("RUNNING", "PENDING"),
            State::Running { .. } => ("RUNNING", "RUNNING"),
            State::Done { success, .. } => {
                (if *success { "SUCCESS" } else { "FAILED" }, if listed { "NONE" } else { "WAITING" })
            }
        }
    }

    /// The status object of `/status` and of the lists.
    pub(crate) fn status(&self, listed: bool) -> Value {
        let (code, runner) = self.codes(listed);
        let (duration, error) = match &self.state {
            State::Done { ended, error, .. } => (ended.ms() - self.created.ms(), error.clone()),
            _ => (-1, None),
        };
        let location = match &self.state {
            State::Running { .. } => json!({ "host": "built-in", "port": 8091, "tlsPort": -1 }),
            _ => json!({ "host": null, "port": -1, "tlsPort": -1 }),
        };
        let queued = if listed && !self.is_over() { self.created } else { Instant::from_ms(0) };
        json!({
            "id": self.id, "groupId": self.group(), "type": self.task.kind.name(),
            "createdTime": self.created.to_string(), "queueInsertionTime": queued.to_string(),
            "statusCode": code, "status": code, "runnerStatusCode": runner, "duration": duration,
            "location": location,
            "dataSource": self.datasource(), "errorMsg": error,
        })
    }
}
