//! What must be the same in a browser as natively, run in a real one: usize has 32 bits there, and the ids that a
//! browser sends must be those that the command line prints.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up should fail loudly")]

use backfill::task_id::{Version, task_id};
use druid::interval::Interval;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// The three ids of the idempotent-ingestion article's snippet; `sha1sum` says the same.
#[wasm_bindgen_test]
fn the_ids_of_the_article_are_the_same_in_the_browser() {
    let day = Interval::parse("2026-07-16T00:00:00Z/2026-07-17T00:00:00Z").unwrap();
    for (version, id) in [
        ("v1", "idx_events_web_28cbd6885a6a"),
        ("v2", "idx_events_web_61f9da8392af"),
        ("v3", "idx_events_web_f290698762e7"),
    ] {
        assert_eq!(task_id("events_web", &[day], &Version::typed(version).unwrap()).unwrap().id, id);
    }
}

/// Druid's Intervals.ETERNITY, as Joda prints it.
#[wasm_bindgen_test]
fn eternity_keeps_its_ends_where_usize_has_32_bits() {
    assert_eq!(
        Interval::ETERNITY.to_string(),
        "-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"
    );
    assert_eq!(Interval::parse(&Interval::ETERNITY.to_string()).unwrap(), Interval::ETERNITY);
}
