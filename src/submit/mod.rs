//! Carries out what `backfill::submission` decides: writes, reads, sends, waits, and brings back what happened.
//!
//! What always holds: the machine decides and this acts, one action at a time for each submission; an action's answer
//! is brought back with its token; what is not over when a tab closes is taken up again when one opens. All of it but
//! `sending` is a part that is loaded when something is sent, was sent before, or is asked for.

mod act;
mod answers;
mod sending;
mod wish;

pub use sending::{Sending, Sent, Told};

use crate::{
    cluster::browser_now,
    journal::Journal,
    plan::{Frozen, PlanPage},
    runs,
    timeline::Shared,
};
use backfill::{
    audit::Expected,
    submission::{Action, Event, Me, Moment, Record, Refusal, Submission, Wish, begin, resume},
};
use leptos::prelude::*;
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

thread_local! {
    /// The submissions, once this part is here.
    static OPENED: RefCell<Option<Submissions>> = const { RefCell::new(None) };
}

/// The doors of this part.
#[derive(Clone, Copy)]
pub struct Rooms {
    /// Opens the journal; what was sent and what is under way is told from then on.
    pub open: fn(Told),
    /// Sends a plan.
    pub submit: fn(PlanPage, Frozen),
    /// The card of one content.
    pub card: fn(String) -> AnyView,
    /// The Runs page.
    pub runs: fn() -> AnyView,
}

/// Fetches this part.
///
/// # Errors
/// The server did not give it.
#[wasm_split(sending, fallible)]
pub fn load() -> Result<Rooms, SplitLoaderError> {
    Ok(Rooms {
        open: |told| {
            let submissions = Submissions::open(told);
            OPENED.with_borrow_mut(|opened| *opened = Some(submissions));
        },
        submit: wish::submit,
        card: |key| with_submissions(|submissions| view! { <runs::RunCard submissions key /> }.into_any()),
        runs: || with_submissions(|submissions| view! { <runs::Runs submissions /> }.into_any()),
    })
}

fn with_submissions(show: impl FnOnce(Submissions) -> AnyView) -> AnyView {
    OPENED.with_borrow(|opened| *opened).map_or_else(|| ().into_any(), show)
}

/// One submission of this browser, and what its forecast promised.
#[derive(Clone, Debug)]
pub struct Live {
    /// The machine as it stands.
    pub submission: Submission,
    /// What was promised; none where it was not kept.
    pub expected: Option<Expected>,
}

/// All submissions that this browser knows.
#[derive(Clone, Copy)]
pub struct Submissions {
    /// By content.
    pub list: RwSignal<BTreeMap<String, Shared<Live>>>,
    /// Why nothing is remembered, where it is so.
    pub no_journal: RwSignal<Option<String>>,
    /// Whether the journal has been read, or is known not to be there.
    pub ready: RwSignal<bool>,
    taken_up: StoredValue<bool>,
    me: StoredValue<Me>,
}

impl Submissions {
    /// Opens the journal and takes up what is not over; what was sent and what is under way is told.
    pub fn open(told: Told) -> Self {
        let submissions = Submissions {
            list: RwSignal::new(BTreeMap::new()),
            no_journal: RwSignal::new(None),
            ready: RwSignal::new(false),
            taken_up: StoredValue::new(false),
            me: StoredValue::new(Me { tab: tab() }),
        };
        // A closing tab gives up what it holds, so that another can go on at once.
        let leaving = window_event_listener_untyped("pagehide", move |_| {
            let keys: Vec<String> = submissions.list.with_untracked(|list| list.keys().cloned().collect());
            keys.iter().for_each(|key| submissions.event(key, Event::Leave));
        });
        on_cleanup(move || leaving.remove());
        Effect::new(move |_| {
            let open = submissions.list.with(|list| {
                let open = list.iter().filter(|(_, live)| !live.submission.record().is_over());
                open.map(|(key, _)| key.clone()).collect::<Vec<_>>()
            });
            if told.under_way.with_untracked(|before| *before != open) {
                told.under_way.set(open);
            }
            let sent: Vec<Sent> = submissions.list.with(|list| {
                let records = list.values().map(|live| live.submission.record());
                let of_record = |record: &Record| {
                    let ids: Vec<String> = record.ids().into_iter().map(str::to_owned).collect();
                    let (content, at_ms) = (record.key().to_owned(), record.created_ms);
                    ids.into_iter()
                        .map(move |id| Sent { id, content: content.clone(), at_ms })
                        .collect::<Vec<_>>()
                };
                records.flat_map(of_record).collect()
            });
            if told.sent.with_untracked(|before| *before != sent) {
                told.sent.set(sent);
            }
        });
        leptos::task::spawn_local(async move {
            let _ = submissions.journal().await;
            submissions.ready.set(true);
        });
        submissions
    }

