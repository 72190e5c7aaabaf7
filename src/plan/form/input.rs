//! Input: which chunks have rows? Asked, not assumed; painted by hand where it matters.

use crate::{
    kit::{Button, Kind, Segmented},
    plan::{known::inline, state::PlanPage, words},
};
use backfill::{
    forecast::FateKind,
    plan::{Basis, Says},
};
use druid::interval::Interval;
use leptos::prelude::*;

/// Most chunks that get a button of their own.
const MOST: usize = 96;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    All,
    None,
    Existing,
    Unknown,
}

#[component]
pub(super) fn Input(page: PlanPage) -> impl IntoView {
    let read =
        Memo::new(move |_| page.task.with(|task| inline(task).map(|read| read.map(|known| known.source()))));
    let word = Signal::derive(move || match page.input().basis {
        Basis::AllRows => Some(Word::All),
        Basis::NoRows => Some(Word::None),
        Basis::AsExisting => Some(Word::Existing),
        Basis::Unknown => Some(Word::Unknown),
        Basis::Rows(_) => None,
    });
    let choose = move |word: Word| {
        page.set_basis(match word {
            Word::All => Basis::AllRows,
            Word::None => Basis::NoRows,
            Word::Existing => Basis::AsExisting,
            Word::Unknown => Basis::Unknown,
        });
    };
    let words = vec![
        (Word::Unknown, "Not known".to_owned()),
        (Word::All, "All".to_owned()),
        (Word::Existing, "As now".to_owned()),
        (Word::None, "None".to_owned()),
    ];
    view! {
        <section class="group" aria-label="Input">
            <h2>"Input" <span class="sub">"which chunks have rows?"</span></h2>
            {move || match read.get() {
                Some(Ok(source)) => view! { <p class="note">"Read from the spec: " {source}</p> }.into_any(),
                other => view! {
                    {other.and_then(Result::err).map(|why| view! { <p class="note warn">{why}</p> })}
                    <Segmented label="Which chunks have rows" options=words.clone() value=word choose class="wide" />
                    <p class="note">{move || match word.get() {
                        Some(Word::All) => "Your word: every chunk in range has rows.",
                        Some(Word::None) => "Your word: the input is empty.",
                        Some(Word::Existing) => "Your word: the chunks that hold rows now get rows, no others.",
                        Some(Word::Unknown) => "Nobody looked: the picture shows both ways.",
                        None => "",
                    }} " Click a chunk to say otherwise."
                        {move || (!page.input().painted.is_empty()).then(|| view! {
                            " " <Button kind=Kind::Link press=move |()| page.clear_paint()>"Take the paint away"</Button>
                        })}
                    </p>
                    <Chunks page />
                }.into_any(),
            }}
        </section>
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Cell {
    interval: Interval,
    says: Option<bool>,
}

/// A button a chunk: rows, none, not known, in turn.
#[component]
fn Chunks(page: PlanPage) -> impl IntoView {
    let cells = Memo::new(move |_| {
        page.drawn.with(|drawn| {
            let forecast = drawn.forecast.as_ref()?;
            let granularity = forecast.granularity.as_ref()?;
            if forecast.chunks as usize > MOST || forecast.typed.is_empty() {
                return Some(Vec::new());
            }
            let world = page.looked_at(drawn)?;
            let cells =
                forecast.effective.iter().flat_map(|stretch| granularity.buckets(*stretch)).map(|interval| {
                    let says = match world.fate_at(interval.start).map(|fate| fate.kind) {
                        Some(FateKind::New | FateKind::Appended) => Some(true),
                        Some(FateKind::Tombstone | FateKind::Kept | FateKind::Nothing) => Some(false),
                        _ => None,
                    };
                    Cell { interval, says }
                });
            Some(cells.collect())
        })
    });
    let paint = move |cell: &Cell| {
        let says = match cell.says {
            None => Says::Rows,
            Some(true) => Says::NoRows,
            Some(false) => Says::Unknown,
        };
        page.paint(cell.interval, says);
    };
    view! {
        <div class="paint" role="group" aria-label="Rows in each chunk">
            {move || cells.get().unwrap_or_default().into_iter().map(|cell| {
                let (class, word) = match cell.says {
                    Some(true) => ("have", "rows"),
                    Some(false) => ("none", "none"),
                    None => ("maybe", "?"),
                };
                let name = words::chunk_name(cell.interval);
                view! {
                    <button type="button" class=class title=cell.interval.short() on:click=move |_| paint(&cell)>
                        {name} <small>{word}</small>
                    </button>
                }
            }).collect_view()}
        </div>
    }
}
