//! The log of edits that undo and redo walk.
//!
//! Always true: a change and its inverse give back what was there, byte for byte; entries are grouped by gesture, so
//! that undo takes back what a person did, not what a keyboard sent; the log is bounded and forgets from the start.

use super::{Basis, SpecVersion, Stroke};
use druid::json::{Edit, Path, Splice};

/// So many gestures can be undone.
pub const MOST_ENTRIES: usize = 500;
/// And at most so many bytes of text are kept for it.
const MOST_BYTES: usize = 16 << 20;

/// One change of a plan, with what was there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Of the task's text.
    Text(Splice),
    /// Of the spec version.
    Version {
        /// Before.
        from: SpecVersion,
        /// After.
        to: SpecVersion,
    },
    /// Of what is said of the input.
    Basis {
        /// Before.
        from: Basis,
        /// After.
        to: Basis,
    },
    /// Of what is painted.
    Painted {
        /// Before.
        from: Vec<Stroke>,
        /// After.
        to: Vec<Stroke>,
    },
    /// A warning was confirmed or its confirmation taken back.
    Confirmed {
        /// The check's name.
        check: String,
        /// What it saw.
        saw: u64,
        /// Confirmed, or taken back.
        yes: bool,
    },
}

impl Change {
    /// The change that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Change {
        match self.clone() {
            Change::Text(splice) => Change::Text(splice.inverse()),
            Change::Version { from, to } => Change::Version { from: to, to: from },
            Change::Basis { from, to } => Change::Basis { from: to, to: from },
            Change::Painted { from, to } => Change::Painted { from: to, to: from },
            Change::Confirmed { check, saw, yes } => Change::Confirmed { check, saw, yes: !yes },
        }
    }

    /// Whether it leaves everything as it is.
    pub fn is_nothing(&self) -> bool {
        match self {
            Change::Text(splice) => splice.removed == splice.inserted,
            Change::Version { from, to } => from == to,
            Change::Basis { from, to } => from == to,
            Change::Painted { from, to } => from == to,
            Change::Confirmed { .. } => false,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Change::Text(splice) => splice.removed.len() + splice.inserted.len(),
            Change::Painted { from, to } => (from.len() + to.len()) * size_of::<Stroke>(),
            _ => 64,
        }
    }

    /// Takes `next`, which came right after, into this change where both are one; false: they stay two.
    fn absorb(&mut self, next: &Change) -> bool {
        match (self, next) {
            (Change::Version { to, .. }, Change::Version { to: newer, .. }) => to.clone_from(newer),
            (Change::Painted { to, .. }, Change::Painted { to: newer, .. }) => to.clone_from(newer),
            (Change::Text(typed), Change::Text(next)) if next.removed.is_empty() => {
                // Typed on at the end of what was typed.
                if next.at != typed.at + typed.inserted.len() {
                    return false;
                }
                typed.inserted.push_str(&next.inserted);
            }
            (Change::Text(typed), Change::Text(next)) if next.at >= typed.at => {
                // Changed within what was typed (a value set again, a backspace).
                let at = next.at - typed.at;
                let end = at.saturating_add(next.removed.len());
                if typed.inserted.get(at..end) != Some(next.removed.as_str()) {
                    return false;
                }
                typed.inserted.replace_range(at..end, &next.inserted);
            }
            _ => return false,
        }
        true
    }
}

#[derive(Debug, Clone)]
struct Entry {
    gesture: String,
    label: String,
    changes: Vec<Change>,
    /// The revision the plan has after it.
    revision: u64,
}

/// The log.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    entries: Vec<Entry>,
    /// How many of them are done; the rest were undone.
    done: usize,
    /// Whether the next change may join the last entry.
    open: bool,
    /// The revision before the first entry.
    first_revision: u64,
    last_revision: u64,
}

impl Log {
    /// Adds changes that were made, to the gesture in hand or as a new one.
    pub(super) fn push(&mut self, gesture: &str, label: String, changes: Vec<Change>) {
        self.entries.truncate(self.done);
        self.last_revision += 1;
        let revision = self.last_revision;
        let joins = self.open && !gesture.is_empty();
        match self.entries.last_mut().filter(|last| joins && last.gesture == gesture) {
            Some(last) => {
                for change in changes {
                    if !last.changes.last_mut().is_some_and(|before| before.absorb(&change)) {
                        last.changes.push(change);
                    }
                }
                last.revision = revision;
            }
            None => self.entries.push(Entry { gesture: gesture.to_owned(), label, changes, revision }),
        }
        self.open = true;
        self.forget_oldest();
        self.done = self.entries.len();
    }

