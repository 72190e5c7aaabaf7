//! The bar under the navigation: which datasource, what is known of it, undo and redo, refresh, import and export.

use super::{state::PlanPage, words};
use crate::kit::{Button, Icon, Kind, Pick, Shape};
use leptos::prelude::*;

#[component]
pub(super) fn ContextBar(page: PlanPage, import: RwSignal<bool>) -> impl IntoView {
    let undo = Signal::derive(move || page.undo_label());
    let redo = Signal::derive(move || page.redo_label());
    let name = |what: &'static str, label: Option<String>| match label {
        Some(label) => format!("{what}: {label}"),
        None => what.to_owned(),
    };
    let blocked = |label: Signal<Option<String>>, nothing: &'static str| {
        Signal::derive(move || label.get().is_none().then(|| nothing.to_owned()))
    };
    let age = Signal::derive(move || page.age_ms());
    view! {
        <div class="context">
            <Pick label="Datasource" options=page.datasources value=Signal::derive(move || page.datasource())
                choose=move |name: String| page.choose_datasource(&name)
                hint="Another name makes a new datasource: type it and press Enter" />
            <span class="facts num">{move || page.facts()}</span>
            <div class="tools">
                <Button kind=Kind::Icon title=Signal::derive(move || format!("{} (Ctrl+Z)", name("Undo", undo.get())))
                    press=move |()| page.undo() blocked=blocked(undo, "Nothing to undo")><Icon shape=Shape::Undo /></Button>
                <Button kind=Kind::Icon title=Signal::derive(move || format!("{} (Ctrl+Shift+Z)", name("Redo", redo.get())))
                    press=move |()| page.redo() blocked=blocked(redo, "Nothing to redo")><Icon shape=Shape::Redo /></Button>
                <span class="bar"></span>
                <Button kind=Kind::Ghost id="refresh" title="Read segments, locks and running tasks again" press=move |()| page.refresh()>
                    <Icon shape=Shape::Refresh />
                    <span class=move || if age.get().is_some_and(|ms| ms > 120_000) { "age old num" } else { "age num" }>
                        {move || match age.get() {
                            _ if page.reading.get() => "reading …".to_owned(),
                            Some(ms) => format!("read {}", words::ago(ms)),
                            None => "not read".to_owned(),
                        }}
                    </span>
                </Button>
                <span class="bar"></span>
                <Button kind=Kind::Ghost id="import" press=move |()| page.at_desk(move |_| import.set(true))><Icon shape=Shape::Import />"Import"</Button>
                <Button kind=Kind::Ghost id="export" title="Save the spec as a file, byte for byte as it stands" press=move |()| page.at_desk(move |desk| (desk.export)(page))>
                    <Icon shape=Shape::Export />"Export"
                </Button>
            </div>
        </div>
    }
}
