//! Which lock a native batch task asks for, from its mode and its context.
//!
//! Source: `AbstractBatchIndexTask.determineLockType` and `determineLockGranularityAndTryLock`. Druid changes some
//! wishes without a word; every such change comes back as a [`Note`].

use super::LockType;
use crate::spec::{Context, Flag, Mode, TaskLockType};

/// The lock a task will ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The kind; or the message with which the task fails before it asks.
    pub kind: Result<LockType, String>,
    /// What differs from the wish, and what is odd about it.
    pub notes: Vec<Note>,
}

/// Something about a lock wish that its author should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// `taskLockType` is there and never read: `useConcurrentLocks` goes first.
    TypeUnread {
        /// What was asked for.
        asked: String,
    },
    /// `useSharedLock` is there and never read: `useConcurrentLocks` or `taskLockType` goes first.
    SharedUnread,
    /// SHARED and APPEND are for appending only: Druid takes EXCLUSIVE and says nothing.
    Coerced {
        /// What was asked for.
        asked: LockType,
    },
    /// A REPLACE lock for an append is not corrected: the task publishes through the replace action, and what it
    /// appends first gets the lock's time as version.
    ReplaceWithAppend,
    /// `forceTimeChunkLock: false` asks for segment locks, deprecated since 37 and not predictable here.
    SegmentLocks,
}

impl Note {
    /// The note as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Note::TypeUnread { asked } => {
                format!("taskLockType {asked} is never read: useConcurrentLocks goes before it")
            }
            Note::SharedUnread => {
                "useSharedLock is never read: the other lock settings go before it".to_owned()
            }
            Note::Coerced { asked } => {
                format!("{asked} locks are for appending only; Druid takes EXCLUSIVE without saying so")
            }
            Note::ReplaceWithAppend => {
                "a REPLACE lock for an append is not corrected: it publishes as a replace would".to_owned()
            }
            Note::SegmentLocks => {
                "forceTimeChunkLock false asks for segment locks, which are deprecated and not predicted here"
                    .to_owned()
            }
        }
    }
}

/// Resolves the lock of a batch task. Precedence: `useConcurrentLocks`, `taskLockType`, `useSharedLock`.
pub fn resolve(mode: Mode, context: &Context) -> Resolved {
    let mut notes = Vec::new();
    let failed = |message: String, notes| Resolved { kind: Err(waiting(&message)), notes };
    if let Some(Flag::NotABoolean(class)) = &context.force_time_chunk_lock {
        return failed(not_a_boolean(class), notes);
    }
    // Replacing forces time chunks anyway.
    if context.force_time_chunk_lock == Some(Flag::Is(false)) && mode != Mode::Replace {
        notes.push(Note::SegmentLocks);
    }
    if context.use_concurrent_locks {
        if let Some(asked) = &context.task_lock_type {
            notes.push(Note::TypeUnread { asked: asked_text(asked) });
        }
        if context.use_shared_lock.is_some() {
            notes.push(Note::SharedUnread);
        }
        let kind = if mode == Mode::Append { LockType::Append } else { LockType::Replace };
        return Resolved { kind: Ok(kind), notes };
    }
    let asked = match &context.task_lock_type {
        Some(TaskLockType::Unknown(text)) => {
            let message = format!(
                "Expected key [taskLockType] to be referring to one of the values \
                 [EXCLUSIVE,SHARED,REPLACE,APPEND] of enum [TaskLockType], but got [{text}]"
            );
            return failed(message, notes);
        }
        Some(known) => {
            if context.use_shared_lock.is_some() {
                notes.push(Note::SharedUnread);
            }
            match known {
                TaskLockType::Shared => LockType::Shared,
                TaskLockType::Append => LockType::Append,
                TaskLockType::Replace => LockType::Replace,
                TaskLockType::Exclusive | TaskLockType::Unknown(_) => LockType::Exclusive,
            }
        }
        None => match &context.use_shared_lock {
            Some(Flag::NotABoolean(class)) => return failed(not_a_boolean(class), notes),
            Some(Flag::Is(true)) => LockType::Shared,
            Some(Flag::Is(false)) | None => LockType::Exclusive,
        },
    };
    let for_appending = matches!(asked, LockType::Shared | LockType::Append);
    let kind = if for_appending && mode != Mode::Append {
        notes.push(Note::Coerced { asked });
        LockType::Exclusive
    } else {
        asked
    };
    if kind == LockType::Replace && mode == Mode::Append {
        notes.push(Note::ReplaceWithAppend);
    }
    Resolved { kind: Ok(kind), notes }
}

fn asked_text(asked: &TaskLockType) -> String {
    match asked {
        TaskLockType::Exclusive => LockType::Exclusive.to_string(),
        TaskLockType::Shared => LockType::Shared.to_string(),
        TaskLockType::Append => LockType::Append.to_string(),
        TaskLockType::Replace => LockType::Replace.to_string(),
        TaskLockType::Unknown(text) => text.clone(),
    }
}

/// What the Overlord says when `isReady` throws.
pub(crate) fn waiting(message: &str) -> String {
    format!(
        "Encountered error[{message}] while waiting for task to be ready. See Overlord logs for more details."
    )
}

