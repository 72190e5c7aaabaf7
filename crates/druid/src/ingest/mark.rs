//! Marking segments used or unused: which of them a call takes. No task and no lock: one statement in the metadata store.
//!
//! Sources: `SqlSegmentsMetadataManager` and `SqlSegmentsMetadataQuery` at 33, `IndexerSQLMetadataStorageCoordinator` and
//! `SqlSegmentsMetadataQuery` at 37, `OverlordDataSourcesResource`; held against recorded calls to both.
//!
//! What always holds: by interval only segments that lie wholly inside are taken; what is marked used is not overshadowed in
//! the timeline that the server looks at.
//!
//! What it does not do: the locks that releases after 37 take while they mark used (`SegmentStatusManager`).

use std::collections::{BTreeMap, BTreeSet};

use crate::endpoint::Marks;
use crate::interval::Interval;
use crate::release::Release;
use crate::segment::{Row, Segment, SegmentId, SegmentSet};
use crate::timeline::{Illegal, NewHolder, Timeline};

/// Segments that a call means, whatever state they are in.
#[derive(Debug)]
pub struct Meant<'a> {
    inside: Option<(Interval, Option<&'a [String]>)>,
    named: BTreeMap<Interval, Vec<SegmentId>>,
}

impl<'a> Meant<'a> {
    /// Of a datasource. An id that cannot be read means none.
    pub fn by(marks: &'a Marks, datasource: &str, release: Release) -> Meant<'a> {
        match marks {
            Marks::Inside { interval, versions } => Meant {
                // An unknown key before 30.
                inside: Some((*interval, versions.as_deref().filter(|_| release >= Release::major(30)))),
                named: BTreeMap::new(),
            },
            Marks::Ids(ids) => {
                let mut named: BTreeMap<Interval, Vec<SegmentId>> = BTreeMap::new();
                for id in ids.iter().flat_map(|id| SegmentId::readings(datasource, id)) {
                    named.entry(id.interval).or_default().push(id);
                }
                Meant { inside: None, named }
            }
        }
    }

    /// Whether a segment is meant.
    pub fn takes(&self, interval: Interval, version: &str, partition: u32) -> bool {
        match self.inside {
            Some((within, versions)) => within.contains(interval) && is_of(versions, version),
            None => self
                .named
                .get(&interval)
                .is_some_and(|ids| ids.iter().any(|id| *id.version == *version && id.partition == partition)),
        }
    }

    fn takes_segment(&self, segment: &Segment) -> bool {
        self.takes(segment.interval, &segment.version, segment.shard.partition())
    }
}

fn is_of(versions: Option<&[String]>, version: &str) -> bool {
    versions.is_none_or(|versions| versions.iter().any(|named| named == version))
}

/// Used segments that a call marks unused, as rows of the set.
pub fn marked_unused(set: &SegmentSet, meant: &Meant<'_>) -> Vec<Row> {
    let rows = (0u32..).zip(set.iter());
    rows.filter(|(_, segment)| meant.takes(segment.interval, segment.version, segment.partition))
        .map(|(row, _)| row)
        .collect()
}

/// Used segments that a call by interval takes away although it does not mark them: since 37 the Overlord keeps segments in a
/// cache (`druid.manager.segments.useIncrementalCache`, by default `ifSynced`), and what *overlaps* the interval goes from
/// there (`HeapMemoryDatasourceSegmentCache.markSegmentsWithinIntervalAsUnused`; recorded on 37.0.0). In the metadata store
/// they stay used; nobody sees them until the service starts anew.
pub fn lost_from_cache(set: &SegmentSet, meant: &Meant<'_>, release: Release) -> Vec<Row> {
    let Some((within, versions)) = meant.inside.filter(|_| release >= Release::major(37)) else {
        return Vec::new();
    };
    let sticks_out = |interval: Interval| interval.overlaps(within) && !within.contains(interval);
    let rows = (0u32..).zip(set.iter());
    rows.filter(|(_, segment)| sticks_out(segment.interval) && is_of(versions, segment.version))
        .map(|(row, _)| row)
        .collect()
}

/// Why a call that marks used changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkRefused {
    /// Ids that the server cannot read as ids of the datasource: 400.
    Unreadable(Vec<String>),
    /// Ids of no segment that there is: 400.
    NotThere(Vec<String>),
    /// The segments cannot be in one timeline with what is used: 500.
    Illegal(Illegal),
}

