//! The compact form: what goes in comes out, in slices of any size, and bytes that lie are an error value.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use druid::columns::{DecodeError, Decoder, Encoder, encode, fingerprints};
use druid::interval::{Instant, Interval};
use druid::segment::{ChunkKind, Segment, SegmentRef, SegmentSet, ShardSpec};
use proptest::collection::vec;
use proptest::prelude::*;

fn decode(bytes: &[u8]) -> Result<SegmentSet, DecodeError> {
    let mut decoder = Decoder::new();
    decoder.push(bytes)?;
    decoder.finish()
}

fn instant() -> impl Strategy<Value = i64> {
    prop_oneof![
        8 => (0i64..2_000).prop_map(|hour| 1_767_225_600_000 + hour * 3_600_000),
        1 => any::<i64>().prop_map(|ms| ms / 2),
        1 => Just(Instant::MIN.ms()),
        1 => Just(Instant::MAX.ms()),
    ]
}

prop_compose! {
    fn segment()(
        a in instant(),
        b in instant(),
        version in prop_oneof![Just("2026-07-16T00:00:00.000Z".to_owned()), Just("2026-07-16T01:00:00.000ZS".into()), ".{0,6}"],
        shape in 0u8..7,
        (partition, core) in (0u32..5, 0u32..5),
        rows in prop::option::of(0u64..5_000_000),
        size in prop_oneof![Just(1u64), 0u64..1 << 40, any::<u64>()],
        columns in prop_oneof![Just("a,b"), Just(""), Just("ünï ?#%")],
        ends in (prop::option::of("[a-c]?"), prop::option::of("[a-c]?")),
    ) -> Segment {
        let interval = Interval::new(Instant::from_ms(a.min(b)), Instant::from_ms(a.max(b))).unwrap();
        let shard = match shape {
            0 => ShardSpec::Tombstone,
            1 => ShardSpec::Linear { partition },
            2 => ShardSpec::None,
            3 => ShardSpec::Single {
                partition,
                core: None,
                dimension: "d".into(),
                start: ends.0.as_deref().map(Into::into),
                end: ends.1.as_deref().map(Into::into),
            },
            _ => ShardSpec::Numbered { partition, core },
        };
        Segment { rows, size, dimensions: columns.into(), ..Segment::new("events_web", interval, &version, shard) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_in_comes_out_in_slices_of_any_size(
        segments in vec(segment(), 0..60),
        cuts in vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let set = SegmentSet::of("events_web", &segments);
        let bytes = encode(&set);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut decoder = Decoder::new();
        for pair in cuts.windows(2) {
            decoder.push(&bytes[pair[0]..pair[1]]).unwrap();
        }
        prop_assert_eq!(decoder.finish().unwrap(), set);
    }

    #[test]
    fn a_stream_that_was_cut_says_so(segments in vec(segment(), 0..40), cut in any::<prop::sample::Index>()) {
        let bytes = encode(&SegmentSet::of("events_web", &segments));
        let cut = cut.index(bytes.len());
        let is_cut = matches!(decode(&bytes[..cut]), Err(DecodeError::Cut { .. }));
        prop_assert!(is_cut);
    }

    #[test]
    fn bytes_that_lie_are_an_error_or_another_set_and_never_a_panic(
        segments in vec(segment(), 1..40),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = encode(&SegmentSet::of("events_web", &segments));
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(set) = decode(&bytes) {
            // What was taken can be looked at.
            prop_assert!(set.iter().all(|segment| segment.interval.start <= segment.interval.end));
        }
    }

    #[test]
    fn noise_is_an_error(bytes in vec(any::<u8>(), 0..400)) {
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn fingerprints_do_not_depend_on_the_order_of_segments(segments in vec(segment(), 0..40)) {
        let reversed: Vec<Segment> = segments.iter().rev().cloned().collect();
        prop_assert_eq!(
            fingerprints(&SegmentSet::of("x", &segments)),
            fingerprints(&SegmentSet::of("x", &reversed))
        );
    }
}

fn hours(count: i64) -> SegmentSet {
    let mut set = SegmentSet::new("events_web");
    for hour in 0..count {
        let start = Instant::from_ms(1_767_225_600_000 + hour * 3_600_000);
        set.push_parts(&SegmentRef {
            datasource: "events_web",
            interval: Interval::new(start, Instant::from_ms(start.ms() + 3_600_000)).unwrap(),
            version: &Instant::from_ms(start.ms() + hour * 7_919 % 86_400_000).to_string(),
            partition: 0,
            core: Some(1),
            kind: ChunkKind::Numbered,
            rows: Some((hour as u64).wrapping_mul(2_654_435_761) % 900_000),
            size: (hour as u64).wrapping_mul(2_654_435_761_997) % 60_000_000,
            dimensions: "country,device,page",
            metrics: "count,bytes",
        });
    }
    set
}

#[test]
fn a_set_that_grows_while_it_is_sent_arrives_whole() {
    let whole = hours(20_000);
    let mut growing = SegmentSet::new("events_web");
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    for (at, segment) in whole.iter().enumerate() {
        growing.push_parts(&segment);
        if at % 1_000 == 0 {
            encoder.advance(&growing, &mut bytes);
        }
    }
    encoder.finish(&growing, &mut bytes);
    assert_eq!(decode(&bytes).unwrap(), whole);
}

#[test]
fn a_segment_takes_about_a_dozen_bytes_with_its_version_text() {
    let set = hours(20_000);
    let bytes = encode(&set).len();
    // Every segment here has a version of its own, of which a dozen bytes differ from its neighbour's.
    assert!(bytes < 25 * set.len(), "{} bytes a segment", bytes / set.len());
}

#[test]
fn rows_that_are_all_alike_arrive_and_few_bytes_cannot_claim_many() {
    let segment = hours(1).get(0).map(|segment| (segment.interval, segment.version.to_owned())).unwrap();
    let shard = ShardSpec::Numbered { partition: 0, core: 1 };
    let alike = vec![Segment::new("events_web", segment.0, &segment.1, shard); 20_000];
    let set = SegmentSet::of("events_web", &alike);
    let bytes = encode(&set);
    assert!(bytes.len() > set.len());
    assert_eq!(decode(&bytes).unwrap(), set);
    let bomb = include_bytes!("outside/corpus/columns/bomb-of-equal-rows");
    assert_eq!(decode(bomb), Err(DecodeError::Short));
}

#[test]
fn versions_of_any_length_arrive() {
    let mut set = SegmentSet::new("events_web");
    for length in [0, 1, 1_023, 1_024, 1_025, 5_000, 3] {
        let one = hours(1);
        set.push_parts(&SegmentRef { version: &"v".repeat(length), ..one.get(0).unwrap() });
    }
    assert_eq!(decode(&encode(&set)).unwrap(), set);
}

#[test]
fn an_error_page_is_told_apart_from_a_damaged_stream() {
    assert_eq!(decode(b"<html><body>502 Bad Gateway</body></html>"), Err(DecodeError::NotColumns));
    assert_eq!(decode(b"FSCO\x63"), Err(DecodeError::OtherFormat(0x63)));
    assert_eq!(decode(b""), Err(DecodeError::Cut { rows: 0 }));
    let mut longer = encode(&hours(3));
    longer.push(0);
    assert!(matches!(decode(&longer), Err(DecodeError::Malformed(_))));
}

#[test]
fn an_error_stays() {
    let mut decoder = Decoder::new();
    assert_eq!(decoder.push(b"nonsense"), Err(DecodeError::NotColumns));
    assert_eq!(decoder.push(&encode(&hours(1))), Err(DecodeError::NotColumns));
    assert_eq!(decoder.finish(), Err(DecodeError::NotColumns));
}

#[test]
fn a_fingerprint_changes_when_its_own_chunk_changes_and_only_then() {
    let set = hours(48);
    let before = fingerprints(&set);
    let mut appended = set.clone();
    let segment = set.get(7).unwrap();
    appended.push_parts(&SegmentRef { partition: 1, ..segment });
    let after = fingerprints(&appended);
    let changed: Vec<_> =
        before.iter().zip(&after).filter(|(a, b)| a != b).map(|(a, _)| a.interval).collect();
    assert_eq!(changed, [segment.interval]);
    // Sizes and rows may be corrected by the cluster without anything having been replaced.
    let mut resized = SegmentSet::new("events_web");
    for segment in set.iter() {
        resized.push_parts(&SegmentRef { size: 1, rows: None, ..segment });
    }
    assert_eq!(fingerprints(&resized), before);
}

#[test]
fn a_fingerprint_is_the_same_number_in_every_release() {
    // FNV-1a 64 of "v\u{0}0\u{0}1\u{0}numbered\n", computed by hand of the published algorithm.
    let interval = Interval::new(Instant::from_ms(0), Instant::from_ms(1)).unwrap();
    let shard = ShardSpec::Numbered { partition: 0, core: 1 };
    let set = SegmentSet::of("x", &[Segment::new("x", interval, "v", shard)]);
    assert_eq!(fingerprints(&set)[0].hash, 0x0197_25c4_ee8c_239c);
}
