//! A plan: what is to be done, as one value that the forecast is drawn from and the submission is made from.
//!
//! It holds the task as a lossless document, the spec version, what is known of the input, the warnings that were
//! confirmed, and the chunks the picture was drawn from. Every change goes through one log that undo and redo walk.
//!
//! Always true: undoing everything gives back the bytes the plan was opened with; a change that cannot be made
//! leaves the plan as it was; keys of the plan file that this version does not know are written back.
//!
//! Not here: the forecast and the findings (they are made from a plan), and where plans are kept.

mod file;
mod input;
mod log;

pub use file::{FORMAT, ReadError};
pub use input::{Basis, Input, Says, Stroke};
pub use log::{Change, MOST_ENTRIES};

use crate::forecast::{self, Known, Paint, Painted, RowsFrom};
use crate::mask::masked_places;
use crate::submission::Picture;
use druid::ingest::Rows;
use druid::interval::{Instant, Interval};
use druid::json::{Document, Edit, EditError, Path, Splice};
use druid::spec::Task;
use log::Log;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What goes into the task id as the spec version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpecVersion {
    /// As the user typed it, `v3`. It may be unfit for an id; `task_id` says so.
    Typed(String),
    /// From the content: another content, another id.
    Derived,
}

/// A backfill that is being planned.
#[derive(Debug, Clone)]
pub struct Plan {
    document: Document,
    version: SpecVersion,
    input: Input,
    confirmed: BTreeSet<(String, u64)>,
    picture: Option<Picture>,
    /// Keys of the file that this version of the product does not know.
    unknown: serde_json::Map<String, serde_json::Value>,
    log: Log,
    saved_revision: u64,
}

impl Plan {
    /// A plan over this text, which may be anything: what is wrong with it is for the findings to say.
    pub fn new(text: impl Into<std::sync::Arc<str>>) -> Plan {
        Plan {
            document: Document::parse(text),
            version: SpecVersion::Typed("v1".to_owned()),
            input: Input::default(),
            confirmed: BTreeSet::new(),
            picture: None,
            unknown: serde_json::Map::new(),
            log: Log::default(),
            saved_revision: 0,
        }
    }

    /// The task.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The spec version.
    pub fn version(&self) -> &SpecVersion {
        &self.version
    }

    /// What is known of the input.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// What is known of the input of this task (the plan's document, read), for the forecast: what the user said, and
    /// where he said nothing, the rows that the task carries inline.
    pub fn known(&self, task: &Task) -> Known {
        let mut known = match &self.input.basis {
            Basis::Unknown => Known::inline(task).unwrap_or_default(),
            Basis::AllRows => Known::only(forecast::Basis::AllRows),
            Basis::NoRows => Known::only(forecast::Basis::NoRows),
            Basis::AsExisting => Known::only(forecast::Basis::AsExisting),
            Basis::Rows(splits) => Known::only(forecast::Basis::Rows {
                rows: Rows { splits: splits.iter().map(|split| instants(split)).collect() },
                from: RowsFrom::List,
                exact: true,
            }),
        };
        known.painted.extend(self.input.painted.iter().filter_map(|stroke| {
            let says = match stroke.says {
                Says::Rows => Painted::Rows,
                Says::NoRows => Painted::NoRows,
                Says::Unknown => Painted::Unknown,
            };
            Some(Paint { interval: stroke.interval()?, says })
        }));
        known
    }

    /// Where a draft has lost a secret: these values must be given again before the task can be sent.
    pub fn missing_secrets(&self) -> Vec<Path> {
        masked_places(&self.document)
    }

    /// Grows with every change, and comes back to an earlier value when the change is undone.
    pub fn revision(&self) -> u64 {
        self.log.revision()
    }

    /// Whether something changed since [`Plan::mark_saved`] (or since the plan was made).
    pub fn is_dirty(&self) -> bool {
        self.revision() != self.saved_revision
    }

    /// Says that the plan as it is now has been put away.
    pub fn mark_saved(&mut self) {
        self.saved_revision = self.revision();
    }

    // ------------------------------------------------------------------ edits

