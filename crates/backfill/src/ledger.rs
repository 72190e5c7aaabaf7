//! The ledger: which content every id was made from, and how each run of it went.
//!
//! It is a view of the journal's records, not a second store: what is not in a record is not in the ledger.
//!
//! Always true: an id belongs to at most one content. Same id and other content is an error before submission; the
//! server would refuse it on the id alone, and a client that takes "already exists" for success would believe it done.
//!
//! Not here: what is on the cluster. Ids can be used there that no record of this browser knows.

use crate::submission::{DeadLetter, End, Record, Run, Stage};
use druid::order::Order as _;
use std::collections::BTreeMap;

/// A view of all records.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    records: Vec<Record>,
    by_id: BTreeMap<String, usize>,
    by_content: BTreeMap<String, usize>,
}

/// One run, as the list of runs shows it.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The record it belongs to.
    pub record: &'a Record,
    /// The run.
    pub run: &'a Run,
    /// Whether it is the record's last one.
    pub latest: bool,
}

impl Ledger {
    /// The ledger of these records. Where two claim one id (written by two browsers and merged), the older one has it.
    pub fn of(records: impl IntoIterator<Item = Record>) -> Ledger {
        let mut records: Vec<Record> = records.into_iter().collect();
        records.order_by(|a, b| (a.created_ms, a.key()).cmp(&(b.created_ms, b.key())));
        let (mut by_id, mut by_content) = (BTreeMap::new(), BTreeMap::new());
        for (index, record) in records.iter().enumerate() {
            by_content.entry(record.key().to_owned()).or_insert(index);
            for id in record.ids() {
                by_id.entry(id.to_owned()).or_insert(index);
            }
        }
        Ledger { records, by_id, by_content }
    }

    /// The record of a content.
    pub fn of_content(&self, content: &str) -> Option<&Record> {
        self.by_content.get(content).and_then(|index| self.records.get(*index))
    }

    /// The record of an id.
    pub fn of_id(&self, id: &str) -> Option<&Record> {
        self.by_id.get(id).and_then(|index| self.records.get(*index))
    }

    /// The other content that an id was made from, if it was: then it must not be used for `content`.
    pub fn taken_by(&self, id: &str, content: &str) -> Option<&Record> {
        self.of_id(id).filter(|record| record.key() != content)
    }

    /// All runs, the newest record first, within a record the newest run first.
    pub fn runs(&self) -> impl Iterator<Item = Entry<'_>> {
        self.records.iter().rev().flat_map(|record| {
            let latest = std::iter::once(Entry { record, run: &record.run, latest: true });
            latest.chain(record.past.iter().rev().map(move |run| Entry { record, run, latest: false }))
        })
    }

    /// Records on which something is still to be done.
    pub fn open(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(|record| !record.is_over())
    }

    /// What will not be tried again by itself, the last seen first.
    pub fn dead_letters(&self) -> Vec<(&Record, &DeadLetter)> {
        let mut dead: Vec<_> = self
            .records
            .iter()
            .filter_map(|record| record.dead.as_ref().map(|dead| (record, dead)))
            .collect();
        dead.order_by_key(|(_, dead)| std::cmp::Reverse(dead.last_seen_ms));
        dead
    }

    /// How many records end how: (on their way, succeeded, not as wished).
    pub fn counts(&self) -> (usize, usize, usize) {
        self.records.iter().fold((0, 0, 0), |(open, good, bad), record| match &record.run.stage {
            Stage::Ended(End::Success { .. }) => (open, good + 1, bad),
            Stage::Ended(_) => (open, good, bad + 1),
            _ => (open + 1, good, bad),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retry::{FailureClass, Policy};
    use crate::submission::{Body, FORMAT, Name, Picture, Stamp, Why, Wish};
    use std::sync::Arc;

    fn record(content: &str, ids: &[&str], created_ms: i64) -> Record {
        let name = |id: &&str| Name { version: "v".into(), id: (*id).into() };
        let mut runs: Vec<Run> = ids.iter().map(|id| Run::new(name(id))).collect();
        let run = runs.pop().unwrap_or_else(|| Run::new(name(&"none")));
        let wish = Wish {
            content: content.into(),
            datasource: "d".into(),
            names: vec![],
            body: Body::plain("{", "}"),
            picture: Picture::default(),
            lock: None,
            policy: Policy::default(),
            again: false,
        };
        Record {
            format: FORMAT,
            stamp: Stamp { fence: 1, seq: 1 },
            owner: None,
            created_ms,
            touched_ms: created_ms,
            wish: Arc::new(wish),
            past: runs,
            forgiven: 0,
            run,
            cancel: false,
            dead: None,
            unrecorded: false,
            wait: None,
        }
    }

    #[test]
    fn an_id_that_other_content_was_made_from_is_found_and_ones_own_is_not() {
        let ledger = Ledger::of([record("a", &["idx_1", "idx_2"], 1), record("b", &["idx_3"], 2)]);
        assert_eq!(ledger.taken_by("idx_1", "b").map(Record::key), Some("a"));
        assert_eq!(ledger.taken_by("idx_2", "b").map(Record::key), Some("a"));
        assert!(ledger.taken_by("idx_1", "a").is_none() && ledger.taken_by("idx_9", "a").is_none());
        assert_eq!(ledger.of_content("b").map(|record| record.run.name.id.as_str()), Some("idx_3"));
    }

    #[test]
    fn of_two_records_that_claim_one_id_the_older_has_it() {
        let ledger = Ledger::of([record("late", &["idx"], 20), record("early", &["idx"], 10)]);
        assert_eq!(ledger.of_id("idx").map(Record::key), Some("early"));
    }

    #[test]
    fn runs_are_listed_newest_first_and_dead_letters_by_when_they_were_last_seen() {
        let letter = |last_seen_ms| DeadLetter {
            why: Why::Poison,
            class: FailureClass::Allocation,
            times: 3,
            first_seen_ms: 0,
            last_seen_ms,
            text: "words".into(),
            clears: "do this".into(),
        };
        let a = Record { dead: Some(letter(9)), ..record("a", &["idx_1", "idx_2"], 1) };
        let b = Record { dead: Some(letter(5)), ..record("b", &["idx_3"], 2) };
        let ledger = Ledger::of([a, b]);
        let ids: Vec<&str> = ledger.runs().map(|entry| entry.run.name.id.as_str()).collect();
        assert_eq!(ids, ["idx_3", "idx_2", "idx_1"]);
        let dead: Vec<&str> = ledger.dead_letters().iter().map(|(record, _)| record.key()).collect();
        assert_eq!(dead, ["a", "b"]);
        assert_eq!(ledger.open().count(), 2);
    }
}
