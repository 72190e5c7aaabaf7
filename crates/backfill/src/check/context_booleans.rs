//! Switches of the context that are texts: `"yes"` is silently false, `"true"` works for some and breaks others
//! (facts 5.4).

use druid::json::{Edit, Kind, Path};
use druid::spec::fields;

use super::{Finding, Seen, edits};

pub(super) const NAME: &str = "context-booleans";

/// Told by `lock-context`, with what they break.
const TOLD: [&str; 2] = ["useSharedLock", "forceTimeChunkLock"];

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(context) = seen.document().get(&Path::keys(&["context"])) else { return Vec::new() };
    let kind = &seen.question.task.kind;
    let is_switch = |key: &str| {
        let field = fields::field_at(seen.document(), kind, &Path::keys(&["context", key]));
        field.is_some_and(|field| field.kind == fields::Kind::Flag)
    };
    let mut as_booleans = Vec::new();
    let mut places = Vec::new();
    let mut ignored = false;
    for (key, node) in context.members() {
        if node.kind() != Kind::String || !is_switch(&key) || TOLD.contains(&&*key) {
            continue;
        }
        let text = node.as_str().unwrap_or_default().to_ascii_lowercase();
        let is_boolean = matches!(text.as_str(), "true" | "false");
        ignored |= !is_boolean;
        places.push(format!("{key}: {}", node.text()));
        let meant = if is_boolean { text } else { "true".to_owned() };
        as_booleans.push(Edit::Set(Path::keys(&["context", &key]), meant));
    }
    if places.is_empty() {
        return Vec::new();
    }
    let number = places.len() as u64;
    let fix = edits::fix("Write true and false without quotes", as_booleans);
    let places = places.join(", ");
    let switches = if number == 1 { "1 switch".to_owned() } else { format!("{number} switches") };
    let finding = if ignored {
        let title = format!("{switches} Druid takes for false");
        let why = format!("{places}. A text other than \"true\" is false, and nobody says so.");
        Finding::stop(NAME, title, why)
    } else {
        let title = format!("{switches} written as text");
        let why = format!(
            "{places}. Druid reads some of these from a text and fails over others: write them bare."
        );
        Finding::warn(NAME, title, why)
    };
    vec![finding.number(number).fix(fix)]
}