    /// Edits the task by path, all edits or none. Edits of one `gesture` in a row are undone together (typing in one
    /// field until [`Plan::end_gesture`]); an empty gesture stands for itself.
    ///
    /// # Errors
    /// One of the edits cannot be made. Nothing was changed.
    pub fn edit(&mut self, gesture: &str, edits: &[Edit]) -> Result<(), EditError> {
        self.make(gesture, log::label_of_edits(edits), edits)
    }

    /// Brings the task to the form of today by the edits of `druid::spec::upgrade`. One step to undo.
    ///
    /// # Errors
    /// One of the edits cannot be made. Nothing was changed.
    pub fn upgrade(&mut self, edits: &[Edit]) -> Result<(), EditError> {
        self.make("", "the upgrade".to_owned(), edits)
    }

    fn make(&mut self, gesture: &str, label: String, edits: &[Edit]) -> Result<(), EditError> {
        let mut document = self.document.clone();
        let mut changes = Vec::new();
        for edit in edits {
            let splice = document.edit(edit)?;
            // A splice made for this very document always fits it.
            document = document.apply(&splice).map_err(|e| EditError::NotJson(e.to_string()))?;
            changes.push(Change::Text(splice));
        }
        changes.retain(|change| !change.is_nothing());
        if !changes.is_empty() {
            self.log.push(gesture, label, changes);
            self.document = document;
        }
        Ok(())
    }

    /// Takes the whole text as it stands in an editor.
    pub fn type_text(&mut self, gesture: &str, text: &str) {
        let splice = self.document.splice_to(text);
        self.splice(gesture, "typing in the JSON", splice);
    }

    /// Replaces the task by another (an import). One step to undo.
    pub fn import(&mut self, text: &str) {
        let splice = self.document.splice_to(text);
        self.splice("", "the import", splice);
    }

    fn splice(&mut self, gesture: &str, label: &str, splice: Splice) {
        self.change(gesture, label, Change::Text(splice));
    }

    /// Sets the spec version.
    pub fn set_version(&mut self, gesture: &str, version: SpecVersion) {
        let from = self.version.clone();
        self.change(gesture, "the version", Change::Version { from, to: version });
    }

    /// Says what holds of the input where nothing is painted.
    pub fn set_basis(&mut self, basis: Basis) {
        let from = self.input.basis.clone();
        self.change("", "what is known of the input", Change::Basis { from, to: basis });
    }

    /// Paints a stretch of time.
    pub fn paint(&mut self, gesture: &str, interval: Interval, says: Says) {
        let from = self.input.painted.clone();
        let mut to = from.clone();
        to.push(Stroke::new(interval, says));
        self.change(gesture, "the painting", Change::Painted { from, to });
    }

    /// Takes all paint away.
    pub fn clear_paint(&mut self) {
        let from = self.input.painted.clone();
        self.change("", "clearing the paint", Change::Painted { from, to: vec![] });
    }

    /// Says yes to a warning: to this check with exactly what it saw.
    pub fn confirm(&mut self, check: &str, saw: u64) {
        self.change("", "the confirmation", Change::Confirmed { check: check.to_owned(), saw, yes: true });
    }

    /// Takes the yes back.
    pub fn withdraw(&mut self, check: &str, saw: u64) {
        self.change(
            "",
            "taking back the confirmation",
            Change::Confirmed { check: check.to_owned(), saw, yes: false },
        );
    }

    /// Whether this check was confirmed with exactly what it sees now.
    pub fn is_confirmed(&self, check: &str, saw: u64) -> bool {
        // BTreeSet's borrow of a pair would need an owned text; the set has a handful of members.
        self.confirmed.iter().any(|(name, seen)| name == check && *seen == saw)
    }

