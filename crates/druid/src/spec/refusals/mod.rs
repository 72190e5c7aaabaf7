//! What the server would refuse, in its own words, before it says them.
//!
//! Always holds: a rule here is one of the constructors that the Overlord runs when a task is posted (the Java
//! class is named at each), so nothing here is about clusters, locks or data. The list is in the order in which
//! Druid would meet the rules; it stops at the first, people want to see all.
//!
//! [`Refusal::verbatim`] says whether the words were seen in Druid's source or answers. Where a refusal is sure
//! and its words are not, they are ours.

mod input;
mod joda;
mod maintenance;
mod schema;
mod tuning;
mod whole;

pub use joda::interval as words_for_interval;

use crate::order::Order as _;
use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::json::{Edit, Path, Severity};
use crate::release::Release;

use super::values::At;
use super::{Batch, Body, Fix, Task, TaskKind};

/// One rule that a spec breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule, as a name that stays: `append-and-drop`.
    pub rule: &'static str,
    /// Druid's words; of a constructor that fails, what stands behind `problem: `.
    pub message: String,
    /// The Java class whose constructor fails, where one does.
    pub class: Option<Cow<'static, str>>,
    /// Whether the words are Druid's own.
    pub verbatim: bool,
    /// The value to look at.
    pub path: Path,
    /// Changes that would mend it, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Refusal {
    /// The text of `error` in the server's 400, since Druid 32 (before, more lines follow).
    #[must_use]
    pub fn line(&self) -> String {
        match &self.class {
            Some(class) => format!("Cannot construct instance of `{class}`, problem: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Everything the Overlord of a release would refuse in a task, in the order in which it would.
#[must_use]
pub fn refusals(task: &Task, release: Release) -> Vec<Refusal> {
    let mut look = Look { task, release, found: Vec::new() };
    look.whole();
    // Of a text that is no JSON the server reads nothing at all.
    if let Some(batch) = task.batch().filter(|_| task.document.unreadable().is_none()) {
        look.schema(batch);
        look.input(batch);
        look.batch_tuning(batch);
        look.batch(batch);
    }
    match &task.body {
        Body::Compact(compact) => look.compact(compact),
        Body::Kill(_) => look.kill(),
        _ => {}
    }
    look.wrong_kinds();
    // Objects are built when they end: inner ones before outer ones, all in the order of the text.
    look.found.order_by_key(|(at, _)| *at);
    let mut seen = BTreeSet::new();
    let found = look.found.into_iter().map(|(_, refusal)| refusal);
    found.filter(|refusal| seen.insert((refusal.rule, refusal.path.clone()))).collect()
}

/// Looks at a task and keeps what would be refused, with the byte at which Druid would meet it.
struct Look<'t> {
    task: &'t Task,
    release: Release,
    found: Vec<(usize, Refusal)>,
}

impl<'t> Look<'t> {
    fn root(&self) -> At<'t> {
        At::root(&self.task.document)
    }

    /// A part of a batch spec.
    fn part(&self, batch: &Batch, keys: &[&str]) -> At<'t> {
        let node = self.task.document.get(&batch.base).filter(|node| !node.is_null());
        let base = At { node, path: batch.base.clone() };
        base.down(keys)
    }

    /// The constructor of the object at `object` fails over the value at `path`.
    fn refuse(
        &mut self,
        rule: &'static str,
        class: impl Into<Cow<'static, str>>,
        object: &At<'_>,
        path: &Path,
        message: impl Into<String>,
    ) -> &mut Refusal {
        let at = object.node.map_or(usize::MAX, |node| node.span().end);
        self.keep(at, rule, Some(class.into()), path, message.into())
    }

    /// The value at `place` cannot be read as what it should be.
    fn misread(&mut self, rule: &'static str, place: &At<'_>, message: impl Into<String>) -> &mut Refusal {
        let at = place.node.map_or(usize::MAX, |node| node.span().start);
        self.keep(at, rule, None, &place.path, message.into())
    }

    /// An object whose `type` says what it is has none (`AsPropertyTypeDeserializer`); `class`: what it is declared as.
    fn no_type(&mut self, object: &At<'_>, class: &str) -> &mut Refusal {
        let key = object.path.last_key().unwrap_or_default();
        let message = format!(
            "Could not resolve subtype of [simple type, class {class}]: missing type id property 'type' (for POJO \
             property '{key}')"
        );
        let end = object.node.map_or(usize::MAX, |node| node.span().end);
        self.keep(end, "part-type", None, &object.path.join("type"), message)
    }

    fn keep(
        &mut self,
        at: usize,
        rule: &'static str,
        class: Option<Cow<'static, str>>,
        path: &Path,
        message: String,
    ) -> &mut Refusal {
        let refusal = Refusal { rule, message, class, verbatim: true, path: path.clone(), fixes: Vec::new() };
        let (_, kept) = self.found.push_mut((at, refusal));
        kept
    }

    /// The class of the task.
    fn task_class(&self) -> &'static str {
        match self.task.kind {
            TaskKind::Index => "org.apache.druid.indexing.common.task.IndexTask",
            TaskKind::Compact => "org.apache.druid.indexing.common.task.CompactionTask",
            TaskKind::Kill => "org.apache.druid.indexing.common.task.KillUnusedSegmentsTask",
            _ => "org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexSupervisorTask",
        }
    }

    /// The class of `spec`.
    fn spec_class(&self) -> &'static str {
        match self.task.kind {
            TaskKind::Index => "org.apache.druid.indexing.common.task.IndexTask$IndexIngestionSpec",
            _ => "org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexIngestionSpec",
        }
    }

    /// Values of a kind that Jackson cannot turn into what is wanted.
    fn wrong_kinds(&mut self) {
        let mut told: BTreeSet<Path> = self.found.iter().map(|(_, refusal)| refusal.path.clone()).collect();
        for problem in &self.task.problems {
            let is_wrong = problem.code == "wrong-kind" && problem.severity == Severity::Error;
            if is_wrong && told.insert(problem.path.clone()) {
                let at = problem.span.start;
                let refusal = self.keep(at, "wrong-kind", None, &problem.path, problem.message.clone());
                refusal.verbatim = false;
                refusal.fixes.extend(problem.fix.clone());
            }
        }
    }
}

impl Refusal {
    fn ours(&mut self) -> &mut Refusal {
        self.verbatim = false;
        self
    }

    fn fix(&mut self, label: impl Into<String>, edits: Vec<Edit>) -> &mut Refusal {
        self.fixes.push(Fix { label: label.into(), edits });
        self
    }

    fn fix_set(&mut self, label: impl Into<String>, path: &Path, json: impl Into<String>) -> &mut Refusal {
        self.fix(label, vec![Edit::Set(path.clone(), json.into())])
    }
}
