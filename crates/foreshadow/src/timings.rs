//! How long a timeline takes and what it weighs: medians of seven repeats in this process, on one thread.
//!
//! `read_ns` is from the bytes of the file to decoded segments with their version texts; `build_ns` from those, interning
//! counted, to the timeline; `visible_ns` a walk over every visible piece and its partitions; `overshadowed_ns` the
//! question of every segment. `timeline_bytes` is what the timeline alone holds, without the segments it was built from.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, anyhow};
use druid::segment::{ChunkKind, SegmentRef, SegmentSet};
use druid::timeline::Timeline;
use serde::Serialize;

const REPEATS: usize = 7;

/// One line of `--timings`.
#[derive(Serialize)]
struct Line {
    segments: usize,
    read_ns: u64,
    build_ns: u64,
    visible_ns: u64,
    overshadowed_ns: u64,
    timeline_bytes: usize,
    visible_fnv: String,
}

/// A segment as another implementation has it before it builds a timeline: its version a text of its own.
struct Decoded {
    segment: (i64, i64, Box<str>, u32, Option<u32>),
    kind: ChunkKind,
}

/// The line, measured.
pub(crate) fn measure(read: impl Fn() -> Result<SegmentSet>) -> Result<String> {
    let mut times = [const { Vec::new() }; 4];
    let mut line = Line {
        segments: 0,
        read_ns: 0,
        build_ns: 0,
        visible_ns: 0,
        overshadowed_ns: 0,
        timeline_bytes: 0,
        visible_fnv: String::new(),
    };
    let mut timed = |place: usize, since: Instant| {
        let ns = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        if let Some(times) = times.get_mut(place) {
            times.push(ns);
        }
    };
    for _ in 0..REPEATS {
        let begun = Instant::now();
        let set = read()?;
        timed(0, begun);
        let decoded = decoded(&set);
        drop(set);

        let begun = Instant::now();
        let set = interned(&decoded);
        let timeline = Timeline::build(&set).map_err(|illegal| anyhow!(illegal.reason))?;
        timed(1, begun);
        line.timeline_bytes = timeline.bytes();

        let begun = Instant::now();
        black_box(walk(&timeline));
        timed(2, begun);

        let begun = Instant::now();
        black_box(timeline.overshadowed().count());
        timed(3, begun);

        line.segments = set.len();
        line.visible_fnv = format!("{:016x}", fingerprint(&timeline));
    }
    let median = |place: usize| {
        let mut sorted = times.get(place).cloned().unwrap_or_default();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or(0)
    };
    line.read_ns = median(0);
    line.build_ns = median(1);
    line.visible_ns = median(2);
    line.overshadowed_ns = median(3);
    Ok(serde_json::to_string(&line)?)
}

fn decoded(set: &SegmentSet) -> Vec<Decoded> {
    set.iter()
        .map(|segment| Decoded {
            segment: (
                segment.interval.start.ms(),
                segment.interval.end.ms(),
                segment.version.into(),
                segment.partition,
                segment.core,
            ),
            kind: segment.kind,
        })
        .collect()
}

fn interned(decoded: &[Decoded]) -> SegmentSet {
    let mut set = SegmentSet::new("");
    set.reserve(decoded.len());
    for one in decoded {
        let (start, end, version, partition, core) = &one.segment;
        set.push_parts(&SegmentRef {
            datasource: "",
            interval: druid::interval::Interval {
                start: druid::interval::Instant::from_ms(*start),
                end: druid::interval::Instant::from_ms(*end),
            },
            version,
            partition: *partition,
            core: *core,
            kind: one.kind,
            rows: None,
            size: 0,
            dimensions: "",
            metrics: "",
        });
    }
    set
}

/// Every visible piece with its holder's partitions, as a reader of the timeline would take them.
fn walk(timeline: &Timeline) -> u64 {
    let mut sum = 0u64;
    for piece in timeline.visible().iter() {
        let Some(holder) = timeline.holder(piece.holder) else { continue };
        sum = sum.wrapping_add(piece.interval.start.ms().unsigned_abs());
        for partition in holder.partitions() {
            sum = sum.wrapping_add(u64::from(partition));
        }
    }
    sum
}

/// FNV-1a over `start_ms,end_ms,version,p0;p1;…` and a line feed for each visible piece in order.
fn fingerprint(timeline: &Timeline) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for piece in timeline.visible().iter() {
        let Some(holder) = timeline.holder(piece.holder) else { continue };
        let mut partitions: Vec<u32> = holder.partitions().collect();
        partitions.sort_unstable();
        let partitions: Vec<String> = partitions.iter().map(u32::to_string).collect();
        take(piece.interval.start.ms().to_string().as_bytes());
        take(b",");
        take(piece.interval.end.ms().to_string().as_bytes());
        take(b",");
        take(holder.version.as_bytes());
        take(b",");
        take(partitions.join(";").as_bytes());
        take(b"\n");
    }
    hash
}
