//! What of the spec could not be read, and what stands in the text that is no JSON.

use druid::json::Severity;

use super::{Finding, Seen, old_form, placeholders};

pub(super) const NAME: &str = "spec-unreadable";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let document = seen.document();
    if let Some(first) = document.diagnostics().iter().find(|found| found.severity() == Severity::Error) {
        let title = format!("Not JSON at line {}, column {}", first.line, first.column);
        return vec![Finding::stop(NAME, title, first.message.clone())];
    }
    let found: Vec<Finding> = seen
        .question
        .task
        .problems
        .iter()
        .filter(|problem| !placeholders::is_placeholder(problem) && !old_form::says_the_same(problem))
        .filter_map(|problem| {
            let title = match problem.path.0.as_slice() {
                [] => problem.message.clone(),
                _ => format!("{}: {}", problem.path, problem.message),
            };
            let why = problem.remedy.clone().unwrap_or_else(|| "Correct it in the text.".to_owned());
            let finding = match problem.severity {
                Severity::Error => Finding::stop(NAME, title, why),
                Severity::Warning => Finding::warn(NAME, title, why),
                Severity::Note => return None,
            };
            Some(finding.fix(problem.fix.clone()))
        })
        .collect();
    if found.is_empty() {
        return vec![Finding::pass(
            NAME,
            "The spec reads as it stands",
            "Every field that matters here has a value that Druid takes.",
        )];
    }
    found
}
