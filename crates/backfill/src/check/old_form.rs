//! A task in a form that Druid took once: `parser`, `firehose`, parts without `spec` around them, `index_hadoop`.
//!
//! It is brought to the form of today by `druid::spec::upgrade`: in the console behind a diff, on the command line with
//! `foreshadow check --upgrade`. There is no fix of one click, because nobody would see what it does.

use druid::spec::Problem;
use druid::spec::upgrade::{OldForm, old_forms};

use super::{Finding, Seen};

/// The rule's name: the console offers the diff where it stands.
pub const NAME: &str = "old-form";

/// Whether a problem of the spec or of its keys says the same.
pub(super) fn says_the_same(problem: &Problem) -> bool {
    let is_key = problem.code == "key-gone" && matches!(problem.path.last_key(), Some("parser" | "firehose"));
    is_key || matches!(problem.code, "flat-spec" | "hadoop")
}

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let task = seen.question.task;
    let forms = old_forms(task);
    if forms.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = forms.iter().map(|form| form.name()).collect();
    let title = format!("The task is in an older form: {}", names.join(", "));
    let fates: Vec<&str> = forms.iter().map(|form| form.fate()).collect();
    let why = format!("{} It can be upgraded: every change is shown before it is made.", fates.join(" "));
    let is_taken = |form: &OldForm| form.is_taken(&task.kind, seen.question.release);
    vec![match forms.iter().all(is_taken) {
        true => Finding::warn(NAME, title, why),
        false => Finding::stop(NAME, title, why),
    }]
}
