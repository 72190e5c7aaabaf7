//! How the task id is made: the text that is hashed, what went into it, and the version.

use super::state::PlanPage;
use crate::kit::{CopyButton, Dialog, Segmented, State, TextField};
use leptos::prelude::*;

#[component]
pub(super) fn IdDialog(page: PlanPage, open: RwSignal<bool>) -> impl IntoView {
    view! {
        <Dialog open title="How the task id is made">
            <div class="body">
                <p class="muted">
                    "The same work always gets the same id, so that the Overlord refuses a second copy. The id is "
                    <code>"idx_"</code>", the datasource, and the first 12 hexadecimal digits of the SHA-1 of the text below."
                </p>
                <VersionField page />
                {move || match page.id() {
                    Ok(made) => {
                        let check = format!("printf '%s' '{}' | sha1sum", made.hashed.replace('\'', "'\\''"));
                        view! {
                            <dl class="facts-list">
                                <dt>"Datasource"</dt><dd class="mono">{made.parts.datasource.clone()}</dd>
                                <dt>"Interval"</dt><dd class="mono">{made.parts.interval.clone()}</dd>
                                <dt>"Version"</dt><dd class="mono">{made.parts.version.clone()}</dd>
                                <dt>"Hashed text"</dt><dd class="mono" id="hashed">{made.hashed.clone()}</dd>
                                <dt>"SHA-1"</dt><dd class="mono">{made.digest.clone()}</dd>
                                <dt>"Id"</dt><dd class="mono">{made.id.clone()}</dd>
                                <dt>"Check it"</dt><dd class="mono">{check.clone()} " " <CopyButton text=check what="the command" /></dd>
                            </dl>
                        }.into_any()
                    }
                    Err(error) => view! { <p class="note stop">{error}</p> }.into_any(),
                }}
                <p class="muted">
                    "The interval is written in one form, so that two spellings give one id: UTC, condensed, milliseconds "
                    "only where they are not zero. The content of the spec is not in the text unless the version is made from "
                    "it; a ledger in this browser remembers which content each id was made from."
                </p>
            </div>
        </Dialog>
    }
}

/// The version: typed, or made from the content.
#[component]
fn VersionField(page: PlanPage) -> impl IntoView {
    let derived = Signal::derive(move || Some(page.version_is_derived()));
    let state = Signal::derive(move || match page.version_trouble() {
        Some(trouble) => State::Bad(trouble),
        None => State::Fine,
    });
    let kinds = vec![(false, "typed".to_owned()), (true, "from the content".to_owned())];
    view! {
        <div class="row">
            <span class="muted">"Version"</span>
            <Segmented label="Where the version comes from" options=kinds value=derived choose=move |on: bool| page.derive_version(on) class="small" />
        </div>
        <Show when=move || derived.get() == Some(false)>
            <TextField label="Version" mono=true value=Signal::derive(move || page.version_text()) state
                input=move |now: String| page.set_version(&now) />
        </Show>
    }
}
