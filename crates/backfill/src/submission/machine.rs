//! The state machine: what to do next, given what happened.
//!
//! Always true: a `Send` or a `ShutDown` leaves only from [`Submission::go`], and `go` is reached for them only
//! through a journal write that was acknowledged, or with the user's word that there is no journal.
//! At most one answer is outstanding; an answer with another token is dropped.
//!
//! Not here: how a submission begins or is taken up again ([`super::open`]), and how it is told to a person
//! ([`super::state`]).

use super::content::{Sameness, same_content};
use super::event::{
    Action, Event, JournalAnswer, Moment, PayloadAnswer, RunnerStatus, StatusAnswer, Submitted, TaskCode,
    Token, Trouble,
};
use super::record::{AuditNote, DeadLetter, End, Me, Owner, Record, Run, Stage, Stamp, Try, Wait, Why};
use super::wish::{Body, Name, Picture};
use crate::retry::FailureClass;

/// How long others only watch after a write, ms. Longer than the longest sleep between two writes plus what a
/// browser makes of it in a tab in the background (timers once a minute).
pub(super) const LEASE_MS: u64 = 120_000;
/// A lease is renewed before it has less than this left.
const LEASE_MARGIN_MS: u64 = 60_000;
/// How often a watching tab looks at the record.
pub(super) const WATCH_MS: u64 = 5_000;
/// A record that was not touched for longer is not sent from without asking the user.
pub(super) const LONG_AGO_MS: i64 = 15 * 60_000;
/// So often in a row an accepted id must be unknown before we believe it: a new leader reads its tasks first.
const UNKNOWN_IN_A_ROW: u32 = 3;

/// One content on its way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Submission {
    pub(super) record: Record,
    pub(super) me: Me,
    pub(super) phase: Phase,
    /// The last token given out.
    pub(super) token: u64,
    /// What the journal holds of this record.
    pub(super) saved: Option<Stamp>,
    /// Our take-over number.
    pub(super) fence: u64,
    pub(super) keeping: Keeping,
    /// Nothing is sent while this is false: the user was away for long.
    pub(super) may_send: bool,
    /// The record was taken up from the journal: what is found under its id is taken for ours.
    pub(super) resumed: bool,
    /// A shutdown has been asked for since this tab took the record up.
    pub(super) stopping: bool,
    /// What did not work since something last did.
    pub(super) trouble: Option<Trouble>,
    pub(super) runner: RunnerStatus,
    /// Looks at the running task so far.
    pub(super) looks: u32,
    /// Of these, the last so many found nothing.
    pub(super) unknown: u32,
    /// Failed shutdowns or comparisons so far.
    pub(super) retries: u32,
}

/// What is being waited for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Saving(After),
    Paused(Pause),
    Reading { asked: bool },
    Sending,
    Asking(Asked),
    Looking(Found),
    Following,
    Stopping,
    Comparing,
    Sleeping { after: After, since_ms: i64 },
    Watching { left_ms: u64, slept_ms: u64 },
    Rested,
}

/// Whether the journal works.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Keeping {
    On,
    /// The last write failed; what was to be kept is in memory and written with the next.
    Failing(String),
    /// The user said: without.
    Off,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Pause {
    /// The journal refused (the words); the user must say whether to go on without.
    NoJournal(String, After),
    /// Time has passed since the user wished for it; the user must say whether to go on.
    LongAgo { asked: bool },
    /// The task's secrets were not kept; the user must give them again.
    NoSecrets { asked: bool },
}

/// A sleep and what comes after it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct After {
    pub(super) sleep_ms: u64,
    pub(super) next: Next,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Next {
    /// Read chunks and locks; then send. `asked`: the id was just asked for and is unknown.
    Read {
        asked: bool,
    },
    Send,
    Ask,
    Follow,
    ShutDown,
    Compare,
    Rest,
}

/// Why an id is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// An earlier send may have arrived.
    BeforeSending,
    /// The server said that it has it.
    AfterDuplicate,
    /// The attempts are used up; one last look.
    AtTheEnd(Trouble),
}

