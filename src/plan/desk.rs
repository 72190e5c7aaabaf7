//! What is needed beside the form and the picture, and loaded when it is: the editor, the table, the dialogs, files in
//! and out, and the draft that brings a plan back at the next visit.

use super::{
    draft,
    exchange::{self, ImportDialog},
    identity_dialog::IdDialog,
    json_editor::SpecAsJson,
    state::PlanPage,
    table::FateTable,
};
use crate::kit::Tone;
use crate::part::{NOT_LOADED, Part};
use leptos::prelude::*;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// A dialog, open while the signal is true.
type ShowDialog = fn(PlanPage, RwSignal<bool>) -> AnyView;

/// The doors of this part.
#[derive(Clone, Copy)]
pub struct Desk {
    pub(super) editor: fn(PlanPage) -> AnyView,
    pub(super) table: fn(PlanPage) -> AnyView,
    pub(super) import: ShowDialog,
    pub(super) explain_id: ShowDialog,
    pub(super) take_file: fn(PlanPage, web_sys::File),
    pub(super) export: fn(PlanPage),
    pub(super) bring_back: fn(PlanPage),
    pub(super) keep: fn(PlanPage),
    pub(super) save_aside: fn(PlanPage),
}

/// Fetches this part.
///
/// # Errors
/// The server did not give it.
#[wasm_split(desk, fallible)]
fn load() -> Result<Desk, SplitLoaderError> {
    Ok(Desk {
        editor: |page| view! { <SpecAsJson page /> }.into_any(),
        table: |page| view! { <FateTable page /> }.into_any(),
        import: |page, open| view! { <ImportDialog page open /> }.into_any(),
        explain_id: |page, open| view! { <IdDialog page open /> }.into_any(),
        take_file: |page, file| exchange::read_file(page, file, Callback::new(move |text| page.import(text))),
        export: exchange::export,
        bring_back: draft::read,
        keep: draft::keep,
        save_aside: draft::save_aside,
    })
}

/// The part, not asked for yet.
pub(super) fn desk() -> Part<Desk> {
    Part::new(|| Box::pin(async { load().await.ok() }))
}

impl PlanPage {
    /// Does something at the desk, once it is there.
    pub(super) fn at_desk(self, go: impl FnOnce(Desk) + 'static) {
        self.desk.then(move |desk| match desk {
            Some(desk) => go(desk),
            None => self.say(Tone::Stop, NOT_LOADED.to_owned()),
        });
    }

    /// A dialog of the desk, built anew each time it opens.
    pub(super) fn dialog(self, open: RwSignal<bool>, show: fn(&Desk) -> ShowDialog) -> AnyView {
        (move || open.get().then(|| self.desk.view(move |desk| show(&desk)(self, open)))).into_any()
    }
}
