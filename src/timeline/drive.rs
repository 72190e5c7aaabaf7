//! Where browser events meet the stage: size, pointers, wheel, keys, animation frames; and what the stage has to say
//! meets the page: edits, stories, the visible range, the note at the pointer.
//!
//! What always holds: one animation frame is asked for at a time, with one closure that lives as long as the timeline;
//! the stage is never borrowed while a callback of the page runs, so that the page may answer with a new scene at once.

use super::{
    Thumb,
    canvas::Easel,
    scene::{Scene, Shared},
    stage::{Ask, Stage, Touch},
    tip::{Tip, cursor, tip},
    words::instant,
};
use chart::{Side, Span};
use gloo_timers::callback::Timeout;
use leptos::{ev, prelude::*};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, HtmlCanvasElement, ResizeObserver};

/// What the timeline tells the page's markup.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) tip: RwSignal<Option<Tip>>,
    pub(super) cursor: RwSignal<&'static str>,
    pub(super) thumbs: RwSignal<Vec<Thumb>>,
    pub(super) live: RwSignal<String>,
    /// How high the canvas wants to be at least, CSS pixels, and whether lanes must be scrolled all the same.
    pub(super) height: RwSignal<(f64, bool)>,
}

impl Told {
    pub(super) fn new() -> Told {
        Told {
            tip: RwSignal::new(None),
            cursor: RwSignal::new("default"),
            thumbs: RwSignal::new(Vec::new()),
            live: RwSignal::new(String::new()),
            height: RwSignal::new((LEAST_HEIGHT, false)),
        }
    }
}

/// What lives as long as the timeline.
struct Kept {
    stage: Stage,
    easel: Option<Easel>,
    observer: Option<ResizeObserver>,
    host: Option<Element>,
    frame: Option<Closure<dyn FnMut()>>,
    resized: Option<Closure<dyn FnMut()>>,
    /// The number of the animation frame that was asked for.
    asked: Option<i32>,
    /// Tells the page the visible range when the view has come to rest.
    rest: Option<Timeout>,
    /// The range that the page was told last.
    said: Option<(i64, i64)>,
    tokens_stale: bool,
    /// A new scene waits to be drawn.
    fresh: bool,
}

/// A handle on a timeline; copies are the same timeline.
#[derive(Clone, Copy)]
pub(super) struct Drive {
    kept: StoredValue<Kept, LocalStorage>,
    pub(super) told: Told,
    range: RwSignal<Option<(i64, i64)>>,
    snap: Callback<(i64, i64), (i64, i64)>,
    edit_typed: Callback<(usize, (i64, i64))>,
    done: Option<Callback<()>>,
    story: Callback<Option<u32>>,
    describe: Callback<u32, String>,
}

/// A pointer event in the terms of the stage.
pub(super) fn touch(event: &ev::PointerEvent) -> Touch {
    Touch {
        id: event.pointer_id(),
        x: f64::from(event.offset_x()),
        y: f64::from(event.offset_y()),
        coarse: event.pointer_type() == "touch",
        shift: event.shift_key(),
        alt: event.alt_key(),
    }
}

/// The canvas is never lower, and does not ask for more, CSS pixels.
const LEAST_HEIGHT: f64 = 240.0;
const MOST_HEIGHT: f64 = 460.0;

/// How long the view rests before the page is told where it is, milliseconds.
const REST: u32 = 180;

impl Drive {
    pub(super) fn new(
        told: Told,
        range: RwSignal<Option<(i64, i64)>>,
        snap: Callback<(i64, i64), (i64, i64)>,
        edit_typed: Callback<(usize, (i64, i64))>,
        done: Option<Callback<()>>,
        story: Callback<Option<u32>>,
        describe: Callback<u32, String>,
    ) -> Drive {
        let kept = Kept {
            stage: Stage::new(js_sys::Date::now() as i64),
            easel: None,
            observer: None,
            host: None,
            frame: None,
            resized: None,
            asked: None,
            rest: None,
            said: None,
            tokens_stale: true,
            fresh: true,
        };
        let kept = StoredValue::new_local(kept);
        Drive { kept, told, range, snap, edit_typed, done, story, describe }
    }

    /// Takes the canvases and follows their size; the next scene shown is drawn on them.
    pub(super) fn attach(
        self,
        host: &web_sys::HtmlDivElement,
        pixels: HtmlCanvasElement,
        above: HtmlCanvasElement,
    ) {
        let frame = Closure::<dyn FnMut()>::new(move || self.frame());
        let resized = Closure::<dyn FnMut()>::new(move || self.measure());
        let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
        if let Some(observer) = &observer {
            observer.observe(host);
        }
        self.kept.update_value(|kept| {
            kept.easel = Easel::new(pixels, above);
            kept.host = Some(host.clone().unchecked_into());
            kept.observer = observer;
            kept.frame = Some(frame);
            kept.resized = Some(resized);
        });
        self.measure();
    }

