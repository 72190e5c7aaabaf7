//! What is the same in every row of the plot: ground, grid lines, the effective band, stripes, lock tints. One row of
//! each is made per frame and copied down.

use super::marks::Style;
use super::{Scene, ticks};
use crate::overlays::Span;
use crate::palette::{Rgba, mix};

/// Ground and grid lines, over the whole width of the canvas.
pub(super) fn grid(scene: &Scene<'_>, row: &mut Vec<Rgba>) {
    let frame = scene.frame;
    row.clear();
    row.resize(frame.width.max(0) as usize, scene.palette.ground);
    let thick = frame.px(1.0);
    for tick in ticks(scene.view, frame) {
        let colour = if tick.strong() { scene.palette.line_strong } else { scene.palette.line };
        let x = frame.plot.x + scene.view.column(tick.t);
        for at in x.max(frame.plot.x)..(x + thick).min(frame.plot.right()) {
            if let Some(pixel) = row.get_mut(at as usize) {
                *pixel = colour;
            }
        }
    }
}

/// The grid with band, stripes and tints over it.
pub(super) fn band(scene: &Scene<'_>, grid: &[Rgba], row: &mut Vec<Rgba>, style: &Style) {
    row.clear();
    row.extend_from_slice(grid);
    let palette = scene.palette;
    for span in scene.overlays.effective {
        over(scene, row, *span, |pixel, _| mix(pixel, palette.accent_soft, 160));
    }
    let travelled = scene.view.travelled();
    for span in scene.overlays.widened {
        over(scene, row, *span, |pixel, column| {
            let soft = mix(pixel, palette.warn_soft, 210);
            let stripe = (i64::from(column) + travelled).rem_euclid(style.stripe.0) < style.stripe.1;
            if stripe { mix(soft, palette.warn, 150) } else { soft }
        });
    }
}

/// The band with the tints of locks that the run would wait for.
pub(super) fn locked(scene: &Scene<'_>, band: &[Rgba], row: &mut Vec<Rgba>) {
    row.clear();
    row.extend_from_slice(band);
    for lock in scene.overlays.locks.iter().filter(|lock| lock.blocks) {
        over(scene, row, lock.span, |pixel, _| mix(pixel, scene.palette.stop, 22));
    }
}

fn over(scene: &Scene<'_>, row: &mut [Rgba], span: Span, paint: impl Fn(Rgba, i32) -> Rgba) {
    let plot = scene.frame.plot;
    let (from, to) = (scene.view.column(span.start).max(0), scene.view.column(span.end).min(plot.w));
    // A range narrower than a pixel keeps one.
    let to = if span.end > span.start { to.max(from + 1).min(plot.w) } else { to };
    if from >= to {
        return;
    }
    for (column, pixel) in (from..to).zip(row.iter_mut().skip((plot.x + from) as usize)) {
        *pixel = paint(*pixel, column);
    }
}
