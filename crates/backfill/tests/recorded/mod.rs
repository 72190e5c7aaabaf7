//! Runs recorded from a real Druid, and what they say about a forecast.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    dead_code,
    reason = "a test that cannot read its vectors must fail; not every test uses every part"
)]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use backfill::forecast::{Basis, Entry, EntryVersion, Forecast, Known, Question, RowsFrom, forecast};
use druid::ingest::{Rows, compaction};
use druid::interval::{Instant, Interval, subtract};
use druid::json::Document;
use druid::release::Release;
use druid::segment::{Segment, SegmentSet, UnusedSegment};
use druid::spec::{Batch, Body, Task};
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::Value;

use crate::agree::Real;

/// One line of the recordings.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) raw: Value,
    pub(crate) release: Release,
    pub(crate) set: SegmentSet,
    pub(crate) timeline: Timeline,
    pub(crate) task: Task,
    pub(crate) unused: Vec<UnusedSegment>,
}

/// All lines, read once.
pub(crate) fn runs() -> &'static [Run] {
    static RUNS: LazyLock<Vec<Run>> = LazyLock::new(read);
    &RUNS
}

fn read() -> Vec<Run> {
    let zones = Tzdb::default();
    let files: [&[u8]; 3] = [
        include_bytes!("../../../druid/tests/vectors/live-33.jsonl.gz"),
        include_bytes!("../../../druid/tests/vectors/live-37.jsonl.gz"),
        include_bytes!("../../../druid/tests/vectors/live-found.jsonl.gz"),
    ];
    files.iter().flat_map(|gz| lines(gz)).map(|raw| run(raw, &zones)).collect()
}

