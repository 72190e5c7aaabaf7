//! Which part of time is on the screen, and the arithmetic between milliseconds and device pixels.
//!
//! A pixel is a *device* pixel, counted from the left edge of the plot. Time is `i64` milliseconds from
//! -2^62 to 2^62 (Druid's eternity), which an `f64` cannot hold exactly; so the difference to the origin is always
//! taken in integers first and only then divided. Panning moves by whole pixels, so that what is on the screen can be
//! moved instead of drawn again, and so that edges do not shimmer.

use crate::overlays::Span;

/// Druid's eternity ends here on both sides, in milliseconds: 2^62 = -(`i64::MIN` / 2), one more than `i64::MAX` / 2.
pub const ETERNITY: i64 = 1 << 62;

/// Zooming in stops here: 64 pixels a millisecond.
pub const FINEST_MS_PER_PX: f64 = 1.0 / 64.0;

/// Lifts an edge that lies on a pixel boundary safely over it, so that the rounding noise of a pan cannot move it back.
const NUDGE: f64 = 1.0 / 1024.0;

/// The window of time on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The millisecond at the left edge, rounded down.
    origin: i64,
    /// What the left edge lies after `origin`, 0 to 1 ms: matters only below one millisecond a pixel.
    fraction: f64,
    /// Milliseconds a device pixel.
    ms_per_px: f64,
    /// Width of the plot in device pixels.
    width: u32,
    /// Whole pixels panned since the view was made: patterns are anchored to it, so that they travel with the bars.
    travelled: i64,
    /// How far the lanes are scrolled up, in device pixels.
    pub scroll: i32,
}

impl View {
    /// A view of `span`, edge to edge, in a plot of `width` device pixels.
    pub fn of(span: Span, width: u32) -> View {
        let width = width.max(1);
        let length = (span.end.max(span.start.saturating_add(1))).abs_diff(span.start) as f64;
        let mut view = View {
            origin: span.start,
            fraction: 0.0,
            ms_per_px: length / f64::from(width),
            width,
            travelled: 0,
            scroll: 0,
        };
        view.clamp();
        view
    }

    /// A view of `span` with a margin of `margin` (a share of the span, 0.05 is 5 %) on both sides.
    pub fn fit(span: Span, width: u32, margin: f64) -> View {
        let length = span.end.abs_diff(span.start) as f64;
        let pad = (length * margin).clamp(0.0, ETERNITY as f64) as i64;
        let mut view =
            View::of(Span::new(span.start.saturating_sub(pad), span.end.saturating_add(pad)), width);
        view.clamp();
        view
    }

    /// Width of the plot in device pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Milliseconds a device pixel.
    pub fn ms_per_px(&self) -> f64 {
        self.ms_per_px
    }

    /// Whole pixels panned so far; grows when later times come into view.
    pub fn travelled(&self) -> i64 {
        self.travelled
    }

    /// The same times in a plot of another width (the window was resized).
    pub fn resized(mut self, width: u32) -> View {
        let width = width.max(1);
        self.ms_per_px *= f64::from(self.width) / f64::from(width);
        self.width = width;
        self.clamp();
        self
    }

    /// Where `t` lies, in pixels from the left edge of the plot. Far outside values are fine.
    #[inline]
    pub fn px(&self, t: i64) -> f64 {
        // Not `t - origin`: the difference of two instants near opposite ends of eternity has 64 bits.
        let distance = t.abs_diff(self.origin) as f64;
        let signed = if t >= self.origin { distance } else { -distance };
        (signed - self.fraction) / self.ms_per_px
    }

    /// The pixel column that `t` lies in, clamped to a little outside the plot.
    #[inline]
    pub fn column(&self, t: i64) -> i32 {
        // Cut off after a shift to the positive side: the same as rounding down, without a call of `floor` on machines
        // that have no instruction for it.
        let far = f64::from(self.width) + 16.0;
        (self.px(t) + (8.0 + NUDGE)).clamp(0.0, far) as i32 - 8
    }

