//! Mark calls against what real clusters answered and left behind (33.0.0 and 37.0.0), and their laws.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // vectors that cannot be read must fail

use std::collections::BTreeSet;

use druid::endpoint::Marks;
use druid::ingest::mark::{MarkRefused, Meant, known_ids, lost_from_cache, marked_unused, marked_used};
use druid::interval::{Instant, Interval};
use druid::release::Release;
use druid::segment::{Segment, SegmentSet, ShardSpec};
use druid::timeline::Timeline;
use proptest::prelude::*;
use serde_json::{Value, json};

fn recorded() -> Vec<Value> {
    let gz = include_bytes!("vectors/live-marks.jsonl.gz");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(&gz[..])).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn segments(list: &Value) -> Vec<Segment> {
    list.as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect()
}

fn id(segment: &Segment) -> String {
    segment.id().to_string()
}

fn ids(list: &Value) -> BTreeSet<String> {
    list.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// What a call answers and leaves: the status, how many it counts or what it says, and the ids used and unused.
type Left = (u64, String, BTreeSet<String>, BTreeSet<String>);

fn foreseen(
    call: &str,
    marks: Option<&Marks>,
    used: &[Segment],
    unused: &[Segment],
    release: Release,
) -> Left {
    let set = SegmentSet::of("web", used);
    let mut is_used: BTreeSet<String> = used.iter().map(id).collect();
    let mut is_unused: BTreeSet<String> = unused.iter().map(id).collect();
    let Some(marks) = marks else { return (400, Marks::REFUSED.to_owned(), is_used, is_unused) };
    let meant = Meant::by(marks, "web", release);
    let done = |count: usize| format!("{count} changed");
    if call == "markUnused" {
        let taken: BTreeSet<String> =
            marked_unused(&set, &meant).into_iter().map(|row| set.id(row)).collect();
        let again = match marks {
            Marks::Ids(ids) => ids.iter().filter(|id| is_unused.contains(*id)).count(),
            Marks::Inside { .. } => 0,
        };
        // What the cache loses is used still, but nobody lists it.
        let lost: Vec<String> =
            lost_from_cache(&set, &meant, release).into_iter().map(|row| set.id(row)).collect();
        is_used.retain(|id| !taken.contains(id) && !lost.contains(id));
        let count = taken.len() + again;
        is_unused.extend(taken);
        return (200, done(count), is_used, is_unused);
    }
    let timeline = Timeline::build(&set).unwrap();
    let there: Vec<&Segment> = unused.iter().collect();
    let names: Vec<String> = unused.iter().map(id).collect();
    let taken = known_ids(marks, &set, names.iter().map(String::as_str))
        .and_then(|()| marked_used(&timeline, &there, &meant));
    match taken {
        Ok(taken) => {
            for place in &taken {
                is_unused.remove(&names[*place]);
                is_used.insert(names[*place].clone());
            }
            (200, done(taken.len()), is_used, is_unused)
        }
        Err(refused) => {
            let status = if matches!(refused, MarkRefused::Illegal(_)) { 500 } else { 400 };
            (status, refused.message("web"), is_used, is_unused)
        }
    }
}

fn seen(line: &Value) -> Left {
    let answer = &line["answer"];
    let says = match answer {
        Value::String(words) => words.clone(),
        _ if answer["numChangedSegments"].is_u64() => format!("{} changed", answer["numChangedSegments"]),
        _ => {
            let message = ["errorMessage", "message"].iter().find_map(|key| answer[*key].as_str());
            message.unwrap().to_owned()
        }
    };
    (line["status"].as_u64().unwrap(), says, ids(&line["after"]), ids(&line["unused_after"]))
}

/// Of two holders that clash Druid names the one first that it met first.
fn in_either_order(mut left: Left) -> Left {
    if let Some((head, rest)) = left.1.split_once("overlapping segments [")
        && let Some((pair, tail)) = rest.split_once(']')
        && let Some((a, b)) = pair.split_once(" and ")
    {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        left.1 = format!("{head}overlapping segments [{low} and {high}]{tail}");
    }
    left
}

#[test]
fn recorded_mark_calls_come_out_as_they_did() {
    let lines = recorded();
    for line in &lines {
        let (used, unused) = (segments(&line["before"]), segments(&line["unused_before"]));
        let release = Release::parse(line["release"].as_str().unwrap()).unwrap();
        let marks = Marks::read(&line["body"]);
        let call = line["call"].as_str().unwrap();
        let foreseen = foreseen(call, marks.as_ref(), &used, &unused, release);
        assert_eq!(in_either_order(foreseen), in_either_order(seen(line)), "{}", line["name"]);
    }
    assert_eq!(lines.len(), 90);
}

#[test]
fn versions_are_unknown_before_30() {
    let day = Interval::parse("2026-07-16/P1D").unwrap();
    let segment = |version| Segment::new("web", day, version, ShardSpec::Numbered { partition: 0, core: 1 });
    let set = SegmentSet::of("web", &[segment("a"), segment("b")]);
    let marks = Marks::read(&json!({"interval": "2026-07-16/P1D", "versions": ["a"]})).unwrap();
    for (release, taken) in [(29, 2), (30, 1)] {
        let meant = Meant::by(&marks, "web", Release::major(release));
        assert_eq!(marked_unused(&set, &meant).len(), taken, "{release}");
    }
}

fn hours(from: i64, to: i64) -> Interval {
    const HOUR: i64 = 3_600_000;
    const START: i64 = 1_783_900_800_000;
    Interval::new(Instant::from_ms(START + from * HOUR), Instant::from_ms(START + to * HOUR)).unwrap()
}

/// Holders of one or two core partitions, tombstones, or one appended partition; each version in one length of chunk, so
/// that no version overlaps itself. `true`: used.
fn datasources() -> impl Strategy<Value = Vec<(Segment, bool)>> {
    let layer = (prop::sample::select(vec![1i64, 4, 8]), -8i64..16, 1i64..5, 0u8..4);
    (prop::collection::vec(layer, 1..5), any::<u64>()).prop_map(|(layers, coins)| {
        let mut all = Vec::new();
        for (version, (length, from, count, shape)) in layers.into_iter().enumerate() {
            let first = from.div_euclid(length) * length;
            for chunk in 0..count {
                let interval = hours(first + chunk * length, first + (chunk + 1) * length);
                let shards = match shape {
                    0 => vec![ShardSpec::Tombstone],
                    1 => vec![ShardSpec::Numbered { partition: 0, core: 1 }],
                    2 => (0..2).map(|partition| ShardSpec::Numbered { partition, core: 2 }).collect(),
                    _ => vec![ShardSpec::Numbered { partition: 3, core: 0 }],
                };
                let version = format!("2026-01-0{}", version + 1);
                all.extend(shards.into_iter().map(|shard| Segment::new("web", interval, &version, shard)));
            }
        }
        all.into_iter().enumerate().map(|(place, it)| (it, coins >> (place % 64) & 1 == 1)).collect()
    })
}

fn calls() -> impl Strategy<Value = (i64, i64, Option<Vec<usize>>, bool)> {
    (-10i64..20, 1i64..30, prop::option::of(prop::collection::vec(1usize..6, 0..3)), any::<bool>())
}

fn is_overshadowed(timeline: &Timeline, segment: &Segment) -> bool {
    timeline.is_overshadowed(timeline.find(segment.interval, &segment.version).unwrap())
}

proptest! {
    #[test]
    fn marking_used_takes_what_a_timeline_of_all_that_is_meant_does_not_overshadow(
        all in datasources(), (from, length, versions, by_ids) in calls(),
    ) {
        let within = hours(from, from + length);
        let versions = versions.map(|list| list.iter().map(|n| format!("2026-01-0{n}")).collect::<Vec<_>>());
        let used: Vec<Segment> = all.iter().filter(|(_, used)| *used).map(|(segment, _)| segment.clone()).collect();
        let unused: Vec<&Segment> = all.iter().filter(|(_, used)| !used).map(|(segment, _)| segment).collect();
        let of_version = |segment: &Segment| versions.as_ref().is_none_or(|named| named.iter().any(|v| **v == *segment.version));
        let wanted = |segment: &&Segment| within.contains(segment.interval) && of_version(segment);
        let meant: Vec<&Segment> = unused.iter().copied().filter(|it| wanted(it)).collect();
        let marks = if by_ids {
            Marks::Ids(meant.iter().map(|it| id(it)).collect())
        } else {
            Marks::Inside { interval: within, versions: versions.clone() }
        };
        let timeline = Timeline::build(&SegmentSet::of("web", &used)).unwrap();
        let taken = marked_used(&timeline, &unused, &Meant::by(&marks, "web", Release::major(33))).unwrap();
        // Brute force: the timeline that the server builds, from all it reads.
        let read = used.iter().filter(|it| by_ids || (it.interval.overlaps(within) && of_version(it)));
        let looked_at = Timeline::build(&SegmentSet::of("web", read.chain(meant.iter().copied()))).unwrap();
        let expected: Vec<String> = meant.iter().filter(|it| !is_overshadowed(&looked_at, it)).map(|it| id(it)).collect();
        let taken: Vec<String> = taken.into_iter().map(|place| id(unused[place])).collect();
        prop_assert_eq!(taken, expected);
    }

    #[test]
    fn marking_all_of_time_unused_and_used_again_serves_the_same(all in datasources()) {
        let all: Vec<Segment> = all.into_iter().map(|(segment, _)| segment).collect();
        let before = Timeline::build(&SegmentSet::of("web", &all)).unwrap();
        let marks = Marks::Inside { interval: Interval::ETERNITY, versions: None };
        let meant = Meant::by(&marks, "web", Release::major(33));
        prop_assert_eq!(marked_unused(before.segments(), &meant).len(), all.len());
        let nothing = Timeline::build(&SegmentSet::new("web")).unwrap();
        let unused: Vec<&Segment> = all.iter().collect();
        let back: Vec<&Segment> =
            marked_used(&nothing, &unused, &meant).unwrap().into_iter().map(|place| unused[place]).collect();
        let after = Timeline::build(&SegmentSet::of("web", back)).unwrap();
        let served = |timeline: &Timeline| -> Vec<(Interval, String)> {
            let pieces = timeline.visible().iter();
            pieces.map(|piece| (piece.interval, timeline.holder(piece.holder).unwrap().version.to_owned())).collect()
        };
        prop_assert_eq!(served(&after), served(&before));
    }
}
