//! The versioned interval timeline: what of a datasource is served when, and what lies hidden underneath.
//!
//! A *holder* is all segments of one exact interval and one version. At each instant the holder of the highest
//! version is served, among the complete ones ([`Timeline::visible`]) or among all
//! ([`Timeline::visible_incomplete`]); what sticks out of a higher one stays served around it. The rules are
//! those of Druid's `VersionedIntervalTimeline`, `SegmentTimeline` and `PartitionHolder`, and hold against
//! vectors computed by those classes.
//!
//! A timeline never changes. [`Timeline::with`] gives the timeline as it would be after segments came and went:
//! the same columns with a small overlay, at a cost near what changes.
//!
//! What it does not do: minor versions (`numbered_overwrite`, segment locking). Holders that have them are
//! listed by [`Timeline::unpredictable`], and what is said of them may be wrong.

mod build;
mod complete;
mod order;
mod overlay;
mod pieces;
mod sweep;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::interval::{Instant, Interval};
use crate::segment::set::known;
use crate::segment::{ChunkKind, Row, Segment, SegmentId, SegmentSet, compare_versions};

use build::Base;
use overlay::Overlay;
pub use pieces::{PieceIter, Pieces};

/// A holder within its timeline and every timeline made from it by [`Timeline::with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HolderId(pub u32);

/// A stretch of time and the holder served in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The stretch; inside the holder's own interval.
    pub interval: Interval,
    /// Who is served.
    pub holder: HolderId,
}

/// Orders versions of a timeline and its overlays: rank of the version in the columns in the upper half, place
/// among the overlay's new ones in the lower.
type VersionKey = u64;

/// Segments that come: one or more partitions of one holder.
#[derive(Debug, Clone, PartialEq)]
pub struct NewHolder {
    /// The time chunk.
    pub interval: Interval,
    /// The version. If a holder of this interval and version is there, the partitions are appended to it.
    pub version: Arc<str>,
    /// Kind of shard spec.
    pub kind: ChunkKind,
    /// Partition numbers.
    pub partitions: Range<u32>,
    /// Core partition count; `None` = not known.
    pub core: Option<u32>,
    /// Rows of all of them together, where known.
    pub rows: Option<u64>,
    /// Bytes of all of them together.
    pub size: u64,
}

impl NewHolder {
    /// A complete holder as a replacing or overwriting task publishes it: `count` core partitions.
    pub fn whole(interval: Interval, version: &str, count: u32) -> NewHolder {
        NewHolder {
            interval,
            version: version.into(),
            kind: ChunkKind::Numbered,
            partitions: 0..count,
            core: Some(count),
            rows: None,
            size: 0,
        }
    }

    /// A tombstone.
    pub fn tombstone(interval: Interval, version: &str) -> NewHolder {
        NewHolder {
            interval,
            version: version.into(),
            kind: ChunkKind::Tombstone,
            partitions: 0..1,
            core: Some(0),
            rows: Some(0),
            size: 1,
        }
    }

    /// One more partition, as an append allocates it: `core` is copied from the highest one there, or 0.
    pub fn appended(interval: Interval, version: &str, partition: u32, core: u32) -> NewHolder {
        NewHolder {
            interval,
            version: version.into(),
            kind: ChunkKind::Numbered,
            partitions: partition..partition.saturating_add(1),
            core: Some(core),
            rows: None,
            size: 0,
        }
    }
}

impl From<&Segment> for NewHolder {
    fn from(segment: &Segment) -> NewHolder {
        let partition = segment.shard.partition();
        NewHolder {
            interval: segment.interval,
            version: segment.version.clone(),
            kind: segment.shard.kind(),
            partitions: partition..partition.saturating_add(1),
            core: segment.shard.core(),
            rows: segment.rows,
            size: segment.size,
        }
    }
}

/// A set that Druid itself refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illegal {
    /// Why, in Druid's words.
    pub reason: String,
    /// Every segment of the two holders that cannot be together.
    pub segments: Vec<SegmentId>,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)
    }
}

impl std::error::Error for Illegal {}

