//! Bars in columns, sorted by lane and start: what lies in memory while a chart is on the screen.
//!
//! Built once per picture, then only read. Within a lane what is *drawn* never overlaps: where the bars of a lane do
//! overlap, `weave` decides once which one is on top where (the shorter one), so that drawing and hit testing are
//! plain binary searches and a long bar can never be lost behind the start of a short one.
//! It does not know what a bar stands for: `id` is the caller's.

use crate::index::Sums;
use crate::mark::Mark;
use crate::overlays::Span;
use crate::view::ETERNITY;
use crate::weave::{Piece, weave};

/// One interval on one lane, as the caller brings it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// First millisecond.
    pub start: i64,
    /// First millisecond after it. A bar that ends before it starts is drawn as one millisecond.
    pub end: i64,
    /// The lane, 0 on top.
    pub lane: u32,
    /// Whatever the caller wants to find again from a hit, for example a row of its own table.
    pub id: u32,
    /// Height in the overview, for example rows or bytes. Not negative.
    pub weight: f32,
    /// What it means.
    pub mark: Mark,
}

/// The bars of a chart.
#[derive(Debug, Clone, Default)]
pub struct Store {
    pub(crate) start: Vec<i64>,
    pub(crate) end: Vec<i64>,
    pub(crate) weight: Vec<f32>,
    pub(crate) id: Vec<u32>,
    pub(crate) mark: Vec<Mark>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) sums: Sums,
}

/// Where the bars of one lane are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lane {
    /// First bar and the one after the last.
    pub(crate) bars: (u32, u32),
    /// First piece and the one after the last, when bars of the lane overlap.
    pub(crate) pieces: Option<(u32, u32)>,
    /// Which marks occur, one bit each.
    pub(crate) marks: u16,
    /// Where its block sums begin.
    pub(crate) sums: u32,
}

impl Store {
    /// Sorts and indexes `bars` over `lanes` lanes. Bars of lanes that do not exist are left out. Times beyond
    /// eternity are clamped to it.
    pub fn build(lanes: usize, mut bars: Vec<Bar>) -> Store {
        bars.retain_mut(|bar| {
            bar.start = bar.start.clamp(-ETERNITY, ETERNITY - 1);
            bar.end = bar.end.clamp(bar.start + 1, ETERNITY);
            (bar.lane as usize) < lanes
        });
        let key = |bar: &Bar| (bar.lane, bar.start, bar.end, bar.id);
        if !bars.is_sorted_by_key(key) {
            bars.sort_unstable_by_key(key);
        }
        // Numbers of bars travel with one bit to spare (see `Piece`).
        bars.truncate(i32::MAX as usize);
        let mut store = Store {
            start: bars.iter().map(|bar| bar.start).collect(),
            end: bars.iter().map(|bar| bar.end).collect(),
            weight: bars.iter().map(|bar| bar.weight).collect(),
            id: bars.iter().map(|bar| bar.id).collect(),
            mark: bars.iter().map(|bar| bar.mark).collect(),
            ..Store::default()
        };
        store.lanes.reserve_exact(lanes);
        let mut at = 0;
        for lane in 0..lanes {
            let first = at;
            let mut reach = i64::MIN;
            let (mut overlap, mut marks) = (false, 0);
            while let Some(bar) = bars.get(at).filter(|bar| bar.lane as usize == lane) {
                overlap |= bar.start < reach;
                reach = reach.max(bar.end);
                marks |= 1 << bar.mark.index();
                at += 1;
            }
            let range = (first as u32, at as u32);
            let pieces = overlap.then(|| weave(&store.start, &store.end, range, &mut store.pieces));
            store.lanes.push(Lane { bars: range, pieces, marks, sums: 0 });
        }
        drop(bars);
        store.pieces.shrink_to_fit();
        store.sum_up();
        store
    }

    /// How many bars there are.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there is no bar.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// How many lanes there are.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// A bar by its place in (lane, start) order.
    pub fn bar(&self, at: usize) -> Option<Bar> {
        let lane = self.lanes.partition_point(|lane| lane.bars.1 as usize <= at);
        self.read(at, lane as u32)
    }

    /// The columns of a bar, for a lane that the caller knows.
    pub(crate) fn read(&self, at: usize, lane: u32) -> Option<Bar> {
        Some(Bar {
            start: *self.start.get(at)?,
            end: *self.end.get(at)?,
            lane,
            id: *self.id.get(at)?,
            weight: *self.weight.get(at)?,
            mark: *self.mark.get(at)?,
        })
    }

    /// The places of the bars of a lane, sorted by start.
    pub fn lane_bars(&self, lane: usize) -> std::ops::Range<usize> {
        self.lanes.get(lane).map_or(0..0, |lane| lane.bars.0 as usize..lane.bars.1 as usize)
    }

    /// Whether a mark occurs anywhere.
    pub fn has(&self, mark: Mark) -> bool {
        self.lanes.iter().any(|lane| lane.marks >> mark.index() & 1 == 1)
    }

    /// The marks that occur, in the order of `Mark::ALL`: what a legend has to explain.
    pub fn marks(&self) -> Vec<Mark> {
        Mark::ALL.into_iter().filter(|mark| self.has(*mark)).collect()
    }

    /// From the first start to the last end, bars that reach to either end of eternity counting only with their
    /// finite end. `None` when there is no finite end at all.
    pub fn extent(&self) -> Option<Span> {
        // An "eternity" that was shifted by a zone or a margin is still not a time anybody plans in.
        let finite = |t: &i64| t.abs_diff(0) < ETERNITY as u64 / 2;
        let starts = self.start.iter().copied().filter(finite);
        let ends = self.end.iter().copied().filter(finite);
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for t in starts.chain(ends) {
            low = low.min(t);
            high = high.max(t);
        }
        (low <= high).then(|| Span::new(low, high.max(low + 1)))
    }

    /// Bytes held at rest, spare capacity included.
    pub fn bytes(&self) -> usize {
        fn held<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        held(&self.start)
            + held(&self.end)
            + held(&self.weight)
            + held(&self.id)
            + held(&self.mark)
            + held(&self.lanes)
            + held(&self.pieces)
            + self.sums.bytes()
    }
}
