//! The plan as it was left: kept in this browser, without its secrets, and brought back at the next visit.
//!
//! What cannot be kept (private mode, quota) lasts as long as the page; nothing is said about it here, since nothing
//! is lost while the page is open.

use backfill::plan::Plan;
use leptos::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

const KEY: &str = "foreshadow.draft";
const PAUSE: Duration = Duration::from_millis(400);

/// The plan that was kept, if there is one that can be read.
pub(super) fn remembered() -> Option<Plan> {
    let text = window().local_storage().ok().flatten()?.get_item(KEY).ok().flatten()?;
    Plan::from_file(&text).ok()
}

/// Keeps the plan, a moment after the last change.
pub(super) fn remember(plan: &Plan) {
    thread_local! {
        static WAITING: RefCell<Option<TimeoutHandle>> = const { RefCell::new(None) };
    }
    let draft = plan.to_file();
    let write = move || {
        if let Ok(Some(store)) = window().local_storage() {
            let _ = store.set_item(KEY, &draft);
        }
    };
    WAITING.with_borrow_mut(|waiting| {
        if let Some(earlier) = waiting.take() {
            earlier.clear();
        }
        *waiting = set_timeout_with_handle(write, PAUSE).ok();
    });
}
