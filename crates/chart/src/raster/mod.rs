//! One picture: bars, overlays, grid and overview into one buffer of RGBA words.
//!
//! A `Raster` owns the buffer and all scratch space; after the first frame of a size nothing is allocated. The order of
//! painting is the order of the modules: `backdrop` (grid, band, stripes), `lane` (bars), `marks` (what makes a mark
//! itself), `overlay` (bracket, locks, selection), `strip` (overview). It draws no text.

mod backdrop;
mod ink;
mod lane;
mod marks;
mod overlay;
mod strip;
pub(crate) mod walk;

use crate::axis;
use crate::frame::{Frame, Rect};
use crate::index::with_pieces;
use crate::overlays::Overlays;
use crate::overview::Overview;
use crate::palette::{Palette, Rgba};
use crate::store::Store;
use crate::view::View;
use ink::Canvas;
use lane::Paint;
use marks::Style;
pub(crate) use strip::LEAST_WINDOW;

/// What a picture is made of.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The bars.
    pub store: &'a Store,
    /// Which times; as wide as the frame's plot.
    pub view: &'a View,
    /// Where on the canvas.
    pub frame: &'a Frame,
    /// Colours.
    pub palette: &'a Palette,
    /// Everything that is not a bar.
    pub overlays: Overlays<'a>,
    /// The strip of all time, if the frame has one.
    pub overview: Option<&'a Overview>,
}

/// The pixel buffer and the scratch space to fill it.
#[derive(Debug, Default)]
pub struct Raster {
    pixels: Vec<Rgba>,
    scratch: Scratch,
    style: Option<Style>,
}

/// Rows that are reused from frame to frame.
#[derive(Debug, Default)]
struct Scratch {
    /// One row of the canvas behind everything: ground and grid lines.
    grid: Vec<Rgba>,
    /// The same with band and stripes.
    band: Vec<Rgba>,
    /// The same with the tints of locks: what lies under the lanes.
    under: Vec<Rgba>,
    /// One row of the lane in work.
    row: Vec<Rgba>,
    blocks: Vec<walk::Block>,
    ticks: Vec<lane::Tick>,
}

impl Raster {
    /// An empty buffer.
    pub fn new() -> Raster {
        Raster::default()
    }

    /// Draws a scene and answers its pixels, row by row, `frame.width` by `frame.height`.
    pub fn draw(&mut self, scene: &Scene<'_>) -> &[Rgba] {
        let Scene { store, view, frame, palette, .. } = *scene;
        let (width, height) = (frame.width.max(0) as usize, frame.height.max(0) as usize);
        self.pixels.resize(width * height, palette.ground);
        let style = match self.style.take() {
            Some(style) if style.fits(palette, frame) => style,
            _ => Style::new(palette, frame),
        };
        let Scratch { grid, band, under, row, blocks, ticks } = &mut self.scratch;
        backdrop::grid(scene, grid);
        backdrop::band(scene, grid, band, &style);
        backdrop::locked(scene, band, under);

        // Everything that no lane covers.
        let plot = frame.plot;
        let area = frame.lanes.area;
        let band_top = if frame.bracket.h > 0 { frame.bracket.y } else { plot.y };
        let beam = overlay::beam(frame);
        let mut rows = self.pixels.chunks_exact_mut(width.max(1));
        for y in 0..frame.height {
            let Some(pixels) = rows.next() else { break };
            if y < plot.y || y >= plot.bottom() {
                pixels.fill(palette.ground);
            } else if y < band_top {
                pixels.copy_from_slice(grid);
            } else if y < beam {
                pixels.copy_from_slice(band);
            } else if lane_at(frame, view.scroll, y).is_none() {
                pixels.copy_from_slice(under);
            }
        }

        for number in frame.lanes.visible(view.scroll) {
            let (top, bottom) = frame.lanes.bars(number, view.scroll);
            let bars = Rect { x: plot.x, y: top, w: plot.w, h: bottom - top };
            row.clone_from(under);
            blocks.clear();
            ticks.clear();
            if let Some(lane) = store.lanes.get(number as usize) {
                let mut paint =
                    Paint { view, plot_x: plot.x, row, style: &style, blocks, ticks, gap_before: i32::MIN };
                with_pieces!(store.seen(lane), pieces => walk::walk(store, lane, pieces, view, &mut paint));
            }
            let from = top.max(area.y).max(0) as usize * width;
            let to = bottom.min(area.bottom()).max(0) as usize * width;
            if let Some(rows) = self.pixels.get_mut(from.min(to)..to) {
                for pixels in rows.chunks_exact_mut(width.max(1)) {
                    pixels.copy_from_slice(row);
                }
            }
            let clip =
                Rect { y: bars.y.max(area.y), h: bottom.min(area.bottom()) - bars.y.max(area.y), ..bars };
            let mut canvas = Canvas::new(&mut self.pixels, width, clip);
            lane::ticks(&mut canvas, bars, ticks, &style);
            for block in blocks.iter() {
                marks::detail(&mut canvas, bars, block, view, &style, under);
            }
        }

        let whole = Rect { x: 0, y: 0, w: frame.width, h: frame.height };
        let mut canvas = Canvas::new(&mut self.pixels, width, whole);
        overlay::draw(&mut canvas, scene, &style);
        if let Some(overview) = scene.overview.filter(|_| frame.overview.h > 0) {
            strip::draw(&mut canvas, scene, overview, &style);
        }
        self.style = Some(style);
        &self.pixels
    }

    /// The pixels of the last picture.
    pub fn pixels(&self) -> &[Rgba] {
        &self.pixels
    }
}

/// The lane whose bars cover row `y`, not counting captions and gaps.
fn lane_at(frame: &Frame, scroll: i32, y: i32) -> Option<u32> {
    let lane = frame.lanes.at(f64::from(y), scroll)?;
    let (top, bottom) = frame.lanes.bars(lane, scroll);
    (y >= top && y < bottom).then_some(lane)
}

/// How far tick labels must be apart in a frame, in device pixels, and whether they are the short ones.
pub fn tick_spacing(frame: &Frame) -> (f64, bool) {
    let short = f64::from(frame.plot.w) < 560.0 * frame.scale;
    (if short { 38.0 } else { 76.0 } * frame.scale, short)
}

/// The ticks of a scene, as they are drawn.
pub fn ticks(view: &View, frame: &Frame) -> axis::Ticks {
    axis::ticks(view, tick_spacing(frame).0)
}
