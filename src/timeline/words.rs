//! Which words stand where on a timeline, and the light shapes that follow the pointer. Pure: measuring is an argument,
//! drawing is `canvas`.
//!
//! What always holds: words of one row do not overlap (the later one is left out); lane names are whole; positions are
//! CSS pixels of the canvas.

use super::stage::{Drag, Stage};
use chart::{Civil, Hit, Mark, Pick, Rect, axis, labels};

/// Which colour a word has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Strong,
    Plain,
    Quiet,
    OnFill,
    Tomb,
    Warn,
    Stop,
    Doubled,
}

/// Where `x` is in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Middle,
    Right,
}

/// One piece of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) x: f64,
    /// The baseline.
    pub(super) y: f64,
    pub(super) align: Align,
    pub(super) ink: Ink,
    pub(super) bold: bool,
    /// Whether the ground shines around it, because it stands on lines.
    pub(super) halo: bool,
}

/// A thin shape over the pixels, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// An upright line.
    Line { x: f64, top: f64, bottom: f64 },
    /// The outline of the bar under the pointer.
    Frame { x: f64, y: f64, w: f64, h: f64 },
    /// Where the lanes are scrolled to.
    Thumb { x: f64, y: f64, w: f64, h: f64 },
}

/// Width of a text in CSS pixels, plain or bold.
pub(super) type Measure<'a> = &'a dyn Fn(&str, bool) -> f64;

/// What lanes need for their names; at least what a title needs.
pub(super) fn names_width(stage_lanes: &[super::scene::LaneName], measure: Measure<'_>) -> f64 {
    let names = stage_lanes.iter().map(|lane| measure(&lane.name, true).max(measure(&lane.sub, false)));
    names.fold(96.0, f64::max).ceil()
}

/// All words of a picture.
pub(super) fn words(stage: &Stage, measure: Measure<'_>) -> Vec<Word> {
    let mut page = Page { stage, measure, words: Vec::new(), css: 1.0 / stage.frame.scale };
    page.axis();
    page.lanes();
    page.bars();
    page.bracket();
    page.locks();
    page.overview();
    page.words
}

/// The shapes that follow the pointer.
pub(super) fn shapes(stage: &Stage) -> Vec<Shape> {
    let frame = &stage.frame;
    let css = |px: f64| px / frame.scale;
    let mut shapes = Vec::new();
    let lanes = frame.lanes;
    if lanes.most_scroll() > 0 {
        let whole = f64::from(lanes.area.h + lanes.most_scroll());
        let area = f64::from(lanes.area.h);
        shapes.push(Shape::Thumb {
            x: css(f64::from(lanes.area.right())) + 4.0,
            y: css(f64::from(lanes.area.y) + f64::from(stage.view.scroll) / whole * area),
            w: 4.0,
            h: css(area / whole * area).max(12.0),
        });
    }
    let Some((x, y)) = stage.pointer.filter(|(x, y)| frame.plot.contains(*x, *y)) else { return shapes };
    if matches!(stage.drag, Drag::Pan { moved: true, .. } | Drag::Pinch(..)) {
        return shapes;
    }
    shapes.push(Shape::Line {
        x: css(x.floor()) + 0.5,
        top: css(f64::from(frame.plot.y)),
        bottom: css(f64::from(frame.plot.bottom())),
    });
    if stage.drag == Drag::None
        && let Hit::Bar(at) = stage.hit(x, y, false)
        && let Some(bar) = stage.scene.store.bar(at)
        && let Some((x0, x1)) = labels::in_view(&stage.view, frame, chart::Span::new(bar.start, bar.end))
    {
        let (top, bottom) = lanes.bars(bar.lane, stage.view.scroll);
        let (top, bottom) = (top.max(lanes.area.y), bottom.min(lanes.area.bottom()));
        let selected =
            stage.selected == Some(Pick { lane: bar.lane, span: chart::Span::new(bar.start, bar.end) });
        if bottom > top && !selected {
            shapes.push(Shape::Frame {
                x: css(f64::from(x0)) - 0.5,
                y: css(f64::from(top)) - 0.5,
                w: css(f64::from((x1 - x0).max(1))),
                h: css(f64::from(bottom - top)) + 1.0,
            });
        }
    }
    shapes
}

struct Page<'a> {
    stage: &'a Stage,
    measure: Measure<'a>,
    words: Vec<Word>,
    css: f64,
}

