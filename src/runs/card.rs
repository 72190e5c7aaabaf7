//! One submission: where it stands, every try with its drawn delay, how it ended, and what can be done.

use crate::{
    cluster::browser_now,
    kit::{Banner, Button, CopyButton, Kind, Pill, Progress, Spinner, Tone},
    plan::words,
    submit::{Live, Submissions},
    timeline::Shared,
};
use backfill::submission::{End, Event, LockStanding, Run, RunnerStatus, State};
use druid::interval::Instant;
use leptos::prelude::*;
use std::time::Duration;

/// The card of one content.
#[component]
pub fn RunCard(submissions: Submissions, #[prop(into)] key: String) -> impl IntoView {
    let key = StoredValue::new(key);
    let live = Memo::new(move |_| submissions.list.with(|list| key.with_value(|key| list.get(key).cloned())));
    let act = move |event: Event| key.with_value(|key| submissions.event(key, event));
    view! {
        {move || live.get().map(|live| view! { <Card live act=Callback::new(act) /> })}
    }
}

#[component]
fn Card(live: Shared<Live>, act: Callback<Event>) -> impl IntoView {
    let submission = live.submission.clone();
    let record = submission.record();
    let state = submission.state();
    let over = record.is_over();
    let id = record.run.name.id.clone();
    let name = format!("Run {id}");
    let as_foreseen = record.run.audit.as_ref().map(|note| note.as_foreseen);
    let (tone, word) = verdict(&state, as_foreseen);
    let lost = has_lost_its_lock(&state);
    let busy = !over
        && !lost
        && !matches!(
            state,
            State::Ended(_)
                | State::Left
                | State::NeedsWordWithoutJournal(_)
                | State::NeedsWordAfterLong
                | State::NeedsSecrets
        );
    let sentence = submission.sentence();
    // Where a comparison was made, the sentence ends with what it found.
    let compared = match as_foreseen {
        Some(true) => "audit pass",
        Some(false) => "audit warn",
        None => "",
    };
    let countdown = match &state {
        State::Waiting(waiting) => Some((waiting.since_ms, waiting.drawn_ms)),
        _ => None,
    };
    let past = record.past.iter().map(past_run).collect_view();
    let tries = run_lines(&record.run);
    let full = ending(&state);
    let not_kept = submission.not_kept().map(str::to_owned);
    view! {
        <article class="card run" data-state=word aria-label=name>
            <div class="row">
                {busy.then(|| view! { <Spinner label="Under way" /> })}
                <Pill tone>{word}</Pill>
                <span class="mono">{id.clone()}</span> <CopyButton text=id what="the id" />
                <span class="muted">{record.wish.datasource.clone()} " · " {time(record.created_ms)}</span>
                <span class="grow"></span>
                {buttons(&live, &state, act)}
            </div>
            {said(sentence, compared, lost, act)}
            {countdown.map(|(since, drawn)| view! { <Countdown since drawn /> })}
            {not_kept.map(|why| view! { <p class="note warn">{why}</p> })}
            {full.map(|text| view! { <pre class="words">{text}</pre> })}
            {past}
            {tries}
        </article>
    }
}

/// Whether nothing will become of it until somebody cancels it.
fn has_lost_its_lock(state: &State) -> bool {
    matches!(state, State::Running { locks: LockStanding::Lost { .. }, .. })
}

fn cancel(act: Callback<Event>) -> impl IntoView {
    view! { <Button kind=Kind::Danger press=move |()| act.run(Event::Cancel)>"Cancel"</Button> }
}

/// How it stands in one sentence; with Cancel at hand where that is all that is left to do.
fn said(sentence: String, class: &'static str, lost: bool, act: Callback<Event>) -> AnyView {
    if lost {
        // A warning and not an alert: the card is drawn anew with every look, and each alert interrupts.
        return view! { <Banner tone=Tone::Warn actions=move || cancel(act)>{sentence}</Banner> }.into_any();
    }
    view! { <p role="status" class=class>{sentence}</p> }.into_any()
}

/// How it stands in one word, and how serious that is.
fn verdict(state: &State, as_foreseen: Option<bool>) -> (Tone, &'static str) {
    match state {
        State::Ended(End::Success { .. }) => match as_foreseen {
            Some(true) => (Tone::Pass, "as foreseen"),
            Some(false) => (Tone::Warn, "not as foreseen"),
            None => (Tone::Pass, "succeeded"),
        },
        State::Ended(End::Failed { .. }) => (Tone::Stop, "failed"),
        State::Ended(End::Moved { .. }) => (Tone::Warn, "not sent: the cluster moved"),
        State::Ended(End::Conflict { .. } | End::IdTaken { .. }) => (Tone::Stop, "id taken by other content"),
        State::Ended(End::Refused { .. }) => (Tone::Stop, "refused"),
        State::Ended(End::GaveUp { .. }) => (Tone::Stop, "gave up"),
        State::Ended(End::Cancelled { .. }) => (Tone::Plain, "cancelled"),
        State::Ended(End::Vanished { .. }) => (Tone::Warn, "unknown to the server"),
        State::Running { locks: LockStanding::Lost { .. }, .. } => (Tone::Stop, "lost its lock"),
        State::Running { runner, .. } => (
            Tone::Accent,
            match runner {
                RunnerStatus::None => "accepted",
                RunnerStatus::Waiting => "waits for a lock",
                RunnerStatus::Pending => "waits for a slot",
                RunnerStatus::Running => "running",
            },
        ),
        State::ComparingSegments { .. } => (Tone::Accent, "running"),
        State::Stopping { .. } => (Tone::Warn, "stopping"),
        State::Watching { .. } => (Tone::Plain, "handled by another tab"),
        State::NeedsWordWithoutJournal(_) | State::NeedsWordAfterLong | State::NeedsSecrets => {
            (Tone::Warn, "waits for your word")
        }
        State::Left => (Tone::Plain, "left"),
        State::Recording
        | State::ReadingAgain
        | State::Sending { .. }
        | State::Waiting(_)
        | State::Asking
        | State::ComparingContent => (Tone::Accent, "sending"),
    }
}

