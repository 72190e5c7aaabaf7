//! What is said to the user: pills, banners, verdicts, empty places, progress. Colour repeats what a sign says.

use leptos::prelude::*;

/// How serious something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Neither good nor bad.
    #[default]
    Plain,
    /// Good.
    Pass,
    /// Wants a look.
    Warn,
    /// Stops, or failed.
    Stop,
    /// Belongs to this run.
    Accent,
}

impl Tone {
    /// The class of the tone.
    pub const fn class(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Pass => "pass",
            Tone::Warn => "warn",
            Tone::Stop => "stop",
            Tone::Accent => "accent",
        }
    }
}

/// A small word or count.
#[component]
pub fn Pill(
    /// How serious.
    #[prop(into, optional)]
    tone: Signal<Tone>,
    /// The word.
    children: Children,
) -> impl IntoView {
    view! { <span class=move || format!("pill {}", tone.get().class())>{children()}</span> }
}

/// The sign of a verdict: tick, exclamation mark or cross, with its word for those who do not see it.
#[component]
pub fn VerdictIcon(
    /// How serious.
    tone: Tone,
) -> impl IntoView {
    let (sign, word) = match tone {
        Tone::Pass | Tone::Accent => ("✓", "Passed: "),
        Tone::Warn => ("!", "Warning: "),
        Tone::Stop => ("✕", "Stop: "),
        Tone::Plain => ("i", "Note: "),
    };
    view! { <span class=format!("ic {}", tone.class()) aria-hidden="true">{sign}</span><span class="sr">{word}</span> }
}

/// A message that stays until its cause is gone, with what can be done about it.
#[component]
pub fn Banner(
    /// How serious.
    tone: Tone,
    /// The message.
    children: Children,
    /// Buttons.
    #[prop(optional, into)]
    actions: ViewFn,
) -> impl IntoView {
    let role = if tone == Tone::Stop { "alert" } else { "status" };
    view! {
        <div class=format!("banner {}", tone.class()) role=role>
            <VerdictIcon tone />
            <div class="grow">{children()}</div>
            <div class="act">{actions.run()}</div>
        </div>
    }
}

/// A place with nothing in it yet, and what would fill it.
#[component]
pub fn Empty(
    /// What is missing.
    #[prop(into)]
    title: String,
    /// What would fill it, and buttons.
    children: Children,
) -> impl IntoView {
    view! { <div class="empty"><h2>{title}</h2>{children()}</div> }
}

/// Something is under way and cannot say how far.
#[component]
pub fn Spinner(
    /// What is under way.
    #[prop(into)]
    label: String,
) -> impl IntoView {
    view! { <span class="spinner" role="status" aria-label=label></span> }
}

/// How far something is, from 0 to 1; none when that is not known.
#[component]
pub fn Progress(
    /// What is under way.
    label: &'static str,
    /// How far.
    #[prop(into)]
    value: Signal<Option<f64>>,
) -> impl IntoView {
    view! { <progress class="bar" max="1" aria-label=label value=move || value.get().map(|part| part.to_string())></progress> }
}
