//! The task id on the page, and whether it may be sent.

use super::state::{Drawn, PlanPage};
use backfill::{
    canonical::canonical,
    check::Gate,
    forecast::World,
    plan::{Plan, SpecVersion},
    task_id::{TaskId, Version, task_id},
};
use druid::{
    interval::Interval,
    json::{Document, Path},
    spec::{Body, Task},
};
use leptos::prelude::*;

impl PlanPage {
    /// The id of the task as it stands; why there is none, with the remedy.
    pub fn id(self) -> Result<TaskId, String> {
        let version = self.version();
        self.task.with(|task| id_of(task, &version))
    }

    /// The version that goes into the id.
    pub fn version(self) -> Result<Version, String> {
        version_of(&self.plan.read())
    }

    /// Whether the version is made from the content.
    pub fn version_is_derived(self) -> bool {
        self.plan.with(|plan| *plan.version() == SpecVersion::Derived)
    }

    /// The version as typed; the one made from the content where it is.
    pub fn version_text(self) -> String {
        self.plan.with(|plan| match plan.version() {
            SpecVersion::Typed(text) => text.clone(),
            SpecVersion::Derived => version_of(plan).map(|version| version.text()).unwrap_or_default(),
        })
    }

    /// What is wrong with the version as typed.
    pub fn version_trouble(self) -> Option<String> {
        self.version().err()
    }

    /// Types another version.
    pub fn set_version(self, text: &str) {
        self.plan.update(|plan| plan.set_version("version", SpecVersion::Typed(text.to_owned())));
    }

    /// Makes the version from the content, or goes back to a typed one.
    pub fn derive_version(self, on: bool) {
        let version = if on { SpecVersion::Derived } else { SpecVersion::Typed("v1".to_owned()) };
        self.plan.update(|plan| plan.set_version("", version));
    }

    /// The world that is looked at: the one chosen, or the one in which most goes wrong.
    pub fn looked_at(self, drawn: &Drawn) -> Option<&World> {
        let forecast = drawn.forecast.as_ref()?;
        self.world.get().and_then(|at| forecast.worlds.get(at)).or_else(|| forecast.worst())
    }

    /// Why it cannot be sent now, short enough for the button.
    pub fn blocked(self) -> Option<String> {
        if self.own_run_is_under_way() {
            return Some("Under way".to_owned());
        }
        if self.pressed.get() {
            return Some("Opening the journal …".to_owned());
        }
        let gate = self.findings.with(|findings| {
            self.plan.with(|plan| {
                let gate = Gate::of(findings, |check, saw| plan.is_confirmed(check, saw));
                (gate.stops.len(), gate.unconfirmed.len())
            })
        });
        match gate.0 {
            0 => {}
            1 => return Some("1 finding stops this".to_owned()),
            stops => return Some(format!("{stops} findings stop this")),
        }
        // What was read of another datasource says nothing of this one.
        let datasource = self.datasource();
        if self.snapshot.with(|read| read.as_ref().is_none_or(|read| read.datasource != datasource)) {
            return Some(
                if self.trouble.with(Option::is_some) {
                    "The cluster cannot be read"
                } else {
                    "Reading the cluster …"
                }
                .to_owned(),
            );
        }
        if self.connection.about.with(|about| about.as_ref().is_some_and(|about| about.read_only)) {
            return Some("This gateway is read-only".to_owned());
        }
        if self.id().is_err() {
            return Some("No valid task id".to_owned());
        }
        match gate.1 {
            0 => None,
            1 => Some("Confirm 1 warning first".to_owned()),
            open => Some(format!("Confirm {open} warnings first")),
        }
    }

    /// What the button says when it may be pressed.
    pub fn submit_label(self) -> String {
        "Submit".to_owned()
    }
}

/// The id of a task under a version.
pub(super) fn id_of(task: &Task, version: &Result<Version, String>) -> Result<TaskId, String> {
    let version = version.as_ref().map_err(Clone::clone)?;
    task_id(task.datasource.as_deref().unwrap_or_default(), &intervals(task), version)
        .map_err(|error| error.to_string())
}

/// The key of a content: the same whatever its id.
///
/// # Errors
/// It is no JSON.
pub fn content_of(document: &Document) -> Result<String, String> {
    canonical(document, &[Path::keys(&["id"])])
        .map(|content| content.sha1())
        .map_err(|error| error.to_string())
}

/// The intervals a task names; empty where it names none.
pub fn intervals(task: &Task) -> Vec<Interval> {
    match &task.body {
        Body::Batch(batch) => batch.granularity.intervals.clone(),
        Body::Compact(compact) => compact.interval.into_iter().collect(),
        Body::Kill(kill) => kill.interval.into_iter().collect(),
        Body::Mark(_) | Body::Supervisor(_) | Body::Other => Vec::new(),
    }
}

/// The version of a plan: as typed, or made from the content.
pub(super) fn version_of(plan: &Plan) -> Result<Version, String> {
    match plan.version() {
        SpecVersion::Typed(text) => Version::typed(text).map_err(|error| error.to_string()),
        SpecVersion::Derived => canonical(plan.document(), &[])
            .map(|content| Version::derived(&content))
            .map_err(|error| error.to_string()),
    }
}