    /// Lets go of everything the browser would call.
    pub(super) fn detach(self) {
        self.kept.try_update_value(|kept| {
            if let Some(observer) = kept.observer.take() {
                observer.disconnect();
            }
            if let (Some(asked), Some(window)) = (kept.asked.take(), web_sys::window()) {
                let _ = window.cancel_animation_frame(asked);
            }
            kept.rest = None;
            kept.frame = None;
            kept.resized = None;
        });
    }

    /// The canvas has the size of its host, in whole device pixels.
    fn measure(self) {
        let scale = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
        self.kept.try_update_value(|kept| {
            let Some(host) = &kept.host else { return };
            let (width, height) = (f64::from(host.client_width()), f64::from(host.client_height()));
            if width >= 1.0 && height >= 1.0 {
                kept.stage.resize(width, height, scale);
            }
        });
        self.ask();
    }

    /// Shows another scene, at once: a keystroke should not wait for the next animation frame to be answered, and the
    /// page shows one scene a change. What moves the view is drawn once a frame.
    pub(super) fn show(self, scene: Shared<Scene>) {
        let range = self.range.get_untracked();
        self.kept.update_value(|kept| {
            let names = kept.easel.as_ref().map_or(120.0, |easel| easel.names_width(&scene.lanes));
            kept.stage.show(scene, range, names);
            kept.fresh = true;
        });
        self.draw();
    }

    /// The page wants a range to be seen.
    pub(super) fn set_range(self, range: Option<(i64, i64)>) {
        let news = self.kept.try_update_value(|kept| {
            let news = kept.said != range;
            if news {
                kept.said = range;
                kept.rest = None;
                kept.stage.moved = false;
                kept.stage.set_range(range);
            }
            news
        });
        if news == Some(true) {
            self.ask();
        }
    }

    /// Reads the colours again before the next picture.
    pub(super) fn read_tokens(self) {
        self.kept.update_value(|kept| {
            kept.tokens_stale = true;
            kept.stage.stale_pixels = true;
        });
        self.ask();
    }

    /// Asks for an animation frame, if none was asked for.
    fn ask(self) {
        self.kept.try_update_value(|kept| {
            if kept.asked.is_some() || !(kept.stage.stale_pixels || kept.stage.stale_words) {
                return;
            }
            let Some(frame) = &kept.frame else { return };
            kept.asked = web_sys::window()
                .and_then(|window| window.request_animation_frame(frame.as_ref().unchecked_ref()).ok());
        });
    }

    /// One animation frame.
    fn frame(self) {
        self.kept.try_update_value(|kept| kept.asked = None);
        self.draw();
    }

    /// Draws what is not as it is shown, and says what changed.
    fn draw(self) {
        self.kept.try_update_value(|kept| {
            let Some(easel) = &mut kept.easel else { return };
            if std::mem::take(&mut kept.tokens_stale) {
                easel.read_tokens();
            }
            if easel.draw(&mut kept.stage)
                && std::mem::take(&mut kept.fresh)
                && let Some(performance) = web_sys::window().and_then(|window| window.performance())
            {
                let _ = performance.mark("foreshadow:drawn");
            }
        });
        self.tell();
    }

    /// Says what changed to the markup.
    fn tell(self) {
        let said = self.kept.try_with_value(|kept| {
            let tip = tip(&kept.stage, &|id| self.describe.run(id));
            let height = kept.stage.wanted_height(MOST_HEIGHT).max(LEAST_HEIGHT);
            let scrolls = kept.stage.frame.lanes.most_scroll() > 0;
            (tip, cursor(&kept.stage), thumbs(&kept.stage), (height, scrolls))
        });
        let Some((tip, cursor, thumbs, height)) = said else { return };
        set_if_new(self.told.height, height);
        set_if_new(self.told.tip, tip);
        set_if_new(self.told.cursor, cursor);
        set_if_new(self.told.thumbs, thumbs);
    }

    /// After a gesture: passes on what was asked, draws, and tells the range when the view has come to rest.
    fn after(self, ask: Option<Ask>) {
        let moved = self.kept.try_update_value(|kept| std::mem::take(&mut kept.stage.moved)) == Some(true);
        if moved {
            let rest = Timeout::new(REST, move || self.say_range());
            self.kept.update_value(|kept| kept.rest = Some(rest));
        }
        match ask {
            Some(Ask::Edit(index, range)) => self.edit_typed.run((index, range)),
            Some(Ask::Done) => self.edits_done(),
            Some(Ask::Story(id)) => self.story.run(id),
            None => {}
        }
        self.ask();
    }

    fn say_range(self) {
        let range = self.kept.try_update_value(|kept| {
            kept.rest = None;
            let range = Some(kept.stage.range());
            kept.said = range;
            range
        });
        if let Some(range) = range {
            self.range.set(range);
        }
    }

