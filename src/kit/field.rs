//! Form fields: a label, an input, a hint or an error tied to it. What was typed stays, right or wrong.

use leptos::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// How a field stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Nothing to say, or a hint.
    #[default]
    Fine,
    /// A hint.
    Hint(String),
    /// Accepted, with a warning.
    Warned(String),
    /// Cannot be read or would be refused.
    Bad(String),
}

impl State {
    fn text(&self) -> Option<String> {
        match self {
            State::Fine => None,
            State::Hint(text) | State::Warned(text) | State::Bad(text) => Some(text.clone()),
        }
    }

    const fn note(&self) -> &'static str {
        match self {
            State::Fine | State::Hint(_) => "note",
            State::Warned(_) => "note warn",
            State::Bad(_) => "note stop",
        }
    }

    const fn field(&self) -> &'static str {
        match self {
            State::Fine | State::Hint(_) => "field",
            State::Warned(_) => "field warned",
            State::Bad(_) => "field bad",
        }
    }
}

/// A name for an element that no other element of the page has.
fn fresh_id() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("f{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The frame of a field: its label and what is said below it. The content gets the input's id and the note's id.
#[component]
pub fn Field(
    /// The label.
    label: &'static str,
    /// How the field stands.
    #[prop(into, optional)]
    state: Signal<State>,
    /// Label above the input instead of beside it.
    #[prop(optional)]
    stack: bool,
    /// The input, given its id and the id of its note.
    content: impl FnOnce(String, String) -> AnyView,
) -> impl IntoView {
    let (id, note) = (fresh_id(), fresh_id());
    let inner = content(id.clone(), note.clone());
    let class = move || {
        if stack {
            format!("{} stack", state.with(State::field))
        } else {
            state.with(State::field).to_owned()
        }
    };
    view! {
        <div class=class>
            <label for=id>{label}</label>
            {inner}
            <p id=note class=move || state.with(State::note) hidden=move || state.with(|s| s.text().is_none())>
                {move || state.with(State::text)}
            </p>
        </div>
    }
}

/// One line of text. `value` is what the document says; every keystroke is handed on as typed.
#[component]
pub fn TextField(
    /// The label.
    label: &'static str,
    /// What stands in it.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the whole text at every keystroke.
    #[prop(into)]
    input: Callback<String>,
    /// How the field stands.
    #[prop(into, optional)]
    state: Signal<State>,
    /// Shown while empty.
    #[prop(optional)]
    placeholder: &'static str,
    /// Machine text: monospaced, no spelling help.
    #[prop(optional)]
    mono: bool,
    /// Label above.
    #[prop(optional)]
    stack: bool,
    /// `text`, `number`, `password`.
    #[prop(default = "text")]
    kind: &'static str,
) -> impl IntoView {
    let content = move |id: String, note: String| {
        view! {
            <input
                id=id type=kind class=if mono { "input mono" } else { "input" } placeholder=placeholder
                aria-describedby=note aria-invalid=move || state.with(|s| matches!(s, State::Bad(_)).to_string())
                spellcheck="false" autocomplete="off" autocapitalize="off"
                prop:value=move || value.get()
                on:input=move |event| input.run(event_target_value(&event))
            />
        }
        .into_any()
    };
    view! { <Field label state stack content /> }
}

/// Several lines of text.
#[component]
pub fn TextArea(
    /// The label.
    label: &'static str,
    /// What stands in it.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the whole text at every keystroke.
    #[prop(into)]
    input: Callback<String>,
    /// How the field stands.
    #[prop(into, optional)]
    state: Signal<State>,
    /// Shown while empty.
    #[prop(optional)]
    placeholder: &'static str,
    /// Lines shown.
    #[prop(default = 4)]
    rows: u32,
) -> impl IntoView {
    let content = move |id: String, note: String| {
        view! {
            <textarea
                id=id class="input mono" rows=rows placeholder=placeholder aria-describedby=note spellcheck="false"
                aria-invalid=move || state.with(|s| matches!(s, State::Bad(_)).to_string())
                autocomplete="off" autocapitalize="off"
                prop:value=move || value.get()
                on:input=move |event| input.run(event_target_value(&event))
            ></textarea>
        }
        .into_any()
    };
    view! { <Field label state stack=true content /> }
}

/// A choice from a list. A value that is not among the options is shown as itself, and kept.
#[component]
pub fn SelectField(
    /// The label.
    label: &'static str,
    /// Value and word of each option.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    /// What is chosen.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the value chosen.
    #[prop(into)]
    choose: Callback<String>,
    /// How the field stands.
    #[prop(into, optional)]
    state: Signal<State>,
) -> impl IntoView {
    let content = move |id: String, note: String| {
        view! {
            <select id=id class="input" aria-describedby=note on:change=move |event| choose.run(event_target_value(&event))>
                {move || {
                    let now = value.get();
                    let mut all = options.get();
                    if !all.iter().any(|(option, _)| *option == now) {
                        all.push((now.clone(), if now.is_empty() { "not set".to_owned() } else { now.clone() }));
                    }
                    all.into_iter().map(|(option, word)| {
                        let chosen = option == now;
                        view! { <option value=option selected=chosen>{word}</option> }
                    }).collect_view()
                }}
            </select>
        }
        .into_any()
    };
    view! { <Field label state content /> }
}

/// A box to tick.
#[component]
pub fn Check(
    /// What it says.
    #[prop(into)]
    label: Signal<String>,
    /// Whether it is ticked.
    #[prop(into)]
    value: Signal<bool>,
    /// Called with the new state.
    #[prop(into)]
    set: Callback<bool>,
) -> impl IntoView {
    view! {
        <label class="check">
            <input type="checkbox" prop:checked=move || value.get() on:change=move |event| set.run(event_target_checked(&event)) />
            <span>{move || label.get()}</span>
        </label>
    }
}
