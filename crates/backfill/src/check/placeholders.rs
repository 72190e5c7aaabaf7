//! Templates that nobody filled in: `${START}`, `{{ ds }}`, `%%INTERVAL%%`.
//!
//! Such a text is a name, an interval or a path as good as any other to whatever reads it, and an id made from it is the
//! same each day.

use druid::spec::Problem;

use super::{Finding, Seen};
use crate::words::{count, listed};

pub(super) const NAME: &str = "placeholders";

/// Whether a problem is one of these.
pub(super) fn is_placeholder(problem: &Problem) -> bool {
    problem.code == "placeholder"
}

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let open: Vec<_> = seen.question.task.problems.iter().filter(|problem| is_placeholder(problem)).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let number = open.len() as u64;
    let places = listed(open.iter().map(|problem| format!("{}: {}", problem.path, problem.message)), 3);
    let title = format!("{} not filled in", count(number, "placeholder"));
    let why = format!("{places}. Put the values in their places before it is sent.");
    vec![Finding::stop(NAME, title, why).number(number)]
}
