//! The strip of all time: its histogram, the effective range, and the window of the chart as a frame.

use super::Scene;
use super::ink::{Canvas, Corner};
use super::marks::Style;
use crate::frame::Rect;
use crate::overview::Overview;
use crate::palette::mix;

/// The least width of the window's frame, CSS pixels, so that it can be seen and taken.
pub(crate) const LEAST_WINDOW: f64 = 10.0;

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, overview: &Overview, style: &Style) {
    let strip = scene.frame.overview;
    let palette = &style.palette;
    let unit = style.unit;
    canvas.fill(Rect { y: strip.bottom() - unit, h: unit, ..strip }, palette.line_strong);
    let colour = mix(palette.ground, palette.served, 140);
    {
        let mut canvas = canvas.clipped(strip);
        for (at, height) in overview.heights.iter().enumerate() {
            let h = (f64::from(*height) * f64::from(strip.h)).ceil() as i32;
            let x = strip.x + at as i32 * overview.pitch;
            canvas.fill(Rect { x, y: strip.bottom() - h, w: overview.pitch - unit, h }, colour);
        }
    }
    let tall = Rect { y: strip.y - 3 * unit, h: strip.h + 6 * unit, ..strip };
    for span in scene.overlays.effective {
        let (x0, x1) = (overview.view().column(span.start), overview.view().column(span.end));
        let (x0, x1) = (x0.max(0), x1.max(x0 + 2 * unit).min(strip.w));
        canvas.clipped(tall).tint(Rect { x: strip.x + x0, w: x1 - x0, ..tall }, palette.new, 90);
    }
    let (left, right) = overview.window(scene.view, LEAST_WINDOW * scene.frame.scale);
    let window = Rect { x: strip.x + left.round() as i32, w: (right - left).round() as i32, ..tall };
    for (x, w) in [(strip.x, window.x - strip.x), (window.right(), strip.right() - window.right())] {
        canvas.tint(Rect { x, w, ..strip }, palette.ground, 90);
    }
    let corner: &Corner = &style.corner;
    if window.w > 2 * corner.radius() {
        corner.frame(canvas, window, style.stroke, palette.accent);
    } else {
        canvas.frame(window, style.stroke, palette.accent);
    }
}
