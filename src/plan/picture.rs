//! The picture: Now, After or Difference; as a timeline or as a table; which of the worlds.

use super::{scene::Show, state::PlanPage, story::story};
use crate::{
    kit::{Banner, Button, Segmented, Tone},
    theme::Theme,
    timeline::{RangeButtons, Timeline},
};
use leptos::prelude::*;

#[component]
pub(super) fn Picture(page: PlanPage) -> impl IntoView {
    let table = RwSignal::new(false);
    let shows = vec![
        (Show::Now, "Now".to_owned()),
        (Show::After, "After".to_owned()),
        (Show::Difference, "Difference".to_owned()),
    ];
    let forms = vec![(false, "Picture".to_owned()), (true, "Table".to_owned())];
    let illegal = Memo::new(move |_| {
        page.snapshot.with(|read| {
            read.as_ref().and_then(|read| read.timeline.as_ref().err().map(|illegal| illegal.reason.clone()))
        })
    });
    view! {
        <div class="bar-top">
            <Segmented label="What is shown" options=shows value=Signal::derive(move || Some(page.show.get())) choose=move |show| page.show.set(show) />
            <Legend page />
            <span class="grow"></span>
            <RangeButtons range=page.range scene=page.scene />
            <Segmented label="As" options=forms value=Signal::derive(move || Some(table.get())) choose=move |on| table.set(on) class="small" />
        </div>
        <Worlds page />
        {move || illegal.get().map(|why| view! {
            <Banner tone=Tone::Stop>
                "Druid itself refuses this set of segments, so there is nothing true to draw: " {why}
            </Banner>
        })}
        {move || if table.get() {
            view! { <div class="picture table-view" tabindex="0" aria-label="Table of chunks">{page.desk.view(move |desk| (desk.table)(page))}</div> }.into_any()
        } else {
            view! { <Canvas page /> }.into_any()
        }}
        <Story page />
    }
}

#[component]
fn Canvas(page: PlanPage) -> impl IntoView {
    let theme = expect_context::<Theme>();
    let snap = move |span: (i64, i64)| page.snapped(span);
    let edit_typed = move |(at, span): (usize, (i64, i64))| page.set_interval(at, span);
    let done = Callback::new(move |()| page.end_gesture());
    let pick = move |bar: Option<u32>| page.picked.set(bar);
    let describe = move |bar: u32| story(page, bar);
    view! {
        <div class="picture">
            <Timeline scene=page.scene range=page.range snap edit_typed done story=pick describe dark=theme.dark />
        </div>
    }
}

/// The story of the bar that was picked.
#[component]
fn Story(page: PlanPage) -> impl IntoView {
    let place = NodeRef::<leptos::html::Div>::new();
    // On a narrow page it would open below what is seen.
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        let below = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64());
        if below.is_some_and(|below| place.get_bounding_client_rect().bottom() > below) {
            place.scroll_into_view_with_bool(false);
        }
    });
    view! {
        {move || page.picked.get().map(|bar| story(page, bar)).filter(|text| !text.is_empty()).map(|text| view! {
            <div class="outcome story" node_ref=place>
                <Banner tone=Tone::Plain actions=move || view! { <Button press=move |()| page.picked.set(None)>"Close"</Button> }>
                    {text.lines().map(|line| view! { <p>{line.to_owned()}</p> }).collect_view()}
                </Banner>
            </div>
        })}
    }
}

/// Only the marks that are in the picture.
#[component]
fn Legend(page: PlanPage) -> impl IntoView {
    let marks = Memo::new(move |_| page.scene.with(|scene| scene.legend()));
    view! {
        <div class="legend" role="group" aria-label="Legend">
            {move || marks.get().into_iter().map(|(class, word)| view! {
                <span><i class=format!("k {class}")></i>{word}</span>
            }).collect_view()}
        </div>
    }
}

/// The ways it can go, where there are several.
#[component]
fn Worlds(page: PlanPage) -> impl IntoView {
    let worlds = Memo::new(move |_| {
        page.drawn.with(|drawn| {
            let forecast = drawn.forecast.as_ref()?;
            let worst = forecast.worst().map(std::ptr::from_ref);
            Some(
                forecast
                    .worlds
                    .iter()
                    .enumerate()
                    .map(|(at, world)| {
                        let shown = page
                            .world
                            .get()
                            .map_or_else(|| worst == Some(std::ptr::from_ref(world)), |chosen| chosen == at);
                        (at, world.when.clone(), world.outcome.name(), world.reason.clone(), shown)
                    })
                    .collect::<Vec<_>>(),
            )
        })
    });
    view! {
        {move || worlds.get().map(|all| {
            let several = all.len() > 1;
            let chosen = all.iter().find(|(_, _, _, _, shown)| *shown).cloned();
            let options: Vec<(usize, String)> = all.iter().map(|(at, when, _, _, _)| (*at, backfill::upper_first(when))).collect();
            let now = chosen.as_ref().map(|(at, ..)| *at);
            view! {
                {several.then(|| view! {
                    <div class="bar-top worlds">
                        <span class="muted">"If there is"</span>
                        <Segmented label="Which way it goes" options value=Signal::derive(move || now) choose=move |at| page.world.set(Some(at)) class="small" />
                    </div>
                })}
                {chosen.filter(|(_, _, outcome, reason, _)| *outcome != "success" || reason.is_some()).map(|(_, _, outcome, reason, _)| view! {
                    <div class="outcome"><Banner tone=if matches!(outcome, "success" | "waits") { Tone::Warn } else { Tone::Stop }>
                        <b>{match outcome {
                            "refused" => "The server will refuse this: ",
                            "fails" => "The run will fail: ",
                            "waits" => "The run will wait: ",
                            "hangs" => "The run will hang: ",
                            "evicted" => "The run loses its locks: ",
                            "never_starts" => "The run will never start: ",
                            _ => "",
                        }}</b>
                        {reason}
                    </Banner></div>
                })}
            }
        })}
    }
}