fn not_a_boolean(class: &str) -> String {
    format!(
        "class {class} cannot be cast to class java.lang.Boolean ({class} and java.lang.Boolean are in module \
         java.base of loader 'bootstrap')"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(edit: impl FnOnce(&mut Context)) -> Context {
        let mut context = Context::default();
        edit(&mut context);
        context
    }

    #[test]
    fn concurrent_locks_follow_the_mode_and_go_before_everything() {
        let context = with(|c| {
            c.use_concurrent_locks = true;
            c.task_lock_type = Some(TaskLockType::Unknown("NOPE".to_owned()));
        });
        assert_eq!(resolve(Mode::Append, &context).kind, Ok(LockType::Append));
        assert_eq!(resolve(Mode::Overwrite, &context).kind, Ok(LockType::Replace));
        let replace = resolve(Mode::Replace, &context);
        assert_eq!(replace.kind, Ok(LockType::Replace));
        assert_eq!(replace.notes, [Note::TypeUnread { asked: "NOPE".to_owned() }]);
    }

    #[test]
    fn append_and_shared_locks_of_a_replace_become_exclusive_in_silence() {
        for (wish, asked) in
            [(TaskLockType::Append, LockType::Append), (TaskLockType::Shared, LockType::Shared)]
        {
            let context = with(|c| c.task_lock_type = Some(wish.clone()));
            let resolved = resolve(Mode::Replace, &context);
            assert_eq!(
                resolved,
                Resolved { kind: Ok(LockType::Exclusive), notes: vec![Note::Coerced { asked }] }
            );
            assert_eq!(resolve(Mode::Append, &context).kind, Ok(asked));
        }
        let shared = with(|c| c.use_shared_lock = Some(Flag::Is(true)));
        assert_eq!(resolve(Mode::Append, &shared).kind, Ok(LockType::Shared));
        assert_eq!(resolve(Mode::Overwrite, &shared).kind, Ok(LockType::Exclusive));
        assert_eq!(resolve(Mode::Overwrite, &Context::default()).kind, Ok(LockType::Exclusive));
    }

    #[test]
    fn a_replace_lock_for_an_append_is_kept_and_noted() {
        let context = with(|c| c.task_lock_type = Some(TaskLockType::Replace));
        let resolved = resolve(Mode::Append, &context);
        assert_eq!(resolved, Resolved { kind: Ok(LockType::Replace), notes: vec![Note::ReplaceWithAppend] });
        for mode in [Mode::Overwrite, Mode::Replace] {
            assert_eq!(resolve(mode, &context), Resolved { kind: Ok(LockType::Replace), notes: vec![] });
        }
    }

    #[test]
    fn segment_locks_are_noted_where_the_mode_does_not_force_time_chunks() {
        let segments = with(|c| c.force_time_chunk_lock = Some(Flag::Is(false)));
        for (mode, notes) in [
            (Mode::Append, vec![Note::SegmentLocks]),
            (Mode::Overwrite, vec![Note::SegmentLocks]),
            (Mode::Replace, vec![]),
        ] {
            assert_eq!(resolve(mode, &segments).notes, notes, "{mode:?}");
            let chunks = with(|c| c.force_time_chunk_lock = Some(Flag::Is(true)));
            assert_eq!(resolve(mode, &chunks).notes, []);
        }
    }

    #[test]
    fn every_note_names_the_setting_that_it_is_about() {
        let asked = || LockType::Append;
        for (note, names) in [
            (Note::TypeUnread { asked: asked().to_string() }, ["taskLockType APPEND", "useConcurrentLocks"]),
            (Note::SharedUnread, ["useSharedLock", "never read"]),
            (Note::Coerced { asked: asked() }, ["APPEND locks", "EXCLUSIVE"]),
            (Note::ReplaceWithAppend, ["REPLACE lock", "append"]),
            (Note::SegmentLocks, ["forceTimeChunkLock false", "segment locks"]),
        ] {
            let sentence = note.sentence();
            assert!(names.iter().all(|name| sentence.contains(name)), "{sentence}");
        }
    }

    #[test]
    fn texts_in_place_of_truth_values_fail_the_task_when_they_are_read() {
        let text = || Some(Flag::NotABoolean("java.lang.String"));
        let shared = with(|c| c.use_shared_lock = text());
        let message = resolve(Mode::Append, &shared).kind.unwrap_err();
        assert!(message.starts_with("Encountered error[class java.lang.String cannot be cast"), "{message}");
        let unread = with(|c| {
            c.use_shared_lock = text();
            c.task_lock_type = Some(TaskLockType::Append);
        });
        assert_eq!(resolve(Mode::Append, &unread).kind, Ok(LockType::Append));
        let forced = with(|c| c.force_time_chunk_lock = text());
        assert!(resolve(Mode::Append, &forced).kind.is_err());
        let unknown = with(|c| c.task_lock_type = Some(TaskLockType::Unknown("NOPE".to_owned())));
        assert_eq!(
            resolve(Mode::Append, &unknown).kind.unwrap_err(),
            "Encountered error[Expected key [taskLockType] to be referring to one of the values \
             [EXCLUSIVE,SHARED,REPLACE,APPEND] of enum [TaskLockType], but got [NOPE]] while waiting for task to be \
             ready. See Overlord logs for more details."
        );
    }
}
