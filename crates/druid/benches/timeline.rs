//! The timeline's speed: build (texts already interned, and from decoded segments), is-overshadowed for every
//! holder, and the overlay of one replacing run, at 1,000 to 1,000,000 segments.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use druid::interval::{Instant, Interval};
use druid::segment::{ChunkKind, SegmentRef, SegmentSet};
use druid::timeline::{NewHolder, Timeline};

const HOUR: i64 = 3_600_000;
const START: i64 = 1_767_225_600_000;

/// A datasource with a past: hours, four partitions each, every third hour replaced once more, every 24 hours
/// overlaid by a day of an old version, in the order of their ids mixed by a fixed step.
fn segments(count: usize) -> Vec<(i64, i64, String, u32, u32)> {
    let mut made = Vec::with_capacity(count + 8);
    let mut hour = 0i64;
    while made.len() < count {
        let start = START + hour * HOUR;
        let version = |ms: i64| Instant::from_ms(ms).to_string();
        for partition in 0..4 {
            made.push((start, start + HOUR, version(start + 2 * HOUR), partition, 4));
        }
        if hour % 3 == 0 {
            made.push((start, start + HOUR, version(start + 90 * HOUR), 0, 1));
        }
        if hour % 24 == 0 {
            made.push((start, start + 24 * HOUR, version(START), 0, 1));
        }
        hour += 1;
    }
    made.truncate(count);
    let step = 7_919;
    (0..count).map(|at| made.get(at * step % count).cloned().unwrap()).collect()
}

fn set(segments: &[(i64, i64, String, u32, u32)]) -> SegmentSet {
    let mut set = SegmentSet::new("events_web");
    set.reserve(segments.len());
    for (start, end, version, partition, core) in segments {
        set.push_parts(&SegmentRef {
            datasource: "events_web",
            interval: Interval::new(Instant::from_ms(*start), Instant::from_ms(*end)).unwrap(),
            version,
            partition: *partition,
            core: Some(*core),
            kind: ChunkKind::Numbered,
            rows: Some(1_000),
            size: 1_000_000,
            dimensions: "country,device,page",
            metrics: "count,bytes",
        });
    }
    set
}

fn timeline(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("timeline");
    group.sample_size(10);
    for count in [1_000usize, 10_000, 100_000, 1_000_000] {
        let segments = segments(count);
        let decoded = set(&segments);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("intern", count), |bench| bench.iter(|| set(&segments)));
        group.bench_function(BenchmarkId::new("build", count), |bench| {
            bench.iter(|| Timeline::build(&decoded).unwrap());
        });
        let timeline = Timeline::build(&decoded).unwrap();
        group.bench_function(BenchmarkId::new("overshadowed", count), |bench| {
            bench.iter(|| timeline.overshadowed().count());
        });
        let day = START + (count as i64 / 10) * HOUR;
        let run: Vec<NewHolder> = (0..24)
            .map(|hour| {
                let start = day + hour * HOUR;
                let chunk = Interval::new(Instant::from_ms(start), Instant::from_ms(start + HOUR)).unwrap();
                NewHolder::whole(chunk, "2027-01-01T00:00:00.000Z", 1)
            })
            .collect();
        group.bench_function(BenchmarkId::new("overlay", count), |bench| {
            bench.iter(|| timeline.with(&run, &[]).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, timeline);
criterion_main!(benches);
