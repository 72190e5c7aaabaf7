//! What the journal keeps of one content: enough to go on from any moment, and the history to show.
//!
//! Always true: a record says at least as much as has been done. It may say that something *may* have been sent which
//! was not; never the reverse.
//!
//! Not here: storage. The journal's contract is in [`super::Action::Journal`].

use super::Difference;
use super::wish::{Change, Name, Wish};
use crate::retry::FailureClass;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The version of the record's shape. A reader refuses to act on a greater one and shows it only.
pub const FORMAT: u32 = 1;

/// One content and everything that was done about it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// The write this is; the next write must be made over it.
    pub stamp: Stamp,
    /// Who may act on it, and until when. None: nobody holds it.
    pub owner: Option<Owner>,
    /// When it was made, ms since 1970 UTC by the browser's clock.
    pub created_ms: i64,
    /// When it was last written, by the same clock.
    pub touched_ms: i64,
    /// What was wished for.
    #[serde(with = "shared")]
    pub wish: Arc<Wish>,
    /// Runs that are over and done with, oldest first.
    pub past: Vec<Run>,
    /// Failed runs before this index in `past` no longer count towards poison: the user began anew after them.
    #[serde(default)]
    pub forgiven: usize,
    /// The run in hand, or the last one.
    pub run: Run,
    /// The user has asked for it to stop.
    #[serde(default)]
    pub cancel: bool,
    /// Set when no further run will be tried by itself.
    #[serde(default)]
    pub dead: Option<DeadLetter>,
    /// Some of this was done without a journal, on the user's word.
    #[serde(default)]
    pub unrecorded: bool,
    /// A drawn delay before the next try, so that a reload does not shorten it.
    #[serde(default)]
    pub wait: Option<Wait>,
}

/// A wish can hold megabytes of inline rows, and every write carries the whole record: it is shared, not copied.
mod shared {
    use super::{Arc, Wish};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(wish: &Arc<Wish>, to: S) -> Result<S::Ok, S::Error> {
        wish.as_ref().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<Wish>, D::Error> {
        Wish::deserialize(from).map(Arc::new)
    }
}

/// A delay that was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wait {
    /// When it began, ms since 1970 UTC by our clock.
    pub from_ms: i64,
    /// Its whole length, ms.
    pub ms: u64,
}

impl Wait {
    /// What is left of it, ms. Never more than was drawn, however the clock has jumped.
    pub fn left_ms(&self, now_ms: i64) -> u64 {
        let end = self.from_ms.saturating_add_unsigned(self.ms);
        u64::try_from(end.saturating_sub(now_ms)).unwrap_or(0).min(self.ms)
    }
}

/// Orders the writes of one record. `fence` grows each time somebody takes the record over, `seq` with each write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Who holds it: grows by one with each take-over.
    pub fence: u64,
    /// Which write: grows by one with each.
    pub seq: u64,
}

/// A tab that acts on a record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owner {
    /// The tab's own id, the same after a reload.
    pub tab: String,
    /// Until when others only watch, ms since 1970 UTC.
    pub until_ms: i64,
}

/// This tab.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Me {
    /// An id that other tabs do not have (kept in `sessionStorage`, so that a reload keeps it).
    pub tab: String,
}

/// One run of the content: one id.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Run {
    /// Its version and id.
    pub name: Name,
    /// How far it came.
    pub stage: Stage,
    /// How often the task may have been sent.
    pub sent: u32,
    /// Some send got no clear answer, so that a task under this id may be ours although nobody told us.
    pub unclear: bool,
    /// Every try to get it accepted, oldest first.
    pub tries: Vec<Try>,
    /// When the server had it, ms since 1970 UTC by our clock.
    pub accepted_ms: Option<i64>,
    /// `createdTime` as the server tells it.
    pub created_time: Option<String>,
    /// It was seen to hold a lock: where none is left while it runs, it has lost it.
    #[serde(default)]
    pub held: bool,
    /// When its end was seen, ms since 1970 UTC by our clock.
    pub ended_ms: Option<i64>,
    /// What the comparison with the forecast found.
    pub audit: Option<AuditNote>,
}

impl Run {
    /// A run of which nothing has been sent.
    pub fn new(name: Name) -> Run {
        Run {
            name,
            stage: Stage::Intended,
            sent: 0,
            unclear: false,
            tries: Vec::new(),
            accepted_ms: None,
            created_time: None,
            held: false,
            ended_ms: None,
            audit: None,
        }
    }

    /// The end, if it has one.
    pub fn end(&self) -> Option<&End> {
        match &self.stage {
            Stage::Ended(end) => Some(end),
            _ => None,
        }
    }
}

