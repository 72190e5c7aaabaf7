//! What the shell and the Plan page know of sending while nothing is sent: how to get at it, and what is under way.

use super::{Rooms, load};
use crate::{
    journal,
    kit::Tone,
    part::{NOT_LOADED, Part},
    plan::{Frozen, PlanPage},
};
use leptos::prelude::*;

/// An id that this browser has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The id.
    pub id: String,
    /// The content that it was made from, by key.
    pub content: String,
    /// When that content was first sent, ms since 1970.
    pub at_ms: i64,
}

/// What the part tells of what was sent. Copies are handles to the same.
#[derive(Clone, Copy)]
pub struct Told {
    /// The contents that are under way, by key.
    pub under_way: RwSignal<Vec<String>>,
    /// Every id that was sent.
    pub sent: RwSignal<Vec<Sent>>,
}

/// The way to sending. Copies are handles to the same.
#[derive(Clone, Copy)]
pub struct Sending {
    rooms: Part<Rooms>,
    told: Told,
}

impl Sending {
    /// Takes up at once what an earlier visit left, where there was one.
    pub fn open() -> Self {
        let told = Told { under_way: RwSignal::new(Vec::new()), sent: RwSignal::new(Vec::new()) };
        let owner = Owner::current();
        let rooms = Part::new(move || {
            let owner = owner.clone();
            Box::pin(async move {
                let rooms = load().await.ok()?;
                // What is opened lives as long as the console, not as long as the page that asked for it.
                match owner {
                    Some(owner) => owner.with(|| (rooms.open)(told)),
                    None => (rooms.open)(told),
                }
                Some(rooms)
            })
        });
        leptos::task::spawn_local(async move {
            if journal::may_exist().await {
                rooms.prepare();
            }
        });
        Sending { rooms, told }
    }

    /// Sends the plan as it was drawn when the button was pressed.
    pub fn submit(self, page: PlanPage, plan: Frozen) {
        page.pressed.set(true);
        self.rooms.then(move |rooms| match rooms {
            Some(rooms) => (rooms.submit)(page, plan),
            None => {
                page.pressed.set(false);
                page.say(Tone::Stop, format!("Nothing was sent. {NOT_LOADED}"));
            }
        });
    }

    /// How many contents are under way.
    pub fn under_way(self) -> usize {
        self.told.under_way.with(Vec::len)
    }

    /// Whether a content is under way.
    pub fn is_under_way(self, key: &str) -> bool {
        self.told.under_way.with(|keys| keys.iter().any(|open| open == key))
    }

    /// When this browser sent an id with another content, ms since 1970; none where it did not. `content` is asked for
    /// the key of the content now, where the id was sent at all.
    pub fn sent_otherwise(self, id: &str, content: impl FnOnce() -> Option<String>) -> Option<i64> {
        self.told.sent.with(|sent| {
            let before = sent.iter().find(|sent| sent.id == id)?;
            (content()? != before.content).then_some(before.at_ms)
        })
    }

    /// The card of one content.
    pub fn card(self, key: String) -> AnyView {
        self.rooms.view(move |rooms| (rooms.card)(key.clone()))
    }

    /// The Runs page.
    pub fn runs(self) -> AnyView {
        self.rooms.view(|rooms| (rooms.runs)())
    }
}
