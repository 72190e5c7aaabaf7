//! A request as it is sent, and the bodies that Foreshadow writes itself.

use serde_json::{Map, Value, json};

use crate::interval::Interval;

use super::query::Writer;
use super::{Endpoint, Marks, Method, Name, Named, path};

/// A request to some Druid: everything but the host, the credentials and `Content-Type: application/json`, which every body has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// GET or POST.
    pub method: Method,
    /// The path, escaped.
    pub path: String,
    /// The query, escaped, without `?`; empty where there is none.
    pub query: String,
    /// The body as it goes over the wire. A write without one sends an empty body.
    pub body: Option<String>,
}

impl Request {
    /// The endpoint that this request names, if it is on the list.
    pub fn endpoint(&self) -> Option<Endpoint> {
        Endpoint::parse(self.method, &self.path, &self.query)
    }

    /// Path and query as they stand in a request line.
    pub fn target(&self) -> String {
        match self.query.as_str() {
            "" => self.path.clone(),
            query => format!("{}?{query}", self.path),
        }
    }

    /// Submits a task: `task` is the document as it stands.
    pub fn submit(task: impl Into<String>) -> Request {
        Endpoint::SubmitTask.request_with(task)
    }

    /// Used segments that overlap any of the intervals; an empty slice means all of time (Druid answers 500 to an empty list).
    pub fn used_segments(datasource: Name, intervals: &[Interval]) -> Request {
        let all_of_time = [Interval::ETERNITY];
        let intervals = if intervals.is_empty() { &all_of_time } else { intervals };
        Endpoint::UsedSegments(datasource).request_with(interval_list(intervals).to_string())
    }

    /// Locks held on what the filters name.
    pub fn active_locks(filters: &[LockFilter]) -> Request {
        Endpoint::ActiveLocks.request_with(lock_filters(filters))
    }

    /// Intervals locked on what the filters name.
    pub fn locked_intervals(filters: &[LockFilter]) -> Request {
        Endpoint::LockedIntervals.request_with(lock_filters(filters))
    }

    /// A named query.
    pub fn sql(query: &Named) -> Request {
        Endpoint::Sql.request_with(query.body())
    }

    /// One of the four mark calls with its body.
    pub fn mark(endpoint: &Endpoint, marks: &Marks) -> Request {
        endpoint.request_with(marks.body())
    }
}

pub(super) fn build(endpoint: &Endpoint, body: Option<String>) -> Request {
    let call = endpoint.call();
    let (name, query) = parts(endpoint);
    Request { method: call.method, path: path::write(call.template, name), query, body }
}

/// The name in the path and the query.
fn parts(endpoint: &Endpoint) -> (Option<&Name>, String) {
    let mut query = Writer::default();
    let name = match endpoint {
        Endpoint::TaskPayload(name)
        | Endpoint::TaskStatus(name)
        | Endpoint::TaskReports(name)
        | Endpoint::ShutdownTask(name)
        | Endpoint::CompactionConfig(name)
        | Endpoint::OverlordCompactionConfig(name)
        | Endpoint::MarkUsed(name)
        | Endpoint::MarkUnused(name)
        | Endpoint::OverlordMarkUsed(name)
        | Endpoint::OverlordMarkUnused(name) => Some(name),
        Endpoint::TaskLog { task, offset } => {
            query.optional("offset", *offset);
            Some(task)
        }
        Endpoint::Tasks { state, datasource, created, max } => {
            query.optional("state", state.map(TaskState::as_str));
            query.optional("datasource", datasource.as_ref());
            query.interval("createdTimeInterval", *created);
            query.optional("max", *max);
            None
        }
        Endpoint::UsedSegments(datasource) | Endpoint::RetentionRules(datasource) => {
            query.flag("full");
            Some(datasource)
        }
        Endpoint::UnusedSegments { datasource, interval, limit, after, order } => {
            query.interval("interval", *interval);
            query.optional("limit", *limit);
            query.optional("lastSegmentId", after.as_ref());
            query.optional("sortOrder", order.map(SortOrder::as_str));
            Some(datasource)
        }
        Endpoint::LoadStatus { datasource, interval, refresh, form } => {
            query.pair("forceMetadataRefresh", if *refresh { "true" } else { "false" });
            match form {
                LoadForm::Percent => {}
                LoadForm::Missing => query.flag("simple"),
                LoadForm::MissingByTier => query.flag("full"),
            }
            query.interval("interval", *interval);
            Some(datasource)
        }
        Endpoint::Supervisors { full } => {
            if *full {
                query.flag("full");
            }
            None
        }
        Endpoint::SubmitTask
        | Endpoint::ActiveLocks
        | Endpoint::LockedIntervals
        | Endpoint::Datasources
        | Endpoint::Sql
        | Endpoint::CompactionConfigs
        | Endpoint::OverlordCompactionCluster
        | Endpoint::OverlordCompactionConfigs
        | Endpoint::CompactionSupervisors
        | Endpoint::Sample
        | Endpoint::Status
        | Endpoint::OverlordStatus
        | Endpoint::OverlordLeader
        | Endpoint::OverlordIsLeader
        | Endpoint::CoordinatorLeader
        | Endpoint::CoordinatorIsLeader
        | Endpoint::ProxyEnabled
        | Endpoint::Workers => None,
    };
    (name, query.finish())
}

