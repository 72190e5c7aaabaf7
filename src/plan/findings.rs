//! The findings: what stops, what wants a yes, what is fine; each with its fix where there is one.

use super::state::PlanPage;
use crate::kit::{Button, Kind, Pill, Tone, VerdictIcon};
use backfill::check::{Finding, OLD_FORM, Verdict};
use druid::order::Order as _;
use leptos::prelude::*;
use std::sync::Arc;

/// The list below the timeline.
#[component]
pub fn Findings(
    page: PlanPage,
    /// Opens the upgrade of a task in an older form.
    upgrading: RwSignal<bool>,
) -> impl IntoView {
    let count = move |verdict: Verdict| {
        Signal::derive(move || {
            page.findings.with(|all| all.iter().filter(|finding| finding.verdict == verdict).count())
        })
    };
    let (stops, passes) = (count(Verdict::Stop), count(Verdict::Pass));
    let open = Signal::derive(move || page.unconfirmed().len());
    let confirmed =
        Signal::derive(move || page.findings.with(|all| all.iter().filter(|f| page.is_confirmed(f)).count()));
    let show_passed = RwSignal::new(false);
    let shown = Memo::new(move |_| {
        let mut shown: Vec<Row> = page.findings.with(|all| {
            all.iter()
                .filter(|finding| finding.verdict != Verdict::Pass || show_passed.get())
                .map(|finding| Row(Arc::new(finding.clone()), page.is_confirmed(finding)))
                .collect()
        });
        shown.order_by_key(|row| match row.0.verdict {
            Verdict::Stop => 0,
            Verdict::Warn => 1,
            Verdict::Pass => 2,
        });
        shown
    });
    view! {
        <section class="findings" id="findings" aria-label="Findings" tabindex="-1">
            <div class="fhead">
                <h2>"Findings"</h2>
                <Show when=move || { stops.get() > 0 }><Pill tone=Tone::Stop>{move || stops.get()} " stop"</Pill></Show>
                <Show when=move || { open.get() > 0 }><Pill tone=Tone::Warn>{move || open.get()} " to confirm"</Pill></Show>
                <Show when=move || { confirmed.get() > 0 }><Pill tone=Tone::Plain>{move || confirmed.get()} " confirmed"</Pill></Show>
                <Pill tone=Tone::Pass>{move || passes.get()} " pass"</Pill>
                <Button kind=Kind::Link press=move |()| show_passed.update(|on| *on = !*on)>
                    {move || if show_passed.get() { "hide what passed" } else { "show what passed" }}
                </Button>
                <span class="grow"></span>
                <span class="muted">{move || page.certainty()}</span>
            </div>
            <ul>
                <For each=move || shown.get() key=|row| (row.0.check, row.0.title.clone(), row.0.why.clone(), row.1) let(row)>
                    <FindingRow page upgrading finding=row.0 confirmed=row.1 />
                </For>
                <Show when=move || shown.with(Vec::is_empty)>
                    <li><span class="say muted">"Nothing stops this run and nothing wants a yes."</span></li>
                </Show>
            </ul>
        </section>
    }
}

#[derive(Clone)]
struct Row(Arc<Finding>, bool);

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 && self.1 == other.1
    }
}

#[component]
fn FindingRow(
    page: PlanPage,
    upgrading: RwSignal<bool>,
    finding: Arc<Finding>,
    confirmed: bool,
) -> impl IntoView {
    let tone = match finding.verdict {
        Verdict::Stop => Tone::Stop,
        Verdict::Warn => Tone::Warn,
        Verdict::Pass => Tone::Pass,
    };
    let fixes = finding
        .fixes
        .iter()
        .cloned()
        .map(|fix| {
            let edits = fix.edits.clone();
            view! { <Button press=move |()| page.edit("fix", edits.clone())>{fix.label}</Button> }
        })
        .collect_view();
    let upgrade = (finding.check == OLD_FORM).then(|| {
        view! { <Button press=move |()| upgrading.set(true)>"Show the upgrade"</Button> }
    });
    let confirm = (finding.verdict == Verdict::Warn).then(|| {
        let about = finding.clone();
        view! {
            <Button press=move |()| page.confirm(&about, !confirmed)>
                {if confirmed { "Confirmed ✓ (take back)" } else { "It is meant" }}
            </Button>
        }
    });
    view! {
        <li data-check=finding.check data-verdict=format!("{:?}", finding.verdict).to_lowercase()>
            <VerdictIcon tone />
            <div class="say"><b>{finding.title.clone()}</b><p>{finding.why.clone()}</p></div>
            <div class="act">{upgrade}{fixes}{confirm}</div>
        </li>
    }
}