    /// The first millisecond of a pixel column.
    #[inline]
    pub fn column_start(&self, column: i32) -> i64 {
        let ms = (f64::from(column) - NUDGE) * self.ms_per_px + self.fraction;
        // `as` saturates, and the window never lies outside eternity by more than its own width.
        let whole = ms as i64;
        self.origin.saturating_add(whole.saturating_add(i64::from((whole as f64) < ms)))
    }

    /// The millisecond under a pixel position, rounded down.
    pub fn time_at(&self, px: f64) -> i64 {
        self.origin.saturating_add((px * self.ms_per_px + self.fraction).floor() as i64)
    }

    /// The times on the screen.
    pub fn span(&self) -> Span {
        Span::new(self.time_at(0.0), self.time_at(f64::from(self.width)))
    }

    /// Whether any part of `span` is on the screen.
    pub fn shows(&self, span: Span) -> bool {
        let seen = self.span();
        span.start < seen.end && span.end > seen.start
    }

    /// Moves what is on the screen by `px` to the right (earlier times come into view), in whole pixels. Answers the
    /// pixels moved; less than asked at the ends of eternity.
    pub fn pan(&mut self, px: f64) -> i64 {
        let before = *self;
        let whole = if px.is_finite() { px.round() } else { 0.0 };
        self.shift(-whole * self.ms_per_px);
        self.clamp();
        let moved =
            if self.origin == before.origin && self.fraction == before.fraction { 0 } else { whole as i64 };
        self.travelled = before.travelled.wrapping_sub(moved);
        moved
    }

    /// Zooms by `factor` (below 1: closer) so that the time under pixel `at` stays there.
    pub fn zoom(&mut self, at: f64, factor: f64) {
        if !(at.is_finite() && factor.is_finite() && factor > 0.0) {
            return;
        }
        let before = self.ms_per_px;
        self.ms_per_px = self.clamp_scale(before * factor);
        self.shift(at * (before - self.ms_per_px));
        self.clamp();
    }

    /// Moves the window so that `span` can be seen, with the least movement; a span wider than the window is fitted.
    pub fn reveal(&mut self, span: Span) {
        let (left, right, wide) = (self.px(span.start), self.px(span.end), f64::from(self.width));
        if right - left > wide {
            let scroll = self.scroll;
            *self = View::fit(span, self.width, 0.05);
            self.scroll = scroll;
        } else if left < 0.0 {
            self.pan((wide * 0.1 - left).min(wide - right));
        } else if right > wide {
            self.pan((wide * 0.9 - right).max(-left));
        }
    }

    fn shift(&mut self, ms: f64) {
        let total = self.fraction + ms;
        let whole = total.floor();
        self.origin = self.origin.saturating_add(whole as i64);
        self.fraction = total - whole;
    }

    fn clamp_scale(&self, ms_per_px: f64) -> f64 {
        // All of eternity and an eighth more.
        let coarsest = 2.25 * ETERNITY as f64 / f64::from(self.width);
        if ms_per_px.is_finite() { ms_per_px.clamp(FINEST_MS_PER_PX, coarsest) } else { coarsest }
    }

