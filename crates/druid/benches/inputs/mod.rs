//! Datasources to measure with: made by a rule, so that every run and every implementation has the same.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    dead_code,
    reason = "shared by benchmarks, not all of which use all"
)]

use std::fmt::Write;

use druid::interval::{Instant, Interval};
use druid::segment::{ChunkKind, SegmentRef, SegmentSet};

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const START: i64 = 1_136_073_600_000;

/// A segment as it comes from a decoder: its version is a text.
#[derive(Debug, Clone)]
pub(crate) struct Decoded {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) version: String,
    pub(crate) partition: u32,
    pub(crate) core: u32,
    pub(crate) kind: ChunkKind,
}

/// Layered generations: a DAY of one old version each, HOURs over it in a version per day, and every third hour
/// once more in a version of its own; two partitions each.
pub(crate) fn layered(count: usize) -> Vec<Decoded> {
    let mut made = Vec::with_capacity(count + 128);
    for day in 0.. {
        let midnight = START + day * 24 * HOUR;
        push(&mut made, midnight, 24, START, 2, 2);
        for hour in 0..24 {
            push(&mut made, midnight + hour * HOUR, 1, midnight + 30 * HOUR, 2, 2);
            if hour % 3 == 0 {
                push(&mut made, midnight + hour * HOUR, 1, midnight + (60 + hour) * HOUR, 2, 2);
            }
        }
        if made.len() >= count {
            break;
        }
    }
    made.truncate(count);
    made
}

/// Everything that happens to a datasource: HOURs with appended partitions, with none but appended ones, with a core
/// partition missing, emptied by tombstones; an older DAY under every second day.
pub(crate) fn mixed(count: usize) -> Vec<Decoded> {
    let mut made = Vec::with_capacity(count + 128);
    for day in 0.. {
        let midnight = START + day * 24 * HOUR;
        if day % 2 == 0 {
            push(&mut made, midnight, 24, START, 1, 1);
        }
        for hour in 0..24 {
            let start = midnight + hour * HOUR;
            let version = start + 2 * HOUR;
            match hour % 6 {
                // A core of two, and two appended.
                0 => push(&mut made, start, 1, version, 4, 2),
                // Appended only.
                1 => push(&mut made, start, 1, version, 3, 0),
                // The last core partition is missing, over a whole older holder.
                2 => {
                    push(&mut made, start, 1, version, 1, 1);
                    push(&mut made, start, 1, version + HOUR, 2, 3);
                }
                3 => {
                    push(&mut made, start, 1, version, 1, 1);
                    push(&mut made, start, 1, version + HOUR, 1, 0);
                    made.last_mut().unwrap().kind = ChunkKind::Tombstone;
                }
                _ => push(&mut made, start, 1, version, 1, 1),
            }
        }
        if made.len() >= count {
            break;
        }
    }
    made.truncate(count);
    made
}

fn push(made: &mut Vec<Decoded>, start: i64, hours: i64, version: i64, partitions: u32, core: u32) {
    let version = Instant::from_ms(version).to_string();
    for partition in 0..partitions {
        made.push(Decoded {
            start,
            end: start + hours * HOUR,
            version: version.clone(),
            partition,
            core,
            kind: ChunkKind::Numbered,
        });
    }
}

/// The same in an order without order.
pub(crate) fn shuffled(mut segments: Vec<Decoded>) -> Vec<Decoded> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for at in (1..segments.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        segments.swap(at, (state % (at as u64 + 1)) as usize);
    }
    // A decoder makes texts in the order in which segments come.
    segments.to_vec()
}

/// By start, end, version and partition.
pub(crate) fn sorted(mut segments: Vec<Decoded>) -> Vec<Decoded> {
    segments.sort_by(|a, b| {
        (a.start, a.end, &a.version, a.partition).cmp(&(b.start, b.end, &b.version, b.partition))
    });
    segments
}

/// The set of decoded segments: texts are interned here.
pub(crate) fn set(segments: &[Decoded]) -> SegmentSet {
    let mut set = SegmentSet::new("events_web");
    set.reserve(segments.len());
    set.extend_parts(segments.iter().map(|segment| SegmentRef {
        datasource: "events_web",
        interval: Interval::new(Instant::from_ms(segment.start), Instant::from_ms(segment.end)).unwrap(),
        version: &segment.version,
        partition: segment.partition,
        core: Some(segment.core),
        kind: segment.kind,
        rows: Some(1_000),
        size: 1_000_000,
        dimensions: "country,device,page",
        metrics: "count,bytes",
    }));
    set
}

/// As the Coordinator's metadata endpoint gives them: one JSON array.
pub(crate) fn json(segments: &[Decoded]) -> String {
    let mut out = String::from("[");
    for segment in segments {
        let (start, end) = (Instant::from_ms(segment.start), Instant::from_ms(segment.end));
        let Decoded { version, partition, core, kind, .. } = segment;
        let kind = kind.name();
        if out.len() > 1 {
            out.push(',');
        }
        write!(
            out,
            r#"{{"dataSource":"events_web","interval":"{start}/{end}","version":"{version}","loadSpec":{{"type":"s3_zip","bucket":"druid-deep-storage","key":"druid/segments/events_web/{start}_{end}/{version}/{partition}/3f0a7c1e-5b1d-4c58-9a3e-0d4f6a5b7c8d/index.zip","S3Schema":"s3n"}},"dimensions":"country,device,page,browser,os,referrer,language,campaign,city,session","metrics":"count,bytes,users,duration","shardSpec":{{"type":"{kind}","partitionNum":{partition},"partitions":{core}}},"lastCompactionState":null,"binaryVersion":9,"size":1048576,"identifier":"events_web_{start}_{end}_{version}_{partition}","overshadowed":false,"replicationFactor":-1,"numRows":1000,"realtime":false}}"#
        )
        .unwrap();
    }
    out.push(']');
    out
}