    /// Drops the confirmations of warnings that are no longer there as they were confirmed: an edit that changed what
    /// a check saw voids its confirmation for good, also when a later edit changes it back. To be called with every
    /// new set of findings, as (check, saw).
    pub fn void_confirmations<'a>(&mut self, findings: impl IntoIterator<Item = (&'a str, u64)>) {
        let now: BTreeSet<(&str, u64)> = findings.into_iter().collect();
        self.confirmed.retain(|(check, saw)| now.contains(&(check.as_str(), *saw)));
    }

    /// The chunks and locks that the picture shown was drawn from. Not an edit: it follows the cluster.
    pub fn set_picture(&mut self, picture: Option<Picture>) {
        self.picture = picture;
    }

    /// As set with [`Plan::set_picture`].
    pub fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref()
    }

    fn change(&mut self, gesture: &str, label: &str, change: Change) {
        if change.is_nothing() || self.confirms_nothing(&change) {
            return;
        }
        if self.apply(&change) {
            self.log.push(gesture, label.to_owned(), vec![change]);
        }
    }

    fn confirms_nothing(&self, change: &Change) -> bool {
        matches!(change, Change::Confirmed { check, saw, yes } if self.is_confirmed(check, *saw) == *yes)
    }

    /// Makes a change. False: it does not fit (only possible for a splice of another text), nothing was changed.
    fn apply(&mut self, change: &Change) -> bool {
        match change {
            Change::Text(splice) => match self.document.apply(splice) {
                Ok(document) => self.document = document,
                Err(_) => return false,
            },
            Change::Version { to, .. } => self.version = to.clone(),
            Change::Basis { to, .. } => self.input.basis = to.clone(),
            Change::Painted { to, .. } => self.input.painted = to.clone(),
            Change::Confirmed { check, saw, yes: true } => {
                self.confirmed.insert((check.clone(), *saw));
            }
            Change::Confirmed { check, saw, yes: false } => {
                self.confirmed.remove(&(check.clone(), *saw));
            }
        }
        true
    }

    // ------------------------------------------------------------------ undo and redo

    /// Ends the gesture in hand: the next edit is a step of its own (focus left the field, a drag ended).
    pub fn end_gesture(&mut self) {
        self.log.end_gesture();
    }

    /// What [`Plan::undo`] would take back, in words that follow "Undo ".
    pub fn can_undo(&self) -> Option<&str> {
        self.log.undo_label()
    }

    /// What [`Plan::redo`] would bring back, in words that follow "Redo ".
    pub fn can_redo(&self) -> Option<&str> {
        self.log.redo_label()
    }

    /// Takes the last gesture back. False: there is none.
    pub fn undo(&mut self) -> bool {
        let Some(changes) = self.log.undo() else { return false };
        changes.iter().all(|change| self.apply(change))
    }

    /// Brings the last gesture that was taken back. False: there is none.
    pub fn redo(&mut self) -> bool {
        let Some(changes) = self.log.redo() else { return false };
        changes.iter().all(|change| self.apply(change))
    }
}

