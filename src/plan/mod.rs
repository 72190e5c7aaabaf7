//! The Plan page: compose a backfill and see what it does, on one screen.
//!
//! `state` holds everything and `actions` changes it; the rest shows it. What a run does is decided by `backfill`.

mod actions;
mod context;
mod draft;
mod exchange;
mod findings;
mod form;
mod highlight;
mod identity;
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

mod wish;
pub mod words;

pub use state::PlanPage;

use crate::{
    kit::{Banner, Button, Tabs, Tone},
    runs::RunCard,
};
use druid::json::Severity;
use json_editor::{JsonEditor, Remark};
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
        if let Some(file) = exchange::dropped(&event) {
            exchange::read_file(page, file, Callback::new(move |text| page.import(text)));
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
            <div class="split">
                <SpecPane page />
                <section class="view" aria-label="What happens">
                    <picture::Picture page />
                    <findings::Findings page />
                </section>
            </div>
            {move || page.sent.get().map(|key| view! {
                <div class="own-run"><RunCard submissions=page.submissions key /></div>
            })}
            <submit_bar::SubmitBar page />
            <exchange::ImportDialog page open=import />
        </div>
    }
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
    let remarks = Signal::derive(move || {
        page.task.with(|task| {
            let mut remarks: Vec<Remark> = task
                .problems
                .iter()
                .filter_map(|problem| {
                    let message = match &problem.remedy {
                        Some(remedy) => format!("{} {remedy}", problem.message),
                        None => problem.message.clone(),
                    };
                    Some(Remark { span: problem.span?, severity: problem.severity, message })
                })
                .collect();
            remarks.extend(druid::spec::lint(&task.document).into_iter().filter_map(|problem| {
                Some(Remark {
                    span: problem.span?,
                    severity: problem.severity.min(Severity::Warning),
                    message: problem.message,
                })
            }));
            remarks
        })
    });
    view! {
        <section class="spec" aria-label="Specification">
            <Tabs label="Specification" options=vec![(Tab::Form, "Form".to_owned()), (Tab::Json, "JSON".to_owned())] value=tab choose=move |now| tab.set(now) />
            {move || match tab.get() {
                Tab::Form => view! { <form::Form page /> }.into_any(),
                Tab::Json => view! { <JsonEditor document=page.document remarks input=move |text: String| page.type_text(&text) /> }.into_any(),
            }}
        </section>
    }
}
