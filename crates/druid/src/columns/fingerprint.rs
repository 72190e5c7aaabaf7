//! What a time chunk looked like, as one number: a plan keeps those of the chunks it was drawn from, and what has
//! another number when it is sent is drawn again first.
//!
//! Per chunk, because a stream that appends to today must not make a plan about last month stale. The numbers are
//! stored in plan files, so the way they are made must not change without a new file version.

use crate::interval::{Interval, condense};
use crate::segment::{Row, SegmentSet};

/// One time chunk: an interval on which at least one segment lies exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint {
    /// The chunk.
    pub interval: Interval,
    /// FNV-1a (64 bits) over version, partition, core count and kind of each of its segments, sorted.
    pub hash: u64,
}

/// The fingerprints of all time chunks of a set, by start and end. The order of the segments does not matter.
pub fn fingerprints(set: &SegmentSet) -> Vec<Fingerprint> {
    of_rows((0..set.len() as Row).filter_map(|row| Some((set.interval(row)?, row))).collect(), set)
}

/// The fingerprints of those time chunks that overlap one of these intervals: the same numbers as in
/// [`fingerprints`], also when the set holds nothing but what overlaps.
pub fn fingerprints_overlapping(set: &SegmentSet, intervals: &[Interval]) -> Vec<Fingerprint> {
    let wanted = condense(intervals.iter().copied());
    let overlaps = |chunk: &Interval| {
        let next = wanted.partition_point(|interval| interval.end <= chunk.start);
        wanted.get(next).is_some_and(|interval| interval.overlaps(*chunk))
    };
    let rows = (0..set.len() as Row).filter_map(|row| Some((set.interval(row)?, row)));
    of_rows(rows.filter(|(chunk, _)| overlaps(chunk)).collect(), set)
}

fn of_rows(mut rows: Vec<(Interval, Row)>, set: &SegmentSet) -> Vec<Fingerprint> {
    rows.sort_unstable();
    rows.chunk_by(|a, b| a.0 == b.0)
        .filter_map(|chunk| {
            let mut segments: Vec<_> = chunk
                .iter()
                .filter_map(|(_, row)| set.get(*row))
                .map(|segment| (segment.version, segment.partition, segment.core, segment.kind))
                .collect();
            segments.sort_unstable();
            segments.dedup();
            let mut hash = 0xcbf2_9ce4_8422_2325;
            for (version, partition, core, kind) in segments {
                let core = core.map_or_else(|| "-".to_owned(), |core| core.to_string());
                hash = fnv(hash, &format!("{version}\0{partition}\0{core}\0{}\n", kind.name()));
            }
            chunk.first().map(|(interval, _)| Fingerprint { interval: *interval, hash })
        })
        .collect()
}

fn fnv(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