/// A task that the server has under our id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Found {
    code: TaskCode,
    created_time: Option<String>,
    error_msg: Option<String>,
}

impl From<Next> for After {
    fn from(next: Next) -> After {
        After { sleep_ms: 0, next }
    }
}

impl Submission {
    /// The record as this tab knows it.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Takes in what happened at `moment` and says what to do.
    pub fn step(mut self, event: Event, moment: Moment) -> (Submission, Vec<Action>) {
        let actions = match event {
            Event::Cancel => self.cancel(moment),
            Event::GoOn => self.go_on(moment),
            Event::TryAgain => self.try_again(moment),
            Event::TakeOver => match self.phase {
                Phase::Watching { .. } => self.claim(moment),
                _ => vec![],
            },
            Event::Leave => self.leave(),
            Event::Body(body) => self.given_body(body, moment),
            Event::Journalled(token, answer) if self.awaits(token) => self.journalled(answer, moment),
            Event::Read(token, answer) if self.awaits(token) => self.read(answer, moment),
            Event::Submitted(token, answer) if self.awaits(token) => self.submitted(answer, moment),
            Event::Status(token, answer) if self.awaits(token) => self.status(answer, moment),
            Event::Payload(token, answer) if self.awaits(token) => self.payload(answer, moment),
            Event::ShutDown(token, answer) if self.awaits(token) => self.shut_down(answer, moment),
            Event::Compared(token, answer) if self.awaits(token) => self.compared(answer, moment),
            Event::Woke(token) if self.awaits(token) => self.woke(moment),
            Event::JournalRead(token, stored) if self.awaits(token) => self.journal_read(stored, moment),
            _ => vec![],
        };
        (self, actions)
    }

    fn awaits(&self, token: Token) -> bool {
        token.0 == self.token
    }

    fn fresh(&mut self) -> Token {
        self.token += 1;
        Token(self.token)
    }

    fn id(&self) -> String {
        self.record.run.name.id.clone()
    }

    // ------------------------------------------------------------------ doing

    /// Writes the record, then does `after`.
    pub(super) fn save(&mut self, after: After, moment: Moment) -> Vec<Action> {
        let waits = after.sleep_ms > 0 && matches!(after.next, Next::Read { .. } | Next::Ask);
        self.record.wait = waits.then_some(Wait { from_ms: moment.now_ms, ms: after.sleep_ms });
        if self.keeping == Keeping::Off {
            self.record.unrecorded = true;
            return self.go(after, moment);
        }
        let expect = self.saved;
        self.record.stamp = Stamp { fence: self.fence, seq: expect.map_or(0, |stamp| stamp.seq + 1) };
        self.record.touched_ms = moment.now_ms;
        let lease = LEASE_MS.saturating_add(after.sleep_ms);
        self.record.owner = (after.next != Next::Rest).then(|| Owner {
            tab: self.me.tab.clone(),
            until_ms: moment.now_ms.saturating_add_unsigned(lease),
        });
        self.phase = Phase::Saving(after);
        let token = self.fresh();
        vec![Action::Journal { token, expect, record: Box::new(self.record.clone()) }]
    }

    /// Does `after`, renewing the lease first where it would run out meanwhile.
    pub(super) fn go(&mut self, after: After, moment: Moment) -> Vec<Action> {
        if self.record.cancel {
            match after.next {
                Next::Read { .. } => return self.end_cancelled(moment),
                Next::Send => {
                    self.unsend();
                    return self.end_cancelled(moment);
                }
                Next::Follow if !self.stopping => {
                    self.stopping = true;
                    self.retries = 0;
                    return self.save(Next::ShutDown.into(), moment);
                }
                _ => {}
            }
        }
        let needed = after.sleep_ms.saturating_add(LEASE_MARGIN_MS);
        let until = self.record.owner.as_ref().map_or(i64::MIN, |owner| owner.until_ms);
        let lapses = until < moment.now_ms.saturating_add_unsigned(needed);
        if after.sleep_ms > 0 && lapses && self.keeping == Keeping::On {
            return self.save(after, moment);
        }
        self.go_now(after, moment)
    }

