//! The plan as it was left: kept in this browser, without its secrets, and brought back at the next visit.
//!
//! What always holds: nothing is written over a draft that was not read. One that cannot be read is put aside under
//! another key, and the page says so until it is removed. A change is kept a moment after the last one, and at once when
//! the page is left; where it cannot be kept, that is said once.
//!
//! Reading and writing a plan is done at the desk (`desk.rs`), which is loaded when there is a draft or something changes.

use super::{exchange, state::PlanPage};
use crate::kit::{Banner, Button, CopyButton, Tone};
use backfill::plan::{Plan, ReadError};
use leptos::prelude::*;
use std::time::Duration;

const KEY: &str = "foreshadow.draft";
/// Where drafts lie that could not be read: one after the other, as they were.
const UNREAD: &str = "foreshadow.draft.unread";
const PAUSE: Duration = Duration::from_millis(400);

/// What lies under [`KEY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    /// A draft that waits to be read.
    Unread,
    /// Nothing, or what this page has read or written: it may be written over.
    Known,
    /// What can neither be read nor put aside: it is not written over.
    Sealed,
}

/// Why a change is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotKept {
    /// The browser refuses, or has no room.
    Browser,
    /// What writes it could not be loaded.
    Desk,
}

/// What is known of a draft that could not be read: nothing, where it was put aside at an earlier visit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Aside {
    /// Why, as sentences.
    why: String,
    /// The task in it, where that much was read.
    task: Option<String>,
}

