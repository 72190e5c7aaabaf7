//! A time zone that Druid does not know: accepted, and chunks are cut in UTC (facts 3.2).

use druid::granularity::Granularity;
use druid::json::{Edit, Path, quote};
use druid::zone::{Named, named};

use super::{Finding, Seen, edits};

pub(super) const NAME: &str = "unknown-zone";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch() else { return Vec::new() };
    let spec = &batch.granularity;
    let of = [
        ("segmentGranularity", &spec.segment, spec.segment_known),
        ("queryGranularity", &spec.query, spec.query_known),
    ];
    let mut found = Vec::new();
    for (key, granularity, known) in of {
        let path: Path = batch.path(&["dataSchema", "granularitySpec", key, "timeZone"]);
        let text = seen.document().get(&path).and_then(|node| node.as_str().map(|text| text.into_owned()));
        let (Some(text), Granularity::Period(period), true) = (text, granularity, known) else { continue };
        // Read as UTC although it is none of its names.
        if period.zone_name() != "UTC" || named(&text) == Named::Utc {
            continue;
        }
        let utc = edits::fix("Write UTC", vec![Edit::Set(path, quote("UTC"))]);
        let title = format!("Druid does not know the time zone {text}");
        let why = format!(
            "{key} names it, and Druid takes UTC without a word: chunks begin at midnight UTC. Zone names are spelled as in \
             the tz database, capitals included: Europe/Paris."
        );
        found.push(Finding::stop(NAME, title, why).fix(utc));
    }
    found
}
