//! The changes that fixes are made of.

use druid::interval::Interval;
use druid::json::{Edit, quote};
use druid::spec::{Batch, Fix};

const IO: &str = "ioConfig";
const GRANULARITY: [&str; 2] = ["dataSchema", "granularitySpec"];

/// One fix of some edits.
pub(super) fn fix(label: &str, edits: Vec<Edit>) -> Option<Fix> {
    Some(Fix { label: label.to_owned(), edits })
}

/// `ioConfig.dropExisting`
pub(super) fn drop_existing(batch: &Batch, on: bool) -> Edit {
    Edit::Set(batch.path(&[IO, "dropExisting"]), on.to_string())
}

/// `ioConfig.appendToExisting`
pub(super) fn append_to_existing(batch: &Batch, on: bool) -> Edit {
    Edit::Set(batch.path(&[IO, "appendToExisting"]), on.to_string())
}

/// `granularitySpec.intervals`, in canonical text.
pub(super) fn intervals(batch: &Batch, intervals: &[Interval]) -> Edit {
    let texts: Vec<String> = intervals.iter().map(|interval| quote(&interval.short())).collect();
    let [schema, spec] = GRANULARITY;
    Edit::Set(batch.path(&[schema, spec, "intervals"]), format!("[{}]", texts.join(", ")))
}

/// `granularitySpec.segmentGranularity`, by name.
pub(super) fn segment_granularity(batch: &Batch, name: &str) -> Edit {
    let [schema, spec] = GRANULARITY;
    Edit::Set(batch.path(&[schema, spec, "segmentGranularity"]), quote(name))
}
