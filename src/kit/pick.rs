//! Pick a name from a list, or type a new one: the ARIA combobox with a list box.

use super::{Icon, Shape};
use leptos::{ev::KeyboardEvent, html, prelude::*};

/// A combobox. `value` is what is in force; typing filters the list; Enter takes what is marked, or what was typed.
#[component]
pub fn Pick(
    /// What is picked, read out.
    label: &'static str,
    /// The names to pick from.
    #[prop(into)]
    options: Signal<Vec<String>>,
    /// What is in force.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the name picked or typed.
    #[prop(into)]
    choose: Callback<String>,
    /// Said under the list: what typing another name does.
    hint: &'static str,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let typed = RwSignal::new(None::<String>);
    let marked = RwSignal::new(None::<usize>);
    let field = NodeRef::<html::Input>::new();
    let shown = Memo::new(move |_| {
        let wanted = typed.get().unwrap_or_default().to_lowercase();
        options.with(|all| {
            all.iter().filter(|name| name.to_lowercase().contains(&wanted)).cloned().collect::<Vec<_>>()
        })
    });
    let close = move || {
        open.set(false);
        typed.set(None);
        marked.set(None);
    };
    let take = move |name: String| {
        close();
        if !name.is_empty() && value.with_untracked(|now| *now != name) {
            choose.run(name);
        }
    };
    let key = move |event: KeyboardEvent| {
        let count = shown.with_untracked(Vec::len);
        match event.key().as_str() {
            "ArrowDown" | "ArrowUp" if count > 0 => {
                event.prevent_default();
                open.set(true);
                let down = event.key() == "ArrowDown";
                marked.update(|at| {
                    *at = Some(match (*at, down) {
                        (None, true) => 0,
                        (None, false) => count - 1,
                        (Some(at), true) => (at + 1) % count,
                        (Some(at), false) => (at + count - 1) % count,
                    });
                });
            }
            "Enter" => {
                event.prevent_default();
                let chosen =
                    marked.get_untracked().and_then(|at| shown.with_untracked(|all| all.get(at).cloned()));
                match chosen.or_else(|| typed.get_untracked()) {
                    Some(name) => take(name.trim().to_owned()),
                    None => open.set(true),
                }
            }
            "Escape" if open.get_untracked() => {
                event.prevent_default();
                close();
            }
            _ => {}
        }
    };
    view! {
        <div class="pickwrap">
            <span class="pickfield">
                <input
                    node_ref=field class="pick" role="combobox" aria-label=label placeholder=label aria-autocomplete="list"
                    aria-controls="pick-list" spellcheck="false" autocomplete="off"
                    aria-expanded=move || open.get().to_string()
                    aria-activedescendant=move || marked.get().map(|at| format!("pick-{at}"))
                    prop:value=move || typed.get().unwrap_or_else(|| value.get())
                    on:focus=move |_| { if let Some(field) = field.get_untracked() { field.select(); } }
                    on:click=move |_| open.set(true)
                    on:input=move |event| { typed.set(Some(event_target_value(&event))); open.set(true); marked.set(None); }
                    on:keydown=key
                    on:blur=move |_| close()
                />
                <Icon shape=Shape::Caret />
            </span>
            <ul class="listbox" id="pick-list" role="listbox" aria-label=label hidden=move || !open.get()>
                {move || shown.get().into_iter().enumerate().map(|(at, name)| {
                    let chosen = name.clone();
                    view! {
                        <li
                            id=format!("pick-{at}") role="option"
                            aria-selected=move || (marked.get() == Some(at)).to_string()
                            on:mousedown=move |event| { event.prevent_default(); take(chosen.clone()); }
                        >{name}</li>
                    }
                }).collect_view()}
                <li class="hint" role="option" aria-disabled="true" aria-selected="false">{hint}</li>
            </ul>
        </div>
    }
}