impl Page<'_> {
    fn css(&self, px: i32) -> f64 {
        f64::from(px) * self.css
    }

    fn put(&mut self, text: impl Into<String>, x: f64, y: f64, align: Align, ink: Ink, bold: bool) {
        self.words.push(Word { text: text.into(), x, y, align, ink, bold, halo: false });
    }

    /// The last word stands on lines.
    fn halo(&mut self) {
        if let Some(word) = self.words.last_mut() {
            word.halo = true;
        }
    }

    fn axis(&mut self) {
        let (stage, frame) = (self.stage, &self.stage.frame);
        let (spacing, short) = chart::tick_spacing(frame);
        let room = self.css(frame.title.w) - 8.0;
        let title = [false, true]
            .map(|short| format!("{}, UTC", axis::title(&stage.view, spacing, short)))
            .into_iter()
            .find(|text| (self.measure)(text, false) <= room);
        let title = title.unwrap_or_else(|| "UTC".to_owned());
        let base = self.css(frame.title.bottom()) - if frame.gutter.w > 0 { 6.0 } else { 4.0 };
        self.put(title, self.css(frame.title.x), base, Align::Left, Ink::Quiet, false);

        let ticks: Vec<_> = chart::ticks(&stage.view, frame).collect();
        let base = self.css(frame.axis.bottom()) - 6.0;
        // The button for help stands in the right corner.
        let (left, right) = (self.css(frame.plot.x), self.css(frame.plot.right()) - 14.0);
        for (at, tick) in ticks.iter().enumerate() {
            let text = tick.label(short);
            let width = (self.measure)(&text, true);
            // The label of the tick before the left edge sticks there while it has room.
            let x = (left + tick.px * self.css).max(left) + 5.0;
            let next = ticks.get(at + 1).map_or(right + 4.0, |next| left + next.px * self.css);
            if x + width + 4.0 <= next && x + width <= right {
                let ink =
                    if tick.strong() || tick.step >= axis::Unit::Day { Ink::Strong } else { Ink::Plain };
                self.put(text, x, base, Align::Left, ink, ink == Ink::Strong);
            }
        }
    }

    fn lanes(&mut self) {
        let (stage, frame) = (self.stage, &self.stage.frame);
        let (top, bottom) = (self.css(frame.lanes.area.y), self.css(frame.lanes.area.bottom()));
        for label in labels::lane_names(frame, stage.view.scroll) {
            let Some(lane) = stage.scene.lanes.get(label.lane as usize) else { continue };
            let x = self.css(label.room.x);
            let inside = |y: f64| y - 9.0 >= top - 2.0 && y <= bottom;
            if label.above {
                let y = self.css(label.room.bottom()) - 4.0;
                if !inside(y) {
                    continue;
                }
                let width = (self.measure)(&lane.name, true);
                self.put(lane.name.clone(), x, y, Align::Left, Ink::Strong, true);
                self.halo();
                let free = self.css(label.room.w) - width - 8.0;
                if !lane.sub.is_empty() && (self.measure)(&lane.sub, false) <= free {
                    self.put(lane.sub.clone(), x + width + 8.0, y, Align::Left, Ink::Quiet, false);
                    self.halo();
                }
            } else {
                let middle = self.css(label.room.y) + self.css(label.room.h) / 2.0;
                let both = self.css(label.room.h) >= 28.0 && !lane.sub.is_empty();
                let y = if both { middle - 2.0 } else { middle + 4.0 };
                if inside(y) {
                    self.put(lane.name.clone(), x, y, Align::Left, Ink::Strong, true);
                }
                if both && inside(middle + 12.0) {
                    self.put(lane.sub.clone(), x, middle + 12.0, Align::Left, Ink::Quiet, false);
                }
            }
        }
    }

    fn bars(&mut self) {
        let (stage, frame) = (self.stage, &self.stage.frame);
        let either = |mark| matches!(mark, Mark::EitherTomb | Mark::EitherKept | Mark::EitherHidden);
        let least = frame.px(14.0);
        for label in labels::in_bars(&stage.scene.store, &stage.view, frame, least, 400) {
            let words = stage.words.get(&label.id).copied();
            let room = self.css(label.room.w) - 12.0;
            let fits = |text: &&str| (self.measure)(text, true) <= room;
            let Some(text) = words.filter(fits).or(either(label.mark).then_some("?")) else { continue };
            let (x, y) = (self.css(label.room.x) + room / 2.0 + 6.0, self.middle(label.room) + 4.0);
            let (ink, halo) = match label.mark {
                Mark::Served | Mark::New => (Ink::OnFill, false),
                Mark::Appended => (Ink::OnFill, false),
                Mark::Doubled => (Ink::Doubled, true),
                Mark::Tombstone => (Ink::Tomb, true),
                Mark::Removed => (Ink::Stop, true),
                _ => (Ink::Strong, true),
            };
            let clear = y - 9.0 >= self.css(frame.lanes.area.y) && y <= self.css(frame.lanes.area.bottom());
            if self.css(label.room.h) >= 14.0 && clear {
                self.words.push(Word {
                    text: text.to_owned(),
                    x,
                    y,
                    align: Align::Middle,
                    ink,
                    bold: true,
                    halo,
                });
            }
        }
    }

    fn middle(&self, room: Rect) -> f64 {
        self.css(room.y) + self.css(room.h) / 2.0
    }

    fn bracket(&mut self) {
        let (stage, frame) = (self.stage, &self.stage.frame);
        if frame.bracket.h == 0 {
            return;
        }
        let y = self.css(frame.bracket.y) + 19.0;
        let mut row = Row::new(self.css(frame.plot.x) - 4.0, self.css(frame.plot.right()) + 8.0);
        let held = match stage.drag {
            Drag::Grip(index, _) | Drag::Bracket(index, _) => stage.scene.typed.get(index).copied(),
            Drag::Sweep(_) => stage.sweep,
            _ => None,
        };
        if let Some(span) = held {
            // While an edge moves, both ends say where they are.
            let ends = [(span.start, Align::Right, -7.0), (span.end, Align::Left, 7.0)];
            for (t, align, off) in ends {
                let x = self.css(frame.plot.x) + stage.view.px(t) * self.css + off;
                self.in_row(&mut row, instant(t), x, y, align, Ink::Strong);
            }
            return;
        }
        for (span, text) in stage.scene.widened.iter().zip(&stage.scene.widened_words) {
            let Some((x0, x1)) = labels::in_view(&stage.view, frame, *span) else { continue };
            let before = stage.scene.typed.iter().any(|typed| typed.start == span.end);
            let (x, align) =
                if before { (self.css(x0) - 5.0, Align::Right) } else { (self.css(x1) + 5.0, Align::Left) };
            self.in_row(&mut row, text.clone(), x, y, align, Ink::Warn);
        }
        if stage.scene.typed.is_empty() {
            let x = self.css(frame.plot.x) + self.css(frame.plot.w) / 2.0;
            self.put("drag here to choose a range", x, y, Align::Middle, Ink::Quiet, false);
            self.halo();
        }
        for span in &stage.scene.typed {
            let Some((x0, x1)) = labels::in_view(&stage.view, frame, *span) else { continue };
            let (x0, x1) = (self.css(x0), self.css(x1));
            if x1 - x0 >= (self.measure)("typed", true) + 20.0 {
                self.in_row(&mut row, "typed".to_owned(), (x0 + x1) / 2.0, y, Align::Middle, Ink::Strong);
            }
        }
    }

    fn in_row(&mut self, row: &mut Row, text: String, x: f64, y: f64, align: Align, ink: Ink) {
        let width = (self.measure)(&text, true);
        let left = match align {
            Align::Left => x,
            Align::Middle => x - width / 2.0,
            Align::Right => x - width,
        };
        if row.take(left, left + width) {
            self.words.push(Word { text, x, y, align, ink, bold: true, halo: true });
        }
    }

    fn locks(&mut self) {
        let (stage, frame) = (self.stage, &self.stage.frame);
        if frame.locks.h == 0 {
            return;
        }
        let y = self.css(frame.locks.bottom()) - 11.0;
        let mut row = Row::new(self.css(frame.plot.x), self.css(frame.plot.right()));
        for lock in &stage.scene.locks {
            let Some((x0, _)) = labels::in_view(&stage.view, frame, lock.mark.span) else { continue };
            let width = (self.measure)(&lock.name, true);
            // Rather a little to the left than out of the plot.
            let x = self.css(x0).min(self.css(frame.plot.right()) - width).max(self.css(frame.plot.x));
            self.in_row(&mut row, lock.name.clone(), x, y, Align::Left, Ink::Stop);
        }
    }

    fn overview(&mut self) {
        let frame = &self.stage.frame;
        if frame.overview.h > 0 && frame.gutter.w > 0 {
            let y = self.middle(frame.overview) + 4.0;
            self.put("all of time", 12.0, y, Align::Left, Ink::Quiet, false);
        }
    }
}

