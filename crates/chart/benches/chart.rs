//! What the design promises: a frame at a million bars over 40 lanes, 1600 × 800, at all scales; the index; the hit.
//!
//!     cargo bench -p chart
//!
//! `draw/script` is one frame of a scripted zoom from everything to a hundred pixels an hour and back, panning all the
//! while, so that no cache can flatter it; its percentiles over the whole script are printed once before criterion runs.
#![allow(clippy::print_stderr, clippy::unwrap_used, clippy::indexing_slicing, missing_docs)] // a bench prints and may stop

use chart::{Bar, Frame, Mark, Overlays, Overview, Palette, Raster, Scene, Span, Store, View, Wish, hit};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Instant;

const HOUR: i64 = 3_600_000;
const START: i64 = 1_600_000_000_000;
const LANES: u32 = 40;

/// Hourly bars over 40 lanes, with holes, hidden stretches and now and then something rare.
fn bars(count: i64) -> Vec<Bar> {
    let per_lane = count / i64::from(LANES);
    let mut bars = Vec::with_capacity(count as usize);
    let mut seed = 7u64;
    for lane in 0..LANES {
        for n in 0..per_lane {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let dice = seed >> 40;
            let mark = match dice % 1000 {
                0 => Mark::Tombstone,
                1 => Mark::Appended,
                2..400 => Mark::Hidden,
                _ => Mark::Served,
            };
            if dice.is_multiple_of(17) {
                continue;
            }
            let start = START + n * HOUR;
            bars.push(Bar {
                lane,
                start,
                end: start + HOUR,
                id: n as u32,
                weight: (dice % 100) as f32,
                mark,
            });
        }
    }
    bars
}

fn frame(width: f64, height: f64, scale: f64) -> Frame {
    Frame::of(&Wish {
        width,
        height,
        scale,
        lanes: LANES,
        names: 140.0,
        bracket_row: true,
        lock_row: true,
        overview: true,
    })
}

/// The views of the script: in and out again over five orders of magnitude, with a drift.
fn script(all: Span, width: u32, frames: usize) -> Vec<View> {
    let everything = View::fit(all, width, 0.0);
    let closest = (HOUR as f64 / 100.0) / everything.ms_per_px();
    (0..frames)
        .map(|at| {
            let half = frames as f64 / 2.0;
            let depth = 1.0 - (at as f64 - half).abs() / half;
            let mut view = everything;
            view.zoom(f64::from(width) * 0.37, closest.powf(depth));
            view.pan(((at * 7) % 23) as f64 - 11.0);
            view
        })
        .collect()
}

fn percentiles(name: &str, store: &Store, frame: &Frame) {
    let all = store.extent().unwrap();
    let overview = Overview::of(store, all, frame);
    let palette = Palette::light();
    let typed = [Span::new(START + 1000 * HOUR, START + 1400 * HOUR)];
    let mut raster = Raster::new();
    let views = script(all, frame.plot.w as u32, 240);
    // The least of five runs for each frame: what the frame costs, not what else the machine is doing.
    let mut times = vec![f64::INFINITY; views.len()];
    for _ in 0..5 {
        for (view, least) in views.iter().zip(&mut times) {
            let overlays =
                Overlays { typed: &typed, effective: &typed, widened: &typed, ..Overlays::default() };
            let scene = Scene { store, view, frame, palette: &palette, overlays, overview: Some(&overview) };
            let before = Instant::now();
            black_box(raster.draw(&scene));
            *least = least.min(before.elapsed().as_secs_f64() * 1e3);
        }
    }
    let worst = times.iter().copied().enumerate().fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
    times.sort_by(f64::total_cmp);
    eprintln!(
        "{name}: p50 {:.2} ms, p95 {:.2} ms, max {:.2} ms (frame {})",
        times[120], times[228], times[239], worst.0
    );
}

fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    for count in [10_000, 100_000, 1_000_000] {
        let bars = bars(count);
        let store = Store::build(LANES as usize, bars.clone());
        eprintln!("{count} bars: {:.1} bytes a bar", store.bytes() as f64 / store.len() as f64);
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            b.iter_batched(
                || bars.clone(),
                |bars| Store::build(LANES as usize, bars),
                criterion::BatchSize::LargeInput,
            );
        });
        let overlapping: Vec<Bar> = bars.iter().map(|bar| Bar { end: bar.end + 3 * HOUR, ..*bar }).collect();
        let store = Store::build(LANES as usize, overlapping.clone());
        eprintln!("{count} overlapping bars: {:.1} bytes a bar", store.bytes() as f64 / store.len() as f64);
        group.bench_function(BenchmarkId::new("overlapping", count), |b| {
            b.iter_batched(
                || overlapping.clone(),
                |bars| Store::build(LANES as usize, bars),
                criterion::BatchSize::LargeInput,
            );
        });
    }
}

fn draw(c: &mut Criterion) {
    let mut group = c.benchmark_group("draw");
    group.sample_size(20);
    for count in [10_000, 100_000, 1_000_000] {
        let store = Store::build(LANES as usize, bars(count));
        for (name, frame) in
            [("1600x800", frame(1600.0, 800.0, 1.0)), ("1600x800@2", frame(1600.0, 800.0, 2.0))]
        {
            percentiles(&format!("{count} bars at {name}"), &store, &frame);
            let views = script(store.extent().unwrap(), frame.plot.w as u32, 240);
            let (mut raster, palette) = (Raster::new(), Palette::light());
            let mut at = 0;
            group.bench_function(BenchmarkId::new(format!("script {name}"), count), |b| {
                b.iter(|| {
                    at = (at + 1) % views.len();
                    let scene = Scene {
                        store: &store,
                        view: &views[at],
                        frame: &frame,
                        palette: &palette,
                        overlays: Overlays::default(),
                        overview: None,
                    };
                    black_box(raster.draw(&scene));
                });
            });
        }
    }
}

fn hits(c: &mut Criterion) {
    let mut group = c.benchmark_group("hit");
    let frame = frame(1600.0, 800.0, 1.0);
    for count in [10_000, 100_000, 1_000_000] {
        let store = Store::build(LANES as usize, bars(count));
        let palette = Palette::light();
        for (name, share) in [("everything", 1.0), ("a hundredth", 0.01)] {
            let mut view = View::fit(store.extent().unwrap(), frame.plot.w as u32, 0.0);
            view.zoom(500.0, share);
            let overlays = Overlays::default();
            let scene = Scene {
                store: &store,
                view: &view,
                frame: &frame,
                palette: &palette,
                overlays,
                overview: None,
            };
            let mut at = 0u32;
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| {
                    at = (at + 37) % 1400;
                    black_box(hit(&scene, 180.0 + f64::from(at), 90.0 + f64::from(at % 600), 4.0))
                });
            });
        }
    }
}

criterion_group!(benches, build, draw, hits);
criterion_main!(benches);
