//! Light or dark: follows the system unless the user chose, and remembers the choice.
//!
//! The choice is kept in `localStorage`; where that is refused it lasts as long as the page.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

/// What the user chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// As the system is.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Choice {
    const KEY: &'static str = "foreshadow.theme";

    const fn word(self) -> &'static str {
        match self {
            Choice::System => "system",
            Choice::Light => "light",
            Choice::Dark => "dark",
        }
    }

    fn remembered() -> Self {
        let stored = window()
            .local_storage()
            .ok()
            .flatten()
            .and_then(|store| store.get_item(Self::KEY).ok().flatten());
        match stored.as_deref() {
            Some("light") => Choice::Light,
            Some("dark") => Choice::Dark,
            _ => Choice::System,
        }
    }

    /// The next choice of the theme button.
    pub const fn next(self) -> Self {
        match self {
            Choice::System => Choice::Light,
            Choice::Light => Choice::Dark,
            Choice::Dark => Choice::System,
        }
    }

    /// How the button says it.
    pub const fn label(self) -> &'static str {
        match self {
            Choice::System => "Theme: as the system",
            Choice::Light => "Theme: light",
            Choice::Dark => "Theme: dark",
        }
    }
}

/// The theme in force.
#[derive(Clone, Copy)]
pub struct Theme {
    /// What the user chose.
    pub choice: RwSignal<Choice>,
    /// Whether the page is dark now.
    pub dark: Memo<bool>,
}

impl Theme {
    /// Reads the choice, follows the system, and keeps the document's `data-theme` right.
    pub fn follow() -> Self {
        let choice = RwSignal::new(Choice::remembered());
        let query = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
        let system = RwSignal::new(query.as_ref().is_some_and(web_sys::MediaQueryList::matches));
        if let Some(query) = query {
            let changed = Closure::<dyn Fn(web_sys::MediaQueryListEvent)>::new(
                move |event: web_sys::MediaQueryListEvent| {
                    system.set(event.matches());
                },
            );
            query.set_onchange(Some(changed.as_ref().unchecked_ref()));
            // Lives as long as the page: the theme is followed from start to end.
            changed.forget();
        }
        let dark = Memo::new(move |_| match choice.get() {
            Choice::System => system.get(),
            Choice::Light => false,
            Choice::Dark => true,
        });
        Effect::new(move |_| {
            if let Some(root) = document().document_element() {
                let _ = root.set_attribute("data-theme", if dark.get() { "dark" } else { "light" });
            }
            if let Ok(Some(store)) = window().local_storage() {
                let _ = store.set_item(Choice::KEY, choice.get().word());
            }
        });
        Theme { choice, dark }
    }
}
