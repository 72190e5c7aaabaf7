//! The shell: top bar, navigation, theme, and the page that the address names.

use crate::{
    cluster::Connection,
    kit::{Button, Icon, Kind, Shape},
    kit_page,
    part::Part,
    plan::{BringingBack, Plan, PlanPage, words},
    route::{Address, Page},
    submit::Sending,
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
    let connection = Connection::open();
    let sending = Sending::open();
    let kit = Part::new(|| Box::pin(async { kit_page::load().await.ok() }));
    let plan = PlanPage::open(connection, address, sending);
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
            <TopBar page theme connection sending />
            <main id="main" tabindex="-1" class="page-host">
                {move || match page.get() {
                    Page::Plan if plan.draft.waits() => view! { <BringingBack page=plan /> }.into_any(),
                    Page::Plan => view! { <Plan page=plan /> }.into_any(),
                    Page::Runs => sending.runs(),
                    Page::Kit => kit.view(|page| page()),
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
fn TopBar(page: Memo<Page>, theme: Theme, connection: Connection, sending: Sending) -> impl IntoView {
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
                {move || {
                    let open = sending.under_way();
                    (open > 0).then(|| view! { <span class="count" title="under way">{open}</span> })
                }}
            </nav>
            <div class="where">
                <Where connection />
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

/// Which cluster, its Druid, its clock; or why it does not answer.
#[component]
fn Where(connection: Connection) -> impl IntoView {
    view! {
        {move || match (connection.trouble.get(), connection.about.get()) {
            (Some(trouble), _) => view! { <span class="dot down" aria-hidden="true"></span><span role="status">{trouble}</span> }.into_any(),
            (None, Some(about)) => view! {
                <span class="dot up" aria-hidden="true"></span>
                <span>{format!("{} · Druid {}", about.cluster, about.druid)}</span>
                {about.read_only.then(|| view! { <span class="pill">"read-only"</span> })}
            }.into_any(),
            (None, None) => view! { <span class="dot" aria-hidden="true"></span><span>"connecting …"</span> }.into_any(),
        }}
        <span class="num nowrap">{move || connection.clock.get().map(words::clock)}</span>
    }
}
