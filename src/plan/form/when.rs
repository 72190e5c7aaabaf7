//! When: the intervals, and how time is cut.

use super::{json_list, json_text};
use crate::{
    kit::{Button, Icon, Kind, Segmented, SelectField, Shape, State, TextField},
    plan::{range, state::PlanPage, words},
};
use druid::{
    granularity::Granularity,
    interval::Interval,
    json::{Edit, Kind as Json},
};
use leptos::prelude::*;

/// All named granularities that a spec may use, longest chunks last.
const NAMED: &[&str] = &[
    "SECOND",
    "MINUTE",
    "FIVE_MINUTE",
    "TEN_MINUTE",
    "FIFTEEN_MINUTE",
    "THIRTY_MINUTE",
    "HOUR",
    "SIX_HOUR",
    "EIGHT_HOUR",
    "DAY",
    "WEEK",
    "MONTH",
    "QUARTER",
    "YEAR",
    "ALL",
];

#[component]
pub(super) fn When(page: PlanPage) -> impl IntoView {
    let texts = Memo::new(move |_| {
        page.task.with(|task| {
            task.batch().map(|batch| batch.granularity.interval_texts.clone()).unwrap_or_default()
        })
    });
    let count = Memo::new(move |_| texts.with(Vec::len));
    let write = move |gesture: &'static str, all: Vec<String>| {
        let path = page.path(&["dataSchema", "granularitySpec", "intervals"]);
        page.edit(gesture, vec![Edit::Set(path, json_list(all.iter().map(String::as_str)))]);
    };
    let add = move |()| {
        let mut all = texts.get_untracked();
        all.push(words::next_interval(all.last().map(String::as_str), page.server_now()));
        write("add interval", all);
    };
    view! {
        <section class="group" aria-label="When">
            <h2>"When" <span class="sub">"UTC"</span></h2>
            {move || (0..count.get()).map(|at| {
                let text = Signal::derive(move || texts.with(|all| all.get(at).cloned().unwrap_or_default()));
                let set = move |now: String| {
                    let mut all = texts.get_untracked();
                    if let Some(place) = all.get_mut(at) {
                        *place = now;
                        write("interval", all);
                    }
                };
                let remove = move |()| {
                    let mut all = texts.get_untracked();
                    if at < all.len() {
                        all.remove(at);
                        write("remove interval", all);
                    }
                };
                view! { <IntervalRow text set remove /> }
            }).collect_view()}
            <p class=move || if page.widened().is_empty() { "note" } else { "note warn" }>
                {move || range::range_note(page)}
                " "
                <Button press=add kind=Kind::Link id="add-interval">"Add an interval"</Button>
            </p>
            <Chunks page />
        </section>
    }
}

#[component]
fn IntervalRow(
    #[prop(into)] text: Signal<String>,
    #[prop(into)] set: Callback<String>,
    #[prop(into)] remove: Callback<()>,
) -> impl IntoView {
    let half = move |first: bool| {
        text.with(|text| match text.split_once('/') {
            Some((from, to)) => if first { from } else { to }.to_owned(),
            None => {
                if first {
                    text.clone()
                } else {
                    String::new()
                }
            }
        })
    };
    let state = Signal::derive(move || match text.with(|text| Interval::parse(text)) {
        Ok(_) => State::Fine,
        Err(error) => State::Bad(error.to_string()),
    });
    let quiet = Signal::derive(move || match state.get() {
        State::Bad(_) => State::Bad(String::new()),
        other => other,
    });
    // A whole interval pasted into either box takes both.
    let join = move |from: String, to: String| {
        let pasted = [&from, &to].into_iter().find(|part| part.contains('/')).cloned();
        set.run(match pasted {
            Some(whole) if Interval::parse(&whole).is_ok() => whole,
            _ => format!("{from}/{to}"),
        });
    };
    view! {
        <div class="interval">
            <div>
                <TextField label="From" mono=true placeholder="2026-07-16T00:00Z" state=quiet
                    value=Signal::derive(move || half(true)) input=move |now| join(now, half(false)) />
                <TextField label="To" mono=true placeholder="2026-07-17T00:00Z or P1D" state
                    value=Signal::derive(move || half(false)) input=move |now| join(half(true), now) />
            </div>
            <Button press=move |()| remove.run(()) kind=Kind::Icon title="Remove this interval"><Icon shape=Shape::Close /></Button>
        </div>
    }
}

#[component]
fn Chunks(page: PlanPage) -> impl IntoView {
    let text = move |key: &'static str| {
        Signal::derive(move || {
            let path = page.path(&["dataSchema", "granularitySpec", key]);
            page.document.with(|document| match document.get(&path) {
                Some(node) if node.kind() == Json::String => {
                    node.as_str().unwrap_or_default().to_ascii_uppercase()
                }
                Some(node) if !node.is_null() => node.text().to_owned(),
                _ => String::new(),
            })
        })
    };
    let segment = text("segmentGranularity");
    let query = text("queryGranularity");
    let set = move |key: &'static str, gesture: &'static str| {
        move |value: String| {
            let path = page.path(&["dataSchema", "granularitySpec", key]);
            let edit = match value.as_str() {
                "" => Edit::Remove(path),
                object if object.starts_with('{') => Edit::Set(path, object.to_owned()),
                name => Edit::Set(path, json_text(name)),
            };
            page.edit(gesture, vec![edit]);
        }
    };
    let common = vec![
        ("HOUR".to_owned(), "Hour".to_owned()),
        ("DAY".to_owned(), "Day".to_owned()),
        ("MONTH".to_owned(), "Month".to_owned()),
        ("YEAR".to_owned(), "Year".to_owned()),
    ];
    let named = move |none: &'static str| {
        Signal::derive(move || {
            let mut all = vec![(String::new(), none.to_owned())];
            all.extend(NAMED.iter().map(|name| ((*name).to_owned(), words::granularity(name))));
            all
        })
    };
    let state = Signal::derive(move || {
        page.task.with(|task| match task.batch().map(|batch| &batch.granularity.segment) {
            Some(Granularity::None) => State::Bad("NONE makes one chunk a millisecond".to_owned()),
            _ => State::Fine,
        })
    });
    view! {
        <div class="modes">
            <span class="label">"Chunks"</span>
            <Segmented label="Segment granularity" options=common class="wide"
                value=Signal::derive(move || Some(segment.get())) choose=set("segmentGranularity", "chunks") />
        </div>
        <SelectField label="Other" options=named("not set (DAY)") value=segment choose=set("segmentGranularity", "chunks") state />
        <SelectField label="Rounded to" options=Signal::derive(move || {
            let mut all = named("not set (NONE)").get();
            all.insert(1, ("NONE".to_owned(), "millisecond (NONE)".to_owned()));
            all
        }) value=query choose=set("queryGranularity", "query granularity") />
    }
}
