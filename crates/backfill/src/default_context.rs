//! The cluster's default task context (`druid.indexer.task.default.context`): keys that a task gets where it sets none.
//!
//! What always holds: what the task says itself goes before every default; nothing but `context` is touched.
//! What it does not do: know a cluster's defaults. Druid tells them to nobody, so a person brings them.

use druid::json::{Document, Edit, Path};
use serde_json::{Map, Value};

/// The document as the server sees it: keys of `defaults` that its context does not have are in it.
pub fn filled(document: &Document, defaults: &Map<String, Value>) -> Document {
    let mut filled = document.clone();
    for (key, value) in defaults {
        let path = Path::keys(&["context", key]);
        if filled.get(&path).is_some() {
            continue;
        }
        // A document in which nothing can be set, an array say, is no task and stays as it is.
        let splice = filled.edit(&Edit::Set(path, value.to_string())).ok();
        if let Some(with) = splice.and_then(|splice| filled.apply(&splice).ok()) {
            filled = with;
        }
    }
    filled
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot set itself up should fail loudly
mod tests {
    use super::*;
    use druid::spec::Task;
    use druid::zone::UtcOnly;

    fn context(task: &str, defaults: &str) -> druid::spec::Context {
        let defaults: Map<String, Value> = serde_json::from_str(defaults).unwrap();
        Task::read(&filled(&Document::parse(task), &defaults), &UtcOnly).context
    }

    #[test]
    fn a_default_counts_where_the_task_says_nothing_and_never_where_it_does() {
        let defaults = r#"{"useConcurrentLocks": true, "priority": 40}"#;
        let without = context(r#"{"type": "index_parallel"}"#, defaults);
        assert!(without.use_concurrent_locks);
        assert_eq!(without.priority, Some(40));
        let with = context(r#"{"type": "index_parallel", "context": {"priority": 60}}"#, defaults);
        assert_eq!((with.use_concurrent_locks, with.priority), (true, Some(60)));
    }

    #[test]
    fn what_is_no_task_stays_as_it_is() {
        let document = Document::parse("[1, 2]");
        let defaults: Map<String, Value> = serde_json::from_str(r#"{"priority": 40}"#).unwrap();
        assert_eq!(filled(&document, &defaults).text(), "[1, 2]");
    }
}
