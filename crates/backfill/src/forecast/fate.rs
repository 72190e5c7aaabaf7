//! What becomes of time chunks and of what lies under them, each with its reason as a value.
//!
//! What always holds: a [`Fate`] speaks of one or more whole chunks that meet the same things; a kind with an "or" in
//! its name is one where the input decides, and both sides can happen. [`Fate::sentence`] says the reason in Druid's
//! words and is made from the same values the picture is drawn from.
//!
//! What it does not do: decide a fate. That is `overwrite` and `append`.

use std::ops::Range;
use std::sync::Arc;

use druid::interval::Interval;
use druid::timeline::HolderId;

/// What happens to a run of whole time chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct Fate {
    /// From the start of the first chunk to the end of the last. For an append it is the interval the rows go to.
    pub interval: Interval,
    /// How many chunks; `u64::MAX` where no intervals were given and nobody can count them.
    pub chunks: u64,
    /// What happens.
    pub kind: FateKind,
    /// Why.
    pub why: Reason,
    /// Whether what is new here will be served.
    pub born: Born,
    /// The old pieces under it, as a range of [`World::old`](super::World::old).
    pub over: Range<u32>,
}

/// What happens to a time chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FateKind {
    /// New segments, complete, in a new version.
    New,
    /// One tombstone: the chunk is emptied.
    Tombstone,
    /// What is there stays as it is.
    Kept,
    /// Nothing is there and nothing comes.
    Nothing,
    /// More partitions in the version that is there.
    Appended,
    /// New where the input has a row, a tombstone where it has none.
    NewOrTombstone,
    /// New where the input has a row, as it is where it has none.
    NewOrKept,
    /// New where the input has a row, nothing where it has none.
    NewOrNothing,
    /// More partitions where the input has a row, as it is where it has none.
    AppendedOrKept,
    /// What lay hidden, or was unused, is served.
    Back,
    /// What was served is no longer, and nothing comes in its place.
    Gone,
    /// What is there stays, with fewer partitions.
    Thinned,
    /// Which intervals the rows go to depends on which rows come and in which order; the results that can be are
    /// listed in [`World::either`](super::World::either).
    Mixed,
}

impl FateKind {
    /// Whether the input no longer matters.
    pub fn is_certain(self) -> bool {
        self.may() == self.must()
    }

    /// What a chunk of this kind can turn out to be.
    pub fn may(self) -> &'static [FateKind] {
        use FateKind::{Appended, Kept, New, Nothing, Tombstone};
        match self {
            New => &[New],
            Tombstone => &[Tombstone],
            Kept => &[Kept],
            Nothing => &[Nothing],
            Appended => &[Appended],
            FateKind::Back => &[FateKind::Back],
            FateKind::Gone => &[FateKind::Gone],
            FateKind::Thinned => &[FateKind::Thinned],
            FateKind::NewOrTombstone => &[New, Tombstone],
            FateKind::NewOrKept => &[New, Kept],
            FateKind::NewOrNothing => &[New, Nothing],
            FateKind::AppendedOrKept => &[Appended, Kept],
            FateKind::Mixed => &[New, Appended, Kept],
        }
    }

    /// What it is for certain: itself, or nothing at all.
    fn must(self) -> &'static [FateKind] {
        match self.may() {
            only @ [_] => only,
            _ => &[],
        }
    }
}

/// Whether what a run publishes in a chunk is served once loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Born {
    /// All of it.
    Served,
    /// Existing versions are newer than the server's clock over a part of it.
    PartlyHidden,
    /// Existing versions newer than the server's clock cover it: overshadowed at birth.
    Hidden,
}

