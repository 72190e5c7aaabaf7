//! The vocabulary of the timeline: what a bar means.
//!
//! Shape carries the meaning and colour repeats it, so that every mark stays apart in greyscale. This module knows
//! what there is to say and how urgent it is; how a mark looks is in `raster::marks`.

/// What one bar says about one interval of one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Mark {
    /// A query reads this. Solid.
    Served = 0,
    /// Overshadowed: stored, read by nobody. Hatched at 45°.
    Hidden = 1,
    /// A holder that the run would add. Solid accent with an inset line.
    New = 2,
    /// A holder without rows: what lies under it is gone from view. Crossed frame.
    Tombstone = 3,
    /// More partitions in a version that is served already. Dots under a bar along the top.
    Appended = 4,
    /// Appended rows that may cover what is there already. As `Appended`, framed.
    Doubled = 5,
    /// Not known whether rows come: new data, or a tombstone. Split along the diagonal.
    EitherTomb = 6,
    /// Not known whether rows come: new data, or nothing and the older data stays. Split along the diagonal.
    EitherKept = 7,
    /// The other side of an either / or: an older holder that stays served, or is hidden. Split along the diagonal.
    EitherHidden = 8,
    /// Core partitions are missing: it serves nothing and hides nothing. Dashed frame, a third of it filled.
    Incomplete = 9,
    /// The run would publish it under something newer: overshadowed at birth. Hatched in a dashed accent frame.
    BornHidden = 10,
    /// A tombstone that is itself overshadowed. Hatched and crossed.
    HiddenTombstone = 11,
    /// Marked unused or deleted by the run. Pale with a line struck through it.
    Removed = 12,
    /// Published but not loaded anywhere yet. Pale in a dotted frame.
    Unavailable = 13,
    /// The run does not touch it (the Difference picture). Pale and plain.
    Untouched = 14,
}

impl Mark {
    /// How many marks there are; `index` is always below it.
    pub const COUNT: usize = 15;

    /// Every mark, in the order of `index`.
    pub const ALL: [Mark; Mark::COUNT] = [
        Mark::Served,
        Mark::Hidden,
        Mark::New,
        Mark::Tombstone,
        Mark::Appended,
        Mark::Doubled,
        Mark::EitherTomb,
        Mark::EitherKept,
        Mark::EitherHidden,
        Mark::Incomplete,
        Mark::BornHidden,
        Mark::HiddenTombstone,
        Mark::Removed,
        Mark::Unavailable,
        Mark::Untouched,
    ];

    /// The position in `ALL`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The mark at a position in `ALL`.
    pub fn from_index(index: usize) -> Option<Mark> {
        Self::ALL.get(index).copied()
    }

    /// How much a reader must not miss it when many bars share one pixel column: 0 blends in, higher wins.
    pub const fn urgency(self) -> u8 {
        match self {
            Mark::Doubled => 8,
            Mark::Tombstone => 7,
            Mark::EitherTomb => 6,
            Mark::New => 5,
            Mark::EitherKept => 4,
            Mark::Removed => 4,
            Mark::Appended => 3,
            Mark::Incomplete | Mark::BornHidden => 2,
            Mark::EitherHidden | Mark::Unavailable => 1,
            Mark::Served | Mark::Hidden | Mark::HiddenTombstone | Mark::Untouched => 0,
        }
    }

    /// Whether queries read rows from it (or would, for what the run adds): what the overview counts.
    pub const fn is_read(self) -> bool {
        matches!(
            self,
            Mark::Served
                | Mark::New
                | Mark::Appended
                | Mark::Doubled
                | Mark::EitherTomb
                | Mark::EitherKept
                | Mark::EitherHidden
                | Mark::Untouched
        )
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed lookup is the failure of the test
    use super::*;

    #[test]
    fn every_mark_is_found_again_by_its_index() {
        for (at, mark) in Mark::ALL.into_iter().enumerate() {
            assert_eq!(mark.index(), at);
            assert_eq!(Mark::from_index(at).unwrap(), mark);
        }
        assert_eq!(Mark::from_index(Mark::COUNT), None);
    }
}
