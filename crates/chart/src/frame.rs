//! Where things are on the canvas: axis, bracket row, lanes, lane names, overview. All in device pixels.
//!
//! A `Frame` is computed from the canvas' size, the number of lanes and the width that the longest lane name needs.
//! Lane names are never cut: where the widest does not fit beside the plot, every lane gets a line of its own above
//! its bars. Many lanes keep a readable height and scroll; they are not squeezed to nothing.

use std::ops::Range;

/// A rectangle in device pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width, never negative.
    pub w: i32,
    /// Height, never negative.
    pub h: i32,
}

impl Rect {
    /// The first column to the right of it.
    pub fn right(&self) -> i32 {
        self.x + self.w
    }

    /// The first row below it.
    pub fn bottom(&self) -> i32 {
        self.y + self.h
    }

    /// Whether a pixel lies in it.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        x >= f64::from(self.x)
            && x < f64::from(self.right())
            && y >= f64::from(self.y)
            && y < f64::from(self.bottom())
    }
}

/// What a frame is made for. Lengths in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wish {
    /// Width of the canvas.
    pub width: f64,
    /// Height of the canvas.
    pub height: f64,
    /// Device pixels a CSS pixel.
    pub scale: f64,
    /// Number of lanes.
    pub lanes: u32,
    /// What the longest lane name or subtitle takes, measured by whoever draws it.
    pub names: f64,
    /// Whether to keep a row for the typed bracket.
    pub bracket_row: bool,
    /// Whether to keep a row for the names of locks.
    pub lock_row: bool,
    /// Whether to keep a strip for all of time.
    pub overview: bool,
}

/// The lanes of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lanes {
    /// Where lanes are drawn; they are clipped to it when scrolled.
    pub area: Rect,
    /// How many.
    pub count: u32,
    /// From one lane to the next.
    pub pitch: i32,
    /// Height of the bars.
    pub height: i32,
    /// Height of the line for the lane's name above its bars; 0 when names are beside the plot.
    pub caption: i32,
}

impl Lanes {
    /// Upper edge and lower edge of a lane's bars, not clipped.
    pub fn bars(&self, lane: u32, scroll: i32) -> (i32, i32) {
        let top = self.area.y + self.caption + lane as i32 * self.pitch - scroll;
        (top, top + self.height)
    }

    /// The lanes of which something can be seen.
    pub fn visible(&self, scroll: i32) -> Range<u32> {
        if self.pitch <= 0 {
            return 0..0;
        }
        let first = (scroll / self.pitch).max(0) as u32;
        let last = ((scroll + self.area.h) / self.pitch + 1).max(0) as u32;
        first.min(self.count)..last.min(self.count)
    }

    /// The lane whose bars (with half the gap on both sides) are at `y`.
    pub fn at(&self, y: f64, scroll: i32) -> Option<u32> {
        if self.pitch <= 0 || y < f64::from(self.area.y) || y >= f64::from(self.area.bottom()) {
            return None;
        }
        let lane = ((y - f64::from(self.area.y)) as i32 + scroll) / self.pitch;
        u32::try_from(lane).ok().filter(|lane| *lane < self.count)
    }

    /// How far the lanes can be scrolled up.
    pub fn most_scroll(&self) -> i32 {
        (self.count as i32 * self.pitch - self.area.h).max(0)
    }

    /// The scroll at which a lane can be seen whole, nearest to `scroll`.
    pub fn scroll_to(&self, lane: u32, scroll: i32) -> i32 {
        let top = lane as i32 * self.pitch;
        scroll.clamp((top + self.pitch - self.area.h).min(top), top).clamp(0, self.most_scroll())
    }
}

/// The parts of the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Frame {
    /// Width of the canvas.
    pub width: i32,
    /// Height of the canvas.
    pub height: i32,
    /// Device pixels a CSS pixel.
    pub scale: f64,
    /// Where time is drawn, from the axis labels down to the last lane. Its width is the view's.
    pub plot: Rect,
    /// What tick labels leave out (month, year) is written here: beside the axis, or above it.
    pub title: Rect,
    /// Tick labels are written here.
    pub axis: Rect,
    /// The typed bracket and its words; empty when not wished for.
    pub bracket: Rect,
    /// Names of locks; empty when not wished for.
    pub locks: Rect,
    /// Beside the plot: lane names. Zero wide when they are above the bars.
    pub gutter: Rect,
    /// The lanes.
    pub lanes: Lanes,
    /// All of time; empty when not wished for.
    pub overview: Rect,
}

