//! The id the task is sent under: the same work must get the same id, other work another one.

use super::{Finding, Seen};

pub(super) const NAME: &str = "task-id";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let task = seen.question.task;
    if seen.batch().is_none() {
        return Vec::new();
    }
    if let Some(made) = seen.question.id {
        let why = format!(
            "It is made from \"{}\": the same work sent twice is refused the second time.",
            made.hashed
        );
        return vec![Finding::pass(NAME, format!("Sent as {}", made.id), why)];
    }
    let Some(id) = &task.id else {
        return vec![Finding::warn(
            NAME,
            "No id: a retry would run a second time",
            "Without an id the server makes up a new one at each submission, so it cannot tell a retry from new work.",
        )];
    };
    let datasource = task.datasource.as_deref().unwrap_or_default();
    let digest = id.strip_prefix("idx_").and_then(|rest| rest.strip_prefix(datasource)?.strip_prefix('_'));
    let hexadecimal =
        |digest: &str| digest.len() == 12 && digest.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if digest.is_some_and(hexadecimal) {
        let why = "It has the form of an id made from datasource, interval and version.";
        return vec![Finding::pass(NAME, format!("Sent as {id}"), why)];
    }
    vec![Finding::warn(
        NAME,
        format!("{id} does not say which version of the work it is"),
        "An id that is not made from datasource, interval and version stays the same when the spec changes, and the server \
         then refuses the changed work as a duplicate; or it changes with the clock, and a retry runs twice.",
    )]
}