/// A holder: all segments of one interval and version, as the timeline knows it.
#[derive(Debug, Clone, Copy)]
pub struct Holder<'a> {
    /// Its name within this timeline.
    pub id: HolderId,
    /// The time chunk.
    pub interval: Interval,
    /// The version.
    pub version: &'a str,
    /// Whether it can be served: Druid's `PartitionHolder.isComplete`.
    pub complete: bool,
    /// Whether every chunk of it is a tombstone.
    pub tombstone: bool,
    /// Its segments, as rows of the set, by ascending partition number.
    pub segments: &'a [Row],
    /// What [`Timeline::with`] added to it.
    pub added: &'a [NewHolder],
    /// Whether it was not there before [`Timeline::with`].
    pub new: bool,
    set: &'a SegmentSet,
}

impl<'a> Holder<'a> {
    /// Partition numbers: those of the set, ascending, then those added.
    pub fn partitions(&self) -> impl Iterator<Item = u32> + 'a {
        let set = self.set;
        let there = self.segments.iter().filter_map(move |row| set.columns().partition.get(*row as usize));
        there.copied().chain(self.added.iter().flat_map(|new| new.partitions.clone()))
    }

    /// How many segments.
    pub fn len(&self) -> usize {
        self.segments.len() + self.added.iter().map(|new| new.partitions.len()).sum::<usize>()
    }

    /// Whether it has none; never of a holder that [`Timeline::holders`] gives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The highest partition number and its core count: what an append goes by.
    pub fn highest(&self) -> Option<(u32, Option<u32>)> {
        let columns = self.set.columns();
        let there = self.segments.iter().filter_map(|row| {
            let at = *row as usize;
            Some((*columns.partition.get(at)?, known(*columns.core.get(at)?)))
        });
        let added = self
            .added
            .iter()
            .filter_map(|new| new.partitions.end.checked_sub(1).map(|last| (last, new.core)));
        there.chain(added).max_by_key(|(partition, _)| *partition)
    }

    /// Rows of all its segments; `None` when those of one are not known.
    pub fn rows(&self) -> Option<u64> {
        let columns = self.set.columns();
        let there = self.segments.iter().map(|row| columns.rows.get(*row as usize).copied().and_then(known));
        there
            .map(|rows| rows.map(u64::from))
            .chain(self.added.iter().map(|new| new.rows))
            .try_fold(0u64, |sum, rows| Some(sum.saturating_add(rows?)))
    }

    /// Bytes of all its segments.
    pub fn size(&self) -> u64 {
        let columns = self.set.columns();
        let there = self.segments.iter().filter_map(|row| columns.size.get(*row as usize).copied());
        there.chain(self.added.iter().map(|new| new.size)).fold(0, u64::saturating_add)
    }

    /// The ids of its segments, in the order of [`partitions`](Self::partitions).
    pub fn ids(&self) -> impl Iterator<Item = SegmentId> + 'a {
        let (datasource, version, interval): (Arc<str>, Arc<str>, _) =
            (self.set.datasource().into(), self.version.into(), self.interval);
        self.partitions().map(move |partition| SegmentId {
            datasource: datasource.clone(),
            interval,
            version: version.clone(),
            partition,
        })
    }
}

/// The timeline of a datasource. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Timeline {
    base: Arc<Base>,
    overlay: Option<Arc<Overlay>>,
}

impl Timeline {
    /// Builds the timeline of a set.
    ///
    /// # Errors
    /// When Druid refuses the set: one version on two overlapping intervals (its class notices that in some
    /// orders of insertion only; here it is always said), or one partition number with two shapes.
    pub fn build(set: &SegmentSet) -> Result<Timeline, Illegal> {
        Ok(Timeline { base: Arc::new(Base::build(set)?), overlay: None })
    }

    /// The timeline after these segments have come and those rows of the set have gone. Applied to a timeline
    /// that has an overlay already, both overlays count. Equal to a rebuild, at a cost near what changes.
    ///
    /// # Errors
    /// As [`build`](Self::build); the timeline itself stays as it is.
    pub fn with(&self, added: &[NewHolder], removed: &[Row]) -> Result<Timeline, Illegal> {
        let (mut all_added, mut all_removed) = match &self.overlay {
            Some(overlay) => (overlay.added.clone(), overlay.removed.clone()),
            None => Default::default(),
        };
        all_added.extend_from_slice(added);
        all_removed.extend_from_slice(removed);
        let overlay = Overlay::build(&self.base, all_added, all_removed)?;
        Ok(Timeline { base: self.base.clone(), overlay: Some(Arc::new(overlay)) })
    }

