//! The gateway on real sockets, one binary: each subject is a module.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a panic is a failure
#![allow(unreachable_pub)] // the helpers are for all modules

mod limits;
mod own;
mod paths;
mod smuggling;
mod support;
mod upstream;
mod who;
