//! How long a forecast takes, its timeline already built: over a million segments, over chunks nobody can list, and over
//! everything recorded on a live 33.
//!
//! Bounds (on a 2-core machine): a forecast that touches 1,000 chunks of 1,000,000 used segments 5 ms, the whole of
//! live-33 with its timelines 2 s; a year of SECOND chunks and all of time cost what is visible.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark is no interface, and must stop when it cannot start"
)]

use std::hint::black_box;
use std::time::Duration;

use backfill::forecast::{Basis, Known, Question, RowsFrom, forecast};
use criterion::{Criterion, criterion_group, criterion_main};
use druid::ingest::Rows;
use druid::interval::{Instant, Interval};
use druid::json::Document;
use druid::release::Release;
use druid::segment::{Segment, SegmentSet, ShardSpec};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::Tzdb;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;

/// Hour chunks back from 2026-07-17, published day by day (so a version a day), every tenth day overlaid by a newer DAY.
fn segments(count: usize) -> SegmentSet {
    let end = Instant::parse("2026-07-17").unwrap().ms();
    let mut set = SegmentSet::new("events_web");
    let segment = |start: i64, length: i64, published: i64| {
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(start + length)).unwrap();
        let version = Instant::from_ms(end + published).to_string();
        let mut segment =
            Segment::new("events_web", interval, &version, ShardSpec::Numbered { partition: 0, core: 1 });
        segment.rows = Some(1_000);
        segment
    };
    for at in 0..count as i64 {
        let start = end - (at + 1) * HOUR;
        set.push(&segment(start, HOUR, at / 24));
        if start % (240 * HOUR) == 0 {
            set.push(&segment(start, 24 * HOUR, 86_400_000));
        }
    }
    set
}

fn batch(intervals: &[&str], granularity: &str, mode: &str) -> Task {
    let spec = json!({
        "type": "index_parallel", "id": "t",
        "spec": {
            "dataSchema": {
                "dataSource": "events_web",
                "timestampSpec": {"column": "ts", "format": "iso"},
                "dimensionsSpec": {"dimensions": ["page"]},
                "granularitySpec": {"segmentGranularity": granularity, "rollup": false, "intervals": intervals},
            },
            "ioConfig": {
                "type": "index_parallel", "inputFormat": {"type": "json"},
                "inputSource": {"type": "local", "baseDir": "/in", "filter": "*.json"},
                "appendToExisting": mode == "append", "dropExisting": mode == "replace",
            },
            "tuningConfig": {"type": "index_parallel"},
        },
    });
    read(&spec)
}

fn compaction(interval: &str) -> Task {
    read(&json!({
        "type": "compact", "id": "t", "dataSource": "events_web",
        "ioConfig": {"type": "compact", "inputSpec": {"type": "interval", "interval": interval}},
        "granularitySpec": {"segmentGranularity": "HOUR"},
    }))
}

fn read(spec: &Value) -> Task {
    Task::read(&Document::parse(spec.to_string()), &Tzdb::default())
}

fn question<'a>(timeline: &'a Timeline, task: &'a Task, known: &'a Known) -> Question<'a> {
    Question {
        segments: timeline.segments(),
        timeline,
        task,
        known,
        release: Release::major(33),
        now: Instant::parse("2026-11-30T12:00:00Z").unwrap(),
        locks: &[],
        running: &[],
        unused: None,
        id: None,
    }
}

/// 42 days are 1,008 chunks of an hour.
const WEEKS: &str = "2026-06-05/2026-07-17";

fn million(c: &mut Criterion) {
    let timeline = Timeline::build(&segments(1_000_000)).unwrap();
    let mut group = c.benchmark_group("forecast over 1,000,000 segments, 1,000 chunks");
    for (name, task) in [
        ("replace", batch(&[WEEKS], "HOUR", "replace")),
        ("overwrite", batch(&[WEEKS], "HOUR", "overwrite")),
        ("append", batch(&[WEEKS], "HOUR", "append")),
        ("compact", compaction(WEEKS)),
    ] {
        let known = Known::default();
        let question = question(&timeline, &task, &known);
        group.bench_function(name, |b| b.iter(|| black_box(forecast(&question))));
    }
    let task = batch(&[WEEKS], "HOUR", "replace");
    let known = Known::only(Basis::AllRows);
    let question = question(&timeline, &task, &known);
    group.bench_function("replace, every chunk with rows", |b| b.iter(|| black_box(forecast(&question))));
    group.finish();
}

fn countless(c: &mut Criterion) {
    let timeline = Timeline::build(&segments(10_000)).unwrap();
    let known = Known::default();
    let mut group = c.benchmark_group("forecast over countless chunks");
    for (name, task) in [
        (
            "31,536,000 chunks of a second over a year without segments",
            batch(&["2001/2002"], "SECOND", "replace"),
        ),
        ("a year of seconds over 8,760 hours", batch(&["2025-07-17/2026-07-17"], "SECOND", "replace")),
        ("all of time by hours", batch(&[], "HOUR", "overwrite")),
        (
            "eternity as one interval",
            batch(&["-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"], "ALL", "replace"),
        ),
    ] {
        let question = question(&timeline, &task, &known);
        group.bench_function(name, |b| b.iter(|| black_box(forecast(&question))));
    }
    group.finish();
}

/// Every recorded run: its timeline built, and a forecast from its rows.
fn recorded(c: &mut Criterion) {
    let packed = include_bytes!("../../druid/tests/vectors/live-33.jsonl.gz");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(packed.as_slice())).unwrap();
    let runs: Vec<(SegmentSet, Task, Known, Instant)> = text
        .lines()
        .map(|line| {
            let raw: Value = serde_json::from_str(line).unwrap();
            let task = read(&raw["task"]);
            let before = raw["before"].as_array().unwrap().iter();
            let before: Vec<Segment> = before.map(|raw| Segment::from_json(raw).unwrap()).collect();
            let rows = raw["rows"].as_array().map(|rows| {
                let rows = rows.iter().filter_map(|row| Instant::parse(row.as_str()?).ok()).collect();
                Basis::Rows { rows: Rows { splits: vec![rows] }, from: RowsFrom::List, exact: true }
            });
            let set = SegmentSet::of(task.datasource.as_deref().unwrap(), &before);
            let created = Instant::parse(raw["created"].as_str().unwrap()).unwrap();
            (set, task, Known::only(rows.unwrap_or(Basis::Unknown)), created)
        })
        .collect();
    c.bench_function("the whole of live-33: 699 timelines and forecasts", |b| {
        b.iter(|| {
            for (set, task, known, created) in &runs {
                let timeline = Timeline::build(set).unwrap();
                let question = Question { now: *created, ..question(&timeline, task, known) };
                black_box(forecast(&question));
            }
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = million, countless, recorded
}
criterion_main!(benches);
