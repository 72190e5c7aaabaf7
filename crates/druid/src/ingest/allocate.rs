//! Where appended rows go: segment allocation by the Overlord, row by row.
//!
//! Source: `SegmentAllocators`, `SegmentAllocateAction` and `SegmentAllocationQueue` (which intervals are tried),
//! `TaskLockbox` (locks taken on the way), `IndexerSQLMetadataStorageCoordinator.createNewSegment` (which version and
//! partition), `BaseAppenderatorDriver.getActiveSegment` (rows that need no allocation).
//!
//! What always holds: rows are taken in order and the result can depend on it; nothing here changes the timeline;
//! an [`Allocator`] can be cloned at any point to try what another row would do.
//!
//! What it does not do: publish. That a version above the lock's own cannot be published is the caller's business,
//! as is the order in which sub-tasks get their turns. Pending segments of other tasks are not known.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::granularity::Granularity;
use crate::interval::{Instant, Interval};
use crate::lock::{Held, LockType, Request, Verdict, judge};
use crate::release::Release;
use crate::segment::SegmentId;
use crate::timeline::Timeline;

use super::used_and_visible;

/// The version of data first appended under an APPEND lock (`PendingSegmentRecord.DEFAULT_VERSION_FOR_APPEND`).
pub const APPEND_VERSION: &str = "1970-01-01T00:00:00.000Z";

/// What allocation looks at and nobody changes meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// What is used now.
    pub timeline: &'a Timeline,
    /// Ids of unused segments of the datasource: they keep their partition numbers.
    pub unused: &'a [SegmentId],
    /// The spec's segment granularity: the first one tried.
    pub segment: &'a Granularity,
    /// The spec's query granularity: what a row must fit into as a whole.
    pub query: &'a Granularity,
    /// Kind of lock the task takes.
    pub kind: LockType,
    /// The version its new locks get, unless they are APPEND locks: the clock.
    pub lock_version: &'a str,
    /// The task's group, whose locks are its own.
    pub group_id: &'a str,
    /// The task's priority.
    pub priority: i64,
    /// The server's release.
    pub release: Release,
}

/// A place that rows of one append go to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The time chunk.
    pub interval: Interval,
    /// The version: that of the holder there, or the lock's.
    pub version: Arc<str>,
    /// Partition number of the first segment.
    pub partition: u32,
    /// Core partitions, copied from the holder there; 0 where nothing is.
    pub core: u32,
    /// Whether a holder is there that gets more partitions.
    pub joins: bool,
    /// Version of the lock that covers it.
    pub lock_version: Arc<str>,
    /// Up to 34 an unused segment that has this very id makes the new one unused as well: the rows are lost, and the
    /// task ends SUCCESS.
    pub lost: bool,
}

/// Why a row finds no place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NoPlace {
    /// `Failed to add a row with timestamp[…]`: every candidate is taken, or none fits.
    Fails {
        /// The row's time.
        row: Instant,
    },
    /// The task's group holds several locks for one interval: the Overlord answers 500, and the task tries again for
    /// ever.
    Hangs {
        /// The candidate it asked for.
        interval: Interval,
    },
}

/// Allocation under way: the locks the task's group holds by now, and the places it has been given.
#[derive(Clone, Debug)]
pub struct Allocator<'a> {
    ground: Ground<'a>,
    /// Everybody's locks, the own ones behind the others.
    locks: Vec<Held>,
    /// By start, as `getActiveSegment` finds them.
    places: BTreeMap<Interval, Place>,
    finer: Rc<Vec<Granularity>>,
    /// Full intervals of the used segments that allocation sees in the chunk looked at last.
    seen: Option<(Interval, Rc<Vec<Interval>>)>,
}

