//! The immutable part of a timeline: holders and pieces of a set, built by one sort and one sweep.

#![allow(clippy::indexing_slicing, reason = "every index is made here from the length of the same column")]

use super::complete::{Chunk, counted, is_complete};
use super::order::{Order, order};
use super::pieces::{Collector, Columns, Served};
use super::sweep::{Contender, sweep, sweep_over};
use super::{Illegal, VersionKey};
use crate::interval::{Instant, Interval};
use crate::segment::set::known;
use crate::segment::{ChunkKind, Row, SegmentId, SegmentSet, compare_versions};

pub(super) const COMPLETE: u32 = 1 << 31;
pub(super) const TOMBSTONE: u32 = 1 << 30;
pub(super) const OVERSHADOWED: u32 = 1 << 29;
const SERVED: u32 = 1 << 28;
const RANK: u32 = SERVED - 1;

/// Holders looked at together when asking who overlaps an interval.
const BLOCK: usize = 64;

/// A holder's version rank and what is true of it, in one word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark(u32);

impl Mark {
    pub(super) fn rank(self) -> u32 {
        self.0 & RANK
    }

    pub(super) fn is(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    pub(super) fn key(self) -> VersionKey {
        key_of_rank(self.rank())
    }
}

/// Ranks leave room below themselves, so that an overlay's new versions find a place between them.
fn key_of_rank(rank: u32) -> VersionKey {
    (u64::from(rank) + 1) << 32
}

/// Holders sorted by start, end and version, and the pieces they are served in. A holder's interval is that of its
/// first segment and stands in the set alone.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) set: SegmentSet,
    /// Numbers of the set's versions, by rank.
    by_rank: Vec<u32>,
    mark: Vec<Mark>,
    /// Where each holder's segments begin in `order`; one more at the end.
    first: Vec<u32>,
    /// Rows of the set, holder by holder, by ascending partition.
    order: Vec<Row>,
    /// Latest end per block of holders, then per block of those, and so on.
    latest: Vec<Vec<i64>>,
    complete: Columns,
    /// `None` when incomplete holders change nothing.
    any: Option<Columns>,
}

impl Base {
    pub(super) fn build(set: &SegmentSet) -> Result<Base, Illegal> {
        let columns = set.columns();
        let by_rank = columns.versions.in_order();
        let mut ranks = vec![0; by_rank.len()];
        for (rank, number) in (0..).zip(&by_rank) {
            ranks[*number as usize] = rank;
        }
        let mut order = order(columns, &ranks);
        drop(ranks);
        let mut base = Base {
            set: set.clone(),
            by_rank,
            mark: Vec::new(),
            first: std::mem::take(&mut order.first),
            order: std::mem::take(&mut order.rows),
            latest: Vec::new(),
            complete: Columns::default(),
            any: None,
        };
        if order.repeats {
            base.drop_repeats()?;
        }
        base.first.shrink_to_fit();
        base.judge(&order.rank);
        base.refuse_clashes(&order)?;
        base.serve(&order);
        base.index_ends(order.end);
        Ok(base)
    }

    /// Drops the same partition where it comes twice; it is ignored when it has the same shape.
    fn drop_repeats(&mut self) -> Result<(), Illegal> {
        let partition = &self.set.columns().partition;
        let mut kept: Vec<Row> = Vec::with_capacity(self.order.len());
        for at in 0..self.first.len() - 1 {
            let (from, until) = (self.first[at] as usize, self.first[at + 1] as usize);
            self.first[at] = kept.len() as u32;
            for (place, row) in self.order[from..until].iter().enumerate() {
                match kept.last() {
                    Some(before) if place > 0 && partition[*before as usize] == partition[*row as usize] => {
                        if !chunk(&self.set, *before).same(&chunk(&self.set, *row)) {
                            return Err(different_chunk(&self.set, *before, *row));
                        }
                    }
                    _ => kept.push(*row),
                }
            }
        }
        if let Some(last) = self.first.last_mut() {
            *last = kept.len() as u32;
        }
        self.order = kept;
        Ok(())
    }

    /// What is true of each holder by itself.
    fn judge(&mut self, ranks: &[u32]) {
        let columns = self.set.columns();
        self.mark.reserve_exact(ranks.len());
        for (bounds, rank) in self.first.windows(2).zip(ranks) {
            let rows = &self.order[bounds[0] as usize..bounds[1] as usize];
            let flags = match counted(columns, rows) {
                Some(true) => COMPLETE,
                Some(false) => 0,
                None => {
                    let complete = is_complete(rows.iter().map(|row| chunk(&self.set, *row)));
                    let tombstone =
                        rows.iter().all(|row| columns.kind[*row as usize] == ChunkKind::Tombstone);
                    (u32::from(complete) * COMPLETE) | (u32::from(tombstone) * TOMBSTONE)
                }
            };
            self.mark.push(Mark(rank | flags));
        }
    }