/// The server's words in full, where the end has some.
fn ending(state: &State) -> Option<String> {
    match state {
        State::Ended(
            End::Failed { text, .. }
            | End::Refused { text, .. }
            | End::GaveUp { text, .. }
            | End::Vanished { text }
            | End::Conflict { text, .. },
        ) => Some(text.clone()),
        State::Ended(End::Success { error_msg, .. }) => error_msg.clone(),
        State::Running { trouble, .. }
        | State::Stopping { trouble }
        | State::ComparingSegments { trouble } => trouble.as_ref().map(|trouble| trouble.text.clone()),
        _ => None,
    }
}

/// What can be done now.
fn buttons(live: &Shared<Live>, state: &State, act: Callback<Event>) -> impl IntoView + use<> {
    // Beside the words that ask for it, where they do.
    let cancel = (live.submission.can_cancel() && !has_lost_its_lock(state)).then(|| cancel(act));
    let go_on = matches!(state, State::NeedsWordWithoutJournal(_) | State::NeedsWordAfterLong)
        .then(|| view! { <Button kind=Kind::Primary press=move |()| act.run(Event::GoOn)>"Go on"</Button> });
    let again =
        matches!(state, State::Ended(End::GaveUp { .. } | End::Vanished { .. } | End::Refused { .. }))
            .then(|| view! { <Button press=move |()| act.run(Event::TryAgain)>"Look again"</Button> });
    let take = matches!(state, State::Watching { .. })
        .then(|| view! { <Button press=move |()| act.run(Event::TakeOver)>"Take over here"</Button> });
    view! { {go_on}{again}{take}{cancel} }
}

/// A run before this one: that it FAILED, in whose words, and what was tried.
fn past_run(run: &Run) -> impl IntoView + use<> {
    let name = run.name.id.clone();
    let failed = match run.end() {
        Some(End::Failed { class, text }) => Some((class.label(), text.clone())),
        _ => None,
    };
    let version = run.name.version.clone();
    view! {
        {failed.map(|(class, text)| view! {
            <details class="fold">
                <summary>"Before: " <span class="mono">{name}</span> {format!(" (version {version}) FAILED ({class}); its id stays used.")}</summary>
                <pre class="words">{text}</pre>
            </details>
        })}
        {run_lines(run)}
    }
}

/// Every try of one run.
fn run_lines(run: &Run) -> impl IntoView + use<> {
    let name = run.name.id.clone();
    let tries: Vec<String> = run
        .tries
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let delay = one
                .delay_ms
                .map_or_else(String::new, |ms| format!(" Next after {:.1} s.", ms as f64 / 1_000.0));
            format!("{} · attempt {} · {}: {}{delay}", time(one.at_ms), at + 1, one.class.label(), one.text)
        })
        .collect();
    (!tries.is_empty()).then(|| {
        view! {
            <details class="fold">
                <summary>{words::several(tries.len() as u64, "attempt")} " that did not go through, as " <span class="mono">{name}</span></summary>
                <ol class="tries">{tries.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ol>
            </details>
        }
    })
}

/// The drawn delay, running down.
#[component]
fn Countdown(since: i64, drawn: u64) -> impl IntoView {
    let now = RwSignal::new(browser_now());
    if let Ok(ticking) = set_interval_with_handle(move || now.set(browser_now()), Duration::from_millis(250))
    {
        on_cleanup(move || ticking.clear());
    }
    let part = Signal::derive(move || {
        let gone = now.get().saturating_sub(since).clamp(0, drawn as i64) as f64;
        Some(if drawn == 0 { 1.0 } else { gone / drawn as f64 })
    });
    let left = move || (drawn as f64 * (1.0 - part.get().unwrap_or(1.0)) / 1_000.0).max(0.0);
    view! {
        <div class="row">
            <span class="num nowrap">{move || format!("{:.1} s of {:.1} s left", left(), drawn as f64 / 1_000.0)}</span>
            <span class="grow"><Progress label="Drawn delay" value=part /></span>
        </div>
    }
}

/// A time of this browser's clock, as UTC.
pub(super) fn time(ms: i64) -> String {
    format!("{} UTC", words::when(Instant::from_ms(ms - ms.rem_euclid(1_000)), None))
}
