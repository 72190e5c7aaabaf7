//! Kinds of failure, so that "the same failure again" has a meaning.
//!
//! A class comes from the answer to a submit (`submission` chooses it) or from the `errorMsg` of a FAILED run
//! ([`FailureClass::of_run`]). Two failures are the same when their classes are equal: ids, timestamps and numbers in
//! the text do not count, the kind of trouble does.
//!
//! Not here: Druid's own words. They are kept in full beside the class and shown; a class only counts.

mod code;
mod run;
mod words;

use serde::{Deserialize, Serialize};

/// A kind of failure. Written as a short text code (`allocation`, `phase:segment generation`), so that a journal
/// written by a newer version can still be read: an unknown code becomes [`FailureClass::Other`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum FailureClass {
    /// No answer came back: network, timeout, connection cut.
    NoAnswer,
    /// No leading Overlord (503, 307 of a standby, "Queue is not active!").
    NoLeader,
    /// The server asked to come back later (429): its queue or its request limit is full.
    Busy,
    /// The server failed in a way that may pass (500, metadata store).
    ServerTrouble,
    /// Something between us and Druid failed (502, 504, a gateway's own error).
    Gateway,
    /// An answer that is not what Druid says, such as a proxy's page with status 200.
    Unreadable,
    /// The server refused the task itself (400).
    Refused,
    /// Not authenticated or not authorised (401, 403).
    NotAllowed,
    /// There is no such endpoint there (404, 405, 415).
    NoEndpoint,
    /// The server could not read the task as JSON (a 500 page).
    NotJson,

    /// A row found no segment to go into ("Failed to add a row with timestamp"): the chunk's segments do not fit.
    Allocation,
    /// A phase of a parallel task failed; Druid says only which.
    Phase(String),
    /// The worker ran out of memory.
    OutOfMemory,
    /// The input could not be fetched.
    Input,
    /// More unreadable rows than the task allows.
    ParseLimit,
    /// The task's lock was taken by a higher priority, or does not cover what it made.
    LockLost,
    /// A lock was held by somebody else when the task needed it.
    LockTaken,
    /// A context value has the wrong type or is no value Druid knows.
    Context,
    /// Compaction found no segment in its interval.
    NothingToCompact,
    /// Anything else that failed before the task could start.
    NotReady,
    /// Druid does not support the combination asked for.
    Unsupported,
    /// Columns clash.
    Schema,
    /// The interval does not fit the segment granularity.
    Alignment,
    /// The partitioning found no place for a chunk (zoned granularity with hashed partitions).
    ShardSpec,
    /// The segments were made and could not be published.
    Publish,
    /// The worker disappeared, or did not start the task.
    Worker,
    /// The worker's process ended with this exit code.
    Process(String),
    /// Somebody shut the task down.
    Shutdown,
    /// The server took the task and later did not know it.
    Forgotten,
    /// A FAILED run without any message.
    Silent,
    /// Anything else: the first line of the text with everything that varies cut out.
    Other(String),
}

/// Whether trying again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// It passes by itself; trying again is right.
    Waiting,
    /// It will fail the same way until something is changed.
    Changing,
    /// It may be either.
    Unclear,
}

impl FailureClass {
    /// Whether trying again can help.
    pub fn remedy(&self) -> Remedy {
        use FailureClass as C;
        match self {
            C::NoAnswer
            | C::NoLeader
            | C::Busy
            | C::ServerTrouble
            | C::Gateway
            | C::Worker
            | C::LockTaken => Remedy::Waiting,
            C::Refused
            | C::NotAllowed
            | C::NoEndpoint
            | C::NotJson
            | C::Allocation
            | C::ParseLimit
            | C::Context
            | C::NothingToCompact
            | C::Unsupported
            | C::Schema
            | C::Alignment
            | C::ShardSpec
            | C::OutOfMemory => Remedy::Changing,
            C::Unreadable
            | C::Phase(_)
            | C::Input
            | C::LockLost
            | C::NotReady
            | C::Publish
            | C::Process(_)
            | C::Shutdown
            | C::Forgotten
            | C::Silent
            | C::Other(_) => Remedy::Unclear,
        }
    }
}
