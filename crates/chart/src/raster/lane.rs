//! One lane's row: blocks in their flat colour, shared columns in a mixed one, and what must not be missed as ticks at
//! the upper or lower edge, where position says what the colour says.

use super::ink::Canvas;
use super::marks::Style;
use super::walk::{Block, Sink};
use crate::frame::Rect;
use crate::index::Cover;
use crate::mark::Mark;
use crate::palette::{Rgba, mix};
use crate::view::View;

/// A mark too narrow for its shape, shown by a short bar at the edge of the lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tick {
    /// First column of the canvas and the first after it.
    pub(super) x0: i32,
    pub(super) x1: i32,
    pub(super) edge: Edge,
}

/// Where a tick sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// Rows were added: along the top, as the bar over an appended block.
    Added,
    /// Emptied: along the bottom.
    Emptied,
}

fn edges(mark: Mark) -> Option<Edge> {
    match mark {
        Mark::Appended | Mark::Doubled => Some(Edge::Added),
        Mark::Tombstone | Mark::EitherTomb => Some(Edge::Emptied),
        _ => None,
    }
}

/// Paints a lane's row.
pub(super) struct Paint<'a> {
    pub(super) view: &'a View,
    pub(super) plot_x: i32,
    pub(super) row: &'a mut [Rgba],
    pub(super) style: &'a Style,
    pub(super) blocks: &'a mut Vec<Block>,
    pub(super) ticks: &'a mut Vec<Tick>,
    /// Where the last block that left a gap ends.
    pub(super) gap_before: i32,
}

impl Paint<'_> {
    fn clip(&self, x0: i32, x1: i32) -> (i32, i32) {
        (self.plot_x + x0.max(0), self.plot_x + x1.min(self.view.width() as i32))
    }
}

impl Sink for Paint<'_> {
    fn block(&mut self, block: Block) {
        let width = block.x1 - block.x0;
        let detailed = width >= self.style.detail;
        let gap = if detailed { self.style.gap } else { 0 };
        if self.gap_before == block.x0 {
            // Between neighbours lies the ground: stripes seen through a comb of gaps would only flicker.
            let (from, to) = self.clip(block.x0 - self.style.gap, block.x0);
            if let Some(run) = self.row.get_mut(from as usize..to.max(from) as usize) {
                run.fill(self.style.ground);
            }
        }
        self.gap_before = if detailed { block.x1 } else { i32::MIN };
        let (from, to) = self.clip(block.x0, block.x1 - gap);
        if from < to
            && let Some(run) = self.row.get_mut(from as usize..to as usize)
        {
            run.fill(if detailed { self.style.body(block.mark) } else { self.style.flat(block.mark) });
            // Neighbours narrower than a gap allows keep a seam.
            if !detailed
                && block.x1 - gap == block.x0 + width
                && to == self.plot_x + block.x1
                && let Some(last) = run.last_mut()
            {
                *last = mix(*last, self.style.ground, if width > 2 { 96 } else { 64 });
            }
        }
        if detailed {
            self.blocks.push(block);
        } else if let Some(edge) = edges(block.mark) {
            self.ticks.push(Tick { x0: from, x1: to, edge });
        }
    }

    fn column(&mut self, x: i32, cover: &Cover) {
        if x < 0 || x >= self.view.width() as i32 {
            return;
        }
        let total = cover.ms.iter().fold(0u64, |sum, ms| sum.saturating_add(*ms)) as f64;
        let at = self.plot_x + x;
        let Some(pixel) = self.row.get_mut(at as usize).filter(|_| total > 0.0) else { return };
        let mut most: Option<(Mark, f64)> = None;
        let mut mixed = [0f64; 3];
        for (mark, ms) in Mark::ALL.into_iter().zip(cover.ms).filter(|(_, ms)| *ms > 0) {
            let share = ms as f64 / total;
            for (sum, channel) in mixed.iter_mut().zip(channels(self.style.flat(mark))) {
                *sum += channel * share;
            }
            if mark.urgency() > most.map_or(0, |(mark, _)| mark.urgency()) {
                most = Some((mark, share));
            }
            if let Some(edge) = edges(mark) {
                self.ticks.push(Tick { x0: at, x1: at + 1, edge });
            }
        }
        let [red, green, blue] = mixed.map(|channel| channel.round() as u8);
        let mut colour = crate::palette::rgb(red, green, blue);
        if let Some((mark, share)) = most.filter(|(_, share)| *share < 0.5) {
            // What must not be missed has at least half of the colour.
            colour = mix(colour, self.style.flat(mark), ((0.5 - share) * 2.0 * 128.0) as u32 + 64);
        }
        let density = (total / self.view.ms_per_px()).min(1.0);
        *pixel = mix(*pixel, colour, lightness(density, most.is_some()));
    }
}

fn channels(colour: Rgba) -> [f64; 3] {
    let [red, green, blue, _] = colour.to_le_bytes();
    [f64::from(red), f64::from(green), f64::from(blue)]
}

/// Six steps from thin to full; the thinnest can still be seen, and more so what must not be missed.
fn lightness(density: f64, urgent: bool) -> u32 {
    let step = (density * 6.0 - 0.01).ceil().clamp(1.0, 6.0) as u32;
    if urgent { 256 - (6 - step) * 12 } else { 256 - (6 - step) * 26 }
}

/// Draws the ticks of a lane.
pub(super) fn ticks(canvas: &mut Canvas<'_>, bars: Rect, ticks: &[Tick], style: &Style) {
    let height = (bars.h / 4).clamp(2, 3 * style.unit);
    for tick in ticks {
        let (y, colour) = match tick.edge {
            Edge::Added => (bars.y, style.palette.doubled),
            Edge::Emptied => (bars.bottom() - height, style.palette.tomb),
        };
        canvas.fill(Rect { x: tick.x0, y, w: tick.x1 - tick.x0, h: height }, colour);
    }
}
