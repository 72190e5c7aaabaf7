//! The spec as a form: the same document as the JSON tab, seen through its fields.
//!
//! What always holds: a field shows what the document says, whatever that is; changing a field changes that place of
//! the document and nothing else; what the form does not know stays as it is.

mod input;
pub(super) mod patience;
mod source;
mod tune;
mod when;

use super::state::PlanPage;
use crate::kit::{Banner, Segmented, Tone};
use druid::{
    json::{Edit, Path, quote},
    spec::Mode,
};
use leptos::prelude::*;

/// The form.
#[component]
pub fn Form(page: PlanPage) -> impl IntoView {
    let batch = Memo::new(move |_| page.task.with(|task| task.batch().is_some()));
    view! {
        <div class="scroll">
            {move || if batch.get() {
                view! {
                    <ModeGroup page />
                    <when::When page />
                    <source::Source page />
                    <input::Input page />
                    <tune::Tune page />
                    <tune::Locks page />
                    <patience::Patience page />
                }.into_any()
            } else {
                view! {
                    <div class="group">
                        <Banner tone=Tone::Plain>
                            {move || page.task.with(|task| task.what_it_is())}
                            " The form is for native batch tasks; edit this one as JSON. Nothing of it is lost."
                        </Banner>
                    </div>
                }.into_any()
            }}
        </div>
    }
}

#[component]
fn ModeGroup(page: PlanPage) -> impl IntoView {
    let mode = Signal::derive(move || page.task.with(|task| task.batch().map(|batch| batch.mode)));
    let refused = move || {
        page.task
            .with(|task| task.batch().is_some_and(|batch| batch.append_to_existing && batch.drop_existing))
    };
    let choose = move |mode: Mode| {
        let flag = |on: bool| if on { "true" } else { "false" }.to_owned();
        page.edit(
            "mode",
            vec![
                Edit::Set(page.path(&["ioConfig", "appendToExisting"]), flag(mode == Mode::Append)),
                Edit::Set(page.path(&["ioConfig", "dropExisting"]), flag(mode == Mode::Replace)),
            ],
        );
    };
    let modes = vec![
        (Mode::Replace, "Replace".to_owned()),
        (Mode::Overwrite, "Overwrite".to_owned()),
        (Mode::Append, "Append".to_owned()),
    ];
    view! {
        <section class="group" aria-label="Where">
            <h2>"Where"</h2>
            <div class="modes">
                <span class="label">"Mode"</span>
                <Segmented label="Mode" options=modes value=mode choose class="wide" />
            </div>
            <p class="note">
                {move || match mode.get() {
                    Some(Mode::Replace) => "Chunks in range get the new rows; chunks without rows are emptied (dropExisting).",
                    Some(Mode::Overwrite) => "Only chunks that get rows are replaced; the others stay as they are.",
                    Some(Mode::Append) => "Rows are added to the version that is there: the same rows again count twice.",
                    None => "",
                }}
                {move || refused().then_some(" appendToExisting and dropExisting are both set: Druid refuses that.")}
            </p>
        </section>
    }
}

/// JSON for a text.
fn json_text(text: &str) -> String {
    quote(text)
}

/// JSON for a list of texts, on one line.
fn json_list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let inner: Vec<String> = texts.into_iter().map(quote).collect();
    format!("[{}]", inner.join(", "))
}

/// Sets a path to a text, or takes it out where the text is empty.
fn set_or_remove(path: Path, text: &str, json: impl FnOnce(&str) -> String) -> Edit {
    if text.trim().is_empty() { Edit::Remove(path) } else { Edit::Set(path, json(text)) }
}

/// A number as typed, if it is one; else the text, quoted, so that nothing typed is lost (and the checks say what is
/// wrong with it).
fn json_number(text: &str) -> String {
    let text = text.trim();
    if text.parse::<i64>().is_ok() { text.to_owned() } else { quote(text) }
}
