//! The shell: top bar, navigation, theme, and the page that the address names.

use crate::{
    kit::{Button, Icon, Kind, Shape},
    kit_page::KitPage,
    route::{Address, Page},
    theme::Theme,
};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Puts the console into the page: into `#app` where there is one, else into the body.
pub(crate) fn mount() {
    match document()
        .get_element_by_id("app")
        .and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok())
    {
        Some(place) => mount_to(place, App).forget(),
        None => mount_to_body(App),
    }
}

#[component]
fn App() -> impl IntoView {
    let address = Address::follow();
    let theme = Theme::follow();
    provide_context(address);
    provide_context(theme);
    let page = address.page();
    Effect::new(move |_| {
        document().set_title(match page.get() {
            Page::Plan => "Plan · Foreshadow",
            Page::Runs => "Runs · Foreshadow",
            Page::Kit => "Kit · Foreshadow",
        });
    });
    view! {
        <div class="app">
            <a class="btn primary skip" href="#main" on:click=|event| { event.prevent_default(); focus_main(); }>"Skip to the page"</a>
            <TopBar page theme />
            <main id="main" tabindex="-1" class="page-host">
                {move || match page.get() {
                    Page::Plan => view! { <p>"Plan"</p> }.into_any(),
                    Page::Runs => view! { <p>"Runs"</p> }.into_any(),
                    Page::Kit => view! { <KitPage /> }.into_any(),
                }}
            </main>
        </div>
    }
}

fn focus_main() {
    let main = document()
        .get_element_by_id("main")
        .and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(main) = main {
        let _ = main.focus();
    }
}

#[component]
fn TopBar(page: Memo<Page>, theme: Theme) -> impl IntoView {
    let link = move |to: Page, word: &'static str| {
        view! {
            <a href=format!("#/{}", to.slug()) aria-current=move || (page.get() == to).then_some("page")>{word}</a>
        }
    };
    view! {
        <header class="top">
            <a class="brand" href="#/plan">
                <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
                    <rect x="1" y="11" width="18" height="6" rx="1.5" class="b1" />
                    <rect x="5" y="3" width="10" height="6" rx="1.5" class="b2" />
                </svg>
                "Foreshadow"
            </a>
            <nav aria-label="Pages">
                {link(Page::Plan, "Plan")}
                {link(Page::Runs, "Runs")}
            </nav>
            <div class="where">
                <Button
                    press=move |()| theme.choice.update(|choice| *choice = choice.next())
                    kind=Kind::Icon
                    title=Signal::derive(move || theme.choice.get().label().to_owned())
                >
                    <Icon shape=Shape::Theme />
                </Button>
            </div>
        </header>
    }
}
