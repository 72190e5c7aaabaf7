//! A datasource's segments as columns: 45 bytes a segment, texts interned.
//!
//! A set only grows; its rows never move, so a [`Row`] stays good for as long as the set lives. Cloning is
//! cheap (the columns are shared until one side pushes). What one segment alone says (load spec, hash buckets,
//! range bounds, unknown keys) is not kept here, except what completeness needs.

use std::sync::Arc;

use super::id::write_id;
use super::texts::{Pairs, Texts};
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
    pub(crate) versions: Texts,
    pub(crate) column_sets: Pairs,
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

/// Bytes of memory a [`SegmentSet`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetBytes {
    /// What a timeline is made of: intervals, versions by number, partitions, core counts, kinds.
    pub hot: usize,
    /// What it never looks at: rows, sizes, column sets by number, bounds of old ranges.
    pub cold: usize,
    /// The texts behind the numbers, and the tables that find them.
    pub texts: usize,
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
        Arc::make_mut(&mut self.columns).push(segment)
    }

    /// Adds many, as [`push_parts`](Self::push_parts) does one.
    pub fn extend_parts<'a>(&mut self, segments: impl Iterator<Item = SegmentRef<'a>>) {
        let columns = Arc::make_mut(&mut self.columns);
        for segment in segments {
            columns.push(&segment);
        }
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
            .unwrap_or_default()
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
        self.columns.versions.from(0)
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> SetBytes {
        let columns = &*self.columns;
        let of_u32 = |column: &Vec<u32>| column.capacity() * size_of::<u32>();
        SetBytes {
            hot: (columns.start.capacity() + columns.end.capacity()) * size_of::<i64>()
                + [&columns.version, &columns.partition, &columns.core].map(of_u32).iter().sum::<usize>()
                + columns.kind.capacity(),
            cold: columns.size.capacity() * size_of::<u64>()
                + [&columns.rows, &columns.columns].map(of_u32).iter().sum::<usize>()
                + columns.ranges.capacity() * size_of::<(Row, OpenRange)>(),
            texts: columns.versions.bytes() + columns.column_sets.bytes(),
        }
    }

    pub(crate) fn from_columns(columns: Columns) -> SegmentSet {
        SegmentSet { columns: Arc::new(columns) }
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }
}

impl Columns {
    fn push(&mut self, segment: &SegmentRef<'_>) -> Row {
        let row = self.start.len() as Row;
        self.start.push(segment.interval.start.ms());
        self.end.push(segment.interval.end.ms());
        self.version.push(self.versions.number(segment.version));
        self.partition.push(segment.partition);
        self.core.push(segment.core.map_or(UNKNOWN, |core| core.min(UNKNOWN - 1)));
        self.kind.push(segment.kind);
        self.rows.push(segment.rows.map_or(UNKNOWN, |rows| rows.min(u64::from(UNKNOWN - 1)) as u32));
        self.size.push(segment.size);
        self.columns.push(self.column_sets.number(segment.dimensions, segment.metrics));
        row
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
