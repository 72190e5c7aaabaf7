//! Every Druid call that Foreshadow makes, listed once.
//!
//! The console builds its requests from this list, the gateway's allowlist and its read-only mode are derived from it, and the
//! sandbox answers exactly it: a call that is not listed cannot be made or forwarded.
//!
//! What always holds:
//! - [`Endpoint::parse`] takes only what [`Endpoint::request`] can have written, up to the order of the query's keys and the
//!   choice of which characters to escape; what it took is written again by us, so no raw path ever travels on.
//! - SQL exists only as a [`Named`] query with bound parameters.
//!
//! Not here: sending anything, credentials, hosts. What comes back is read by [`crate::answer`].

mod call;
mod list;
mod marks;
mod name;
mod path;
mod query;
mod request;
mod sql;

pub use call::{Access, Answer, Body, Call, Method, Service};
pub use list::ALL;
pub use marks::Marks;
pub use name::{Name, NameError};
pub use request::{LoadForm, LockFilter, Request, SortOrder, TaskState};
pub use sql::Named;

use crate::interval::Interval;
use crate::release::Release;

/// One address of the list with its parameters. The body, where the call has one, travels in the [`Request`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Hands a task to the Overlord. 200 means stored and queued, nothing more.
    SubmitTask,
    /// The stored task as Druid filled it in.
    TaskPayload(Name),
    /// How a task does: trust `statusCode`, not `runnerStatusCode`.
    TaskStatus(Name),
    /// The ingestion report: rows, ranges, errors. 404 before there is one.
    TaskReports(Name),
    /// The log as text.
    TaskLog {
        /// The task's id.
        task: Name,
        /// First byte wanted; negative counts from the end.
        offset: Option<i64>,
    },
    /// Stops a task; it ends FAILED. Answers 200 for a finished one too.
    ShutdownTask(Name),
    /// Tasks the Overlord knows. Finished ones of the last 24 hours only, unless `created` or `max` is given.
    Tasks {
        /// Only tasks in this state.
        state: Option<TaskState>,
        /// Only tasks of this datasource.
        datasource: Option<Name>,
        /// Only finished tasks created in here.
        created: Option<Interval>,
        /// At most so many finished ones.
        max: Option<u32>,
    },
    /// Locks held, for the datasources, intervals and least priority in the body.
    ActiveLocks,
    /// The intervals locked, without who holds them.
    LockedIntervals,
    /// Used segments that overlap the intervals in the body, overshadowed ones included. Fresh from the metadata store.
    UsedSegments(Name),
    /// Names of the datasources that have used segments.
    Datasources,
    /// Segments marked unused, a page at a time.
    UnusedSegments {
        /// The datasource.
        datasource: Name,
        /// Only those inside.
        interval: Option<Interval>,
        /// At most so many.
        limit: Option<u32>,
        /// The last id of the page before.
        after: Option<String>,
        /// Order by id.
        order: Option<SortOrder>,
    },
    /// How much of what should be served is served. Without an interval Druid means the last fourteen days.
    LoadStatus {
        /// The datasource.
        datasource: Name,
        /// Only segments that overlap.
        interval: Option<Interval>,
        /// Whether the Coordinator reads the metadata store before it answers.
        refresh: bool,
        /// Percent, count, or count by tier.
        form: LoadForm,
    },
    /// A datasource's retention rules, the cluster's default ones behind them (`RulesResource`, with `full`).
    RetentionRules(Name),
    /// A [`Named`] query; the body names it.
    Sql,
    /// All compaction configs as the Coordinator keeps them.
    CompactionConfigs,
    /// One of them; 404 when there is none.
    CompactionConfig(Name),
    /// The cluster-wide half of the compaction settings.
    OverlordCompactionCluster,
    /// All compaction configs as the Overlord serves them.
    OverlordCompactionConfigs,
    /// One of them; 404 when there is none.
    OverlordCompactionConfig(Name),
    /// Whether compaction runs as supervisors.
    CompactionSupervisors,
    /// Supervisors: ids, or everything about them.
    Supervisors {
        /// With state and spec.
        full: bool,
    },
    /// Marks segments used, by the Coordinator. 33.0.0 answers 500 to changes it has made: read back.
    MarkUsed(Name),
    /// Marks segments unused, by the Coordinator.
    MarkUnused(Name),
    /// Marks segments used, by the Overlord.
    OverlordMarkUsed(Name),
    /// Marks segments unused, by the Overlord.
    OverlordMarkUnused(Name),
    /// Reads a little of an input and shows the rows. Runs inside the Overlord and changes nothing.
    Sample,
    /// Version and modules of whoever answers (through a Router: the Router).
    Status,
    /// Version and modules of the leading Overlord, through a Router.
    OverlordStatus,
    /// Address of the leading Overlord.
    OverlordLeader,
    /// Whether this Overlord leads: 200 or 404, never a redirect.
    OverlordIsLeader,
    /// Address of the leading Coordinator.
    CoordinatorLeader,
    /// Whether this Coordinator leads.
    CoordinatorIsLeader,
    /// Whether this Router passes Coordinator and Overlord calls on; 404 from everybody else.
    ProxyEnabled,
    /// Workers and their slots.
    Workers,
}

