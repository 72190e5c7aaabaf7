//! What a cluster says of itself: version, names, locks, loading, leaders, workers, compaction.

use crate::order::Order as _;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::interval::Interval;
use crate::lock::{Held, LockType};

use super::error::{json, refused};
use super::read::Node;
use super::{AnswerError, Response};

const CAP: u64 = 16 << 20;

/// `GET /status` of any service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// As `33.0.0`; builds from source have a suffix.
    pub version: String,
    /// Extensions loaded, by artifact.
    pub extensions: Vec<String>,
}

/// Reads `/status`. Anything without a version in it is not a Druid.
pub fn version(response: &Response) -> Result<Version, AnswerError> {
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    let version = root.wanted("version", "a version")?.text()?;
    let mut extensions = Vec::new();
    if let Some(modules) = root.get("modules") {
        for module in modules.items()? {
            if let Some(artifact) = module.get("artifact") {
                extensions.push(artifact.text()?);
            }
        }
    }
    extensions.order();
    extensions.dedup();
    Ok(Version { version, extensions })
}

/// A list of names: datasources, supervisors.
pub fn names(response: &Response) -> Result<Vec<String>, AnswerError> {
    let body = json(response, CAP)?;
    Node::root(&body).items()?.map(|node| node.text()).collect()
}

/// A lock that is held (`TaskLock`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockRow {
    /// `EXCLUSIVE`, `SHARED`, `APPEND` or `REPLACE`.
    pub kind: String,
    /// The tasks that share it; for a task without sub-tasks its id.
    pub group_id: String,
    /// The datasource.
    pub datasource: String,
    /// What it covers.
    pub interval: Interval,
    /// The version given with it.
    pub version: Option<String>,
    /// Whoever has more takes it away.
    pub priority: i64,
    /// Taken away already.
    pub revoked: bool,
    /// `timeChunk`, or `segment` (deprecated in 37).
    pub granularity: String,
}

impl LockRow {
    /// The lock as the lock rules take it. A kind that no release has is taken as the one that lets nobody in.
    pub fn held(self) -> Held {
        Held {
            task_id: None,
            group_id: self.group_id,
            kind: LockType::parse(&self.kind).unwrap_or(LockType::Exclusive),
            interval: self.interval,
            version: self.version.unwrap_or_default(),
            priority: self.priority,
            revoked: self.revoked,
        }
    }
}

/// `POST /activeLocks`: every lock listed, all datasources together.
pub fn locks(response: &Response) -> Result<Vec<LockRow>, AnswerError> {
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    let by_datasource = root.wanted("datasourceToLocks", "locks by datasource")?;
    let mut locks = Vec::new();
    for (datasource, list) in by_datasource.entries()? {
        for lock in list.items()? {
            let text = |key| lock.get(key).map(|node| node.text()).transpose();
            locks.push(LockRow {
                kind: text("type")?.unwrap_or_else(|| "EXCLUSIVE".to_owned()),
                group_id: text("groupId")?.unwrap_or_default(),
                datasource: text("dataSource")?.unwrap_or_else(|| datasource.to_owned()),
                interval: lock.wanted("interval", "an interval")?.interval()?,
                version: text("version")?,
                priority: lock.get("priority").map(|node| node.whole()).transpose()?.unwrap_or(0),
                revoked: lock.get("revoked").map(|node| node.flag()).transpose()?.unwrap_or(false),
                granularity: text("granularity")?.unwrap_or_else(|| "timeChunk".to_owned()),
            });
        }
    }
    Ok(locks)
}

/// `POST /lockedIntervals/v2`.
pub fn locked_intervals(response: &Response) -> Result<BTreeMap<String, Vec<Interval>>, AnswerError> {
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    let mut found = BTreeMap::new();
    for (datasource, list) in root.entries()? {
        let intervals = list.items()?.map(|node| node.interval()).collect::<Result<Vec<_>, _>>()?;
        found.insert(datasource.to_owned(), intervals);
    }
    Ok(found)
}

/// How much of what should be served is served.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadStatus {
    /// Percent of the used, not overshadowed segments that are served; 100 is all.
    Percent(f64),
    /// So many segments are not loaded yet.
    Missing(u64),
    /// No used segment in the interval: 200 with a sentence.
    Nothing,
    /// Druid does not know the datasource: 204.
    UnknownDatasource,
}

/// `GET …/loadstatus` for one datasource, in the form of percent.
pub fn load_percent(response: &Response, datasource: &str) -> Result<LoadStatus, AnswerError> {
    load_status(response, datasource, |node| node.number().map(LoadStatus::Percent))
}

/// `GET …/loadstatus?simple`: how many are missing.
pub fn load_missing(response: &Response, datasource: &str) -> Result<LoadStatus, AnswerError> {
    load_status(response, datasource, |node| node.count().map(LoadStatus::Missing))
}

fn load_status(
    response: &Response,
    datasource: &str,
    read: impl FnOnce(&Node) -> Result<LoadStatus, AnswerError>,
) -> Result<LoadStatus, AnswerError> {
    refused(response)?;
    if response.status == 204 {
        return Ok(LoadStatus::UnknownDatasource);
    }
    // The sentence comes as application/json and without quotes.
    if super::error::words(response).starts_with("No used segment found for the given datasource") {
        return Ok(LoadStatus::Nothing);
    }
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    root.object()?;
    let node = root.wanted(datasource, "the load status")?;
    read(&node)
}

