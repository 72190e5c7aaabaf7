//! From a pixel to what is there: a bar, "37 bars", an end of the typed range, the window in the overview.
//!
//! Holds: what is hit is what is drawn at that pixel; and a bar too thin to be met is met within `reach`.

use crate::frame::Frame;
use crate::index::{Pieces, with_pieces};
use crate::mark::Mark;
use crate::overlays::{Overlays, Span};
use crate::overview::Overview;
use crate::raster::{LEAST_WINDOW, Scene};
use crate::store::{Lane, Store};
use crate::view::View;

/// Which end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The earlier end.
    Start,
    /// The later end.
    End,
}

/// Which part of the overview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// An edge of the window's frame.
    Edge(Side),
    /// Inside the window's frame.
    Window,
    /// Beside it.
    Outside,
}

/// Several bars that share a pixel column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tally {
    /// How many.
    pub bars: usize,
    /// How many of each mark, in the order of `Mark::ALL`.
    pub by_mark: [u32; Mark::COUNT],
    /// Sum of their weights.
    pub weight: f64,
    /// From the first start to the last end among them.
    pub span: Span,
}

/// What is at a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hit {
    /// One bar: its place in the store (`Store::bar` has the rest).
    Bar(usize),
    /// Several bars in one pixel column of a lane.
    Many(u32, Tally),
    /// A lane, where it has no bar.
    Lane(u32),
    /// An end of a typed range, by its place in `Overlays::typed`.
    Grip(usize, Side),
    /// The line of a typed range between its ends.
    Bracket(usize),
    /// The plot, but no lane.
    Plot,
    /// A lane's name beside the plot.
    Name(u32),
    /// The overview.
    Overview(Part),
    /// None of it.
    Nothing,
}

/// What is at pixel (`x`, `y`) of the canvas, with a reach of `reach` pixels for thin things: 4 CSS pixels for a mouse,
/// 14 for a finger.
pub fn hit(scene: &Scene<'_>, x: f64, y: f64, reach: f64) -> Hit {
    let (frame, view) = (scene.frame, scene.view);
    if let Some(part) = scene.overview.and_then(|overview| in_overview(frame, view, overview, x, y, reach)) {
        return Hit::Overview(part);
    }
    if let Some(hit) = on_bracket(frame, view, &scene.overlays, x, y, reach) {
        return hit;
    }
    let lane = frame.lanes.at(y, view.scroll);
    if frame.gutter.contains(x, y) {
        return lane.map_or(Hit::Nothing, Hit::Name);
    }
    if !frame.plot.contains(x, y) {
        return Hit::Nothing;
    }
    let Some(number) = lane else { return Hit::Plot };
    let column = (x - f64::from(frame.plot.x)).floor() as i32;
    in_lane(scene.store, number, view, column, reach).unwrap_or(Hit::Lane(number))
}

fn in_overview(frame: &Frame, view: &View, overview: &Overview, x: f64, y: f64, reach: f64) -> Option<Part> {
    let strip = frame.overview;
    let air = f64::from(frame.px(6.0)).max(reach.min(f64::from(frame.px(10.0))));
    let inside = y >= f64::from(strip.y) - air && y < f64::from(strip.bottom()) + air;
    let beside = x >= f64::from(strip.x) - air && x < f64::from(strip.right()) + air;
    if strip.h == 0 || !inside || !beside {
        return None;
    }
    let at = x - f64::from(strip.x);
    let (left, right) = overview.window(view, LEAST_WINDOW * frame.scale);
    // In a narrow window the middle third stays for moving it.
    let reach = reach.min((right - left) / 3.0);
    Some(if (at - left).abs() <= reach {
        Part::Edge(Side::Start)
    } else if (at - right).abs() <= reach {
        Part::Edge(Side::End)
    } else if at > left && at < right {
        Part::Window
    } else {
        Part::Outside
    })
}