/// How far a run came, as far as the journal knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// Nothing has been sent.
    Intended,
    /// It is being sent, or was sent and the answer is not known.
    Sending,
    /// The server has it.
    Running,
    /// It is over.
    Ended(End),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum End {
    /// The task ended SUCCESS. Druid sets an `errorMsg` on some successes (an input without valid rows).
    Success {
        /// The server's words, where it had any.
        error_msg: Option<String>,
        /// The task had run before this wish: nothing was sent.
        already: bool,
    },
    /// The task ended FAILED; its id stays used.
    Failed {
        /// The kind of failure.
        class: FailureClass,
        /// The server's text in full.
        text: String,
    },
    /// The affected chunks or locks are no longer what the picture was drawn from. Nothing was sent.
    Moved {
        /// What changed.
        changes: Vec<Change>,
    },
    /// The id belongs to other content. Nothing was run.
    Conflict {
        /// Where the stored task differs from ours; empty when it could not be compared.
        differences: Vec<Difference>,
        /// What is known of the other, in words.
        text: String,
    },
    /// The server refused it; its words in full.
    Refused {
        /// The kind of refusal.
        class: FailureClass,
        /// The server's text in full.
        text: String,
    },
    /// All attempts were used up.
    GaveUp {
        /// The kind of the last failure.
        class: FailureClass,
        /// Its text in full.
        text: String,
    },
    /// Stopped by the user.
    Cancelled {
        /// In words: before anything was sent, or after the task was shut down.
        text: String,
    },
    /// The server took it and later did not know it any more.
    Vanished {
        /// The server's words.
        text: String,
    },
    /// Two records would use one id.
    IdTaken {
        /// The key (content hash) of the record that has it.
        by: String,
    },
}

/// One try to get a run accepted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Try {
    /// When, ms since 1970 UTC by our clock.
    pub at_ms: i64,
    /// Why it did not succeed.
    pub class: FailureClass,
    /// The server's text in full, or the browser's.
    pub text: String,
    /// The delay drawn before the next one, ms. None after the last.
    pub delay_ms: Option<u64>,
}

/// What the comparison with the forecast found, in short; the whole is made again from forecast and segments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AuditNote {
    /// Everything came out as foreseen.
    pub as_foreseen: bool,
    /// One line.
    pub line: String,
}

/// A run that will not be tried again by itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DeadLetter {
    /// Why it stopped.
    pub why: Why,
    /// The kind of failure.
    pub class: FailureClass,
    /// How many failures of this kind there were.
    pub times: u32,
    /// When the first of them was seen, ms since 1970 UTC by our clock.
    pub first_seen_ms: i64,
    /// When the last was seen.
    pub last_seen_ms: i64,
    /// The server's text in full.
    pub text: String,
    /// What would clear it, one sentence.
    pub clears: String,
}

/// Why something is in the dead-letter list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Why {
    /// The same class of failure as often as the policy allows.
    Poison,
    /// Every id that was planned for has been used.
    RunsUsedUp,
    /// Every attempt to get it accepted failed.
    AttemptsUsedUp,
    /// The server refused it.
    Refused,
}

impl Record {
    /// The key under which the journal keeps it: the content.
    pub fn key(&self) -> &str {
        &self.wish.content
    }

    /// All ids this content was ever given, the newest last. The journal's unique index is over these.
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for run in self.past.iter().chain([&self.run]) {
            if !ids.contains(&run.name.id.as_str()) {
                ids.push(&run.name.id);
            }
        }
        ids
    }

    /// Whether nothing more will happen by itself.
    pub fn is_over(&self) -> bool {
        match &self.run.stage {
            Stage::Ended(End::Success { already: false, .. }) => self.run.audit.is_some(),
            Stage::Ended(End::Vanished { .. }) => self.run.audit.is_some(),
            Stage::Ended(_) => true,
            _ => false,
        }
    }

    /// Whether the server may have a task of this content of which we do not know how it ended.
    pub fn is_open(&self) -> bool {
        match &self.run.stage {
            Stage::Intended => self.run.unclear,
            Stage::Sending | Stage::Running => true,
            Stage::Ended(End::Vanished { .. }) => true,
            Stage::Ended(End::Success { .. } | End::Failed { .. }) => false,
            Stage::Ended(_) => self.run.unclear,
        }
    }

    /// The FAILED runs that count towards poison, oldest first: (class, when seen, text).
    pub(super) fn failures(&self) -> Vec<(&FailureClass, i64, &str)> {
        self.past
            .iter()
            .skip(self.forgiven)
            .chain([&self.run])
            .filter_map(|run| match run.end() {
                Some(End::Failed { class, text }) => Some((class, run.ended_ms.unwrap_or(0), text.as_str())),
                _ => None,
            })
            .collect()
    }

    /// How many of the newest failures in a row are of the newest one's class, and when the first of them was seen.
    pub(super) fn same_failures(&self) -> (u32, i64) {
        let failures = self.failures();
        let Some((newest, ..)) = failures.last() else { return (0, 0) };
        let row = failures.iter().rev().take_while(|(class, ..)| class == newest);
        row.fold((0, 0), |(times, _), (_, seen, _)| (times + 1, *seen))
    }

    /// How long others must still only watch, ms: never more than the lease was given for, however the clock has
    /// jumped. 0 when nobody holds it.
    pub fn lease_left_ms(&self, now_ms: i64) -> u64 {
        let Some(owner) = &self.owner else { return 0 };
        let whole = u64::try_from(owner.until_ms.saturating_sub(self.touched_ms)).unwrap_or(0);
        u64::try_from(owner.until_ms.saturating_sub(now_ms)).unwrap_or(0).min(whole)
    }
}
