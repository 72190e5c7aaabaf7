//! What a server would refuse: against what a live Druid refused and took ([`live`]), rule by rule ([`table`]), and where
//! it depends on release and kind of task ([`kinds`]).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failing test should stop at once"
)]

mod kinds;
mod live;
mod own;
mod table;

use druid::json::{Document, Edit, Path};
use druid::release::Release;
use druid::spec::{Refusal, Task, example, refusals};
use druid::zone::UtcOnly;

const DRUID_33: Release = Release(33, 0, 0);
const DRUID_37: Release = Release(37, 0, 0);

/// A task that a live Druid took, made like those of the recording.
const GOOD: &str = r#"{
  "type": "index_parallel",
  "id": "ls_x",
  "spec": {
    "dataSchema": {
      "dataSource": "ls_x",
      "timestampSpec": {"column": "ts", "format": "iso"},
      "dimensionsSpec": {"dimensions": ["page", {"type": "long", "name": "n"}]},
      "metricsSpec": [],
      "granularitySpec": {
        "type": "uniform",
        "segmentGranularity": "DAY",
        "queryGranularity": "NONE",
        "rollup": false,
        "intervals": ["2026-07-16/2026-07-17"]
      }
    },
    "ioConfig": {
      "type": "index_parallel",
      "inputSource": {"type": "inline", "data": "{\"ts\":\"2026-07-16\",\"page\":\"a\",\"n\":1}"},
      "inputFormat": {"type": "json"},
      "appendToExisting": false
    },
    "tuningConfig": {"type": "index_parallel"}
  }
}"#;

const IO: &str = "spec.ioConfig";
const TUNING: &str = "spec.tuningConfig";
const GRANULARITY: &str = "spec.dataSchema.granularitySpec";

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

/// A compaction that Druid takes.
const COMPACT: &str = r#"{
  "type": "compact",
  "id": "ls_x",
  "dataSource": "ls_x",
  "ioConfig": {"type": "compact", "inputSpec": {"type": "interval", "interval": "2026-07-16/2026-07-17"}},
  "tuningConfig": {"type": "index_parallel"}
}"#;

/// The good task with values put in (JSON text) or taken away (empty text).
fn with(changes: &[(&str, &str)]) -> Document {
    changed(GOOD, changes)
}

/// The same of any task.
fn changed(text: &str, changes: &[(&str, &str)]) -> Document {
    changes.iter().fold(Document::parse(text), |document, (place, json)| {
        let edit = if json.is_empty() {
            Edit::Remove(path(place))
        } else {
            Edit::Set(path(place), (*json).to_owned())
        };
        document.apply(&document.edit(&edit).unwrap()).unwrap()
    })
}

fn refused(document: &Document, release: Release) -> Vec<Refusal> {
    refusals(&Task::read(document, &UtcOnly), release)
}

fn rules(document: &Document, release: Release) -> Vec<&'static str> {
    refused(document, release).iter().map(|refusal| refusal.rule).collect()
}

#[test]
fn the_example_and_the_good_task_are_refused_by_nobody() {
    for release in [Release::major(24), DRUID_33, DRUID_37, Release::major(38)] {
        assert_eq!(refused(&Document::parse(example()), release), []);
        assert_eq!(refused(&Document::parse(GOOD), release), []);
    }
}
