//! Overwriting with `useConcurrentLocks`, without intervals and with sub-tasks that partition dynamically: what is published
//! lies below everything that is there, and the task ends with SUCCESS (facts 7.1).
//!
//! The supervisor of such a run asks for the lock of an append, chunk by chunk as rows come, and an APPEND lock has the
//! oldest version there is: 1970-01-01. `TaskLocks.determineLockTypeForAppend`; found on a running 33.0.0.

use druid::ingest::overwrites_as_append;
use druid::json::{Edit, Path};

use super::interval_over_everything::extent;
use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::count;

pub(super) const NAME: &str = "overwrites-below";

pub(super) fn applies(seen: &Seen<'_>) -> bool {
    let context = &seen.question.task.context;
    seen.batch().is_some_and(|batch| overwrites_as_append(batch, context))
}

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|_| applies(seen)) else { return Vec::new() };
    let held = extent(seen).filter(|_| seen.knows_segments);
    let key = Path::keys(&["context", "useConcurrentLocks"]);
    let without = seen.document().get(&key).is_some().then_some(Edit::Remove(key));
    let name_all =
        held.and_then(|held| edits::fix("Name what is there", vec![edits::intervals(batch, &[held])]));
    let take_out = without.and_then(|edit| edits::fix("Take useConcurrentLocks out", vec![edit]));
    let hidden = seen.worst.map_or(0, |world| world.counts.born_hidden.most);
    let saw = Saw::new(NAME).number(hidden).text(&held.map(|held| held.short()).unwrap_or_default());
    let cause = "With useConcurrentLocks, without intervals and with sub-tasks that partition dynamically it publishes under \
                 version 1970-01-01T00:00:00.000Z, the one that appends begin with";
    let finding = if seen.knows_segments && held.is_none() {
        let why = format!(
            "{cause}. Nothing is there now, so it will be served; the next run of this kind would be hidden by this one."
        );
        Finding::warn(NAME, "Publishes under the oldest version there is", why)
    } else {
        let title = match hidden {
            0 | u64::MAX => "What it overwrites would stay on top of it".to_owned(),
            some => format!("{} would be hidden at birth by what they overwrite", count(some, "chunk")),
        };
        let why = format!(
            "{cause}: whatever is there hides it at birth, nothing is replaced, and the task ends with SUCCESS. Give intervals, \
             or take the lock setting out."
        );
        Finding::stop(NAME, title, why)
    };
    vec![finding.number(hidden).saw(&saw).fix(name_all).fix(take_out)]
}
