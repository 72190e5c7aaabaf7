//! What is to be submitted, and the picture it was decided on. Fixed when the user says "submit".
//!
//! Not here: how ids and content hashes are made (`task_id`), and how the picture is read from a cluster.

use super::locks::LockWanted;
use crate::mask;
use crate::retry::Policy;
use druid::columns::fingerprints_overlapping;
use druid::interval::{Instant, Interval};
use druid::json::{Document, Path};
use druid::lock::Held;
use druid::segment::SegmentSet;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Everything the protocol needs to know of one content.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wish {
    /// Hash of the canonical task without its id: the key of the record. Same content, same key.
    pub content: String,
    /// The datasource written to.
    pub datasource: String,
    /// Ids in the order in which they are to be used: the first for the first run, the next when that one FAILED.
    pub names: Vec<Name>,
    /// The task, with a gap for the id.
    pub body: Body,
    /// The affected chunks and the locks on them, as the forecast was drawn from.
    pub picture: Picture,
    /// The locks that a run asks for on the picture's range; none where it asks for none, or that is not known.
    #[serde(default)]
    pub lock: Option<LockWanted>,
    /// How patiently.
    pub policy: Policy,
    /// The user has said that content which already succeeded is to run again (its input has changed, say).
    #[serde(default)]
    pub again: bool,
}

/// A version text and the task id made from it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Name {
    /// The spec version that went into the id, such as `v3` or `v3-a2`.
    pub version: String,
    /// The task id.
    pub id: String,
}

/// The JSON text of a task around the value of its top-level `id`. What is sent is the user's own text with nothing
/// changed but the id.
///
/// Secrets in it are never written to the journal: what is kept has them masked, and after a reload nothing is sent
/// until the user has given them again ([`super::Event::Body`]).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Body {
    head: String,
    tail: String,
    #[serde(default)]
    masked: bool,
    #[serde(skip)]
    whole: Option<(String, String)>,
}

impl Body {
    /// A text without secrets: everything before the id's value and everything after it.
    pub fn plain(head: impl Into<String>, tail: impl Into<String>) -> Body {
        Body { head: head.into(), tail: tail.into(), masked: false, whole: None }
    }

    /// A text with secrets: the two parts with the secrets masked, and the two parts to send.
    pub fn with_secrets(masked: (String, String), whole: (String, String)) -> Body {
        Body { head: masked.0, tail: masked.1, masked: true, whole: Some(whole) }
    }

    /// The text of a task around the value of its top-level `id`, which is put in where there is none; secrets as
    /// above. None: the text is no JSON object.
    pub fn of(document: &Document) -> Option<Body> {
        let id = Path::keys(&["id"]);
        let with_id = |text: &str| {
            let document = Document::parse(text);
            let splice = document.set(&id, "\"\"").ok()?;
            document.apply(&splice).ok().filter(Document::is_well_formed)
        };
        let around = |document: Document| {
            let span = document.get(&id)?.span();
            let text = document.text();
            Some((text.get(..span.start)?.to_owned(), text.get(span.end..)?.to_owned()))
        };
        let whole = around(with_id(document.text())?)?;
        if let Some(masked) = mask::masked_text(document) {
            return Some(Body::with_secrets(around(with_id(&masked)?)?, whole));
        }
        let mut body = Body::plain(whole.0, whole.1);
        // A draft that was opened again: its secrets were not kept and have not been given yet.
        body.masked = !mask::masked_places(document).is_empty();
        Some(body)
    }

    /// The text under this id: the one to send, or after a reload the masked one.
    pub fn with_id(&self, id: &str) -> String {
        let (head, tail) = self.whole.as_ref().map_or((&self.head, &self.tail), |(head, tail)| (head, tail));
        [head.as_str(), &druid::json::quote(id), tail].concat()
    }

    /// Whether the text is there as it is to be sent.
    pub fn is_whole(&self) -> bool {
        !self.masked || self.whole.is_some()
    }
}

/// The affected part of a datasource at one moment: one fingerprint a time chunk, and the locks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Picture {
    /// The range that was looked at, ms since 1970 UTC: what has to be looked at again.
    #[serde(default)]
    pub range: Vec<(i64, i64)>,
    /// Chunks with segments, in any order, each interval once.
    pub chunks: Vec<ChunkSeen>,
    /// Locks that are not our own, in any order.
    pub locks: Vec<LockSeen>,
}

/// One time chunk and what lay in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ChunkSeen {
    /// Start, ms since 1970 UTC.
    pub start_ms: i64,
    /// End (exclusive), ms since 1970 UTC.
    pub end_ms: i64,
    /// Fingerprint over the chunk's segments (`druid::columns`), as hexadecimal text: JavaScript's numbers cannot
    /// hold 64 bits.
    pub fingerprint: String,
}

