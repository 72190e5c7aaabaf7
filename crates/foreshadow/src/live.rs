//! A live cluster read once: segments, locks, running tasks, compaction config, slots, retention rules, whether the id was
//! used before, release.
//!
//! What always holds: nothing is sent that changes the cluster; what the cluster does not say stays unknown, with a note.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use backfill::check::{AutoCompaction, Retention, Slots};
use backfill::forecast::Running;
use backfill::submission::{Sameness, same_content};
use druid::answer::{self, LockRow, Runner, TaskStatus};
use druid::endpoint::{Endpoint, LockFilter, Name, Request, TaskState};
use druid::interval::Interval;
use druid::release::Release;
use druid::segment::UnusedSegment;
use druid::spec::Task;
use druid::zone::Tzdb;
use gateway::{Cluster, ClusterConfig, Config, Upstream};

use crate::situation::Situation;
use crate::{files, forecast, serve};

/// Unused segments asked for at once, and pages at most: enough for every chunk a person backfills.
const PAGE: u32 = 10_000;
const PAGES: usize = 100;

/// Everything that a cluster says of a task's datasource.
pub(crate) fn situation(
    cluster: &[String],
    credentials: Option<&Path>,
    task: Task,
    datasource: &str,
) -> Result<Situation> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("No thread to run on")?;
    runtime.block_on(read(cluster, credentials, task, datasource))
}

async fn read(
    cluster: &[String],
    credentials: Option<&Path>,
    task: Task,
    datasource: &str,
) -> Result<Situation> {
    let config = ClusterConfig {
        addresses: forecast::addresses(cluster)?,
        credentials: serve::credentials(credentials)?,
    };
    let (cluster, version) = Cluster::connect(config, Config::default().limits).await?;
    let asked = Asked { upstream: Upstream::cluster(cluster), name: Name::new(datasource)? };
    let segments =
        asked.upstream.used_segments(&asked.name).await.map_err(|why| anyhow!("The segments: {why}"))?;
    let mut situation = Situation::new(task, segments);
    situation.release =
        Release::parse(&version).ok_or_else(|| anyhow!("The cluster's version {version} is no release."))?;
    situation.locks = asked.locks().await?;
    situation.running = asked.running().await?;
    let mut unread = |what: &str, why: String| situation.notes.push(format!("{what}: {why}"));
    match asked.compaction(situation.release).await {
        Ok(config) => situation.surroundings.compaction = config,
        Err(why) => unread("The automatic compaction of the datasource", why),
    }
    match asked.slots().await {
        Ok(slots) => situation.surroundings.slots = Some(slots),
        Err(why) => unread("How many worker slots are free", why),
    }
    match asked.rules().await {
        Ok(rules) => situation.surroundings.retention = rules,
        Err(why) => unread("The retention rules of the datasource", why),
    }
    if let Some(id) = situation.task.id.as_deref().and_then(|id| Name::new(id).ok()) {
        match asked.taken(&id, &situation.task).await {
            Ok(taken) => situation.surroundings.id_taken = taken,
            Err(why) => unread("Whether its id was used before", why),
        }
    }
    if let Some(interval) = druid::ingest::wants_unused(&situation.task) {
        match asked.unused(interval).await {
            Ok(found) => situation.unused = Some(found),
            Err(why) => unread("Which unused segments there are", why),
        }
    }
    Ok(situation)
}

struct Asked {
    upstream: Upstream,
    name: Name,
}

impl Asked {
    async fn locks(&self) -> Result<Vec<druid::lock::Held>> {
        let filter = LockFilter { datasource: self.name.clone(), priority: 0, intervals: Vec::new() };
        let answer = self.upstream.ask(Request::active_locks(&[filter])).await;
        let answer = answer.map_err(|why| anyhow!("The locks: {why}"))?;
        let rows = answer::locks(&answer).map_err(|error| anyhow!("The locks: {error}"))?;
        Ok(rows.into_iter().map(LockRow::held).collect())
    }

