//! The task id of a backfill: the same work always gets the same id, so that the Overlord refuses the second copy.
//!
//! An id is `idx_{datasource}_{first 12 hex digits of SHA-1("{datasource}:{interval}:{version}")}`, the formula of
//! the reference snippet in the idempotent-ingestion article, with the interval in one canonical text first: two
//! spellings of one interval cannot give two ids.
//!
//! What always holds:
//! - `printf '%s' "$hashed" | sha1sum` gives the same digits as [`TaskId::digest`].
//! - The hashed text is unambiguous: the id carries the datasource in clear, a canonical interval text ends in `Z` or
//!   is `all`, and what follows its colon is the version.
//! - An id that Druid refuses, or that would stall the cluster, is an [`IdError`] with its remedy and never an id.
//!
//! What it does not do: remember which content an id was made from. That is the ledger's work.

mod rules;
mod version;

pub use rules::{IdError, IdField};
pub use version::{Version, VersionError};

use druid::id::{validate_datasource, validate_id};
use druid::interval::{Interval, condense};
use sha1::{Digest, Sha1};

/// A deterministic task id together with everything that went into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskId {
    /// The id to send: `idx_events_web_f290698762e7`.
    pub id: String,
    /// The text whose SHA-1 gave the last 12 digits: `events_web:2026-07-16T00:00:00Z/2026-07-17T00:00:00Z:v3`.
    pub hashed: String,
    /// All 40 hexadecimal digits of that SHA-1.
    pub digest: String,
    /// The parts of `hashed`.
    pub parts: Parts,
}

/// What an id was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The datasource as the spec names it.
    pub datasource: String,
    /// The canonical interval text, see [`canonical_interval`].
    pub interval: String,
    /// The version with its attempt suffix, as hashed: `v3`, `v3.2`, `c-0123456789ab`.
    pub version: String,
}

/// One text for one set of intervals, however they were typed.
///
/// UTC, milliseconds only where they are not zero; several intervals condensed (sorted, overlapping and abutting ones
/// merged, as Druid does before it makes time chunks) and joined by `,`; `all` when there are none.
pub fn canonical_interval(intervals: &[Interval]) -> String {
    let condensed = condense(intervals.iter().copied());
    if condensed.is_empty() {
        return "all".to_owned();
    }
    condensed.iter().map(|interval| interval.short()).collect::<Vec<_>>().join(",")
}

/// The id of one backfill.
///
/// # Errors
/// The datasource or the finished id breaks a rule of Druid, or is too long to run; see [`IdError`].
pub fn task_id(datasource: &str, intervals: &[Interval], version: &Version) -> Result<TaskId, IdError> {
    validate_datasource(datasource).map_err(|trouble| IdError {
        field: IdField::Datasource,
        value: datasource.to_owned(),
        trouble,
    })?;
    let parts = Parts {
        datasource: datasource.to_owned(),
        interval: canonical_interval(intervals),
        version: version.text(),
    };
    let hashed = format!("{}:{}:{}", parts.datasource, parts.interval, parts.version);
    let digest = sha1_hex(hashed.as_bytes());
    let id = format!("idx_{datasource}_{}", digest.get(..12).unwrap_or(&digest));
    if let Err(trouble) = validate_id(&id) {
        return Err(IdError { field: IdField::TaskId, value: id, trouble });
    }
    Ok(TaskId { id, hashed, digest, parts })
}

