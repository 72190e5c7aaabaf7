//! Speeds of the timeline and of what it is read from, by part: interning, building, an overlay of one replacing run,
//! reading metadata JSON; and the buckets of a leap year of seconds. Against Druid's own class: `against_druid`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

mod inputs;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use druid::granularity::Granularity;
use druid::interval::{Instant, Interval};
use druid::segment::stream::Reader;
use druid::timeline::{NewHolder, Timeline};

use inputs::{HOUR, START, json, layered, set, shuffled};

fn timeline(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("timeline");
    group.sample_size(10);
    for count in [1_000usize, 10_000, 100_000, 1_000_000] {
        let segments = shuffled(layered(count));
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
        group.bench_function(BenchmarkId::new("visible", count), |bench| {
            bench.iter(|| timeline.visible().iter().map(|piece| piece.interval.end.ms()).fold(0, i64::max));
        });
    }
    group.finish();
}

/// An overlay costs what it changes: neighbours in one day, or far apart; over a small datasource or a large one.
fn overlay(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("overlay");
    group.sample_size(10);
    for count in [10_000usize, 1_000_000] {
        let timeline = Timeline::build(&set(&layered(count))).unwrap();
        let hours = count as i64 / 66 * 24;
        for holders in [1_i64, 24, 300] {
            let run = |step: i64| -> Vec<NewHolder> {
                let holder = |at: i64| {
                    let start = START + (hours / 10 + at * step) % hours * HOUR;
                    let chunk =
                        Interval::new(Instant::from_ms(start), Instant::from_ms(start + HOUR)).unwrap();
                    NewHolder::whole(chunk, "2047-01-01T00:00:00.000Z", 1)
                };
                (0..holders).map(holder).collect()
            };
            for (name, step) in [("together", 1), ("apart", 11)] {
                let run = run(step);
                let id = BenchmarkId::new(format!("{holders} holders {name}"), count);
                group.bench_function(id, |bench| bench.iter(|| timeline.with(&run, &[]).unwrap()));
            }
        }
    }
    group.finish();
}

fn read(criterion: &mut Criterion) {
    let text = json(&layered(50_000));
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    for slice in [16 << 10, 1 << 20] {
        group.bench_function(BenchmarkId::new("metadata JSON in slices of", slice), |bench| {
            bench.iter(|| {
                let mut reader = Reader::new(Some("events_web"));
                for slice in text.as_bytes().chunks(slice) {
                    reader.push(slice).unwrap();
                }
                reader.finish().unwrap()
            });
        });
    }
    group.finish();
}

fn buckets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("buckets");
    group.sample_size(10);
    let second = Granularity::named("SECOND").unwrap();
    let year = Interval::parse("2024-01-01/2025-01-01").unwrap();
    group.bench_function("count the seconds of 2024", |bench| {
        bench.iter(|| second.count(std::hint::black_box(year)));
    });
    group.bench_function("walk the seconds of 2024", |bench| {
        bench.iter(|| {
            second.buckets(std::hint::black_box(year)).map(|bucket| bucket.end.ms()).fold(0, i64::max)
        });
    });
    group.finish();
}

criterion_group!(benches, timeline, overlay, read, buckets);
criterion_main!(benches);
