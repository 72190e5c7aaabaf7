//! A small Druid in memory: an Overlord with a queue, locks and a task store, and a Coordinator with segments.
//!
//! What always holds:
//! - It does no I/O and reads no clock: every call brings the time, and time that goes backwards stands still.
//! - It answers exactly the calls of `druid::endpoint`, in the shapes that live clusters gave (facts §5, §6).
//! - What a task publishes is decided by `druid::ingest` from the rows its input really has here ([`objects`]).
//! - The same calls at the same times give the same answers.
//!
//! What it does not do: keep anything between two starts; run compactions, streams or SQL; let sub-tasks take slots;
//! mark overshadowed segments unused (a paused Coordinator, so that the history stays to be looked at).
//! It does not know `backfill`: "as foreseen" is a finding here as on any cluster.

mod answers;
mod background;
mod coordinator;
mod fault;
pub mod history;
mod input;
mod metadata;
pub mod objects;
mod overlord;
mod queue;
mod task;

pub use fault::Fault;

use druid::{
    answer::Response,
    endpoint::{Endpoint, Request},
    interval::Instant,
    release::Release,
    zone::Tzdb,
};
use metadata::Metadata;
use std::collections::VecDeque;
use task::StoredTask;

/// How long things take here, in milliseconds of the time that is brought in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// From the queue to a worker.
    pub assign_ms: i64,
    /// On the worker.
    pub run_ms: i64,
    /// From published to served.
    pub load_ms: i64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { assign_ms: 400, run_ms: 2_600, load_ms: 1_000 }
    }
}

/// The built-in cluster.
#[derive(Debug)]
pub struct Sandbox {
    release: Release,
    clock: Instant,
    /// Up to when everything that was due has happened.
    worked: Instant,
    pace: Pace,
    slots: usize,
    metadata: Metadata,
    tasks: Vec<StoredTask>,
    /// The tz database; a zone's table is made when first asked for.
    zones: Tzdb,
    faults: VecDeque<Fault>,
}

impl Sandbox {
    /// A cluster of this release with the built-in history, started at `now`.
    pub fn new(release: Release, now: Instant) -> Sandbox {
        let mut sandbox = Sandbox::empty(release, now);
        for (datasource, segments) in history::history(now).datasources {
            sandbox.metadata.seed(&datasource, segments, now);
        }
        sandbox.tasks.extend(background::running_task(now));
        sandbox
    }

    /// A cluster of this release without any segments or tasks.
    pub fn empty(release: Release, now: Instant) -> Sandbox {
        Sandbox {
            release,
            clock: now,
            worked: now,
            pace: Pace::default(),
            slots: 3,
            metadata: Metadata::default(),
            tasks: Vec::new(),
            zones: Tzdb::default(),
            faults: VecDeque::new(),
        }
    }

    /// Sets how long things take.
    #[must_use]
    pub fn at_pace(mut self, pace: Pace) -> Sandbox {
        self.pace = pace;
        self
    }

    /// Adds used segments, as if a run long ago had published them.
    pub fn seed(&mut self, datasource: &str, segments: Vec<druid::segment::Segment>) {
        let now = self.clock;
        self.metadata.seed(datasource, segments, now);
    }

    /// Orders a fault; faults come in the order in which they were ordered, each for the next call it fits.
    pub fn order(&mut self, fault: Fault) {
        self.faults.push_back(fault);
    }

    /// The release it claims to be.
    pub fn release(&self) -> Release {
        self.release
    }

    /// Moves the clock on and lets everything happen that is due.
    pub fn tick(&mut self, now: Instant) {
        self.clock = self.clock.max(now);
        self.work();
    }

    /// Answers a call at a time.
    pub fn handle(&mut self, now: Instant, request: &Request) -> Response {
        self.tick(now);
        let Some(endpoint) = request.endpoint() else { return answers::no_such_path(request) };
        match self.fault_for(&endpoint) {
            Some(Fault::LostAnswer) => {
                let _ = self.answer(&endpoint, request);
                fault::lost()
            }
            Some(fault) => fault.response(),
            None => self.answer(&endpoint, request),
        }
    }

    fn fault_for(&mut self, endpoint: &Endpoint) -> Option<Fault> {
        let first = self.faults.front()?;
        if first.fits(endpoint) { self.faults.pop_front() } else { None }
    }

    fn answer(&mut self, endpoint: &Endpoint, request: &Request) -> Response {
        let body = request.body.as_deref().unwrap_or_default();
        match endpoint {
            Endpoint::SubmitTask => self.submit(body),
            Endpoint::TaskPayload(id) => self.payload(id.as_str()),
            Endpoint::TaskStatus(id) => self.status(id.as_str()),
            Endpoint::TaskReports(id) => self.reports(id.as_str()),
            Endpoint::TaskLog { task, .. } => self.log(task.as_str()),
            Endpoint::ShutdownTask(id) => self.shut_down(id.as_str()),
            Endpoint::Tasks { state, datasource, max, .. } => {
                self.list(*state, datasource.as_ref().map(AsRef::as_ref), *max)
            }
            Endpoint::ActiveLocks => self.active_locks(body),
            Endpoint::LockedIntervals => self.locked_intervals(body),
            Endpoint::UsedSegments(name) => self.used_segments(name.as_str(), body),
            Endpoint::Datasources => self.datasources(),
            Endpoint::UnusedSegments { datasource, interval, limit, .. } => {
                self.unused_segments(datasource.as_str(), *interval, *limit)
            }
            Endpoint::LoadStatus { datasource, interval, form, .. } => {
                self.load_status(datasource.as_str(), *interval, *form)
            }
            Endpoint::RetentionRules(_) => answers::default_rules(),
            Endpoint::Sql => self.sql(body),
            Endpoint::MarkUsed(name) => {
                let answer = self.mark(name.as_str(), body, true);
                let forwards_badly = answer.is_success() && self.release.to_string().starts_with("33.");
                if forwards_badly { answers::made_and_denied() } else { answer }
            }
            Endpoint::OverlordMarkUsed(name) => self.mark(name.as_str(), body, true),
            Endpoint::MarkUnused(name) | Endpoint::OverlordMarkUnused(name) => {
                self.mark(name.as_str(), body, false)
            }
            Endpoint::Sample => self.sample(body),
            Endpoint::Workers => self.workers(),
            Endpoint::Status | Endpoint::OverlordStatus => answers::version(self.release),
            Endpoint::OverlordLeader | Endpoint::CoordinatorLeader => Response::text(200, "http://built-in"),
            Endpoint::OverlordIsLeader | Endpoint::CoordinatorIsLeader => answers::leads(),
            Endpoint::ProxyEnabled => answers::proxy_enabled(),
            Endpoint::CompactionConfigs | Endpoint::OverlordCompactionConfigs => {
                answers::no_compaction_configs()
            }
            Endpoint::CompactionConfig(_) | Endpoint::OverlordCompactionConfig(_) => {
                answers::no_compaction_config()
            }
            Endpoint::OverlordCompactionCluster => answers::compaction_cluster(),
            Endpoint::CompactionSupervisors => Response::json(200, &serde_json::Value::Bool(false)),
            Endpoint::Supervisors { .. } => Response::json(200, &serde_json::json!([])),
        }
    }
}
