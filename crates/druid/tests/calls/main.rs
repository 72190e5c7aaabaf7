//! Calls to a Druid and its answers: the list, the readers, the classifier of submits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a panic is a failure

mod answers;
mod endpoints;
mod submits;
