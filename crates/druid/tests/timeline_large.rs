//! What small timelines cannot show: thousands of holders, over which indexes have several levels; instants beyond the
//! years ±9999 beside hours of 2026; core counts that differ within one holder. Expected is what the rules say, asked of
//! every holder for every hour.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;

use druid::interval::{Instant, Interval};
use druid::segment::{ChunkKind, SegmentRef, SegmentSet};
use druid::timeline::{HolderId, Timeline};

const HOUR: i64 = 3_600_000;
/// 2026-01-01.
const START: i64 = 1_767_225_600_000;

/// Steps of a fixed generator: any spread of values will do.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn push(set: &mut SegmentSet, interval: Interval, version: &str, partition: u32, core: u32) {
    set.push_parts(&SegmentRef {
        datasource: "x",
        interval,
        version,
        partition,
        core: Some(core),
        kind: ChunkKind::Numbered,
        rows: Some(1),
        size: 1,
        dimensions: "",
        metrics: "",
    });
}

fn ms(start: i64, end: i64) -> Interval {
    Interval::new(Instant::from_ms(start), Instant::from_ms(end)).unwrap()
}

/// Hours, days and weeks of so many weeks, in three generations each, every fourth of them incomplete; with `far`,
/// something older under all of time, and something that ends where the calendar does not reach.
fn history(weeks: i64, far: bool, draws: &mut Draws) -> SegmentSet {
    let mut set = SegmentSet::new("x");
    for hours in [1, 24, 168] {
        for slot in 0..weeks * 168 / hours {
            for generation in 0..3 {
                // Long ones are rarer, else nothing else is ever seen.
                if draws.below(if hours == 1 { 2 } else { 8 }) > 0 {
                    continue;
                }
                let start = START + slot * hours * HOUR;
                let version = format!("{}-{hours}-{generation}", draws.below(9));
                let core = if draws.below(4) == 0 { 2 } else { 1 };
                push(&mut set, ms(start, start + hours * HOUR), &version, 0, core);
            }
        }
    }
    if far {
        push(&mut set, Interval::ETERNITY, "0", 0, 1);
        push(&mut set, Interval::ETERNITY, "1", 0, 2);
        push(&mut set, ms(START + 50 * HOUR, i64::MAX / 2), "2", 1, 0);
        push(&mut set, ms(START + 50 * HOUR, i64::MAX / 2), "2", 3, 0);
    }
    set
}

/// A holder as the rules see it.
struct Ruled<'a> {
    id: HolderId,
    interval: Interval,
    version: &'a str,
    complete: bool,
}

/// Of those that hold an hour, the one of the highest version.
fn winner<'a>(holders: &[&'a Ruled<'a>], only_complete: bool) -> Option<&'a Ruled<'a>> {
    holders.iter().copied().filter(|h| h.complete || !only_complete).max_by_key(|holder| holder.version)
}

