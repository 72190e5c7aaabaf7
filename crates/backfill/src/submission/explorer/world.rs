//! The world as far as a submission can tell: a journal, an Overlord, messages on their way, two tabs.
//!
//! The Overlord does what facts §5.2 says and nothing more: it refuses an id it has, whatever its state. The journal
//! does what [`Action::Journal`] demands. What may not happen on the way is asserted where it would happen.

use super::*;
use druid::interval::{Instant, Interval};
use druid::lock::{Held, LockType};

/// How often the adversary may do what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Budget {
    /// Answers lost, delayed, refused; leader changes.
    pub(super) faults: u8,
    /// Tabs killed.
    pub(super) crashes: u8,
    /// Tabs (re)opened.
    pub(super) opens: u8,
    /// Runs that fail.
    pub(super) failures: u8,
    /// Journal writes refused.
    pub(super) refusals: u8,
    /// Times that the user cancels.
    pub(super) cancels: u8,
    /// Times that a watching tab insists.
    pub(super) takeovers: u8,
    /// Locks taken away from a run by a task of higher priority.
    pub(super) evictions: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub(super) body: String,
    pub(super) code: TaskCode,
    /// Its lock was taken away: it does not end by itself (facts §7.2).
    pub(super) evicted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Tab {
    pub(super) submission: Option<Submission>,
    /// What it waits for.
    pub(super) pending: Vec<Action>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct World {
    pub(super) journal: Option<Record>,
    pub(super) server: BTreeMap<String, Task>,
    /// Messages on their way: (id, body).
    pub(super) wire: Vec<(String, String)>,
    pub(super) tabs: [Tab; 2],
    pub(super) left: Budget,
    /// Ids sent at least once; true: asked for and found absent since.
    pub(super) sent: BTreeMap<String, bool>,
}

pub(super) const NOW: Moment = Moment { now_ms: 1_000_000, random: 0.5 };
pub(super) const IDS: [&str; 3] = ["a1", "a2", "a3"];

pub(super) fn wish() -> Wish {
    Wish {
        content: "content".into(),
        datasource: "d".into(),
        names: IDS.iter().map(|id| Name { version: id.to_uppercase(), id: (*id).into() }).collect(),
        body: Body::plain("{\"type\":\"noop\",\"id\":", ",\"context\":{\"forceTimeChunkLock\":true}}"),
        picture: Picture { range: vec![(0, 10)], ..Picture::default() },
        lock: Some(LockWanted {
            kind: LockType::Exclusive,
            priority: 50,
            group: None,
            has: Has::AtStartMostly,
        }),
        policy: Policy { attempts: 3, ..Policy::default() },
        again: false,
    }
}

pub(super) fn trouble(class: FailureClass) -> Trouble {
    Trouble { class, text: "words".into(), retry_after_ms: None }
}

impl World {
    pub(super) fn new(left: Budget) -> World {
        World {
            journal: None,
            server: BTreeMap::new(),
            wire: vec![],
            tabs: Default::default(),
            left,
            sent: BTreeMap::new(),
        }
    }

    /// The user opens tab `at`, which takes the record up, or submits where there is none.
    pub(super) fn open(&mut self, at: usize) {
        let me = Me { tab: format!("tab {at}") };
        let (submission, actions) = match self.journal.clone() {
            Some(record) => resume(record, me, NOW),
            None => {
                // Where no journal was kept nobody remembers; the server's refusal of a used id is what is left.
                self.sent.clear();
                begin(None, |_| None, wish(), me, NOW).expect("nothing was submitted before")
            }
        };
        self.take(at, submission, actions);
    }

    pub(super) fn take(&mut self, at: usize, mut submission: Submission, actions: Vec<Action>) {
        for action in &actions {
            // Without a journal two tabs know nothing of each other; what is left is that the server refuses a used id.
            if let (Action::Send { id, .. }, false) = (action, submission.record().unrecorded) {
                self.check_send(id, &submission);
                self.sent.insert(id.clone(), false);
            }
        }
        // Answers with an old token change nothing (a test of its own), and the number of looks decides only how
        // long the next sleep is: states that differ in nothing else are one.
        let current = std::mem::replace(&mut submission.token, 0);
        submission.looks = 0;
        // Time enough may pass before each look: one that is not due yet changes nothing.
        submission.locks.slept_ms = submission.locks.slept_ms.map(|_| locks::APART_MS);
        // That one was held says no more than the task itself: it takes time chunk locks from the start.
        submission.record.run.held = false;
        // What was seen of the locks decides nothing once the run is over.
        if submission.record.run.end().is_some() {
            submission.locks = Default::default();
        }
        // Any time may pass: a lease has as much left as one look takes.
        if let machine::Phase::Watching { left_ms, slept_ms } = &mut submission.phase {
            *left_ms = *slept_ms;
        }
        self.tabs[at].pending = (actions.into_iter())
            .filter_map(|mut action| {
                if let Action::Journal { record, .. } = &mut action {
                    record.run.held = false;
                }
                let awaited = std::mem::replace(action.token_mut(), Token(0)).0 == current;
                awaited.then_some(action)
            })
            .collect();
        assert!(self.tabs[at].pending.len() <= 1, "at most one answer is outstanding");
        self.tabs[at].submission = Some(submission);
    }

    fn check_send(&self, id: &str, submission: &Submission) {
        let run = submission.record().run.clone();
        let kept = self.journal.as_ref().expect("a record was kept before anything was sent");
        assert_eq!(
            (&kept.run.name.id, &kept.run.stage),
            (&run.name.id, &Stage::Sending),
            "journal before act"
        );
        if let Some(asked) = self.sent.get(id) {
            assert!(asked, "{id} was sent again without having been found absent");
        }
        for (other, task) in &self.server {
            assert!(
                other == id || task.code == TaskCode::Failed,
                "{other} is not known to have failed: {task:?}"
            );
        }
        for other in self.sent.keys().filter(|other| *other != id) {
            assert!(
                self.server.contains_key(other),
                "{other} was sent and it is not known what became of it"
            );
        }
    }

    /// A submit arrives. False: refused as a duplicate.
    pub(super) fn arrives(&mut self, id: &str, body: &str) -> bool {
        if self.server.contains_key(id) {
            return false;
        }
        for (other, task) in &self.server {
            assert_eq!(task.code, TaskCode::Failed, "the content runs twice: {other} and {id}");
        }
        self.server.insert(id.into(), Task { body: body.into(), code: TaskCode::Running, evicted: false });
        true
    }

    /// A submit is on its way; a second one like it would only be refused once more.
    pub(super) fn travels(&mut self, id: &str, body: &str) {
        let message = (id.to_owned(), body.to_owned());
        if !self.wire.contains(&message) {
            self.wire.push(message);
        }
    }

    /// The Overlord shuts a task down.
    pub(super) fn stops(&mut self, id: &str) {
        if let Some(task) = self.server.get_mut(id).filter(|task| task.code == TaskCode::Running) {
            task.code = TaskCode::Failed;
        }
    }

    pub(super) fn event(&mut self, at: usize, event: Event) {
        self.tabs[at].pending.clear();
        let submission = self.tabs[at].submission.take().expect("an open tab");
        let (submission, actions) = submission.step(event, NOW);
        self.take(at, submission, actions);
    }

    /// The locks as `activeLocks` lists them: whoever took a run's away has it, and a run that is over has none.
    pub(super) fn locks(&self) -> Vec<Held> {
        let running = self.server.iter().filter(|(_, task)| task.code == TaskCode::Running);
        let lock = |(id, task): (&String, &Task)| Held {
            task_id: None,
            group_id: if task.evicted { "stronger".to_owned() } else { id.clone() },
            kind: LockType::Exclusive,
            interval: Interval::new(Instant::from_ms(0), Instant::from_ms(10)).expect("in order"),
            version: String::new(),
            priority: if task.evicted { 90 } else { 50 },
            revoked: false,
        };
        running.map(lock).collect()
    }

    /// Nobody is told to have lost a lock that was not taken away.
    pub(super) fn is_told_truly(&self, submission: &Submission) {
        if agreement::has_lost_its_lock(submission) {
            let id = &submission.record().run.name.id;
            assert!(self.server.get(id).is_some_and(|task| task.evicted), "{id} has its lock");
        }
    }

    pub(super) fn status_of(&self, id: &str) -> StatusAnswer {
        match self.server.get(id) {
            None => StatusAnswer::Unknown("Cannot find any task with id".into()),
            Some(task) => StatusAnswer::Known {
                code: task.code,
                runner: RunnerStatus::Running,
                created_time: None,
                error_msg: (task.code == TaskCode::Failed).then(|| "Java heap space".into()),
            },
        }
    }

    /// Writes as the journal's contract says. None: written.
    pub(super) fn write(&mut self, expect: Option<Stamp>, record: &Record) -> Option<Option<Box<Record>>> {
        if self.journal.as_ref().map(|stored| stored.stamp) != expect {
            return Some(self.journal.clone().map(Box::new));
        }
        // What is kept is what comes back from storage: through serde.
        let text = serde_json::to_string(record).expect("a record");
        self.journal = Some(serde_json::from_str(&text).expect("what was just written"));
        None
    }
}
