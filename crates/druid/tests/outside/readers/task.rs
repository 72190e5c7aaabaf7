//! Whole specs: what they are, what is wrong with them, what would mend it.

use druid::json::{Document, Kind, Path, Span};
use druid::release::Release;
use druid::spec::upgrade::{old_forms, upgrade};
use druid::spec::{Fix, Task, fields, inline, lint, lint_for, refusals, secrets};
use druid::zone::UtcOnly;

use super::text;

const RELEASES: [Release; 4] =
    [Release::major(24), Release::major(33), Release::major(37), Release::major(38)];

pub(super) fn task(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let document = Document::parse(text);
    let task = Task::read(&document, &UtcOnly);
    assert_eq!(task.document.text(), text);
    assert!(!task.what_it_is().is_empty());
    for problem in task.problems.iter().chain(&lint(&document)) {
        told(&document, Some(problem.span), &problem.path, &problem.message);
        problem.fix.iter().for_each(|fix| can_be_made(&document, fix));
    }
    for release in RELEASES {
        for problem in lint_for(&document, release) {
            told(&document, Some(problem.span), &problem.path, &problem.message);
        }
        for refusal in refusals(&task, release) {
            told(&document, None, &refusal.path, &refusal.line());
            refusal.fixes.iter().for_each(|fix| can_be_made(&document, fix));
        }
    }
    for (place, secret) in secrets(&document) {
        assert!(matches!(secret.kind(), Kind::String | Kind::Number | Kind::Broken), "{place}");
        assert_eq!(Path::parse(&place.to_string()).as_ref(), Ok(&place));
        let _ = fields::field_at(&document, &task.kind, &place);
    }
    let _ = inline::rows(&task);
    upgraded(&document, &task);
}

/// An upgrade is what its edits make of the text, leaves no old form, and changes nothing that is in none.
fn upgraded(document: &Document, task: &Task) {
    let Ok(made) = upgrade(document) else { return };
    assert_eq!(made.edits.is_empty(), old_forms(task).is_empty());
    let (mut edited, mut splices) = (document.clone(), Vec::new());
    for edit in &made.edits {
        let splice = edited.edit(edit).unwrap();
        edited = edited.apply(&splice).unwrap();
        splices.push(splice);
    }
    assert_eq!(edited.text(), made.document.text());
    for splice in splices.iter().rev() {
        edited = edited.apply(&splice.inverse()).unwrap();
    }
    assert_eq!(edited.text(), document.text());
    assert_eq!(made.document.is_well_formed(), document.is_well_formed());
    assert_eq!(old_forms(&Task::read(&made.document, &UtcOnly)), []);
    for said in made.changes.iter().chain(&made.left) {
        told(document, None, &said.path, &said.text);
        assert!(said.text.ends_with('.'), "{}", said.text);
    }
}

/// What is told has words, and a place in the text where it names one.
fn told(document: &Document, span: Option<Span>, path: &Path, message: &str) {
    assert!(!message.is_empty(), "{path}");
    if let Some(span) = span {
        assert!(document.text().get(span.start..span.end).is_some(), "{path}");
    }
    assert_eq!(Path::parse(&path.to_string()).as_ref(), Ok(path));
}

/// A fix that is offered for a JSON text can be made, and leaves JSON. (A key that stands twice is another matter: what is
/// wrong may be with the one that does not count.)
fn can_be_made(document: &Document, fix: &Fix) {
    if !document.diagnostics().is_empty() {
        return;
    }
    let mut mended = document.clone();
    for edit in &fix.edits {
        let splice = mended.edit(edit);
        let splice = splice.unwrap_or_else(|error| panic!("“{}” cannot be made: {error}", fix.label));
        mended = mended.apply(&splice).unwrap();
    }
    assert!(mended.is_well_formed(), "“{}” leaves {}", fix.label, mended.text());
    assert!(!fix.label.is_empty());
}
