//! After a run: did it come out as foreseen? Chunk by chunk, in words.
//!
//! [`Expected`] is what a forecast promised, as plain values that can lie in a journal while the task runs (the tab
//! may be closed meanwhile); [`Seen`] is what is there now; [`compare`] says for each stretch of time whether it is
//! as foreseen, superseded by something later, or different, and which of several worlds came about.
//!
//! Always true: nothing outside the range the run works on is judged; a holder that was covered by a later version is
//! never called missing (facts §8: a compaction may rewrite a chunk a moment after it was published); where one of
//! several results was foreseen, any of them is as foreseen, and the audit says which it was.
//!
//! Not here: whether the segments are loaded and served, and row counts.

mod compare;
mod of_forecast;
mod words;

pub use compare::compare;

use druid::interval::Interval;
use serde::{Deserialize, Serialize};

/// More chunks than this are not compared one by one.
pub const MOST_CHUNKS: usize = 20_000;

/// What a forecast promised.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expected {
    /// The range the run works on, ms since 1970 UTC, in order and apart. Only there is anything compared.
    pub range: Vec<(i64, i64)>,
    /// Every holder that was there before and overlaps the range, hidden ones too.
    pub before: Vec<Holder>,
    /// The ways it could go; the first that fits best is the one that came about.
    pub worlds: Vec<World>,
}

/// One way it could go.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct World {
    /// Under which condition, in words; empty when it is the only one.
    pub when: String,
    /// What is served, in order of time, as far as it is certain.
    pub visible: Vec<Piece>,
    /// Stretches with several possible results, in order of time and apart; there `visible` does not count.
    pub either: Vec<Either>,
}

/// A stretch with several possible results.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Either {
    /// Start, ms since 1970 UTC.
    pub start_ms: i64,
    /// End (exclusive).
    pub end_ms: i64,
    /// What may be served in it.
    pub alternatives: Vec<Vec<Piece>>,
    /// Nobody can count the chunks that may come here (no intervals were given): anything new is as foreseen.
    #[serde(default)]
    pub anything_new: bool,
}

/// A stretch in which one holder is to be served.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// Start, ms since 1970 UTC.
    pub start_ms: i64,
    /// End (exclusive).
    pub end_ms: i64,
    /// Start of the holder's own interval.
    pub true_start_ms: i64,
    /// End of the holder's own interval.
    pub true_end_ms: i64,
    /// The version of a holder that was there before; None for one the run makes.
    pub version: Option<String>,
    /// Whether it is a tombstone.
    pub tombstone: bool,
    /// Whether it gets more partitions than it had.
    pub appended: bool,
}

/// All segments of one interval and version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Holder {
    /// Start, ms since 1970 UTC.
    pub start_ms: i64,
    /// End (exclusive).
    pub end_ms: i64,
    /// Its version.
    pub version: String,
    /// Whether it is a tombstone.
    pub tombstone: bool,
    /// How many partitions it has.
    pub partitions: u32,
}

/// What is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Every used holder, hidden ones too.
    pub holders: Vec<Holder>,
    /// What is served: a stretch and the index of its holder, in order of time.
    pub visible: Vec<(i64, i64, usize)>,
}

/// The result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// Which of the expected worlds came about (index, and its condition in words).
    pub world: (usize, String),
    /// Every stretch of the range, in order of time.
    pub lines: Vec<Line>,
}

/// What became of one stretch of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The stretch.
    pub interval: Interval,
    /// As foreseen, or what else.
    pub verdict: Verdict,
    /// One sentence.
    pub words: String,
}

/// Whether a stretch came out as foreseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// As foreseen.
    AsForeseen,
    /// The run did what was foreseen, and something later covers it.
    Superseded,
    /// Not as foreseen.
    Different(Kind),
}

/// How a stretch differs from what was foreseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The run was to make something here and did not.
    Missing,
    /// Something new is here that was not foreseen.
    Extra,
    /// Data instead of a tombstone, or a tombstone instead of data.
    OtherKind,
    /// Something new is here, over another stretch of time than foreseen.
    OtherExtent,
    /// Rows were to be added and were not.
    NotAdded,
    /// Segments were added, or taken, that nobody foresaw.
    OtherPartitions,
    /// What was served before is no longer.
    Gone,
    /// Something served here was not served before and is not new.
    Back,
}