    fn go_now(&mut self, after: After, moment: Moment) -> Vec<Action> {
        let token = self.fresh();
        if after.sleep_ms > 0 {
            let ms = after.sleep_ms;
            self.phase = Phase::Sleeping { after, since_ms: moment.now_ms };
            return vec![Action::Sleep { token, ms }];
        }
        let id = self.id();
        match after.next {
            Next::Read { asked } if !self.may_send => {
                self.phase = Phase::Paused(Pause::LongAgo { asked });
                vec![]
            }
            Next::Read { asked } if !self.record.wish.body.is_whole() => {
                self.phase = Phase::Paused(Pause::NoSecrets { asked });
                vec![]
            }
            Next::Read { asked } => {
                self.phase = Phase::Reading { asked };
                vec![Action::ReadAgain { token }]
            }
            Next::Send => {
                self.phase = Phase::Sending;
                let body = self.record.wish.body.with_id(&id);
                vec![Action::Send { token, id, body }]
            }
            Next::Ask => self.ask(Asked::BeforeSending),
            Next::Follow => {
                self.phase = Phase::Following;
                vec![Action::AskStatus { token, id }]
            }
            Next::ShutDown => {
                self.phase = Phase::Stopping;
                vec![Action::ShutDown { token, id }]
            }
            Next::Compare => {
                self.phase = Phase::Comparing;
                vec![Action::Compare { token }]
            }
            Next::Rest => {
                self.phase = Phase::Rested;
                vec![]
            }
        }
    }

    fn ask(&mut self, why: Asked) -> Vec<Action> {
        self.phase = Phase::Asking(why);
        let (token, id) = (self.fresh(), self.id());
        vec![Action::AskStatus { token, id }]
    }

    /// What the record says of a send that in the end was not made.
    fn unsend(&mut self) {
        let run = &mut self.record.run;
        run.sent = run.sent.saturating_sub(1);
        if run.sent == 0 {
            run.stage = Stage::Intended;
        }
    }

    // ------------------------------------------------------------------ the journal's answers

    fn journalled(&mut self, answer: JournalAnswer, moment: Moment) -> Vec<Action> {
        let Phase::Saving(after) = self.phase.clone() else { return vec![] };
        match answer {
            JournalAnswer::Written => {
                self.saved = Some(self.record.stamp);
                self.keeping = Keeping::On;
                self.go(after, moment)
            }
            // Somebody else wrote. What we wanted to do is not done; what we know beyond their record is lost, and
            // they will find it out by asking the server.
            JournalAnswer::Conflict(Some(stored)) => self.watch(*stored, moment),
            // The record was deleted under us (site data cleared): write it anew.
            JournalAnswer::Conflict(None) => {
                self.saved = None;
                self.save(after, moment)
            }
            JournalAnswer::IdTaken(by) => {
                if after.next == Next::Send {
                    self.unsend();
                }
                self.record.run.stage = Stage::Ended(End::IdTaken { by });
                self.phase = Phase::Rested;
                vec![]
            }
            JournalAnswer::Unavailable(why) => {
                if after.next == Next::Rest {
                    self.keeping = Keeping::Failing(why);
                    return self.go_now(after, moment);
                }
                let held = self.saved.is_some_and(|stamp| stamp.fence == self.fence);
                if !held || matches!(after.next, Next::Send | Next::ShutDown) {
                    self.phase = Phase::Paused(Pause::NoJournal(why, after));
                    return vec![];
                }
                self.keeping = Keeping::Failing(why);
                self.go_now(after, moment)
            }
        }
    }

    /// Only watches what another tab does with the record.
    pub(super) fn watch(&mut self, stored: Record, moment: Moment) -> Vec<Action> {
        self.saved = Some(stored.stamp);
        self.record = stored;
        if self.record.is_over() {
            self.phase = Phase::Rested;
            return vec![];
        }
        let left_ms = self.record.lease_left_ms(moment.now_ms);
        if left_ms == 0 {
            return self.claim(moment);
        }
        self.watch_on(left_ms)
    }

