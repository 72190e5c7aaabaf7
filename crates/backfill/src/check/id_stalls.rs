//! An id that Druid accepts and cannot start: no other task of the whole cluster starts meanwhile (facts 4.3).

use druid::id::{IdTrouble, validate_id};

use super::{Finding, Seen};

pub(super) const NAME: &str = "id-stalls";

/// Whether this rule tells of the task.
pub(super) fn applies(seen: &Seen<'_>) -> bool {
    !look(seen).is_empty()
}

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(id) = seen.question.sent_id() else { return Vec::new() };
    let harms =
        |trouble: &IdTrouble| trouble.never_starts() || matches!(trouble, IdTrouble::TooLongForStore { .. });
    let Some(trouble) = validate_id(id).err().filter(harms) else { return Vec::new() };
    let (title, number) = match &trouble {
        IdTrouble::TooLong { bytes } => {
            (format!("An id of {bytes} bytes stops the whole cluster"), *bytes as u64)
        }
        IdTrouble::TooLongForStore { characters } => {
            (format!("An id of {characters} characters cannot be stored"), *characters as u64)
        }
        _ => ("An id with U+0000 stops the whole cluster".to_owned(), 0),
    };
    let why = format!("The id cannot be used: {}.", trouble.sentence());
    vec![Finding::stop(NAME, title, why).number(number)]
}
