//! One of a few: segmented choices (a radio group) and tabs. Arrow keys move as the ARIA practices say.

use leptos::{ev::KeyboardEvent, prelude::*};
use wasm_bindgen::JsCast;

/// Moves to the neighbour an arrow key asks for and clicks it.
fn arrow(event: &KeyboardEvent) {
    let Some(here) = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok()) else {
        return;
    };
    let row = here.parent_element();
    let next = match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => {
            here.next_element_sibling().or_else(|| row.and_then(|row| row.first_element_child()))
        }
        "ArrowLeft" | "ArrowUp" => {
            here.previous_element_sibling().or_else(|| row.and_then(|row| row.last_element_child()))
        }
        "Home" => row.and_then(|row| row.first_element_child()),
        "End" => row.and_then(|row| row.last_element_child()),
        _ => None,
    };
    if let Some(next) = next.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        event.prevent_default();
        let _ = next.focus();
        next.click();
    }
}

/// A choice of one among a few short words.
#[component]
pub fn Segmented<T: Clone + PartialEq + Send + Sync + 'static>(
    /// What the choice is about, read out.
    #[prop(into)]
    label: String,
    /// The words, in order. May change.
    #[prop(into)]
    options: Signal<Vec<(T, String)>>,
    /// What is chosen; none when the value is not among the options.
    #[prop(into)]
    value: Signal<Option<T>>,
    /// Called with the new choice.
    #[prop(into)]
    choose: Callback<T>,
    /// Extra classes: `wide`, `small`.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    view! {
        <div class=format!("seg {class}") role="radiogroup" aria-label=label on:keydown=|event| arrow(&event)>
            {move || {
                let all = options.get();
                let chosen = value.get();
                let any = all.iter().any(|(option, _)| Some(option) == chosen.as_ref());
                all.into_iter().enumerate().map(|(at, (option, word))| {
                    let checked = chosen.as_ref() == Some(&option);
                    let reachable = checked || (!any && at == 0);
                    view! {
                        <button
                            type="button" role="radio"
                            aria-checked=if checked { "true" } else { "false" }
                            tabindex=if reachable { "0" } else { "-1" }
                            on:click=move |_| choose.run(option.clone())
                        >{word}</button>
                    }
                }).collect_view()
            }}
        </div>
    }
}

/// A row of tabs; the panel is the page's own.
#[component]
pub fn Tabs<T: Clone + PartialEq + Send + Sync + 'static>(
    /// What the tabs divide, read out.
    #[prop(into)]
    label: String,
    /// The words, in order.
    options: Vec<(T, String)>,
    /// Which is open.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the tab to open.
    #[prop(into)]
    choose: Callback<T>,
) -> impl IntoView {
    let tabs = options
        .into_iter()
        .map(|(option, word)| {
            let this = option.clone();
            let open = Signal::derive(move || value.with(|value| *value == this));
            view! {
                <button
                    type="button" role="tab"
                    aria-selected=move || if open.get() { "true" } else { "false" }
                    tabindex=move || if open.get() { "0" } else { "-1" }
                    on:click=move |_| choose.run(option.clone())
                >{word}</button>
            }
        })
        .collect_view();
    view! { <div class="tabs" role="tablist" aria-label=label on:keydown=|event| arrow(&event)>{tabs}</div> }
}