    fn watch_on(&mut self, left_ms: u64) -> Vec<Action> {
        let ms = left_ms.min(WATCH_MS);
        self.phase = Phase::Watching { left_ms, slept_ms: ms };
        vec![Action::Sleep { token: self.fresh(), ms }]
    }

    fn journal_read(&mut self, stored: Option<Box<Record>>, moment: Moment) -> Vec<Action> {
        let Phase::Watching { left_ms, slept_ms } = self.phase else { return vec![] };
        match stored {
            None => {
                self.phase = Phase::Rested;
                vec![]
            }
            // Nobody wrote for as long as the lease had left by our own timer: whoever held it is gone.
            Some(stored) if stored.stamp == self.record.stamp => match left_ms.saturating_sub(slept_ms) {
                0 => self.claim(moment),
                left_ms => self.watch_on(left_ms),
            },
            Some(stored) => self.watch(*stored, moment),
        }
    }

    // ------------------------------------------------------------------ before the server has it

    fn read(&mut self, answer: Result<Picture, Trouble>, moment: Moment) -> Vec<Action> {
        let Phase::Reading { asked } = self.phase else { return vec![] };
        let picture = match answer {
            Ok(picture) => picture,
            Err(trouble) if trouble.is_lasting() => return self.refused(trouble, moment),
            Err(trouble) => return self.try_failed(trouble, moment),
        };
        if self.record.cancel {
            return self.end_cancelled(moment);
        }
        // A lock in our id's name: somebody (an earlier message of ours, another browser) has started it.
        if picture.locked_by(&self.record.run.name.id) && !asked {
            return self.ask(Asked::BeforeSending);
        }
        let changes = self.record.wish.picture.changes(&picture, &self.record.ids());
        if !changes.is_empty() {
            return self.end(End::Moved { changes }, moment);
        }
        self.record.run.sent += 1;
        self.record.run.stage = Stage::Sending;
        self.save(Next::Send.into(), moment)
    }

    fn submitted(&mut self, answer: Submitted, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Sending {
            return vec![];
        }
        match answer {
            Submitted::Accepted => self.running(None, moment),
            Submitted::Duplicate => self.ask(Asked::AfterDuplicate),
            Submitted::Again(trouble) => {
                // Only "come back later" is said before anything is stored. Everything else may hide an acceptance:
                // a metadata store that failed after its commit, a proxy that lost the answer.
                if trouble.class != FailureClass::Busy {
                    self.record.run.unclear = true;
                }
                self.try_failed(trouble, moment)
            }
            Submitted::Refused(trouble) => self.refused(trouble, moment),
        }
    }

    fn refused(&mut self, trouble: Trouble, moment: Moment) -> Vec<Action> {
        self.record.dead = Some(dead(Why::Refused, &trouble, 1, moment.now_ms, moment.now_ms));
        self.end(End::Refused { class: trouble.class, text: trouble.text }, moment)
    }

    /// One try to get the run accepted is over without success.
    fn try_failed(&mut self, trouble: Trouble, moment: Moment) -> Vec<Action> {
        let sending = self.phase == Phase::Sending;
        let policy = self.record.wish.policy;
        let run = &mut self.record.run;
        let tries = run.tries.len() as u32;
        let last = tries.saturating_add(1) >= policy.attempts;
        let delay = policy.delay_with_retry_after_ms(tries, moment.random, trouble.retry_after_ms);
        run.tries.push(Try {
            at_ms: moment.now_ms,
            class: trouble.class.clone(),
            text: trouble.text.clone(),
            delay_ms: (!last).then_some(delay),
        });
        if self.record.cancel && !run.unclear {
            return self.end_cancelled(moment);
        }
        if last {
            return if sending && run.unclear {
                self.ask(Asked::AtTheEnd(trouble))
            } else {
                self.give_up(trouble, moment)
            };
        }
        let next = if run.sent > 0 || self.resumed { Next::Ask } else { Next::Read { asked: false } };
        // Whoever cancels does not wait for a delay.
        let sleep_ms = if self.record.cancel && sending { 0 } else { delay };
        self.save(After { sleep_ms, next }, moment)
    }

