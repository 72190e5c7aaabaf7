//! The same as the picture, as a table: every run of chunks, what is there, what happens, and why.

use super::{state::PlanPage, words};
use backfill::forecast::{Becomes, Born, Fate, FateKind, OldPiece, World};
use druid::timeline::Timeline;
use leptos::prelude::*;

/// Most rows shown; the rest is counted.
const MOST: usize = 1_000;

#[derive(Clone, Debug, PartialEq)]
struct Row {
    chunks: String,
    number: String,
    before: String,
    after: &'static str,
    why: String,
}

#[component]
pub(super) fn FateTable(page: PlanPage) -> impl IntoView {
    let rows = Memo::new(move |_| {
        page.drawn.with(|drawn| {
            let Some(world) = page.looked_at(drawn) else { return (Vec::new(), 0) };
            let all = world.fates.len();
            let rows: Vec<Row> = page.with_timeline(|timeline| {
                world.fates.iter().take(MOST).map(|fate| row(world, fate, timeline)).collect()
            });
            (rows, all.saturating_sub(MOST))
        })
    });
    view! {
        <table class="table">
            <caption class="sr">"What the run does, chunk by chunk"</caption>
            <thead><tr>
                <th scope="col">"Chunks (UTC)"</th><th scope="col" class="r">"Number"</th><th scope="col">"Now"</th>
                <th scope="col">"After"</th><th scope="col">"Why"</th>
            </tr></thead>
            <tbody>
                {move || rows.get().0.into_iter().map(|row| view! {
                    <tr>
                        <td class="num nowrap">{row.chunks}</td><td class="r">{row.number}</td><td>{row.before}</td>
                        <td><b>{row.after}</b></td><td>{row.why}</td>
                    </tr>
                }).collect_view()}
                {move || {
                    let (rows, more) = rows.get();
                    if rows.is_empty() {
                        Some(view! { <tr><td colspan="5">{"Nothing is foreseen: see the findings.".to_owned()}</td></tr> })
                    } else if more > 0 {
                        Some(view! { <tr><td colspan="5">{format!("… and {}", words::several(more as u64, "more row"))}</td></tr> })
                    } else {
                        None
                    }
                }}
            </tbody>
        </table>
    }
}

fn row(world: &World, fate: &Fate, timeline: Option<&Timeline>) -> Row {
    let number = if fate.chunks == u64::MAX { "any".to_owned() } else { words::count(fate.chunks) };
    Row {
        chunks: words::span(fate.interval),
        number,
        before: before(world.under(fate), timeline),
        after: after(fate),
        why: fate.sentence(),
    }
}

fn before(pieces: &[OldPiece], timeline: Option<&Timeline>) -> String {
    let mut names: Vec<String> = pieces
        .iter()
        .filter_map(|piece| {
            let holder = timeline?.holder(piece.holder)?;
            let what = match (piece.holds_data, piece.becomes) {
                (false, _) => "tombstone of ",
                (true, Becomes::Stays) | (true, _) => "",
            };
            Some(format!("{what}{}", words::version(holder.version)))
        })
        .collect();
    names.dedup();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

fn after(fate: &Fate) -> &'static str {
    match (fate.kind, fate.born) {
        (FateKind::New | FateKind::Tombstone, Born::Hidden) => "hidden at birth",
        (FateKind::New, _) => "new rows",
        (FateKind::Tombstone, _) => "emptied",
        (FateKind::Kept, _) => "stays",
        (FateKind::Nothing, _) => "stays empty",
        (FateKind::Appended, _) => "added to",
        (FateKind::Back, _) => "served again",
        (FateKind::Gone, _) => "nothing served",
        (FateKind::Thinned, _) => "fewer partitions",
        (FateKind::NewOrTombstone, _) => "new rows or emptied",
        (FateKind::NewOrKept, _) => "new rows or as now",
        (FateKind::NewOrNothing, _) => "new rows or nothing",
        (FateKind::AppendedOrKept, _) => "added to or as now",
        (FateKind::Mixed, _) => "depends on the rows",
    }
}
