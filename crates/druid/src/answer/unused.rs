//! Unused segments, as the Coordinator lists them from its metadata store.

use crate::segment::Segment;

use super::error::json;
use super::read::Node;
use super::{AnswerError, Response};

/// As the list of calls allows.
const CAP: u64 = 256 << 20;

/// `GET …/unusedSegments`: each row a segment, since 30 wrapped with when it was marked (`DataSegmentPlus`).
///
/// A row that cannot be read is an error: a list with a hole would say that an id is free which is not.
pub fn unused_segments(response: &Response) -> Result<Vec<Segment>, AnswerError> {
    let body = json(response, CAP)?;
    let root = Node::root(&body);
    let mut segments = Vec::new();
    for row in root.items()? {
        let wrapped = row.get("dataSegment");
        let raw = wrapped.as_ref().unwrap_or(&row);
        let segment = Segment::from_json(raw.value())
            .map_err(|why| raw.unlike("a segment", format!("one that cannot be read: {why}")))?;
        segments.push(segment);
    }
    Ok(segments)
}
