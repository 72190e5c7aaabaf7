//! The plan as it was left: kept in this browser, without its secrets, and brought back at the next visit.
//!
//! What cannot be kept (private mode, quota) lasts as long as the page; nothing is said about it here, since nothing
//! is lost while the page is open.

use super::state::PlanPage;
use backfill::plan::Plan;
use leptos::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

const KEY: &str = "foreshadow.draft";
const PAUSE: Duration = Duration::from_millis(400);

/// Whether there is a plan that was kept.
pub(super) fn is_there() -> bool {
    kept().is_some()
}

fn kept() -> Option<String> {
    window().local_storage().ok().flatten()?.get_item(KEY).ok().flatten()
}

/// Opens the page on the plan that was kept, if it can be read.
pub(super) fn bring_back(page: PlanPage) {
    if let Some(plan) = kept().and_then(|text| Plan::from_file(&text).ok()) {
        page.plan.set(plan);
    }
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