    fn give_up(&mut self, trouble: Trouble, moment: Moment) -> Vec<Action> {
        let same: Vec<&Try> = self.record.run.tries.iter().filter(|t| t.class == trouble.class).collect();
        let first = same.first().map_or(moment.now_ms, |t| t.at_ms);
        self.record.dead =
            Some(dead(Why::AttemptsUsedUp, &trouble, same.len().max(1) as u32, first, moment.now_ms));
        self.end(End::GaveUp { class: trouble.class, text: trouble.text }, moment)
    }

    fn status(&mut self, answer: StatusAnswer, moment: Moment) -> Vec<Action> {
        match self.phase.clone() {
            Phase::Asking(why) => self.asked(why, answer, moment),
            Phase::Following => self.followed(answer, moment),
            _ => vec![],
        }
    }

    fn asked(&mut self, why: Asked, answer: StatusAnswer, moment: Moment) -> Vec<Action> {
        match answer {
            StatusAnswer::Known { code, created_time, error_msg, .. } => {
                self.phase = Phase::Looking(Found { code, created_time, error_msg });
                let (token, id) = (self.fresh(), self.id());
                vec![Action::AskPayload { token, id }]
            }
            StatusAnswer::Unknown(_) if self.record.cancel => self.end_cancelled(moment),
            StatusAnswer::Unknown(text) => match why {
                Asked::BeforeSending => self.go(Next::Read { asked: true }.into(), moment),
                Asked::AfterDuplicate => self.try_failed(
                    Trouble {
                        class: FailureClass::ServerTrouble,
                        text: format!("The server refused the id as used and then did not know it: {text}"),
                        retry_after_ms: None,
                    },
                    moment,
                ),
                Asked::AtTheEnd(trouble) => self.give_up(trouble, moment),
            },
            StatusAnswer::Trouble(trouble) => match why {
                Asked::AtTheEnd(first) => self.give_up(first, moment),
                _ if trouble.is_lasting() => self.give_up(trouble, moment),
                _ => self.try_failed(trouble, moment),
            },
        }
    }

    fn payload(&mut self, answer: PayloadAnswer, moment: Moment) -> Vec<Action> {
        let Phase::Looking(found) = self.phase.clone() else { return vec![] };
        let conflict = |differences, text: String| End::Conflict { differences, text };
        match answer {
            PayloadAnswer::Stored(stored) => {
                match same_content(&self.record.wish.body.with_id(&self.id()), &stored) {
                    Sameness::Same => self.adopt(found, moment),
                    Sameness::Differs(differences) => {
                        let text = format!(
                            "The server has another task under the id {}: its content is not this one.",
                            self.id()
                        );
                        self.end(conflict(differences, text), moment)
                    }
                    Sameness::Unreadable(why) => self.end(conflict(vec![], why), moment),
                }
            }
            PayloadAnswer::Unknown => self.try_failed(
                Trouble {
                    class: FailureClass::ServerTrouble,
                    text: "The server knew the id and a moment later did not.".to_owned(),
                    retry_after_ms: None,
                },
                moment,
            ),
            PayloadAnswer::Trouble(trouble) if trouble.is_lasting() => {
                let text =
                    format!("What is stored under the id {} could not be read: {}", self.id(), trouble.text);
                self.end(conflict(vec![], text), moment)
            }
            PayloadAnswer::Trouble(trouble) => self.try_failed(trouble, moment),
        }
    }

    /// The server has our content under our id.
    fn adopt(&mut self, found: Found, moment: Moment) -> Vec<Action> {
        let ours = self.record.run.unclear || self.resumed;
        self.record.run.created_time = found.created_time.clone();
        match found.code {
            TaskCode::Running if self.record.cancel && !ours => {
                let text = "A run of the same content, started elsewhere, goes on under this id. It was not stopped.";
                self.end(End::Cancelled { text: text.to_owned() }, moment)
            }
            TaskCode::Running => self.running(found.created_time, moment),
            TaskCode::Success if ours => self.succeeded(found.error_msg, moment),
            TaskCode::Success => self.end(End::Success { error_msg: found.error_msg, already: true }, moment),
            TaskCode::Failed => self.failed(found.error_msg, moment),
        }
    }