/// Why a chunk has its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// At least one row falls into the chunk (facts 3.4).
    RowsHere {
        /// How many, where they were read.
        rows: Option<u64>,
    },
    /// No row, `dropExisting`, and a visible segment is there (facts 3.5).
    EmptyOverData,
    /// No row, `dropExisting`, and a segment that overlaps the intervals reaches into the chunk, though the rows in it
    /// are another segment's.
    EmptyOverReach,
    /// No row, `dropExisting`, and an older tombstone is there: it counts as existing data.
    EmptyOverTombstone,
    /// No row, and without `dropExisting` a chunk without rows is left alone (facts 3.1).
    EmptyStays,
    /// No row, and nothing that overlaps the intervals was ever here.
    NeverHeld,
    /// Nobody said whether a row falls here.
    InputUnknown {
        /// Whether a chunk without rows gets a tombstone or stays.
        drops: bool,
    },
    /// No intervals were given: every chunk that a row falls into is published anew.
    AnyChunk,
    /// Rows are added to the version that is there (facts 3.8).
    Joins {
        /// How many, where they were read.
        rows: Option<u64>,
        /// Whether the interval the rows go to is wider than the spec's chunk.
        coarser: bool,
        /// Whether a tombstone is all that is there.
        tombstone: bool,
    },
    /// Nothing visible is there: the first partition of a version of its own.
    Starts {
        /// How many rows, where they were read.
        rows: Option<u64>,
        /// Whether existing segments push the rows to a finer granularity than the spec's.
        finer: bool,
    },
    /// Several intervals are possible; see the alternatives.
    DependsOnRows,
    /// No row is appended here.
    NoRowAppended,
    /// A row here would make the run fail or hang, so in a world that ends well there is none.
    NoPlaceHere,
    /// Somebody holds the lock here, and the run asks too late to wait: in a world that ends well no row is here.
    ShutOut,
    /// Rows are appended under the id of an unused segment: lost, with SUCCESS (33 and before).
    RowsLost {
        /// How many, where they were read.
        rows: Option<u64>,
    },
    /// The run publishes nothing.
    NothingPublished,
    /// What lay on top is marked unused (facts 2.6).
    Uncovered {
        /// The version that lies under it.
        version: Arc<str>,
        /// Whether that is a tombstone.
        tombstone: bool,
        /// How what is served now goes.
        how: TakenAway,
    },
    /// What is served is marked unused, and nothing used lies under it.
    NothingUnder {
        /// How what is served now goes.
        how: TakenAway,
    },
    /// Some partitions of what is served are marked unused.
    PartitionsGone {
        /// Their version.
        version: Arc<str>,
    },
    /// What was unused is marked used and lies on top.
    MarkedUsed {
        /// Its version.
        version: Arc<str>,
        /// Whether it is a tombstone.
        tombstone: bool,
        /// The version whose rows it overshadows, if there are any.
        over: Option<Arc<str>>,
    },
    /// Further partitions of what is served are marked used.
    PartitionsBack {
        /// Their version.
        version: Arc<str>,
    },
    /// What is marked here lies under a newer version, or in a set that is not complete.
    MarkedUnseen,
    /// No segment here is marked.
    NotMarked,
    /// Another task may append here while the run works: its rows are copied into the run's version (37 and later).
    AppendedMeanwhile,
}

impl Reason {
    /// The rule behind it, by the place in Druid that it comes from.
    pub fn rule(&self) -> &'static str {
        match self {
            Reason::RowsHere { .. } | Reason::InputUnknown { .. } | Reason::AnyChunk => {
                "SegmentTransactionalInsertAction"
            }
            Reason::EmptyOverData | Reason::EmptyOverReach | Reason::EmptyOverTombstone => {
                "TombstoneHelper.computeTombstoneIntervals"
            }
            Reason::EmptyStays | Reason::NeverHeld | Reason::NothingPublished => "AbstractTask.IngestionMode",
            Reason::Joins { .. }
            | Reason::Starts { .. }
            | Reason::DependsOnRows
            | Reason::NoRowAppended
            | Reason::NoPlaceHere => "SegmentAllocateAction",
            Reason::ShutOut => "TaskLockbox",
            Reason::RowsLost { .. } => "PendingSegmentRecord",
            Reason::Uncovered { .. }
            | Reason::NothingUnder { .. }
            | Reason::PartitionsGone { .. }
            | Reason::MarkedUsed { .. }
            | Reason::PartitionsBack { .. }
            | Reason::MarkedUnseen
            | Reason::NotMarked => "SqlSegmentsMetadataQuery",
            Reason::AppendedMeanwhile => "SegmentTransactionalReplaceAction",
        }
    }
}

/// How what is served goes when segments are marked unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TakenAway {
    /// It is marked.
    Marked,
    /// Core partitions of it are marked, and what is left serves nothing.
    Broken,
    /// It is not marked: since 37 the Overlord's cache drops what sticks out of the interval.
    FromCache,
}

impl TakenAway {
    fn words(self) -> &'static str {
        match self {
            TakenAway::Marked => "What is served here is marked unused",
            TakenAway::Broken => {
                "A core partition of what is served here is marked unused, so the rest of its set serves nothing"
            }
            TakenAway::FromCache => {
                "What is served here sticks out of the interval: it stays used in the metadata store, and yet the Overlord's \
                 cache drops it until the service starts anew"
            }
        }
    }
}

