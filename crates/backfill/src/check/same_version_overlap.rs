//! One version on two overlapping intervals: Druid's own timeline refuses the set.
//!
//! Its Coordinator can then no longer read the datasource's segments, and every publish fails. Nothing can be
//! foreseen over such a set, so it is told in place of a forecast.

use druid::timeline::Illegal;

use super::Finding;
use crate::words::listed;

pub(super) const NAME: &str = "same-version-overlap";

/// The finding in place of a forecast.
pub fn same_version_overlap(illegal: &Illegal) -> Finding {
    let ids = listed(illegal.segments.iter().map(ToString::to_string), 4);
    Finding::stop(
        NAME,
        "Druid refuses the segments that are there",
        format!(
            "{} While both are used the Coordinator cannot read the datasource and every publish fails: mark one of them \
             unused first. They are {ids}.",
            illegal.reason.trim_end_matches('.').to_owned() + "."
        ),
    )
    .number(illegal.segments.len() as u64)
}
