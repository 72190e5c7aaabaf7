//! What people are told of a class: a label, and what would clear it.

use super::FailureClass;

impl FailureClass {
    /// A few words for a badge or a table cell.
    pub fn label(&self) -> String {
        use FailureClass as C;
        match self {
            C::NoAnswer => "no answer".into(),
            C::NoLeader => "no leading Overlord".into(),
            C::Busy => "server busy".into(),
            C::ServerTrouble => "server trouble".into(),
            C::Gateway => "gateway trouble".into(),
            C::Unreadable => "unreadable answer".into(),
            C::Refused => "refused".into(),
            C::NotAllowed => "not allowed".into(),
            C::NoEndpoint => "no such endpoint".into(),
            C::NotJson => "not readable as JSON".into(),
            C::Allocation => "no segment for a row".into(),
            C::Phase(phase) => format!("failed in phase {phase}"),
            C::OutOfMemory => "out of memory".into(),
            C::Input => "input not readable".into(),
            C::ParseLimit => "too many unreadable rows".into(),
            C::LockLost => "lock lost".into(),
            C::LockTaken => "lock held by another".into(),
            C::Context => "context value not understood".into(),
            C::NothingToCompact => "nothing to compact".into(),
            C::NotReady => "could not start".into(),
            C::Unsupported => "not supported".into(),
            C::Schema => "columns clash".into(),
            C::Alignment => "interval not aligned".into(),
            C::ShardSpec => "no partition for a chunk".into(),
            C::Publish => "not published".into(),
            C::Worker => "worker lost".into(),
            C::Process(code) => format!("process ended with code {code}"),
            C::Shutdown => "shut down".into(),
            C::Forgotten => "forgotten by the server".into(),
            C::Silent => "failed without a message".into(),
            C::Other(family) => family.clone(),
        }
    }

    /// What would clear it: one sentence for the dead-letter list.
    pub fn clears(&self) -> &'static str {
        use FailureClass as C;
        match self {
            C::NoAnswer | C::Gateway => {
                "Check the way to the cluster, then ask again: the id is kept and is asked for before anything is sent."
            }
            C::NoLeader => "Wait until an Overlord leads, then ask again.",
            C::Busy => {
                "Wait until the server's task queue has room, or have druid.indexer.queue.maxSize raised, then ask again."
            }
            C::ServerTrouble => "Have the Overlord's metadata store looked at, then ask again.",
            C::Unreadable => {
                "Something that is not Druid answered: check the address and the proxies between, then ask again."
            }
            C::Refused => {
                "Change the spec as the server's words say. If a type is unknown to the server, an extension is not loaded or an upgrade is under way: try again later."
            }
            C::NotAllowed => "Sign in again, or have the right to write to this datasource granted.",
            C::NoEndpoint => {
                "This address does not take tasks: check that it is an Overlord, or a Router with its management proxy on."
            }
            C::NotJson => "The server could not read the task as JSON: mend the text of the spec.",
            C::Allocation => {
                "Use a segment granularity that fits the segments that are there, or replace the chunk instead of appending to it."
            }
            C::Phase(_) => {
                "Druid keeps the reason with the sub-tasks: open the newest failed sub-task of this phase, then change what it names."
            }
            C::OutOfMemory => "Give fewer rows in memory or fewer chunks to a task, or use larger workers.",
            C::Input => "Make sure that every file the input names can be read by the workers.",
            C::ParseLimit => "Mend the unreadable rows, or allow more of them with maxParseExceptions.",
            C::LockLost => {
                "Somebody with a higher priority took the interval: wait until that task has ended, or raise the priority."
            }
            C::LockTaken => {
                "Wait until the task that holds the interval has ended. Naming the intervals makes Druid wait by itself."
            }
            C::Context => "Write the context value as the JSON type Druid expects: true, not \"true\".",
            C::NothingToCompact => "Name an interval that holds segments.",
            C::NotReady => "The reason is in the Overlord's log.",
            C::Unsupported => {
                "Druid does not support this combination: change the setting that its words name."
            }
            C::Schema => "Give each column one role: dimension or metric, not both.",
            C::Alignment => "Let the interval begin and end on chunk borders of the segment granularity.",
            C::ShardSpec => {
                "Use dynamic partitions with one chunk a sub-task, or range partitions, or a granularity in UTC."
            }
            C::Publish => {
                "Compare the segments with the forecast: nothing may have been published. Then run again."
            }
            C::Worker => "Nothing in the spec is wrong: run again when the worker is back.",
            C::Process(_) => {
                "The worker's process was ended from outside or ran out of memory: look at the worker's log."
            }
            C::Shutdown => "Somebody stopped it. Run again when that is settled.",
            C::Forgotten => {
                "Compare the segments with the forecast to see whether it published, then decide."
            }
            C::Silent | C::Other(_) => {
                "Read the server's words and the task's log, and change what they name."
            }
        }
    }
}
