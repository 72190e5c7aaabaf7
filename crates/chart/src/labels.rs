//! Where words go: lane names, words in bars, words at a range. Measuring and drawing them is the caller's.
//!
//! All in device pixels of the canvas. What is given is what is free: a text that is wider must be left out or
//! shortened by the caller, except lane names, for which the frame already keeps enough.

use crate::frame::{Frame, Rect};
use crate::index::{Cover, with_pieces};
use crate::mark::Mark;
use crate::overlays::Span;
use crate::raster::walk::{Block, Sink, walk};
use crate::store::Store;
use crate::view::View;

/// Where a lane's name goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneLabel {
    /// The lane.
    pub lane: u32,
    /// Free room for it.
    pub room: Rect,
    /// Whether the room is one line above the bars (and not a block beside them).
    pub above: bool,
}

/// The names of the lanes in view. Rooms may reach out of `frame.lanes.area`; clip to it.
pub fn lane_names(frame: &Frame, scroll: i32) -> impl Iterator<Item = LaneLabel> + '_ {
    let lanes = frame.lanes;
    lanes.visible(scroll).map(move |lane| {
        let (top, bottom) = lanes.bars(lane, scroll);
        let above = lanes.caption > 0;
        let room = if above {
            Rect { x: frame.plot.x, y: top - lanes.caption, w: frame.plot.w, h: lanes.caption }
        } else {
            let left = frame.px(12.0);
            Rect { x: left, y: top, w: frame.gutter.w - left - frame.px(8.0), h: bottom - top }
        };
        LaneLabel { lane, room, above }
    })
}

/// A bar wide enough for words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BarLabel {
    /// Its lane.
    pub lane: u32,
    /// The caller's number of the bar.
    pub id: u32,
    /// What it means.
    pub mark: Mark,
    /// The part of it that is in view.
    pub room: Rect,
}

/// Bars of which at least `least` pixels are in view, lane by lane, at most `most` of them.
pub fn in_bars(store: &Store, view: &View, frame: &Frame, least: i32, most: usize) -> Vec<BarLabel> {
    struct Wide<'a> {
        view: &'a View,
        least: i32,
        found: Vec<Block>,
    }
    impl Sink for Wide<'_> {
        fn block(&mut self, block: Block) {
            if block.x1.min(self.view.width() as i32) - block.x0.max(0) >= self.least {
                self.found.push(block);
            }
        }
        fn column(&mut self, _: i32, _: &Cover, _: u16) {}
    }
    let mut labels = Vec::new();
    let mut wide = Wide { view, least: least.max(1), found: Vec::new() };
    for number in frame.lanes.visible(view.scroll) {
        let Some(lane) = store.lanes.get(number as usize) else { break };
        wide.found.clear();
        with_pieces!(store.seen(lane), pieces => walk(store, lane, pieces, view, &mut wide));
        let (top, bottom) = frame.lanes.bars(number, view.scroll);
        for block in &wide.found {
            if labels.len() >= most {
                return labels;
            }
            let (x0, x1) = (block.x0.max(0), block.x1.min(view.width() as i32));
            let room = Rect { x: frame.plot.x + x0, y: top, w: x1 - x0, h: bottom - top };
            let Some(id) = store.id.get(block.bar as usize) else { continue };
            labels.push(BarLabel { lane: number, id: *id, mark: block.mark, room });
        }
    }
    labels
}

/// The part of a span that is in view, as left and right edge on the canvas.
pub fn in_view(view: &View, frame: &Frame, span: Span) -> Option<(i32, i32)> {
    if !view.shows(span) {
        return None;
    }
    let (x0, x1) = (view.column(span.start).max(0), view.column(span.end).min(frame.plot.w));
    Some((frame.plot.x + x0, frame.plot.x + x1.max(x0)))
}
