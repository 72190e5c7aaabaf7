//! What a timeline says of its memory is what an allocator counts. A file of its own: nothing else may allocate beside.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use druid::interval::{Instant, Interval};
use druid::segment::{ChunkKind, SegmentRef, SegmentSet};
use druid::timeline::Timeline;

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
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Hours with two partitions each, in one version a day or in one for all; every so many of them without its second.
fn hours(count: i64, versions: i64, incomplete: Option<i64>) -> SegmentSet {
    let mut set = SegmentSet::new("x");
    for hour in 0..count {
        let at = |hour: i64| Instant::from_ms(hour * 3_600_000);
        let parts = if incomplete.is_some_and(|every| hour % every == 0) { 1 } else { 2 };
        for partition in 0..parts {
            set.push_parts(&SegmentRef {
                datasource: "x",
                interval: Interval::new(at(hour), at(hour + 1)).unwrap(),
                version: &format!("{}", hour % versions),
                partition,
                core: Some(2),
                kind: ChunkKind::Numbered,
                rows: None,
                size: 0,
                dimensions: "",
                metrics: "",
            });
        }
    }
    set
}

#[test]
fn the_bytes_of_a_timeline_are_those_that_an_allocator_counts() {
    let mut beside = Vec::new();
    for (count, versions, incomplete) in
        [(1, 1, None), (50, 7, None), (5_000, 200, None), (5_000, 200, Some(9)), (70_000, 1, Some(2))]
    {
        let set = hours(count, versions, incomplete);
        let before = IN_USE.load(Ordering::Relaxed);
        let timeline = Timeline::build(&set).unwrap();
        let counted = IN_USE.load(Ordering::Relaxed) - before;
        beside.push(counted - timeline.bytes());
        // 48 bytes a segment at most, with the 29 of the columns that it is made of.
        assert!(
            count < 1_000 || timeline.bytes() / set.len() + 29 <= 48,
            "{count} hours: {}",
            timeline.bytes()
        );
    }
    // The object itself is of one size, and in nobody's count.
    assert!(beside.iter().all(|bytes| Some(bytes) == beside.first() && *bytes < 512), "{beside:?}");
}
