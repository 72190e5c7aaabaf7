//! The spec as JSON: a text area over coloured paper, with what is wrong underlined and listed.
//!
//! Every keystroke is one edit of the document; nothing is reformatted behind the user's back. Only lines whose
//! look changed are built anew.

use super::{
    highlight::{self, Line, Mark},
    state::PlanPage,
};
use crate::kit::{Button, Kind, Tone, VerdictIcon};
use druid::json::{Document, Severity, Span};
use druid::order::Order as _;
use leptos::{html, prelude::*};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Something to underline and to list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Remark {
    /// Where.
    span: Span,
    /// How serious.
    severity: Severity,
    /// What.
    message: String,
}

/// The plan's spec in the editor.
#[component]
pub(super) fn SpecAsJson(page: PlanPage) -> impl IntoView {
    let remarks = Signal::derive(move || {
        page.task.with(|task| {
            let mut remarks: Vec<Remark> = task
                .problems
                .iter()
                .map(|problem| {
                    let message = match &problem.remedy {
                        Some(remedy) => format!("{} {remedy}", problem.message),
                        None => problem.message.clone(),
                    };
                    Remark { span: problem.span, severity: problem.severity, message }
                })
                .collect();
            remarks.extend(druid::spec::lint(&task.document).into_iter().map(|problem| Remark {
                span: problem.span,
                severity: problem.severity.min(Severity::Warning),
                message: problem.message,
            }));
            remarks
        })
    });
    view! { <JsonEditor document=page.document remarks input=move |text: String| page.type_text(&text) /> }
}

/// The editor.
#[component]
fn JsonEditor(
    /// What is edited.
    #[prop(into)]
    document: Signal<Document>,
    /// What is wrong with it, beside what the text itself says.
    #[prop(into)]
    remarks: Signal<Vec<Remark>>,
    /// Called with the whole text at every keystroke.
    #[prop(into)]
    input: Callback<String>,
) -> impl IntoView {
    let area = NodeRef::<html::Textarea>::new();
    let all = Memo::new(move |_| {
        let mut all: Vec<Remark> = document.with(|document| {
            document
                .diagnostics()
                .iter()
                .map(|found| Remark {
                    span: found.span,
                    severity: found.severity(),
                    message: found.message.clone(),
                })
                .collect()
        });
        all.extend(remarks.get());
        all.order_by_key(|remark| (remark.span.start, remark.severity));
        all
    });
    let paper = Memo::new(move |_| {
        let marks: Vec<Mark> = all.with(|all| all.iter().filter_map(mark).collect());
        let lines = document.with(|document| highlight::lines(document, &marks));
        lines.into_iter().enumerate().map(|(at, line)| (at, look(&line), line)).collect::<Vec<_>>()
    });
    // The area keeps its own text while typing; only a change from elsewhere (form, undo, import) is written to it.
    Effect::new(move |_| {
        let text = document.with(|document| document.text().to_owned());
        if let Some(area) = area.get()
            && area.value() != text
        {
            area.set_value(&text);
        }
    });
    let go = move |span: Span| {
        if let Some(area) = area.get_untracked() {
            let _ = area.focus();
            let (start, end) = document.with_untracked(|document| {
                let text = document.text();
                (units(text, span.start), units(text, span.end))
            });
            let _ = area.set_selection_range(start, end);
        }
    };
    view! {
        <div class="editor">
            <div class="layers">
                <div class="sheet">
                    <pre class="paper" aria-hidden="true">
                        <For each=move || paper.get() key=|(at, look, _)| (*at, *look) let((_, _, line))>
                            <span class="ln">
                                {line.into_iter().map(|token| view! { <span class=token.class>{token.text}</span> }).collect_view()}
                            </span>
                        </For>
                    </pre>
                    <textarea
                        node_ref=area aria-label="Specification as JSON" spellcheck="false" autocomplete="off"
                        autocapitalize="off" wrap="off"
                        on:input=move |event| input.run(event_target_value(&event))
                    ></textarea>
                </div>
            </div>
            <Show when=move || all.with(|all| !all.is_empty())>
                <ul class="problems" aria-label="What is wrong with the text">
                    {move || all.get().into_iter().take(60).map(|remark| {
                        let span = remark.span;
                        let (line, column) = document.with_untracked(|document| document.position(span.start));
                        view! {
                            <li>
                                <VerdictIcon tone=tone(remark.severity) />
                                <span class="grow">
                                    <Button press=move |()| go(span) kind=Kind::Link>{format!("{line}:{column}")}</Button>
                                    " " {remark.message}
                                </span>
                            </li>
                        }
                    }).collect_view()}
                </ul>
            </Show>
        </div>
    }
}

fn look(line: &Line) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}

fn mark(remark: &Remark) -> Option<Mark> {
    let class = match remark.severity {
        Severity::Error => "sq-stop",
        Severity::Warning => "sq-warn",
        Severity::Note => return None,
    };
    Some(Mark { span: remark.span, class })
}

const fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Stop,
        Severity::Warning => Tone::Warn,
        Severity::Note => Tone::Plain,
    }
}

/// Bytes to the UTF-16 units that the browser counts in.
fn units(text: &str, at: usize) -> u32 {
    let before = text.get(..at.min(text.len())).unwrap_or_default();
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}
