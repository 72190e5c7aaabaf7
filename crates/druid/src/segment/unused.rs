//! Unused segments, as far as somebody said what they are.
//!
//! What always holds: the id is known. How many core partitions there are, and whether it is a tombstone, only the segment
//! itself says.

use super::Segment;

/// A segment that the metadata store keeps and nobody serves.
#[derive(Debug, Clone, PartialEq)]
pub struct UnusedSegment {
    /// Its id, as Druid prints it.
    pub id: String,
    /// The segment; none where only its id is known.
    pub segment: Option<Segment>,
}

impl UnusedSegment {
    /// One of which nothing but the id is known.
    pub fn named(id: impl Into<String>) -> UnusedSegment {
        UnusedSegment { id: id.into(), segment: None }
    }
}

impl From<Segment> for UnusedSegment {
    fn from(segment: Segment) -> UnusedSegment {
        UnusedSegment { id: segment.id().to_string(), segment: Some(segment) }
    }
}
