//! A part of the console that is loaded when it is first needed, so that a first visit loads only what it shows.
//!
//! What always holds: a part is fetched once, however many ask for it while it comes; while it comes, and where it
//! cannot, the page says so in its place and goes on working; a failed fetch can be tried again. A part is entered by
//! functions handed out when it is there: what only they call is in the part's own wasm module
//! (`xtask/src/console/wasm.rs` takes it out of the main one).

use crate::kit::{Banner, Button, Spinner, Tone};
use leptos::prelude::*;
use std::{future::Future, pin::Pin};

/// A fetch under way; nothing where the server did not give the part.
pub type Fetch<T> = Pin<Box<dyn Future<Output = Option<T>>>>;

/// What is said where a part does not come. What was typed may not be kept then: whoever typed says so (`plan::draft`).
pub const NOT_LOADED: &str = "A part of the console could not be loaded. The server may have been stopped or updated: \
    start it again where it was stopped, and try again; where it was updated, reload the page.";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Wanted,
    Coming,
    Here,
    Failed,
}

/// What is done once it is known whether the part came.
type Go<T> = Box<dyn FnOnce(Option<T>)>;

/// A part whose doors are `T`. Copies are handles to the same part.
pub struct Part<T: 'static> {
    stage: RwSignal<Stage>,
    doors: StoredValue<Option<T>, LocalStorage>,
    fetch: StoredValue<Box<dyn Fn() -> Fetch<T>>, LocalStorage>,
    /// Those who asked while it comes, in the order in which they did.
    waiting: StoredValue<Vec<Go<T>>, LocalStorage>,
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
            waiting: StoredValue::new_local(Vec::new()),
        }
    }

    /// Does something with the part: at once where it is here, else when it has come; without it where it does not
    /// come. Where it failed before, it is tried again.
    pub fn then(self, go: impl FnOnce(Option<T>) + 'static) {
        if let Some(doors) = self.doors.get_value() {
            return go(Some(doors));
        }
        self.waiting.update_value(|waiting| waiting.push(Box::new(go)));
        if self.stage.get_untracked() == Stage::Coming {
            return;
        }
        self.stage.set(Stage::Coming);
        let fetch = self.fetch.with_value(|fetch| fetch());
        leptos::task::spawn_local(async move {
            let came = fetch.await;
            self.doors.set_value(came);
            self.stage.set(if came.is_some() { Stage::Here } else { Stage::Failed });
            let waiting = self.waiting.try_update_value(std::mem::take).unwrap_or_default();
            waiting.into_iter().for_each(|go| go(came));
        });
    }

    /// Fetches the part if nobody has asked for it yet.
    pub fn prepare(self) {
        if self.stage.get_untracked() == Stage::Wanted {
            self.then(|_| ());
        }
    }

    /// The part where it is here, without asking for it.
    pub fn now(self) -> Option<T> {
        self.doors.get_value()
    }

    /// The same, and whoever looks looks again when it comes.
    pub fn here(self) -> Option<T> {
        self.stage.track();
        self.now()
    }

    /// What the part shows; until it is here, that it comes, and why not.
    pub fn view(self, show: impl Fn(T) -> AnyView + Send + 'static) -> AnyView {
        self.prepare();
        let again = move |()| self.then(|_| ());
        (move || match (self.stage.get(), self.now()) {
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

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use futures::channel::oneshot;
    use std::{cell::RefCell, rc::Rc};
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_browser);

    /// Who asked, and what came.
    type Told = Vec<(&'static str, Option<u8>)>;

    /// A part whose fetches end when the test says so, and what those who asked were told, in order.
    struct Ordered {
        part: Part<u8>,
        fetches: Rc<RefCell<Vec<oneshot::Sender<Option<u8>>>>>,
        told: Rc<RefCell<Told>>,
    }

    impl Ordered {
        fn new() -> Ordered {
            // Tasks run once something is mounted.
            mount_to_body(|| ());
            let fetches = Rc::new(RefCell::new(Vec::new()));
            let counted = fetches.clone();
            let part = Part::new(move || {
                let (end, ended) = oneshot::channel();
                counted.borrow_mut().push(end);
                Box::pin(async move { ended.await.ok().flatten() })
            });
            Ordered { part, fetches, told: Rc::default() }
        }

        fn ask(&self, who: &'static str) {
            let told = self.told.clone();
            self.part.then(move |came| told.borrow_mut().push((who, came)));
        }

        async fn end(&self, came: Option<u8>) {
            let last = self.fetches.borrow_mut().pop();
            assert!(last.is_some_and(|end| end.send(came).is_ok()), "a fetch is under way");
            leptos::task::tick().await;
        }

        fn told(&self) -> Told {
            self.told.take()
        }
    }

    #[wasm_bindgen_test]
    async fn a_part_that_many_ask_for_is_fetched_once_and_all_are_told_in_order() {
        let owner = Owner::new();
        owner.set();
        let it = Ordered::new();
        it.ask("first");
        it.ask("second");
        it.part.prepare();
        assert_eq!(it.fetches.borrow().len(), 1);
        assert_eq!((it.told(), it.part.now()), (vec![], None));
        it.end(Some(7)).await;
        assert_eq!(it.told(), [("first", Some(7)), ("second", Some(7))]);
        it.ask("third");
        assert_eq!((it.told(), it.part.now()), (vec![("third", Some(7))], Some(7)));
        assert_eq!(it.fetches.borrow().len(), 0);
    }

    #[wasm_bindgen_test]
    async fn where_a_part_does_not_come_all_are_told_and_the_next_who_asks_tries_again() {
        let owner = Owner::new();
        owner.set();
        let it = Ordered::new();
        it.ask("first");
        it.ask("second");
        it.end(None).await;
        assert_eq!(it.told(), [("first", None), ("second", None)]);
        it.part.prepare();
        assert_eq!(it.fetches.borrow().len(), 0, "only who wants it tries again");
        it.ask("third");
        it.ask("fourth");
        assert_eq!(it.fetches.borrow().len(), 1);
        it.end(Some(1)).await;
        assert_eq!(it.told(), [("third", Some(1)), ("fourth", Some(1))]);
    }
}
