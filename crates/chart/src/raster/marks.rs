//! How each mark looks once it is four CSS pixels wide or more. Shape first: every mark differs from every other in its
//! pattern or outline, so that a greyscale print still tells them apart (tests/marks.rs says which pixels carry it).

use super::ink::{Canvas, Corner};
use super::lane::SPREAD;
use super::walk::Block;
use crate::frame::{Frame, Rect};
use crate::mark::Mark;
use crate::palette::{Palette, Rgba, mix};
use crate::view::View;

/// Colours, sizes and patterns derived from a palette and a scale; made once, not per frame.
#[derive(Debug)]
pub(super) struct Style {
    pub(super) palette: Palette,
    pub(super) ground: Rgba,
    /// One CSS pixel, and one and a half, in device pixels.
    pub(super) unit: i32,
    pub(super) stroke: i32,
    /// From here on a block shows its shape.
    pub(super) detail: i32,
    /// Between neighbours.
    pub(super) gap: i32,
    /// Stripes of the widening: period and thickness in pixels.
    pub(super) stripe: (i64, i64),
    pub(super) corner: Corner,
    scale: f64,
    width: i32,
    small_corner: Corner,
    thin_corner: Corner,
    /// Hatching, one period longer than the canvas is wide; a row is a part of it.
    hatch: Vec<Rgba>,
    period: i32,
    flat: [Rgba; Mark::COUNT],
    /// The same with its channels apart, so that one product weighs all three.
    spread: [u64; Mark::COUNT],
}

impl Style {
    pub(super) fn new(palette: &Palette, frame: &Frame) -> Style {
        let scale = frame.scale;
        let period = frame.px(7.0);
        let length = frame.width.max(0) as usize + 2 * period as usize;
        let hatch = (0..length)
            .map(|at| {
                // A line of two pixels at 45° is 2.8 wide in a row; its edge runs over 1.4 pixels.
                let off = (at as f64 % f64::from(period) + 0.5 - f64::from(period) / 2.0).abs();
                let cover = (0.5 + (1.41 * scale - off) / 1.4).clamp(0.0, 1.0);
                mix(palette.ground, palette.hidden, (cover * 256.0) as u32)
            })
            .collect();
        Style {
            palette: *palette,
            ground: palette.ground,
            unit: frame.px(1.0),
            stroke: frame.px(1.5),
            detail: frame.px(4.0),
            gap: frame.px(1.0),
            stripe: (i64::from(frame.px(4.0)), i64::from(frame.px(1.0))),
            corner: Corner::new(frame.px(3.0), f64::from(frame.px(1.5))),
            scale,
            width: frame.width,
            small_corner: Corner::new(frame.px(1.0), 0.0),
            thin_corner: Corner::new(frame.px(3.0), f64::from(frame.px(1.0))),
            hatch,
            period,
            flat: Mark::ALL.map(|mark| flat(palette, mark)),
            spread: Mark::ALL.map(|mark| {
                let [red, green, blue, _] = flat(palette, mark).to_le_bytes().map(u64::from);
                red | green << SPREAD | blue << (2 * SPREAD)
            }),
        }
    }

    /// Whether it was made for these.
    pub(super) fn fits(&self, palette: &Palette, frame: &Frame) -> bool {
        self.palette == *palette && self.scale == frame.scale && self.width == frame.width
    }

    /// Whether a block is wide enough to show its shape.
    pub(super) fn is_detailed(&self, block: &Block, view: &View) -> bool {
        // A sliver that smaller neighbours left of a wider bar cannot.
        block.true_width(view) > f64::from(self.detail) - 0.01 && block.x1 - block.x0 >= self.detail - 1
    }

    /// The colour of a mark too narrow to show its shape.
    pub(super) fn flat(&self, mark: Mark) -> Rgba {
        self.flat_at(mark.index())
    }

    /// The same by the mark's number.
    #[inline]
    pub(super) fn flat_at(&self, index: usize) -> Rgba {
        self.flat.get(index).copied().unwrap_or(self.ground)
    }

    /// The colour of a mark too narrow to show its shape, channels apart.
    #[inline]
    pub(super) fn spread_at(&self, index: usize) -> u64 {
        self.spread.get(index).copied().unwrap_or_default()
    }

    /// The colour that a wide block is filled with before its shape is drawn.
    pub(super) fn body(&self, mark: Mark) -> Rgba {
        match mark {
            Mark::Served | Mark::Appended | Mark::Doubled => self.palette.served,
            Mark::New => self.palette.new,
            Mark::Untouched | Mark::Removed | Mark::Unavailable => self.flat(mark),
            _ => self.ground,
        }
    }
}

