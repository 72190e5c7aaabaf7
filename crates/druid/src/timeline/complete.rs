//! When a holder is complete: Druid's walk over its chunks (`PartitionHolder.isComplete`), kind by kind.
//!
//! Chunks are walked by ascending partition number. The first must be a *start*; if it is also an *end* the
//! holder is complete; otherwise each next must *abut* the one before until one is an *end*. So a holder of
//! core 0 is complete with any gaps, and a holder that misses one core partition is invisible as a whole,
//! appended partitions included.

use crate::segment::set::{Columns, OpenRange, UNKNOWN};
use crate::segment::{ChunkKind, Row};

/// What completeness asks of one chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'a> {
    pub(super) partition: u32,
    pub(super) core: Option<u32>,
    pub(super) kind: ChunkKind,
    /// Range bounds, for `single` and `range` without a core count.
    pub(super) range: Option<&'a OpenRange>,
}

/// How a chunk takes part in the walk (`ShardSpec.createChunk`).
#[derive(Clone, Copy)]
enum Class<'a> {
    Numbered {
        partition: u32,
        core: u32,
    },
    /// `StringPartitionChunk`: joined by its range.
    Text(&'a OpenRange),
    Linear,
    /// `SingleElementPartitionChunk`, `TombstonePartitionedChunk`.
    Alone,
}

impl<'a> Chunk<'a> {
    fn class(&self) -> Class<'a> {
        match (self.kind, self.core, self.range) {
            (ChunkKind::Linear, ..) => Class::Linear,
            (ChunkKind::None | ChunkKind::Tombstone, ..) => Class::Alone,
            (_, None, Some(range)) => Class::Text(range),
            // A kind that is not known and says no core count: taken as alone rather than never complete.
            (_, None, None) => Class::Alone,
            (_, Some(core), _) => Class::Numbered { partition: self.partition, core },
        }
    }

    /// Whether Druid would take `other` for the very same chunk, given equal partition numbers.
    pub(super) fn same(&self, other: &Chunk<'_>) -> bool {
        match (self.class(), other.class()) {
            (Class::Numbered { core: a, .. }, Class::Numbered { core: b, .. }) => a == b,
            // StringPartitionChunk compares by number alone.
            (Class::Text(_), Class::Text(_)) => true,
            (Class::Linear, Class::Linear) => true,
            (Class::Alone, Class::Alone) => self.kind == other.kind,
            _ => false,
        }
    }
}

impl Class<'_> {
    fn is_start(self) -> bool {
        match self {
            Class::Numbered { partition, core } => core == 0 || partition == 0,
            Class::Text(range) => range.start.is_none(),
            Class::Linear | Class::Alone => true,
        }
    }

    fn is_end(self) -> bool {
        match self {
            Class::Numbered { partition, core } => core == 0 || partition == core - 1,
            Class::Text(range) => range.end.is_none(),
            Class::Linear | Class::Alone => true,
        }
    }

    fn abuts(self, next: Class<'_>) -> bool {
        match (self, next) {
            (Class::Numbered { partition, .. }, Class::Numbered { partition: next, core }) => {
                if next < core {
                    Some(next) == partition.checked_add(1)
                } else {
                    next > partition
                }
            }
            (Class::Text(range), Class::Text(next)) => range.end.is_some() && range.end == next.start,
            (Class::Linear, _) => true,
            _ => false,
        }
    }
}

/// Whether the chunks, in ascending partition order, make a complete holder. None at all do not.
pub(super) fn is_complete<'a>(chunks: impl IntoIterator<Item = Chunk<'a>>) -> bool {
    let mut chunks = chunks.into_iter().map(|chunk| chunk.class());
    let Some(mut current) = chunks.next() else { return false };
    if !current.is_start() {
        return false;
    }
    while !current.is_end() {
        match chunks.next() {
            Some(next) if current.abuts(next) => current = next,
            _ => return false,
        }
    }
    true
}

/// The same, of rows of different partitions, by counting: for holders of one known core count throughout, which is
/// nearly all of them. `None` where the walk must tell.
#[allow(clippy::indexing_slicing, reason = "rows are of the set whose columns these are")]
pub(super) fn counted(columns: &Columns, rows: &[Row]) -> Option<bool> {
    let core = columns.core[*rows.first()? as usize];
    let as_numbered = |row: &Row| {
        let walks_otherwise =
            matches!(columns.kind[*row as usize], ChunkKind::Linear | ChunkKind::None | ChunkKind::Tombstone);
        columns.core[*row as usize] == core && !walks_otherwise
    };
    if core == UNKNOWN || !rows.iter().all(as_numbered) {
        return None;
    }
    // Numbers ascend, so the last core partition stands in its own place only if all before it are there.
    let Some(last) = core.checked_sub(1) else { return Some(true) };
    Some(rows.get(last as usize).is_some_and(|row| columns.partition[*row as usize] == last))
}
