//! Segments: one as JSON, lists as a stream, ids, and the compact columns.

use druid::columns::{DecodeError, Decoder, encode, fingerprints};
use druid::id::{validate_datasource, validate_id};
use druid::segment::stream::{Reader, StreamError};
use druid::segment::{Segment, SegmentId, SegmentSet};
use druid::timeline::{HolderId, Timeline};
use serde_json::Value;

use super::{line, text};

pub(super) fn segment(bytes: &[u8]) {
    let Ok(json) = serde_json::from_slice::<Value>(bytes) else { return };
    match Segment::from_json(&json) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(segment) => {
            let written = segment.to_json();
            assert_eq!(Segment::from_json(&written).as_ref(), Ok(&segment));
            assert_eq!(Segment::from_json(&written).unwrap().to_json(), written);
            let set = SegmentSet::of(&segment.datasource, [&segment]);
            assert_eq!(set.id(0), segment.id().to_string());
            assert_eq!(set.get(0).unwrap().id(), segment.id());
            travels(&set);
        }
    }
}

fn read(bytes: &[u8], step: usize) -> Result<SegmentSet, StreamError> {
    let mut reader = Reader::new(None);
    for slice in bytes.chunks(step) {
        reader.push(slice)?;
    }
    reader.finish()
}

/// A list of segments is the same however it is sliced, and the same as its segments read one by one.
pub(super) fn list(bytes: &[u8]) {
    let whole = read(bytes, usize::MAX);
    for step in [1, 7, 4096] {
        // Where the first error is told may differ: what comes later has not come yet.
        assert_eq!(read(bytes, step).ok(), whole.clone().ok(), "in slices of {step}");
    }
    if let Err(error) = &whole {
        assert!(!error.to_string().is_empty());
    }
    if bytes.trim_ascii_start().starts_with(b"[") && !is_compact(bytes) {
        assert_eq!(whole.clone().ok(), one_by_one(bytes), "against one by one");
    }
    if let Ok(set) = whole {
        travels(&set);
        served(&set);
    }
}

/// Whether the list is of lines `[start,end,version,partition,core]`.
fn is_compact(bytes: &[u8]) -> bool {
    let inside = bytes.trim_ascii_start().get(1..).unwrap_or_default().trim_ascii_start();
    !inside.starts_with(b"{") && !inside.starts_with(b"]")
}

fn one_by_one(bytes: &[u8]) -> Option<SegmentSet> {
    let list: Vec<Value> = serde_json::from_slice(bytes).ok()?;
    let segments: Option<Vec<Segment>> = list.iter().map(|json| Segment::from_json(json).ok()).collect();
    let segments = segments?;
    let datasource = segments.first().map_or("", |segment| &*segment.datasource).to_owned();
    let alike = segments.iter().all(|segment| *segment.datasource == *datasource);
    alike.then(|| SegmentSet::of(&datasource, &segments))
}

fn decode(bytes: &[u8], step: usize) -> Result<SegmentSet, DecodeError> {
    let mut decoder = Decoder::new();
    for slice in bytes.chunks(step) {
        decoder.push(slice)?;
    }
    decoder.finish()
}

/// What goes into the compact form comes out again.
fn travels(set: &SegmentSet) {
    let bytes = encode(set);
    assert_eq!(decode(&bytes, usize::MAX).as_ref(), Ok(set));
}

pub(super) fn columns(bytes: &[u8]) {
    let whole = decode(bytes, usize::MAX);
    for step in [1, 13] {
        assert_eq!(decode(bytes, step), whole, "in slices of {step}");
    }
    match whole {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(set) => {
            assert!(set.iter().all(|segment| segment.interval.start <= segment.interval.end));
            assert!(set.iter().count() == set.len());
            travels(&set);
            let chunks = fingerprints(&set);
            assert!(chunks.windows(2).all(|pair| pair[0].interval < pair[1].interval));
            served(&set);
        }
    }
}

/// Which holders are served where, by what says it without regard to the order of rows.
fn served(set: &SegmentSet) {
    let mut reversed = SegmentSet::new(set.datasource());
    let rows: Vec<_> = set.iter().collect();
    // Bounds of old ranges are not among the parts, and decide what is complete.
    let has_ranges = rows.iter().any(|row| row.core.is_none());
    rows.iter().rev().for_each(|row| {
        reversed.push_parts(row);
    });
    let (Ok(timeline), Ok(other)) = (Timeline::build(set), Timeline::build(&reversed)) else { return };
    let pieces = |timeline: &Timeline| -> Vec<_> {
        let holder =
            |id: HolderId| timeline.holder(id).map(|holder| (holder.interval, holder.version.to_owned()));
        timeline.visible().iter().map(|piece| (piece.interval, holder(piece.holder))).collect()
    };
    let there = pieces(&timeline);
    assert!(there.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start));
    if !has_ranges {
        assert_eq!(there, pieces(&other));
    }
    for holder in timeline.holders() {
        assert!(!holder.is_empty());
        let _ = (timeline.is_overshadowed(holder.id), holder.rows(), holder.size(), holder.highest());
    }
    assert!(timeline.overshadowed().count() <= set.len());
}

/// A datasource, and an id.
pub(super) fn id(bytes: &[u8]) {
    let Some((datasource, id)) = text(bytes).map(line) else { return };
    for trouble in [validate_id(id).err(), validate_datasource(datasource).err()].into_iter().flatten() {
        assert!(!trouble.sentence().is_empty());
        let _ = trouble.server_words("task ID", id);
    }
    let readings = SegmentId::readings(datasource, id);
    assert_eq!(SegmentId::parse(datasource, id).as_ref(), readings.first());
    for reading in &readings {
        assert!(reading.interval.start < reading.interval.end);
        let printed = reading.to_string();
        if printed.len() < id.len() + 64 {
            assert!(SegmentId::readings(datasource, &printed).contains(reading), "{printed}");
        }
    }
    let all = SegmentId::all_readings(id);
    if !datasource.is_empty() && id.len() < 256 {
        assert!(readings.iter().all(|reading| all.contains(reading)));
    }
}
