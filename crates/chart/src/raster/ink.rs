//! Putting colour on pixels: clipped rectangles, blended points, lines at any angle, rounded corners, dashes.
//!
//! Nothing here knows what is drawn. Everything is clipped, so that callers may pass what lies far outside.

use crate::frame::Rect;
use crate::palette::{Rgba, mix};

/// A pixel buffer with a clip.
pub(super) struct Canvas<'a> {
    pixels: &'a mut [Rgba],
    stride: usize,
    clip: Rect,
}

impl<'a> Canvas<'a> {
    /// `stride` pixels a row; nothing outside `clip` is touched.
    pub(super) fn new(pixels: &'a mut [Rgba], stride: usize, clip: Rect) -> Canvas<'a> {
        Canvas { pixels, stride, clip }
    }

    /// The same pixels with another clip.
    pub(super) fn clipped(&mut self, clip: Rect) -> Canvas<'_> {
        Canvas { pixels: self.pixels, stride: self.stride, clip }
    }

    /// What of `rect` lies in the clip.
    pub(super) fn clip_of(&self, rect: Rect) -> Rect {
        let (x, y) = (rect.x.max(self.clip.x), rect.y.max(self.clip.y));
        let (right, bottom) = (rect.right().min(self.clip.right()), rect.bottom().min(self.clip.bottom()));
        Rect { x, y, w: (right - x).max(0), h: (bottom - y).max(0) }
    }

    /// Rows of the clip among `from..to`.
    pub(super) fn rows(&self, from: i32, to: i32) -> std::ops::Range<i32> {
        from.max(self.clip.y)..to.min(self.clip.bottom())
    }

    /// The pixels of row `y` from `x0` to `x1`, as far as they lie in the clip, and how many were cut off on the left.
    #[inline]
    pub(super) fn run(&mut self, y: i32, x0: i32, x1: i32) -> Option<(&mut [Rgba], usize)> {
        let (from, to) = (x0.max(self.clip.x), x1.min(self.clip.right()));
        if y < self.clip.y || y >= self.clip.bottom() || from >= to {
            return None;
        }
        let row = y as usize * self.stride;
        Some((self.pixels.get_mut(row + from as usize..row + to as usize)?, (from - x0) as usize))
    }

    /// Covers a rectangle.
    #[inline]
    pub(super) fn fill(&mut self, rect: Rect, colour: Rgba) {
        for y in self.rows(rect.y, rect.bottom()) {
            if let Some((run, _)) = self.run(y, rect.x, rect.right()) {
                run.fill(colour);
            }
        }
    }

    /// Mixes a colour over a rectangle, `cover` of 256.
    pub(super) fn tint(&mut self, rect: Rect, colour: Rgba, cover: u32) {
        for y in self.rows(rect.y, rect.bottom()) {
            if let Some((run, _)) = self.run(y, rect.x, rect.right()) {
                for pixel in run {
                    *pixel = mix(*pixel, colour, cover);
                }
            }
        }
    }

    /// Mixes a colour over one pixel.
    #[inline]
    pub(super) fn dot(&mut self, x: i32, y: i32, colour: Rgba, cover: u32) {
        if let Some(([pixel], _)) = self.run(y, x, x + 1) {
            *pixel = mix(*pixel, colour, cover);
        }
    }

