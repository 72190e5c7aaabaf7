//! Import and export: paste, file, drop in; the very same bytes out.

use super::state::PlanPage;
use crate::kit::{Banner, Button, Dialog, Kind, TextArea, Tone};
use druid::{
    json::Document,
    spec::{Task, TaskKind},
    zone::UtcOnly,
};
use leptos::{html, prelude::*};
use wasm_bindgen::{JsCast, JsValue};

/// Most bytes that are taken in: far above any spec, far below what would freeze a tab.
const MOST_BYTES: f64 = 8.0 * 1024.0 * 1024.0;

/// Saves the document under the datasource's name, byte for byte.
pub fn export(page: PlanPage) {
    let text = page.document.with_untracked(|document| document.text().to_owned());
    let name: String = page
        .datasource()
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect();
    if let Err(refused) = save(&text, &format!("{}.json", if name.is_empty() { "spec" } else { &name })) {
        page.say(Tone::Stop, format!("The browser did not save the file: {refused:?}"));
    }
}

/// Has the browser save a text as a file.
///
/// # Errors
/// The browser's words.
pub fn save(text: &str, name: &str) -> Result<(), JsValue> {
    let bag = web_sys::BlobPropertyBag::new();
    bag.set_type("application/json");
    let bytes = js_sys::Uint8Array::from(text.as_bytes());
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&js_sys::Array::of1(&bytes), &bag)?;
    let url = web_sys::Url::create_object_url_with_blob(&blob)?;
    let link = document().create_element("a")?.dyn_into::<web_sys::HtmlAnchorElement>()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&url)
}

/// Reads a file's text and hands it on.
pub fn read_file(page: PlanPage, file: web_sys::File, take: Callback<String>) {
    if file.size() > MOST_BYTES {
        page.say(
            Tone::Stop,
            format!("{} is larger than 8 MB: that is no task. Nothing was changed.", file.name()),
        );
        return;
    }
    leptos::task::spawn_local(async move {
        let read = wasm_bindgen_futures::JsFuture::from(file.array_buffer()).await;
        let bytes = read.map(|buffer| js_sys::Uint8Array::new(&buffer).to_vec());
        match bytes.map(String::from_utf8) {
            Ok(Ok(text)) => take.run(text),
            Ok(Err(error)) => page.say(
                Tone::Stop,
                format!(
                    "{} is not UTF-8 text: byte {} cannot be read. Nothing was changed.",
                    file.name(),
                    error.utf8_error().valid_up_to()
                ),
            ),
            Err(_) => {
                page.say(Tone::Stop, format!("{} could not be read. Nothing was changed.", file.name()))
            }
        }
    });
}

/// The import dialog.
#[component]
pub fn ImportDialog(page: PlanPage, open: RwSignal<bool>) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let file = NodeRef::<html::Input>::new();
    let picked = move |_| {
        let chosen = file.get_untracked().and_then(|input| input.files()).and_then(|files| files.get(0));
        if let Some(chosen) = chosen {
            read_file(page, chosen, Callback::new(move |now| text.set(now)));
        }
    };
    let what = Memo::new(move |_| {
        let text = text.get();
        (!text.trim().is_empty()).then(|| recognise(&text))
    });
    let take = move |()| {
        page.import(text.get_untracked());
        text.set(String::new());
        open.set(false);
    };
    view! {
        <Dialog open title="Import a task">
            <div class="body">
                <p class="muted">"Paste a spec, choose a file, or drop one anywhere on this page. It is kept byte for byte; undo brings the one before back."</p>
                <input node_ref=file type="file" accept=".json,.txt,application/json,text/plain" aria-label="File" on:change=picked />
                <TextArea label="Text" value=text input=move |now| text.set(now) rows=12 placeholder="{ \"type\": \"index_parallel\", … }" />
                {move || what.get().map(|(tone, said)| view! { <Banner tone>{said}</Banner> })}
            </div>
            <footer>
                <Button press=move |()| open.set(false)>"Cancel"</Button>
                <Button kind=Kind::Primary id="import-take" press=take
                    blocked=Signal::derive(move || what.with(Option::is_none).then(|| "Paste something first".to_owned()))>"Take it"</Button>
            </footer>
        </Dialog>
    }
}

/// What a pasted text is, in words.
fn recognise(text: &str) -> (Tone, String) {
    let document = Document::parse(text);
    if let Some(found) =
        document.diagnostics().iter().find(|found| found.severity() == druid::json::Severity::Error)
    {
        return (
            Tone::Stop,
            format!(
                "Line {}, character {}: {}. It can be taken and mended in the JSON tab.",
                found.line,
                found.column,
                found.message.trim_end_matches('.')
            ),
        );
    }
    let task = Task::read(&document, &UtcOnly);
    let tone = match task.kind {
        TaskKind::IndexParallel | TaskKind::Index | TaskKind::Compact | TaskKind::Kill => Tone::Pass,
        TaskKind::NotATask => Tone::Warn,
        _ => Tone::Plain,
    };
    (tone, task.what_it_is())
}
