//! A dialog over the page: the browser's own `<dialog>`, which keeps the focus and closes on Escape.

use super::{Button, Icon, Kind, Shape};
use leptos::{html, prelude::*};

/// A dialog, open while `open` is true. Its content lives only while it is open.
#[component]
pub fn Dialog(
    /// Whether it is open; closing sets it to false.
    open: RwSignal<bool>,
    /// Its name.
    #[prop(into)]
    title: String,
    /// What stands in it.
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        if let Some(dialog) = node.get() {
            if open.get() && !dialog.open() {
                let _ = dialog.show_modal();
            } else if !open.get() && dialog.open() {
                dialog.close();
            }
        }
    });
    let named = title.clone();
    let children = StoredValue::new(children);
    view! {
        <dialog node_ref=node class="dialog" aria-label=named on:close=move |_| open.set(false)>
            <header>
                <h2>{title}</h2>
                <Button press=move |()| open.set(false) kind=Kind::Icon title="Close"><Icon shape=Shape::Close /></Button>
            </header>
            <Show when=move || open.get()>{children.with_value(|inner| inner())}</Show>
        </dialog>
    }
}