    /// An antialiased line; `cover` of 256 where it is full.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), thick: f64, colour: Rgba, cover: u32) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        if !(dx.is_finite() && dy.is_finite()) || (dx == 0.0 && dy == 0.0) {
            return;
        }
        let flat = dx.abs() >= dy.abs();
        // Walk the longer axis `a`; across it the line is as thick as its slope makes it.
        let (a0, b0, da, db) = if flat { (from.0, from.1, dx, dy) } else { (from.1, from.0, dy, dx) };
        let slope = db / da;
        let half = thick * (1.0 + slope * slope).sqrt() / 2.0;
        let clip = if flat {
            (f64::from(self.clip.x), f64::from(self.clip.right()))
        } else {
            (f64::from(self.clip.y), f64::from(self.clip.bottom()))
        };
        let (low, high) = (a0.min(a0 + da).max(clip.0), a0.max(a0 + da).min(clip.1));
        for a in low.floor() as i32..high.ceil() as i32 {
            let middle = b0 + (f64::from(a) + 0.5 - a0) * slope;
            let (first, last) = (middle - half, middle + half);
            for b in first.floor() as i32..last.ceil() as i32 {
                let part = (last.min(f64::from(b) + 1.0) - first.max(f64::from(b))).clamp(0.0, 1.0);
                let (x, y) = if flat { (a, b) } else { (b, a) };
                self.dot(x, y, colour, (part * f64::from(cover)) as u32);
            }
        }
    }

    /// The four sides of a rectangle, inside of it, with square corners.
    pub(super) fn frame(&mut self, rect: Rect, thick: i32, colour: Rgba) {
        let thick = thick.min(rect.w / 2 + rect.w % 2).min(rect.h / 2 + rect.h % 2);
        self.fill(Rect { h: thick, ..rect }, colour);
        self.fill(Rect { y: rect.bottom() - thick, h: thick, ..rect }, colour);
        self.fill(Rect { w: thick, ..rect }, colour);
        self.fill(Rect { x: rect.right() - thick, w: thick, ..rect }, colour);
    }

    /// The four sides of a rectangle in dashes of `on` pixels with `off` between, anchored at its left upper corner.
    pub(super) fn dashes(&mut self, rect: Rect, thick: i32, on: i32, off: i32, colour: Rgba) {
        let (on, period) = (on.max(1), (on + off).max(1));
        // Only what can be seen: a bar can be a billion pixels long.
        let first = rect.x.max(self.clip.x - period);
        let first = first - (first - rect.x).rem_euclid(period);
        for x in (first..rect.right().min(self.clip.right())).step_by(period as usize) {
            let w = on.min(rect.right() - x);
            self.fill(Rect { x, y: rect.y, w, h: thick }, colour);
            self.fill(Rect { x, y: rect.bottom() - thick, w, h: thick }, colour);
        }
        for y in (rect.y..rect.bottom()).step_by(period as usize) {
            let h = on.min(rect.bottom() - y);
            self.fill(Rect { x: rect.x, y, w: thick, h }, colour);
            self.fill(Rect { x: rect.right() - thick, y, w: thick, h }, colour);
        }
    }
}

/// How much of each pixel of a corner belongs to a rounded rectangle, for one radius.
#[derive(Debug, Clone, Default)]
pub(super) struct Corner {
    radius: i32,
    /// Pixels that are not wholly inside: columns and rows from the corner inwards, then how much is covered by the
    /// shape, and by an outline of it, of 256.
    cover: Vec<(i32, i32, u32, u32)>,
}

impl Corner {
    /// Radius and thickness of the outline in pixels.
    pub(super) fn new(radius: i32, thick: f64) -> Corner {
        let radius = radius.max(0);
        let size = f64::from(radius);
        let within = |x: i32, y: i32, r: f64| {
            let (dx, dy) = (size - f64::from(x) - 0.5, size - f64::from(y) - 0.5);
            (r - (dx * dx + dy * dy).sqrt() + 0.5).clamp(0.0, 1.0) * 256.0
        };
        let pixels = (0..radius).flat_map(|y| (0..radius).map(move |x| (x, y)));
        let cover = pixels
            .map(|(x, y)| {
                let outer = within(x, y, size);
                let inner = if thick > 0.0 { within(x, y, size - thick) } else { outer };
                (x, y, outer as u32, (outer - inner) as u32)
            })
            .filter(|(_, _, shape, outline)| *shape < 256 || *outline > 0)
            .collect();
        Corner { radius, cover }
    }

    pub(super) fn radius(&self) -> i32 {
        self.radius
    }

    /// Calls `paint(x, y, cover by the shape, cover by the outline)` for the pixels of the four corners of `rect`.
    fn each(&self, rect: Rect, mut paint: impl FnMut(i32, i32, u32, u32)) {
        if rect.w < 2 * self.radius || rect.h < 2 * self.radius {
            return;
        }
        for (dx, dy, shape, outline) in self.cover.iter().copied() {
            for y in [rect.y + dy, rect.bottom() - 1 - dy] {
                paint(rect.x + dx, y, shape, outline);
                paint(rect.right() - 1 - dx, y, shape, outline);
            }
        }
    }