/// One lock as `activeLocks` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockSeen {
    /// Start, ms since 1970 UTC.
    pub start_ms: i64,
    /// End (exclusive), ms since 1970 UTC.
    pub end_ms: i64,
    /// The group that holds it; for most tasks their id.
    pub group: String,
    /// EXCLUSIVE, SHARED, APPEND or REPLACE.
    pub kind: String,
    /// The version the lock gives.
    pub version: String,
    /// Higher wins.
    pub priority: i64,
}

/// One thing that is not as it was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// Segments of this chunk came, went or changed: start and end in ms.
    Chunk(i64, i64),
    /// A chunk that was empty has segments now.
    NewChunk(i64, i64),
    /// A chunk that had segments is empty now.
    GoneChunk(i64, i64),
    /// A lock was taken since.
    NewLock(LockSeen),
    /// A lock was released since.
    GoneLock(LockSeen),
}

impl Picture {
    /// What lies on the effective range: the chunks that overlap it, from any set that holds all of their segments,
    /// and the locks that overlap it and have not been taken away.
    pub fn of(segments: &SegmentSet, locks: &[Held], effective: &[Interval]) -> Picture {
        let chunks = fingerprints_overlapping(segments, effective).into_iter().map(|chunk| ChunkSeen {
            start_ms: chunk.interval.start.ms(),
            end_ms: chunk.interval.end.ms(),
            fingerprint: format!("{:016x}", chunk.hash),
        });
        let overlaps = |lock: &&Held| effective.iter().any(|interval| interval.overlaps(lock.interval));
        let locks = locks.iter().filter(|lock| !lock.revoked).filter(overlaps).map(|lock| LockSeen {
            start_ms: lock.interval.start.ms(),
            end_ms: lock.interval.end.ms(),
            group: lock.group_id.clone(),
            kind: lock.kind.name().to_owned(),
            version: lock.version.clone(),
            priority: lock.priority,
        });
        let range = effective.iter().map(|interval| (interval.start.ms(), interval.end.ms()));
        Picture { range: range.collect(), chunks: chunks.collect(), locks: locks.collect() }
    }

    /// The range that was looked at, to hand to [`Picture::of`] again: with any other, chunks beside it would look
    /// as if they had come or gone.
    pub fn intervals(&self) -> Vec<Interval> {
        let instant = Instant::from_ms;
        self.range.iter().filter_map(|(start, end)| Interval::new(instant(*start), instant(*end))).collect()
    }

    /// What differs in `now`, chunks first, each in order of time. Locks held by one of `own` (group ids) do not
    /// count: they are the run's own.
    pub fn changes(&self, now: &Picture, own: &[&str]) -> Vec<Change> {
        let mut changes = Vec::new();
        let (before, after) = (by_interval(&self.chunks), by_interval(&now.chunks));
        let intervals: BTreeSet<(i64, i64)> = before.keys().chain(after.keys()).copied().collect();
        for interval @ (start_ms, end_ms) in intervals {
            match (before.get(&interval), after.get(&interval)) {
                (Some(old), Some(new)) if old == new => {}
                (Some(_), Some(_)) => changes.push(Change::Chunk(start_ms, end_ms)),
                (Some(_), None) => changes.push(Change::GoneChunk(start_ms, end_ms)),
                (None, _) => changes.push(Change::NewChunk(start_ms, end_ms)),
            }
        }
        let foreign = |locks: &[LockSeen]| -> Vec<LockSeen> {
            let mut locks: Vec<LockSeen> =
                locks.iter().filter(|lock| !own.contains(&lock.group.as_str())).cloned().collect();
            locks.sort();
            locks
        };
        let (held, holds) = (foreign(&self.locks), foreign(&now.locks));
        changes.extend(holds.iter().filter(|lock| !held.contains(lock)).cloned().map(Change::NewLock));
        changes.extend(held.iter().filter(|lock| !holds.contains(lock)).cloned().map(Change::GoneLock));
        changes
    }

    /// Whether one of these groups holds a lock in this picture.
    pub fn locked_by(&self, group: &str) -> bool {
        self.locks.iter().any(|lock| lock.group == group)
    }
}

