//! The timeline against Druid: vectors computed by its own class, facts of its own tests, and what live clusters
//! of two releases served after every recorded run.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot read its vectors must fail"
)]

use druid::interval::Interval;
use druid::segment::{ChunkKind, Row, Segment, SegmentRef, SegmentSet, ShardSpec};
use druid::timeline::{Pieces, Timeline};
use serde_json::{Value, json};

fn lines(gz: &[u8]) -> Vec<Value> {
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(gz)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn interval(raw: &Value) -> Interval {
    Interval::parse(raw.as_str().unwrap()).unwrap()
}

fn rows(mut rows: Vec<Row>) -> Value {
    rows.sort_unstable();
    json!(rows)
}

fn pieces(timeline: &Timeline, pieces: Pieces<'_>) -> Value {
    let piece = |piece: druid::timeline::Piece| {
        let holder = timeline.holder(piece.holder).unwrap();
        json!({
            "interval": piece.interval.to_string(),
            "trueInterval": holder.interval.to_string(),
            "version": holder.version,
            "segments": rows(holder.segments.to_vec()),
        })
    };
    pieces.iter().map(piece).collect()
}

fn sorted_segments(expected: &Value) -> Value {
    let mut expected = expected.clone();
    for piece in expected.as_array_mut().unwrap() {
        piece["segments"].as_array_mut().unwrap().sort_by_key(|row| row.as_u64());
    }
    expected
}

#[test]
fn every_vector_of_druids_own_class_comes_out_the_same() {
    let (mut legal, mut illegal) = (0, 0);
    for case in lines(include_bytes!("vectors/timeline-vectors.jsonl.gz")) {
        let segments: Vec<Segment> = case["segments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|raw| {
                let shard = ShardSpec::from_json(&raw["shardSpec"]);
                Segment::new("x", interval(&raw["interval"]), raw["version"].as_str().unwrap(), shard)
            })
            .collect();
        let name = &case["case"];
        match Timeline::build(&SegmentSet::of("x", &segments)) {
            Ok(timeline) => {
                assert!(case["error"].is_null(), "case {name} should be refused");
                assert_eq!(
                    pieces(&timeline, timeline.visible()),
                    sorted_segments(&case["complete"]),
                    "case {name}"
                );
                assert_eq!(
                    pieces(&timeline, timeline.visible_incomplete()),
                    sorted_segments(&case["incompleteOk"]),
                    "case {name}, incomplete ones allowed"
                );
                assert_eq!(rows(timeline.overshadowed().collect()), case["isOvershadowed"], "case {name}");
                let fully = timeline
                    .fully_overshadowed()
                    .flat_map(|holder| timeline.holder(holder).unwrap().segments.to_vec())
                    .collect();
                assert_eq!(rows(fully), case["findFullyOvershadowed"], "case {name}");
                legal += 1;
            }
            Err(refused) => {
                assert_eq!(case["error"], "UOE", "case {name}: {refused}");
                assert!(refused.reason.starts_with("Cannot add overlapping segments ["), "{refused}");
                illegal += 1;
            }
        }
    }
    assert_eq!((legal, illegal), (659, 41));
}

/// The minor-version cases need segment locking's rules and are left to a later release of this module.
const SEGMENT_LOCKING: [&str; 4] = [
    "overwriteByMinorVersion",
    "overwriteByMinorVersionChain",
    "minorVersionThenMajorVersion",
    "majorVersionThenMinorVersion",
];

/// A set in the making: what the facts' steps add and remove, with the value each segment stands for.
#[derive(Default)]
struct Steps {
    added: Vec<(Interval, String, Value)>,
}

impl Steps {
    fn timeline(&self) -> (Timeline, Vec<&Value>) {
        let mut set = SegmentSet::new("x");
        for (interval, version, chunk) in &self.added {
            let partition = chunk["partition"].as_u64().unwrap() as u32;
            if chunk["kind"] == "range_chunk" {
                let end = |raw: &Value| (!raw.is_null()).then(|| raw.to_string().as_str().into());
                let shard = ShardSpec::Single {
                    partition,
                    core: None,
                    dimension: "d".into(),
                    start: end(&chunk["start"]),
                    end: end(&chunk["end"]),
                };
                set.push(&Segment::new("x", *interval, version, shard));
                continue;
            }
            set.push_parts(&SegmentRef {
                datasource: "x",
                interval: *interval,
                version,
                partition,
                core: chunk["core"].as_u64().map(|core| core as u32),
                kind: if chunk["kind"] == "single" { ChunkKind::None } else { ChunkKind::Numbered },
                rows: None,
                size: 0,
                dimensions: "",
                metrics: "",
            });
        }
        let timeline = Timeline::build(&set).unwrap();
        (timeline, self.added.iter().map(|(_, _, chunk)| &chunk["value"]).collect())
    }
}