    fn forget_oldest(&mut self) {
        let bytes = |entry: &Entry| entry.changes.iter().map(Change::bytes).sum::<usize>();
        let mut kept_bytes = 0usize;
        let kept = self
            .entries
            .iter()
            .rev()
            .take(MOST_ENTRIES)
            .take_while(|entry| {
                kept_bytes = kept_bytes.saturating_add(bytes(entry));
                kept_bytes <= MOST_BYTES
            })
            .count();
        // What a person just did can always be taken back, however large it was.
        let forget = self.entries.len().saturating_sub(kept.max(1));
        if let Some(last) = self.entries.drain(..forget).next_back() {
            self.first_revision = last.revision;
        }
    }

    pub(super) fn end_gesture(&mut self) {
        self.open = false;
    }

    pub(super) fn revision(&self) -> u64 {
        match self.done.checked_sub(1).and_then(|last| self.entries.get(last)) {
            Some(entry) => entry.revision,
            None => self.first_revision,
        }
    }

    pub(super) fn undo_label(&self) -> Option<&str> {
        let last = self.done.checked_sub(1)?;
        self.entries.get(last).map(|entry| entry.label.as_str())
    }

    pub(super) fn redo_label(&self) -> Option<&str> {
        self.entries.get(self.done).map(|entry| entry.label.as_str())
    }

    /// The changes to make, in order, to take the last gesture back.
    pub(super) fn undo(&mut self) -> Option<Vec<Change>> {
        let last = self.done.checked_sub(1)?;
        let changes = self.entries.get(last)?.changes.iter().rev().map(Change::inverse).collect();
        self.done = last;
        self.open = false;
        Some(changes)
    }

    /// The changes to make, in order, to bring the last undone gesture back.
    pub(super) fn redo(&mut self) -> Option<Vec<Change>> {
        let changes = self.entries.get(self.done)?.changes.clone();
        self.done += 1;
        self.open = false;
        Some(changes)
    }
}

/// What edits of a task are called in "Undo …".
pub(super) fn label_of_edits(edits: &[Edit]) -> String {
    let last_key = |path: &Path| path.last_key().map_or_else(|| path.to_string(), str::to_owned);
    match edits {
        [Edit::Set(path, _)] => format!("changing {}", last_key(path)),
        [Edit::Remove(path)] => format!("removing {}", last_key(path)),
        [Edit::Rename(path, key)] => format!("renaming {} to {key}", last_key(path)),
        more => format!("changing {} fields", more.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(at: usize, inserted: &str) -> Change {
        Change::Text(Splice { at, removed: String::new(), inserted: inserted.to_owned() })
    }

    #[test]
    fn a_thousand_keystrokes_of_one_gesture_are_one_change() {
        let mut log = Log::default();
        for at in 0..1_000 {
            log.push("field", "typing".into(), vec![typed(at, "x")]);
        }
        let changes = log.undo().unwrap_or_default();
        assert_eq!(changes.len(), 1);
        assert_eq!(log.undo(), None);
    }

    #[test]
    fn a_backspace_within_what_was_typed_is_the_same_change_and_one_before_it_is_not() {
        let mut typing = typed(10, "abc");
        assert!(typing.absorb(&Change::Text(Splice {
            at: 12,
            removed: "c".into(),
            inserted: String::new()
        })));
        assert_eq!(typing, typed(10, "ab"));
        assert!(!typing.absorb(&Change::Text(Splice {
            at: 9,
            removed: "z".into(),
            inserted: String::new()
        })));
        assert!(!typing.absorb(&typed(50, "elsewhere")));
    }

    #[test]
    fn the_log_forgets_its_oldest_gestures_and_never_the_newest() {
        let mut log = Log::default();
        for step in 0..MOST_ENTRIES + 7 {
            log.push("", format!("{step}"), vec![typed(0, "x")]);
        }
        let undone = std::iter::from_fn(|| log.undo()).count();
        assert_eq!(undone, MOST_ENTRIES);
        let mut log = Log::default();
        log.push("", "small".into(), vec![typed(0, "x")]);
        log.push("", "huge".into(), vec![typed(0, &"x".repeat(MOST_BYTES + 1))]);
        assert_eq!(log.undo_label(), Some("huge"));
        assert!(log.undo().is_some() && log.undo().is_none());
    }
}