    // ------------------------------------------------------------------ while the server has it

    fn running(&mut self, created_time: Option<String>, moment: Moment) -> Vec<Action> {
        let run = &mut self.record.run;
        run.stage = Stage::Running;
        run.accepted_ms = Some(moment.now_ms);
        run.created_time = created_time.or(run.created_time.take());
        self.trouble = None;
        (self.looks, self.unknown, self.retries) = (0, 0, 0);
        let sleep_ms = self.record.wish.policy.poll_ms(0, moment.random);
        self.save(After { sleep_ms, next: Next::Follow }, moment)
    }

    fn followed(&mut self, answer: StatusAnswer, moment: Moment) -> Vec<Action> {
        let mut asked_to_wait = 0;
        match answer {
            StatusAnswer::Known { code, runner, created_time, error_msg } => {
                self.trouble = None;
                self.unknown = 0;
                self.runner = runner;
                if created_time.is_some() {
                    self.record.run.created_time = created_time;
                }
                match code {
                    TaskCode::Running => {}
                    TaskCode::Success => return self.succeeded(error_msg, moment),
                    TaskCode::Failed => return self.failed(error_msg, moment),
                }
            }
            StatusAnswer::Unknown(text) => {
                self.unknown += 1;
                if self.unknown >= UNKNOWN_IN_A_ROW {
                    self.record.run.ended_ms = Some(moment.now_ms);
                    self.record.run.stage = Stage::Ended(End::Vanished { text });
                    return self.save(Next::Compare.into(), moment);
                }
                self.trouble = Some(Trouble { class: FailureClass::Forgotten, text, retry_after_ms: None });
            }
            // One error, or a hundred, does not end the watch: the task goes on without us.
            StatusAnswer::Trouble(trouble) => {
                asked_to_wait = trouble.retry_after_ms.unwrap_or(0).min(self.record.wish.policy.poll_cap_ms);
                self.trouble = Some(trouble);
            }
        }
        self.looks = self.looks.saturating_add(1);
        let sleep_ms = self.record.wish.policy.poll_ms(self.looks, moment.random).max(asked_to_wait);
        self.go(After { sleep_ms, next: Next::Follow }, moment)
    }

    fn succeeded(&mut self, error_msg: Option<String>, moment: Moment) -> Vec<Action> {
        self.retries = 0;
        self.record.run.ended_ms = Some(moment.now_ms);
        self.record.run.stage = Stage::Ended(End::Success { error_msg, already: false });
        self.save(Next::Compare.into(), moment)
    }

    fn failed(&mut self, error_msg: Option<String>, moment: Moment) -> Vec<Action> {
        let class = FailureClass::of_run(error_msg.as_deref());
        let text = error_msg.unwrap_or_default();
        self.record.run.ended_ms = Some(moment.now_ms);
        if self.record.cancel && class == FailureClass::Shutdown {
            return self.end(End::Cancelled { text: format!("The task was shut down: {text}") }, moment);
        }
        let trouble = Trouble { class: class.clone(), text: text.clone(), retry_after_ms: None };
        let stopped = self.record.cancel || class == FailureClass::Shutdown;
        self.record.run.stage = Stage::Ended(End::Failed { class, text });
        let (times, first_ms) = self.record.same_failures();
        let why = match self.next_name() {
            _ if stopped => return self.save(Next::Rest.into(), moment),
            _ if times >= self.record.wish.policy.poison => Why::Poison,
            None => Why::RunsUsedUp,
            Some(name) => {
                let failures = self.record.failures().len() as u32;
                let sleep_ms = self.record.wish.policy.delay_ms(failures.saturating_sub(1), moment.random);
                let over = std::mem::replace(&mut self.record.run, Run::new(name));
                self.record.past.push(over);
                // A record taken up may know less than was done (a journal that refused): ask for the new id as well.
                let next = if self.resumed { Next::Ask } else { Next::Read { asked: false } };
                return self.save(After { sleep_ms, next }, moment);
            }
        };
        self.record.dead = Some(dead(why, &trouble, times, first_ms, moment.now_ms));
        self.save(Next::Rest.into(), moment)
    }

