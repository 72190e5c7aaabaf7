//! Passwords and keys inside the spec: everybody who may read tasks reads them, for as long as Druid keeps task rows.

use super::{Finding, Seen};
use crate::words::{count, listed};

pub(super) const NAME: &str = "secrets";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let found = druid::spec::secrets(seen.document());
    if found.is_empty() {
        return Vec::new();
    }
    let number = found.len() as u64;
    let title = format!("{} in the spec", count(number, "secret"));
    let why = format!(
        "{}. The Overlord stores the task as it is sent and shows it to whoever may read tasks. Here it is masked, and \
         left out of drafts, links and the id. Druid also takes {{\"type\": \"environment\", \"variable\": \"NAME\"}} in \
         its place.",
        listed(found.iter().map(|(path, _)| path.to_string()), 3)
    );
    vec![Finding::warn(NAME, title, why).number(number)]
}