impl Endpoint {
    /// The call of the list that this is.
    pub fn call(&self) -> &'static Call {
        list::call(self)
    }

    /// The compaction config of a datasource, from whoever keeps it in a release: the Overlord since 33.
    pub fn compaction_of(datasource: Name, release: Release) -> Endpoint {
        match release >= Release::major(33) {
            true => Endpoint::OverlordCompactionConfig(datasource),
            false => Endpoint::CompactionConfig(datasource),
        }
    }

    /// The compaction configs of all datasources, likewise. A list has no 404, which a browser would complain of.
    pub fn compactions_of(release: Release) -> Endpoint {
        match release >= Release::major(33) {
            true => Endpoint::OverlordCompactionConfigs,
            false => Endpoint::CompactionConfigs,
        }
    }

    /// The call that marks segments of a datasource, of whoever should be asked in a release: the Overlord since 33.
    pub fn mark(datasource: Name, used: bool, release: Release) -> Endpoint {
        match (used, release >= Release::major(33)) {
            (true, true) => Endpoint::OverlordMarkUsed(datasource),
            (true, false) => Endpoint::MarkUsed(datasource),
            (false, true) => Endpoint::OverlordMarkUnused(datasource),
            (false, false) => Endpoint::MarkUnused(datasource),
        }
    }

    /// The request without a body. Calls whose [`Call::body`] is not [`Body::Nothing`] want [`Self::request_with`].
    pub fn request(&self) -> Request {
        request::build(self, None)
    }

    /// The request with this JSON as its body, sent as it stands, byte for byte.
    pub fn request_with(&self, body: impl Into<String>) -> Request {
        request::build(self, Some(body.into()))
    }

    /// Reads a request line: `path` raw, as it came over the wire, `query` without its `?`.
    /// `None` for everything that is not on the list or not written plainly: unknown paths, keys given twice, escapes in fixed
    /// segments, separators, dot segments or control characters in a name, double escapes.
    pub fn parse(method: Method, path: &str, query: &str) -> Option<Endpoint> {
        let mut query = query::Query::parse(query)?;
        let (call, name) = ALL
            .iter()
            .filter(|call| call.method == method)
            .find_map(|call| path::matches(call.template, path).map(|name| (*call, name)))?;
        let endpoint = (call.make)(name, &mut query)?;
        query.is_spent().then_some(endpoint)
    }

    /// Whether some call of the list has this path with another method: the answer is then 405, not 404.
    pub fn other_methods(path: &str) -> Vec<Method> {
        let mut found: Vec<Method> = Vec::new();
        for call in ALL.iter().filter(|call| path::matches(call.template, path).is_some()) {
            if !found.contains(&call.method) {
                found.push(call.method);
            }
        }
        found
    }
}
