//! Tune: how chunks are partitioned and how many sub-tasks run; and the lock that follows.

use super::{json_list, json_number, json_text, set_or_remove};
use crate::{
    kit::{Check, SelectField, TextField},
    plan::{
        range,
        state::{PlanPage, traffic_of},
    },
};
use druid::answer::Runner;
use druid::json::{Edit, Kind as Json, Path};
use leptos::prelude::*;

#[component]
pub(super) fn Tune(page: PlanPage) -> impl IntoView {
    let kind = page.text(&["tuningConfig", "partitionsSpec", "type"]);
    let choose = move |kind: String| {
        let spec = page.path(&["tuningConfig", "partitionsSpec"]);
        let perfect = page.path(&["tuningConfig", "forceGuaranteedRollup"]);
        // The server takes `dynamic` only without guaranteed rollup and the others only with it.
        let edits = match kind.as_str() {
            "" => vec![Edit::Remove(spec), Edit::Set(perfect, "false".to_owned())],
            "dynamic" => vec![
                Edit::Set(spec, r#"{ "type": "dynamic" }"#.to_owned()),
                Edit::Set(perfect, "false".to_owned()),
            ],
            "hashed" => vec![
                Edit::Set(spec, r#"{ "type": "hashed" }"#.to_owned()),
                Edit::Set(perfect, "true".to_owned()),
            ],
            "range" => vec![
                Edit::Set(
                    spec,
                    r#"{ "type": "range", "partitionDimensions": [], "targetRowsPerSegment": 5000000 }"#
                        .to_owned(),
                ),
                Edit::Set(perfect, "true".to_owned()),
            ],
            other => vec![Edit::Set(spec.join("type"), json_text(other))],
        };
        page.edit("partitions", edits);
    };
    let options: Vec<(String, String)> = [
        ("", "not set"),
        ("dynamic", "dynamic, by size"),
        ("hashed", "hashed"),
        ("range", "by range"),
        ("single_dim", "by one dimension"),
    ]
    .map(|(value, word)| (value.to_owned(), word.to_owned()))
    .to_vec();
    view! {
        <section class="group" aria-label="Tune">
            <h2>"Tune"</h2>
            <SelectField label="Partitions" options value=kind choose />
            {move || match kind.get().as_str() {
                "dynamic" => view! { <NumberField page label="Max rows" keys=&["tuningConfig", "partitionsSpec", "maxRowsPerSegment"] placeholder="5000000" /> }.into_any(),
                "hashed" => view! {
                    <Dimensions page key="partitionDimensions" />
                    <NumberField page label="Shards" keys=&["tuningConfig", "partitionsSpec", "numShards"] placeholder="from the rows" />
                }.into_any(),
                "range" => view! {
                    <Dimensions page key="partitionDimensions" />
                    <NumberField page label="Rows each" keys=&["tuningConfig", "partitionsSpec", "targetRowsPerSegment"] placeholder="5000000" />
                }.into_any(),
                _ => ().into_any(),
            }}
            <NumberField page label="Sub-tasks" keys=&["tuningConfig", "maxNumConcurrentSubTasks"] placeholder="1" />
            <p class="note">{move || page.task.with(|task| task.batch().map(range::parallel))}</p>
        </section>
    }
}

/// A number; what is typed and no number is kept, and the checks say so.
#[component]
fn NumberField(
    page: PlanPage,
    label: &'static str,
    keys: &'static [&'static str],
    placeholder: &'static str,
) -> impl IntoView {
    let gesture = keys.last().copied().unwrap_or("number");
    view! {
        <TextField label placeholder value=page.text(keys)
            input=move |now: String| page.edit(gesture, vec![set_or_remove(page.path(keys), &now, json_number)]) />
    }
}

/// Dimensions, separated by commas.
#[component]
fn Dimensions(page: PlanPage, key: &'static str) -> impl IntoView {
    let path = move || page.path(&["tuningConfig", "partitionsSpec", key]);
    let value = Signal::derive(move || {
        page.document.with(|document| match document.get(&path()) {
            Some(node) if node.kind() == Json::Array => node
                .items()
                .filter_map(|item| item.as_str().map(|text| text.into_owned()))
                .collect::<Vec<_>>()
                .join(","),
            _ => String::new(),
        })
    });
    let input = move |now: String| {
        let names = now.split(',').map(str::trim);
        page.edit(
            "dimensions",
            vec![Edit::Set(path(), if now.is_empty() { "[]".to_owned() } else { json_list(names) })],
        );
    };
    view! { <TextField label="By" mono=true value input placeholder="country,device" /> }
}

#[component]
pub(super) fn Locks(page: PlanPage) -> impl IntoView {
    let at = |key: &'static str| Path::keys(&["context", key]);
    let concurrent = Signal::derive(move || page.task.with(|task| task.context.use_concurrent_locks));
    view! {
        <section class="group" aria-label="Lock">
            <h2>"Lock"</h2>
            <TextField label="Priority" placeholder="50" value=page.text_at(move || at("priority"))
                input=move |now: String| page.edit("priority", vec![set_or_remove(at("priority"), &now, json_number)]) />
            <Check label="Share with appends and replaces (useConcurrentLocks)".to_owned() value=concurrent set=move |on: bool| {
                let edit = if on { Edit::Set(at("useConcurrentLocks"), "true".to_owned()) } else { Edit::Remove(at("useConcurrentLocks")) };
                page.edit("concurrent locks", vec![edit]);
            } />
            <p class="note">{move || range::lock_note(page)}</p>
            {move || {
                let tasks = traffic_of(page.traffic, &page.datasource());
                (!tasks.tasks.is_empty()).then(|| view! {
                    <p class="note">"At work on this datasource now:"</p>
                    <ul class="at-work">{tasks.tasks.iter().map(|task| view! {
                        <li><span class="mono">{task.id.clone()}</span> {format!(" · {} · {}", task.kind, match task.runner {
                            Runner::Waiting => "waits for a lock",
                            Runner::Pending => "waits for a slot",
                            Runner::Running | Runner::None => "runs",
                        })}</li>
                    }).collect_view()}</ul>
                })
            }}
        </section>
    }
}