    /// Gives the corners of `rect` back to what lies behind it.
    pub(super) fn cut(&self, canvas: &mut Canvas<'_>, rect: Rect, behind: &[Rgba], behind_x: i32) {
        self.each(rect, |x, y, shape, _| {
            if shape == 256 {
                return;
            }
            let Some(back) = usize::try_from(x - behind_x).ok().and_then(|at| behind.get(at)) else { return };
            canvas.dot(x, y, *back, 256 - shape);
        });
    }

    /// A frame of `thick` pixels that follows the rounding, for corners made with the same thickness.
    pub(super) fn frame(&self, canvas: &mut Canvas<'_>, rect: Rect, thick: i32, colour: Rgba) {
        let r = if rect.w < 2 * self.radius || rect.h < 2 * self.radius { 0 } else { self.radius };
        let inner_w = rect.w - 2 * r;
        canvas.fill(Rect { x: rect.x + r, y: rect.y, w: inner_w, h: thick }, colour);
        canvas.fill(Rect { x: rect.x + r, y: rect.bottom() - thick, w: inner_w, h: thick }, colour);
        canvas.fill(Rect { x: rect.x, y: rect.y + r, w: thick, h: rect.h - 2 * r }, colour);
        canvas.fill(Rect { x: rect.right() - thick, y: rect.y + r, w: thick, h: rect.h - 2 * r }, colour);
        self.each(rect, |x, y, _, outline| canvas.dot(x, y, colour, outline));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // pixels by position
    use super::*;
    use crate::palette::rgb;

    const WHITE: Rgba = rgb(255, 255, 255);
    const BLACK: Rgba = rgb(0, 0, 0);

    fn drawn(paint: impl FnOnce(&mut Canvas<'_>)) -> Vec<String> {
        let mut pixels = vec![WHITE; 12 * 6];
        paint(&mut Canvas::new(&mut pixels, 12, Rect { x: 1, y: 1, w: 10, h: 4 }));
        let letter = |p: &Rgba| {
            if *p == WHITE {
                '.'
            } else if *p == BLACK {
                '#'
            } else {
                '+'
            }
        };
        pixels.chunks(12).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn nothing_is_drawn_outside_the_clip() {
        let far = Rect { x: -1_000_000, y: -5, w: 2_000_000, h: 100 };
        let all =
            ["............", ".##########.", ".##########.", ".##########.", ".##########.", "............"];
        assert_eq!(drawn(|canvas| canvas.fill(far, BLACK)), all);
        assert_eq!(drawn(|canvas| canvas.dashes(far, 2, 3, 2, BLACK)), drawn(|_| {}), "sides lie outside");
        assert_eq!(drawn(|canvas| canvas.line((-9e9, 2.5), (9e9, 2.5), 1.0, BLACK, 256))[2], ".##########.");
    }

    #[test]
    fn a_line_that_is_not_a_number_draws_nothing() {
        assert_eq!(
            drawn(|canvas| canvas.line((f64::NAN, 0.0), (5.0, f64::INFINITY), 1.0, BLACK, 256)),
            drawn(|_| {})
        );
    }

    #[test]
    fn dashes_leave_gaps_and_stay_in_their_rectangle() {
        let rect = Rect { x: 2, y: 1, w: 8, h: 4 };
        assert_eq!(
            drawn(|canvas| canvas.dashes(rect, 1, 2, 1, BLACK)),
            ["............", "..##.##.##..", "..#......#..", "............", "..##.##.##..", "............"]
        );
    }

    #[test]
    fn a_cut_corner_shows_what_lies_behind() {
        let rect = Rect { x: 1, y: 1, w: 10, h: 4 };
        let behind = vec![WHITE; 12];
        let rows = drawn(|canvas| {
            canvas.fill(rect, BLACK);
            Corner::new(2, 0.0).cut(canvas, rect, &behind, 0);
        });
        assert_eq!(rows[1], ".++######++.");
        assert_eq!(rows[2], ".+########+.");
    }
}
