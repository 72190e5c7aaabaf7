//! A datasource's segments as columns: 45 bytes a segment, texts interned.
//!
//! A set only grows; its rows never move, so a [`Row`] stays good for as long as the set lives. Cloning is
//! cheap (the columns are shared until one side pushes). What one segment alone says (load spec, hash buckets,
//! range bounds, unknown keys) is not kept here, except what completeness needs.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::id::write_id;
use super::{ChunkKind, Segment, SegmentId};
use crate::interval::{Instant, Interval};

/// The position of a segment in its [`SegmentSet`].
pub type Row = u32;

/// The position of an interned pair of dimension and metric names.
pub type ColumnSet = u32;

/// Stands for "not known" in the `core` and `rows` columns.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// Segments of one datasource, in the order they were pushed.
#[derive(Debug, Clone)]
pub struct SegmentSet {
    columns: Arc<Columns>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Columns {
    pub(crate) datasource: Arc<str>,
    pub(crate) start: Vec<i64>,
    pub(crate) end: Vec<i64>,
    pub(crate) version: Vec<u32>,
    pub(crate) partition: Vec<u32>,
    pub(crate) core: Vec<u32>,
    pub(crate) kind: Vec<ChunkKind>,
    pub(crate) rows: Vec<u32>,
    pub(crate) size: Vec<u64>,
    pub(crate) columns: Vec<ColumnSet>,
    pub(crate) versions: Interned<Arc<str>>,
    pub(crate) column_sets: Interned<(Arc<str>, Arc<str>)>,
    /// Range bounds of segments whose core count is not known, by row, ascending.
    pub(crate) ranges: Vec<(Row, OpenRange)>,
}

/// The ends of a value range as comparable texts; `None` is open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct OpenRange {
    pub(crate) start: Option<Arc<str>>,
    pub(crate) end: Option<Arc<str>>,
}

/// What [`SegmentSet::push_parts`] takes: a segment without its cold parts.
#[derive(Debug, Clone, Copy)]
pub struct SegmentRef<'a> {
    /// The datasource it belongs to.
    pub datasource: &'a str,
    /// The time chunk.
    pub interval: Interval,
    /// Its version.
    pub version: &'a str,
    /// Partition number.
    pub partition: u32,
    /// Core partition count; `None` = not known.
    pub core: Option<u32>,
    /// Kind of shard spec.
    pub kind: ChunkKind,
    /// Rows, where known.
    pub rows: Option<u64>,
    /// Bytes.
    pub size: u64,
    /// Dimension names joined by commas.
    pub dimensions: &'a str,
    /// Metric names joined by commas.
    pub metrics: &'a str,
}

impl SegmentRef<'_> {
    /// Its id, as Druid prints it.
    pub fn id(&self) -> SegmentId {
        SegmentId {
            datasource: self.datasource.into(),
            interval: self.interval,
            version: self.version.into(),
            partition: self.partition,
        }
    }
}

impl SegmentSet {
    /// An empty set of a datasource.
    pub fn new(datasource: &str) -> SegmentSet {
        SegmentSet { columns: Arc::new(Columns { datasource: datasource.into(), ..Columns::default() }) }
    }

