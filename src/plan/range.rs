//! Sentences under the fields: the range the run works on, the lock it takes, how it is split.

use super::{state::PlanPage, words};
use backfill::forecast::LockMoment;
use druid::spec::Batch;
use leptos::prelude::*;

/// What the typed intervals come to: "24 chunks, as typed", or by how much they are widened.
pub(super) fn range_note(page: PlanPage) -> String {
    page.drawn.with(|drawn| {
        let Some(forecast) = &drawn.forecast else { return String::new() };
        if forecast.typed.is_empty() {
            return "No interval: the run works on every chunk that a row falls into.".to_owned();
        }
        let chunks = if forecast.chunks == u64::MAX {
            "all chunks".to_owned()
        } else {
            words::several(forecast.chunks, "chunk")
        };
        let more: i64 =
            forecast.widened.iter().map(|interval| interval.duration_ms()).fold(0, i64::saturating_add);
        match (more, forecast.effective.as_slice()) {
            (0, _) => format!("{chunks}, just as typed."),
            (more, [only]) => {
                format!("Works on {}: {chunks}, {} more than typed.", words::span(*only), words::length(more))
            }
            (more, all) => {
                format!(
                    "Works on {} stretches: {chunks}, {} more than typed.",
                    all.len(),
                    words::length(more)
                )
            }
        }
    })
}

/// Which lock follows from mode and context, and who would have to wait.
pub(super) fn lock_note(page: PlanPage) -> String {
    page.drawn.with(|drawn| {
        let Some((forecast, lock)) = drawn.forecast.as_ref().and_then(|f| Some((f, f.lock.as_ref()?))) else {
            return "This task asks for no lock that is known here.".to_owned();
        };
        let when = match lock.moment {
            LockMoment::UpFront => "before it starts",
            LockMoment::AfterScan => "after a first look at the input",
            LockMoment::PerChunk => "chunk by chunk, as rows come",
        };
        let mut note = match &lock.kind {
            Ok(kind) => format!("Takes {} locks with priority {}, {when}.", kind.name(), lock.priority),
            Err(message) => format!("Fails before it asks for a lock: {message}"),
        };
        for more in lock
            .notes
            .iter()
            .map(|note| note.sentence())
            .chain(forecast.conflicts.iter().map(|c| c.why.clone()))
        {
            note.push(' ');
            note.push_str(&more);
        }
        note
    })
}

/// Whether the run is cut into sub-tasks, and why.
pub(super) fn parallel(batch: &Batch) -> String {
    if batch.is_parallel() {
        format!(
            "Runs in parallel: one slot for the task and up to {} for its sub-tasks.",
            batch.max_num_concurrent_sub_tasks
        )
    } else if !batch.input.splittable() {
        "Runs in one process: this source cannot be split.".to_owned()
    } else {
        "Runs in one process: fewer than two sub-tasks are allowed.".to_owned()
    }
}
