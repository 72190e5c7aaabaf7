//! The state machine: what to do next, given what happened.
//!
//! Always true: a `Send` or a `ShutDown` leaves only from [`Submission::go`], and `go` is reached for them only
//! through a journal write that was acknowledged, or with the user's word that there is no journal.
//! At most one answer is outstanding; an answer with another token is dropped.
//!
//! Not here: how a submission begins or is taken up again ([`super::open`]), and how it is told to a person
//! ([`super::state`]).

mod answers;
mod user;

use super::content::{Sameness, same_content};
use super::event::{
    Action, Event, JournalAnswer, Moment, PayloadAnswer, RunnerStatus, StatusAnswer, Submitted, TaskCode,
    Token, Trouble,
};
use super::locks::{LockWatch, Watched};
use super::record::{AuditNote, DeadLetter, End, Me, Owner, Record, Run, Stage, Stamp, Try, Wait, Why};
use super::wish::{Body, Name, Picture};
use crate::retry::FailureClass;
use druid::lock::Held;

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
    /// Where the runner has the task, as the last look said; [`RunnerStatus::None`] before the first.
    pub(super) runner: RunnerStatus,
    /// What the looks at its locks say.
    pub(super) locks: LockWatch,
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
    Reading {
        asked: bool,
    },
    Sending,
    Asking(Asked),
    Looking(Found),
    Following,
    SeeingLocks,
    /// Its locks are not there and may not have to be: what it was made of says.
    DoubtingLocks,
    Stopping,
    Comparing,
    Sleeping {
        after: After,
        since_ms: i64,
    },
    Watching {
        left_ms: u64,
        slept_ms: u64,
    },
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
            Event::Locks(token, answer) if self.awaits(token) => self.locks_seen(answer, moment),
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
