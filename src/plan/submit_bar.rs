//! The bar at the bottom: the id, the sums, and the button that sends, or says why it does not.

use super::{state::PlanPage, words};
use crate::kit::{Button, CopyButton, Kind};
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
                <Button kind=Kind::Link id="explain-id" press=move |()| page.at_desk(move |_| explain.set(true))>"how it is made"</Button>
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
        {page.dialog(explain, |desk| desk.explain_id)}
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