    async fn running(&self) -> Result<Vec<Running>> {
        let mut found: Vec<TaskStatus> = Vec::new();
        for state in TaskState::UNFINISHED {
            let request = Endpoint::Tasks {
                state: Some(state),
                datasource: Some(self.name.clone()),
                created: None,
                max: None,
            }
            .request();
            let answer =
                self.upstream.ask(request).await.map_err(|why| anyhow!("The running tasks: {why}"))?;
            let tasks = answer::task_list(&answer).map_err(|error| anyhow!("The running tasks: {error}"))?;
            found.retain(|earlier| tasks.iter().all(|task| task.id != earlier.id));
            found.extend(tasks);
        }
        let mut running = Vec::with_capacity(found.len());
        for task in found {
            running.push(self.one(task).await);
        }
        Ok(running)
    }

    /// A running task with what its payload says; a task whose payload is gone by now may touch anything.
    async fn one(&self, status: TaskStatus) -> Running {
        let payload = match Name::new(&status.id) {
            Ok(id) => self.upstream.ask(Endpoint::TaskPayload(id).request()).await.ok(),
            Err(_) => None,
        };
        let payload = payload.and_then(|answer| answer::task_payload(&answer).ok().flatten());
        let read = payload.map(|raw| files::running_task(&raw).1);
        Running {
            priority: read.as_ref().and_then(|read| read.priority),
            intervals: read.map(|read| read.intervals).unwrap_or_default(),
            waits: status.runner != Runner::Running,
            kind: status.kind,
            id: status.id,
        }
    }

    async fn compaction(&self, release: Release) -> Result<Option<AutoCompaction>, String> {
        let endpoint = Endpoint::compaction_of(self.name.clone(), release);
        let answer = self.upstream.ask(endpoint.request()).await?;
        let config = answer::compaction_config(&answer).map_err(|error| error.to_string())?;
        Ok(config.map(|config| AutoCompaction::of(&config, &Tzdb::default())))
    }

    async fn slots(&self) -> Result<Slots, String> {
        let answer = self.upstream.ask(Endpoint::Workers.request()).await?;
        let workers = answer::workers(&answer).map_err(|error| error.to_string())?;
        Ok(Slots::of(&workers))
    }

    async fn rules(&self) -> Result<Vec<Retention>, String> {
        let answer = self.upstream.ask(Endpoint::RetentionRules(self.name.clone()).request()).await?;
        let rules = answer::retention_rules(&answer).map_err(|error| error.to_string())?;
        Ok(Retention::list(&rules))
    }

    /// Where the task that the Overlord has under an id differs from this one; none where it has none, or the same.
    async fn taken(&self, id: &Name, task: &Task) -> Result<Option<String>, String> {
        let answer = self.upstream.ask(Endpoint::TaskPayload(id.clone()).request()).await?;
        let stored = answer::task_payload(&answer).map_err(|error| error.to_string())?;
        let Some(stored) = stored else { return Ok(None) };
        match same_content(task.document.text(), &stored.to_string()) {
            Sameness::Same => Ok(None),
            Sameness::Differs(places) => {
                let first = places.first().map(|place| place.path.as_str()).unwrap_or_default();
                Ok(Some(format!("The Overlord has a task of this id that is another at {first}.")))
            }
            Sameness::Unreadable(why) => Err(why),
        }
    }

    async fn unused(&self, interval: Option<Interval>) -> Result<Vec<UnusedSegment>, String> {
        let mut found: Vec<UnusedSegment> = Vec::new();
        for _ in 0..PAGES {
            let request = Endpoint::UnusedSegments {
                datasource: self.name.clone(),
                interval,
                limit: Some(PAGE),
                after: found.last().map(|last| last.id.clone()),
                order: Some(druid::endpoint::SortOrder::Ascending),
            }
            .request();
            let answer = self.upstream.ask(request).await?;
            let page = answer::unused_segments(&answer).map_err(|error| error.to_string())?;
            let is_last = page.len() < PAGE as usize;
            found.extend(page.into_iter().map(UnusedSegment::from));
            if is_last {
                return Ok(found);
            }
        }
        Err(format!("more than {} of them", found.len()))
    }
}