/// 40 lower-case hexadecimal digits of the SHA-1 of `bytes`.
pub(crate) fn sha1_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(40);
    for byte in Sha1::digest(bytes) {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot set itself up should fail loudly
mod tests {
    use super::*;

    fn intervals(texts: &[&str]) -> Vec<Interval> {
        texts.iter().map(|text| Interval::parse(text).unwrap()).collect()
    }

    fn id(interval: &str, version: &str) -> String {
        task_id("events_web", &intervals(&[interval]), &Version::typed(version).unwrap()).unwrap().id
    }

    #[test]
    fn the_articles_example_gives_the_articles_ids() {
        let day = "2026-07-16T00:00:00Z/2026-07-17T00:00:00Z";
        assert_eq!(id(day, "v1"), "idx_events_web_28cbd6885a6a");
        assert_eq!(id(day, "v2"), "idx_events_web_61f9da8392af");
        assert_eq!(id(day, "v3"), "idx_events_web_f290698762e7");
    }

    #[test]
    fn every_spelling_of_an_interval_gives_one_id() {
        for spelling in [
            "2026-07-16/2026-07-17",
            "2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z",
            "2026-07-16T00:00Z/P1D",
            "P1D/2026-07-17",
            "2026-07-16T02:00:00+02:00/2026-07-17T02:00:00+02:00",
        ] {
            assert_eq!(id(spelling, "v3"), "idx_events_web_f290698762e7", "{spelling}");
        }
    }

    #[test]
    fn what_was_hashed_is_shown_whole() {
        let made =
            task_id("events_web", &intervals(&["2026-07-16/P1D"]), &Version::typed("v3").unwrap()).unwrap();
        assert_eq!(made.hashed, "events_web:2026-07-16T00:00:00Z/2026-07-17T00:00:00Z:v3");
        // As sha1sum prints it for that text.
        assert_eq!(made.digest, "f290698762e74e91a4b4765cecbe49f601a8681c");
        assert_eq!(made.parts.interval, "2026-07-16T00:00:00Z/2026-07-17T00:00:00Z");
    }

    #[test]
    fn abutting_and_overlapping_intervals_are_one_and_separate_ones_are_joined_in_order() {
        let text = canonical_interval(&intervals(&[
            "2026-07-18/2026-07-19",
            "2026-07-17/2026-07-18",
            "2026-07-16T00:00/2026-07-16T12:00:00.001Z",
        ]));
        assert_eq!(
            text,
            "2026-07-16T00:00:00Z/2026-07-16T12:00:00.001Z,2026-07-17T00:00:00Z/2026-07-19T00:00:00Z"
        );
        assert_eq!(canonical_interval(&[]), "all");
    }

    #[test]
    fn a_second_attempt_is_other_work_to_the_overlord() {
        let first = Version::typed("v3").unwrap();
        let second = first.next_attempt();
        let day = intervals(&["2026-07-16/P1D"]);
        let made = task_id("events_web", &day, &second).unwrap();
        assert_eq!(made.hashed, "events_web:2026-07-16T00:00:00Z/2026-07-17T00:00:00Z:v3.2");
        assert_ne!(made.id, task_id("events_web", &day, &first).unwrap().id);
    }

    #[test]
    fn names_that_druid_would_refuse_are_refused_here_with_the_field_named() {
        let version = Version::typed("v1").unwrap();
        let error = task_id("a/b \"c\"", &[], &version).unwrap_err();
        assert_eq!(error.field, IdField::Datasource);
        assert_eq!(
            error.server_words().unwrap(),
            "Invalid value for field [dataSource]: Value [a/b \"c\"] cannot contain '/'."
        );
        assert_eq!(task_id("", &[], &version).unwrap_err().field, IdField::Datasource);
        assert!(task_id("ünï ?#%", &[], &version).is_ok());
    }

    #[test]
    fn an_id_that_would_stall_the_cluster_is_refused_though_the_server_takes_it() {
        let version = Version::typed("v1").unwrap();
        let long = "d".repeat(201);
        let error = task_id(&long, &[], &version).unwrap_err();
        assert_eq!((error.field, error.server_words()), (IdField::TaskId, None));
        assert!(error.remedy().contains("by 1 bytes"));
        assert!(task_id(&long[1..], &[], &version).is_ok(), "4 + 200 + 1 + 12 = 217 bytes still run");
    }
}
