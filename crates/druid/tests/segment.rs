//! Segments as Druid prints and describes them: ids of `SegmentIdTest`, metadata rows of every odd shape.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot read its vectors must fail"
)]

use druid::segment::{ChunkKind, Segment, SegmentId, SegmentSet, ShardSpec, compare_versions};
use serde_json::{Value, json};

fn vectors(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn described(id: &SegmentId) -> Value {
    json!({"interval": id.interval.to_string(), "version": *id.version, "partition": id.partition})
}

#[test]
fn an_id_is_read_as_druid_reads_it_when_the_datasource_is_known() {
    let vectors = vectors(include_str!("vectors/segment-id-parse.json"));
    for case in vectors["parse"].as_array().unwrap() {
        let read = SegmentId::parse(case["datasource"].as_str().unwrap(), case["id"].as_str().unwrap());
        assert_eq!(read.as_ref().map_or(Value::Null, described), case["expect"], "{case}");
    }
}

#[test]
fn an_id_of_an_unknown_datasource_has_all_its_readings() {
    let vectors = vectors(include_str!("vectors/segment-id-parse.json"));
    for case in vectors["ambiguous"].as_array().unwrap() {
        let readings: Vec<Value> = SegmentId::all_readings(case["id"].as_str().unwrap())
            .iter()
            .map(|id| {
                let mut reading = json!({"datasource": *id.datasource});
                reading.as_object_mut().unwrap().extend(described(id).as_object().unwrap().clone());
                reading
            })
            .collect();
        assert_eq!(Value::Array(readings), case["all"]);
    }
}

#[test]
fn an_id_that_was_read_prints_as_it_was() {
    let vectors = vectors(include_str!("vectors/segment-id-parse.json"));
    for case in vectors["parse"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        if let Some(read) = SegmentId::parse(case["datasource"].as_str().unwrap(), id) {
            assert_eq!(read.to_string(), id);
        }
    }
}

/// Every value of `raw`, as Druid would print it again: intervals in UTC, nulls filled in.
#[test]
fn a_segment_of_any_shape_keeps_every_value_it_came_with() {
    let vectors = vectors(include_str!("vectors/segments-odd-shapes.json"));
    for raw in vectors["segments"].as_array().unwrap() {
        let segment = Segment::from_json(raw).unwrap_or_else(|e| panic!("{e}: {raw}"));
        let printed = segment.to_json();
        for (key, value) in raw.as_object().unwrap() {
            match key.as_str() {
                // The id follows from the fields; the docs' sample disagrees with itself.
                "identifier" => {}
                "interval" => assert_eq!(
                    druid::interval::Interval::parse(value.as_str().unwrap()).unwrap().to_string(),
                    printed[key]
                ),
                _ => assert_eq!(&printed[key], value, "{key} of {raw}"),
            }
        }
        assert_eq!(Segment::from_json(&printed).unwrap(), segment, "reading what was printed: {printed}");
    }
}

#[test]
fn recorded_segments_of_live_clusters_come_out_as_they_went_in() {
    let mut seen = 0;
    for line in live() {
        for raw in line["before"].as_array().unwrap().iter().chain(line["after"].as_array().unwrap()) {
            let segment = Segment::from_json(raw).unwrap();
            assert_eq!(&segment.to_json(), raw);
            assert_eq!(segment.id().to_string(), raw["identifier"].as_str().unwrap());
            seen += 1;
        }
    }
    assert!(seen > 5_000, "only {seen} recorded segments");
}

fn live() -> impl Iterator<Item = Value> {
    let files: [&[u8]; 2] =
        [include_bytes!("vectors/live-33.jsonl.gz"), include_bytes!("vectors/live-37.jsonl.gz")];
    files.into_iter().flat_map(|file| {
        let text = std::io::read_to_string(flate2::read::GzDecoder::new(file)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    })
}

#[test]
fn a_shard_spec_says_its_partition_and_core_count_under_either_name() {
    let spec = |raw: Value| {
        let spec = ShardSpec::from_json(&raw);
        (spec.kind(), spec.partition(), spec.core())
    };
    assert_eq!(spec(Value::Null), (ChunkKind::Numbered, 0, Some(1)));
    assert_eq!(
        spec(json!({"type": "range", "dimensions": ["a"], "partitionNum": 2, "numCorePartitions": 5})),
        (ChunkKind::Range, 2, Some(5))
    );
    assert_eq!(
        spec(json!({"type": "single", "dimension": "a", "partitionNum": 2, "numCorePartitions": -1})),
        (ChunkKind::Single, 2, None)
    );
    // Before 29 tombstones were written with one core partition; the class answers 0.
    assert_eq!(
        spec(json!({"type": "tombstone", "partitionNum": 0, "partitions": 1})),
        (ChunkKind::Tombstone, 0, Some(0))
    );
    assert_eq!(
        spec(json!({"type": "of_tomorrow", "partitionNum": 7, "partitions": 9})),
        (ChunkKind::Unknown, 7, Some(9))
    );
}

#[test]
fn a_shard_spec_of_the_wrong_shape_is_kept_as_it_came() {
    for raw in [json!({"type": "numbered", "partitionNum": "one"}), json!("numbered"), json!({"no": "type"})]
    {
        assert_eq!(ShardSpec::from_json(&raw), ShardSpec::Unknown(raw.clone()));
        assert_eq!(ShardSpec::from_json(&raw).to_json(), raw);
    }
}

#[test]
fn versions_compare_by_utf_16_code_units() {
    assert!(compare_versions("1970-01-01T00:00:00.000ZS", "1970-01-01T00:00:00.000Z").is_gt());
    assert!(compare_versions("10", "9").is_lt());
    // U+FF01 is one unit 0xFF01; U+1F600 begins with the unit 0xD83D, though its code point is higher.
    assert!(compare_versions("\u{ff01}", "\u{1f600}").is_gt());
    assert!("\u{ff01}" < "\u{1f600}");
}

#[test]
fn a_set_gives_back_what_was_put_in() {
    let vectors = vectors(include_str!("vectors/segments-odd-shapes.json"));
    let segments: Vec<Segment> =
        vectors["segments"].as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect();
    let set = SegmentSet::of("x", &segments);
    assert_eq!(set.len(), segments.len());
    for (held, segment) in set.iter().zip(&segments) {
        assert_eq!(
            (held.interval, held.version, held.partition, held.core, held.kind),
            (
                segment.interval,
                &*segment.version,
                segment.shard.partition(),
                segment.shard.core(),
                segment.shard.kind()
            )
        );
        assert_eq!((held.size, held.rows), (segment.size, segment.rows));
        assert_eq!((held.dimensions, held.metrics), (&*segment.dimensions, &*segment.metrics));
    }
    assert_eq!(set.id(3), "x_2026-07-16T00:00:00.000Z_2026-07-17T00:00:00.000Z_1970-01-01T00:00:00.000Z_7");
}

#[test]
fn a_value_that_is_no_segment_says_what_is_missing() {
    let error = |raw: Value| Segment::from_json(&raw).unwrap_err().to_string();
    assert!(error(json!([])).contains("JSON object"));
    assert!(error(json!({"dataSource": "a"})).contains("interval"));
    assert!(error(json!({"dataSource": "a", "interval": "2026"})).contains("2026"));
    let whole = json!({"dataSource": "a", "interval": "2026/2027", "version": "v", "size": -1});
    assert!(error(whole).contains("size"));
}