fn on_bracket(
    frame: &Frame,
    view: &View,
    overlays: &Overlays<'_>,
    x: f64,
    y: f64,
    reach: f64,
) -> Option<Hit> {
    let row = frame.bracket;
    if row.h == 0 || y < f64::from(row.y) - reach / 2.0 || y >= f64::from(row.bottom()) {
        return None;
    }
    let at = x - f64::from(frame.plot.x);
    let mut nearest: Option<(f64, Hit)> = None;
    for (index, span) in overlays.typed.iter().enumerate() {
        let (left, right) = (view.px(span.start), view.px(span.end));
        for (edge, side) in [(left, Side::Start), (right, Side::End)] {
            let far = (at - edge).abs();
            // Where both ends are within reach, the outer half belongs to each.
            let outer = if (side == Side::Start) == (at <= edge) { 0.0 } else { 0.5 };
            let seen = edge >= -reach && edge <= f64::from(view.width()) + reach;
            if seen && far <= reach && nearest.is_none_or(|(best, _)| far + outer < best) {
                nearest = Some((far + outer, Hit::Grip(index, side)));
            }
        }
        if at >= left && at <= right && nearest.is_none() {
            nearest = Some((f64::MAX, Hit::Bracket(index)));
        }
    }
    nearest.map(|(_, hit)| hit).filter(|_| at >= -reach && at <= f64::from(view.width()) + reach)
}

fn in_lane(store: &Store, number: u32, view: &View, column: i32, reach: f64) -> Option<Hit> {
    let lane = store.lanes.get(number as usize)?;
    let reach = reach.clamp(0.0, 64.0) as i32;
    // The column itself, then its neighbours left and right, further and further away.
    let around = std::iter::once(column).chain((1..=reach).flat_map(|off| [column - off, column + off]));
    for column in around {
        let found =
            with_pieces!(store.seen(lane), pieces => in_column(store, lane, number, pieces, view, column));
        if found.is_some() {
            return found;
        }
    }
    None
}

fn in_column<P: Pieces>(
    store: &Store,
    lane: &Lane,
    number: u32,
    pieces: P,
    view: &View,
    column: i32,
) -> Option<Hit> {
    let from = view.column_start(column);
    let to = view.column_start(column + 1).max(from.saturating_add(1));
    let wide = (2.0 * view.ms_per_px()).max(1.0) as u64;
    let first = pieces.first_after(from);
    let last = pieces.gallop(first, to);
    let mut single: Option<usize> = None;
    let mut narrow = 0usize;
    for at in first..last {
        let Some(owner) = pieces.owner(at) else { continue };
        let (start, end) = (pieces.start(at), pieces.end(at));
        if end.abs_diff(start) < wide {
            narrow += 1;
            single = Some(owner);
            if narrow > 1 {
                break;
            }
        } else if view.column(start) <= column && column < view.column(end) {
            // A block owns its columns, unless something smaller needs one of them.
            if narrow == 0 {
                single = Some(owner);
            } else {
                narrow += 1;
            }
        }
    }
    match (narrow, single) {
        (0 | 1, Some(owner)) => Some(Hit::Bar(owner)),
        (0 | 1, None) => None,
        _ => Some(Hit::Many(number, tally(store, lane, from, to))),
    }
}

/// Counts the bars of a lane that touch `from..to`, those that lie under others included.
fn tally(store: &Store, lane: &Lane, from: i64, to: i64) -> Tally {
    let mut tally =
        Tally { bars: 0, by_mark: [0; Mark::COUNT], weight: 0.0, span: Span::new(i64::MAX, i64::MIN) };
    let range = lane.bars.0 as usize..lane.bars.1 as usize;
    let starts = store.start.get(range.clone()).unwrap_or_default();
    let before = starts.partition_point(|start| *start < to);
    // Without overlaps ends ascend as well; with them, an early bar may reach far.
    let after = if lane.pieces.is_some() {
        0
    } else {
        store.end.get(range.clone()).unwrap_or_default().partition_point(|end| *end <= from)
    };
    for at in range.start + after..range.start + before {
        let Some(bar) = store.read(at, 0).filter(|bar| bar.end > from) else { continue };
        tally.bars += 1;
        if let Some(count) = tally.by_mark.get_mut(bar.mark.index()) {
            *count += 1;
        }
        tally.weight += f64::from(bar.weight);
        tally.span = Span::new(tally.span.start.min(bar.start), tally.span.end.max(bar.end));
    }
    tally
}
