//! What a pointer or a wheel does to the stage: presses, drags, pinches, clicks.

use super::*;

impl Stage {
    /// A pointer was pressed.
    pub(in crate::timeline) fn press(&mut self, touch: Touch) {
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
    pub(in crate::timeline) fn drag(&mut self, touch: Touch, snap: Snap<'_>) -> Option<Ask> {
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
    pub(in crate::timeline) fn release(&mut self, touch: Touch, snap: Snap<'_>) -> Option<Ask> {
        self.touches.retain(|held| held.id != touch.id);
        let (x, y) = (touch.x * self.frame.scale, touch.y * self.frame.scale);
        let drag = std::mem::take(&mut self.drag);
        self.stale_pixels = true;
        let sweep = self.sweep.take();
        match drag {
            Drag::Pan { moved: false, .. } => {
                let ask = self.click(x, y, touch.coarse);
                // The story says more than the note did, which is in its way.
                self.pointer = None;
                self.stale_words = true;
                Some(ask)
            }
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
    pub(in crate::timeline) fn leave(&mut self, id: i32, lost: bool) {
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
    pub(in crate::timeline) fn wheel(&mut self, x: f64, y: f64, dx: f64, dy: f64, shift: bool) -> bool {
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
    pub(super) fn typed_for(&self, span: Span) -> usize {
        let typed = &self.scene.typed;
        if typed.len() == 1 {
            return 0;
        }
        typed.iter().position(|old| old.start < span.end && span.start < old.end).unwrap_or(typed.len())
    }

    pub(super) fn click(&mut self, x: f64, y: f64, coarse: bool) -> Ask {
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
    pub(in crate::timeline) fn select(&mut self, at: usize) -> Ask {
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

    /// Chunks so wide that snapping to them would throw an edge far out of view (ALL).
    pub(super) fn too_coarse(&self, chunk: (i64, i64)) -> bool {
        chunk.1.abs_diff(chunk.0) as f64 > self.view.ms_per_px() * f64::from(self.view.width()) * 16.0
    }

    pub(super) fn snapped(&self, t: i64, free: bool, snap: Snap<'_>) -> i64 {
        let chunk = snap((t, t.saturating_add(1)));
        if free || self.too_coarse(chunk) {
            return axis::nearest(&self.view, t, 3.0 * self.frame.scale);
        }
        if t.abs_diff(chunk.0) <= chunk.1.abs_diff(t) { chunk.0 } else { chunk.1 }
    }

    pub(super) fn swept(&self, anchor: i64, t: i64, free: bool, snap: Snap<'_>) -> Span {
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
    pub(super) fn follow(&mut self, x: f64) {
        let (left, right) = (f64::from(self.frame.plot.x), f64::from(self.frame.plot.right()));
        if x < left {
            self.pan(((left - x) / 3.0).min(40.0));
        } else if x > right {
            self.pan(((right - x) / 3.0).max(-40.0));
        }
    }

    pub(super) fn window_center(&self) -> f64 {
        let Some(overview) = &self.overview else { return 0.0 };
        let (left, right) = overview.window(&self.view, 1.0);
        f64::from(self.frame.overview.x) + (left + right) / 2.0
    }

    pub(super) fn center_overview(&mut self, x: f64) {
        let Some(overview) = &self.overview else { return };
        let t = overview.view().time_at(x - f64::from(self.frame.overview.x));
        let middle = f64::from(self.view.width()) / 2.0;
        let off = middle - self.view.px(t);
        self.pan(off);
    }
}
