//! `granularitySpec` of type `arbitrary` with an append: accepted, and fails with the first row in range (facts 3.2).

use druid::json::{Edit, quote};
use druid::spec::{Batch, Mode};

use super::{Finding, Seen, edits};

pub(super) const NAME: &str = "arbitrary-append";

/// Whether this rule tells of the batch.
pub(super) fn applies(batch: &Batch) -> bool {
    !batch.granularity.uniform && batch.mode == Mode::Append
}

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| applies(batch)) else { return Vec::new() };
    let kind = batch.path(&["dataSchema", "granularitySpec", "type"]);
    let uniform = edits::fix("Cut time into chunks", vec![Edit::Set(kind, quote("uniform"))]);
    let finding = Finding::stop(
        NAME,
        "An append cannot have arbitrary chunks",
        "An append asks for the segment granularity, and a granularitySpec of type arbitrary has none: with the first row \
         in range the task fails with java.lang.UnsupportedOperationException.",
    );
    vec![finding.fix(uniform)]
}