/// `GET …/isLeader`: 200 or 404, with the same body.
pub fn leads(response: &Response) -> Result<bool, AnswerError> {
    let as_success = if response.status == 404 && response.gateway_error.is_none() {
        // A Router whose management proxy is off says 404 as well; its body has no `leader`.
        Response { status: 200, ..response.clone() }
    } else {
        response.clone()
    };
    let body = json(&as_success, CAP)?;
    Node::root(&body).wanted("leader", "whether it leads")?.flag()
}

/// `GET /proxy/enabled`: only a Router with its management proxy on says so.
pub fn proxy_enabled(response: &Response) -> bool {
    json(response, CAP).is_ok_and(|body| body.get("enabled") == Some(&Value::Bool(true)))
}

/// `GET …/leader`: an address, as text or as a JSON string.
pub fn leader(response: &Response) -> Result<String, AnswerError> {
    refused(response)?;
    let words = super::error::words(response);
    let known = words.starts_with("http://") || words.starts_with("https://");
    known.then_some(words).ok_or(AnswerError::Empty { status: response.status })
}

/// A change of segments' used flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Segments that Druid counted; for mark-unused also those that were unused before.
    pub changed: u64,
}

/// Any of the mark calls. 33.0.0 answers 500 to changes that it has made: on an error read the segments back.
pub fn marked(response: &Response) -> Result<Marked, AnswerError> {
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    Ok(Marked { changed: root.wanted("numChangedSegments", "a count of segments")?.count()? })
}

/// A worker and its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// `host:port`.
    pub host: String,
    /// Slots.
    pub capacity: u64,
    /// Slots in use.
    pub used: u64,
    /// Ids of the tasks on it.
    pub running: Vec<String>,
}

/// `GET /workers`.
pub fn workers(response: &Response) -> Result<Vec<Worker>, AnswerError> {
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    root.items()?
        .map(|node| {
            let worker = node.wanted("worker", "a worker")?;
            let running = match node.get("runningTasks") {
                Some(list) => list.items()?.map(|node| node.text()).collect::<Result<_, _>>()?,
                None => Vec::new(),
            };
            Ok(Worker {
                host: worker.wanted("host", "a host")?.text()?,
                capacity: worker.wanted("capacity", "a number of slots")?.count()?,
                used: node.get("currCapacityUsed").map(|node| node.count()).transpose()?.unwrap_or(0),
                running,
            })
        })
        .collect()
}

/// `GET …/rules/{datasource}?full`: retention rules as Druid's JSON, those of the datasource before the default ones. Of
/// each kind only its `type` is known here.
pub fn retention_rules(response: &Response) -> Result<Value, AnswerError> {
    let body = json(response, CAP)?;
    for rule in Node::root(&body).items()? {
        rule.wanted("type", "the kind of a rule")?.text()?;
    }
    Ok(body)
}

/// The compaction config of one datasource as Druid's JSON. `None`: there is none (404 with the envelope `notFound`).
pub fn compaction_config(response: &Response) -> Result<Option<Value>, AnswerError> {
    if response.status == 404 && response.gateway_error.is_none() {
        let is_druids = super::error::parse(response)
            .is_ok_and(|body| body.get("errorCode").and_then(Value::as_str) == Some("notFound"));
        // Releases before the envelope answer with an empty body.
        if is_druids || response.body.is_empty() {
            return Ok(None);
        }
    }
    let body = json(response, CAP)?;
    Node::root(&body).object()?;
    Ok(Some(body))
}

/// The compaction config of one datasource in the list of all, as Coordinator and Overlord give it. `None`: there is none.
pub fn compaction_config_among(response: &Response, datasource: &str) -> Result<Option<Value>, AnswerError> {
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    let configs = root.wanted("compactionConfigs", "a list of configs")?;
    let is_its = |config: &Value| config.get("dataSource").and_then(Value::as_str) == Some(datasource);
    Ok(configs.items()?.map(|node| node.value().clone()).find(is_its))
}

/// A supervisor as `GET /supervisor?full` gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervisor {
    /// Its id; streaming ones have the datasource's name, compaction ones `autocompact__` and the name.
    pub id: String,
    /// `RUNNING`, `SUSPENDED`, `UNHEALTHY_TASKS` …
    pub state: String,
    /// Whether it is suspended.
    pub suspended: bool,
    /// `kafka`, `kinesis`, `autocompact` …
    pub kind: String,
    /// The spec as Druid's JSON.
    pub spec: Value,
}

/// `GET /supervisor?full`.
pub fn supervisors(response: &Response) -> Result<Vec<Supervisor>, AnswerError> {
    let body = json(response, 4 * CAP)?;
    let root = Node::root(&body);
    root.items()?
        .map(|node| {
            let text = |key| node.get(key).map(|node| node.text()).transpose();
            let spec = node.get("spec").map_or(Value::Null, |node| node.value().clone());
            let kind = match text("type")? {
                Some(kind) => kind,
                None => spec.get("type").and_then(Value::as_str).unwrap_or_default().to_owned(),
            };
            Ok(Supervisor {
                id: node.wanted("id", "a supervisor id")?.text()?,
                state: text("state")?.unwrap_or_default(),
                suspended: node.get("suspended").map(|node| node.flag()).transpose()?.unwrap_or(false),
                kind,
                spec,
            })
        })
        .collect()
}
