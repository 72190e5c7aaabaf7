//! The kept cases of outside text, each through its reader: what a person once pasted, what the fuzzer once found, and what
//! is meant to exhaust a machine. `cargo xtask fuzz` makes up more of them.
//!
//! A case is a file in `corpus/READER/`. Its name says what is odd about it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failing test should stop at once"
)]

mod readers;
mod replay;

#[test]
fn what_must_hold_of_outside_text_holds_of_every_kept_case_cut_and_many_times_over() {
    replay::all(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/outside/corpus").as_ref(), &readers::READERS);
}
