//! What a timeline shows at this moment, and what a pointer, a wheel or a key does to it. Pure.
//!
//! What always holds: nothing here touches a browser; lengths that come in are CSS pixels, lengths kept are device
//! pixels; the view never moves by itself while somebody drags. What a person asks for (another interval, a bar's
//! story) is answered as `Ask`s for the component to pass on.

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

    /// A pointer was pressed.
    pub(super) fn press(&mut self, touch: Touch) {
        self.touches.retain(|other| other.id != touch.id);
        self.touches.push(touch);
        if let [one, two] = self.touches.as_slice() {
            self.drag = Drag::Pinch((one.x - two.x).abs(), (one.x + two.x) / 2.0);
            self.sweep = None;
            return;
        }
        let (x, y) = (touch.x * self.frame.scale, touch.y * self.frame.scale);
        let t = self.view.time_at(self.plot_px(x));
        let above_lanes = y < f64::from(self.frame.lanes.area.y) && x >= f64::from(self.frame.plot.x);
        self.drag = match self.hit(x, y, touch.coarse) {
            Hit::Overview(part) => {
                if part == chart::Part::Outside {
                    self.center_overview(x);
                }
                match part {
                    chart::Part::Edge(side) => Drag::Edge(side),
                    _ => Drag::Window(x - self.window_center()),
                }
            }
            Hit::Grip(index, side) => Drag::Grip(index, side),
            Hit::Bracket(index) => {
                let start = self.scene.typed.get(index).map_or(t, |span| span.start);
                Drag::Bracket(index, t.saturating_sub(start))
            }
            Hit::Name(_) => Drag::Scroll(y),
            Hit::Nothing if !above_lanes => Drag::None,
            _ if touch.shift || above_lanes => Drag::Sweep(t),
            _ => Drag::Pan { x, y, moved: false },
        };
    }

    /// A pointer moved, pressed or not.
    pub(super) fn drag(&mut self, touch: Touch, snap: Snap<'_>) -> Option<Ask> {
        let (x, y) = (touch.x * self.frame.scale, touch.y * self.frame.scale);
        if self.pointer != Some((x, y)) {
            self.pointer = Some((x, y));
            self.stale_words = true;
        }
        if let Some(held) = self.touches.iter_mut().find(|held| held.id == touch.id) {
            *held = touch;
        }
        if matches!(self.drag, Drag::Grip(..) | Drag::Bracket(..) | Drag::Sweep(_)) {
            self.follow(x);
        }
        let t = self.view.time_at(self.plot_px(x));
        match self.drag {
            Drag::None => None,
            Drag::Pan { x: from_x, y: from_y, moved } => {
                let slop = self.frame.scale * if touch.coarse { 8.0 } else { 3.0 };
                if moved || (x - from_x).abs() > slop || (y - from_y).abs() > slop {
                    let whole = (x - from_x).round();
                    self.pan(whole);
                    self.scroll(from_y - y);
                    self.drag = Drag::Pan { x: from_x + whole, y, moved: true };
                }
                None
            }
            Drag::Grip(index, side) => self.move_edge(index, side, t, touch.alt, snap),
            Drag::Bracket(index, grab) => {
                let old = *self.scene.typed.get(index)?;
                let length = old.end.saturating_sub(old.start);
                let start = self.snapped(t.saturating_sub(grab), touch.alt, snap);
                let end = self.snapped(start.saturating_add(length), touch.alt, snap);
                (end > start && start != old.start).then_some(Ask::Edit(index, (start, end)))
            }
            Drag::Sweep(anchor) => {
                self.sweep = Some(self.swept(anchor, t, touch.alt, snap));
                self.stale_pixels = true;
                None
            }
            Drag::Window(grab) => {
                self.center_overview(x - grab);
                None
            }
            Drag::Edge(side) => {
                let at = x - f64::from(self.frame.overview.x);
                let t = self.overview.as_ref().map(|overview| overview.view().time_at(at))?;
                let seen = self.view.span();
                let span = match side {
                    Side::Start => Span::new(t.min(seen.end.saturating_sub(1)), seen.end),
                    Side::End => Span::new(seen.start, t.max(seen.start.saturating_add(1))),
                };
                self.look(View::of(span, self.view.width()));
                self.moved = true;
                None
            }
            Drag::Scroll(from) => {
                self.scroll(from - y);
                self.drag = Drag::Scroll(y);
                None
            }
            Drag::Pinch(apart, middle) => {
                let [one, two] = self.touches.as_slice() else { return None };
                let (now_apart, now_middle) = ((one.x - two.x).abs(), (one.x + two.x) / 2.0);
                if apart > 8.0 && now_apart > 8.0 {
                    self.zoom(self.plot_px(now_middle * self.frame.scale), apart / now_apart);
                }
                self.pan((now_middle - middle) * self.frame.scale);
                self.drag = Drag::Pinch(now_apart, now_middle);
                None
            }
        }
    }

    /// A pointer was let go.
    pub(super) fn release(&mut self, touch: Touch, snap: Snap<'_>) -> Option<Ask> {
        self.touches.retain(|held| held.id != touch.id);
        let (x, y) = (touch.x * self.frame.scale, touch.y * self.frame.scale);
        let drag = std::mem::take(&mut self.drag);
        self.stale_pixels = true;
        let sweep = self.sweep.take();
        match drag {
            Drag::Pan { moved: false, .. } => Some(self.click(x, y, touch.coarse)),
            Drag::Grip(..) | Drag::Bracket(..) => Some(Ask::Done),
            Drag::Sweep(anchor) => {
                sweep?;
                let t = self.view.time_at(self.plot_px(x));
                let span = self.swept(anchor, t, touch.alt, snap);
                Some(Ask::Edit(self.typed_for(span), (span.start, span.end)))
            }
            Drag::Pinch(..) => {
                // The finger that stays goes on panning.
                self.drag = self.touches.first().map_or(Drag::None, |held| Drag::Pan {
                    x: held.x * self.frame.scale,
                    y: held.y * self.frame.scale,
                    moved: true,
                });
                None
            }
            _ => None,
        }
    }

    /// The pointer left, or the browser took it.
    pub(super) fn leave(&mut self, id: i32, lost: bool) {
        if lost {
            self.touches.retain(|held| held.id != id);
            self.drag = Drag::None;
            self.sweep = None;
            self.stale_pixels = true;
        }
        if self.drag == Drag::None {
            self.pointer = None;
            self.stale_words = true;
        }
    }

    /// A wheel turned, in CSS pixels, over a place. Answers whether it was used.
    pub(super) fn wheel(&mut self, x: f64, y: f64, dx: f64, dy: f64, shift: bool) -> bool {
        let scale = self.frame.scale;
        let (x, y) = (x * scale, y * scale);
        if self.frame.gutter.contains(x, y) || y >= f64::from(self.frame.plot.bottom() + self.frame.px(40.0))
        {
            let before = self.view.scroll;
            self.scroll(dy * scale);
            return before != self.view.scroll;
        }
        let (along, across) = if shift && dx == 0.0 { (dy, 0.0) } else { (dx, dy) };
        if along.abs() > across.abs() {
            self.pan(-along * scale);
        } else if across != 0.0 {
            // One notch of a common mouse (100) is a fifth closer or further.
            self.zoom(self.plot_px(x).max(0.0), (across.clamp(-400.0, 400.0) / 450.0).exp());
        }
        true
    }

    /// Which typed range a new one replaces: the only one, else the one it meets, else none.
    fn typed_for(&self, span: Span) -> usize {
        let typed = &self.scene.typed;
        if typed.len() == 1 {
            return 0;
        }
        typed.iter().position(|old| old.start < span.end && span.start < old.end).unwrap_or(typed.len())
    }

    fn click(&mut self, x: f64, y: f64, coarse: bool) -> Ask {
        match self.hit(x, y, coarse) {
            Hit::Bar(at) => self.select(at),
            Hit::Many(_, tally) => {
                self.look(View::fit(tally.span, self.view.width(), 0.2));
                self.moved = true;
                Ask::Story(None)
            }
            _ => {
                self.selected = None;
                Ask::Story(None)
            }
        }
    }

    /// Picks a bar out and makes it visible.
    pub(super) fn select(&mut self, at: usize) -> Ask {
        let Some(bar) = self.scene.store.bar(at) else { return Ask::Story(None) };
        self.selected = Some(Pick { lane: bar.lane, span: Span::new(bar.start, bar.end) });
        let before = self.view;
        if !self.view.shows(Span::new(bar.start, bar.end)) {
            self.view.reveal(Span::new(bar.start, bar.end));
        }
        self.view.scroll = self.frame.lanes.scroll_to(bar.lane, self.view.scroll);
        self.moved |= self.view != before;
        self.stale_pixels = true;
        Ask::Story(Some(bar.id))
    }

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

    /// Moves an end of a typed range to about `t`.
    pub(super) fn move_edge(
        &self,
        index: usize,
        side: Side,
        t: i64,
        free: bool,
        snap: Snap<'_>,
    ) -> Option<Ask> {
        let old = *self.scene.typed.get(index)?;
        let t = self.snapped(t, free, snap);
        let new = match side {
            Side::Start if t < old.end => (t, old.end),
            Side::Start => (snap((old.end.saturating_sub(1), old.end)).0, old.end),
            Side::End if t > old.start => (old.start, t),
            Side::End => (old.start, snap((old.start, old.start.saturating_add(1))).1),
        };
        (new != (old.start, old.end) && new.0 < new.1).then_some(Ask::Edit(index, new))
    }

    /// Moves an end of a typed range by whole chunks.
    pub(super) fn step_edge(&self, index: usize, side: Side, chunks: i32, snap: Snap<'_>) -> Option<Ask> {
        let old = *self.scene.typed.get(index)?;
        let mut t = if side == Side::Start { old.start } else { old.end };
        for _ in 0..chunks.abs() {
            let next =
                if chunks > 0 { snap((t, t.saturating_add(1))).1 } else { snap((t.saturating_sub(1), t)).0 };
            if self.too_coarse((t.min(next), t.max(next))) {
                break;
            }
            t = next;
        }
        let new = if side == Side::Start { (t, old.end) } else { (old.start, t) };
        (new.0 < new.1 && new != (old.start, old.end)).then_some(Ask::Edit(index, new))
    }

    /// Chunks so wide that snapping to them would throw an edge far out of view (ALL).
    fn too_coarse(&self, chunk: (i64, i64)) -> bool {
        chunk.1.abs_diff(chunk.0) as f64 > self.view.ms_per_px() * f64::from(self.view.width()) * 16.0
    }

    fn snapped(&self, t: i64, free: bool, snap: Snap<'_>) -> i64 {
        let chunk = snap((t, t.saturating_add(1)));
        if free || self.too_coarse(chunk) {
            return axis::nearest(&self.view, t, 3.0 * self.frame.scale);
        }
        if t.abs_diff(chunk.0) <= chunk.1.abs_diff(t) { chunk.0 } else { chunk.1 }
    }

    fn swept(&self, anchor: i64, t: i64, free: bool, snap: Snap<'_>) -> Span {
        let (from, to) = (anchor.min(t), anchor.max(t).max(anchor.min(t).saturating_add(1)));
        let chunks = snap((from, to));
        if free || self.too_coarse(chunks) {
            let spacing = 3.0 * self.frame.scale;
            let start = axis::nearest(&self.view, from, spacing);
            return Span::new(start, axis::nearest(&self.view, to, spacing).max(start.saturating_add(1)));
        }
        Span::new(chunks.0, chunks.1)
    }

    /// Brings what lies beyond the edge of the plot into view while something is dragged there.
    fn follow(&mut self, x: f64) {
        let (left, right) = (f64::from(self.frame.plot.x), f64::from(self.frame.plot.right()));
        if x < left {
            self.pan(((left - x) / 3.0).min(40.0));
        } else if x > right {
            self.pan(((right - x) / 3.0).max(-40.0));
        }
    }

    fn window_center(&self) -> f64 {
        let Some(overview) = &self.overview else { return 0.0 };
        let (left, right) = overview.window(&self.view, 1.0);
        f64::from(self.frame.overview.x) + (left + right) / 2.0
    }

    fn center_overview(&mut self, x: f64) {
        let Some(overview) = &self.overview else { return };
        let t = overview.view().time_at(x - f64::from(self.frame.overview.x));
        let middle = f64::from(self.view.width()) / 2.0;
        let off = middle - self.view.px(t);
        self.pan(off);
    }

    // Keys.

    /// A key on the timeline. `None`: not one of ours.
    pub(super) fn key(&mut self, key: &str, shift: bool) -> Option<Option<Ask>> {
        let wide = f64::from(self.view.width());
        let middle = self.selected.map_or(wide / 2.0, |pick| {
            (self.view.px(pick.span.start).max(0.0) + self.view.px(pick.span.end).min(wide)) / 2.0
        });
        let step = wide * if shift { 0.01 } else { 0.1 };
        match key {
            "ArrowLeft" => self.pan(step),
            "ArrowRight" => self.pan(-step),
            "+" | "=" => self.zoom(middle.clamp(0.0, wide), 0.8),
            "-" | "_" => self.zoom(middle.clamp(0.0, wide), 1.25),
            "Home" => self.pan(wide * 0.05 - self.view.px(self.all().start)),
            "End" => self.pan(wide * 0.95 - self.view.px(self.all().end)),
            "f" => {
                self.look(View::fit(self.all(), self.view.width(), 0.02));
                self.moved = true;
            }
            "s" => {
                self.go_home();
                self.moved = true;
            }
            "ArrowUp" | "ArrowDown" => return Some(self.next_lane(if key == "ArrowUp" { -1 } else { 1 })),
            "[" | "]" => return Some(self.next_bar(key == "]")),
            "Enter" => {
                let (_, bar) = self.selected.and_then(|pick| self.bar_of(pick))?;
                return Some(Some(Ask::Story(Some(bar.id))));
            }
            "Escape" => {
                if self.drag == Drag::None && self.selected.is_none() {
                    return None;
                }
                self.drag = Drag::None;
                self.sweep = None;
                self.selected = None;
                self.stale_pixels = true;
                return Some(Some(Ask::Story(None)));
            }
            _ => return None,
        }
        Some(None)
    }

    /// The next bar of the picked one's lane, or the first in view.
    fn next_bar(&mut self, forward: bool) -> Option<Ask> {
        let at = match self.selected.and_then(|pick| self.bar_of(pick)) {
            Some((at, bar)) => {
                let range = self.scene.store.lane_bars(bar.lane as usize);
                let next = if forward { at + 1 } else { at.checked_sub(1)? };
                range.contains(&next).then_some(next)?
            }
            None => self.nearest_bar(0..self.scene.lanes.len() as u32)?,
        };
        Some(self.select(at))
    }

    fn next_lane(&mut self, by: i64) -> Option<Ask> {
        let lanes = self.scene.lanes.len() as i64;
        let Some(pick) = self.selected else {
            return self.nearest_bar(0..lanes as u32).map(|at| self.select(at));
        };
        let mut lane = i64::from(pick.lane) + by;
        while (0..lanes).contains(&lane) {
            if let Some(at) = self.nearest_bar(lane as u32..lane as u32 + 1) {
                return Some(self.select(at));
            }
            lane += by;
        }
        None
    }

    /// The bar of these lanes nearest to the picked one, or to the middle of the view.
    fn nearest_bar(&self, lanes: std::ops::Range<u32>) -> Option<usize> {
        let seen = self.view.span();
        let t = self.selected.map_or(seen.start / 2 + seen.end / 2, |pick| pick.span.start);
        lanes
            .filter_map(|lane| {
                let range = self.scene.store.lane_bars(lane as usize);
                let after = self.first_from(range.clone(), t.saturating_add(1));
                [after.checked_sub(1), Some(after)]
                    .into_iter()
                    .flatten()
                    .filter(|at| range.contains(at))
                    .filter_map(|at| Some((self.far(self.scene.store.bar(at)?, t), at)))
                    .min()
            })
            .min()
            .map(|(_, at)| at)
    }

    fn far(&self, bar: Bar, t: i64) -> u64 {
        if bar.start <= t && t < bar.end { 0 } else { t.abs_diff(bar.start).min(t.abs_diff(bar.end)) }
    }
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
