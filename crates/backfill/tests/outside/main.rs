//! The kept cases of outside text that is read here, as in `druid`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failing test should stop at once"
)]

mod readers;
#[path = "../../../druid/tests/outside/replay.rs"]
mod replay;

#[test]
fn what_must_hold_of_outside_text_holds_of_every_kept_case_cut_and_many_times_over() {
    replay::all(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/outside/corpus").as_ref(), &readers::READERS);
}
