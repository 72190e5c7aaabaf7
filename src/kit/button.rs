//! Buttons. A button that cannot be used stays focusable and says why.

use super::icon::{Icon, Shape};
use leptos::prelude::*;
use std::time::Duration;

/// How a button looks, which is how much it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// An ordinary action.
    #[default]
    Plain,
    /// A quiet action in a bar.
    Ghost,
    /// The one action of the page.
    Primary,
    /// An action that takes something away.
    Danger,
    /// An action inside a sentence.
    Link,
    /// A picture only; its name is read out and shown on hover.
    Icon,
}

impl Kind {
    const fn class(self) -> &'static str {
        match self {
            Kind::Plain => "btn",
            Kind::Ghost => "btn ghost",
            Kind::Primary => "btn primary",
            Kind::Danger => "btn danger",
            Kind::Link => "btn link",
            Kind::Icon => "btn ghost icon",
        }
    }
}

/// A button. `blocked` holds the reason why it cannot be used now; it is then read out, shown on hover, and
/// a click does nothing.
#[component]
pub fn Button(
    /// What a click does.
    #[prop(into)]
    press: Callback<()>,
    /// How it looks.
    #[prop(optional)]
    kind: Kind,
    /// Its name where the content is a picture, and its tooltip.
    #[prop(into, optional)]
    title: Signal<String>,
    /// Why it cannot be used now.
    #[prop(into, optional)]
    blocked: Signal<Option<String>>,
    /// A stable name for tests and links from findings.
    #[prop(into, optional)]
    id: Option<&'static str>,
    /// What stands on it.
    children: Children,
) -> impl IntoView {
    let label = move || if kind == Kind::Icon { Some(title.get()) } else { None };
    let hover = move || blocked.get().or_else(|| Some(title.get()).filter(|text| !text.is_empty()));
    view! {
        <button
            type="button"
            class=kind.class()
            id=id
            aria-label=label
            title=hover
            aria-disabled=move || blocked.with(|why| if why.is_some() { "true" } else { "false" })
            on:click=move |_| if blocked.with_untracked(Option::is_none) { press.run(()) }
        >
            {children()}
        </button>
    }
}

/// Copies a text to the clipboard and says that it did, or that the browser refused.
#[component]
pub fn CopyButton(
    /// What is copied.
    #[prop(into)]
    text: Signal<String>,
    /// What it is, for the tooltip: "the id".
    what: &'static str,
) -> impl IntoView {
    let outcome = RwSignal::new(None::<bool>);
    let copy = move |()| {
        leptos::task::spawn_local(async move {
            let clipboard = window().navigator().clipboard();
            let promise = clipboard.write_text(&text.get_untracked());
            let copied = wasm_bindgen_futures::JsFuture::from(promise).await.is_ok();
            outcome.set(Some(copied));
            set_timeout(
                move || {
                    outcome.try_set(None);
                },
                Duration::from_secs(2),
            );
        });
    };
    let title = Signal::derive(move || match outcome.get() {
        None => format!("Copy {what}"),
        Some(true) => "Copied".to_owned(),
        Some(false) => "The browser refused the clipboard: select the text and copy it".to_owned(),
    });
    view! {
        <Button press=copy kind=Kind::Icon title=title>
            {move || if outcome.get() == Some(true) {
                view! { <Icon shape=Shape::Tick /> }
            } else {
                view! { <Icon shape=Shape::Copy /> }
            }}
        </Button>
        <span class="sr" role="status">{move || outcome.get().map(|_| title.get())}</span>
    }
}