impl MarkRefused {
    /// The server's own words.
    pub fn message(&self, datasource: &str) -> String {
        match self {
            MarkRefused::Unreadable(ids) => {
                format!("Could not parse segment IDs[[{}]] for datasource[{datasource}]", ids.join(", "))
            }
            MarkRefused::NotThere(ids) => {
                format!("Could not find segment IDs[[{}]] for datasource[{datasource}]", ids.join(", "))
            }
            MarkRefused::Illegal(illegal) => {
                format!("org.apache.druid.java.util.common.UOE: {}", illegal.reason)
            }
        }
    }
}

/// What the server says to ids that it does not know before it marks used. To mark unused it passes over them.
///
/// # Errors
/// [`MarkRefused::Unreadable`] and [`MarkRefused::NotThere`].
pub fn known_ids<'i>(
    marks: &Marks,
    set: &SegmentSet,
    unused: impl Iterator<Item = &'i str>,
) -> Result<(), MarkRefused> {
    let Marks::Ids(ids) = marks else { return Ok(()) };
    let datasource = set.datasource();
    let listed = |keep: &dyn Fn(&String) -> bool| ids.iter().filter(|id| keep(id)).cloned().collect();
    let unreadable: Vec<String> = listed(&|id| SegmentId::parse(datasource, id).is_none());
    if !unreadable.is_empty() {
        return Err(MarkRefused::Unreadable(unreadable));
    }
    let meant = Meant { inside: None, named: Meant::by(marks, datasource, Release::major(30)).named };
    let used = marked_unused(set, &meant).into_iter().map(|row| set.id(row));
    let there: BTreeSet<String> = used.chain(unused.map(str::to_owned)).collect();
    let absent: Vec<String> = listed(&|id| !there.contains(id));
    if absent.is_empty() { Ok(()) } else { Err(MarkRefused::NotThere(absent)) }
}

/// Unused segments that a call marks used, as places in `unused`: those meant that are not overshadowed in a timeline of the
/// used segments and all that are meant. By interval and versions the server looks at used segments of these versions only
/// (`retrieveUsedSegments` is given them as well), so an older version comes back under a newer one that is used.
///
/// # Errors
/// [`MarkRefused::Illegal`].
pub fn marked_used(
    timeline: &Timeline,
    unused: &[&Segment],
    meant: &Meant<'_>,
) -> Result<Vec<usize>, MarkRefused> {
    let mut taken: Vec<usize> = Vec::new();
    let mut added: Vec<NewHolder> = Vec::new();
    for (place, segment) in unused.iter().enumerate().filter(|(_, segment)| meant.takes_segment(segment)) {
        taken.push(place);
        added.push(NewHolder::from(*segment));
    }
    let overlooked: Vec<Row> = match meant.inside {
        Some((within, versions @ Some(_))) => timeline
            .overlapping(within)
            .into_iter()
            .filter_map(|id| timeline.holder(id))
            .filter(|holder| !is_of(versions, holder.version))
            .flat_map(|holder| holder.segments.iter().copied())
            .collect(),
        _ => Vec::new(),
    };
    let looked_at = timeline.with(&added, &overlooked).map_err(MarkRefused::Illegal)?;
    taken.retain(|place| {
        let holder = unused.get(*place).and_then(|it| looked_at.find(it.interval, &it.version));
        holder.is_some_and(|holder| !looked_at.is_overshadowed(holder))
    });
    Ok(taken)
}
