//! The id of a segment as Druid prints it: `datasource_start_end_version`, and `_partition` when it is not 0.
//!
//! The text is ambiguous by design: names and versions may themselves hold underscores and dates. So ids are
//! printed here and compared as texts; they are parsed only where nothing better is at hand (what a person
//! pasted, the ids of unused segments), and then with the datasource's name given.
//! Rules: Druid's `SegmentId` (`tryParse`, `iteratePossibleParsingsWithDataSource`, `iterateAllPossibleParsings`).

use std::fmt;
use std::sync::Arc;

use crate::id::MAX_STORED_CHARACTERS;
use crate::interval::{Instant, Interval};

/// What identifies a segment within a cluster. Two segments with one id are one segment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SegmentId {
    /// The datasource it belongs to.
    pub datasource: Arc<str>,
    /// The time chunk it covers, start inclusive, end exclusive.
    pub interval: Interval,
    /// Its version: any text; compared by [`compare_versions`](super::compare_versions), never as a time.
    pub version: Arc<str>,
    /// Its partition number inside (interval, version).
    pub partition: u32,
}

impl SegmentId {
    /// Reads an id of a datasource whose name is known. `None` where Druid's `tryParse` finds nothing.
    ///
    /// A last piece that is a whole number above 0 is taken as the partition, as Druid does; the other legal
    /// reading (it is part of the version) is the second of [`readings`](Self::readings).
    pub fn parse(datasource: &str, id: &str) -> Option<SegmentId> {
        Self::readings(datasource, id).into_iter().next()
    }

    /// Every legal reading of an id of a known datasource, in Druid's order: none, one or two.
    pub fn readings(datasource: &str, id: &str) -> Vec<SegmentId> {
        let Some(rest) = id.strip_prefix(datasource).and_then(|rest| rest.strip_prefix('_')) else {
            return Vec::new();
        };
        let mut pieces = rest.splitn(3, '_');
        let (Some(start), Some(end), Some(tail)) = (pieces.next(), pieces.next(), pieces.next()) else {
            return Vec::new();
        };
        let (Ok(start), Ok(end)) = (Instant::parse(start), Instant::parse(end)) else { return Vec::new() };
        if start >= end {
            return Vec::new();
        }
        let interval = Interval { start, end };
        let datasource: Arc<str> = datasource.into();
        let reading = |version: &str, partition| SegmentId {
            datasource: datasource.clone(),
            interval,
            version: version.into(),
            partition,
        };
        let mut readings = Vec::with_capacity(2);
        if let Some((version, number)) = tail.rsplit_once('_')
            && let Some(partition) = positive(number)
        {
            readings.push(reading(version, partition));
        }
        readings.push(reading(tail, 0));
        readings
    }

    /// Every reading when the datasource is not known either: for each name that fits, its readings.
    /// Names are tried from the shortest. None of a text that no metadata store could hold as an id.
    pub fn all_readings(id: &str) -> Vec<SegmentId> {
        let id = if id.chars().count() > MAX_STORED_CHARACTERS { "" } else { id };
        id.match_indices('_')
            .filter_map(|(at, _)| id.get(..at))
            .filter(|name| !name.is_empty())
            .flat_map(|name| Self::readings(name, id))
            .collect()
    }
}

/// Java's `Integer.parseInt`, and above 0: "A trailing `_0` is never a partition."
fn positive(text: &str) -> Option<u32> {
    text.parse::<i32>().ok().filter(|number| *number > 0).map(i32::cast_unsigned)
}

impl fmt::Display for SegmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_id(f, &self.datasource, self.interval, &self.version, self.partition)
    }
}

/// Prints an id from its parts, without making a [`SegmentId`] first.
pub(super) fn write_id(
    out: &mut impl fmt::Write,
    datasource: &str,
    interval: Interval,
    version: &str,
    partition: u32,
) -> fmt::Result {
    write!(out, "{datasource}_{}_{}_{version}", interval.start, interval.end)?;
    if partition != 0 {
        write!(out, "_{partition}")?;
    }
    Ok(())
}