/// A task's state as the task lists take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// Running on a worker.
    Running,
    /// Ready, no slot yet.
    Pending,
    /// Not ready: waits for a lock or its turn.
    Waiting,
    /// Finished, well or not.
    Complete,
}

impl TaskState {
    /// The states of a task that is not over, in the order in which it goes through them: asked in this order, no task
    /// is missed on its way; it may be in two of the lists, and the later one is right.
    pub const UNFINISHED: [TaskState; 3] = [TaskState::Waiting, TaskState::Pending, TaskState::Running];

    /// As Druid spells it in the query.
    pub fn as_str(self) -> &'static str {
        match self {
            TaskState::Running => "running",
            TaskState::Pending => "pending",
            TaskState::Waiting => "waiting",
            TaskState::Complete => "complete",
        }
    }

    pub(super) fn parse(text: &str) -> Option<TaskState> {
        [TaskState::Running, TaskState::Pending, TaskState::Waiting, TaskState::Complete]
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}

/// How unused segments are sorted, by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortOrder {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

impl SortOrder {
    /// As Druid spells it (`SortOrder`).
    pub fn as_str(self) -> &'static str {
        match self {
            SortOrder::Ascending => "ASC",
            SortOrder::Descending => "DESC",
        }
    }

    pub(super) fn parse(text: &str) -> Option<SortOrder> {
        [SortOrder::Ascending, SortOrder::Descending].into_iter().find(|order| order.as_str() == text)
    }
}

/// The three forms of the load status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadForm {
    /// How much is served, percent.
    Percent,
    /// How many segments are not.
    Missing,
    /// The same by tier.
    MissingByTier,
}

/// Which locks to list (`LockFilterPolicy`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockFilter {
    /// The datasource.
    pub datasource: Name,
    /// Locks of at least this priority; 0 shows all.
    pub priority: i64,
    /// Only locks that overlap; empty: all of time.
    pub intervals: Vec<Interval>,
}

fn lock_filters(filters: &[LockFilter]) -> String {
    let filters = filters.iter().map(|filter| {
        let mut object = Map::new();
        object.insert("datasource".to_owned(), json!(filter.datasource.as_str()));
        object.insert("priority".to_owned(), json!(filter.priority));
        if !filter.intervals.is_empty() {
            object.insert("intervals".to_owned(), interval_list(&filter.intervals));
        }
        Value::Object(object)
    });
    Value::Array(filters.collect()).to_string()
}

fn interval_list(intervals: &[Interval]) -> Value {
    Value::Array(intervals.iter().map(|interval| Value::String(interval.to_string())).collect())
}