impl Fate {
    /// The reason as one sentence in Druid's words.
    pub fn sentence(&self) -> String {
        let chunk = if self.chunks == 1 { "chunk" } else { "chunks" };
        let rows = |rows: &Option<u64>| match rows {
            Some(1) => "1 row falls".to_owned(),
            Some(rows) => format!("{rows} rows fall"),
            None => "At least one row falls".to_owned(),
        };
        let mut text = match &self.why {
            Reason::RowsHere { rows: count } => format!(
                "{} here, so the {chunk} will be published anew in one new version, which overshadows every older version \
                 under it, whole.",
                rows(count)
            ),
            Reason::EmptyOverData => format!(
                "No row falls here and dropExisting is true: a tombstone over the whole {chunk} overshadows the segments \
                 there now."
            ),
            Reason::EmptyOverReach => format!(
                "No row falls here and dropExisting is true: a segment that overlaps the intervals reaches into the \
                 {chunk}, so a tombstone covers all of it."
            ),
            Reason::EmptyOverTombstone => format!(
                "No row falls here and dropExisting is true: the old tombstone counts as existing data, so a new one \
                 goes over the {chunk}."
            ),
            Reason::EmptyStays => {
                format!("No row falls here, and without dropExisting a {chunk} without rows keeps what it has.")
            }
            Reason::NeverHeld => format!("No row falls here and nothing was here before: the {chunk} stays empty."),
            Reason::InputUnknown { drops: true } => format!(
                "Whether a row falls here is not known: with one the {chunk} is published anew, without one a tombstone \
                 covers what is there."
            ),
            Reason::InputUnknown { drops: false } => format!(
                "Whether a row falls here is not known: with one the {chunk} is published anew, without one nothing \
                 changes."
            ),
            Reason::AnyChunk => {
                "No intervals are given: every chunk that a row falls into is published anew, wherever it lies."
                    .to_owned()
            }
            Reason::Joins { rows: count, coarser, tombstone } => {
                let place = match (tombstone, coarser) {
                    (true, _) => "a tombstone is there, and the rows become partitions beside it in its version",
                    (false, true) => {
                        "a segment of a coarser chunk covers it, so the rows become further partitions of that one"
                    }
                    (false, false) => "they become further partitions of the version that is there",
                };
                let counted = if *tombstone { "" } else { " Rows that are there already are counted twice." };
                format!("{} here: {place}.{counted}", rows(count))
            }
            Reason::Starts { rows: count, finer: false } => {
                format!("{} here and nothing is served here now: they start a version of their own.", rows(count))
            }
            Reason::Starts { rows: count, finer: true } => format!(
                "{} here. The spec's own chunk overlaps existing segments, so they go to the longest finer chunk that \
                 overlaps none.",
                rows(count)
            ),
            Reason::DependsOnRows => {
                "Which chunks the rows go to depends on which rows come: existing segments divide the spec's chunk."
                    .to_owned()
            }
            Reason::NoRowAppended => format!("No row is appended here, so the {chunk} keeps what it has."),
            Reason::NoPlaceHere => {
                "A row here would find no place beside the segments that are there, and the whole run would fail."
                    .to_owned()
            }
            Reason::ShutOut => {
                "Another task holds the lock here. Without intervals this run asks too late to wait: with a row here it would \
                 fail."
                    .to_owned()
            }
            Reason::RowsLost { rows: count } => format!(
                "{} here, and an unused segment has the very id that they get: they are marked unused at once, and the task \
                 ends with SUCCESS.",
                rows(count)
            ),
            Reason::NothingPublished => "The run publishes nothing, so nothing changes here.".to_owned(),
            Reason::Uncovered { version, tombstone, how } => {
                let what = if *tombstone { "a tombstone of version" } else { "version" };
                format!("{}: this brings back {what} {version}, as long as it stays used.", how.words())
            }
            Reason::NothingUnder { how } => {
                format!("{}, and nothing used lies under it: nothing is served here afterwards.", how.words())
            }
            Reason::PartitionsGone { version } => format!(
                "Some partitions of version {version} are marked unused: their rows are gone, the others stay."
            ),
            Reason::MarkedUsed { version, tombstone, over } => {
                let what = if *tombstone { "A tombstone of version" } else { "Version" };
                let then = match over {
                    Some(over) => format!("it overshadows version {over}"),
                    None => "no row is served here now".to_owned(),
                };
                format!("{what} {version} is marked used and served again once it is loaded: {then}.")
            }
            Reason::PartitionsBack { version } => format!(
                "Partitions of version {version} are marked used: once they are loaded they are served beside the others."
            ),
            Reason::MarkedUnseen => {
                "What is marked here serves nothing, before or after: it lies under a newer version, or core partitions of \
                 its set are missing."
                    .to_owned()
            }
            Reason::NotMarked => "No segment is marked here, so nothing changes.".to_owned(),
            Reason::AppendedMeanwhile => format!(
                "No row of the run falls here, but another task may append rows while it works: these are copied into the \
                 new version, and the copy overshadows the rest of the {chunk}."
            ),
        };
        match self.born {
            Born::Served => {}
            Born::PartlyHidden => text.push_str(
                " Over a part of it an existing version is newer than the server's clock and stays on top.",
            ),
            Born::Hidden => text.push_str(
                " Existing versions are newer than the server's clock: what is published here is overshadowed at birth.",
            ),
        }
        text
    }
}

/// A stretch of a visible segment holder that the run touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldPiece {
    /// The stretch: inside one visible piece and inside one run of chunks.
    pub interval: Interval,
    /// Whose it is.
    pub holder: HolderId,
    /// Whether it serves rows; a tombstone does not.
    pub holds_data: bool,
    /// What becomes of it.
    pub becomes: Becomes,
}

/// What becomes of a stretch that is visible now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Becomes {
    /// Stays visible as it is.
    Stays,
    /// Overshadowed.
    Hidden,
    /// Overshadowed or not: the input decides.
    MayBeHidden,
    /// Stays visible and gets more partitions.
    Grows,
    /// Gets more partitions or not: the input decides.
    MayGrow,
    /// Stays visible and loses partitions.
    Shrinks,
    /// Marked unused, or no longer complete.
    Gone,
}