/// Height of the tick labels, CSS pixels.
const AXIS: f64 = 28.0;
/// Heights of the rows under them.
const BRACKET: f64 = 34.0;
const LOCKS: f64 = 24.0;
/// The strip of all time and what is left around it.
const OVERVIEW: (f64, f64, f64) = (14.0, 24.0, 12.0);
/// Left and right of everything.
const MARGIN: f64 = 12.0;
/// The line for a lane's name above its bars.
const CAPTION: f64 = 17.0;
/// A lane's bars are never lower nor higher than this.
const LANE: (f64, f64) = (14.0, 96.0);

impl Frame {
    /// Lays the canvas out.
    pub fn of(wish: &Wish) -> Frame {
        let scale = if wish.scale.is_finite() { wish.scale.clamp(0.25, 8.0) } else { 1.0 };
        let px = |css: f64| (css * scale).round() as i32;
        let side = |css: f64| px(if css.is_finite() { css.clamp(1.0, 16_384.0) } else { 1.0 });
        let (width, height) = (side(wish.width), side(wish.height));
        // Beside the plot only while two thirds of the width stay for time.
        let beside = wish.names + 2.0 * MARGIN <= wish.width / 3.0;
        let left = if beside { px((wish.names + 2.0 * MARGIN).max(64.0)) } else { px(MARGIN) };
        let right = width - px(MARGIN);
        let plot_w = (right - left).max(1);
        let row = |y: i32, wished: bool, css: f64| Rect {
            x: left,
            y,
            w: plot_w,
            h: if wished { px(css) } else { 0 },
        };
        let title = if beside {
            Rect { x: px(MARGIN), y: 0, w: left - px(MARGIN), h: px(AXIS) }
        } else {
            row(px(2.0), true, CAPTION)
        };
        let axis = row(if beside { 0 } else { title.bottom() - px(4.0) }, true, AXIS);
        let bracket = row(axis.bottom() + px(4.0), wish.bracket_row, BRACKET);
        let locks = row(bracket.bottom(), wish.lock_row, LOCKS);
        let (above, strip, below) = OVERVIEW;
        let foot = if wish.overview { px(above) + px(strip) + px(below) } else { px(8.0) };
        let bottom = (height - foot).max(locks.bottom() + px(2.0));
        let overview = if wish.overview {
            Rect { x: left, y: bottom + px(above), w: plot_w, h: px(strip) }
        } else {
            Rect { x: left, y: bottom, w: plot_w, h: 0 }
        };
        let area = Rect { x: left, y: locks.bottom(), w: plot_w, h: (bottom - locks.bottom()).max(0) };
        let lanes = Self::lanes(area, wish.lanes, if beside { 0 } else { px(CAPTION) }, scale);
        Frame {
            width,
            height,
            scale,
            plot: Rect { x: left, y: axis.bottom(), w: plot_w, h: (bottom - axis.bottom()).max(0) },
            title,
            axis,
            bracket,
            locks,
            gutter: Rect { x: 0, y: area.y, w: if beside { left } else { 0 }, h: area.h },
            lanes,
            overview,
        }
    }

    /// The height, in CSS pixels, at which the lanes of `wish` need not be scrolled; its own height does not matter.
    pub fn height_for_all(wish: &Wish) -> f64 {
        let frame = Frame::of(&Wish { height: 100.0, ..*wish });
        let css = |px: i32| f64::from(px) / frame.scale;
        let foot = if wish.overview { OVERVIEW.0 + OVERVIEW.1 + OVERVIEW.2 } else { 8.0 };
        let lane = LANE.0 + css(frame.lanes.caption) + 3.0 + 1.0 / frame.scale;
        (css(frame.lanes.area.y) + f64::from(wish.lanes) * lane + foot).ceil() + 1.0
    }