/// How it stands with the draft. Copies are handles to the same.
#[derive(Clone, Copy)]
pub struct Draft {
    lies: RwSignal<Lies>,
    /// A draft could not be read.
    aside: RwSignal<Option<Aside>>,
    not_kept: RwSignal<Option<NotKept>>,
    /// Whether it has been said that changes are not kept, since they last were.
    told: StoredValue<bool>,
    /// Whether something changed that is not kept yet.
    changed: StoredValue<bool>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Draft {
    /// Looks what lies in this browser; reads nothing.
    pub(super) fn look() -> Self {
        let (lies, aside) = match (stored(KEY), stored(UNREAD)) {
            (Ok(Some(_)), aside) => (Lies::Unread, aside),
            (Ok(None), aside) => (Lies::Known, aside),
            (Err(Refused), aside) => (Lies::Sealed, aside),
        };
        Draft {
            lies: RwSignal::new(lies),
            aside: RwSignal::new(aside.ok().flatten().map(|_| Aside::default())),
            not_kept: RwSignal::new(None),
            told: StoredValue::new(false),
            changed: StoredValue::new(false),
            timer: StoredValue::new(None),
        }
    }

    /// Whether the plan of an earlier visit is still to be brought back.
    pub fn waits(self) -> bool {
        self.lies.get() == Lies::Unread
    }

    /// The plan changed: it is kept when no other change follows for a moment.
    pub(super) fn change(self, page: PlanPage) {
        self.changed.set_value(true);
        // Loaded now, it is there when the page is left before the moment is over.
        page.desk.prepare();
        let later = set_timeout_with_handle(move || self.keep(page), PAUSE).ok();
        let earlier = self.timer.try_update_value(|timer| std::mem::replace(timer, later)).flatten();
        if let Some(earlier) = earlier {
            earlier.clear();
        }
    }

    fn keep(self, page: PlanPage) {
        page.desk.then(move |desk| match desk {
            Some(desk) => (desk.keep)(page),
            None => self.fails(NotKept::Desk),
        });
    }

    /// The page is left: what is not kept yet is kept at once.
    pub(super) fn leave(self, page: PlanPage) {
        if let Some(desk) = page.desk.now() {
            (desk.keep)(page);
        }
    }

    fn fails(self, why: NotKept) {
        if !self.told.get_value() {
            self.told.set_value(true);
            self.not_kept.set(Some(why));
        }
    }

    fn succeeds(self) {
        self.changed.set_value(false);
        self.told.set_value(false);
        if self.not_kept.get_untracked().is_some() {
            self.not_kept.set(None);
        }
    }
}

/// The browser refuses storage.
struct Refused;

fn store() -> Result<web_sys::Storage, Refused> {
    window().local_storage().ok().flatten().ok_or(Refused)
}

fn stored(key: &str) -> Result<Option<String>, Refused> {
    store()?.get_item(key).map_err(|_| Refused)
}

fn put(key: &str, text: &str) -> Result<(), Refused> {
    store()?.set_item(key, text).map_err(|_| Refused)
}

fn remove(key: &str) -> Result<(), Refused> {
    store()?.remove_item(key).map_err(|_| Refused)
}

/// Opens the page on the plan that was left, once the desk is there to read it: at the first try, or at a later one.
pub(super) fn bring_back(page: PlanPage) {
    let owner = Owner::current();
    Effect::new(move |_| {
        let Some(desk) = page.desk.here() else { return };
        if page.draft.lies.get_untracked() == Lies::Unread {
            untrack(|| (desk.bring_back)(page));
            match &owner {
                Some(owner) => owner.with(|| untrack(|| page.start())),
                None => untrack(|| page.start()),
            }
        }
    });
    page.desk.prepare();
}

// ---------------------------------------------------------------------- at the desk

/// Reads the draft; puts it aside where it cannot be read.
pub(super) fn read(page: PlanPage) {
    let draft = page.draft;
    draft.lies.set(match stored(KEY) {
        Err(Refused) => Lies::Sealed,
        // Another tab has removed it meanwhile.
        Ok(None) => Lies::Known,
        Ok(Some(text)) => match Plan::from_file(&text) {
            Ok(plan) => {
                say_secrets(page, &plan);
                page.plan.set(plan);
                Lies::Known
            }
            Err(why) => {
                let task = match &why {
                    ReadError::Newer { document, .. } => document.clone(),
                    _ => None,
                };
                draft.aside.set(Some(Aside { why: why.to_string(), task }));
                match put_aside(&text) {
                    Ok(()) => Lies::Known,
                    Err(Refused) => {
                        draft.told.set_value(true);
                        Lies::Sealed
                    }
                }
            }
        },
    });
}

fn say_secrets(page: PlanPage, plan: &Plan) {
    let missing: Vec<String> = plan.missing_secrets().iter().map(ToString::to_string).collect();
    if !missing.is_empty() {
        let places = missing.join(", ");
        page.say(Tone::Warn, format!("Secrets are not kept in this browser. Give them again: {places}."));
    }
}

/// Never loses anything: it lies in both places for a moment, and what was put aside before stays above it.
fn put_aside(text: &str) -> Result<(), Refused> {
    match stored(UNREAD)? {
        Some(before) if before.ends_with(text) => {}
        Some(before) => put(UNREAD, &format!("{before}\n{text}"))?,
        None => put(UNREAD, text)?,
    }
    remove(KEY)
}

/// Keeps the plan as it stands, if it changed since it was kept.
pub(super) fn keep(page: PlanPage) {
    let draft = page.draft;
    if !draft.changed.get_value() {
        return;
    }
    let kept = match draft.lies.get_untracked() {
        Lies::Known => put(KEY, &page.plan.with_untracked(Plan::to_draft)),
        Lies::Unread | Lies::Sealed => Err(Refused),
    };
    match kept {
        Ok(()) => draft.succeeds(),
        Err(Refused) => draft.fails(NotKept::Browser),
    }
}

/// Saves what could not be read as a file.
pub(super) fn save_aside(page: PlanPage) {
    let lies = if page.draft.lies.get_untracked() == Lies::Sealed { KEY } else { UNREAD };
    let saved = match stored(lies) {
        Ok(Some(text)) => exchange::save(&text, "foreshadow-draft.txt").is_ok(),
        _ => false,
    };
    if !saved {
        page.say(Tone::Stop, "The browser did not save the file.".to_owned());
    }
}

// ---------------------------------------------------------------------- what is said

impl Draft {
    /// Removes what could not be read, on the user's word.
    fn forget_aside(self, page: PlanPage) {
        let sealed = self.lies.get_untracked() == Lies::Sealed;
        if remove(if sealed { KEY } else { UNREAD }).is_err() {
            return page.say(Tone::Stop, "The browser did not remove it.".to_owned());
        }
        self.aside.set(None);
        if sealed {
            self.lies.set(Lies::Known);
            self.told.set_value(false);
            self.keep(page);
        }
    }
}

/// In place of the page, until the draft has been read.
#[component]
pub fn BringingBack(page: PlanPage) -> impl IntoView {
    view! {
        <div class="page padded">
            {page.desk.view(|_| ().into_any())}
            <p class="muted">"The plan you left here is kept in this browser, and comes back as soon as it can be read."</p>
        </div>
    }
}

/// What the user has to know of the draft.
#[component]
pub(super) fn Notices(page: PlanPage) -> impl IntoView {
    let draft = page.draft;
    view! {
        {move || draft.aside.get().map(|Aside { why, task }| {
            let text = if draft.lies.get() == Lies::Sealed {
                "The plan you left here could not be read: it stays in this browser as it was, and what you change now \
                 is not kept until you remove it."
            } else {
                "The plan you left here could not be read, so it was put aside in this browser as it was."
            };
            view! {
                <Banner tone=Tone::Warn actions=move || view! {
                    {task.clone().map(|task| view! { <Button press=move |()| page.import(task.clone())>"Import its task"</Button> })}
                    <Button press=move |()| page.at_desk(move |desk| (desk.save_aside)(page))>"Save it as a file"</Button>
                    <Button press=move |()| draft.forget_aside(page)>"Remove it"</Button>
                }>
                    {text} " " {why}
                </Banner>
            }
        })}
        {move || draft.not_kept.get().map(|why| {
            let text = match why {
                NotKept::Browser => "What you change cannot be kept in this browser: it refuses storage or has none left. \
                    Export the spec before you close the page.",
                NotKept::Desk => "What you change is not kept yet: a part of the console could not be loaded. Start the \
                    server again where it was stopped, and try again; copy the spec before you reload the page.",
            };
            view! {
                <Banner tone=Tone::Warn actions=move || view! {
                    <Button press=move |()| draft.keep(page)>"Try again"</Button>
                    <CopyButton text=Signal::derive(move || page.document.with(|document| document.text().to_owned())) what="the spec" />
                    <Button press=move |()| draft.not_kept.set(None)>"Close"</Button>
                }>{text}</Banner>
            }
        })}
    }
}
