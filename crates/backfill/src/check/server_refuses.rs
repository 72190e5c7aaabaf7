//! Everything else the server refuses at submission, in its own words (facts 4.2, 4.3).

use super::{Finding, Seen, drop_with_append, drop_without_intervals};

pub(super) const NAME: &str = "server-refuses";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let told = [drop_with_append::RULE, drop_without_intervals::RULE];
    let mut others = seen.refusals.iter().filter(|refusal| !told.contains(&refusal.rule)).peekable();
    if others.peek().is_none() && seen.batch().is_some() {
        return vec![Finding::pass(
            NAME,
            format!("Druid {} accepts this spec", seen.question.release),
            "None of the rules that the server enforces at submission is broken, as far as they are known here.",
        )];
    }
    others
        .map(|refusal| {
            let title = match refusal.path.last_key() {
                Some(key) => format!("The server refuses {key}"),
                None => "The server refuses this spec".to_owned(),
            };
            let words = if refusal.verbatim { "In its own words" } else { "In our words" };
            Finding::stop(NAME, title, format!("{words}: {}", refusal.message)).fixes(&refusal.fixes)
        })
        .collect()
}
