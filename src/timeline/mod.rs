//! The timeline: what lies in a datasource and what a run does to it, drawn by `chart` on a canvas.
//!
//! Thin on purpose: `stage` (what is shown and what gestures do), `words` (what is written where) and `tip` are plain
//! values with tests; `canvas` fills the two canvases; here they meet the page. What always holds: a frame is drawn
//! only when something changed, at most once per animation frame; an interval edited here is edited by the page, which
//! answers with a new scene.

mod canvas;
mod demo;
mod drive;
mod range;
mod scene;
mod stage;
#[cfg(test)]
mod tests;
mod tip;
mod words;

pub(crate) use demo::Demo;
pub use range::RangeButtons;
pub use scene::{LaneName, LockName, Scene, Shared};

use chart::Side;
use drive::{Drive, Told, touch};
use leptos::{ev, html, prelude::*};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many timelines were made.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// An end of a typed range that can be moved by keys.
#[derive(Clone, Debug, PartialEq)]
struct Thumb {
    index: usize,
    side: Side,
    /// CSS pixels on the canvas.
    x: f64,
    y: f64,
    at: i64,
    /// What it can be moved between.
    least: i64,
    most: i64,
}

/// A timeline with pan, zoom, selection, and edges that can be dragged.
#[component]
pub fn Timeline(
    /// What is shown.
    #[prop(into)]
    scene: Signal<Shared<Scene>>,
    /// The visible milliseconds; `None` follows the plan. Written when a person moves the view.
    range: RwSignal<Option<(i64, i64)>>,
    /// From an interval to the whole chunks that it touches.
    #[prop(into)]
    snap: Callback<(i64, i64), (i64, i64)>,
    /// Another interval for the typed range of this number; the number after the last for a new one.
    #[prop(into)]
    edit_typed: Callback<(usize, (i64, i64))>,
    /// The gesture that made the edits is over: what follows is another step of undo.
    #[prop(into, optional)]
    done: Option<Callback<()>>,
    /// A bar was picked (its id), or none.
    #[prop(into)]
    story: Callback<Option<u32>>,
    /// Words about a bar, a line each.
    #[prop(into)]
    describe: Callback<u32, String>,
    /// Whether the theme is dark; the colours are read again when it changes.
    #[prop(into)]
    dark: Signal<bool>,
) -> impl IntoView {
    let host = NodeRef::<html::Div>::new();
    let pixels = NodeRef::<html::Canvas>::new();
    let above = NodeRef::<html::Canvas>::new();
    let told = Told::new();
    let drive = Drive::new(told, range, snap, edit_typed, done, story, describe);
    let help = RwSignal::new(false);

    Effect::new(move |_| {
        if let (Some(host), Some(pixels), Some(above)) = (host.get(), pixels.get(), above.get()) {
            drive.attach(&host, pixels, above);
        }
    });
    // After the canvases are there: the order of these two matters.
    Effect::new(move |_| drive.show(scene.get()));
    Effect::new(move |_| drive.set_range(range.get()));
    Effect::new(move |_| {
        dark.track();
        drive.read_tokens();
    });
    on_cleanup(move || drive.detach());

    let key = move |event: ev::KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        if event.key() == "?" {
            help.update(|open| *open = !*open);
        } else if event.key() == "Escape" && help.get_untracked() {
            help.set(false);
        } else if !drive.key(&event.key(), event.shift_key()) {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let wheel = move |event: ev::WheelEvent| {
        if drive.wheel(&event) {
            event.prevent_default();
        }
    };
    let summary = move || {
        let summary = scene.with(|scene| scene.summary.clone());
        if summary.is_empty() { "Timeline".to_owned() } else { summary }
    };
    // A page may show several timelines; each has its own description.
    let keys_id = format!("tl-keys-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    view! {
        <figure class="timeline">
            <div
                node_ref=host class="tl-host" role="application" tabindex="0"
                aria-label="Timeline" aria-roledescription="timeline"
                aria-describedby=keys_id.clone()
                class:scrolls=move || told.height.get().1
                style:min-height=move || format!("{}px", told.height.get().0)
                on:keydown=key
            >
                <canvas node_ref=pixels class="tl-pixels" role="img" aria-label=summary></canvas>
                <canvas
                    node_ref=above class="tl-words" aria-hidden="true"
                    style:cursor=move || told.cursor.get()
                    on:pointerdown=move |event| drive.press(&event)
                    on:pointermove=move |event| drive.drag(touch(&event))
                    on:pointerup=move |event| drive.release(touch(&event))
                    on:pointercancel=move |event| drive.leave(event.pointer_id(), true)
                    on:pointerleave=move |event| drive.leave(event.pointer_id(), false)
                    on:wheel=wheel
                ></canvas>
                <For each=move || told.thumbs.get() key=|thumb| (thumb.index, thumb.side == Side::End) let(thumb)>
                    <Slider thumb drive />
                </For>
                <button
                    type="button" class="tl-help-button" title="Keys and gestures (?)" aria-label="Keys and gestures"
                    aria-expanded=move || if help.get() { "true" } else { "false" }
                    on:click=move |_| help.update(|open| *open = !*open)
                >"?"</button>
                {move || help.get().then(|| view! { <Help /> })}
            </div>
            {move || told.tip.get().map(|tip| {
                let (x, room) = (format!("{}px", tip.x), format!("{}px", tip.room));
                let (left, right) = if tip.left { ("auto".to_owned(), x) } else { (x, "auto".to_owned()) };
                view! {
                    <div
                        class="tl-tip" class:up=tip.up aria-hidden="true"
                        style:left=left style:right=right style:max-width=room style:top=format!("{}px", tip.y)
                    >
                        {tip.lines.into_iter().map(|line| view! { <p>{line}</p> }).collect_view()}
                    </div>
                }
            })}
            <p id=keys_id class="sr">
                "Arrow keys move through time, plus and minus zoom, up and down change the lane, brackets walk from chunk to \
                 chunk, Enter tells a chunk's story, question mark shows all keys. The table says the same as the picture."
            </p>
            <p class="sr" role="status" aria-live="polite">{move || told.live.get()}</p>
        </figure>
    }
}

/// One end of a typed range as a slider: an arrow is a chunk, a page ten.
#[component]
fn Slider(thumb: Thumb, drive: Drive) -> impl IntoView {
    let told = drive.told;
    let (index, side) = (thumb.index, thumb.side);
    let now = Memo::new(move |_| {
        told.thumbs.with(|all| {
            all.iter()
                .find(|other| (other.index, other.side) == (index, side))
                .cloned()
                .unwrap_or(thumb.clone())
        })
    });
    let name = move || {
        let many = told.thumbs.with(|all| all.iter().any(|thumb| thumb.index > 0));
        let end = if side == Side::Start { "Start" } else { "End" };
        if many { format!("{end} of typed range {}", index + 1) } else { format!("{end} of the typed range") }
    };
    let key = move |event: ev::KeyboardEvent| {
        let chunks = match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => -1,
            "ArrowRight" | "ArrowUp" => 1,
            "PageDown" => -10,
            "PageUp" => 10,
            "Home" => i32::MIN,
            "End" => i32::MAX,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        drive.step_edge(index, side, chunks);
    };
    view! {
        <div
            class="tl-thumb" role="slider" tabindex="0" aria-orientation="horizontal" aria-label=name
            aria-valuemin=move || now.get().least.to_string()
            aria-valuemax=move || now.get().most.to_string()
            aria-valuenow=move || now.get().at.to_string()
            aria-valuetext=move || format!("{} UTC", words::instant(now.get().at))
            style:left=move || format!("{}px", now.get().x)
            style:top=move || format!("{}px", now.get().y)
            on:keydown=key
            on:keyup=move |_| drive.edits_done()
        ></div>
    }
}

/// All keys and gestures.
#[component]
fn Help() -> impl IntoView {
    let rows = [
        ("drag, ← →", "move through time (Shift: slowly)"),
        ("wheel, pinch, + −", "closer, further"),
        ("drag above the lanes, Shift drag", "choose a range, by whole chunks (Alt: freely)"),
        ("drag an end of the bracket", "change the typed range (by keys: Tab to the end, then ← →)"),
        ("click, Enter", "the story of a chunk"),
        ("↑ ↓, [ ]", "next lane, next chunk"),
        ("s, f", "show the plan, show all"),
        ("Home, End", "the beginning, the end"),
        ("Esc", "let go"),
    ];
    view! {
        <dl class="tl-help">
            {rows.into_iter().map(|(keys, what)| view! { <dt>{keys}</dt><dd>{what}</dd> }).collect_view()}
        </dl>
    }
}