    /// "Cannot add overlapping segments [%s and %s] with the same version [%s]".
    fn refuse_clashes(&self, spans: &Order) -> Result<(), Illegal> {
        // Per version: the holder that reaches farthest so far. Holders come by start, so the next one of the
        // version overlaps somebody before it only if it overlaps that one.
        let mut farthest: Vec<u32> = vec![u32::MAX; self.by_rank.len()];
        for holder in 0..self.mark.len() {
            let before = &mut farthest[self.mark[holder].rank() as usize];
            if *before != u32::MAX && spans.end[*before as usize] > spans.start[holder] {
                return Err(self.same_version(*before, holder as u32));
            }
            *before = holder as u32;
        }
        Ok(())
    }

    fn same_version(&self, a: u32, b: u32) -> Illegal {
        let ids = |holder| {
            let rows = self.segments(holder).iter();
            rows.filter_map(|row| self.set.get(*row)).map(|segment| segment.id()).collect::<Vec<SegmentId>>()
        };
        let version = self.version(self.rank(a));
        Illegal {
            reason: same_version_reason(self.interval(a), self.interval(b), version),
            segments: ids(a).into_iter().chain(ids(b)).collect(),
        }
    }

    /// Finds what is served of the complete holders; then, where some are incomplete, of all, which differs only where
    /// those are.
    fn serve(&mut self, spans: &Order) {
        let contender = |holder: u32, mark: &Mark| {
            let at = holder as usize;
            Contender { key: mark.key(), holder, start: spans.start[at], end: spans.end[at] }
        };
        let holders = || (0..).zip(&self.mark);
        let is_incomplete = |(_, mark): &(u32, &Mark)| !mark.is(COMPLETE);
        let incomplete: Vec<Contender> =
            holders().filter(is_incomplete).map(|(holder, mark)| contender(holder, mark)).collect();
        let mut served = vec![false; self.mark.len()];
        let mut complete = Collector::with_room(self.mark.len() - incomplete.len());
        // The pieces with their bounds, for as long as incomplete holders are laid over them.
        let mut pieces: Vec<Contender> = Vec::new();
        let contenders = holders().filter(|holder| !is_incomplete(holder));
        sweep(
            contenders.map(|(holder, mark)| contender(holder, mark)),
            i64::MIN,
            i64::MAX,
            |start, end, holder| {
                let mark = self.mark[holder as usize];
                let is_new = complete.push(start, end, holder, mark.rank());
                served[holder as usize] = true;
                match pieces.last_mut() {
                    _ if incomplete.is_empty() => {}
                    Some(last) if !is_new => last.end = end,
                    _ => pieces.push(Contender { key: mark.key(), holder, start, end }),
                }
            },
        );
        self.complete = complete.columns();
        if !incomplete.is_empty() {
            let mut any = Collector::with_room(self.mark.len());
            sweep_over(&pieces, &incomplete, |start, end, holder| {
                any.push(start, end, holder, self.rank(holder));
            });
            self.any = Some(any.columns());
        }
        // A complete holder that is served nowhere is covered by higher ones, and the other way round.
        for (mark, served) in self.mark.iter_mut().zip(served) {
            if mark.is(COMPLETE) && !served {
                mark.0 |= OVERSHADOWED;
            }
        }
        self.hide(&pieces, &incomplete);
    }

    /// Marks the incomplete holders that complete ones of higher versions cover, given the pieces of those.
    fn hide(&mut self, pieces: &[Contender], incomplete: &[Contender]) {
        let mut first = 0;
        for Contender { key, holder, start, end } in incomplete {
            while pieces.get(first).is_some_and(|piece| piece.end <= *start) {
                first += 1;
            }
            let after = pieces.get(first..).unwrap_or_default();
            let last = after.partition_point(|piece| piece.end < *end);
            let begins = after.first().is_some_and(|piece| piece.start <= *start && piece.key > *key);
            let ends = after.get(last).is_some_and(|piece| piece.start < *end);
            let at = *holder as usize;
            let floor = self.mark[at].rank() + 1;
            if begins && ends && self.complete().least_above(first + 1, first + last + 1, floor) {
                self.mark[at].0 |= OVERSHADOWED;
            }
        }
    }

    fn index_ends(&mut self, ends: Vec<i64>) {
        let above = |level: &[i64]| -> Vec<i64> {
            level.chunks(BLOCK).map(|block| block.iter().copied().max().unwrap_or(i64::MIN)).collect()
        };
        let mut level = above(&ends);
        while level.len() > 1 {
            let next = above(&level);
            self.latest.push(std::mem::replace(&mut level, next));
        }
        self.latest.push(level);
    }

    pub(super) fn len(&self) -> usize {
        self.mark.len()
    }

    pub(super) fn mark(&self, holder: u32) -> Option<Mark> {
        self.mark.get(holder as usize).copied()
    }

    pub(super) fn rank(&self, holder: u32) -> u32 {
        self.mark[holder as usize].rank()
    }

    pub(super) fn interval(&self, holder: u32) -> Interval {
        let columns = self.set.columns();
        let row = self.order[self.first[holder as usize] as usize] as usize;
        Interval { start: Instant::from_ms(columns.start[row]), end: Instant::from_ms(columns.end[row]) }
    }

