//! What the shell and the Plan page know of sending while nothing is sent: how to get at it, and what is under way.

use super::{Rooms, load};
use crate::{
    journal,
    kit::Tone,
    part::{NOT_LOADED, Part},
    plan::{Frozen, PlanPage},
};
use leptos::prelude::*;

/// The way to sending. Copies are handles to the same.
#[derive(Clone, Copy)]
pub struct Sending {
    rooms: Part<Rooms>,
    /// The contents that are under way, by key.
    pub under_way: RwSignal<Vec<String>>,
}

impl Sending {
    /// Takes up at once what an earlier visit left, where there was one.
    pub fn open() -> Self {
        let under_way = RwSignal::new(Vec::new());
        let owner = Owner::current();
        let rooms = Part::new(move || {
            let owner = owner.clone();
            Box::pin(async move {
                let rooms = load().await.ok()?;
                // What is opened lives as long as the console, not as long as the page that asked for it.
                match owner {
                    Some(owner) => owner.with(|| (rooms.open)(under_way)),
                    None => (rooms.open)(under_way),
                }
                Some(rooms)
            })
        });
        leptos::task::spawn_local(async move {
            if journal::may_exist().await {
                rooms.prepare();
            }
        });
        Sending { rooms, under_way }
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

    /// Whether a content is under way.
    pub fn is_under_way(self, key: &str) -> bool {
        self.under_way.with(|keys| keys.iter().any(|open| open == key))
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
