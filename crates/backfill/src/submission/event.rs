//! What goes in and out of the state machine: questions, answers, and the two numbers it may not make itself.
//!
//! Always true: each action that waits for an answer carries a [`Token`], and an answer with an old token changes
//! nothing. So a late answer, a timer that fires twice or a cancelled request can do no harm.

use super::record::{AuditNote, Record, Stamp};
use super::wish::{Body, Picture};
use crate::retry::FailureClass;
use druid::lock::Held;

/// Ties an answer to its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token(pub u64);

/// The present, as an argument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The browser's clock, ms since 1970 UTC. It may jump: it is shown and journalled, and never makes a sleep
    /// longer than it was drawn.
    pub now_ms: i64,
    /// A fresh random number in `[0, 1)`.
    pub random: f64,
}

/// What the caller has to do. At most one answer is outstanding at any time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Action {
    /// Write the record, in one transaction: only if what is stored under [`Record::key`] has the stamp `expect`
    /// (None: nothing is stored), and only if no other record has one of [`Record::ids`] (in IndexedDB a unique
    /// multi-entry index). Answer: [`Event::Journalled`].
    Journal {
        /// For the answer.
        token: Token,
        /// What must be stored now.
        expect: Option<Stamp>,
        /// What is to be stored.
        record: Box<Record>,
    },
    /// Read the affected chunks and the locks on them. Answer: [`Event::Read`].
    ReadAgain {
        /// For the answer.
        token: Token,
    },
    /// Submit the task. A time limit counts as no answer. Answer: [`Event::Submitted`].
    Send {
        /// For the answer.
        token: Token,
        /// The id in the body.
        id: String,
        /// The whole request body, JSON.
        body: String,
    },
    /// Ask for a task's status. Answer: [`Event::Status`].
    AskStatus {
        /// For the answer.
        token: Token,
        /// The id.
        id: String,
    },
    /// Read all locks on the datasource. Answer: [`Event::Locks`].
    AskLocks {
        /// For the answer.
        token: Token,
    },
    /// Ask what a task was made of. Answer: [`Event::Payload`].
    AskPayload {
        /// For the answer.
        token: Token,
        /// The id.
        id: String,
    },
    /// Shut the task down. Answer: [`Event::ShutDown`].
    ShutDown {
        /// For the answer.
        token: Token,
        /// The id.
        id: String,
    },
    /// Read the segments and compare them with the forecast. Answer: [`Event::Compared`].
    Compare {
        /// For the answer.
        token: Token,
    },
    /// Wait by a timer that the clock cannot move. Answer: [`Event::Woke`].
    Sleep {
        /// For the answer.
        token: Token,
        /// How long, ms.
        ms: u64,
    },
    /// Read the stored record (another tab is acting). Answer: [`Event::JournalRead`].
    ReadJournal {
        /// For the answer.
        token: Token,
        /// The record's key.
        key: String,
    },
}

#[cfg(test)]
impl Action {
    /// The token that its answer carries.
    pub(super) fn token_mut(&mut self) -> &mut Token {
        match self {
            Action::Journal { token, .. }
            | Action::ReadAgain { token }
            | Action::Send { token, .. }
            | Action::AskStatus { token, .. }
            | Action::AskLocks { token }
            | Action::AskPayload { token, .. }
            | Action::ShutDown { token, .. }
            | Action::Compare { token }
            | Action::Sleep { token, .. }
            | Action::ReadJournal { token, .. } => token,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    /// The journal's answer.
    Journalled(Token, JournalAnswer),
    /// The chunks and locks as they are.
    Read(Token, Result<Picture, Trouble>),
    /// The answer to the submit.
    Submitted(Token, Submitted),
    /// The answer to a question for a status.
    Status(Token, StatusAnswer),
    /// The locks on the datasource; none where they could not be read, which stops nothing.
    Locks(Token, Option<Vec<Held>>),
    /// The answer to a question for a payload.
    Payload(Token, PayloadAnswer),
    /// The answer to a shutdown; an id the server does not know is not an error.
    ShutDown(Token, Result<(), Trouble>),
    /// What the comparison found.
    Compared(Token, Result<AuditNote, Trouble>),
    /// The timer fired.
    Woke(Token),
    /// The stored record, if there is one.
    JournalRead(Token, Option<Box<Record>>),
    /// The user wants it stopped.
    Cancel,
    /// The user says that it may go on: without a journal, or although time has passed.
    GoOn,
    /// The task's text with its secrets, which are not kept over a reload. It must be of the same content.
    Body(Body),
    /// The user wants an ended or given-up submission looked at again under the same id.
    TryAgain,
    /// The user wants this tab to act although another one holds the record. Safe at any time; two tabs that both
    /// insist only take turns.
    TakeOver,
    /// The tab is closing: give the record up so that another can go on at once.
    Leave,
}

/// The journal's answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum JournalAnswer {
    /// Written.
    Written,
    /// Something else was stored than expected; here it is.
    Conflict(Option<Box<Record>>),
    /// Another record has one of the ids; its key.
    IdTaken(String),
    /// Not written: private mode, quota, no storage. The browser's words.
    Unavailable(String),
}

/// Something that did not work.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Trouble {
    /// The kind.
    pub class: FailureClass,
    /// The words of the server, the gateway or the browser, in full.
    pub text: String,
    /// `Retry-After` in ms, where the server gave one.
    pub retry_after_ms: Option<u64>,
}

impl Trouble {
    /// Whether asking the same again cannot help (not allowed, no such endpoint, refused).
    pub fn is_lasting(&self) -> bool {
        matches!(
            self.class,
            FailureClass::Refused
                | FailureClass::NotAllowed
                | FailureClass::NoEndpoint
                | FailureClass::NotJson
        )
    }
}

/// How the server answered a submit, as `druid::answer` reads it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Submitted {
    /// 200 with our id.
    Accepted,
    /// The id is already used.
    Duplicate,
    /// Try again. It is never assumed that the task was *not* stored: the id is asked for first.
    Again(Trouble),
    /// Trying again cannot help; nothing was stored.
    Refused(Trouble),
}

/// What the server says of an id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StatusAnswer {
    /// It has no task with this id; its words.
    Unknown(String),
    /// It has one.
    Known {
        /// RUNNING, SUCCESS or FAILED.
        code: TaskCode,
        /// Where the runner has it.
        runner: RunnerStatus,
        /// `createdTime`.
        created_time: Option<String>,
        /// `errorMsg`.
        error_msg: Option<String>,
    },
    /// No usable answer.
    Trouble(Trouble),
}

/// `statusCode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskCode {
    /// Waiting, pending or running.
    Running,
    /// Over, published.
    Success,
    /// Over.
    Failed,
}

/// `runnerStatusCode`. Druid says WAITING for finished tasks as well: only of use while [`TaskCode::Running`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunnerStatus {
    /// Waits for a lock.
    Waiting,
    /// Waits for a worker slot.
    Pending,
    /// Runs on a worker.
    Running,
    /// Nothing said.
    None,
}

/// What the server stored under an id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PayloadAnswer {
    /// The `payload` object, JSON text.
    Stored(String),
    /// It has no task with this id.
    Unknown,
    /// No usable answer.
    Trouble(Trouble),
}
