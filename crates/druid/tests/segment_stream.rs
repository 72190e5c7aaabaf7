//! Segments from a JSON stream: the same set whatever the slices, and plain words when it is something else.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use druid::segment::stream::{Reader, StreamError};
use druid::segment::{Segment, SegmentSet};
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(datasource: Option<&str>, text: &[u8], step: usize) -> Result<SegmentSet, StreamError> {
    let mut reader = Reader::new(datasource);
    for slice in text.chunks(step) {
        reader.push(slice)?;
    }
    reader.finish()
}

fn odd_shapes() -> Vec<Value> {
    let vectors: Value = serde_json::from_str(include_str!("vectors/segments-odd-shapes.json")).unwrap();
    let mut segments = vectors["segments"].as_array().unwrap().clone();
    for segment in &mut segments {
        segment["dataSource"] = json!("a \"quoted\" ünï [name]");
    }
    segments
}

#[test]
fn segments_of_every_shape_are_read_as_one_by_one() {
    let raw = odd_shapes();
    let expected: Vec<Segment> = raw.iter().map(|raw| Segment::from_json(raw).unwrap()).collect();
    let expected = SegmentSet::of("a \"quoted\" ünï [name]", &expected);
    let array = serde_json::to_vec(&raw).unwrap();
    let pretty = serde_json::to_vec_pretty(&raw).unwrap();
    let lines = raw.iter().map(|raw| raw.to_string() + "\n").collect::<String>();
    for step in [1, 7, 100, usize::MAX] {
        assert_eq!(read(None, &array, step).unwrap(), expected);
        assert_eq!(read(None, &pretty, step).unwrap(), expected);
        assert_eq!(read(Some("a \"quoted\" ünï [name]"), lines.as_bytes(), step).unwrap(), expected);
    }
}

#[test]
fn what_live_clusters_answered_is_read_as_one_by_one() {
    let file: &[u8] = include_bytes!("vectors/live-33.jsonl.gz");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(file)).unwrap();
    for line in text.lines().take(150) {
        let line: Value = serde_json::from_str(line).unwrap();
        let segments: Vec<Segment> =
            line["after"].as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect();
        let name = segments.first().map_or("x".to_owned(), |segment| segment.datasource.to_string());
        let body = serde_json::to_vec(&line["after"]).unwrap();
        assert_eq!(read(Some(&name), &body, 1_000).unwrap(), SegmentSet::of(&name, &segments));
    }
}

#[test]
fn compact_lines_are_read() {
    let text = b"[1767225600000,1767229200000,\"v1\",0,2]\n[ 1767225600000, 1767229200000, \"v1\", 1, 2 ]\n";
    for step in [1, 5, usize::MAX] {
        let set = read(None, text, step).unwrap();
        assert_eq!((set.len(), set.version(1), set.get(1).unwrap().partition), (2, "v1", 1));
    }
}

#[test]
fn no_segments_are_an_empty_set() {
    assert_eq!(read(Some("x"), b"[]", 1).unwrap().len(), 0);
    assert_eq!(read(Some("x"), b" [ ]\n", 1).unwrap().len(), 0);
}

#[test]
fn an_error_page_is_told_by_its_first_words() {
    let page = read(Some("x"), b"<html><body>502 Bad Gateway</body></html>", 10);
    assert!(matches!(page, Err(StreamError::NotSegments { begins }) if begins.starts_with("<html>")));
}

#[test]
fn a_stream_that_was_cut_says_how_far_it_came() {
    let array = serde_json::to_vec(&odd_shapes()).unwrap();
    for cut in 0..array.len() {
        let read = read(None, &array[..cut], 50);
        assert!(matches!(read, Err(StreamError::Cut { .. })), "cut at {cut}: {read:?}");
    }
}

#[test]
fn segments_of_another_datasource_are_refused_by_name() {
    let line = |name: &str| json!({"dataSource": name, "interval": "2026/2027", "version": "v"}).to_string();
    let error = read(None, format!("{}\n{}", line("a"), line("b")).as_bytes(), 9).unwrap_err();
    assert_eq!(error, StreamError::OtherDatasource { expected: "a".into(), found: "b".into() });
}

#[test]
fn a_segment_after_compact_lines_is_refused_and_does_not_take_their_place() {
    let text = "[1767225600000,1767229200000,\"v1\",0,2]\n{\"dataSource\":\"a\",\"interval\":\"2026/2027\",\"version\":\"v\"}";
    let error = read(None, text.as_bytes(), 9).unwrap_err();
    assert_eq!(error, StreamError::OtherDatasource { expected: String::new(), found: "a".into() });
}

#[test]
fn a_list_with_a_comma_too_many_or_too_few_is_none() {
    let one = r#"{"dataSource":"a","interval":"2026/2027","version":"v"}"#;
    for text in [format!("[{one},]"), format!("[,{one}]"), format!("[{one}{one}]"), format!("[{one},,{one}]")]
    {
        for step in [1, usize::MAX] {
            assert!(read(None, text.as_bytes(), step).is_err(), "{text}");
        }
    }
}

#[test]
fn an_interval_of_no_text_is_none_even_for_the_first_segment() {
    let shard = json!({"type": "numbered", "partitionNum": 0, "partitions": 1});
    let raw = json!([{"dataSource": "a", "interval": "", "version": "v", "shardSpec": shard}]);
    let error = read(None, raw.to_string().as_bytes(), usize::MAX).unwrap_err();
    assert!(matches!(error, StreamError::Segment { number: 1, .. }), "{error:?}");
}

#[test]
fn an_element_that_is_no_segment_is_told_by_its_number() {
    let text = r#"[{"dataSource":"x","interval":"2026/2027","version":"v"},{"dataSource":"x","interval":"2026/2025","version":"v"}]"#;
    let error = read(Some("x"), text.as_bytes(), 9).unwrap_err();
    assert!(matches!(&error, StreamError::Segment { number: 2, .. }), "{error:?}");
    assert!(error.to_string().contains("2026/2025"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_an_error_and_never_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), step in 1usize..50) {
        prop_assert!(read(Some("x"), &bytes, step).is_err());
    }

    #[test]
    fn brackets_and_quotes_in_any_order_are_never_a_panic(text in "[\\[\\]{}\",\\\\ a1]{0,60}", step in 1usize..9) {
        let _ = read(Some("x"), text.as_bytes(), step);
    }
}
