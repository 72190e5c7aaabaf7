//! The immutable part of a timeline: holders and pieces of a set, built by one sort and one sweep.

#![allow(clippy::indexing_slicing, reason = "every index is made here from the length of the same column")]

use std::sync::Arc;

use super::complete::{Chunk, is_complete};
use super::pieces::Columns;
use super::sweep::{Contender, sweep};
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

/// Holders sorted by start, end and version, and the pieces they are served in.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) set: SegmentSet,
    /// Versions by rank.
    versions: Vec<Arc<str>>,
    start: Vec<i64>,
    end: Vec<i64>,
    mark: Vec<Mark>,
    /// Where each holder's segments begin in `order`; one more at the end.
    first: Vec<u32>,
    /// Rows of the set, holder by holder, by ascending partition.
    order: Vec<Row>,
    /// Latest end per block of holders.
    latest: Vec<i64>,
    pub(super) complete: Columns,
    /// `None` when incomplete holders change nothing.
    any: Option<Columns>,
}

/// What segments are sorted by: holder, then partition, then the order they came in.
type SortKey = (i64, i64, u64, Row);

impl Base {
    pub(super) fn build(set: &SegmentSet) -> Result<Base, Illegal> {
        let columns = set.columns();
        let (versions, ranks) = rank_versions(&columns.versions.items);
        let mut keys: Vec<SortKey> = (0..set.len())
            .map(|at| {
                let rank = ranks[columns.version[at] as usize];
                let place = u64::from(rank) << 32 | u64::from(columns.partition[at]);
                (columns.start[at], columns.end[at], place, at as Row)
            })
            .collect();
        if !keys.is_sorted() {
            keys.sort_unstable();
        }
        let mut base = Base {
            set: set.clone(),
            versions,
            start: Vec::new(),
            end: Vec::new(),
            mark: Vec::new(),
            first: Vec::new(),
            order: Vec::with_capacity(keys.len()),
            latest: Vec::new(),
            complete: Columns::default(),
            any: None,
        };
        base.group(&keys)?;
        drop(keys);
        base.refuse_clashes()?;
        base.serve();
        Ok(base)
    }

    /// Makes holders of the sorted segments.
    fn group(&mut self, keys: &[SortKey]) -> Result<(), Illegal> {
        let same_holder = |a: &SortKey, b: &SortKey| (a.0, a.1) == (b.0, b.1) && a.2 >> 32 == b.2 >> 32;
        for group in keys.chunk_by(same_holder) {
            let (start, end, place, _) = group[0];
            let first = self.order.len();
            for (at, key) in group.iter().enumerate() {
                if at > 0 && group[at - 1].2 == key.2 {
                    // The same partition twice: ignored when it has the same shape.
                    let before = self.order[self.order.len() - 1];
                    if !chunk(&self.set, before).same(&chunk(&self.set, key.3)) {
                        return Err(different_chunk(&self.set, before, key.3));
                    }
                    continue;
                }
                self.order.push(key.3);
            }
            let rows = &self.order[first..];
            let complete = is_complete(rows.iter().map(|row| chunk(&self.set, *row)));
            let kinds = &self.set.columns().kind;
            let tombstone = rows.iter().all(|row| kinds[*row as usize] == ChunkKind::Tombstone);
            let flags = if complete { COMPLETE } else { 0 } | if tombstone { TOMBSTONE } else { 0 };
            self.start.push(start);
            self.end.push(end);
            self.mark.push(Mark((place >> 32) as u32 | flags));
            self.first.push(first as u32);
        }
        self.first.push(self.order.len() as u32);
        for column in [&mut self.start, &mut self.end] {
            column.shrink_to_fit();
        }
        self.mark.shrink_to_fit();
        self.first.shrink_to_fit();
        self.order.shrink_to_fit();
        self.latest =
            self.end.chunks(BLOCK).map(|block| block.iter().copied().max().unwrap_or(i64::MIN)).collect();
        Ok(())
    }