#[test]
fn the_facts_of_druids_own_timeline_tests_hold() {
    let facts: Value = serde_json::from_str(include_str!("vectors/timeline-overshadow-facts.json")).unwrap();
    let mut questions = 0;
    for case in facts["cases"].as_array().unwrap() {
        if SEGMENT_LOCKING.contains(&case["name"].as_str().unwrap()) {
            continue;
        }
        let mut steps = Steps::default();
        for step in case["steps"].as_array().unwrap() {
            let version = step["version"].as_str().unwrap_or_default().to_owned();
            let values = |timeline: &Timeline, values: &[&Value], id| {
                let holder = timeline.holder(id).unwrap();
                let values: Vec<&Value> = holder.segments.iter().map(|row| values[*row as usize]).collect();
                (holder.interval, holder.version.to_owned(), json!(values))
            };
            let expected = || {
                step["expect"].as_array().unwrap().iter().map(|raw| {
                    (
                        interval(&raw["interval"]),
                        raw["version"].as_str().unwrap().to_owned(),
                        raw["values"].clone(),
                    )
                })
            };
            match step["op"].as_str().unwrap() {
                "add" => steps.added.push((interval(&step["interval"]), version, step["chunk"].clone())),
                "remove" => {
                    let gone = (interval(&step["interval"]), version, &step["chunk"]["value"]);
                    steps.added.retain(|(interval, version, chunk)| {
                        (*interval, version, &chunk["value"]) != (gone.0, &gone.1, gone.2)
                    });
                }
                "lookup" => {
                    let (timeline, names) = steps.timeline();
                    let found: Vec<_> = timeline
                        .lookup(interval(&step["interval"]))
                        .iter()
                        .map(|piece| {
                            let (_, version, values) = values(&timeline, &names, piece.holder);
                            (piece.interval, version, values)
                        })
                        .collect();
                    assert_eq!(found, expected().collect::<Vec<_>>(), "{}", case["name"]);
                    questions += 1;
                }
                "fully_overshadowed" => {
                    let (timeline, names) = steps.timeline();
                    let mut found: Vec<_> =
                        timeline.fully_overshadowed().map(|id| values(&timeline, &names, id)).collect();
                    let mut expected: Vec<_> = expected().collect();
                    found.sort_by_key(|(interval, version, _)| (*interval, version.clone()));
                    expected.sort_by_key(|(interval, version, _)| (*interval, version.clone()));
                    assert_eq!(found, expected, "{}", case["name"]);
                    questions += 1;
                }
                "is_overshadowed" => {
                    let (timeline, _) = steps.timeline();
                    let asked = interval(&step["interval"]);
                    assert_eq!(
                        timeline.would_be_overshadowed(asked, &version),
                        step["expect"],
                        "{} {step}",
                        case["name"]
                    );
                    questions += 1;
                }
                other => panic!("unknown step {other}"),
            }
        }
    }
    assert_eq!(questions, 162);
}

#[test]
fn what_live_clusters_served_after_every_recorded_run_is_what_the_timeline_says() {
    let recorded = [
        lines(include_bytes!("vectors/live-33.jsonl.gz")),
        lines(include_bytes!("vectors/live-37.jsonl.gz")),
    ];
    assert_eq!(recorded.each_ref().map(Vec::len), [699, 362]);
    for line in recorded.into_iter().flatten() {
        for (segments, visible) in [("before", "visible_before"), ("after", "visible_after")] {
            let segments: Vec<Segment> = line[segments]
                .as_array()
                .unwrap()
                .iter()
                .map(|raw| Segment::from_json(raw).unwrap())
                .collect();
            let set = SegmentSet::of("x", &segments);
            let timeline = Timeline::build(&set).unwrap_or_else(|e| panic!("{}: {e}", line["name"]));
            let served: Value = timeline
                .visible()
                .iter()
                .map(|piece| {
                    let holder = timeline.holder(piece.holder).unwrap();
                    json!({
                        "interval": piece.interval.to_string(),
                        "true_interval": holder.interval.to_string(),
                        "version": holder.version,
                        "partitions": holder.partitions().collect::<Vec<_>>(),
                        "tombstone": holder.tombstone,
                    })
                })
                .collect();
            assert_eq!(served, line[visible], "{} {visible}", line["name"]);
            if visible == "visible_after" {
                let mut ids: Vec<String> =
                    timeline.overshadowed().map(|row| segments[row as usize].id().to_string()).collect();
                ids.sort();
                let mut expected: Vec<String> =
                    serde_json::from_value(line["overshadowed_after"].clone()).unwrap();
                expected.sort();
                assert_eq!(ids, expected, "{}", line["name"]);
            }
        }
    }
}