fn instants(times_ms: &[i64]) -> Vec<Instant> {
    times_ms.iter().copied().map(Instant::from_ms).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)] // a test that cannot set itself up should say where
    use super::*;

    const SPEC: &str = "{\n  \"type\": \"index_parallel\",\n  \"n\": 1E3, \"n\": 2\n}\n";

    fn set(path: &str, json: &str) -> Edit {
        Edit::Set(Path::parse(path).expect("a path"), json.to_owned())
    }

    #[test]
    fn undoing_everything_gives_back_the_bytes_the_plan_was_opened_with() {
        let mut plan = Plan::new(SPEC);
        plan.edit("", &[set("spec.ioConfig.dropExisting", "true")]).expect("an edit");
        plan.type_text("json", &plan.document().text().replace("index_parallel", "index"));
        plan.set_version("version", SpecVersion::Typed("v9".into()));
        plan.set_basis(Basis::AllRows);
        plan.paint("brush", interval("2026-01-01/2026-01-02"), Says::NoRows);
        plan.confirm("neighbour-hit", u64::MAX);
        let edited = plan.clone();
        while plan.undo() {}
        assert_eq!(plan.document().text(), SPEC);
        assert_eq!(plan.version(), &SpecVersion::Typed("v1".into()));
        assert_eq!(plan.input(), &Input::default());
        assert!(!plan.is_confirmed("neighbour-hit", u64::MAX));
        assert!(!plan.is_dirty());
        while plan.redo() {}
        assert_eq!(plan.document().text(), edited.document().text());
        assert_eq!(plan.version(), edited.version());
        assert_eq!(plan.input(), edited.input());
        assert!(plan.is_confirmed("neighbour-hit", u64::MAX) && plan.is_dirty());
    }

    fn interval(text: &str) -> Interval {
        Interval::parse(text).expect("an interval")
    }

    #[test]
    fn typing_in_one_field_is_one_step_and_leaving_the_field_ends_it() {
        let mut plan = Plan::new(SPEC);
        for typed in ["\"e\"", "\"ev\"", "\"eve\""] {
            plan.edit("datasource", &[set("ds", typed)]).expect("an edit");
        }
        plan.end_gesture();
        plan.edit("datasource", &[set("ds", "\"events\"")]).expect("an edit");
        assert!(plan.undo());
        assert!(plan.document().text().contains("\"eve\""));
        assert!(plan.undo());
        assert_eq!(plan.document().text(), SPEC);
        assert!(!plan.undo());
        assert!(plan.redo() && plan.document().text().contains("\"eve\""));
    }

    #[test]
    fn two_fields_are_two_steps_even_without_leaving_one() {
        let mut plan = Plan::new(SPEC);
        plan.edit("a", &[set("a", "1")]).expect("an edit");
        plan.edit("b", &[set("b", "2")]).expect("an edit");
        assert_eq!(plan.can_undo(), Some("changing b"));
        plan.undo();
        assert!(plan.document().text().contains("\"a\": 1") && !plan.document().text().contains("\"b\""));
        assert_eq!(plan.can_redo(), Some("changing b"));
    }

    #[test]
    fn an_edit_after_an_undo_forgets_what_was_undone() {
        let mut plan = Plan::new(SPEC);
        plan.edit("", &[set("a", "1")]).expect("an edit");
        plan.undo();
        plan.edit("", &[set("b", "2")]).expect("an edit");
        assert_eq!(plan.can_redo(), None);
        assert!(!plan.redo());
        plan.undo();
        assert_eq!(plan.document().text(), SPEC);
    }

    #[test]
    fn an_edit_that_changes_nothing_is_no_step() {
        let mut plan = Plan::new(SPEC);
        plan.edit("", &[set("type", "\"index_parallel\"")]).expect("an edit");
        plan.type_text("json", SPEC);
        plan.set_version("", SpecVersion::Typed("v1".into()));
        plan.clear_paint();
        plan.withdraw("never-confirmed", 1);
        assert_eq!(plan.can_undo(), None);
        assert!(!plan.is_dirty());
    }

    #[test]
    fn of_several_edits_all_are_made_or_none() {
        let mut plan = Plan::new(SPEC);
        let result = plan.edit("", &[set("a", "1"), set("type.below", "2")]);
        assert!(result.is_err());
        assert_eq!(plan.document().text(), SPEC);
        assert_eq!(plan.can_undo(), None);
    }

    #[test]
    fn a_saved_plan_is_dirty_after_an_edit_and_clean_after_undoing_it() {
        let mut plan = Plan::new(SPEC);
        plan.edit("", &[set("a", "1")]).expect("an edit");
        plan.mark_saved();
        plan.edit("", &[set("a", "2")]).expect("an edit");
        assert!(plan.is_dirty());
        plan.undo();
        assert!(!plan.is_dirty());
        plan.undo();
        assert!(plan.is_dirty());
    }

    #[test]
    fn an_edit_that_changes_what_a_check_saw_voids_its_confirmation_for_good() {
        let mut plan = Plan::new(SPEC);
        plan.confirm("chunks-emptied", 3);
        plan.confirm("widened", 7);
        plan.void_confirmations([("chunks-emptied", 4), ("widened", 7)]);
        plan.void_confirmations([("chunks-emptied", 3), ("widened", 7)]);
        assert!(
            !plan.is_confirmed("chunks-emptied", 3),
            "it looks as before, but somebody has to look again"
        );
        assert!(plan.is_confirmed("widened", 7));
    }
}