fn flat(palette: &Palette, mark: Mark) -> Rgba {
    let p = palette;
    let pale = |colour, cover| mix(p.ground, colour, cover);
    let hidden = pale(p.hidden, 140);
    match mark {
        Mark::Served | Mark::Appended => p.served,
        Mark::Hidden => hidden,
        Mark::New => p.new,
        Mark::Tombstone => pale(p.tomb, 110),
        Mark::Doubled => mix(p.served, p.doubled, 128),
        Mark::EitherTomb => mix(p.new, pale(p.tomb, 110), 128),
        Mark::EitherKept => mix(p.new, hidden, 128),
        Mark::EitherHidden => mix(p.served, hidden, 128),
        Mark::Incomplete => pale(p.served, 96),
        Mark::BornHidden => mix(hidden, p.new, 80),
        Mark::HiddenTombstone => mix(hidden, p.tomb, 48),
        Mark::Removed => pale(p.stop, 72),
        Mark::Unavailable => pale(p.served, 84),
        Mark::Untouched => pale(p.served, 72),
    }
}

/// Draws the shape of a block on its lane. `behind` is the row of the canvas that lies under the lanes.
pub(super) fn detail(
    canvas: &mut Canvas<'_>,
    bars: Rect,
    block: &Block,
    view: &View,
    style: &Style,
    behind: &[Rgba],
) {
    let rect = Rect { x: bars.x + block.x0, y: bars.y, w: block.x1 - block.x0 - style.gap, h: bars.h };
    let least = 8 * style.unit;
    let roomy = block.true_width(view) > f64::from(least + style.gap) - 0.01
        && rect.w >= least - 1
        && rect.h >= least;
    let shape = Shape { rect, block, view, style, plot_x: bars.x, roomy };
    match block.mark {
        Mark::Served | Mark::Untouched => {}
        Mark::Hidden => shape.hidden(canvas, rect),
        Mark::New => shape.inset(canvas),
        Mark::Tombstone => shape.tombstone(canvas),
        Mark::Appended => shape.appended(canvas, false, behind),
        Mark::Doubled => shape.appended(canvas, true, behind),
        Mark::EitherTomb => shape.either(canvas, style.palette.new, style.palette.tomb, false),
        Mark::EitherKept => shape.either(canvas, style.palette.new, style.palette.hidden, true),
        Mark::EitherHidden => shape.either(canvas, style.palette.served, style.palette.hidden, true),
        Mark::Incomplete => shape.incomplete(canvas),
        Mark::BornHidden => shape.born_hidden(canvas),
        Mark::HiddenTombstone => shape.hidden_tombstone(canvas),
        Mark::Removed => shape.removed(canvas),
        Mark::Unavailable => shape.unavailable(canvas),
    }
    // Dashes would be eaten by the rounding.
    if !matches!(block.mark, Mark::Incomplete | Mark::BornHidden | Mark::Unavailable) {
        let corner = if roomy { &style.corner } else { &style.small_corner };
        corner.cut(canvas, rect, behind, 0);
    }
}

struct Shape<'a> {
    rect: Rect,
    block: &'a Block,
    view: &'a View,
    style: &'a Style,
    plot_x: i32,
    roomy: bool,
}

