//! From: where the rows come from, and their format.

use super::{json_list, json_text, set_or_remove};
use crate::{
    kit::{SelectField, TextArea, TextField},
    plan::state::PlanPage,
};
use druid::json::{Edit, Kind as Json};
use leptos::prelude::*;

const SOURCES: &[(&str, &str)] = &[
    ("s3", "S3"),
    ("http", "HTTP"),
    ("local", "Files on the server"),
    ("druid", "A datasource"),
    ("inline", "Inline rows"),
];
const FORMATS: &[(&str, &str)] = &[
    ("json", "JSON lines"),
    ("csv", "CSV"),
    ("tsv", "TSV"),
    ("parquet", "Parquet"),
    ("orc", "ORC"),
    ("avro_ocf", "Avro"),
];

#[component]
pub(super) fn Source(page: PlanPage) -> impl IntoView {
    let kind = page.text(&["ioConfig", "inputSource", "type"]);
    let needs_format = Memo::new(move |_| {
        page.task.with(|task| task.batch().is_none_or(|batch| batch.input.needs_format()))
    });
    let choose = move |kind: String| {
        let source = page.path(&["ioConfig", "inputSource"]);
        // Another type has other fields: the old ones stay in the history, where undo finds them.
        let fresh = match kind.as_str() {
            "s3" => r#"{ "type": "s3", "prefixes": ["s3://"] }"#.to_owned(),
            "http" => r#"{ "type": "http", "uris": ["https://"] }"#.to_owned(),
            "local" => r#"{ "type": "local", "baseDir": "/", "filter": "*.json" }"#.to_owned(),
            "druid" => format!(
                r#"{{ "type": "druid", "dataSource": {}, "interval": {} }}"#,
                json_text(&page.datasource()),
                json_text(&page.first_interval()),
            ),
            "inline" => r#"{ "type": "inline", "data": "" }"#.to_owned(),
            other => format!(r#"{{ "type": {} }}"#, json_text(other)),
        };
        page.edit("source", vec![Edit::Set(source, fresh)]);
    };
    let words = |list: &'static [(&'static str, &'static str)]| -> Vec<(String, String)> {
        list.iter().map(|(value, word)| ((*value).to_owned(), (*word).to_owned())).collect()
    };
    view! {
        <section class="group" aria-label="From">
            <h2>"From"</h2>
            <SelectField label="Source" options=words(SOURCES) value=kind choose />
            {move || match kind.get().as_str() {
                "s3" => view! {
                    <ListField page label="Prefixes" key="prefixes" placeholder="s3://bucket/folder/" />
                    <details class="fold" open=move || page.has(&["ioConfig", "inputSource", "uris"])>
                        <summary class="note">"single objects"</summary>
                        <ListField page label="Objects" key="uris" placeholder="s3://bucket/folder/file.json.gz" />
                    </details>
                }.into_any(),
                "http" => view! { <ListField page label="Addresses" key="uris" placeholder="https://host/file.json.gz" /> }.into_any(),
                "local" => view! {
                    <OneField page label="Folder" key="baseDir" />
                    <OneField page label="Files" key="filter" />
                }.into_any(),
                "druid" => view! {
                    <OneField page label="Datasource" key="dataSource" />
                    <OneField page label="Interval" key="interval" />
                }.into_any(),
                "inline" => view! { <InlineRows page /> }.into_any(),
                _ => view! { <p class="note">"This source has no form; it is kept as it is. Edit it as JSON."</p> }.into_any(),
            }}
            <Show when=move || needs_format.get()>
                <SelectField label="Format" options=words(FORMATS) value=page.text(&["ioConfig", "inputFormat", "type"])
                    choose=move |kind: String| page.edit("format", vec![Edit::Set(
                        page.path(&["ioConfig", "inputFormat", "type"]), json_text(&kind))]) />
            </Show>
        </section>
    }
}

#[component]
fn OneField(page: PlanPage, label: &'static str, key: &'static str) -> impl IntoView {
    let path = move || page.path(&["ioConfig", "inputSource", key]);
    view! {
        <TextField label mono=true value=page.text_at(path)
            input=move |now: String| page.edit(key, vec![set_or_remove(path(), &now, json_text)]) />
    }
}

/// A list of texts, one a line.
#[component]
fn ListField(
    page: PlanPage,
    label: &'static str,
    key: &'static str,
    placeholder: &'static str,
) -> impl IntoView {
    let path = move || page.path(&["ioConfig", "inputSource", key]);
    let value = Signal::derive(move || {
        page.document.with(|document| match document.get(&path()) {
            Some(node) if node.kind() == Json::Array => node
                .items()
                .map(|item| item.as_str().map_or_else(|| item.text().to_owned(), |text| text.into_owned()))
                .collect::<Vec<_>>()
                .join("\n"),
            Some(node) => node.as_str().unwrap_or_default().into_owned(),
            None => String::new(),
        })
    });
    let input = move |now: String| {
        let edit =
            if now.is_empty() { Edit::Remove(path()) } else { Edit::Set(path(), json_list(now.split('\n'))) };
        page.edit(key, vec![edit]);
    };
    view! { <TextArea label value input placeholder rows=2 /> }
}

#[component]
fn InlineRows(page: PlanPage) -> impl IntoView {
    let path = move || page.path(&["ioConfig", "inputSource", "data"]);
    view! {
        <TextArea label="Rows, one a line" rows=6 value=page.text_at(path)
            input=move |now: String| page.edit("data", vec![Edit::Set(path(), json_text(&now))])
            placeholder=r#"{"event_ts":"2026-07-16T00:05:00Z","country":"DE"}"# />
    }
}
