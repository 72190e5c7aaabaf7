//! What is drawn of a run, from the task's text to the bars.
#![allow(clippy::unwrap_used, reason = "a test that cannot lay its ground fails")]

use super::{Show, Stands, picture};
use backfill::forecast::{Known, Question, forecast};
use druid::{
    interval::Instant,
    json::Document,
    release::Release,
    segment::{Segment, SegmentSet},
    spec::Task,
    timeline::Timeline,
    zone::UtcOnly,
};

/// The ids of the run's bars over 24 hourly segments, for a replace of an interval in chunks of a granularity.
fn run_bars(granularity: &str, interval: &str) -> usize {
    let mut set = SegmentSet::new("d");
    for hour in 0..24 {
        let (from, to) = (format!("2026-07-16T{hour:02}:00:00.000Z"), hour + 1);
        let to = if to == 24 {
            "2026-07-17T00:00:00.000Z".to_owned()
        } else {
            format!("2026-07-16T{to:02}:00:00.000Z")
        };
        let segment = serde_json::json!({
            "dataSource": "d", "interval": format!("{from}/{to}"), "version": "2026-07-20T00:00:00.000Z",
            "shardSpec": {"type": "numbered", "partitionNum": 0, "partitions": 1}, "size": 1,
        });
        set.push(&Segment::from_json(&segment).unwrap());
    }
    let timeline = Timeline::build(&set).unwrap();
    let document = Document::parse(format!(
        r#"{{"type": "index_parallel", "spec": {{
            "dataSchema": {{"dataSource": "d", "timestampSpec": {{"column": "t"}}, "dimensionsSpec": {{"dimensions": []}},
                "granularitySpec": {{"segmentGranularity": "{granularity}", "intervals": ["{interval}"]}}}},
            "ioConfig": {{"type": "index_parallel", "dropExisting": true, "inputFormat": {{"type": "json"}},
                "inputSource": {{"type": "http", "uris": ["http://example.com/a"]}}}}}}}}"#
    ));
    let task = Task::read(&document, &UtcOnly);
    let made = forecast(&Question {
        segments: &set,
        timeline: &timeline,
        task: &task,
        known: &Known::default(),
        release: Release::major(33),
        now: Instant::parse("2026-08-01T00:00:00Z").unwrap(),
        locks: &[],
        running: &[],
        unused: None,
        id: None,
    });
    let world = made.worst().unwrap();
    let drawn = picture(&timeline, Some((&made, world)), &[], Show::After);
    drawn.stands.iter().filter(|stands| matches!(stands, Stands::Fate(_))).count()
}

#[test]
fn each_chunk_of_a_run_is_a_bar_of_its_own() {
    assert_eq!(run_bars("HOUR", "2026-07-16/2026-07-17"), 24);
    assert_eq!(run_bars("HOUR", "2026-07-16/2026-07-18"), 48);
}

#[test]
fn a_run_over_any_number_of_chunks_is_drawn_in_as_many_bars_as_can_be_told_apart() {
    let day_by_the_second = run_bars("SECOND", "2026-07-16/2026-07-17");
    assert!((1..=20_000).contains(&day_by_the_second), "{day_by_the_second}");
    let all_of_time = run_bars("SECOND", "-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z");
    assert!((1..=20_000).contains(&all_of_time), "{all_of_time}");
}

#[test]
fn what_is_marked_unused_is_not_drawn_afterwards_and_what_it_covered_is_whole() {
    let segment = |interval: &str, version: &str| {
        let raw = serde_json::json!({
            "dataSource": "d", "interval": interval, "version": version, "size": 1,
            "shardSpec": {"type": "numbered", "partitionNum": 0, "partitions": 1},
        });
        Segment::from_json(&raw).unwrap()
    };
    let day = segment("2026-07-16/2026-07-17", "2026-07-20T00:00:00.000Z");
    let hour = segment("2026-07-16T03/2026-07-16T04", "2026-07-21T00:00:00.000Z");
    let set = SegmentSet::of("d", [&day, &hour]);
    let timeline = Timeline::build(&set).unwrap();
    let call = r#"{"type": "mark_unused", "dataSource": "d", "interval": "2026-07-16T03/2026-07-16T04"}"#;
    let task = Task::read(&Document::parse(call), &UtcOnly);
    let made = forecast(&Question {
        segments: &set,
        timeline: &timeline,
        task: &task,
        known: &Known::default(),
        release: Release::major(33),
        now: Instant::parse("2026-08-01T00:00:00Z").unwrap(),
        locks: &[],
        running: &[],
        unused: None,
        id: None,
    });
    let bars = |show, segment: &Segment| {
        let drawn = picture(&timeline, made.worst().map(|world| (&made, world)), &[], show);
        let holder = timeline.find(segment.interval, &segment.version).unwrap();
        drawn.stands.iter().filter(|stands| **stands == Stands::For(holder)).count()
    };
    // Now: the day on both sides of the hour, and hatched under it.
    assert_eq!((bars(Show::Now, &day), bars(Show::Now, &hour)), (3, 1));
    assert_eq!((bars(Show::After, &day), bars(Show::After, &hour)), (3, 0));
}
