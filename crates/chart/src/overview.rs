//! All of time in one strip: how much is read where, and where the window of the chart lies.
//!
//! The histogram is made once per store and width, not per frame. Heights grow with the square root of the weight per
//! time, so that a small day beside a huge one is still seen; nothing that is there is lower than a visible minimum.

use crate::frame::Frame;
use crate::index::{Pieces, with_pieces};
use crate::overlays::Span;
use crate::store::Store;
use crate::view::View;

/// Width of a histogram bar and the gap after it, in CSS pixels.
const BIN: f64 = 5.0;

/// The histogram of all time.
#[derive(Debug, Clone)]
pub struct Overview {
    view: View,
    pub(crate) pitch: i32,
    pub(crate) heights: Vec<f32>,
}

impl Overview {
    /// Counts what is read in `store` over `all`, for the strip of `frame`.
    pub fn of(store: &Store, all: Span, frame: &Frame) -> Overview {
        let view = View::fit(all, frame.overview.w.max(1) as u32, 0.015);
        let pitch = frame.px(BIN);
        let bins = (frame.overview.w.max(1) as usize).div_ceil(pitch as usize);
        let mut sums = vec![0f64; bins];
        for lane in &store.lanes {
            with_pieces!(store.seen(lane), pieces => add(store, pieces, &view, f64::from(pitch), &mut sums));
        }
        let most = sums.iter().copied().fold(0.0, f64::max);
        let height = |sum: f64| if sum > 0.0 { ((sum / most).sqrt() as f32).max(0.12) } else { 0.0 };
        Overview { view, pitch, heights: sums.into_iter().map(height).collect() }
    }

    /// The times of the strip; its width is that of the plot.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Where the window of the chart lies in the strip, in pixels from its left edge; never too narrow to be grabbed.
    pub fn window(&self, chart: &View, least: f64) -> (f64, f64) {
        let seen = chart.span();
        let width = f64::from(self.view.width());
        let (left, right) =
            (self.view.px(seen.start).clamp(0.0, width), self.view.px(seen.end).clamp(0.0, width));
        let missing = (least - (right - left)).max(0.0) / 2.0;
        let left = (left - missing).clamp(0.0, (width - least).max(0.0));
        (left, (right + missing).max(left + least).min(width))
    }
}

fn add<P: Pieces>(store: &Store, pieces: P, view: &View, pitch: f64, sums: &mut [f64]) {
    for at in 0..pieces.len() {
        let Some(bar) = pieces.owner(at).filter(|_| pieces.mark(at).is_some_and(|mark| mark.is_read()))
        else {
            continue;
        };
        let (start, end) = (pieces.start(at), pieces.end(at));
        let whole = match (store.start.get(bar), store.end.get(bar)) {
            (Some(start), Some(end)) => end.abs_diff(*start) as f64,
            _ => continue,
        };
        // A bar without weight still is there: a millisecond of it counts as a little.
        let weight = f64::from(store.weight.get(bar).copied().unwrap_or_default()).max(1e-3);
        let (left, right) =
            (view.px(start).max(0.0) / pitch, view.px(end).min(f64::from(view.width())) / pitch);
        if right <= 0.0 || left >= sums.len() as f64 || right < left {
            continue;
        }
        let per_bin = weight / whole * view.ms_per_px() * pitch;
        let (first, last) = (left.floor() as usize, (right.ceil() as usize).max(left.floor() as usize + 1));
        for (bin, sum) in sums.iter_mut().enumerate().take(last).skip(first) {
            let part = right.min(bin as f64 + 1.0) - left.max(bin as f64);
            *sum += per_bin * part.clamp(1e-6, 1.0);
        }
    }
}
