//! A task in an older form, and what it would become: every change with its reason, what is left to people, and the
//! difference of the texts. Nothing changes until it is taken, and undo takes it back in one step.

use super::state::PlanPage;
use crate::kit::{Banner, Button, Dialog, Kind, Tone, VerdictIcon};
use crate::part::Part;
use druid::{
    json::{Diff, Document, Fate, Piece},
    spec::upgrade::{Said, Upgrade, upgrade},
};
use leptos::prelude::*;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// The dialog, open while the signal is true.
pub(super) type ShowUpgrade = fn(PlanPage, RwSignal<bool>) -> AnyView;

/// Fetches this part, which few people ever need.
///
/// # Errors
/// The server did not give it.
#[wasm_split(upgrade, fallible)]
fn load() -> Result<ShowUpgrade, SplitLoaderError> {
    Ok(|page, open| view! { <UpgradeDialog page open /> }.into_any())
}

/// The part, not asked for yet.
pub(super) fn part() -> Part<ShowUpgrade> {
    Part::new(|| Box::pin(async { load().await.ok() }))
}

/// Lines that stay, shown before and after each change.
const AROUND: usize = 3;

#[component]
fn UpgradeDialog(page: PlanPage, open: RwSignal<bool>) -> impl IntoView {
    view! {
        <Dialog open title="Bring the task to the form of today">
            {move || page.document.with(|document| match upgrade(document) {
                Ok(upgrade) => proposal(page, open, document, upgrade).into_any(),
                Err(error) => view! {
                    <div class="body">
                        <Banner tone=Tone::Stop>{format!("This cannot be upgraded: {error}. Mend it in the JSON tab.")}</Banner>
                    </div>
                }.into_any(),
            })}
        </Dialog>
    }
}

fn proposal(page: PlanPage, open: RwSignal<bool>, old: &Document, upgrade: Upgrade) -> impl IntoView + use<> {
    let diff = old.diff(&upgrade.document);
    let Upgrade { changes, left, edits, .. } = upgrade;
    let take = move |()| {
        page.take_upgrade(&edits);
        open.set(false);
    };
    view! {
        <div class="body">
            <p class="muted">"Nothing changes until you take it, and undo brings back the task as it is now. What is not named here stays byte for byte."</p>
            <h3>"What changes"</h3>
            <ul class="said">{changes.into_iter().map(|said| view! { <li>{said.text}</li> }).collect_view()}</ul>
            {(!left.is_empty()).then(|| view! {
                <h3>"What is left to you"</h3>
                <ul class="said" id="upgrade-left">{left.into_iter().map(to_do).collect_view()}</ul>
            })}
            <h3>"The difference"</h3>
            {diff.spread.then(|| view! { <p class="muted">"The task stands on one line and stays so; it is spread here to be readable."</p> })}
            {text(&diff)}
        </div>
        <footer>
            <Button press=move |()| open.set(false)>"Cancel"</Button>
            <Button kind=Kind::Primary id="upgrade-take" press=take>"Take it"</Button>
        </footer>
    }
}

fn to_do(said: Said) -> impl IntoView {
    view! {
        <li class="row">
            <VerdictIcon tone=Tone::Warn />
            <span class="grow"><code>{said.path.to_string()}</code><br/>{said.text}</span>
        </li>
    }
}

/// The lines that go and come, with some around them.
fn text(diff: &Diff) -> impl IntoView + use<> {
    let lines = diff.pieces(AROUND).into_iter().map(|piece| match piece {
        Piece::Skipped(lines) => {
            ("skipped", format!("⋯ {} unchanged", super::words::several(lines as u64, "line")))
        }
        Piece::Line(line) => {
            let class = match line.fate {
                Fate::Stays => "",
                Fate::Goes => "goes",
                Fate::Comes => "comes",
            };
            (class, format!("{} {}", line.fate.sign(), line.text))
        }
    });
    let lines = lines.map(|(class, text)| view! { <span class=class>{text}"\n"</span> }).collect_view();
    view! { <pre class="diff" id="upgrade-diff" tabindex="0" role="region" aria-label="Lines that go and come">{lines}</pre> }
}