    /// The first planned name whose id this content has not had.
    fn next_name(&self) -> Option<Name> {
        let used = self.record.ids();
        self.record.wish.names.iter().find(|name| !used.contains(&name.id.as_str())).cloned()
    }

    fn shut_down(&mut self, answer: Result<(), Trouble>, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Stopping {
            return vec![];
        }
        let policy = self.record.wish.policy;
        if let Err(trouble) = answer {
            let lasting = trouble.is_lasting();
            let retry_after = trouble.retry_after_ms;
            self.trouble = Some(trouble);
            self.retries = self.retries.saturating_add(1);
            if !lasting && self.retries < policy.attempts {
                let sleep_ms =
                    policy.delay_with_retry_after_ms(self.retries - 1, moment.random, retry_after).max(1);
                return self.go(After { sleep_ms, next: Next::ShutDown }, moment);
            }
        } else {
            self.trouble = None;
        }
        (self.looks, self.unknown) = (0, 0);
        self.go(After { sleep_ms: policy.poll_ms(0, moment.random), next: Next::Follow }, moment)
    }

    fn compared(&mut self, answer: Result<AuditNote, Trouble>, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Comparing {
            return vec![];
        }
        let trouble = match answer {
            Ok(note) => {
                self.trouble = None;
                self.record.run.audit = Some(note);
                return self.save(Next::Rest.into(), moment);
            }
            Err(trouble) => trouble,
        };
        let policy = self.record.wish.policy;
        let (lasting, retry_after) = (trouble.is_lasting(), trouble.retry_after_ms);
        self.trouble = Some(trouble);
        self.retries = self.retries.saturating_add(1);
        if lasting || self.retries >= policy.attempts {
            return self.save(Next::Rest.into(), moment);
        }
        let sleep_ms = policy.delay_with_retry_after_ms(self.retries - 1, moment.random, retry_after).max(1);
        self.go(After { sleep_ms, next: Next::Compare }, moment)
    }

    // ------------------------------------------------------------------ endings, and the user's word

    fn end(&mut self, end: End, moment: Moment) -> Vec<Action> {
        self.record.run.ended_ms.get_or_insert(moment.now_ms);
        self.record.run.stage = Stage::Ended(end);
        self.save(Next::Rest.into(), moment)
    }

    fn end_cancelled(&mut self, moment: Moment) -> Vec<Action> {
        let text = if self.record.run.unclear {
            "The server did not know the id when it was last asked. A message sent before that may still reach it: \
             look again later."
        } else {
            "Nothing was sent under this id."
        };
        self.end(End::Cancelled { text: text.to_owned() }, moment)
    }

    fn cancel(&mut self, moment: Moment) -> Vec<Action> {
        let over = self.record.run.end().is_some();
        if over || self.record.cancel || matches!(self.phase, Phase::Watching { .. } | Phase::Rested) {
            return vec![];
        }
        self.record.cancel = true;
        match self.phase.clone() {
            // An answer is on its way; what it says decides.
            Phase::Saving(_) | Phase::Sending | Phase::Asking(_) | Phase::Looking(_) | Phase::Stopping => {
                vec![]
            }
            Phase::Reading { .. } | Phase::Paused(Pause::LongAgo { .. } | Pause::NoSecrets { .. }) => {
                self.end_cancelled(moment)
            }
            Phase::Paused(Pause::NoJournal(_, after)) => match after.next {
                Next::Read { .. } | Next::Send | Next::Follow => self.go(after.next.into(), moment),
                _ => vec![],
            },
            Phase::Following => self.go(Next::Follow.into(), moment),
            Phase::Sleeping { after, .. } => match after.next {
                Next::Compare | Next::ShutDown => {
                    vec![]
                }
                next => self.go(next.into(), moment),
            },
            Phase::Comparing | Phase::Watching { .. } | Phase::Rested => vec![],
        }
    }

