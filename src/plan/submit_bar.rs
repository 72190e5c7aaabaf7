//! The bar at the bottom: the id and how it is made, the sums, and the button that sends, or says why it does not.

use super::{state::PlanPage, words};
use crate::kit::{Button, CopyButton, Dialog, Kind, Segmented, State, TextField};
use backfill::forecast::Count;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

#[component]
pub(super) fn SubmitBar(page: PlanPage) -> impl IntoView {
    let explain = RwSignal::new(false);
    let id = Memo::new(move |_| page.id().map(|made| made.id));
    let blocked = Signal::derive(move || page.blocked());
    let label = move || match blocked.get() {
        Some(short) => short,
        None => page.submit_label(),
    };
    let press = move |()| page.submit();
    view! {
        <footer class="submit" aria-label="Submission">
            <div class="id">
                {move || match id.get() {
                    Ok(id) => view! {
                        <span class="mono" id="task-id">{id.clone()}</span>
                        <CopyButton text=id what="the id" />
                    }.into_any(),
                    Err(why) => view! { <span class="note stop" id="task-id">"no id: " {why}</span> }.into_any(),
                }}
                <Button kind=Kind::Link id="explain-id" press=move |()| explain.set(true)>"how it is made"</Button>
            </div>
            <span class="grow"></span>
            <Sums page />
            <div class="go-wrap">
                <button type="button" id="submit" class="btn primary"
                    aria-disabled=move || blocked.with(Option::is_some).to_string()
                    on:click=move |_| if blocked.with_untracked(Option::is_none) { press(()) } else { show_why() }
                >{label}</button>
            </div>
        </footer>
        <IdDialog page open=explain />
    }
}

/// A click on the blocked button leads to the reason.
fn show_why() {
    let first = document()
        .query_selector("#findings [data-verdict=stop], #findings [data-verdict=warn]")
        .ok()
        .flatten()
        .or_else(|| document().get_element_by_id("findings"));
    if let Some(first) = first {
        first.scroll_into_view();
        if let Some(button) = first
            .query_selector("button")
            .ok()
            .flatten()
            .and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok())
        {
            let _ = button.focus();
        }
    }
}

#[component]
fn Sums(page: PlanPage) -> impl IntoView {
    let sums = Memo::new(move |_| {
        page.drawn.with(|drawn| {
            let world = page.looked_at(drawn)?;
            let counts = &world.counts;
            let mut sums = vec![
                ("c-new", figure(counts.replaced.chunks), "replaced"),
                ("c-tomb", figure(counts.emptied.chunks), "emptied"),
                ("", figure(counts.hidden.holders), "hidden"),
                ("c-dbl", figure(counts.doubled.holders), "added to"),
            ];
            if counts.filled.most > 0 {
                sums.insert(1, ("c-new", figure(counts.filled), "filled"));
            }
            if counts.not_named.most > 0 {
                let most = i64::try_from(counts.not_named.most).unwrap_or(i64::MAX);
                sums.push(("c-stop", words::length(most), "not named"));
            }
            Some(sums)
        })
    });
    view! {
        <div class="sum num" aria-label="What the run does">
            {move || sums.get().unwrap_or_default().into_iter().map(|(class, figure, word)| view! {
                <span><b class=class>{figure}</b>" " {word}</span>
            }).collect_view()}
        </div>
    }
}

/// "24", or "0–24" where the input decides.
fn figure(count: Count) -> String {
    match (count.least, count.most) {
        (least, u64::MAX) => format!("{}+", words::count(least)),
        (least, most) if least == most => words::count(most),
        (least, most) => format!("{}–{}", words::count(least), words::count(most)),
    }
}

#[component]
fn IdDialog(page: PlanPage, open: RwSignal<bool>) -> impl IntoView {
    view! {
        <Dialog open title="How the task id is made">
            <div class="body">
                <p class="muted">
                    "The same work always gets the same id, so that the Overlord refuses a second copy. The id is "
                    <code>"idx_"</code>", the datasource, and the first 12 hexadecimal digits of the SHA-1 of the text below."
                </p>
                <VersionField page />
                {move || match page.id() {
                    Ok(made) => {
                        let check = format!("printf '%s' '{}' | sha1sum", made.hashed.replace('\'', "'\\''"));
                        view! {
                            <dl class="facts-list">
                                <dt>"Datasource"</dt><dd class="mono">{made.parts.datasource.clone()}</dd>
                                <dt>"Interval"</dt><dd class="mono">{made.parts.interval.clone()}</dd>
                                <dt>"Version"</dt><dd class="mono">{made.parts.version.clone()}</dd>
                                <dt>"Hashed text"</dt><dd class="mono" id="hashed">{made.hashed.clone()}</dd>
                                <dt>"SHA-1"</dt><dd class="mono">{made.digest.clone()}</dd>
                                <dt>"Id"</dt><dd class="mono">{made.id.clone()}</dd>
                                <dt>"Check it"</dt><dd class="mono">{check.clone()} " " <CopyButton text=check what="the command" /></dd>
                            </dl>
                        }.into_any()
                    }
                    Err(error) => view! { <p class="note stop">{error}</p> }.into_any(),
                }}
                <p class="muted">
                    "The interval is written in one form, so that two spellings give one id: UTC, condensed, milliseconds "
                    "only where they are not zero. The content of the spec is not in the text unless the version is made from "
                    "it; a ledger in this browser remembers which content each id was made from."
                </p>
            </div>
        </Dialog>
    }
}

/// The version: typed, or made from the content.
#[component]
pub(super) fn VersionField(page: PlanPage) -> impl IntoView {
    let derived = Signal::derive(move || Some(page.version_is_derived()));
    let state = Signal::derive(move || match page.version_trouble() {
        Some(trouble) => State::Bad(trouble),
        None => State::Fine,
    });
    let kinds = vec![(false, "typed".to_owned()), (true, "from the content".to_owned())];
    view! {
        <div class="row">
            <span class="muted">"Version"</span>
            <Segmented label="Where the version comes from" options=kinds value=derived choose=move |on: bool| page.derive_version(on) class="small" />
        </div>
        <Show when=move || derived.get() == Some(false)>
            <TextField label="Version" mono=true value=Signal::derive(move || page.version_text()) state
                input=move |now: String| page.set_version(&now) />
        </Show>
    }
}
