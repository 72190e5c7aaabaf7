//! Laws of runs over random datasources, specs and rows.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // specs are built here

use druid::granularity::Granularity;
use druid::ingest::{Chunks, Outcome, Rows, Situation, extent, run, tombstone};
use druid::interval::{Instant, Interval, condense, subtract};
use druid::json::Document;
use druid::release::Release;
use druid::segment::{Segment, SegmentSet, ShardSpec};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::UtcOnly;
use proptest::prelude::*;
use serde_json::json;

const HOUR: i64 = 3_600_000;
const START: i64 = 1_783_900_800_000; // 2026-07-13, a Monday
const GRANULARITIES: [&str; 5] = ["HOUR", "SIX_HOUR", "DAY", "WEEK", "MONTH"];

fn hours(from: i64, to: i64) -> Interval {
    Interval::new(Instant::from_ms(START + from * HOUR), Instant::from_ms(START + to * HOUR)).unwrap()
}

/// Whole chunks, each version in one granularity, so that no version overlaps itself.
fn timelines() -> impl Strategy<Value = Timeline> {
    let layer = (prop::sample::select(&GRANULARITIES[..]), -80i64..300, 1i64..60, prop::bool::ANY);
    prop::collection::vec(layer, 0..5).prop_map(|layers| {
        let mut segments = Vec::new();
        for (version, (name, from, length, tombstone)) in layers.into_iter().enumerate() {
            let granularity = Granularity::named(name).unwrap();
            for chunk in granularity.buckets(hours(from, from + length)) {
                let shard = if tombstone {
                    ShardSpec::Tombstone
                } else {
                    ShardSpec::Numbered { partition: 0, core: 1 }
                };
                segments.push(Segment::new("web", chunk, &format!("2026-01-0{}", version + 1), shard));
            }
        }
        Timeline::build(&SegmentSet::of("web", &segments)).unwrap()
    })
}

#[derive(Clone, Debug)]
struct Order {
    granularity: &'static str,
    intervals: Vec<Interval>,
    drop: bool,
    append: bool,
}

fn orders() -> impl Strategy<Value = Order> {
    let interval = (-20i64..200, 1i64..50).prop_map(|(from, length)| hours(from, from + length));
    let mode = prop::sample::select(vec![(false, false), (true, false), (false, true)]);
    (prop::sample::select(&GRANULARITIES[..]), prop::collection::vec(interval, 1..4), mode)
        .prop_map(|(granularity, intervals, (drop, append))| Order { granularity, intervals, drop, append })
}

fn task(order: &Order) -> Task {
    let intervals: Vec<String> = order.intervals.iter().map(ToString::to_string).collect();
    let spec = json!({
        "type": "index_parallel", "id": "t",
        "spec": {
            "dataSchema": {
                "dataSource": "web",
                "timestampSpec": {}, "dimensionsSpec": {},
                "granularitySpec": {"segmentGranularity": order.granularity, "intervals": intervals},
            },
            "ioConfig": {
                "inputSource": {"type": "inline", "data": "x"}, "inputFormat": {"type": "json"},
                "dropExisting": order.drop, "appendToExisting": order.append,
            },
        },
    });
    Task::read(&Document::parse(spec.to_string()), &UtcOnly)
}

fn rows() -> impl Strategy<Value = Rows> {
    let row = (-60i64..280).prop_map(|hour| Instant::from_ms(START + hour * HOUR + 1));
    prop::collection::vec(row, 0..12).prop_map(|rows| Rows { splits: vec![rows] })
}

fn happen(timeline: &Timeline, order: &Order, rows: &Rows) -> Outcome {
    let situation = Situation {
        timeline,
        unused: &[],
        locks: &[],
        release: Release::major(37),
        lock_version: Instant::parse("2026-07-20T12Z").unwrap(),
    };
    run(&situation, &task(order), rows)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_chunk_of_a_row_is_the_one_of_the_list_that_holds_it(order in orders(), rows in rows()) {
        let task = task(&order);
        let chunks = Chunks::of(&task.batch().unwrap().granularity);
        let all: Vec<Interval> = chunks.all().collect();
        prop_assert_eq!(all.len() as u64, chunks.count());
        prop_assert_eq!(condense(all.iter().copied()), chunks.runs());
        for &row in &rows.splits[0] {
            let listed = all.iter().copied().find(|chunk| chunk.contains_instant(row));
            prop_assert_eq!(chunks.holding(row), listed);
        }
    }

    #[test]
    fn tombstones_are_found_without_looking_at_every_chunk(timeline in timelines(), order in orders(), rows in rows()) {
        let task = task(&order);
        let chunks = Chunks::of(&task.batch().unwrap().granularity);
        let hit = condense(rows.splits[0].iter().filter_map(|&row| chunks.holding(row)));
        let extent = extent(&timeline, chunks.typed());
        let each: Vec<Interval> =
            chunks.all().filter(|&chunk| tombstone::is_emptied(chunk, &hit, &extent)).collect();
        prop_assert_eq!(tombstone::emptied(&chunks, &hit, &extent).collect::<Vec<_>>(), each);
    }

    #[test]
    fn overwriting_writes_whole_chunks_of_its_range_and_nothing_outside(
        timeline in timelines(), order in orders(), rows in rows(),
    ) {
        prop_assume!(!order.append);
        let Outcome::Success(published) = happen(&timeline, &order, &rows) else { return Err(TestCaseError::fail("not a success")) };
        let task = task(&order);
        let chunks = Chunks::of(&task.batch().unwrap().granularity);
        let all: Vec<Interval> = chunks.all().collect();
        for segment in &published.segments {
            prop_assert!(all.contains(&segment.interval));
            prop_assert!(!segment.is_tombstone() || order.drop);
        }
        // Every row in range is published once, and what is served afterwards inside the typed range is new or was
        // not there.
        let in_range = rows.splits[0].iter().filter(|&&row| chunks.holding(row).is_some()).count() as u64;
        prop_assert_eq!(published.segments.iter().filter_map(|s| s.rows).sum::<u64>(), in_range);
        if order.drop {
            let set = SegmentSet::of("web", &published.segments);
            let new = condense(set.iter().map(|s| s.interval));
            let was = condense(timeline.visible().iter().map(|p| p.interval));
            let left = subtract(chunks.typed(), &new);
            let still_there = subtract(&left, &subtract(&left, &was));
            prop_assert!(still_there.is_empty(), "{:?}", still_there);
        }
    }

    #[test]
    fn appending_adds_partitions_beside_what_is_served_and_hides_nothing(
        timeline in timelines(), order in orders(), rows in rows(),
    ) {
        prop_assume!(order.append);
        let Outcome::Success(published) = happen(&timeline, &order, &rows) else { return Ok(()) };
        let before = timeline.segments();
        let mut after = before.clone();
        for segment in &published.segments {
            after.push(segment);
        }
        let after = Timeline::build(&after).unwrap();
        for piece in timeline.visible() {
            let holder = timeline.holder(piece.holder).unwrap();
            let served = after.visible().within(piece.interval).all(|p| {
                after.holder(p.holder).is_some_and(|h| h.interval == holder.interval && h.version == holder.version)
            });
            prop_assert!(served);
        }
        let task = task(&order);
        let chunks = Chunks::of(&task.batch().unwrap().granularity);
        let in_range = rows.splits[0].iter().filter(|&&row| chunks.holding(row).is_some()).count() as u64;
        prop_assert_eq!(published.segments.iter().filter_map(|s| s.rows).sum::<u64>(), in_range);
    }
}