    /// Waits until the journal has been read, or is known not to be there.
    async fn opened(self) {
        while !self.ready.get_untracked() {
            gloo_timers::future::TimeoutFuture::new(10).await;
        }
    }

    /// The journal. What it holds is taken up when it first opens, late as that may be.
    async fn journal(self) -> Result<Rc<Journal>, String> {
        let journal = Journal::open().await.inspect_err(|why| self.no_journal.set(Some(why.clone())))?;
        if !self.taken_up.get_value() {
            self.taken_up.set_value(true);
            self.take_up(&journal).await;
        }
        Ok(journal)
    }

    async fn take_up(self, journal: &Journal) {
        match journal.all().await {
            Ok(records) => {
                self.no_journal.set(None);
                // What this page has begun meanwhile is its own.
                for record in records.into_iter().filter(|record| self.live(record.key()).is_none()) {
                    let expected = journal
                        .expected(record.key())
                        .await
                        .and_then(|text| serde_json::from_str(&text).ok());
                    self.resume(record, expected);
                }
            }
            Err(why) => self.no_journal.set(Some(why)),
        }
    }

    fn resume(self, record: Record, expected: Option<Expected>) {
        let (submission, actions) = resume(record, self.me.get_value(), moment());
        self.put(submission, expected, actions);
    }

    /// Begins what is wished for.
    ///
    /// # Errors
    /// Why it is not begun; nothing was written, nothing was sent.
    pub async fn start(self, mut wish: Wish, expected: Option<Expected>) -> Result<String, Refusal> {
        self.opened().await;
        let key = wish.content.clone();
        let journal = self.journal().await.ok();
        let stored = match &journal {
            Some(journal) => journal.read(&key).await,
            None => self.record(&key),
        };
        let others = match &journal {
            Some(journal) => journal.all().await.unwrap_or_default(),
            None => self.records(),
        };
        // Another version for content that already ran is the user's word that it is to run again.
        wish.again = stored.as_ref().is_some_and(|stored| {
            wish.names.first().is_some_and(|name| !stored.ids().contains(&name.id.as_str()))
        });
        let taken = |id: &str| {
            others
                .iter()
                .find(|other| other.key() != key && other.ids().contains(&id))
                .map(|other| other.key().to_owned())
        };
        let (submission, actions) = begin(stored, taken, wish, self.me.get_value(), moment())?;
        if let (Some(journal), Some(expected)) = (&journal, &expected)
            && let Ok(text) = serde_json::to_string(expected)
        {
            let _ = journal.keep_expected(&key, &text).await;
        }
        self.put(submission, expected, actions);
        Ok(key)
    }

    /// Brings an event to a submission and does what follows.
    pub fn event(self, key: &str, event: Event) {
        let Some(live) = self.live(key) else { return };
        let (submission, actions) = live.submission.clone().step(event, moment());
        self.put(submission, live.expected.clone(), actions);
    }

    /// One submission.
    pub fn live(self, key: &str) -> Option<Shared<Live>> {
        self.list.with_untracked(|list| list.get(key).cloned())
    }

    fn record(self, key: &str) -> Option<Record> {
        self.live(key).map(|live| live.submission.record().clone())
    }

    fn records(self) -> Vec<Record> {
        self.list.with_untracked(|list| list.values().map(|live| live.submission.record().clone()).collect())
    }

    fn put(self, submission: Submission, expected: Option<Expected>, actions: Vec<Action>) {
        let key = submission.record().key().to_owned();
        self.list.update(|list| {
            list.insert(key.clone(), Shared::new(Live { submission, expected }));
        });
        for action in actions {
            let key = key.clone();
            leptos::task::spawn_local(async move {
                let event = act::perform(self, &key, action).await;
                self.event(&key, event);
            });
        }
    }
}

/// The present, and a fresh random number.
fn moment() -> Moment {
    Moment { now_ms: browser_now(), random: js_sys::Math::random() }
}

/// This tab's id: the same after a reload, another in another tab.
fn tab() -> String {
    const KEY: &str = "foreshadow.tab";
    let store = window().session_storage().ok().flatten();
    if let Some(known) = store.as_ref().and_then(|store| store.get_item(KEY).ok().flatten()) {
        return known;
    }
    let fresh = format!(
        "{:08x}{:08x}",
        (js_sys::Math::random() * 4_294_967_296.0) as u32,
        (js_sys::Math::random() * 4_294_967_296.0) as u32
    );
    if let Some(store) = store {
        let _ = store.set_item(KEY, &fresh);
    }
    fresh
}
