//! Tasks: one state, lists, the stored payload, reports.

use serde_json::Value;

use crate::interval::Instant;

use super::error::json;
use super::read::Node;
use super::{AnswerError, Response};

/// A task as the Overlord tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskStatus {
    /// Its id.
    pub id: String,
    /// The group that shares its locks; its own id unless it is a sub-task.
    pub group_id: String,
    /// `index_parallel`, `compact`, `kill` …; empty where the release does not say.
    pub kind: String,
    /// When it was stored.
    pub created: Option<Instant>,
    /// How it stands.
    pub state: RunState,
    /// What the runner says. For a finished task `/status` says WAITING and the lists say NONE: believe `state`.
    pub runner: Runner,
    /// How long it ran, ms; `None` while it runs.
    pub duration_ms: Option<u64>,
    /// The datasource it writes to.
    pub datasource: Option<String>,
    /// Why it failed. Druid keeps the first and last 512 characters of a long one. A task can also be SUCCESS and have one.
    pub error: Option<String>,
    /// The worker, `host:port`.
    pub worker: Option<String>,
}

/// `statusCode`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Not finished: it may also wait or be queued.
    Running,
    /// Finished well.
    Success,
    /// Finished badly, or was stopped.
    Failed,
    /// A word this release has and we do not know.
    Other(String),
}

/// `runnerStatusCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// Not ready: it waits for a lock, or the runner has forgotten it.
    Waiting,
    /// No slot yet.
    Pending,
    /// On a worker.
    Running,
    /// Not with the runner.
    None,
}

impl TaskStatus {
    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.state, RunState::Success | RunState::Failed)
    }

    /// Whether it stands in line for a lock or its turn.
    pub fn is_waiting(&self) -> bool {
        self.state == RunState::Running && self.runner == Runner::Waiting
    }
}

const STATUS_CAP: u64 = 256 << 10;
const LIST_CAP: u64 = 64 << 20;
const PAYLOAD_CAP: u64 = 16 << 20;

/// `GET /task/{id}/status`. `None`: Druid does not know the id (any more).
pub fn task_status(response: &Response) -> Result<Option<TaskStatus>, AnswerError> {
    if is_unknown_task(response) {
        return Ok(None);
    }
    let body = json(response, STATUS_CAP)?;
    let root = Node::root(&body);
    root.get("status").map(|node| status(&node)).transpose()
}

/// Any of the task lists.
pub fn task_list(response: &Response) -> Result<Vec<TaskStatus>, AnswerError> {
    let body = json(response, LIST_CAP)?;
    let root = Node::root(&body);
    root.items()?.map(|node| status(&node)).collect()
}

/// `GET /task/{id}`: the stored task as JSON, with the defaults that Druid filled in. `None`: Druid does not know the id.
pub fn task_payload(response: &Response) -> Result<Option<Value>, AnswerError> {
    if is_unknown_task(response) {
        return Ok(None);
    }
    let body = json(response, PAYLOAD_CAP)?;
    let root = Node::root(&body);
    root.object()?;
    Ok(root.get("payload").map(|node| node.value().clone()))
}

/// What every `/task/{id}…` path says of an id it does not know (`TaskResourceFilter`): 404 and a sentence. A Router whose
/// management proxy is off says 404 too, without it.
fn is_unknown_task(response: &Response) -> bool {
    response.status == 404
        && response.gateway_error.is_none()
        && super::error::words(response).starts_with("Cannot find any task with id")
}

fn status(node: &Node) -> Result<TaskStatus, AnswerError> {
    let text = |key| node.get(key).map(|node| node.text()).transpose();
    let id = node.wanted("id", "a task id")?.text()?;
    // `status` is the same by an older name (`TaskStatusPlus`).
    let state = match text("statusCode")? {
        Some(state) => Some(state),
        None => text("status")?,
    };
    let state = match state.as_deref() {
        Some("RUNNING") => RunState::Running,
        Some("SUCCESS") => RunState::Success,
        Some("FAILED") => RunState::Failed,
        Some(other) => RunState::Other(other.to_owned()),
        None => return Err(node.error("a statusCode")),
    };
    let runner = match text("runnerStatusCode")?.as_deref() {
        Some("WAITING") => Runner::Waiting,
        Some("PENDING") => Runner::Pending,
        Some("RUNNING") => Runner::Running,
        _ => Runner::None,
    };
    let duration = node.get("duration").map(|node| node.whole()).transpose()?;
    Ok(TaskStatus {
        group_id: text("groupId")?.unwrap_or_else(|| id.clone()),
        id,
        kind: text("type")?.unwrap_or_default(),
        created: node.get("createdTime").map(|node| node.instant()).transpose()?,
        state,
        runner,
        duration_ms: duration.and_then(|ms| u64::try_from(ms).ok()),
        datasource: text("dataSource")?,
        error: text("errorMsg")?.filter(|text| !text.is_empty()),
        worker: node.get("location").and_then(|node| worker(&node)),
    })
}

fn worker(location: &Node) -> Option<String> {
    let host = location.get("host")?.text().ok()?;
    let port = |key| location.get(key).and_then(|node| node.whole().ok()).filter(|port| *port > 0);
    let port = port("port").or_else(|| port("tlsPort"))?;
    Some(format!("{host}:{port}"))
}

/// What an ingestion report says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// `DETERMINE_PARTITIONS`, `BUILD_SEGMENTS`, `COMPLETED` …
    pub state: Option<String>,
    /// Why it failed, in full (the status has it shortened).
    pub error: Option<String>,
    /// Rows, where the report counts them.
    pub rows: Option<Rows>,
    /// Segments published, tombstones included for parallel runs.
    pub segments_published: Option<u64>,
}

/// Rows of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Taken in.
    pub processed: u64,
    /// Taken in with some field unreadable.
    pub processed_with_error: u64,
    /// Read but outside the intervals, or filtered.
    pub thrown_away: u64,
    /// Not readable.
    pub unparseable: u64,
}

/// `GET /task/{id}/reports`. `None`: there is none yet, or the task is unknown.
pub fn report(response: &Response) -> Result<Option<Report>, AnswerError> {
    if response.status == 404 && response.gateway_error.is_none() {
        let words = super::error::words(response);
        if words.starts_with("No task reports were found")
            || words.starts_with("Cannot find any task with id")
        {
            return Ok(None);
        }
    }
    let body = json(response, PAYLOAD_CAP)?;
    let root = Node::root(&body);
    root.object()?;
    let Some(ingestion) = root.get("ingestionStatsAndErrors") else { return Ok(Some(Report::default())) };
    let payload = ingestion.wanted("payload", "a report")?;
    let text = |key| payload.get(key).map(|node| node.text()).transpose();
    Ok(Some(Report {
        state: text("ingestionState")?,
        error: text("errorMsg")?,
        rows: payload.get("rowStats").and_then(|node| rows(&node)),
        segments_published: payload.get("segmentsPublished").map(|node| node.count()).transpose()?,
    }))
}

/// Sequential runs count under `buildSegments`, parallel ones under `totals.buildSegments`.
fn rows(stats: &Node) -> Option<Rows> {
    let totals = stats.get("totals");
    let stats = totals.as_ref().unwrap_or(stats);
    let counts = stats.get("buildSegments")?;
    // A parallel run gives counts as floating point.
    let count = |key| counts.get(key).and_then(|node| node.number().ok()).map_or(0, |count| count as u64);
    Some(Rows {
        processed: count("processed"),
        processed_with_error: count("processedWithError"),
        thrown_away: count("thrownAway"),
        unparseable: count("unparseable"),
    })
}
