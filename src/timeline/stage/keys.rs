//! What a key does to the stage: moving the view, the ends of an interval, and from bar to bar.

use super::*;

impl Stage {
    /// Moves an end of a typed range to about `t`.
    pub(in crate::timeline) fn move_edge(
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
    pub(in crate::timeline) fn step_edge(
        &self,
        index: usize,
        side: Side,
        chunks: i32,
        snap: Snap<'_>,
    ) -> Option<Ask> {
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

    /// A key on the timeline. `None`: not one of ours.
    pub(in crate::timeline) fn key(&mut self, key: &str, shift: bool) -> Option<Option<Ask>> {
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
    pub(super) fn next_bar(&mut self, forward: bool) -> Option<Ask> {
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

    pub(super) fn next_lane(&mut self, by: i64) -> Option<Ask> {
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
    pub(super) fn nearest_bar(&self, lanes: std::ops::Range<u32>) -> Option<usize> {
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

    pub(super) fn far(&self, bar: Bar, t: i64) -> u64 {
        if bar.start <= t && t < bar.end { 0 } else { t.abs_diff(bar.start).min(t.abs_diff(bar.end)) }
    }
}
