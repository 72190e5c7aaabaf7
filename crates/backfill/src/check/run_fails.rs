//! A run that is accepted and then fails or hangs (facts 3.2, 3.4, 3.8, 3.10).

use super::{Finding, Seen, arbitrary_append, id_stalls};
use crate::forecast::Outcome;

pub(super) const NAME: &str = "run-fails";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let worlds = &seen.forecast.worlds;
    if seen.mark().is_some()
        || worlds.is_empty()
        || worlds.iter().any(|world| world.outcome == Outcome::Refused)
    {
        return Vec::new();
    }
    let bad: Vec<_> =
        worlds.iter().filter(|world| !matches!(world.outcome, Outcome::Success | Outcome::Waits)).collect();
    // Told by name where the spec alone is to blame.
    let told = seen.batch().is_some_and(|batch| {
        druid::ingest::zone_trouble(batch).is_some() || arbitrary_append::applies(batch)
    });
    let by_name = |outcome: Outcome| match outcome {
        Outcome::Fails => told,
        Outcome::NeverStarts => id_stalls::applies(seen),
        _ => false,
    };
    if !bad.is_empty() && bad.iter().all(|world| by_name(world.outcome)) {
        return Vec::new();
    }
    let Some(first) = bad.first() else {
        return vec![Finding::pass(
            NAME,
            "Nothing known makes it fail",
            "No combination of partitioning, granularity, locks and existing segments that fails at run time was found.",
        )];
    };
    let certain = bad.len() == worlds.len();
    let verb = match (first.outcome, certain) {
        (Outcome::NeverStarts, _) => "The run will never start",
        (Outcome::Evicted, _) => "The run may lose its locks",
        (Outcome::Hangs, true) => "The run will never end",
        (Outcome::Hangs, false) => "The run may never end",
        (_, true) => "The run will fail",
        (_, false) => "The run may fail",
    };
    let title = match first.when.as_str() {
        "" => verb.to_owned(),
        when => format!("{verb}: {when}"),
    };
    let words = first.reason.as_deref().unwrap_or("no reason is known");
    let why = format!("It is accepted at submission, publishes nothing, and ends so: {words}");
    vec![if certain { Finding::stop(NAME, title, why) } else { Finding::warn(NAME, title, why) }]
}
