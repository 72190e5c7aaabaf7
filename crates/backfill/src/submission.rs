//! Submitting one content exactly once: a state machine over a journal and an unreliable server.
//!
//! `Submission::step(event, moment)` takes what happened and gives back what to do next. It does no I/O: the caller
//! performs each [`Action`] and brings its answer as an [`Event`] with the same [`Token`].
//!
//! # The rules it keeps
//!
//! 1. **Journal before act.** Before a byte goes out that changes anything (a task, a shutdown) the journal has
//!    acknowledged a record that says so. Where the browser refuses to keep a journal, nothing is sent until the user
//!    has said that it may go on without one.
//! 2. **One writer.** A record carries a [`Stamp`]; the journal takes a record only over the stamp it was made from,
//!    and takes an id only once over all records. Of two tabs one loses the write, stops acting, and watches until
//!    the other's lease has run out.
//! 3. **Look before sending.** The affected chunks and the locks are read again before every send. Where they are not
//!    what the picture was drawn from, nothing is sent ([`End::Moved`]).
//! 4. **Ask before sending again.** After the first send of an id, every further send of it is preceded by a
//!    question for that id, answered "unknown". That the Overlord refuses an id it has (facts §5.2) would make
//!    sending twice harmless as long as it keeps its task rows; the question keeps it harmless where rows are kept in
//!    memory or cleaned away, and finds an accepted task whose answer was lost without sending anything.
//! 5. **One content, one id.** A record is keyed by its content. A new id for the same content is taken only when the
//!    run under the old one is known to have FAILED (Druid never runs a used id again), or, after a success, on the
//!    user's word.
//! 6. **A duplicate is a question, not a success.** It leads to a look at how the first run ended and at what it was
//!    made of.
//! 7. **Nothing ends silently.** Every ending is an [`End`] with the server's words; an ending that leaves open
//!    whether the server took the task says so and can be asked again.
//! 8. **What will never end is said.** A run whose lock was taken away stays RUNNING for ever: beside the looks at its
//!    status there are, more seldom, looks at its lock. They change what is told and nothing that is done.
//!
//! Not here: the forecast, the reading of HTTP answers (`druid::answer`), timers and storage (the console).

mod content;
mod event;
#[cfg(test)]
mod explorer;
mod locks;
mod machine;
mod open;
mod record;
mod state;
#[cfg(test)]
mod stories;
mod wish;

pub use content::{Difference, Sameness, same_content};
pub use event::{
    Action, Event, JournalAnswer, Moment, PayloadAnswer, RunnerStatus, StatusAnswer, Submitted, TaskCode,
    Token, Trouble,
};
pub use locks::{Has, LockStanding, LockWanted};
pub use machine::Submission;
pub use open::{Refusal, begin, resume};
pub use record::{AuditNote, DeadLetter, End, FORMAT, Me, Owner, Record, Run, Stage, Stamp, Try, Wait, Why};
pub use state::{State, Waiting};
pub use wish::{Body, Change, ChunkSeen, LockSeen, Name, Picture, Wish};
