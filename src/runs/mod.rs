//! The Runs page: what this browser sent, what became of it, and what lies in the dead-letter list.

mod card;

pub use card::RunCard;

use crate::{
    kit::{Banner, Empty, Tone},
    submit::{Live, Submissions},
    timeline::Shared,
};
use druid::order::Order as _;
use leptos::prelude::*;

/// The page.
#[component]
pub fn Runs(submissions: Submissions) -> impl IntoView {
    let sorted = Memo::new(move |_| {
        submissions.list.with(|list| {
            let mut all: Vec<(String, Shared<Live>)> =
                list.iter().map(|(key, live)| (key.clone(), live.clone())).collect();
            all.order_by_key(|(_, live)| std::cmp::Reverse(live.submission.record().created_ms));
            all
        })
    });
    let dead = move || {
        sorted.with(|all| all.iter().filter(|(_, live)| live.submission.record().dead.is_some()).count())
    };
    view! {
        <div class="page padded">
            <h1>"Runs"</h1>
            {move || submissions.no_journal.get().map(|why| view! {
                <Banner tone=Tone::Warn>{why} " What is sent from this page is not remembered when it is closed."</Banner>
            })}
            <DeadLetters sorted />
            <Show when=move || { dead() > 0 }><h2 class="part">"All runs"</h2></Show>
            {move || (submissions.ready.get() && sorted.with(Vec::is_empty)).then(|| view! {
                <Empty title="No runs yet">
                    <p>"A run appears here as soon as it is sent. It is remembered in this browser."</p>
                    <a class="btn" href="#/plan">"Plan a backfill"</a>
                </Empty>
            })}
            <For each=move || sorted.get().into_iter().map(|(key, _)| key) key=Clone::clone let(key)>
                <RunCard submissions key />
            </For>
        </div>
    }
}

/// What will not be tried again by itself, each with what would clear it.
#[component]
fn DeadLetters(sorted: Memo<Vec<(String, Shared<Live>)>>) -> impl IntoView {
    let rows = Memo::new(move |_| {
        sorted.with(|all| {
            all.iter()
                .filter_map(|(_, live)| {
                    let record = live.submission.record();
                    record.dead.clone().map(|letter| (record.run.name.id.clone(), letter))
                })
                .collect::<Vec<_>>()
        })
    });
    view! {
        <Show when=move || rows.with(|rows| !rows.is_empty())>
            <section class="card" aria-label="Dead letters">
                <h2>"Dead letters"</h2>
                <p class="muted">"These are not tried again by themselves."</p>
                <div class="tablewrap" tabindex="0" role="region" aria-label="Dead letters, table">
                    <table class="table">
                        <thead><tr>
                            <th scope="col">"Id"</th><th scope="col">"Kind of failure"</th><th scope="col" class="r">"Times"</th>
                            <th scope="col">"First seen"</th><th scope="col">"Last seen"</th>
                            <th scope="col">"The server's words"</th><th scope="col">"What would clear it"</th>
                        </tr></thead>
                        <tbody>
                            {move || rows.get().into_iter().map(|(id, letter)| view! {
                                <tr>
                                    <td class="mono">{id}</td><td>{letter.class.label()}</td><td class="r">{letter.times}</td>
                                    <td class="num nowrap">{card::time(letter.first_seen_ms)}</td>
                                    <td class="num nowrap">{card::time(letter.last_seen_ms)}</td>
                                    <td><pre>{letter.text}</pre></td><td>{letter.clears}</td>
                                </tr>
                            }).collect_view()}
                        </tbody>
                    </table>
                </div>
            </section>
        </Show>
    }
}
