//! What a person says of the input: which chunks will get rows.
//!
//! It is kept in the plan as said. What follows from it for each chunk is the forecast's business, and so are the
//! rows of inline data: they are read from the document each time and never kept.

use druid::interval::{Instant, Interval};
use serde::{Deserialize, Serialize};

/// What is known of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Input {
    /// What holds where nothing is painted.
    #[serde(default)]
    pub basis: Basis,
    /// What was painted by hand, oldest first; of two strokes the later counts.
    #[serde(default)]
    pub painted: Vec<Stroke>,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: serde_json::Map<String, serde_json::Value>,
}

/// What holds where nothing is painted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Nobody said. Where the task carries its rows inline, they are read.
    #[default]
    Unknown,
    /// Every chunk gets rows.
    AllRows,
    /// No chunk gets rows.
    NoRows,
    /// The chunks that hold data now get rows, and no others.
    AsExisting,
    /// The timestamps of the rows, ms since 1970 UTC, in input order, one list a split.
    Rows(Vec<Vec<i64>>),
}

/// One stroke of the brush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stroke {
    /// Start, ms since 1970 UTC.
    pub start_ms: i64,
    /// End (exclusive), ms since 1970 UTC.
    pub end_ms: i64,
    /// What it says of the chunks it covers.
    pub says: Says,
}

/// What a stroke says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Says {
    /// They get rows.
    Rows,
    /// They get none.
    NoRows,
    /// It is not known.
    Unknown,
}

impl Stroke {
    /// A stroke over an interval.
    pub fn new(interval: Interval, says: Says) -> Stroke {
        Stroke { start_ms: interval.start.ms(), end_ms: interval.end.ms(), says }
    }

    /// The interval; None when a file says that it ends before it starts.
    pub fn interval(&self) -> Option<Interval> {
        Interval::new(Instant::from_ms(self.start_ms), Instant::from_ms(self.end_ms))
    }
}
