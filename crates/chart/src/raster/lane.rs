//! One lane's row: blocks in their flat colour, shared columns in a mixed one, and what must not be missed as ticks at
//! the upper or lower edge, where position says what the colour says.

use super::ink::Canvas;
use super::marks::Style;
use super::walk::{Block, Sink};
use crate::frame::Rect;
use crate::index::Cover;
use crate::mark::Mark;
use crate::palette::{Rgba, mix, rgb};
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

/// Bits a channel has in a spread colour: eight, ten for a share of 1024, two to spare.
pub(super) const SPREAD: u32 = 20;

/// Half of a 1024th in each channel, so that cutting off rounds.
const HALF: u64 = 512 | 512 << SPREAD | 512 << (2 * SPREAD);

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
    fn tick(&mut self, at: i32, edge: Edge) {
        match self.ticks.last_mut() {
            Some(last) if last.edge == edge && last.x1 == at => last.x1 = at + 1,
            _ => self.ticks.push(Tick { x0: at, x1: at + 1, edge }),
        }
    }

    fn clip(&self, x0: i32, x1: i32) -> (i32, i32) {
        (self.plot_x + x0.max(0), self.plot_x + x1.min(self.view.width() as i32))
    }
}

impl Sink for Paint<'_> {
    fn block(&mut self, block: Block) {
        let width = block.x1 - block.x0;
        let detailed = self.style.is_detailed(&block, self.view);
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

    fn column(&mut self, x: i32, cover: &Cover, marks: u16) {
        if x < 0 || x >= self.view.width() as i32 {
            return;
        }
        let at = self.plot_x + x;
        let Some(behind) = self.row.get(at as usize).copied() else { return };
        let of = |index: usize| cover.ms.get(index).copied().unwrap_or_default();
        let (mut total, mut used, mut bits) = (0u64, 0u16, marks);
        while bits != 0 {
            let index = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            total = total.saturating_add(of(index));
            used |= u16::from(of(index) > 0) << index;
        }
        if total == 0 {
            return;
        }
        // Of signed numbers, because machines are quicker at turning those into floating point.
        let total = total.min(i64::MAX as u64) as i64 as f64;
        let first = used.trailing_zeros() as usize;
        let mut urgent = Mark::ALL.get(first).copied().filter(|mark| mark.urgency() > 0);
        let mut colour = self.style.flat_at(first);
        if used.is_power_of_two() {
            if let Some(edge) = urgent.and_then(edges) {
                self.tick(at, edge);
            }
        } else {
            let per_ms = 1024.0 / total;
            let (mut mixed, mut share_of_urgent, mut bits) = (HALF, 0, used);
            while bits != 0 {
                let index = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let share = (of(index) as i64 as f64 * per_ms) as u64;
                mixed += self.style.spread_at(index) * share;
                let Some(mark) = Mark::ALL.get(index).copied().filter(|mark| mark.urgency() > 0) else {
                    continue;
                };
                if urgent.is_none_or(|most| mark.urgency() >= most.urgency()) {
                    urgent = Some(mark);
                    share_of_urgent = share as u32;
                }
                if let Some(edge) = edges(mark) {
                    self.tick(at, edge);
                }
            }
            let channel = |shift: u32| (mixed >> (shift + 10) & 0xff) as u8;
            colour = rgb(channel(0), channel(SPREAD), channel(2 * SPREAD));
            if let Some(mark) = urgent.filter(|_| share_of_urgent < 512) {
                // What must not be missed has at least half of the colour.
                colour = mix(colour, self.style.flat(mark), (512 - share_of_urgent) / 4 + 64);
            }
        }
        let density = (total / self.view.ms_per_px()).min(1.0);
        if let Some(pixel) = self.row.get_mut(at as usize) {
            *pixel = mix(behind, colour, lightness(density, urgent.is_some()));
        }
    }
}

/// Six steps from thin to full; the thinnest can still be seen, and more so what must not be missed.
fn lightness(density: f64, urgent: bool) -> u32 {
    let step = ((density * 6.0 + 0.99) as u32).clamp(1, 6);
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
