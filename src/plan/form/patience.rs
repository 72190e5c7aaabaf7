//! Patience: how often and after which delays a submit is tried again. Kept in this browser, not in the spec.

use crate::{
    kit::{State, TextField},
    plan::{state::PlanPage, words},
};
use backfill::retry::{Policy, PolicyField};
use druid::json::Document;
use leptos::prelude::*;

const KEY: &str = "foreshadow.patience";

/// The policy that was kept, or the default.
pub(in crate::plan) fn remembered() -> Policy {
    let kept = window().local_storage().ok().flatten().and_then(|store| store.get_item(KEY).ok().flatten());
    kept.map(|text| read(&text)).filter(|policy| policy.problems().is_empty()).unwrap_or_default()
}

/// The five numbers, by the names that the journal uses for them; what is missing is as by default.
fn read(text: &str) -> Policy {
    let document = Document::parse(text);
    let number = |key| document.root()?.get(key)?.as_i64();
    let small = |key, default| number(key).and_then(|value| u32::try_from(value).ok()).unwrap_or(default);
    let large = |key, default| number(key).and_then(|value| u64::try_from(value).ok()).unwrap_or(default);
    let by_default = Policy::default();
    Policy {
        attempts: small("attempts", by_default.attempts),
        first_ms: large("first_ms", by_default.first_ms),
        growth_percent: small("growth_percent", by_default.growth_percent),
        cap_ms: large("cap_ms", by_default.cap_ms),
        poison: small("poison", by_default.poison),
        ..by_default
    }
}

fn written(policy: &Policy) -> String {
    let Policy { attempts, first_ms, growth_percent, cap_ms, poison, .. } = policy;
    format!(
        "{{\"attempts\":{attempts},\"first_ms\":{first_ms},\"growth_percent\":{growth_percent},\"cap_ms\":{cap_ms},\"poison\":{poison}}}"
    )
}

/// Five numbers and what they come to.
#[component]
pub(super) fn Patience(page: PlanPage) -> impl IntoView {
    let policy = page.policy;
    Effect::new(move |_| {
        let now = policy.get();
        if let Ok(Some(store)) = window().local_storage()
            && now.problems().is_empty()
        {
            let _ = store.set_item(KEY, &written(&now));
        }
    });
    let number = move |label: &'static str,
                       field: PolicyField,
                       read: fn(&Policy) -> f64,
                       write: fn(&mut Policy, f64)| {
        let state = Signal::derive(move || {
            let found =
                policy.with(|policy| policy.problems().into_iter().find(|problem| problem.field == field));
            found.map_or(State::Fine, |problem| State::Bad(problem.remedy.to_owned()))
        });
        let input = move |text: String| {
            if let Ok(value) = text.trim().parse::<f64>() {
                policy.update(|policy| write(policy, value));
            }
        };
        view! { <TextField label kind="number" state value=Signal::derive(move || policy.with(read).to_string()) input /> }
    };
    view! {
        <section class="group" aria-label="Patience">
            <details class="fold">
                <summary><h2>"Patience" <span class="sub">{move || policy.with(summary)}</span></h2></summary>
                {number("Attempts", PolicyField::Attempts, |p| f64::from(p.attempts), |p, v| p.attempts = v as u32)}
                {number("First, s", PolicyField::First, |p| p.first_ms as f64 / 1e3, |p, v| p.first_ms = (v * 1e3) as u64)}
                {number("Times", PolicyField::Growth, |p| f64::from(p.growth_percent) / 1e2, |p, v| p.growth_percent = (v * 1e2) as u32)}
                {number("Longest, s", PolicyField::Cap, |p| p.cap_ms as f64 / 1e3, |p, v| p.cap_ms = (v * 1e3) as u64)}
                {number("Poison at", PolicyField::Poison, |p| f64::from(p.poison), |p, v| p.poison = v as u32)}
                <p class="note">
                    "Each delay is drawn between nothing and its cap (full jitter). After as many FAILED runs of one kind as "
                    "“poison at” says, the content goes to the dead letters. Kept in this browser."
                </p>
            </details>
        </section>
    }
}

/// "6 attempts, at most 1 min of waiting".
fn summary(policy: &Policy) -> String {
    let most = i64::try_from(policy.worst_case_ms()).unwrap_or(i64::MAX);
    format!(
        "{}, at most {} of waiting",
        words::several(u64::from(policy.attempts), "attempt"),
        words::length(most)
    )
}