fn by_interval(chunks: &[ChunkSeen]) -> BTreeMap<(i64, i64), &str> {
    chunks.iter().map(|chunk| ((chunk.start_ms, chunk.end_ms), chunk.fingerprint.as_str())).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)] // a test that cannot go on should say where
    use super::*;

    fn chunk(start_ms: i64, fingerprint: &str) -> ChunkSeen {
        ChunkSeen { start_ms, end_ms: start_ms + 10, fingerprint: fingerprint.into() }
    }

    fn drawn(chunks: Vec<ChunkSeen>, locks: Vec<LockSeen>) -> Picture {
        Picture { range: vec![(0, 100)], chunks, locks }
    }

    fn lock(group: &str) -> LockSeen {
        LockSeen {
            start_ms: 0,
            end_ms: 10,
            group: group.into(),
            kind: "EXCLUSIVE".into(),
            version: "v".into(),
            priority: 50,
        }
    }

    #[test]
    fn the_order_in_which_chunks_and_locks_are_read_does_not_make_a_picture_stale() {
        let before = drawn(vec![chunk(0, "a"), chunk(10, "b")], vec![lock("x"), lock("y")]);
        let now = drawn(vec![chunk(10, "b"), chunk(0, "a")], vec![lock("y"), lock("x")]);
        assert_eq!(before.changes(&now, &[]), []);
    }

    #[test]
    fn a_chunk_that_changed_came_or_went_is_named() {
        let before = drawn(vec![chunk(0, "a"), chunk(10, "b"), chunk(20, "c")], vec![]);
        let now = drawn(vec![chunk(0, "a"), chunk(20, "d"), chunk(30, "e")], vec![]);
        assert_eq!(
            before.changes(&now, &[]),
            [Change::GoneChunk(10, 20), Change::Chunk(20, 30), Change::NewChunk(30, 40)]
        );
        assert_eq!(Picture::default().changes(&before, &[]).len(), 3);
        assert_eq!(before.changes(&Picture::default(), &[]).len(), 3);
    }

    #[test]
    fn a_foreign_lock_makes_a_picture_stale_and_our_own_does_not() {
        let before = drawn(vec![], vec![lock("gone")]);
        let now = drawn(vec![], vec![lock("idx_own"), lock("new")]);
        assert_eq!(
            before.changes(&now, &["idx_own"]),
            [Change::NewLock(lock("new")), Change::GoneLock(lock("gone"))]
        );
        assert!(now.locked_by("idx_own") && !before.locked_by("idx_own"));
    }

    #[test]
    fn a_body_is_the_users_text_with_nothing_changed_but_the_id() {
        let text = "{\n  \"type\": \"index_parallel\",\n  \"id\" : \"mine\",\n  \"n\": 1E3, \"n\": 0.10\n}\n";
        let body = Body::of(&Document::parse(text)).expect("an object");
        assert_eq!(body.with_id("idx_a"), text.replace("mine", "idx_a"));
        assert!(body.is_whole());
        let without = Body::of(&Document::parse("{\"type\": \"kill\"}")).expect("an object");
        let sent: serde_json::Value = serde_json::from_str(&without.with_id("idx_b")).expect("JSON");
        assert_eq!(sent, serde_json::json!({"type": "kill", "id": "idx_b"}));
        assert_eq!(Body::of(&Document::parse("[1]")), None);
        assert_eq!(Body::of(&Document::parse("{\"a\": ")), None);
    }

    #[test]
    fn a_draft_whose_secrets_were_not_given_again_cannot_be_sent() {
        let document = Document::parse("{\"password\": \"hunter2\"}");
        let body = Body::of(&document).expect("an object");
        assert!(body.is_whole() && body.with_id("x").contains("hunter2"));
        let draft = Document::parse(mask::masked_text(&document).expect("a secret"));
        assert!(!Body::of(&draft).expect("an object").is_whole());
    }

    #[test]
    fn an_id_with_quotes_cannot_break_out_of_the_text_that_is_sent() {
        let body = Body::plain(r#"{"id": "#, r#", "spec": 1E3}"#);
        assert_eq!(body.with_id("a\"b\\"), r#"{"id": "a\"b\\", "spec": 1E3}"#);
    }

    #[test]
    fn a_secret_is_sent_and_never_written_to_the_journal() {
        let masked = ("{\"id\":".to_owned(), ",\"password\":\"…\"}".to_owned());
        let whole = ("{\"id\":".to_owned(), ",\"password\":\"hunter2\"}".to_owned());
        let body = Body::with_secrets(masked, whole);
        assert!(body.with_id("x").contains("hunter2") && body.is_whole());
        let kept = serde_json::to_string(&body).expect("plain texts");
        assert!(!kept.contains("hunter2"));
        let back: Body = serde_json::from_str(&kept).expect("what was just written");
        assert!(!back.is_whole() && !back.with_id("x").contains("hunter2"));
    }
}
