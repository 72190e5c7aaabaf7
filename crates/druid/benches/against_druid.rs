//! The timeline against Druid's own: build, everything visible, is-overshadowed for each segment, from decoded segments
//! with their version texts (interning counted), on the same inputs in the same run.
//!
//! Druid's side is the Java program in `benches/druid`; `cargo xtask bench` builds it and names its class path in
//! `DRUID_TIMELINE_CLASSPATH` (where that is not set, only our side is measured). Its heap is touched beforehand and
//! half of its time is warming up. Both print a checksum over all visible holders, which must be equal. What the
//! timeline takes at rest is what a counting allocator saw.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that prints a table")]

mod inputs;

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use druid::timeline::Timeline;

use inputs::{Decoded, layered, mixed, set, shuffled, sorted};

/// The system's allocator, and the bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came; only a number is kept beside.
#[allow(unsafe_code, reason = "an allocator cannot be counted otherwise, and this one is in no product")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        IN_USE.fetch_add(size, Ordering::Relaxed);
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one side found, and the median of its times.
struct Found {
    nanoseconds: u128,
    visible: usize,
    overshadowed: usize,
    fnv: String,
}

fn ours(segments: &[Decoded]) -> Found {
    let repeats = (4_000_000 / segments.len()).clamp(9, 1_001);
    let mut times = Vec::with_capacity(repeats);
    let mut last = None;
    for _ in 0..repeats {
        drop(last.take());
        let begun = Instant::now();
        let timeline = Timeline::build(&set(segments)).unwrap();
        let visible: Vec<_> = timeline.visible().iter().collect();
        let mut hidden = vec![false; segments.len()];
        for row in timeline.overshadowed() {
            *hidden.get_mut(row as usize).unwrap() = true;
        }
        times.push(begun.elapsed().as_nanos());
        last = Some((timeline, visible, hidden));
    }
    times.sort_unstable();
    let (timeline, visible, hidden) = last.unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for piece in &visible {
        let holder = timeline.holder(piece.holder).unwrap();
        let partitions: Vec<String> = holder.partitions().map(|partition| partition.to_string()).collect();
        let (start, end) = (piece.interval.start.ms(), piece.interval.end.ms());
        let line = format!("{start},{end},{},{}\n", holder.version, partitions.join(";"));
        hash = line.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }
    Found {
        nanoseconds: times.get(repeats / 2).copied().unwrap_or(0),
        visible: visible.len(),
        overshadowed: hidden.iter().filter(|hidden| **hidden).count(),
        fnv: format!("{hash:016x}"),
    }
}

/// Druid's own class over the same segments; `None` where it was not built.
fn theirs(segments: &[Decoded], class_path: Option<&str>) -> Option<Found> {
    let class_path = class_path?;
    let file = std::env::temp_dir().join(format!("timeline-{}.tsv", std::process::id()));
    let mut lines = String::new();
    for Decoded { start, end, version, partition, core, kind } in segments {
        lines += &format!("{start}\t{end}\t{version}\t{partition}\t{core}\t{}\n", kind.name());
    }
    std::fs::write(&file, lines).unwrap();
    let seconds = if segments.len() >= 1_000_000 { "40" } else { "8" };
    let output = Command::new("java")
        .args([
            "-Xms6g",
            "-Xmx6g",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseParallelGC",
            "-cp",
            class_path,
            "TimelineTimes",
        ])
        .arg(&file)
        .arg(seconds)
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let parts: Vec<&str> = text.trim().split('\t').collect();
    let [nanoseconds, _, visible, overshadowed, fnv] = parts.as_slice() else {
        println!("Druid's side failed:\n{text}{}", String::from_utf8_lossy(&output.stderr));
        std::process::exit(1);
    };
    Some(Found {
        nanoseconds: nanoseconds.parse().unwrap(),
        visible: visible.parse().unwrap(),
        overshadowed: overshadowed.parse().unwrap(),
        fnv: (*fnv).to_owned(),
    })
}

/// A datasource's history and the order its segments come in.
type Input = (&'static str, fn(usize) -> Vec<Decoded>, fn(Vec<Decoded>) -> Vec<Decoded>);

const INPUTS: [Input; 4] = [
    ("layered, sorted", layered, sorted),
    ("layered, shuffled", layered, shuffled),
    ("mixed, sorted", mixed, sorted),
    ("mixed, shuffled", mixed, shuffled),
];

fn main() {
    // `cargo test --benches` runs this too, and wants no figures.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    // As criterion's: only what contains this text.
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let class_path = std::env::var("DRUID_TIMELINE_CLASSPATH").ok();
    println!(
        "{:<17} {:>9} {:>10} {:>10} {:>7} {:>9} {:>12}   at rest, bytes a segment: timeline + hot columns, cold, texts",
        "input", "segments", "ours ns/s", "Druid ns/s", "times", "visible", "overshadowed"
    );
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        for (name, made, ordered) in INPUTS {
            if !format!("{name} {count} ").contains(&wanted) {
                continue;
            }
            let segments = ordered(made(count));
            // Half of our repeats before and half after Druid's, so that both see the machine in the same mood.
            let before = ours(&segments);
            let theirs = theirs(&segments, class_path.as_deref());
            let after = ours(&segments);
            let each = |time: u128| time as f64 / count as f64;
            let ours = each(before.nanoseconds).midpoint(each(after.nanoseconds));
            if let Some(theirs) = &theirs {
                assert_eq!(before.fnv, theirs.fnv, "visible holders differ");
                assert_eq!((before.visible, before.overshadowed), (theirs.visible, theirs.overshadowed));
            }
            let druid = theirs.map(|theirs| each(theirs.nanoseconds));
            println!(
                "{name:<17} {count:>9} {ours:>10.1} {:>10} {:>7} {:>9} {:>12}   {}",
                druid.map_or_else(|| "-".to_owned(), |druid| format!("{druid:.0}")),
                druid.map_or_else(|| "-".to_owned(), |druid| format!("{:.1}", druid / ours)),
                before.visible,
                before.overshadowed,
                at_rest(&segments),
            );
        }
    }
}

fn at_rest(segments: &[Decoded]) -> String {
    let set = set(segments);
    let before = IN_USE.load(Ordering::Relaxed);
    let timeline = Timeline::build(&set).unwrap();
    let counted = IN_USE.load(Ordering::Relaxed) - before;
    let each = |bytes: usize| bytes as f64 / segments.len() as f64;
    let bytes = timeline.segments().bytes();
    format!(
        "{:.1} + {:.1}, {:.1}, {:.1}",
        each(counted),
        each(bytes.hot),
        each(bytes.cold),
        each(bytes.texts)
    )
}
