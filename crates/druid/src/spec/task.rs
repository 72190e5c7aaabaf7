//! What a task is as a whole: its kind, its id, its body, its context, and what is wrong with it.

use std::borrow::Cow;

use crate::json::{Document, Edit, Path, Severity, Span};
use crate::release::Release;

use super::{Batch, Compact, Kill, Mark, Supervisor};

/// A task or supervisor spec, read from a document.
#[derive(Clone, Debug)]
pub struct Task {
    /// The document it was read from.
    pub document: Document,
    /// What it is.
    pub kind: TaskKind,
    /// The `id` at the top level; the server makes one up where there is none.
    pub id: Option<String>,
    /// The `groupId` at the top level; the id where there is none. Tasks of one group share their locks.
    pub group_id: Option<String>,
    /// The datasource it writes to.
    pub datasource: Option<String>,
    /// What it does.
    pub body: Body,
    /// The task context.
    pub context: Context,
    /// What is wrong, in document order.
    pub problems: Vec<Problem>,
}

/// The kinds of things people paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// `index_parallel`: native batch.
    IndexParallel,
    /// `index`: native batch in one process.
    Index,
    /// `compact`.
    Compact,
    /// `kill`: deletes unused segments for good.
    Kill,
    /// `mark_used`: no task, the body of Druid's call to mark segments used with a type of ours.
    MarkUsed,
    /// `mark_unused`, likewise.
    MarkUnused,
    /// A supervisor spec: `kafka`, `kinesis`, `rabbit`, `autocompact`, `scheduled_batch`, …
    Supervisor(String),
    /// `index_hadoop`, gone since Druid 37.
    Hadoop,
    /// The payload of an SQL (MSQ) controller task; runs are made by SQL, not by posting this.
    MsqController,
    /// Another task type, known or not.
    Other(String),
    /// No task at all: no object, or an object without anything a task has.
    NotATask,
}

/// What a task does.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "one task is looked at at a time")]
pub enum Body {
    /// Loads rows: `index_parallel`, `index`.
    Batch(Batch),
    /// Rewrites what is there.
    Compact(Compact),
    /// Deletes unused segments.
    Kill(Kill),
    /// Marks segments used or unused: a call, not a task.
    Mark(Mark),
    /// Starts something that goes on.
    Supervisor(Supervisor),
    /// Something whose effect is not known here.
    Other,
}

/// The task context: what is known of it, typed. The rest stays in the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// `priority`; the server takes 50 for batch, 25 for compaction and kill.
    pub priority: Option<i64>,
    /// `useConcurrentLocks`: `true` or the text `"true"`.
    pub use_concurrent_locks: bool,
    /// `taskLockType`, in any case.
    pub task_lock_type: Option<TaskLockType>,
    /// `useSharedLock`.
    pub use_shared_lock: Option<Flag>,
    /// `forceTimeChunkLock`.
    pub force_time_chunk_lock: Option<Flag>,
    /// All members as compact JSON texts, in document order.
    pub raw: Vec<(String, String)>,
}

impl Context {
    /// Whether `useConcurrentLocks` is written as a text. Most of Druid reads it all the same; some of it fails.
    #[must_use]
    pub fn concurrent_locks_is_text(&self) -> bool {
        self.raw.iter().any(|(key, value)| key == "useConcurrentLocks" && value.starts_with('"'))
    }
}

/// A switch that Druid reads with an unchecked cast: anything but a JSON truth value fails the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// A truth value.
    Is(bool),
    /// Something else, by the Java class it arrives as: `java.lang.String`.
    NotABoolean(&'static str),
}

impl Flag {
    /// Whether the switch is on.
    #[must_use]
    pub fn is_on(&self) -> bool {
        matches!(self, Flag::Is(true))
    }
}

/// `taskLockType` (`TaskLockType`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskLockType {
    /// `EXCLUSIVE`
    Exclusive,
    /// `SHARED`
    Shared,
    /// `APPEND`
    Append,
    /// `REPLACE`
    Replace,
    /// No such type: the task fails as soon as it asks for locks.
    Unknown(String),
}

/// Something wrong with a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind of problem, as a name that stays: `wrong-kind`, `interval`, `placeholder`, …
    pub code: &'static str,
    /// Where, by path.
    pub path: Path,
    /// Where, in the text. Of something that is missing: the key of the object it is missing from, or the bracket that
    /// opens it.
    pub span: Span,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in plain words.
    pub message: String,
    /// What to do about it, in words.
    pub remedy: Option<String>,
    /// The change that would do it.
    pub fix: Option<Fix>,
}

/// A change that can be made by a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the button says.
    pub label: String,
    /// What it does, in order.
    pub edits: Vec<Edit>,
}

impl Task {
    /// As servers of a release read it: before 29 `useConcurrentLocks` is an unknown key, and does nothing
    /// (`AbstractBatchIndexTask.determineLockType`; the key came with 6b951b94c0).
    #[must_use]
    pub fn as_read_by(&self, release: Release) -> Cow<'_, Task> {
        const KEY: &str = "useConcurrentLocks";
        let knows = release >= Release::major(29);
        if knows || !self.context.raw.iter().any(|(key, _)| key == KEY) {
            return Cow::Borrowed(self);
        }
        let mut read = self.clone();
        read.context.use_concurrent_locks = false;
        read.context.raw.retain(|(key, _)| key != KEY);
        Cow::Owned(read)
    }

    /// The batch body, where it is one.
    #[must_use]
    pub fn batch(&self) -> Option<&Batch> {
        match &self.body {
            Body::Batch(batch) => Some(batch),
            _ => None,
        }
    }
}

/// Types of the tasks that a streaming supervisor starts: they append while they run.
pub const STREAM_TASKS: &[&str] = &["index_kafka", "index_kinesis", "index_rabbit"];

/// Whether a task type is one of [`STREAM_TASKS`]. Their usual priority is
/// [`STREAMING_PRIORITY`](crate::lock::STREAMING_PRIORITY).
#[must_use]
pub fn is_stream(kind: &str) -> bool {
    STREAM_TASKS.contains(&kind)
}

impl TaskKind {
    /// The `type` as it stands in the document.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            TaskKind::IndexParallel => "index_parallel",
            TaskKind::Index => "index",
            TaskKind::Compact => "compact",
            TaskKind::Kill => "kill",
            TaskKind::MarkUsed => "mark_used",
            TaskKind::MarkUnused => "mark_unused",
            TaskKind::Supervisor(name) | TaskKind::Other(name) => name,
            TaskKind::Hadoop => "index_hadoop",
            TaskKind::MsqController => "query_controller",
            TaskKind::NotATask => "",
        }
    }
}
