//! Keys that Druid ignores without a word: a misspelt `dropExsiting` is accepted and does nothing.

use druid::spec::lint_for;

use super::{Finding, Seen, old_form};
use crate::words::{count, listed, sentence};

pub(super) const NAME: &str = "unknown-key";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let mut problems = lint_for(seen.document(), seen.question.release);
    problems.retain(|problem| !old_form::says_the_same(problem));
    if problems.is_empty() {
        return vec![Finding::pass(
            NAME,
            "Every key is one that Druid reads",
            "The server ignores keys it does not know, so each was looked up in the table of fields.",
        )];
    }
    let number = problems.len() as u64;
    let title = match problems.as_slice() {
        [one] => format!("Druid ignores {}", one.path),
        _ => format!("Druid ignores {}", count(number, "key")),
    };
    let why = match problems.as_slice() {
        [one] => sentence(&one.message),
        _ => listed(problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)), 3),
    };
    let mut finding = Finding::warn(NAME, title, why).number(number);
    for problem in problems {
        finding = finding.fix(problem.fix);
    }
    vec![finding]
}
