//! The Plan page: compose a backfill and see what it does, on one screen.
//!
//! `state` holds everything and `actions` changes it; the rest shows it. What a run does is decided by `backfill`.

mod actions;
mod context;
mod desk;
mod draft;
mod exchange;
mod findings;
mod form;
mod frozen;
mod highlight;
mod identity;
mod identity_dialog;
mod json_editor;
mod known;
mod lanes;
mod picture;
mod range;
mod scene;
mod state;
mod story;
mod submit_bar;
mod table;
mod upgrade_dialog;

pub mod words;

pub use draft::BringingBack;
pub use frozen::Frozen;
pub use identity::{content_of, intervals};
pub use state::PlanPage;

use crate::kit::{Banner, Button, Tabs, Tone};
use leptos::{ev, prelude::*};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tab {
    Form,
    Json,
}

/// The page.
#[component]
pub fn Plan(page: PlanPage) -> impl IntoView {
    let import = RwSignal::new(false);
    let (upgrading, upgrade) = (RwSignal::new(false), upgrade_dialog::part());
    let dragging = RwSignal::new(false);
    let keys = window_event_listener(ev::keydown, move |event| {
        let letter = event.key().to_lowercase();
        if !(event.ctrl_key() || event.meta_key()) || event.alt_key() {
            return;
        }
        match letter.as_str() {
            "z" if event.shift_key() => page.redo(),
            "z" => page.undo(),
            "y" => page.redo(),
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || keys.remove());
    let drop = move |event: ev::DragEvent| {
        event.prevent_default();
        dragging.set(false);
        if let Some(file) = dropped(&event) {
            page.at_desk(move |desk| (desk.take_file)(page, file));
        }
    };
    view! {
        <div class="plan" class:drop=move || dragging.get()
            on:dragover=move |event| { event.prevent_default(); dragging.set(true); }
            on:dragleave=move |event| if event.related_target().is_none() { dragging.set(false) }
            on:drop=drop
        >
            <context::ContextBar page import />
            <Messages page />
            <draft::Notices page />
            <div class="split">
                <SpecPane page />
                <section class="view" aria-label="What happens">
                    <picture::Picture page />
                    <findings::Findings page upgrading />
                </section>
            </div>
            {move || page.sent.get().map(|key| view! {
                <div class="own-run">{page.sending.card(key)}</div>
            })}
            <submit_bar::SubmitBar page />
            {page.dialog(import, |desk| desk.import)}
            {move || upgrading.get().then(|| upgrade.view(move |show| show(page, upgrading)))}
        </div>
    }
}

/// The file of a drop, if there is one.
fn dropped(event: &ev::DragEvent) -> Option<web_sys::File> {
    event.data_transfer()?.files()?.get(0)
}

#[component]
fn Messages(page: PlanPage) -> impl IntoView {
    view! {
        {move || page.trouble.get().map(|trouble| view! {
            <Banner tone=Tone::Stop actions=move || view! { <Button press=move |()| page.refresh()>"Try again"</Button> }>
                {trouble}
                {if page.snapshot.with(Option::is_some) { " The picture shows what was read before." } else { " What you typed is kept." }}
            </Banner>
        })}
        {move || page.said.get().map(|said| view! {
            <Banner tone=said.tone actions=move || view! { <Button press=move |()| page.said.set(None)>"Close"</Button> }>{said.text.clone()}</Banner>
        })}
    }
}

#[component]
fn SpecPane(page: PlanPage) -> impl IntoView {
    let broken = Memo::new(move |_| page.document.with(|document| !document.is_well_formed()));
    let tab = RwSignal::new(Tab::Form);
    // A text that is no JSON has no form: it opens where it can be mended.
    Effect::new(move |_| {
        if broken.get() {
            tab.set(Tab::Json);
        }
    });
    view! {
        <section class="spec" aria-label="Specification" on:focusin=move |_| page.desk.prepare()>
            <Tabs label="Specification" options=vec![(Tab::Form, "Form".to_owned()), (Tab::Json, "JSON".to_owned())] value=tab choose=move |now| tab.set(now) />
            {move || match tab.get() {
                Tab::Form => view! { <form::Form page /> }.into_any(),
                Tab::Json => page.desk.view(move |desk| (desk.editor)(page)),
            }}
        </section>
    }
}
