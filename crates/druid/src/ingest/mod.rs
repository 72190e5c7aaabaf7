//! What a task publishes: rules over (timeline, task, rows, locks, clock, release).
//!
//! What it does not do: read input, or know a clock.

mod allocate;
mod used;

pub use allocate::{APPEND_VERSION, Allocator, Ground, NoPlace, Place};
pub use used::used_and_visible;

use crate::interval::Instant;

/// The readable rows of an input: timestamps in the order they are read, by split. A sub-task reads one split; a source
/// that cannot be split is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Timestamps by split.
    pub splits: Vec<Vec<Instant>>,
}