    /// Keeps the window over eternity, and at least a little of eternity in the window.
    fn clamp(&mut self) {
        self.ms_per_px = self.clamp_scale(self.ms_per_px);
        let length = self.ms_per_px * f64::from(self.width);
        let eternity = ETERNITY as f64;
        // A window wider than eternity is centred; any other stays between its ends with a margin of 1/16.
        let (first, last) = if length >= 2.0 * eternity {
            (-length / 2.0, -length / 2.0)
        } else {
            (-eternity - length / 16.0, eternity - length * 15.0 / 16.0)
        };
        let at = self.origin as f64;
        if at < first || at > last {
            self.origin = at.clamp(first, last) as i64;
            self.fraction = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;
    const JULY: i64 = 1_784_160_000_000; // 2026-07-16T00:00Z

    fn week() -> View {
        View::of(Span::new(JULY, JULY + 168 * HOUR), 1680)
    }

    #[test]
    fn an_hour_of_a_week_is_ten_pixels_of_1680() {
        let view = week();
        assert_eq!(view.px(JULY), 0.0);
        assert_eq!(view.px(JULY + HOUR), 10.0);
        assert_eq!(view.column(JULY + HOUR), 10);
        assert_eq!(view.column(JULY + HOUR - 1_000), 9);
        assert_eq!(view.column_start(10), JULY + HOUR - 351); // a 1024th of a pixel of 360 s, rounded into the column
        assert_eq!(view.time_at(10.0), JULY + HOUR);
    }

    #[test]
    fn the_time_under_the_pointer_stays_there_while_zooming() {
        let mut view = week();
        let under = view.time_at(500.0);
        for _ in 0..40 {
            view.zoom(500.0, 0.8);
        }
        assert!((view.px(under) - 500.0).abs() < 1.0, "{}", view.px(under));
        for _ in 0..40 {
            view.zoom(500.0, 1.25);
        }
        assert!((view.px(under) - 500.0).abs() < 1.0);
        assert!((view.ms_per_px() - 360_000.0).abs() < 1.0);
    }

    #[test]
    fn a_pan_moves_by_whole_pixels_at_every_scale() {
        for start in [JULY, -ETERNITY / 2, 0] {
            for length in [20, 1_000, 12_345_677, 1 << 45] {
                let mut view = View::of(Span::new(start, start + length), 1600);
                let edge = start + length / 3;
                let before = view.px(edge);
                for step in [1.0, -3.4, 250.0, -247.0] {
                    view.pan(step);
                }
                assert!((view.px(edge) - before - 1.0).abs() < 1e-3, "{start} {length}");
                assert_eq!(view.travelled(), -1);
            }
        }
    }

    #[test]
    fn all_of_eternity_fits_and_cannot_be_left() {
        let mut view = View::fit(Span::new(-ETERNITY, ETERNITY), 1600, 0.05);
        assert!(view.px(-ETERNITY) > 0.0 && view.px(ETERNITY) < 1600.0);
        view.zoom(3.0, 1e300);
        assert!(view.px(-ETERNITY) > 0.0 && view.px(ETERNITY) < 1600.0);
        assert_eq!(view.pan(1e9), 0);
        view.zoom(1600.0, 1e-6);
        view.pan(-1e18);
        assert!(view.px(ETERNITY) > 0.0, "a part of eternity is always in view");
        assert!(view.span().start < view.span().end);
    }

    #[test]
    fn hostile_numbers_leave_a_usable_view() {
        for span in [Span::new(i64::MIN, i64::MAX), Span::new(i64::MAX, i64::MIN), Span::new(5, 5)] {
            let mut view = View::of(span, 0);
            view.zoom(f64::NAN, 0.5);
            view.zoom(0.0, f64::NAN);
            view.zoom(0.0, -1.0);
            assert!(view.ms_per_px().is_finite() && view.ms_per_px() > 0.0);
            assert!(view.px(0).is_finite());
        }
    }

    #[test]
    fn revealing_moves_no_more_than_needed() {
        let mut view = week();
        view.reveal(Span::new(JULY + HOUR, JULY + 2 * HOUR));
        assert_eq!(view, week(), "what can be seen does not move");
        view.reveal(Span::new(JULY + 170 * HOUR, JULY + 171 * HOUR));
        assert!(view.px(JULY + 171 * HOUR) <= 1680.0 && view.px(JULY + 170 * HOUR) >= 0.0);
        view.reveal(Span::new(JULY, JULY + 1000 * HOUR));
        assert!(view.px(JULY) >= 0.0 && view.px(JULY + 1000 * HOUR) <= 1680.0);
    }
}
