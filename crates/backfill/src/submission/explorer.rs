//! Every interleaving of a submission with a small Overlord, two tabs and things that go wrong, by brute force.
//!
//! The model Overlord does what facts §5.2 says and nothing more: it refuses an id it has, whatever its state. The
//! journal does what [`super::Action::Journal`] demands. Everything else is adversary: answers get lost, messages
//! arrive late, tabs die between any two steps, the journal refuses, a leader changes, a run fails.
//!
//! Held on every reachable state:
//! - no content runs twice: a task is accepted only when every earlier task of the content has FAILED;
//! - another id of the same content is sent only when the run under every earlier id has FAILED;
//! - nothing is sent that the journal does not say is being sent;
//! - no id is sent again without having been asked for, and found absent, since the last time;
//! - nothing is lost silently: whatever has happened, a tab opened now comes to an end that agrees with the server,
//!   or says that it is open.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a model checker stops at the first broken rule, and says how far it looked"
)]

use super::*;
use crate::retry::{FailureClass, Policy};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One way in which what was asked for can turn out: what happens, and what it does to the world.
type Way<'a> = (String, Box<dyn Fn(&mut World) + 'a>);

/// How often the adversary may do what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Budget {
    /// Answers lost, delayed, refused; leader changes.
    faults: u8,
    /// Tabs killed.
    crashes: u8,
    /// Tabs (re)opened.
    opens: u8,
    /// Runs that fail.
    failures: u8,
    /// Journal writes refused.
    refusals: u8,
    /// Times that the user cancels.
    cancels: u8,
    /// Times that a watching tab insists.
    takeovers: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Task {
    body: String,
    code: TaskCode,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Tab {
    submission: Option<Submission>,
    /// What it waits for.
    pending: Vec<Action>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    journal: Option<Record>,
    server: BTreeMap<String, Task>,
    /// Messages on their way: (id, body).
    wire: Vec<(String, String)>,
    tabs: [Tab; 2],
    left: Budget,
    /// Ids sent at least once; true: asked for and found absent since.
    sent: BTreeMap<String, bool>,
}

const NOW: Moment = Moment { now_ms: 1_000_000, random: 0.5 };
const IDS: [&str; 3] = ["a1", "a2", "a3"];

fn wish() -> Wish {
    Wish {
        content: "content".into(),
        datasource: "d".into(),
        names: IDS.iter().map(|id| Name { version: id.to_uppercase(), id: (*id).into() }).collect(),
        body: Body::plain("{\"type\":\"noop\",\"id\":", "}"),
        picture: Picture::default(),
        policy: Policy { attempts: 3, ..Policy::default() },
        again: false,
    }
}

fn trouble(class: FailureClass) -> Trouble {
    Trouble { class, text: "words".into(), retry_after_ms: None }
}

impl World {
    fn new(left: Budget) -> World {
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
    fn open(&mut self, at: usize) {
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

    fn take(&mut self, at: usize, mut submission: Submission, actions: Vec<Action>) {
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
        // Any time may pass: a lease has as much left as one look takes.
        if let machine::Phase::Watching { left_ms, slept_ms } = &mut submission.phase {
            *left_ms = *slept_ms;
        }
        self.tabs[at].pending = (actions.into_iter())
            .filter_map(|mut action| {
                let token = match &mut action {
                    Action::Journal { token, .. }
                    | Action::ReadAgain { token }
                    | Action::Send { token, .. }
                    | Action::AskStatus { token, .. }
                    | Action::AskPayload { token, .. }
                    | Action::ShutDown { token, .. }
                    | Action::Compare { token }
                    | Action::Sleep { token, .. }
                    | Action::ReadJournal { token, .. } => token,
                };
                let awaited = std::mem::replace(token, Token(0)).0 == current;
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
    fn arrives(&mut self, id: &str, body: &str) -> bool {
        if self.server.contains_key(id) {
            return false;
        }
        for (other, task) in &self.server {
            assert_eq!(task.code, TaskCode::Failed, "the content runs twice: {other} and {id}");
        }
        self.server.insert(id.into(), Task { body: body.into(), code: TaskCode::Running });
        true
    }

    /// A submit is on its way; a second one like it would only be refused once more.
    fn travels(&mut self, id: &str, body: &str) {
        let message = (id.to_owned(), body.to_owned());
        if !self.wire.contains(&message) {
            self.wire.push(message);
        }
    }

    fn event(&mut self, at: usize, event: Event) {
        self.tabs[at].pending.clear();
        let submission = self.tabs[at].submission.take().expect("an open tab");
        let (submission, actions) = submission.step(event, NOW);
        self.take(at, submission, actions);
    }

    fn status_of(&self, id: &str) -> StatusAnswer {
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
    fn write(&mut self, expect: Option<Stamp>, record: &Record) -> Option<Option<Box<Record>>> {
        if self.journal.as_ref().map(|stored| stored.stamp) != expect {
            return Some(self.journal.clone().map(Box::new));
        }
        // What is kept is what comes back from storage: through serde.
        let text = serde_json::to_string(record).expect("a record");
        self.journal = Some(serde_json::from_str(&text).expect("what was just written"));
        None
    }

    /// Everything that can happen next.
    fn successors(&self) -> Vec<(String, World)> {
        let mut next = Vec::new();
        let mut add = |label: String, change: &dyn Fn(&mut World)| {
            let mut world = self.clone();
            change(&mut world);
            next.push((label, world));
        };
        for at in 0..2 {
            let tab = &self.tabs[at];
            let Some(submission) = &tab.submission else {
                if self.left.opens > 0 {
                    add(format!("open {at}"), &|w| {
                        w.left.opens -= 1;
                        w.open(at);
                    });
                }
                continue;
            };
            if self.left.crashes > 0 {
                let crash = move |w: &mut World| {
                    w.left.crashes -= 1;
                    w.tabs[at] = Tab::default();
                };
                add(format!("crash {at}"), &crash);
                match tab.pending.first() {
                    Some(Action::Send { id, body, .. }) => {
                        add(format!("crash {at}, the message goes out"), &|w| {
                            crash(w);
                            w.travels(id, body);
                        })
                    }
                    Some(Action::Journal { expect, record, .. }) => {
                        add(format!("crash {at}, the record is written"), &|w| {
                            crash(w);
                            w.write(*expect, record);
                        });
                    }
                    _ => {}
                }
            }
            if self.left.cancels > 0 && submission.can_cancel() {
                add(format!("cancel {at}"), &|w| {
                    w.left.cancels -= 1;
                    let kept = w.tabs[at].pending.clone();
                    let phase = w.tabs[at].submission.as_ref().map(|s| s.phase.clone());
                    w.event(at, Event::Cancel);
                    // Where the cancel only set a mark, the answer is still awaited.
                    if w.tabs[at].submission.as_ref().map(|s| s.phase.clone()) == phase {
                        w.tabs[at].pending = kept;
                    }
                });
            }
            if matches!(submission.state(), State::NeedsWordWithoutJournal(_)) {
                add(format!("go on {at}"), &|w| w.event(at, Event::GoOn));
            }
            if self.left.takeovers > 0 && matches!(submission.state(), State::Watching { .. }) {
                add(format!("take over {at}"), &|w| {
                    w.left.takeovers -= 1;
                    w.event(at, Event::TakeOver);
                });
            }
            // Two tabs can take turns for ever; twice show all that there is to see.
            if matches!(submission.phase, machine::Phase::Watching { .. })
                && submission.record().stamp.fence > 2
            {
                continue;
            }
            for action in &tab.pending {
                for (label, change) in World::answers(self.left, at, action) {
                    add(format!("{at}: {label}"), &change);
                }
            }
        }
        for (index, (id, body)) in self.wire.iter().enumerate() {
            add(format!("{id} arrives late"), &|w| {
                w.wire.remove(index);
                w.arrives(id, body);
            });
        }
        for (id, task) in self.server.iter().filter(|(_, task)| task.code == TaskCode::Running) {
            let ends = |code| {
                let (id, body) = (id.clone(), task.body.clone());
                move |w: &mut World| {
                    w.server.insert(id.clone(), Task { body: body.clone(), code });
                }
            };
            add(format!("{id} succeeds"), &ends(TaskCode::Success));
            if self.left.failures > 0 {
                let fails = ends(TaskCode::Failed);
                add(format!("{id} fails"), &|w| {
                    w.left.failures -= 1;
                    fails(w);
                });
            }
        }
        next
    }

    /// The ways in which what a tab asked for can turn out.
    fn answers<'a>(left: Budget, at: usize, action: &'a Action) -> Vec<Way<'a>> {
        let mut ways: Vec<Way<'a>> = Vec::new();
        let faulty = left.faults > 0;
        match action {
            Action::Journal { token, expect, record } => {
                ways.push((
                    "writes".into(),
                    Box::new(move |w| {
                        let answer = match w.write(*expect, record) {
                            None => JournalAnswer::Written,
                            Some(stored) => JournalAnswer::Conflict(stored),
                        };
                        w.event(at, Event::Journalled(*token, answer));
                    }),
                ));
                if left.refusals > 0 {
                    ways.push((
                        "the journal refuses".into(),
                        Box::new(move |w| {
                            w.left.refusals -= 1;
                            w.event(
                                at,
                                Event::Journalled(*token, JournalAnswer::Unavailable("private mode".into())),
                            );
                        }),
                    ));
                }
            }
            Action::ReadAgain { token } => {
                ways.push((
                    "reads again".into(),
                    Box::new(move |w| w.event(at, Event::Read(*token, Ok(Picture::default())))),
                ));
                if faulty {
                    ways.push((
                        "reads: no leader".into(),
                        Box::new(move |w| {
                            w.left.faults -= 1;
                            w.event(at, Event::Read(*token, Err(trouble(FailureClass::NoLeader))));
                        }),
                    ));
                }
            }
            Action::Send { token, id, body } => {
                ways.push((
                    "sends".into(),
                    Box::new(move |w| {
                        let accepted = w.arrives(id, body);
                        let answer = if accepted { Submitted::Accepted } else { Submitted::Duplicate };
                        w.event(at, Event::Submitted(*token, answer));
                    }),
                ));
                if faulty {
                    let again = |label: &str, class: FailureClass, stored: bool, late: bool| {
                        let class = class.clone();
                        let change = move |w: &mut World| {
                            w.left.faults -= 1;
                            if stored {
                                w.arrives(id, body);
                            }
                            if late {
                                w.travels(id, body);
                            }
                            w.event(at, Event::Submitted(*token, Submitted::Again(trouble(class.clone()))));
                        };
                        (label.to_owned(), Box::new(change) as Box<dyn Fn(&mut World)>)
                    };
                    ways.push(again("sends, the answer is lost", FailureClass::NoAnswer, true, false));
                    ways.push(again("sends, the message is lost", FailureClass::NoAnswer, false, false));
                    ways.push(again("sends, the message is late", FailureClass::NoAnswer, false, true));
                    ways.push(again("sends: no leader", FailureClass::NoLeader, false, false));
                    ways.push(again("sends: busy", FailureClass::Busy, false, false));
                }
            }
            Action::AskStatus { token, id } => {
                ways.push((
                    "asks".into(),
                    Box::new(move |w| {
                        let answer = w.status_of(id);
                        if let (StatusAnswer::Unknown(_), Some(asked)) = (&answer, w.sent.get_mut(id)) {
                            *asked = true;
                        }
                        w.event(at, Event::Status(*token, answer));
                    }),
                ));
                if faulty {
                    ways.push((
                        "asks: no leader".into(),
                        Box::new(move |w| {
                            w.left.faults -= 1;
                            w.event(
                                at,
                                Event::Status(*token, StatusAnswer::Trouble(trouble(FailureClass::NoLeader))),
                            );
                        }),
                    ));
                }
            }
            Action::AskPayload { token, id } => {
                ways.push((
                    "looks".into(),
                    Box::new(move |w| {
                        let answer = match w.server.get(id) {
                            Some(task) => PayloadAnswer::Stored(task.body.clone()),
                            None => PayloadAnswer::Unknown,
                        };
                        w.event(at, Event::Payload(*token, answer));
                    }),
                ));
                if faulty {
                    ways.push((
                        "looks: no answer".into(),
                        Box::new(move |w| {
                            w.left.faults -= 1;
                            let answer = PayloadAnswer::Trouble(trouble(FailureClass::NoAnswer));
                            w.event(at, Event::Payload(*token, answer));
                        }),
                    ));
                }
            }
            Action::ShutDown { token, id } => {
                let stop = move |w: &mut World| {
                    if let Some(task) = w.server.get_mut(id).filter(|task| task.code == TaskCode::Running) {
                        task.code = TaskCode::Failed;
                    }
                };
                ways.push((
                    "shuts down".into(),
                    Box::new(move |w| {
                        stop(w);
                        w.event(at, Event::ShutDown(*token, Ok(())));
                    }),
                ));
                if faulty {
                    ways.push((
                        "shuts down, the answer is lost".into(),
                        Box::new(move |w| {
                            w.left.faults -= 1;
                            stop(w);
                            w.event(at, Event::ShutDown(*token, Err(trouble(FailureClass::NoAnswer))));
                        }),
                    ));
                }
            }
            Action::Compare { token } => {
                let note = AuditNote { as_foreseen: true, line: "As foreseen.".into() };
                ways.push((
                    "compares".into(),
                    Box::new(move |w| w.event(at, Event::Compared(*token, Ok(note.clone())))),
                ));
            }
            Action::Sleep { token, .. } => {
                ways.push(("wakes".into(), Box::new(move |w| w.event(at, Event::Woke(*token)))));
            }
            Action::ReadJournal { token, .. } => {
                ways.push((
                    "reads the journal".into(),
                    Box::new(move |w| {
                        let stored = w.journal.clone().map(Box::new);
                        w.event(at, Event::JournalRead(*token, stored));
                    }),
                ));
            }
        }
        ways
    }

    /// Everybody leaves, what is on its way arrives, and somebody opens a tab on a day without trouble.
    fn settles(&self) {
        let mut world = self.clone();
        world.tabs = Default::default();
        for (id, body) in std::mem::take(&mut world.wire) {
            world.arrives(&id, &body);
        }
        let Some(record) = world.journal.clone() else {
            assert!(
                world.server.is_empty() || self.without_journal(),
                "something was sent and nothing was kept"
            );
            return;
        };
        let (submission, actions) = resume(record, Me { tab: "tab 9".into() }, NOW);
        world.take(0, submission, actions);
        for _ in 0..200 {
            let running: Vec<String> = world.server.keys().cloned().collect();
            let Some(action) = world.tabs[0].pending.first().cloned() else { break };
            // What runs succeeds as soon as somebody looks at it twice.
            if matches!(action, Action::Sleep { .. }) {
                for id in running {
                    if let Some(task) =
                        world.server.get_mut(&id).filter(|task| task.code == TaskCode::Running)
                    {
                        task.code = TaskCode::Success;
                    }
                }
            }
            let mut ways = World::answers(NOTHING, 0, &action);
            assert_eq!(ways.len(), 1, "without trouble there is one way");
            if let Some((_, way)) = ways.pop() {
                way(&mut world);
            }
        }
        let submission = world.tabs[0].submission.clone().expect("the tab that was opened");
        world.agrees(&submission, self);
    }

    fn without_journal(&self) -> bool {
        self.tabs.iter().flat_map(|tab| &tab.submission).any(|s| s.record().unrecorded)
            || self.left.refusals == 0
    }

    /// What the record says in the end is what the server has.
    fn agrees(&self, submission: &Submission, origin: &World) {
        let record = submission.record();
        assert!(record.is_over(), "it came to no end: {:?} from {origin:#?}", submission.state());
        for (id, task) in &self.server {
            assert!(record.ids().contains(&id.as_str()), "{id} runs and nothing says so");
            let run =
                record.past.iter().chain([&record.run]).find(|run| run.name.id == *id).expect("found above");
            let agrees = match (run.end(), task.code) {
                (Some(End::Success { .. }), TaskCode::Success) => true,
                (Some(End::Failed { .. }), TaskCode::Failed) => true,
                (Some(End::Cancelled { .. }), TaskCode::Failed) => true,
                (Some(End::Cancelled { text }), _) if text.contains("started elsewhere") => true,
                _ => record.is_open(),
            };
            assert!(agrees, "{id} is {:?} and the record says {:?}", task.code, run.stage);
        }
        if let Some(End::Success { already, .. }) = record.run.end() {
            let task = self.server.get(&record.run.name.id);
            assert_eq!(task.map(|task| task.code), Some(TaskCode::Success));
            let _ = already;
        }
    }
}

/// A number that stands for a state; at a million states the odds of two alike are 1 in 10^7.
fn key(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Explores everything reachable; the number of states, and how often each ending was seen.
fn explore(left: Budget) -> (usize, BTreeMap<String, usize>) {
    let mut start = World::new(left);
    start.open(0);
    let mut seen: HashSet<u64> = HashSet::from([key(&start)]);
    let mut settled: HashSet<u64> = HashSet::new();
    // How each state was reached, to tell the story of a broken rule.
    let mut reached: Vec<(usize, String)> = vec![(0, String::new())];
    let mut queue = VecDeque::from([(0, start)]);
    let mut endings = BTreeMap::new();
    while let Some((number, world)) = queue.pop_front() {
        let step = std::panic::AssertUnwindSafe(|| {
            // What a tab opened afterwards finds depends on nothing else.
            if settled.insert(key(&(&world.journal, &world.server, &world.wire, &world.sent))) {
                world.settles();
            }
            world.successors()
        });
        let next = match std::panic::catch_unwind(step) {
            Ok(next) => next,
            Err(failure) => {
                let mut story = Vec::new();
                let mut at = number;
                while at != 0 {
                    story.push(reached[at].1.clone());
                    at = reached[at].0;
                }
                story.reverse();
                eprintln!("after: {}", story.join(" · "));
                std::panic::resume_unwind(failure);
            }
        };
        for submission in world.tabs.iter().flat_map(|tab| &tab.submission) {
            if let State::Ended(end) = submission.state() {
                let name = format!("{end:?}");
                let name = name.split([' ', '{', '(']).next().unwrap_or("").to_owned();
                *endings.entry(name).or_insert(0) += 1;
            }
        }
        for (label, world) in next {
            if seen.insert(key(&world)) {
                queue.push_back((reached.len(), world));
                reached.push((number, label));
            }
        }
    }
    (reached.len(), endings)
}

const NOTHING: Budget =
    Budget { faults: 0, crashes: 0, opens: 0, failures: 0, refusals: 0, cancels: 0, takeovers: 0 };

fn explored(name: &str, left: Budget, ends: &[&str]) {
    let (states, endings) = explore(left);
    println!("{name}: {states} states, endings {endings:?}");
    for end in ends {
        assert!(endings.contains_key(*end), "{name} never ended as {end}: {endings:?}");
    }
}

#[test]
fn no_interleaving_of_lost_answers_late_messages_and_leader_changes_runs_a_content_twice_or_loses_it() {
    explored("faults", Budget { faults: 3, ..NOTHING }, &["Success", "GaveUp"]);
}

#[test]
fn no_interleaving_with_failing_runs_takes_a_new_id_before_the_old_run_is_known_to_have_failed() {
    explored("failures", Budget { failures: 3, ..NOTHING }, &["Success", "Failed"]);
    explored("a failure and a fault", Budget { faults: 1, failures: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn no_crash_at_any_moment_runs_a_content_twice_or_loses_it() {
    explored("crash", Budget { crashes: 1, opens: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn two_tabs_on_one_plan_never_run_it_twice() {
    explored("tabs", Budget { opens: 1, takeovers: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn a_journal_that_refuses_at_any_moment_never_leads_to_a_second_run() {
    explored("journal", Budget { faults: 1, refusals: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn a_cancel_at_any_moment_ends_in_agreement_with_the_server() {
    explored("cancel", Budget { faults: 1, cancels: 1, failures: 1, ..NOTHING }, &["Success", "Cancelled"]);
}

/// The same with more going wrong at once. `cargo test --release -p backfill explorer -- --ignored --nocapture`
#[test]
#[ignore = "minutes; run before changing the protocol"]
fn nothing_that_goes_wrong_together_runs_a_content_twice_or_loses_it() {
    explored("deep faults", Budget { faults: 5, failures: 1, ..NOTHING }, &["Success", "GaveUp"]);
    explored("deep failures", Budget { faults: 2, failures: 3, ..NOTHING }, &["Success", "Failed"]);
    explored("deep crash", Budget { faults: 1, crashes: 1, opens: 1, failures: 1, ..NOTHING }, &["Success"]);
    explored("deep tabs", Budget { faults: 1, opens: 1, takeovers: 1, ..NOTHING }, &["Success"]);
    explored("deep journal", Budget { faults: 1, refusals: 2, failures: 1, ..NOTHING }, &["Success"]);
    explored("deep journal and tabs", Budget { refusals: 1, crashes: 1, opens: 1, ..NOTHING }, &["Success"]);
    explored("deep cancel", Budget { cancels: 1, crashes: 1, opens: 1, ..NOTHING }, &["Cancelled"]);
}