    /// A set of these segments. The caller has sorted out those of other datasources.
    pub fn of<'a>(datasource: &str, segments: impl IntoIterator<Item = &'a Segment>) -> SegmentSet {
        let mut set = SegmentSet::new(datasource);
        for segment in segments {
            set.push(segment);
        }
        set
    }

    /// The datasource all segments belong to.
    pub fn datasource(&self) -> &str {
        &self.columns.datasource
    }

    /// How many segments.
    pub fn len(&self) -> usize {
        self.columns.start.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.columns.start.is_empty()
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, more: usize) {
        let columns = Arc::make_mut(&mut self.columns);
        columns.start.reserve(more);
        columns.end.reserve(more);
        columns.version.reserve(more);
        columns.partition.reserve(more);
        columns.core.reserve(more);
        columns.kind.reserve(more);
        columns.rows.reserve(more);
        columns.size.reserve(more);
        columns.columns.reserve(more);
    }

    /// Adds a segment; it counts as one of this set's datasource, whatever its own field says. More than
    /// `u32::MAX - 1` rows in one segment are stored as that many (Druid's own field is a Java int).
    pub fn push(&mut self, segment: &Segment) -> Row {
        let row = self.push_parts(&SegmentRef {
            datasource: &segment.datasource,
            interval: segment.interval,
            version: &segment.version,
            partition: segment.shard.partition(),
            core: segment.shard.core(),
            kind: segment.shard.kind(),
            rows: segment.rows,
            size: segment.size,
            dimensions: &segment.dimensions,
            metrics: &segment.metrics,
        });
        if let Some((start, end)) = segment.shard.open_range() {
            self.push_range(row, OpenRange { start: start.map(Into::into), end: end.map(Into::into) });
        }
        row
    }

    /// Adds a segment given by its parts, as [`push`](Self::push) does.
    pub fn push_parts(&mut self, segment: &SegmentRef<'_>) -> Row {
        let columns = Arc::make_mut(&mut self.columns);
        let row = columns.start.len() as Row;
        let version = columns.versions.text(segment.version);
        let column_set = columns.column_sets.pair(segment.dimensions, segment.metrics);
        columns.start.push(segment.interval.start.ms());
        columns.end.push(segment.interval.end.ms());
        columns.version.push(version);
        columns.partition.push(segment.partition);
        columns.core.push(segment.core.map_or(UNKNOWN, |core| core.min(UNKNOWN - 1)));
        columns.kind.push(segment.kind);
        columns.rows.push(segment.rows.map_or(UNKNOWN, |rows| rows.min(u64::from(UNKNOWN - 1)) as u32));
        columns.size.push(segment.size);
        columns.columns.push(column_set);
        row
    }

    pub(crate) fn push_range(&mut self, row: Row, range: OpenRange) {
        Arc::make_mut(&mut self.columns).ranges.push((row, range));
    }

    /// The segment of a row; `None` past the end.
    pub fn get(&self, row: Row) -> Option<SegmentRef<'_>> {
        let (at, columns) = (row as usize, &*self.columns);
        let (dimensions, metrics) = columns.column_sets.get(*columns.columns.get(at)?)?;
        Some(SegmentRef {
            datasource: &columns.datasource,
            interval: self.interval(row)?,
            version: columns.versions.get(*columns.version.get(at)?)?,
            partition: *columns.partition.get(at)?,
            core: known(*columns.core.get(at)?),
            kind: *columns.kind.get(at)?,
            rows: known(*columns.rows.get(at)?).map(u64::from),
            size: *columns.size.get(at)?,
            dimensions,
            metrics,
        })
    }

    /// All segments in the order they were pushed.
    pub fn iter(&self) -> impl Iterator<Item = SegmentRef<'_>> + '_ {
        (0..self.len() as Row).filter_map(|row| self.get(row))
    }

    /// The time chunk of a row.
    pub fn interval(&self, row: Row) -> Option<Interval> {
        let at = row as usize;
        Some(Interval {
            start: Instant::from_ms(*self.columns.start.get(at)?),
            end: Instant::from_ms(*self.columns.end.get(at)?),
        })
    }

    /// The version text of a row; empty past the end.
    pub fn version(&self, row: Row) -> &str {
        self.columns
            .version
            .get(row as usize)
            .and_then(|id| self.columns.versions.get(*id))
            .map_or("", |version| version)
    }

    /// Druid's id of a row; empty past the end.
    pub fn id(&self, row: Row) -> String {
        let mut text = String::new();
        if let Some(segment) = self.get(row) {
            // Writing to a String cannot fail.
            let _ =
                write_id(&mut text, segment.datasource, segment.interval, segment.version, segment.partition);
        }
        text
    }

    /// The different versions, in the order they were first met.
    pub fn versions(&self) -> impl Iterator<Item = &str> + '_ {
        self.columns.versions.items.iter().map(|version| &**version)
    }

    pub(crate) fn from_columns(columns: Columns) -> SegmentSet {
        SegmentSet { columns: Arc::new(columns) }
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }
}

/// Equal when they hold equal segments in equal order, however their texts are numbered inside.
impl PartialEq for SegmentSet {
    fn eq(&self, other: &SegmentSet) -> bool {
        let same = |a: SegmentRef<'_>, b: SegmentRef<'_>| {
            (a.interval, a.version, a.partition, a.core, a.kind, a.rows, a.size)
                == (b.interval, b.version, b.partition, b.core, b.kind, b.rows, b.size)
                && (a.dimensions, a.metrics) == (b.dimensions, b.metrics)
        };
        self.datasource() == other.datasource()
            && self.len() == other.len()
            && self.columns.ranges == other.columns.ranges
            && self.iter().zip(other.iter()).all(|(a, b)| same(a, b))
    }
}

pub(crate) fn known(number: u32) -> Option<u32> {
    (number != UNKNOWN).then_some(number)
}

/// Distinct values numbered in the order they are first met.
#[derive(Debug, Clone)]
pub(crate) struct Interned<T> {
    pub(crate) items: Vec<T>,
    numbers: HashMap<T, u32, BuildHasherDefault<Fold>>,
    /// The number given last: neighbours mostly share it.
    last: u32,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned { items: Vec::new(), numbers: HashMap::default(), last: 0 }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Interned<T> {
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.items.get(number as usize)
    }

    fn add(&mut self, item: T) -> u32 {
        let number = self.items.len() as u32;
        self.items.push(item.clone());
        self.numbers.insert(item, number);
        number
    }
}

impl Interned<Arc<str>> {
    /// The number of a text.
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        if self.get(self.last).is_none_or(|last| **last != *text) {
            self.last = match self.numbers.get(text) {
                Some(number) => *number,
                None => self.add(text.into()),
            };
        }
        self.last
    }
}

impl Interned<(Arc<str>, Arc<str>)> {
    /// The number of a pair of texts.
    pub(crate) fn pair(&mut self, first: &str, second: &str) -> u32 {
        if self.get(self.last).is_none_or(|(a, b)| **a != *first || **b != *second) {
            let pair: (Arc<str>, Arc<str>) = (first.into(), second.into());
            self.last = match self.numbers.get(&pair) {
                Some(number) => *number,
                None => self.add(pair),
            };
        }
        self.last
    }
}

/// A multiply-and-fold hash, eight bytes at a time: short texts are looked up by the million, and a pure crate
/// takes no random keys. Who could choose the texts is the cluster itself.
#[derive(Clone, Default)]
pub(crate) struct Fold(u64);

impl Fold {
    fn word(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
        self.0 = wide as u64 ^ (wide >> 64) as u64;
    }
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.word(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
