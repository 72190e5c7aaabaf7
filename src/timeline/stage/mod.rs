//! What a timeline shows at this moment, and what a pointer, a wheel or a key does to it. Pure.
//!
//! What always holds: nothing here touches a browser; lengths that come in are CSS pixels, lengths kept are device
//! pixels; the view never moves by itself while somebody drags. What a person asks for (another interval, a bar's
//! story) is answered as `Ask`s for the component to pass on.

mod keys;
mod pointer;

use super::scene::{Scene, Shared};
use chart::{
    Bar, ETERNITY, Frame, Hit, LockMark, Overlays, Overview, Palette, Pick, Side, Span, View, Wish, axis, hit,
};
use std::collections::HashMap;

/// What a person asked the page for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    /// Another interval for a typed range; the number after the last for a new one.
    Edit(usize, (i64, i64)),
    /// The gesture that made the edits is over.
    Done,
    /// The story of a bar, or of none.
    Story(Option<u32>),
}

/// A pointer on the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    /// The browser's number of it.
    pub(super) id: i32,
    /// CSS pixels from the left upper corner of the canvas.
    pub(super) x: f64,
    pub(super) y: f64,
    /// A finger: less exact than a mouse.
    pub(super) coarse: bool,
    pub(super) shift: bool,
    pub(super) alt: bool,
}

/// From an interval to the whole chunks it touches.
pub(super) type Snap<'a> = &'a dyn Fn((i64, i64)) -> (i64, i64);

/// What a pressed pointer is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Drag {
    #[default]
    None,
    /// Moving time; a click when it never moved.
    Pan { x: f64, y: f64, moved: bool },
    /// Moving an end of a typed range.
    Grip(usize, Side),
    /// Moving a typed range; the time between its start and the pointer.
    Bracket(usize, i64),
    /// Choosing a new range from here.
    Sweep(i64),
    /// Moving the window in the overview; pixels between its centre and the pointer.
    Window(f64),
    /// Moving an edge of the window.
    Edge(Side),
    /// Scrolling the lanes.
    Scroll(f64),
    /// Two fingers: their distance and middle.
    Pinch(f64, f64),
}

/// A timeline on a canvas.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) scene: Shared<Scene>,
    pub(super) frame: Frame,
    pub(super) view: View,
    pub(super) overview: Option<Overview>,
    /// The bar picked out, by lane and interval: it survives a new scene.
    pub(super) selected: Option<Pick>,
    /// Where the pointer is, in device pixels.
    pub(super) pointer: Option<(f64, f64)>,
    pub(super) sweep: Option<Span>,
    pub(super) drag: Drag,
    /// Whether the pixels, or only what lies over them, are out of date.
    pub(super) stale_pixels: bool,
    pub(super) stale_words: bool,
    /// Whether a person moved the view since the page was told.
    pub(super) moved: bool,
    /// Words in bars, by the page's number of the bar.
    pub(super) words: HashMap<u32, &'static str>,
    locks: Vec<LockMark>,
    wish: Wish,
    touches: Vec<Touch>,
    home: Option<Span>,
    now: i64,
}

impl Stage {
    /// An empty canvas; `now` says where to look when there is nothing to see.
    pub(super) fn new(now: i64) -> Stage {
        let wish = Wish {
            width: 1.0,
            height: 1.0,
            scale: 1.0,
            lanes: 0,
            names: 0.0,
            bracket_row: true,
            lock_row: false,
            overview: true,
        };
        Stage {
            scene: Shared::new(Scene::default()),
            frame: Frame::of(&wish),
            view: View::of(Span::new(now, now.saturating_add(1)), 1),
            overview: None,
            selected: None,
            pointer: None,
            sweep: None,
            drag: Drag::None,
            stale_pixels: true,
            stale_words: true,
            moved: false,
            words: HashMap::new(),
            locks: Vec::new(),
            wish,
            touches: Vec::new(),
            home: None,
            now,
        }
    }

    /// Takes another scene. `range`: what the page wants to be seen; without it the view follows the effective range,
    /// but only when that left the view or no longer fits it. `names`: width of the longest lane name.
    pub(super) fn show(&mut self, scene: Shared<Scene>, range: Option<(i64, i64)>, names: f64) {
        self.words = scene.words.iter().copied().collect();
        self.locks = scene.locks.iter().map(|lock| lock.mark).collect();
        self.scene = scene;
        self.wish.lanes = self.scene.lanes.len() as u32;
        self.wish.names = names;
        self.wish.lock_row = !self.locks.is_empty();
        self.lay_out();
        let home = self.home_span();
        if range.is_none() && self.drag == Drag::None && self.home != home && !self.sees_well(home) {
            self.go_home();
        }
        self.home = home;
    }

    /// The canvas has another size (CSS pixels) or another scale.
    pub(super) fn resize(&mut self, width: f64, height: f64, scale: f64) {
        if (self.wish.width, self.wish.height, self.wish.scale) != (width, height, scale) {
            let first = self.wish.width <= 1.0;
            (self.wish.width, self.wish.height, self.wish.scale) = (width, height, scale);
            self.lay_out();
            if first {
                self.go_home();
            }
        }
    }

