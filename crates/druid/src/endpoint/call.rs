//! What is known of a call before it is made: one [`Call`] a line of the list.

use super::query::Query;
use super::{Endpoint, Name};

/// The methods in use. Druid answers 405 to HEAD, OPTIONS and PATCH everywhere (`AllowHttpMethodsResourceFilter`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// GET.
    Get,
    /// POST. Not always a write: see [`Access`].
    Post,
}

impl Method {
    /// As it stands in a request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }

    /// The method of a request line; methods are case-sensitive.
    pub fn parse(text: &str) -> Option<Method> {
        match text {
            "GET" => Some(Method::Get),
            "POST" => Some(Method::Post),
            _ => None,
        }
    }
}

/// Who answers. A Router in front of a cluster passes each on to the leader of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// Tasks, locks, supervisors.
    Overlord,
    /// Segments, loading, compaction configs.
    Coordinator,
    /// SQL.
    Broker,
    /// Whoever is asked.
    Any,
}

/// Whether a call changes the cluster. `--read-only` refuses [`Access::Writes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Changes nothing, whatever its method.
    Reads,
    /// Changes something.
    Writes,
}

/// What the body of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// There is none; one that is sent is refused.
    Nothing,
    /// JSON, passed on byte for byte.
    Json,
    /// JSON that is exactly a [`super::Named`] query.
    NamedSql,
}

/// What a good answer is; [`crate::answer`] has a reader for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// To a submit: [`crate::answer::classify_submit`].
    Submit,
    /// A stored task.
    TaskPayload,
    /// The state of one task.
    TaskStatus,
    /// Reports by name.
    Reports,
    /// Plain text.
    Text,
    /// Tasks.
    TaskList,
    /// Locks by datasource.
    Locks,
    /// Intervals by datasource.
    LockedIntervals,
    /// DataSegments.
    Segments,
    /// DataSegments with when they were marked.
    UnusedSegments,
    /// Strings.
    Names,
    /// Load status, or a sentence that says there is nothing to load.
    LoadStatus,
    /// Lines of rows.
    SqlLines,
    /// JSON whose shape differs by release; read leniently.
    Json,
    /// Version and modules.
    Version,
    /// Whether who was asked leads.
    Leads,
    /// Segments changed.
    Marked,
}

/// One line of the list: what a call is, whatever its parameters.
#[derive(Debug)]
pub struct Call {
    /// A short name for logs and docs, unique.
    pub name: &'static str,
    /// Its method.
    pub method: Method,
    /// Its path; `{}` stands for the one name in it, always a whole segment.
    pub template: &'static str,
    /// Who answers.
    pub service: Service,
    /// Whether it changes the cluster.
    pub access: Access,
    /// What its body is.
    pub body: Body,
    /// Longest request body, bytes.
    pub body_cap: u64,
    /// What its answer is.
    pub answer: Answer,
    /// Longest answer, bytes.
    pub answer_cap: u64,
    /// First Druid release (major) that has it; 0: every release since 24.
    pub since: u16,
    /// First Druid release (major) that no longer has it.
    pub until: Option<u16>,
    /// Makes the endpoint from the name in the path and the query. Takes from the query what it knows.
    pub(super) make: fn(Option<Name>, &mut Query) -> Option<Endpoint>,
}