    fn lanes(area: Rect, count: u32, caption: i32, scale: f64) -> Lanes {
        let share = f64::from(area.h) / f64::from(count.max(1));
        // Where it is tight, the gap gives way before the bars do.
        let spare = (share - f64::from(caption) - LANE.0 * scale).max(3.0 * scale);
        let gap = (share * 0.12).clamp(3.0 * scale, 12.0 * scale).min(spare).floor();
        let height = (share - gap - f64::from(caption)).clamp(LANE.0 * scale, LANE.1 * scale);
        let height = height.floor() as i32;
        Lanes { area, count, pitch: height + caption + gap as i32, height, caption }
    }

    /// A CSS length in device pixels, at least one.
    pub fn px(&self, css: f64) -> i32 {
        ((css * self.scale).round() as i32).max(1)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // windows(2) has two
    use super::*;

    fn wish(width: f64, height: f64, lanes: u32) -> Wish {
        Wish {
            width,
            height,
            scale: 1.0,
            lanes,
            names: 140.0,
            bracket_row: true,
            lock_row: false,
            overview: true,
        }
    }

    #[test]
    fn lane_names_stand_beside_a_wide_plot_and_above_the_bars_of_a_narrow_one() {
        let wide = Frame::of(&wish(1060.0, 420.0, 3));
        assert_eq!((wide.gutter.w, wide.lanes.caption), (164, 0));
        let narrow = Frame::of(&wish(400.0, 300.0, 3));
        assert_eq!(narrow.gutter.w, 0);
        assert!(narrow.lanes.caption > 0);
        assert!(narrow.plot.w >= 370, "a narrow plot has the whole width");
    }

    #[test]
    fn rows_do_not_overlap_and_stay_on_the_canvas() {
        for (width, height, lanes, scale) in [
            (1600.0, 800.0, 40, 1.0),
            (400.0, 300.0, 3, 2.0),
            (320.0, 120.0, 500, 1.5),
            (900.0, 400.0, 0, 1.25),
        ] {
            let frame = Frame::of(&Wish { scale, lock_row: true, ..wish(width, height, lanes) });
            let order = [frame.axis, frame.bracket, frame.locks, frame.lanes.area, frame.overview];
            for pair in order.windows(2) {
                assert!(pair[0].bottom() <= pair[1].y, "{pair:?}");
            }
            assert!(frame.plot.right() <= frame.width);
            if height >= 300.0 {
                assert!(frame.overview.bottom() <= frame.height);
            }
        }
    }

    #[test]
    fn many_lanes_scroll_instead_of_vanishing() {
        let frame = Frame::of(&wish(1600.0, 800.0, 400));
        let lanes = frame.lanes;
        assert_eq!(lanes.height, 14);
        assert!(lanes.most_scroll() > 0);
        let end = lanes.most_scroll();
        assert_eq!(lanes.visible(end).end, 400);
        let (top, bottom) = lanes.bars(399, end);
        assert!(top >= lanes.area.y && bottom <= lanes.area.bottom());
        assert_eq!(lanes.at(f64::from(top), end), Some(399));
        for lane in [0, 17, 399] {
            let scroll = lanes.scroll_to(lane, 1000);
            let (top, bottom) = lanes.bars(lane, scroll);
            assert!(top >= lanes.area.y && bottom <= lanes.area.bottom());
        }
    }

    #[test]
    fn a_frame_as_high_as_its_lanes_need_does_not_scroll() {
        for (width, lanes, scale) in [(400.0, 5, 2.0), (1200.0, 40, 1.0), (360.0, 17, 1.5), (900.0, 1, 1.25)]
        {
            let wish = Wish { scale, lock_row: true, ..wish(width, 100.0, lanes) };
            let height = Frame::height_for_all(&wish);
            assert_eq!(
                Frame::of(&Wish { height, ..wish }).lanes.most_scroll(),
                0,
                "{lanes} lanes in {width}"
            );
        }
    }

    #[test]
    fn nonsense_sizes_give_a_frame_that_can_be_drawn() {
        for width in [f64::NAN, -5.0, 0.0, 1e12] {
            let frame = Frame::of(&Wish { scale: f64::INFINITY, ..wish(width, width, u32::MAX / 4096) });
            assert!(frame.width > 0 && frame.height > 0 && frame.plot.w > 0);
        }
    }
}
