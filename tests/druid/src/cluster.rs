//! What is asked of the cluster: submit, wait, read segments, mark.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::wire::{get, post};

const LOOK_EVERY: Duration = Duration::from_millis(120);
/// Coordinator snapshots are a second old at most; a busy machine takes longer.
const SNAPSHOT_WITHIN: Duration = Duration::from_secs(60);

/// A cluster by the address of its Router or Coordinator.
pub(crate) struct Cluster {
    pub(crate) authority: String,
}

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The Overlord did not take it: its words.
    Refused(String),
    Success(Option<String>),
    Failed(Option<String>),
    /// Not over in the time given.
    Runs,
}

/// A task once it is over, or was given up.
pub(crate) struct Ended {
    pub(crate) end: End,
    /// `createdTime`; none when it was refused.
    pub(crate) created: Option<String>,
}

impl Cluster {
    /// Nothing but tasks changes segments from now on: the Coordinator's duties rest.
    pub(crate) fn rest(&self) -> Result<()> {
        let rest = json!({"pauseCoordination": true, "millisToWaitBeforeDeleting": 1_000_000_000_000_i64});
        let answer = post(&self.authority, "/druid/coordinator/v1/config", &rest)?;
        if answer.status != 200 {
            bail!("the Coordinator's duties cannot be paused: {} {}", answer.status, answer.body);
        }
        Ok(())
    }

    /// Submits a task and waits until it is over, at most so long.
    pub(crate) fn run(&self, task: &Value, at_most: Duration) -> Result<Ended> {
        let answer = post(&self.authority, "/druid/indexer/v1/task", task)?;
        if answer.status != 200 {
            let said = answer.json().ok().and_then(|body| {
                Some(body.get("errorMessage").or_else(|| body.get("error"))?.as_str()?.to_owned())
            });
            return Ok(Ended { end: End::Refused(said.unwrap_or(answer.body)), created: None });
        }
        let id = task.get("id").and_then(Value::as_str).context("a task of ours has an id")?;
        self.wait(id, at_most)
    }

    fn wait(&self, id: &str, at_most: Duration) -> Result<Ended> {
        let until = Instant::now() + at_most;
        loop {
            let answer = get(&self.authority, &format!("/druid/indexer/v1/task/{id}/status"))?;
            if answer.status == 200 {
                let status = answer.json()?;
                let text = |key: &str| {
                    status.pointer(&format!("/status/{key}")).and_then(Value::as_str).map(str::to_owned)
                };
                let created = text("createdTime");
                match text("statusCode").as_deref() {
                    Some("SUCCESS") => return Ok(Ended { end: End::Success(text("errorMsg")), created }),
                    Some("FAILED") => return Ok(Ended { end: End::Failed(text("errorMsg")), created }),
                    _ if Instant::now() >= until => return Ok(Ended { end: End::Runs, created }),
                    _ => {}
                }
            }
            if Instant::now() >= until + SNAPSHOT_WITHIN {
                bail!("the status of {id} cannot be read: {} {}", answer.status, answer.body);
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Ends a task and waits until it is over, so that it publishes nothing afterwards.
    pub(crate) fn shut_down(&self, id: &str) -> Result<()> {
        post(&self.authority, &format!("/druid/indexer/v1/task/{id}/shutdown"), &json!({}))?;
        self.wait(id, SNAPSHOT_WITHIN)?;
        Ok(())
    }

    /// Used segments, as the metadata store has them now.
    pub(crate) fn used(&self, datasource: &str) -> Result<Vec<Value>> {
        let path = format!("/druid/coordinator/v1/metadata/datasources/{datasource}/segments?full");
        let all = json!(["-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"]);
        let answer = post(&self.authority, &path, &all)?;
        match answer.json()? {
            Value::Array(segments) if answer.status == 200 => Ok(segments),
            _ => bail!("used segments of {datasource}: {} {}", answer.status, answer.body),
        }
    }

    /// Ids of unused segments.
    pub(crate) fn unused(&self, datasource: &str) -> Result<Vec<String>> {
        let path = format!("/druid/coordinator/v1/metadata/datasources/{datasource}/unusedSegments");
        let answer = get(&self.authority, &path)?;
        let Value::Array(segments) = answer.json()? else {
            bail!("unused segments of {datasource}: {} {}", answer.status, answer.body)
        };
        let id = |segment: &Value| {
            let segment = segment.get("dataSegment").unwrap_or(segment);
            segment.get("identifier").and_then(Value::as_str).map(str::to_owned)
        };
        segments.iter().map(|segment| id(segment).context("an unused segment has an identifier")).collect()
    }

    /// Marks segments unused, by their ids.
    pub(crate) fn mark_unused(&self, datasource: &str, ids: &[String]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let body = json!({"segmentIds": ids});
        for prefix in ["/druid/indexer/v1", "/druid/coordinator/v1"] {
            let answer =
                post(&self.authority, &format!("{prefix}/datasources/{datasource}/markUnused"), &body)?;
            if answer.status == 200 {
                return Ok(());
            }
        }
        bail!("no service marks segments of {datasource} unused")
    }

    /// Waits until the Coordinator's snapshot has these segments: parallel reads of a `druid` source go by it.
    pub(crate) fn await_snapshot(&self, datasource: &str, ids: &BTreeSet<&str>) -> Result<()> {
        let until = Instant::now() + SNAPSHOT_WITHIN;
        loop {
            let path = format!("/druid/coordinator/v1/metadata/datasources/{datasource}/segments");
            let answer = get(&self.authority, &path)?;
            let there = answer.json().unwrap_or_default();
            let there: BTreeSet<&str> =
                there.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            // A datasource without used segments is not in the snapshot: 404.
            if there == *ids {
                return Ok(());
            }
            if Instant::now() >= until {
                bail!("the Coordinator's snapshot of {datasource} does not follow");
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}
