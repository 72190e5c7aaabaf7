//! A part of the console that is loaded when it is first needed, so that a first visit loads only what it shows.
//!
//! What always holds: a part is fetched once; while it comes, and where it cannot, the page says so in its place and
//! goes on working; a failed fetch can be tried again. A part is entered by functions handed out when it is there:
//! what only they call is in the part's own wasm module (`xtask/src/console/wasm.rs` takes it out of the main one).

use crate::kit::{Banner, Button, Spinner, Tone};
use leptos::prelude::*;
use std::{future::Future, pin::Pin};

/// A fetch under way; nothing where the server did not give the part.
pub type Fetch<T> = Pin<Box<dyn Future<Output = Option<T>>>>;

/// What is said where a part does not come.
pub const NOT_LOADED: &str = "A part of the console could not be loaded. The server may have been updated or stopped: \
    what you typed is kept in this browser, so reload the page; if it stays, start the server again.";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Wanted,
    Coming,
    Here,
    Failed,
}

/// A part whose doors are `T`. Copies are handles to the same part.
pub struct Part<T: 'static> {
    stage: RwSignal<Stage>,
    doors: StoredValue<Option<T>, LocalStorage>,
    fetch: StoredValue<Box<dyn Fn() -> Fetch<T>>, LocalStorage>,
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Part<T> {}

impl<T: Copy + 'static> Part<T> {
    /// A part that nobody has asked for yet.
    pub fn new(fetch: impl Fn() -> Fetch<T> + 'static) -> Self {
        Part {
            stage: RwSignal::new(Stage::Wanted),
            doors: StoredValue::new_local(None),
            fetch: StoredValue::new_local(Box::new(fetch)),
        }
    }

    /// Fetches the part, if it is not here or coming, and does something with it; without it where it does not come.
    pub fn then(self, go: impl FnOnce(Option<T>) + 'static) {
        if let Some(doors) = self.doors.get_value() {
            return go(Some(doors));
        }
        self.stage.set(Stage::Coming);
        let fetch = self.fetch.with_value(|fetch| fetch());
        leptos::task::spawn_local(async move {
            let came = fetch.await;
            // Where two asked at once, what came first stays.
            let doors = self.doors.get_value().or(came);
            self.doors.set_value(doors);
            self.stage.set(if doors.is_some() { Stage::Here } else { Stage::Failed });
            go(doors);
        });
    }

    /// What the part shows; until it is here, that it comes, and why not.
    pub fn view(self, show: impl Fn(T) -> AnyView + Send + 'static) -> AnyView {
        if self.stage.get_untracked() == Stage::Wanted {
            self.then(|_| ());
        }
        let again = move |()| self.then(|_| ());
        (move || match (self.stage.get(), self.doors.get_value()) {
            (Stage::Here, Some(doors)) => show(doors),
            (Stage::Failed, _) => view! {
                <Banner tone=Tone::Stop actions=move || view! { <Button press=again>"Try again"</Button> }>{NOT_LOADED}</Banner>
            }
            .into_any(),
            _ => view! { <p class="row muted"><Spinner label="Loading" /> "Loading …"</p> }.into_any(),
        })
        .into_any()
    }
}