    fn go_on(&mut self, moment: Moment) -> Vec<Action> {
        match self.phase.clone() {
            Phase::Paused(Pause::NoJournal(_, after)) => {
                self.keeping = Keeping::Off;
                self.record.unrecorded = true;
                self.go(after, moment)
            }
            Phase::Paused(Pause::LongAgo { asked }) => {
                self.may_send = true;
                self.go(Next::Read { asked }.into(), moment)
            }
            _ => vec![],
        }
    }

    fn given_body(&mut self, body: Body, moment: Moment) -> Vec<Action> {
        std::sync::Arc::make_mut(&mut self.record.wish).body = body;
        match self.phase {
            Phase::Paused(Pause::NoSecrets { asked }) => self.go(Next::Read { asked }.into(), moment),
            _ => vec![],
        }
    }

    fn try_again(&mut self, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Rested {
            return vec![];
        }
        let run = &mut self.record.run;
        let next = match &run.stage {
            Stage::Ended(End::Success { already: false, .. } | End::Vanished { .. })
                if run.audit.is_none() =>
            {
                Next::Compare
            }
            Stage::Ended(End::Vanished { .. }) => {
                run.stage = Stage::Running;
                run.audit = None;
                Next::Follow
            }
            // Cancelled with a message on its way: look whether it arrived. `cancel` stays: it is stopped if so.
            Stage::Ended(End::Cancelled { .. }) if run.unclear => {
                run.stage = Stage::Sending;
                Next::Ask
            }
            Stage::Ended(End::GaveUp { .. } | End::Refused { .. }) => {
                run.stage = if run.sent > 0 { Stage::Sending } else { Stage::Intended };
                if run.sent > 0 { Next::Ask } else { Next::Read { asked: false } }
            }
            _ => return vec![],
        };
        if next != Next::Compare {
            run.tries.clear();
            run.ended_ms = None;
            self.record.dead = None;
        }
        self.may_send = true;
        self.stopping = false;
        (self.looks, self.unknown, self.retries) = (0, 0, 0);
        self.fence = self.record.stamp.fence + 1;
        self.save(next.into(), moment)
    }

    fn woke(&mut self, moment: Moment) -> Vec<Action> {
        match self.phase.clone() {
            Phase::Sleeping { after, .. } => self.go(after.next.into(), moment),
            Phase::Watching { .. } => {
                let (token, key) = (self.fresh(), self.record.key().to_owned());
                vec![Action::ReadJournal { token, key }]
            }
            _ => vec![],
        }
    }

    /// Gives the record up. What is on its way is left to whoever takes it up next.
    fn leave(&mut self) -> Vec<Action> {
        let holds = !matches!(self.phase, Phase::Watching { .. } | Phase::Rested);
        let held = self.saved.is_some() || matches!(self.phase, Phase::Saving(_));
        let expect = match self.phase {
            // The write on its way comes first; this one goes over it.
            Phase::Saving(_) => Some(self.record.stamp),
            _ => self.saved,
        };
        self.phase = Phase::Rested;
        if !holds || !held || self.keeping == Keeping::Off {
            return vec![];
        }
        let Some(stamp) = expect else { return vec![] };
        self.record.stamp = Stamp { fence: self.fence, seq: stamp.seq + 1 };
        self.record.owner = None;
        vec![Action::Journal { token: self.fresh(), expect, record: Box::new(self.record.clone()) }]
    }
}

fn dead(why: Why, trouble: &Trouble, times: u32, first_seen_ms: i64, last_seen_ms: i64) -> DeadLetter {
    DeadLetter {
        why,
        class: trouble.class.clone(),
        times,
        first_seen_ms,
        last_seen_ms,
        text: trouble.text.clone(),
        clears: trouble.class.clears().to_owned(),
    }
}