    /// The timeline before any [`with`](Self::with).
    pub fn without_overlay(&self) -> Timeline {
        Timeline { base: self.base.clone(), overlay: None }
    }

    /// The set it was built from. What an overlay added is not in it.
    pub fn segments(&self) -> &SegmentSet {
        &self.base.set
    }

    /// Bytes of memory the timeline takes, without those of the set and of an overlay.
    pub fn bytes(&self) -> usize {
        self.base.bytes()
    }

    /// Every holder: by start, end and version those of the set, then the new ones.
    pub fn holders(&self) -> impl Iterator<Item = Holder<'_>> + '_ {
        self.holder_ids().filter_map(|id| self.holder(id))
    }

    fn holder_ids(&self) -> impl Iterator<Item = HolderId> + use<> {
        let new = self.overlay.as_ref().map_or(0, |overlay| overlay.new.len());
        (0..(self.base.len() + new) as u32).map(HolderId)
    }

    /// One holder; `None` when there is none of that name, or all its segments have gone.
    pub fn holder(&self, id: HolderId) -> Option<Holder<'_>> {
        let set = &self.base.set;
        if let Some(overlay) = &self.overlay
            && let Some(state) = overlay.state(&self.base, id)
        {
            return (!state.is_gone()).then(|| Holder {
                id,
                interval: state.interval,
                version: &state.version,
                complete: state.complete,
                tombstone: state.tombstone,
                segments: &state.segments,
                added: &state.added,
                new: id.0 as usize >= self.base.len(),
                set,
            });
        }
        self.base.mark(id.0).map(|mark| Holder {
            id,
            interval: self.base.interval(id.0),
            version: self.base.version(mark.rank()),
            complete: mark.is(build::COMPLETE),
            tombstone: mark.is(build::TOMBSTONE),
            segments: self.base.segments(id.0),
            added: &[],
            new: false,
            set,
        })
    }

    /// The holder of an interval and version.
    pub fn find(&self, interval: Interval, version: &str) -> Option<HolderId> {
        if let Some(overlay) = &self.overlay
            && let Some(at) = overlay.find(interval, version)
        {
            return Some(HolderId((self.base.len() + at) as u32));
        }
        let id = HolderId(self.base.find(interval, version)?);
        self.holder(id).map(|holder| holder.id)
    }

    /// The holders whose interval overlaps this one, hidden ones included.
    pub fn overlapping(&self, interval: Interval) -> Vec<HolderId> {
        let mut ids = Vec::new();
        if interval.is_empty() {
            return ids;
        }
        self.base.overlapping(interval, &mut |id| ids.push(HolderId(id)));
        if let Some(overlay) = &self.overlay {
            ids.retain(|id| overlay.changed.get(&id.0).is_none_or(|state| !state.is_gone()));
            let new = overlay.new.iter().enumerate().filter(|(_, new)| new.interval.overlaps(interval));
            ids.extend(new.map(|(at, _)| HolderId((self.base.len() + at) as u32)));
        }
        ids
    }

    /// What is served when only complete holders count: what a query sees once everything is loaded, tombstones
    /// included (a Broker leaves those out of its answers; they hide all the same).
    pub fn visible(&self) -> Pieces<'_> {
        Pieces {
            served: self.base.complete(),
            splices: self.overlay.as_ref().map_or(&[], |overlay| &overlay.complete),
        }
    }

    /// What is served when incomplete holders count too.
    pub fn visible_incomplete(&self) -> Pieces<'_> {
        Pieces { served: self.base.any(), splices: self.overlay.as_ref().map_or(&[], |overlay| &overlay.any) }
    }

    /// What is served inside an interval, cut to it (complete holders only).
    pub fn lookup(&self, interval: Interval) -> Vec<Piece> {
        self.visible().within(interval).collect()
    }

    /// Druid's `isOvershadowed`, and so `is_overshadowed` of its APIs: the holder's whole interval is covered,
    /// without a hole, by served pieces of higher versions. Not being overshadowed does not mean being served.
    pub fn is_overshadowed(&self, id: HolderId) -> bool {
        match &self.overlay {
            Some(overlay) => match overlay.state(&self.base, id) {
                Some(state) => !state.is_gone() && self.covered(state.interval, state.key, false),
                None => self.base.mark(id.0).is_some_and(|mark| {
                    let interval = self.base.interval(id.0);
                    if overlay.touches(&overlay.complete, interval) {
                        self.covered(interval, mark.key(), false)
                    } else {
                        mark.is(build::OVERSHADOWED)
                    }
                }),
            },
            None => self.base.mark(id.0).is_some_and(|mark| mark.is(build::OVERSHADOWED)),
        }
    }

    /// Whether a segment of this interval and version would be overshadowed, were it there.
    pub fn would_be_overshadowed(&self, interval: Interval, version: &str) -> bool {
        let key = self.base.key_of(version, |place| {
            let new = self.overlay.as_ref().map_or(&[][..], |overlay| &overlay.versions);
            new.iter()
                .filter(|(key, text)| *key >> 32 == place && compare_versions(text, version).is_le())
                .count() as u64
        });
        self.covered(interval, key, false)
    }

    /// Rows of the set whose segments are overshadowed; rows that have gone are left out.
    pub fn overshadowed(&self) -> impl Iterator<Item = Row> + '_ {
        self.holder_ids().filter(|id| self.is_overshadowed(*id)).flat_map(|id| {
            let state = self.overlay.as_ref().and_then(|overlay| overlay.state(&self.base, id));
            match state {
                Some(state) => state.segments.iter().copied(),
                None => self.base.segments(id.0).iter().copied(),
            }
        })
    }

    /// Druid's `findFullyOvershadowed`: holders that are served in neither way. Not what its APIs report: of two
    /// incomplete holders the older is among these and yet not [`is_overshadowed`](Self::is_overshadowed).
    pub fn fully_overshadowed(&self) -> impl Iterator<Item = HolderId> + '_ {
        self.holders()
            .filter(|holder| {
                let key = self.key(holder.id);
                self.covered(holder.interval, key, true)
                    && (!holder.complete || self.covered(holder.interval, key, false))
            })
            .map(|holder| holder.id)
    }

    /// Holders about which Druid may decide otherwise: segment locking's minor versions, unknown shard kinds.
    pub fn unpredictable(&self) -> Vec<HolderId> {
        let odd = |kind: ChunkKind| matches!(kind, ChunkKind::NumberedOverwrite | ChunkKind::Unknown);
        let kinds = &self.base.set.columns().kind;
        if !kinds.iter().copied().any(odd) {
            return Vec::new();
        }
        let odd_row = |row: &Row| kinds.get(*row as usize).copied().is_some_and(odd);
        self.holders().filter(|holder| holder.segments.iter().any(odd_row)).map(|holder| holder.id).collect()
    }

    fn key(&self, id: HolderId) -> VersionKey {
        let state = self.overlay.as_ref().and_then(|overlay| overlay.state(&self.base, id));
        match state {
            Some(state) => state.key,
            None => self.base.mark(id.0).map_or(0, build::Mark::key),
        }
    }

    /// Whether pieces of versions above `floor` cover the interval: splices one by one, what lies between them
    /// by the columns' index.
    fn covered(&self, interval: Interval, floor: VersionKey, incomplete: bool) -> bool {
        let pieces = if incomplete { self.visible_incomplete() } else { self.visible() };
        let floor_rank = ((floor >> 32) as u32).checked_sub(1);
        let between = |start: Instant, end: Instant| {
            start >= end || pieces.served.covered_above(Interval { start, end }, floor_rank)
        };
        let mut from = interval.start;
        let first = pieces.splices.partition_point(|splice| splice.span.end <= interval.start);
        for splice in pieces.splices.iter().skip(first) {
            if splice.span.start >= interval.end {
                break;
            }
            let inside = Interval {
                start: splice.span.start.max(interval.start),
                end: splice.span.end.min(interval.end),
            };
            if !between(from, inside.start) || !pieces.covered_above(inside, floor, |id| self.key(id)) {
                return false;
            }
            from = inside.end;
        }
        interval.start < interval.end && between(from, interval.end)
    }
}