fn lines(gz: &[u8]) -> Vec<Value> {
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(gz)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One line, read. Its end may be missing as long as nobody asks for it.
pub(crate) fn run(raw: Value, zones: &Tzdb) -> Run {
    let segments: Vec<Segment> =
        raw["before"].as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect();
    let task = Task::read(&Document::parse(raw["task"].to_string()), zones);
    let set = SegmentSet::of(task.datasource.as_deref().unwrap_or_default(), &segments);
    let texts = |key: &str| raw[key].as_array().into_iter().flatten().map(|v| v.as_str().unwrap().to_owned());
    Run {
        name: raw["name"].as_str().unwrap().to_owned(),
        kind: raw["kind"].as_str().unwrap().to_owned(),
        release: raw["druid"].as_str().unwrap().parse().unwrap(),
        timeline: Timeline::build(&set).unwrap(),
        unused: texts("unused_before").map(UnusedSegment::named).collect(),
        set,
        task,
        raw,
    }
}

impl Run {
    /// The rows it read, by split; none where the recording does not know them.
    pub(crate) fn rows(&self) -> Option<Rows> {
        let times = |raw: &Value| -> Option<Vec<Instant>> {
            raw.as_array().map(|rows| {
                // A row without a time that can be read is null, and Druid drops it.
                rows.iter().filter_map(|row| Some(Instant::parse(row.as_str()?).unwrap())).collect()
            })
        };
        let mut one = times(&self.raw["rows"])?;
        one.extend(self.rows_beyond());
        let by_file = self.task.batch().is_some_and(|batch: &Batch| batch.max_num_files == Some(1));
        match self.raw["files"].as_object() {
            Some(files) if by_file => Some(Rows { splits: files.values().filter_map(times).collect() }),
            _ => Some(Rows { splits: vec![one] }),
        }
    }

    /// A compaction without a granularity reads more than the interval that it names: each group of segments it touches,
    /// whole. The oldest recordings know the rows of the interval alone. Every recorded data segment has rows, so one row
    /// stands for those of each piece that is served outside.
    fn rows_beyond(&self) -> Vec<Instant> {
        let Body::Compact(compact) = &self.task.body else { return Vec::new() };
        if self.raw["rows_of"] == "reads" {
            return Vec::new();
        }
        let datasource = self.task.datasource.as_deref().unwrap();
        let parts = compaction(&self.timeline, datasource, compact, self.release)
            .map(|compaction| compaction.parts.unwrap_or_default());
        let reads = parts.unwrap_or_default().into_iter().map(|part| part.reads);
        let outside = reads.flat_map(|reads| subtract(&[reads], &[compact.interval.unwrap()]));
        let pieces = outside.flat_map(|rest| self.timeline.visible().within(rest).collect::<Vec<_>>());
        let data = pieces.filter(|piece| !self.timeline.holder(piece.holder).unwrap().tombstone);
        data.map(|piece| piece.interval.start).collect()
    }

    pub(crate) fn known(&self) -> Option<Known> {
        Some(Known::only(Basis::Rows { rows: self.rows()?, from: RowsFrom::List, exact: true }))
    }

    pub(crate) fn question<'a>(&'a self, known: &'a Known) -> Question<'a> {
        Question {
            segments: &self.set,
            timeline: &self.timeline,
            task: &self.task,
            known,
            release: self.release,
            now: Instant::parse(self.raw["created"].as_str().unwrap()).unwrap(),
            locks: &[],
            running: &[],
            unused: Some(&self.unused),
            id: None,
        }
    }

    pub(crate) fn forecast(&self, known: &Known) -> Forecast {
        forecast(&self.question(known))
    }

    /// The timeline of what was there afterwards.
    pub(crate) fn timeline_after(&self) -> Timeline {
        let segments: Vec<Segment> = self.raw["after"]
            .as_array()
            .unwrap()
            .iter()
            .map(|raw| Segment::from_json(raw).unwrap())
            .collect();
        Timeline::build(&SegmentSet::of(self.task.datasource.as_deref().unwrap_or_default(), &segments))
            .unwrap()
    }

    /// What was visible before, as a forecast would say it of a run that does nothing.
    pub(crate) fn visible_before(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = (self.timeline.visible().iter())
            .map(|piece| {
                let holder = self.timeline.holder(piece.holder).unwrap();
                Entry {
                    interval: piece.interval,
                    true_interval: holder.interval,
                    version: EntryVersion::Old(holder.version.to_owned()),
                    tombstone: holder.tombstone,
                    appended: false,
                }
            })
            .collect();
        entries.sort();
        entries
    }

    /// Ids of unused segments that were gone afterwards.
    pub(crate) fn deleted(&self) -> BTreeSet<&str> {
        let ids = |key: &str| -> BTreeSet<&str> {
            self.raw[key].as_array().into_iter().flatten().map(|id| id.as_str().unwrap()).collect()
        };
        ids("unused_before").difference(&ids("unused_after")).copied().collect()
    }

    pub(crate) fn succeeded(&self) -> bool {
        self.raw["status"] == "SUCCESS"
    }

    /// What was visible afterwards, as a forecast says it.
    pub(crate) fn visible_after(&self) -> Vec<Entry> {
        let counts = |key: &str| {
            let mut counts = std::collections::BTreeMap::<(String, String), usize>::new();
            for segment in self.raw[key].as_array().unwrap() {
                let text = |key: &str| segment[key].as_str().unwrap().to_owned();
                *counts.entry((text("interval"), text("version"))).or_default() += 1;
            }
            counts
        };
        let (before, after) = (counts("before"), counts("after"));
        let entry = |raw: &Value| {
            let text = |key: &str| raw[key].as_str().unwrap();
            let name = (text("true_interval").to_owned(), text("version").to_owned());
            let interval = |key: &str| Interval::parse(text(key)).unwrap();
            Entry {
                interval: interval("interval"),
                true_interval: interval("true_interval"),
                version: match before.get(&name) {
                    Some(_) => EntryVersion::Old(text("version").to_owned()),
                    None => EntryVersion::New,
                },
                tombstone: raw["tombstone"].as_bool().unwrap(),
                appended: before.get(&name).is_some_and(|n| *n < after[&name]),
            }
        };
        let mut entries: Vec<Entry> =
            self.raw["visible_after"].as_array().unwrap().iter().map(entry).collect();
        entries.sort();
        entries
    }

    /// Ids that were there before and are overshadowed afterwards.
    pub(crate) fn overshadowed_after(&self) -> BTreeSet<String> {
        let before: BTreeSet<&str> = self.raw["before"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s["identifier"].as_str().unwrap())
            .collect();
        let after = self.raw["overshadowed_after"].as_array().unwrap().iter().map(|id| id.as_str().unwrap());
        after.filter(|id| before.contains(id)).map(str::to_owned).collect()
    }

    pub(crate) fn real(&self) -> Real {
        Real {
            succeeded: self.raw["status"] == "SUCCESS",
            visible: self.visible_after(),
            overshadowed: self.overshadowed_after(),
        }
    }
}