    /// The gesture that made edits is over.
    pub(super) fn edits_done(self) {
        if let Some(done) = self.done {
            done.run(());
        }
    }

    fn with_snap<T>(self, act: impl FnOnce(&mut Stage, super::stage::Snap<'_>) -> T) -> Option<T> {
        // `snap` is arithmetic of the page: it does not come back to the timeline.
        let snap = |range| self.snap.run(range);
        self.kept.try_update_value(|kept| act(&mut kept.stage, &snap))
    }

    pub(super) fn press(self, event: &ev::PointerEvent) {
        if event.button() != 0 {
            return;
        }
        if let Some(canvas) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) {
            let _ = canvas.set_pointer_capture(event.pointer_id());
        }
        let touch = touch(event);
        self.kept.update_value(|kept| kept.stage.press(touch));
        self.tell();
        self.ask();
    }

    pub(super) fn drag(self, touch: Touch) {
        let ask = self.with_snap(|stage, snap| stage.drag(touch, snap)).flatten();
        self.after(ask);
    }

    pub(super) fn release(self, touch: Touch) {
        let ask = self.with_snap(|stage, snap| stage.release(touch, snap)).flatten();
        let finished = matches!(ask, Some(Ask::Edit(..)));
        self.after(ask);
        if finished {
            self.edits_done();
        }
    }

    pub(super) fn leave(self, pointer: i32, lost: bool) {
        self.kept.update_value(|kept| kept.stage.leave(pointer, lost));
        self.ask();
    }

    pub(super) fn wheel(self, event: &ev::WheelEvent) -> bool {
        // Lines and pages of a wheel, in pixels as browsers count them.
        let unit = match event.delta_mode() {
            1 => 33.0,
            2 => 400.0,
            _ => 1.0,
        };
        let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
        // A pinch on a trackpad comes as a wheel with ctrl and small steps.
        let dy = if event.ctrl_key() { dy * 4.0 } else { dy };
        let used = self.kept.try_update_value(|kept| kept.stage.wheel(x, y, dx, dy, event.shift_key()));
        self.after(None);
        used == Some(true)
    }

    /// A key; answers whether it was one of ours. What it came to is read out.
    pub(super) fn key(self, key: &str, shift: bool) -> bool {
        let Some(Some(ask)) = self.kept.try_update_value(|kept| kept.stage.key(key, shift)) else {
            return false;
        };
        let said = match &ask {
            Some(Ask::Story(Some(id))) => self.describe.run(*id),
            Some(_) => String::new(),
            None => self
                .kept
                .try_with_value(|kept| {
                    let (from, to) = kept.stage.range();
                    format!("{} to {} UTC", instant(from), instant(to))
                })
                .unwrap_or_default(),
        };
        self.told.live.set(said);
        self.after(ask);
        true
    }

    /// Moves an end of a typed range by chunks, or as far as can be seen.
    pub(super) fn step_edge(self, index: usize, side: Side, chunks: i32) {
        let ask = self.with_snap(|stage, snap| {
            let all = stage.view.span();
            match chunks {
                i32::MIN => stage.move_edge(index, side, all.start, false, snap),
                i32::MAX => stage.move_edge(index, side, all.end, false, snap),
                _ => stage.step_edge(index, side, chunks, snap),
            }
        });
        let ask = ask.flatten();
        if let Some(Ask::Edit(_, (start, end))) = &ask {
            let at = if side == Side::Start { *start } else { *end };
            self.kept.update_value(|kept| kept.stage.view.reveal(Span::new(at, at.saturating_add(1))));
            self.kept.update_value(|kept| kept.stage.stale_pixels = true);
        }
        self.after(ask);
    }
}

fn set_if_new<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.try_with_untracked(|old| *old != value) == Some(true) {
        signal.set(value);
    }
}

/// Typed ranges beyond this many have no sliders: nobody tabs through three hundred.
const MOST_THUMBS: usize = 12;

/// The ends of typed ranges that are in view.
fn thumbs(stage: &Stage) -> Vec<Thumb> {
    let frame = &stage.frame;
    let mut thumbs = Vec::new();
    for (index, span) in stage.scene.typed.iter().enumerate() {
        for side in [Side::Start, Side::End] {
            let at = if side == Side::Start { span.start } else { span.end };
            let px = stage.view.px(at);
            if px < -1.0 || px > f64::from(stage.view.width()) + 1.0 || thumbs.len() >= MOST_THUMBS {
                continue;
            }
            let all = stage.all();
            let (least, most) = match side {
                Side::Start => (all.start.min(at), span.end),
                Side::End => (span.start, all.end.max(at)),
            };
            thumbs.push(Thumb {
                index,
                side,
                x: (f64::from(frame.plot.x) + px) / frame.scale,
                y: f64::from(frame.bracket.y) / frame.scale,
                at,
                least,
                most,
            });
        }
    }
    thumbs
}
