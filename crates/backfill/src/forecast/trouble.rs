//! What Druid accepts at submission and then cannot run, or runs to an odd end (facts 3.2, 3.4, 3.6, 3.10, 4.4).
//!
//! The rules are `druid::ingest`'s; here each is turned into what it does to a forecast: which worlds there are.
//! What it does not do: refusals at submission (`druid::spec::refusals`) and append allocation (`append`).

use druid::ingest::{Condition, NO_ROWS_FOR_RANGE, empties_without_rows, troubles};
use druid::spec::Mode;

use super::frame::Frame;
use super::locking::resolved;

/// A known way to end otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// FAILED whatever the input.
    Always(String),
    /// FAILED as soon as one row is in range.
    WithRows(String),
    /// FAILED when no row is in range.
    WithoutRows(String),
    /// FAILED when one sub-task opens a second segment: rows that fill one, and the words.
    TwoSegmentsInOneSplit(u64, String),
    /// SUCCESS without a row in range publishes nothing at all, tombstones included; the errorMsg says this.
    EmptyPublishesNothing(String),
}

/// The first trouble that this run meets.
pub(super) fn trouble(frame: &Frame<'_>) -> Option<Trouble> {
    let batch = frame.batch;
    if let Err(words) = resolved(frame.q, batch.mode).kind {
        return Some(Trouble::Always(words));
    }
    if frame.carried.as_ref().is_some_and(|carried| !carried.is_ready) {
        let why = "its chunks reach beyond the locks that the compaction holds";
        return Some(Trouble::Always(why.to_owned()));
    }
    let locks = frame.effective.len() as u64;
    if let Some(most) = batch.max_allowed_lock_count.filter(|most| !frame.is_open() && locks > *most) {
        return Some(Trouble::Always(format!("Number of locks exceeded maxAllowedLockCount [{most}].")));
    }
    if let Some(first) = troubles(batch, &frame.q.task.context, frame.q.release).into_iter().next() {
        let words = format!("{} ({})", first.message, first.why);
        return Some(match first.when {
            Condition::Always => Trouble::Always(words),
            Condition::AnyRow => Trouble::WithRows(words),
            Condition::NoRow => Trouble::WithoutRows(words),
            Condition::SubTaskInTwoSegments { full } => Trouble::TwoSegmentsInOneSplit(full, words),
        });
    }
    let keeps_old = batch.mode == Mode::Replace && !empties_without_rows(batch, frame.q.release);
    keeps_old.then(|| Trouble::EmptyPublishesNothing(NO_ROWS_FOR_RANGE.to_owned()))
}
