//! What the context says about locks, and what Druid makes of it (facts 5.4, 7.1, 11.3).

use druid::json::{Edit, Path};
use druid::lock::Note;

use super::{Finding, Seen, edits};
use crate::words::sentence;

pub(super) const NAME: &str = "lock-context";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(lock) = &seen.forecast.lock else { return Vec::new() };
    let key = |name: &str| Path::keys(&["context", name]);
    let concurrent = edits::fix(
        "Use useConcurrentLocks",
        vec![
            Edit::Remove(key("taskLockType")),
            Edit::Remove(key("useSharedLock")),
            Edit::Set(key("useConcurrentLocks"), "true".to_owned()),
        ]
        .into_iter()
        .filter(|edit| match edit {
            Edit::Remove(path) => seen.document().get(path).is_some(),
            _ => true,
        })
        .collect(),
    );
    if let Err(words) = &lock.kind {
        let as_booleans: Vec<Edit> = ["useSharedLock", "forceTimeChunkLock"]
            .into_iter()
            .filter_map(|name| {
                let text = seen.document().get(&key(name))?.as_str()?.to_ascii_lowercase();
                matches!(text.as_str(), "true" | "false").then(|| Edit::Set(key(name), text))
            })
            .collect();
        let booleans = edits::fix("Write true and false without quotes", as_booleans);
        let finding = Finding::stop(
            NAME,
            "The context breaks the task before it asks for a lock",
            format!("It is accepted, and ends FAILED: {words}"),
        );
        return vec![finding.fix(booleans.filter(|fix| !fix.edits.is_empty())).fix(concurrent)];
    }
    let mut found = Vec::new();
    for note in &lock.notes {
        let sentence = sentence(&note.sentence());
        found.push(match note {
            Note::ReplaceWithAppend => Finding::stop(
                NAME,
                "Appends under a REPLACE lock",
                format!("{sentence} It would publish as a replacing task does, which nobody means."),
            )
            .fix(concurrent.clone()),
            Note::Coerced { asked } => {
                Finding::warn(NAME, format!("Takes an EXCLUSIVE lock, not {asked}"), sentence)
                    .fix(concurrent.clone())
            }
            Note::TypeUnread { .. } => {
                let remove = edits::fix("Remove taskLockType", vec![Edit::Remove(key("taskLockType"))]);
                Finding::warn(NAME, "taskLockType is never read", sentence).fix(remove)
            }
            Note::SharedUnread => {
                let remove = edits::fix("Remove useSharedLock", vec![Edit::Remove(key("useSharedLock"))]);
                Finding::warn(NAME, "useSharedLock is never read", sentence).fix(remove)
            }
            Note::SegmentLocks => {
                let remove =
                    edits::fix("Remove forceTimeChunkLock", vec![Edit::Remove(key("forceTimeChunkLock"))]);
                Finding::stop(NAME, "Asks for segment locks", sentence).fix(remove)
            }
        });
    }
    if found.is_empty() {
        let why = format!("The run takes {} locks, as its mode and context say.", lock.kind_name());
        found.push(Finding::pass(NAME, format!("Takes {} locks", lock.kind_name()), why));
    }
    found
}
