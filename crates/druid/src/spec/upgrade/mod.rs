//! Old forms of a spec, and what they are today.
//!
//! Always holds:
//! - an upgrade is a list of edits: what they do not name stays byte for byte, and taking them back gives the bytes
//!   from before;
//! - every change has a sentence with its reason, and nothing is lost: what has no counterpart stays where it stood,
//!   under its key with `_` before it, and is named;
//! - an upgraded task has no old form left.
//!
//! It does not decide whether to upgrade: that is for whoever has read the diff. [`old_forms`] alone is cheap, and all
//! that a finding needs.

mod draft;
mod hadoop;
mod parser;
mod paths;
mod source;

use crate::json::{Document, Edit, EditError, Kind, Path, Severity, quote};
use crate::release::Release;
use crate::zone::UtcOnly;

use super::{Task, TaskKind};
use draft::{Done, Draft};

/// The three parts of a spec.
const PARTS: [&str; 3] = ["dataSchema", "ioConfig", "tuningConfig"];

/// A form that Druid took once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OldForm {
    /// The three parts stand in the task itself, without `spec` around them.
    Flat,
    /// `index_hadoop`.
    Hadoop,
    /// `ioConfig.firehose` in place of `inputSource`.
    Firehose,
    /// `dataSchema.parser` in place of `timestampSpec`, `dimensionsSpec` and `inputFormat`.
    Parser,
}

impl OldForm {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OldForm::Flat => "a spec without spec around it",
            OldForm::Hadoop => "index_hadoop",
            OldForm::Firehose => "firehose",
            OldForm::Parser => "parser",
        }
    }

    /// What became of it.
    #[must_use]
    pub fn fate(self) -> &'static str {
        match self {
            OldForm::Flat => "dataSchema, ioConfig and tuningConfig belong inside spec.",
            OldForm::Hadoop => "Druid 37 has no Hadoop ingestion; index_parallel does the same work.",
            OldForm::Firehose => "inputSource took the place of firehose: Druid 26 has none any more.",
            OldForm::Parser => {
                "Druid 37 refuses parser; timestampSpec, dimensionsSpec and inputFormat say the same."
            }
        }
    }

    /// Whether a release still takes it. Streams have always been taken without `spec` around them
    /// (`KafkaSupervisorSpec`); firehoses went with 26 (Druid's page about migrating from them).
    #[must_use]
    pub fn is_taken(self, kind: &TaskKind, release: Release) -> bool {
        match self {
            OldForm::Flat => matches!(kind, TaskKind::Supervisor(_)),
            OldForm::Firehose => release < Release::major(26),
            OldForm::Hadoop | OldForm::Parser => release < Release::major(37),
        }
    }
}

/// The old forms that a task is in. Of a text that is no JSON nothing is said.
#[must_use]
pub fn old_forms(task: &Task) -> Vec<OldForm> {
    let Some(base) = base(&task.document, &task.kind) else { return Vec::new() };
    let has = |keys: &[&str]| {
        let path = base.join_all(&Path::keys(keys));
        task.document.get(&path).is_some_and(|node| !node.is_null())
    };
    let is_batch = !matches!(task.kind, TaskKind::Supervisor(_));
    let forms = [
        (OldForm::Flat, base == Path::root()),
        (OldForm::Hadoop, task.kind == TaskKind::Hadoop),
        (OldForm::Firehose, is_batch && has(&["ioConfig", "firehose"])),
        (OldForm::Parser, has(&["dataSchema", "parser"])),
    ];
    forms.into_iter().filter(|(_, is_there)| *is_there).map(|(form, _)| form).collect()
}

/// Where the three parts stand, for the kinds of tasks that have them.
fn base(document: &Document, kind: &TaskKind) -> Option<Path> {
    let has_parts = match kind {
        TaskKind::IndexParallel | TaskKind::Index | TaskKind::Hadoop => true,
        TaskKind::Supervisor(name) => matches!(name.as_str(), "kafka" | "kinesis" | "rabbit"),
        _ => false,
    };
    let is_json = document.diagnostics().iter().all(|found| found.severity() != Severity::Error);
    let root = document.root().filter(|root| has_parts && is_json && root.kind() == Kind::Object)?;
    let has = |key: &str| root.get(key).is_some_and(|node| !node.is_null());
    let is_flat = !has("spec") && PARTS.iter().any(|key| has(key));
    Some(if is_flat { Path::root() } else { Path::keys(&["spec"]) })
}

/// Something said of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Where, in the upgraded document.
    pub path: Path,
    /// One sentence.
    pub text: String,
}

/// A task in the form of today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgrade {
    /// The task as it would be.
    pub document: Document,
    /// What turns the old one into it, in order.
    pub edits: Vec<Edit>,
    /// What changes, each with its reason.
    pub changes: Vec<Said>,
    /// What is not carried over and kept in sight, and what has to be written or looked at by hand.
    pub left: Vec<Said>,
}

/// Brings a task into the form of today; one that has no old form stays as it is.
///
/// # Errors
/// A part is no object, or the result would be nested too deep.
pub fn upgrade(document: &Document) -> Result<Upgrade, EditError> {
    let task = Task::read(document, &UtcOnly);
    let forms = old_forms(&task);
    let mut draft = Draft::new(document);
    if forms.contains(&OldForm::Flat) {
        nest(&mut draft, &task.kind)?;
    }
    let base = Path::keys(&["spec"]);
    if forms.contains(&OldForm::Hadoop) {
        hadoop::bring_over(&mut draft, &base)?;
    }
    if forms.contains(&OldForm::Firehose) {
        source::bring_over(&mut draft, &base)?;
    }
    if forms.contains(&OldForm::Parser) {
        parser::bring_over(&mut draft, &base)?;
    }
    if forms.contains(&OldForm::Firehose) || forms.contains(&OldForm::Hadoop) {
        source::time_of_rows(&mut draft, &base)?;
    }
    Ok(draft.finish())
}

/// Puts the three parts into `spec`.
fn nest(draft: &mut Draft, kind: &TaskKind) -> Done {
    let mut members = Vec::new();
    for key in PARTS {
        if let Some(json) = draft.json(&Path::keys(&[key])) {
            members.push(format!("{}:{json}", quote(key)));
        }
    }
    let spec = Path::keys(&["spec"]);
    draft.put(&spec, format!("{{{}}}", members.join(",")))?;
    for key in PARTS {
        draft.take(&Path::keys(&[key]))?;
    }
    let why = match kind {
        TaskKind::Supervisor(_) => "the form that Druid documents",
        _ => "Druid reads them nowhere else",
    };
    draft.say(&spec, format!("dataSchema, ioConfig and tuningConfig move into spec: {why}."));
    Ok(())
}