#[test]
fn a_large_timeline_serves_at_every_hour_who_the_rules_say() {
    let mut draws = Draws(11);
    for (weeks, far) in [(1, false), (2, true), (12, false), (12, true), (30, true)] {
        let set = history(weeks, far, &mut draws);
        let timeline = Timeline::build(&set).unwrap();
        let holders: Vec<Ruled<'_>> = timeline
            .holders()
            .map(|holder| Ruled {
                id: holder.id,
                interval: holder.interval,
                version: holder.version,
                complete: holder.partitions().next() == Some(1) || holder.highest().unwrap().1 == Some(1),
            })
            .collect();
        assert!(
            holders.iter().zip(timeline.holders()).all(|(ruled, holder)| ruled.complete == holder.complete)
        );
        // One hour before the first and one after the last, too: eternity goes on there.
        let slices: Vec<(i64, Vec<&Ruled<'_>>)> = (-1..=weeks * 168)
            .map(|hour| START + hour * HOUR)
            .map(|at| {
                (at, holders.iter().filter(|h| h.interval.contains_instant(Instant::from_ms(at))).collect())
            })
            .collect();
        for only_complete in [true, false] {
            let pieces = if only_complete { timeline.visible() } else { timeline.visible_incomplete() };
            let mut runs = BTreeSet::new();
            for (at, there) in &slices {
                let piece = pieces.at(Instant::from_ms(*at));
                let ruled = winner(there, only_complete).map(|holder| holder.id);
                assert_eq!(piece.map(|piece| piece.holder), ruled, "{weeks} weeks, far: {far}, at {at}");
                runs.extend(piece.map(|piece| piece.interval.start));
            }
            assert_eq!(pieces.len(), runs.len());
            assert_eq!(pieces.iter().count(), runs.len());
        }
        for holder in &holders {
            let mut inside =
                slices.iter().filter(|(at, _)| holder.interval.contains_instant(Instant::from_ms(*at)));
            let covered =
                inside.all(|(_, there)| winner(there, true).unwrap_or(holder).version > holder.version);
            assert_eq!(
                timeline.is_overshadowed(holder.id),
                covered,
                "{} {}",
                holder.interval,
                holder.version
            );
        }
    }
}

#[test]
fn who_overlaps_an_interval_is_found_among_thousands() {
    let mut draws = Draws(5);
    for (weeks, far) in [(3, false), (30, true)] {
        let timeline = Timeline::build(&history(weeks, far, &mut draws)).unwrap();
        let all: Vec<(HolderId, Interval)> =
            timeline.holders().map(|holder| (holder.id, holder.interval)).collect();
        for _ in 0..400 {
            let start =
                START + (draws.below(weeks as u64 * 168 + 20) as i64 - 10) * HOUR + draws.below(3) as i64 - 1;
            let asked = ms(start, start + draws.below(60) as i64 * HOUR + draws.below(3) as i64);
            let overlaps = |(_, interval): &&(HolderId, Interval)| {
                !asked.is_empty() && interval.start < asked.end && asked.start < interval.end
            };
            let expected: Vec<HolderId> = all.iter().filter(overlaps).map(|(id, _)| *id).collect();
            assert_eq!(timeline.overlapping(asked), expected, "{asked}");
        }
    }
}

#[test]
fn the_same_partition_twice_is_one_and_a_different_one_is_refused() {
    let day = ms(START, START + 24 * HOUR);
    for (came, core, there) in [(&[2, 0, 1, 2, 0][..], 3, &[0, 1, 2][..]), (&[0, 0], 1, &[0])] {
        for far in [false, true] {
            let mut set = SegmentSet::new("x");
            for partition in came {
                push(&mut set, day, "1", *partition, core);
            }
            if far {
                push(&mut set, Interval::ETERNITY, "0", 0, 1);
            }
            let timeline = Timeline::build(&set).unwrap();
            let holder = timeline.holder(timeline.find(day, "1").unwrap()).unwrap();
            assert_eq!(holder.partitions().collect::<Vec<_>>(), there);
            assert_eq!((holder.len(), holder.is_empty(), holder.complete), (there.len(), false, true));
            assert_eq!(holder.highest(), Some((core - 1, Some(core))));
            assert_eq!((holder.rows(), holder.size()), (Some(core.into()), core.into()));
            push(&mut set, day, "1", 0, core + 1);
            let refused = Timeline::build(&set).unwrap_err();
            assert_eq!(refused.reason, "existingChunk is different from newChunk for partitionId[0]");
            assert_eq!(refused.segments.len(), 2);
        }
    }
}

/// Printed by `PartitionHolder.isComplete` of Druid 33.0.0 over `NumberedPartitionChunk.make(partition, core, …)`.
#[test]
fn core_counts_that_differ_within_a_holder_are_walked_as_druid_does() {
    let printed = [
        ("0/3 2/2 3/4", true),
        ("0/3 1/1 2/3", true),
        ("0/3 1/2", true),
        ("0/5 3/3 4/5", true),
        ("0/5 3/3 5/5", false),
        ("0/2 2/3", false),
        ("0/2 2/2 5/6", false),
        ("0/2 3/0", true),
        ("1/2 3/0", false),
        ("1/0 2/2", true),
    ];
    for (chunks, complete) in printed {
        let mut set = SegmentSet::new("x");
        for chunk in chunks.split(' ') {
            let (partition, core) = chunk.split_once('/').unwrap();
            push(&mut set, ms(START, START + HOUR), "1", partition.parse().unwrap(), core.parse().unwrap());
        }
        let timeline = Timeline::build(&set).unwrap();
        assert_eq!(timeline.holders().next().unwrap().complete, complete, "{chunks}");
    }
}