    /// "Cannot add overlapping segments [%s and %s] with the same version [%s]".
    fn refuse_clashes(&self) -> Result<(), Illegal> {
        // Per version: the holder that reaches farthest so far. Holders come by start, so the next one of the
        // version overlaps somebody before it only if it overlaps that one.
        let mut farthest: Vec<u32> = vec![u32::MAX; self.versions.len()];
        for holder in 0..self.start.len() {
            let before = &mut farthest[self.mark[holder].rank() as usize];
            if *before != u32::MAX && self.end[*before as usize] > self.start[holder] {
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
        Illegal {
            reason: same_version_reason(
                self.interval(a),
                self.interval(b),
                self.version(self.mark[a as usize].rank()),
            ),
            segments: ids(a).into_iter().chain(ids(b)).collect(),
        }
    }

    /// Sweeps twice at most: complete holders, and all when some are incomplete.
    fn serve(&mut self) {
        let contender = |base: &Base, holder: usize| Contender {
            key: base.mark[holder].key(),
            holder: holder as u32,
            start: base.start[holder],
            end: base.end[holder],
        };
        let mut complete = Columns::default();
        let mut served = vec![false; self.start.len()];
        let contenders = (0..self.start.len()).filter(|holder| self.mark[*holder].is(COMPLETE));
        sweep(contenders.map(|holder| contender(self, holder)), i64::MIN, i64::MAX, |start, end, holder| {
            complete.push(start, end, holder);
            served[holder as usize] = true;
        });
        complete.index(|holder| self.mark[holder as usize].rank());
        if self.mark.iter().any(|mark| !mark.is(COMPLETE)) {
            let mut any = Columns::default();
            let contenders = (0..self.start.len()).map(|holder| contender(self, holder));
            sweep(contenders, i64::MIN, i64::MAX, |start, end, holder| any.push(start, end, holder));
            any.index(|holder| self.mark[holder as usize].rank());
            self.any = Some(any);
        }
        for (holder, served) in served.into_iter().enumerate() {
            let mark = self.mark[holder];
            // A complete holder that is served nowhere is covered by higher ones, and the other way round.
            let overshadowed = if mark.is(COMPLETE) {
                !served
            } else {
                let rank = |other: u32| self.mark[other as usize].rank();
                complete.covered_above(self.start[holder], self.end[holder], Some(mark.rank()), rank)
            };
            if overshadowed {
                self.mark[holder] = Mark(mark.0 | OVERSHADOWED);
            }
        }
        self.complete = complete;
    }

    pub(super) fn len(&self) -> usize {
        self.start.len()
    }

    pub(super) fn mark(&self, holder: u32) -> Option<Mark> {
        self.mark.get(holder as usize).copied()
    }

    pub(super) fn interval(&self, holder: u32) -> Interval {
        let at = holder as usize;
        Interval { start: Instant::from_ms(self.start[at]), end: Instant::from_ms(self.end[at]) }
    }

    pub(super) fn version(&self, rank: u32) -> &str {
        &self.versions[rank as usize]
    }

    pub(super) fn segments(&self, holder: u32) -> &[Row] {
        let at = holder as usize;
        &self.order[self.first[at] as usize..self.first[at + 1] as usize]
    }

    pub(super) fn any(&self) -> &Columns {
        self.any.as_ref().unwrap_or(&self.complete)
    }

    /// The key of a version text; for one that is not in the columns, `place_among` says how many new ones with
    /// the same number of columns' versions below them are not above it.
    pub(super) fn key_of(&self, version: &str, place_among: impl FnOnce(u64) -> u64) -> VersionKey {
        match self.versions.binary_search_by(|other| compare_versions(other, version)) {
            Ok(rank) => key_of_rank(rank as u32),
            Err(below) => (below as u64) << 32 | place_among(below as u64),
        }
    }

    pub(super) fn find(&self, interval: Interval, version: &str) -> Option<u32> {
        let rank = self.versions.binary_search_by(|other| compare_versions(other, version)).ok()?;
        let wanted = (interval.start.ms(), interval.end.ms(), rank as u32);
        let (mut low, mut high) = (0, self.start.len());
        while low < high {
            let middle = low.midpoint(high);
            match (self.start[middle], self.end[middle], self.mark[middle].rank()).cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle as u32),
            }
        }
        None
    }

    /// Calls back with every holder that overlaps [start, end), by ascending start.
    pub(super) fn overlapping(&self, start: i64, end: i64, found: &mut dyn FnMut(u32)) {
        if start >= end {
            return;
        }
        let until = self.start.partition_point(|other| *other < end);
        for (block, latest) in self.latest.iter().take(until.div_ceil(BLOCK)).enumerate() {
            if *latest > start {
                let from = block * BLOCK;
                for holder in from..(from + BLOCK).min(until) {
                    if self.end[holder] > start {
                        found(holder as u32);
                    }
                }
            }
        }
    }
}

/// Sorts the versions: the texts by rank, and the rank of each number.
fn rank_versions(versions: &[Arc<str>]) -> (Vec<Arc<str>>, Vec<u32>) {
    // Versions are mostly times of 24 characters: their first 32 bytes as two numbers decide nearly always without
    // a look at the text. Bytes and UTF-16 units agree as long as everything is ASCII.
    let ascii = versions.iter().all(|version| version.is_ascii());
    let mut keyed: Vec<([u128; 2], u32)> = (0..)
        .zip(versions)
        .map(|(number, text)| (if ascii { prefix(text) } else { [0; 2] }, number))
        .collect();
    let order = |a: &([u128; 2], u32), b: &([u128; 2], u32)| {
        let texts = || compare_versions(&versions[a.1 as usize], &versions[b.1 as usize]);
        a.0.cmp(&b.0).then_with(texts)
    };
    if !keyed.is_sorted_by(|a, b| order(a, b).is_le()) {
        keyed.sort_unstable_by(order);
    }
    let mut ranks = vec![0; versions.len()];
    for (rank, (_, number)) in keyed.iter().enumerate() {
        ranks[*number as usize] = rank as u32;
    }
    (keyed.iter().map(|(_, number)| versions[*number as usize].clone()).collect(), ranks)
}

/// The first 32 bytes, big end first, zeros behind a shorter text.
fn prefix(text: &str) -> [u128; 2] {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(text.as_bytes()).for_each(|(to, from)| *to = *from);
    let (halves, _) = bytes.as_chunks::<16>();
    [u128::from_be_bytes(halves[0]), u128::from_be_bytes(halves[1])]
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