impl<'a> Allocator<'a> {
    /// Starts with the locks others hold and the intervals the task locked before its first row.
    pub fn new(ground: Ground<'a>, others: &[Held], locked: &[Interval]) -> Allocator<'a> {
        let mut allocator = Allocator {
            ground,
            locks: others.to_vec(),
            places: BTreeMap::new(),
            finer: Rc::new(ground.segment.finer()),
            seen: None,
        };
        for interval in locked {
            allocator.take(*interval);
        }
        allocator
    }

    /// Where rows have gone so far, in order of time.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.values()
    }

    /// The intervals that the task's group holds locks on by now.
    pub fn locked(&self) -> impl Iterator<Item = Interval> + '_ {
        let own = |lock: &&Held| lock.group_id == self.ground.group_id && !lock.revoked;
        self.locks.iter().filter(own).map(|lock| lock.interval)
    }

    /// The intervals a row could start a version in, looked at alone: candidates over nothing that is used, with a lock
    /// to be had.
    pub fn free_candidates(&self, row: Instant) -> impl Iterator<Item = Interval> + '_ {
        self.finer.iter().map(move |granularity| granularity.bucket(row)).filter(|interval| {
            let lockable = !matches!(judge(&self.request(*interval), &self.locks), Verdict::WaitsFor(_));
            lockable && self.ground.timeline.visible().overlapping(*interval).next().is_none()
        })
    }

    /// Finds the place of one row.
    ///
    /// # Errors
    /// The row has no place; the task fails or never ends, and publishes nothing.
    pub fn allocate(&mut self, row: Instant) -> Result<&Place, NoPlace> {
        if let Some(interval) = self.active(row) {
            return self.places.get(&interval).ok_or(NoPlace::Fails { row });
        }
        let whole = self.ground.query.bucket(row);
        let preferred = self.ground.segment.bucket(row);
        let covering = self.seen(preferred).iter().find(|interval| interval.overlaps(whole)).copied();
        let place = match covering {
            // Cover or fail: there is no other candidate.
            Some(interval) if interval.contains(whole) => self.candidate(interval)?,
            Some(_) => None,
            None => self.first_free(row, whole)?,
        };
        let place = place.ok_or(NoPlace::Fails { row })?;
        Ok(self.places.entry(place.interval).or_insert(place))
    }

    /// The place already given that holds the row: that of the latest start, if it reaches so far.
    fn active(&self, row: Instant) -> Option<Interval> {
        let until = Interval { start: row, end: Instant::from_ms(i64::MAX) };
        let (interval, _) = self.places.range(..=until).next_back()?;
        interval.contains_instant(row).then_some(*interval)
    }

    /// The spec's chunk, then finer ones from long to short. A granularity that has no name (`PT4H`, a week of a zone) is
    /// not among its own candidates: `Granularity.granularitiesFinerThan` lists standard ones only.
    fn first_free(&mut self, row: Instant, whole: Interval) -> Result<Option<Place>, NoPlace> {
        for granularity in Rc::clone(&self.finer).iter() {
            let interval = granularity.bucket(row);
            if !interval.contains(whole) {
                continue;
            }
            if let Some(place) = self.candidate(interval)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Lock, then look: none when either stands in the way.
    fn candidate(&mut self, interval: Interval) -> Result<Option<Place>, NoPlace> {
        let request = self.request(interval);
        let lock_version = match judge(&request, &self.locks) {
            Verdict::Reuses(lock) => self.locks.get(lock).map(|lock| Arc::from(lock.version.as_str())),
            Verdict::Granted => Some(self.take(interval)),
            Verdict::Revokes(losers) => {
                for loser in losers {
                    if let Some(lock) = self.locks.get_mut(loser) {
                        lock.revoked = true;
                    }
                }
                Some(self.take(interval))
            }
            Verdict::WaitsFor(_) => None,
            Verdict::Ambiguous(_) => return Err(NoPlace::Hangs { interval }),
        };
        Ok(lock_version.and_then(|version| self.look(interval, version)))
    }

    fn request(&self, interval: Interval) -> Request {
        let Ground { group_id, kind, priority, .. } = self.ground;
        Request { group_id: group_id.to_owned(), kind, interval, priority }
    }

    fn take(&mut self, interval: Interval) -> Arc<str> {
        let Ground { group_id, kind, priority, lock_version, release, .. } = self.ground;
        let version = if kind == LockType::Append { APPEND_VERSION } else { lock_version };
        // A wider APPEND lock stands in for the task's narrower ones, which are given back (`TaskLockPosse.supersedes`,
        // since 29): so an append by `ALL` goes on by its lock on eternity alone.
        if kind == LockType::Append && release >= Release::major(29) {
            self.locks.retain(|held| {
                let is_own = held.group_id == group_id && held.kind == kind && !held.revoked;
                !(is_own && held.interval != interval && interval.contains(held.interval))
            });
        }
        self.locks.push(Held {
            task_id: None,
            group_id: group_id.to_owned(),
            kind,
            interval,
            version: version.to_owned(),
            priority,
            revoked: false,
        });
        version.into()
    }

    /// `createNewSegment`: the version and partition in a candidate, none when it is taken.
    fn look(&self, interval: Interval, lock_version: Arc<str>) -> Option<Place> {
        let timeline = self.ground.timeline;
        let mut pieces = timeline.visible().overlapping(interval);
        match (pieces.next(), pieces.next()) {
            // "interval already has [%d] chunks"
            (_, Some(_)) => None,
            (Some(piece), None) => {
                let holder = timeline.holder(piece.holder)?;
                let (highest, core) = holder.highest()?;
                // An unknown core count (very old single and range specs) takes no more partitions.
                let core = core?;
                let version: Arc<str> = holder.version.into();
                let partition = self.above_unused(interval, &version, highest.checked_add(1)?);
                (holder.interval == interval).then_some(Place {
                    interval,
                    version,
                    partition,
                    core,
                    joins: true,
                    lock_version,
                    lost: false,
                })
            }
            (None, _) => {
                // What this task was given already counts as pending: another interval over it is a conflict.
                let mut pending = self.places.values().filter(|place| place.interval.overlaps(interval));
                match pending.next() {
                    Some(place) if place.interval == interval => Some(place.clone()),
                    Some(_) => None,
                    None => self.first(interval, lock_version),
                }
            }
        }
    }

    /// The first segment of a chunk in which nothing is used.
    fn first(&self, interval: Interval, lock_version: Arc<str>) -> Option<Place> {
        let mut version = Arc::clone(&lock_version);
        let taken = |version: &str| {
            self.ground.unused.iter().any(|id| id.interval == interval && *id.version == *version)
        };
        let mut lost = false;
        if taken(&version) && *version == *APPEND_VERSION {
            // Up to ten suffixes are tried since 35 (`PendingSegmentRecord`).
            if self.ground.release >= Release::major(35) {
                let free =
                    (1..=10).map(|n| format!("{APPEND_VERSION}{}", "S".repeat(n))).find(|v| !taken(v))?;
                version = free.into();
            } else {
                lost = true;
            }
        }
        Some(Place { interval, version, partition: 0, core: 0, joins: false, lock_version, lost })
    }

    /// Unused segments keep their numbers.
    fn above_unused(&self, interval: Interval, version: &str, next: u32) -> u32 {
        let same = self.ground.unused.iter().filter(|id| id.interval == interval && *id.version == *version);
        same.map(|id| id.partition.saturating_add(1)).fold(next, u32::max)
    }

    /// Full intervals of the used segments that the action sees in a chunk, by start and end.
    fn seen(&mut self, chunk: Interval) -> Rc<Vec<Interval>> {
        if let Some((looked_at, seen)) = &self.seen
            && *looked_at == chunk
        {
            return Rc::clone(seen);
        }
        let seen = Rc::new(used_and_visible(self.ground.timeline, &[chunk]));
        self.seen = Some((chunk, Rc::clone(&seen)));
        seen
    }
}
