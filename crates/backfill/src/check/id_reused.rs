//! An id that was made from other content before: the server refuses it, and a client that takes "already exists" for
//! success believes the new work done.

use super::{Finding, Seen};

pub(super) const NAME: &str = "id-reused";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(taken), Some(id)) = (&seen.around.id_taken, seen.question.sent_id()) else { return Vec::new() };
    let title = format!("{id} was sent with another content");
    let why = format!(
        "{taken} The server looks at the id alone: it would refuse this task as a duplicate and never run it. Give the spec \
         a new version."
    );
    vec![Finding::stop(NAME, title, why)]
}
