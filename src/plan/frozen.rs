//! The plan as it was drawn when Submit was pressed. What is typed while a part of the console is fetched, or while the
//! cluster is asked again, is not in it: what you saw is what you get.

use super::{
    identity::version_of,
    state::{Drawn, PlanPage},
};
use crate::{
    cluster::{Snapshot, Traffic},
    timeline::Shared,
};
use backfill::{retry::Policy, task_id::Version};
use druid::{json::Document, spec::Task};
use leptos::prelude::*;

/// One moment of the page.
pub struct Frozen {
    /// What goes into the id.
    pub version: Result<Version, String>,
    /// The spec.
    pub document: Document,
    /// The spec, read.
    pub task: Shared<Task>,
    /// What was read of the spec's datasource; none where nothing was.
    pub read: Option<Shared<Snapshot>>,
    /// Locks and tasks.
    pub traffic: Shared<Traffic>,
    /// Forecast and findings.
    pub drawn: Shared<Drawn>,
    /// How patiently a submit is tried again; none where its numbers cannot be used.
    pub policy: Option<Policy>,
}

impl PlanPage {
    /// Takes the moment.
    pub(super) fn frozen(self) -> Frozen {
        let task = self.task.get_untracked();
        let datasource = task.datasource.clone().unwrap_or_default();
        Frozen {
            version: self.plan.with_untracked(version_of),
            document: self.document.get_untracked(),
            task,
            read: self.snapshot.get_untracked().filter(|read| read.datasource == datasource),
            traffic: self.traffic.get_untracked(),
            drawn: self.drawn.get_untracked(),
            policy: Some(self.policy.get_untracked()).filter(|policy| policy.problems().is_empty()),
        }
    }

    /// Sends the plan that is drawn.
    pub fn submit(self) {
        self.sending.submit(self, self.frozen());
    }

    /// Whether what this page sent last is under way.
    pub fn own_run_is_under_way(self) -> bool {
        self.sent.with(|sent| sent.as_ref().is_some_and(|key| self.sending.is_under_way(key)))
    }
}