/// What is taken of a row of words.
struct Row {
    from: f64,
    to: f64,
    taken: Vec<(f64, f64)>,
}

impl Row {
    fn new(from: f64, to: f64) -> Row {
        Row { from, to, taken: Vec::new() }
    }

    fn take(&mut self, left: f64, right: f64) -> bool {
        let free = self.taken.iter().all(|(a, b)| right + 6.0 <= *a || left >= *b + 6.0);
        let fits = free && left >= self.from && right <= self.to;
        if fits {
            self.taken.push((left, right));
        }
        fits
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// An instant as short as it is exact: "16 Jul 2026 06:00". UTC.
pub(super) fn instant(t: i64) -> String {
    if t.abs_diff(0) >= chart::ETERNITY as u64 - 1 {
        return if t < 0 { "the beginning of time".to_owned() } else { "the end of time".to_owned() };
    }
    let c = Civil::of(t);
    let month = MONTHS.get(usize::from(c.month) - 1).copied().unwrap_or_default();
    let mut text = format!("{} {month} {} {:02}:{:02}", c.day, c.year, c.hour, c.minute);
    if (c.second, c.ms) != (0, 0) {
        text += &format!(":{:02}", c.second);
    }
    if c.ms != 0 {
        text += &format!(".{:03}", c.ms);
    }
    text
}