    /// The height in CSS pixels at which no lane has to be scrolled to; at most `most`.
    pub(super) fn wanted_height(&self, most: f64) -> f64 {
        Frame::height_for_all(&self.wish).min(most)
    }

    /// The page wants a range to be seen, or home.
    pub(super) fn set_range(&mut self, range: Option<(i64, i64)>) {
        match range {
            Some((start, end)) => self.look(View::of(Span::new(start, end), self.view.width())),
            None => self.go_home(),
        }
    }

    /// The times on the canvas.
    pub(super) fn range(&self) -> (i64, i64) {
        let span = self.view.span();
        (span.start, span.end)
    }

    /// What is drawn in one picture.
    pub(super) fn picture<'a>(&'a self, palette: &'a Palette) -> chart::Scene<'a> {
        chart::Scene {
            store: &self.scene.store,
            view: &self.view,
            frame: &self.frame,
            palette,
            overlays: Overlays {
                typed: &self.scene.typed,
                effective: &self.scene.effective,
                widened: &self.scene.widened,
                locks: &self.locks,
                selection: self.selected,
                sweep: self.sweep,
            },
            overview: self.overview.as_ref(),
        }
    }

    /// What is under a pointer, in device pixels.
    pub(super) fn hit(&self, x: f64, y: f64, coarse: bool) -> Hit {
        let reach = self.frame.scale * if coarse { 14.0 } else { 4.0 };
        hit(&self.picture(&Palette::light()), x, y, reach)
    }

    fn lay_out(&mut self) {
        self.frame = Frame::of(&self.wish);
        self.view = self.view.resized(self.frame.plot.w as u32);
        self.view.scroll = self.view.scroll.clamp(0, self.frame.lanes.most_scroll());
        self.overview = Some(Overview::of(&self.scene.store, self.all(), &self.frame));
        self.stale_pixels = true;
        self.selected = self.selected.filter(|pick| self.bar_of(*pick).is_some());
    }

    /// All of time that there is something in.
    pub(super) fn all(&self) -> Span {
        extent(&self.scene)
            .unwrap_or(Span::new(self.now.saturating_sub(4 * DAY), self.now.saturating_add(3 * DAY)))
    }

    /// The range that the plan is about, if it is a range somebody can look at.
    fn home_span(&self) -> Option<Span> {
        let about = self.scene.effective.iter().chain(&self.scene.typed).copied();
        hull(about).filter(|span| span.start > -ETERNITY / 2 && span.end < ETERNITY / 2)
    }

    fn sees_well(&self, home: Option<Span>) -> bool {
        let Some(home) = home else { return false };
        let (left, right) = (self.view.px(home.start), self.view.px(home.end));
        let wide = f64::from(self.view.width());
        left >= 0.0 && right <= wide && right - left > wide * 0.04
    }

    fn go_home(&mut self) {
        let span = self.home_span();
        self.home = span;
        let margin = if span.is_some() { 1.5 } else { 0.02 };
        self.look(View::fit(span.unwrap_or_else(|| self.all()), self.view.width(), margin));
    }

    fn look(&mut self, view: View) {
        let scroll = self.view.scroll;
        self.view = view;
        self.view.scroll = scroll;
        self.stale_pixels = true;
    }

    fn pan(&mut self, px: f64) {
        if self.view.pan(px) != 0 {
            self.stale_pixels = true;
            self.moved = true;
        }
    }

    fn zoom(&mut self, at: f64, factor: f64) {
        self.view.zoom(at, factor);
        self.stale_pixels = true;
        self.moved = true;
    }

    fn scroll(&mut self, px: f64) {
        let to = (self.view.scroll + px.round() as i32).clamp(0, self.frame.lanes.most_scroll());
        if to != self.view.scroll {
            self.view.scroll = to;
            self.stale_pixels = true;
        }
    }

    fn plot_px(&self, x: f64) -> f64 {
        x - f64::from(self.frame.plot.x)
    }

    // Pointers.

    /// The bar of a pick, with its place in the store.
    pub(super) fn bar_of(&self, pick: Pick) -> Option<(usize, Bar)> {
        let range = self.scene.store.lane_bars(pick.lane as usize);
        let first = self.first_from(range.clone(), pick.span.start);
        (first..range.end)
            .map_while(|at| self.scene.store.bar(at).map(|bar| (at, bar)))
            .take_while(|(_, bar)| bar.start == pick.span.start)
            .find(|(_, bar)| bar.end == pick.span.end)
    }

    /// The first bar of a range of the store that starts at or after `t`.
    pub(super) fn first_from(&self, range: std::ops::Range<usize>, t: i64) -> usize {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.scene.store.bar(middle).is_some_and(|bar| bar.start < t) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low
    }

    // Edges.

    // Keys.
}

const DAY: i64 = 86_400_000;

/// All of time that a scene has something in, the ends of eternity left out.
pub(super) fn extent(scene: &Scene) -> Option<Span> {
    let near = |span: &&Span| span.start > -ETERNITY / 2 && span.end < ETERNITY / 2;
    let about = scene.effective.iter().chain(&scene.typed).filter(near).copied();
    hull(scene.store.extent().into_iter().chain(about))
}

fn hull(spans: impl Iterator<Item = Span>) -> Option<Span> {
    spans.reduce(|a, b| Span::new(a.start.min(b.start), a.end.max(b.end)))
}
