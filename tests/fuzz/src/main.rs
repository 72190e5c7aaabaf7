//! The readers of outside text under libFuzzer: the very functions that the tests give the kept cases to.
//!
//! One program for all of them; the variable `FUZZ_READER` names the one that is wanted.
#![no_main]

#[path = "../../../crates/backfill/tests/outside/readers/mod.rs"]
mod of_backfill;
#[path = "../../../crates/druid/tests/outside/readers/mod.rs"]
mod of_druid;

use std::sync::LazyLock;

static READER: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let wanted = std::env::var("FUZZ_READER").expect("FUZZ_READER names a reader");
    let mut known = of_druid::READERS.into_iter().chain(of_backfill::READERS);
    let found = known.find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("there is no reader {wanted}")).1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| READER(bytes));
