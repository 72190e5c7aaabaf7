//! What lies over the bars: the typed bracket with its grips, lock posts, the sweep, selection.

use super::Scene;
use super::ink::Canvas;
use super::marks::Style;
use crate::frame::{Frame, Rect};
use crate::overlays::{Pick, Span};
use crate::palette::Rgba;

pub(super) fn draw(canvas: &mut Canvas<'_>, scene: &Scene<'_>, style: &Style) {
    let frame = scene.frame;
    let plot = frame.plot;
    let overlays = &scene.overlays;
    for lock in overlays.locks {
        posts(canvas, scene, style, lock.span, lock.blocks);
    }
    for span in overlays.typed {
        bracket(canvas, scene, style, *span);
    }
    if let Some(pick) = overlays.selection {
        pick_frame(canvas, scene, pick, 2 * style.unit, style.palette.accent);
    }
    if let Some(span) = overlays.sweep {
        let (x0, x1) = columns(scene, span);
        let rect = Rect { x: plot.x + x0, y: plot.y, w: x1 - x0, h: plot.h };
        let mut canvas = canvas.clipped(plot);
        canvas.tint(rect, style.palette.accent, 48);
        canvas.fill(Rect { w: style.unit, ..rect }, style.palette.accent);
        canvas.fill(Rect { x: rect.right() - style.unit, w: style.unit, ..rect }, style.palette.accent);
    }
}

/// The columns of a span, at least one.
fn columns(scene: &Scene<'_>, span: Span) -> (i32, i32) {
    let (x0, x1) = (scene.view.column(span.start), scene.view.column(span.end));
    (x0, x1.max(x0 + 1))
}

/// A line over the typed range with a grip at each end that is in view.
fn bracket(canvas: &mut Canvas<'_>, scene: &Scene<'_>, style: &Style, span: Span) {
    let row = scene.frame.bracket;
    if row.h == 0 {
        return;
    }
    let (x0, x1) = columns(scene, span);
    let (x0, x1) = (scene.frame.plot.x + x0, scene.frame.plot.x + x1);
    let y = row.y + 2 * style.unit;
    let ink = style.palette.ink;
    canvas.clipped(scene.frame.plot).fill(Rect { x: x0, y, w: x1 - x0, h: style.stroke }, ink);
    // Grips may stand half out of the plot, so that an edge at its border can still be taken.
    let plot = scene.frame.plot;
    let room = Rect { x: plot.x - 4 * style.unit, w: plot.w + 8 * style.unit, ..plot };
    let grip = |x: i32| Rect { x, y: y - style.unit, w: 3 * style.unit, h: 12 * style.unit };
    let mut canvas = canvas.clipped(room);
    canvas.fill(grip(x0 - style.unit), ink);
    canvas.fill(grip(x1 - 2 * style.unit), ink);
}

/// The row where locks begin.
pub(super) fn beam(frame: &Frame) -> i32 {
    if frame.locks.h > 0 { frame.locks.bottom() - frame.px(6.0) } else { frame.lanes.area.y }
}

/// A lock: posts over the whole height and a beam in its row; dashed when the run can live with it.
fn posts(canvas: &mut Canvas<'_>, scene: &Scene<'_>, style: &Style, span: Span, blocks: bool) {
    let frame = scene.frame;
    let plot = frame.plot;
    let (x0, x1) = columns(scene, span);
    let y = beam(frame);
    let rect = Rect { x: plot.x + x0, y, w: x1 - x0, h: plot.bottom() - y };
    let colour = style.palette.stop;
    let mut canvas = canvas.clipped(plot);
    if blocks {
        canvas.fill(Rect { h: style.stroke, ..rect }, colour);
        canvas.fill(Rect { w: style.stroke, ..rect }, colour);
        canvas.fill(Rect { x: rect.right() - style.stroke, w: style.stroke, ..rect }, colour);
    } else {
        // One long dashed frame whose foot lies below the plot.
        let open = Rect { h: rect.h + 4 * style.stroke, ..rect };
        canvas.dashes(open, style.stroke, 4 * style.unit, 4 * style.unit, colour);
    }
}

fn pick_frame(canvas: &mut Canvas<'_>, scene: &Scene<'_>, pick: Pick, thick: i32, colour: Rgba) {
    let frame = scene.frame;
    if pick.lane >= frame.lanes.count {
        return;
    }
    let (top, bottom) = frame.lanes.bars(pick.lane, scene.view.scroll);
    let (x0, x1) = columns(scene, pick.span);
    let plot = frame.plot;
    let out = thick;
    let rect = Rect { x: plot.x + x0 - out, y: top - out, w: x1 - x0 + 2 * out, h: bottom - top + 2 * out };
    let area = frame.lanes.area;
    let room = Rect { x: plot.x, y: area.y - out, w: plot.w, h: area.h + 2 * out };
    canvas.clipped(room).frame(rect, thick, colour);
}