impl Shape<'_> {
    /// The true left and right edge on the canvas, however far outside: diagonals and thirds are drawn to them.
    fn edges(&self) -> (f64, f64) {
        let at = |column: i32, t: i64| {
            let inside = column >= 0 && column <= self.view.width() as i32;
            f64::from(self.plot_x) + if inside { f64::from(column) } else { self.view.px(t).floor() }
        };
        (at(self.block.x0, self.block.start), at(self.block.x1, self.block.end) - f64::from(self.style.gap))
    }

    fn hatch(&self, canvas: &mut Canvas<'_>, rect: Rect) {
        let anchor = i64::from(rect.x - self.plot_x) + self.view.travelled();
        for y in canvas.rows(rect.y, rect.bottom()) {
            let phase = (anchor + i64::from(y - self.rect.y)).rem_euclid(i64::from(self.style.period));
            let Some((run, cut)) = canvas.run(y, rect.x, rect.right()) else { continue };
            // `cut` may be more than a period.
            let from = (phase as usize + cut) % self.style.period as usize;
            if let Some(pattern) = self.style.hatch.get(from..from + run.len()) {
                run.copy_from_slice(pattern);
            }
        }
    }

    fn outline(&self, canvas: &mut Canvas<'_>, rect: Rect, thick: i32, colour: Rgba) {
        if !self.roomy {
            canvas.frame(rect, thick, colour);
        } else if thick == self.style.unit {
            self.style.thin_corner.frame(canvas, rect, thick, colour);
        } else {
            self.style.corner.frame(canvas, rect, thick, colour);
        }
    }

    fn hidden(&self, canvas: &mut Canvas<'_>, rect: Rect) {
        self.hatch(canvas, rect);
        if self.roomy {
            self.outline(canvas, rect, self.style.unit, self.style.palette.hidden);
        } else {
            let Rect { x, w, .. } = rect;
            let h = self.style.unit;
            canvas.fill(Rect { x, y: rect.y, w, h }, self.style.palette.hidden);
            canvas.fill(Rect { x, y: rect.bottom() - h, w, h }, self.style.palette.hidden);
        }
    }

    /// New data: a light line inside the edge. Without it served and new would be one grey.
    fn inset(&self, canvas: &mut Canvas<'_>) {
        let (rect, unit) = (self.rect, self.style.unit);
        let light = self.light_new();
        let inner =
            Rect { x: rect.x + 2 * unit, y: rect.y + 2 * unit, w: rect.w - 4 * unit, h: rect.h - 4 * unit };
        if self.roomy {
            canvas.frame(inner, unit, light);
        } else {
            let (x, w) = (rect.x + unit, rect.w - 2 * unit);
            canvas.fill(Rect { x, y: inner.y, w, h: unit }, light);
            canvas.fill(Rect { x, y: inner.bottom() - unit, w, h: unit }, light);
        }
    }

    fn light_new(&self) -> Rgba {
        mix(self.style.palette.new, self.style.ground, 190)
    }

    fn cross(&self, canvas: &mut Canvas<'_>, colour: Rgba, thick: f64) {
        let pad = f64::from(4 * self.style.unit);
        let (left, right) = self.edges();
        let (top, bottom) = (f64::from(self.rect.y), f64::from(self.rect.bottom()));
        let (left, right) = if right - left > 3.0 * pad { (left + pad, right - pad) } else { (left, right) };
        let (top, bottom) = if bottom - top > 3.0 * pad { (top + pad, bottom - pad) } else { (top, bottom) };
        let thick = thick * self.style.scale;
        canvas.line((left, top), (right, bottom), thick, colour, 190);
        canvas.line((left, bottom), (right, top), thick, colour, 190);
    }

    fn tombstone(&self, canvas: &mut Canvas<'_>) {
        let tomb = self.style.palette.tomb;
        let thick = if self.roomy { self.style.stroke } else { self.style.unit };
        self.cross(&mut canvas.clipped_to(self.rect), tomb, 1.0);
        self.outline(canvas, self.rect, thick, tomb);
        if !self.roomy {
            // Too narrow for a cross to be read: the foot that stands for it further out.
            let h = (self.rect.h / 4).clamp(2, 3 * self.style.unit);
            canvas.fill(Rect { y: self.rect.bottom() - h, h, ..self.rect }, tomb);
        }
    }

    fn hidden_tombstone(&self, canvas: &mut Canvas<'_>) {
        self.hidden(canvas, self.rect);
        // Against the hatching it has to be stronger than in an empty frame.
        let dark = mix(self.style.palette.hidden, self.style.palette.ink, 150);
        self.cross(&mut canvas.clipped_to(self.rect), dark, 1.6);
    }

    fn appended(&self, canvas: &mut Canvas<'_>, doubled: bool, behind: &[Rgba]) {
        let (rect, style) = (self.rect, self.style);
        let unit = style.unit;
        let purple = style.palette.doubled;
        let bar = if doubled { 4 * unit } else { 3 * unit }.min(rect.h / 4).max(2);
        let air = if doubled { 0 } else { (2 * unit).min(rect.h / 6) };
        // The bar on top stands off the body, so that it is seen without its colour.
        for y in canvas.rows(rect.y + bar, rect.y + bar + air) {
            if let Some((run, cut)) = canvas.run(y, rect.x, rect.right())
                && let Some(back) = behind.get((rect.x.max(0) as usize).max((rect.x + cut as i32) as usize)..)
            {
                for (pixel, back) in run.iter_mut().zip(back) {
                    *pixel = *back;
                }
            }
        }
        let body = Rect { y: rect.y + bar + air, h: rect.h - bar - air, ..rect };
        self.dots(canvas, body);
        canvas.fill(Rect { h: bar, ..rect }, purple);
        if doubled {
            let thick = if self.roomy { 2 * unit } else { unit };
            self.outline(canvas, rect, thick.min(style.stroke.max(unit)), purple);
        }
    }

    fn dots(&self, canvas: &mut Canvas<'_>, body: Rect) {
        let scale = self.style.scale;
        let pitch = self.style.unit * 6;
        let light = mix(self.style.palette.served, self.style.ground, 230);
        let radius = 1.25 * scale;
        let reach = radius.ceil() as i32;
        let first = self.edges().0;
        // Whole pitches left of what can be seen.
        let skip = ((f64::from(body.x) - first) / f64::from(pitch)).floor().max(0.0) * f64::from(pitch);
        let left = (first + skip) as i32;
        let mut canvas = canvas.clipped_to(body);
        for cy in (body.y + pitch / 2..body.bottom() - reach).step_by(pitch as usize) {
            for cx in (left + pitch / 2..body.right() + pitch).step_by(pitch as usize) {
                if cx + reach > body.right() && body.right() - body.x > pitch {
                    continue;
                }
                for dy in -reach..=reach {
                    for dx in -reach..=reach {
                        let far = (f64::from(dx * dx + dy * dy)).sqrt();
                        let cover = ((radius - far + 0.5).clamp(0.0, 1.0) * 256.0) as u32;
                        canvas.dot(cx + dx, cy + dy, light, cover);
                    }
                }
            }
        }
    }

    /// Upper left one thing, lower right the other.
    fn either(&self, canvas: &mut Canvas<'_>, one: Rgba, edge: Rgba, hatched: bool) {
        let (rect, style) = (self.rect, self.style);
        if hatched {
            self.hatch(canvas, rect);
        }
        let thick = if self.roomy { style.stroke } else { style.unit };
        self.outline(canvas, rect, thick, edge);
        let (left, right) = self.edges();
        let slope = (right - left) / f64::from(rect.h.max(1));
        let unit = style.unit;
        let light = self.light_new();
        for y in canvas.rows(rect.y, rect.bottom()) {
            let end = right - (f64::from(y - rect.y) + 0.5) * slope;
            let to = end.clamp(f64::from(rect.x), f64::from(rect.right()));
            let whole = to.floor() as i32;
            canvas.fill(Rect { x: rect.x, y, w: whole - rect.x, h: 1 }, one);
            if whole < rect.right() {
                canvas.dot(whole, y, one, ((to - f64::from(whole)) * 256.0) as u32);
            }
            // New data has its light line inside the edge here too.
            let room = whole - 6 * unit - (rect.x + 2 * unit);
            if one == style.palette.new && self.roomy && room > 0 && y >= rect.y + 2 * unit {
                let w = if y < rect.y + 3 * unit { room } else { unit };
                canvas.fill(Rect { x: rect.x + 2 * unit, y, w, h: 1 }, light);
            }
        }
        let (top, bottom) = (f64::from(rect.y), f64::from(rect.bottom()));
        let mut inside = canvas.clipped_to(rect);
        inside.line((left, bottom), (right, top), f64::from(style.stroke) * 1.2, edge, 256);
    }

    fn incomplete(&self, canvas: &mut Canvas<'_>) {
        let (rect, style) = (self.rect, self.style);
        let served = style.palette.served;
        let (left, right) = self.edges();
        let pad = if self.roomy { 3 * style.unit } else { 0 };
        let third = (left + (right - left) / 3.0).clamp(f64::from(rect.x), f64::from(rect.right())) as i32;
        let fill = Rect { x: rect.x + pad, y: rect.y + pad, w: third - rect.x - pad, h: rect.h - 2 * pad };
        canvas.fill(fill, mix(style.ground, served, 128));
        let (on, off) = (4 * style.unit, 3 * style.unit);
        self.dashed(canvas, on, off, served);
    }

    fn born_hidden(&self, canvas: &mut Canvas<'_>) {
        self.hatch(canvas, self.rect);
        self.dashed(canvas, 4 * self.style.unit, 3 * self.style.unit, self.style.palette.new);
    }

    /// A dashed outline anchored to the bar's own left edge.
    fn dashed(&self, canvas: &mut Canvas<'_>, on: i32, off: i32, colour: Rgba) {
        let (left, _) = self.edges();
        let period = on + off;
        // A bar that begins far to the left: keep the phase, not the distance.
        let phase = ((f64::from(self.rect.x) - left) % f64::from(period)) as i32;
        let mut rect = self.rect;
        rect.x -= phase;
        rect.w += phase;
        let thick = if self.roomy { self.style.stroke } else { self.style.unit };
        canvas.dashes(rect, thick, on, off, colour);
    }

    fn removed(&self, canvas: &mut Canvas<'_>) {
        let (rect, style) = (self.rect, self.style);
        self.outline(canvas, rect, style.unit, mix(style.ground, style.palette.stop, 150));
        let h = style.stroke.max(2);
        canvas.fill(Rect { y: rect.y + (rect.h - h) / 2, h, ..rect }, style.palette.stop);
    }

    fn unavailable(&self, canvas: &mut Canvas<'_>) {
        let dot = self.style.stroke;
        self.dashed(canvas, dot, dot, self.style.palette.served);
    }
}

impl Canvas<'_> {
    /// The same canvas, clipped to a rectangle as well.
    fn clipped_to(&mut self, rect: Rect) -> Canvas<'_> {
        let clip = self.clip_of(rect);
        self.clipped(clip)
    }
}