    pub(super) fn version(&self, rank: u32) -> &str {
        self.set.columns().versions.get(self.by_rank[rank as usize]).unwrap_or_default()
    }

    pub(super) fn segments(&self, holder: u32) -> &[Row] {
        let at = holder as usize;
        &self.order[self.first[at] as usize..self.first[at + 1] as usize]
    }

    pub(super) fn complete(&self) -> Served<'_> {
        Served { columns: &self.complete, base: self }
    }

    pub(super) fn any(&self) -> Served<'_> {
        Served { columns: self.any.as_ref().unwrap_or(&self.complete), base: self }
    }

    /// Bytes it holds on to, without those of the set.
    pub(super) fn bytes(&self) -> usize {
        let words = self.by_rank.capacity() + self.first.capacity() + self.order.capacity();
        let latest: usize = self.latest.iter().map(Vec::capacity).sum();
        words * size_of::<u32>()
            + self.mark.capacity() * size_of::<Mark>()
            + latest * size_of::<i64>()
            + self.latest.capacity() * size_of::<Vec<i64>>()
            + self.complete.bytes()
            + self.any.as_ref().map_or(0, Columns::bytes)
    }

    fn rank_of(&self, version: &str) -> Result<usize, usize> {
        let versions = &self.set.columns().versions;
        let text = |number: &u32| versions.get(*number).unwrap_or_default();
        self.by_rank.binary_search_by(|number| compare_versions(text(number), version))
    }

    /// The key of a version text; for one that is not in the columns, `place_among` says how many new ones with
    /// the same number of columns' versions below them are not above it.
    pub(super) fn key_of(&self, version: &str, place_among: impl FnOnce(u64) -> u64) -> VersionKey {
        match self.rank_of(version) {
            Ok(rank) => key_of_rank(rank as u32),
            Err(below) => (below as u64) << 32 | place_among(below as u64),
        }
    }

    pub(super) fn find(&self, interval: Interval, version: &str) -> Option<u32> {
        let rank = self.rank_of(version).ok()? as u32;
        let at = self.partition_point(|holder| (self.interval(holder), self.rank(holder)) < (interval, rank));
        let found = at < self.len() as u32 && (self.interval(at), self.rank(at)) == (interval, rank);
        found.then_some(at)
    }

    /// The first holder that is not like this; those that are come first.
    fn partition_point(&self, is_before: impl Fn(u32) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low.midpoint(high);
            if is_before(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Calls back with every holder that overlaps an interval, by ascending start.
    pub(super) fn overlapping(&self, interval: Interval, found: &mut dyn FnMut(u32)) {
        if !interval.is_empty() {
            let until = self.partition_point(|holder| self.interval(holder).start < interval.end);
            self.ending_after(interval.start, self.latest.len(), 0, until, found);
        }
    }

    /// Those of the holders below one entry of a level that come before `until` and end after an instant; a level of
    /// the index stands above the holders, or above the level before it.
    fn ending_after(
        &self,
        instant: Instant,
        level: usize,
        entry: usize,
        until: u32,
        found: &mut dyn FnMut(u32),
    ) {
        let below = entry * BLOCK..(entry + 1) * BLOCK;
        let Some(level) = level.checked_sub(1) else {
            for holder in below.start as u32..(below.end as u32).min(until) {
                if self.interval(holder).end > instant {
                    found(holder);
                }
            }
            return;
        };
        let entries = if level + 1 == self.latest.len() { 0..1 } else { below };
        // Holders below one entry of this level.
        let width = BLOCK.saturating_pow(level as u32 + 1);
        for entry in entries.start..entries.end.min(self.latest[level].len()) {
            if entry.saturating_mul(width) < until as usize && self.latest[level][entry] > instant.ms() {
                self.ending_after(instant, level, entry, until, found);
            }
        }
    }
}

/// What completeness asks of a row.
pub(super) fn chunk(set: &SegmentSet, row: Row) -> Chunk<'_> {
    let (at, columns) = (row as usize, set.columns());
    let core = known(columns.core[at]);
    let range = match core {
        Some(_) => None,
        None => {
            columns.ranges.binary_search_by_key(&row, |(row, _)| *row).ok().map(|at| &columns.ranges[at].1)
        }
    };
    Chunk { partition: columns.partition[at], core, kind: columns.kind[at], range }
}

pub(super) fn same_version_reason(a: Interval, b: Interval, version: &str) -> String {
    format!("Cannot add overlapping segments [{a} and {b}] with the same version [{version}]")
}

fn different_chunk(set: &SegmentSet, a: Row, b: Row) -> Illegal {
    let ids: Vec<SegmentId> =
        [a, b].iter().filter_map(|row| set.get(*row)).map(|segment| segment.id()).collect();
    let partition = ids.first().map_or(0, |id| id.partition);
    Illegal { reason: different_chunk_reason(partition), segments: ids }
}

/// A short form of Druid's text, which prints the two chunk objects.
pub(super) fn different_chunk_reason(partition: u32) -> String {
    format!("existingChunk is different from newChunk for partitionId[{partition}]")
}
