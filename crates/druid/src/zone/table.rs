//! One zone's offsets as a list of changes, for ever: after the year 2100 the changes repeat every 400 years.
//!
//! Always holds: changes are sorted and each one changes the offset. The tail is exact because the Gregorian calendar,
//! weekdays included, repeats every 400 years and zone rules name months and weekdays only; every zone of the tz
//! database has reached its last rule before 2100 (Morocco, the last one, in 2087).
//!
//! As JSON (`{"name", "first", "changes":[[seconds since the last one, offset seconds], …]}`) a table travels from the
//! gateway to the browser.

use serde::{Deserialize, Serialize};

use crate::interval::civil::{DAY, DAYS_PER_400_YEARS};
use crate::json::{Document, Node};

/// 2100-01-01T00:00:00Z: from here on a table must hold 400 years of changes, which then repeat.
pub(crate) const TAIL_START: i64 = 4_102_444_800_000;
/// Length of the repeating tail in milliseconds.
pub(crate) const TAIL_LENGTH: i64 = DAYS_PER_400_YEARS * DAY;

/// The offsets of one zone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
pub struct ZoneTable {
    name: String,
    first: i64,
    changes: Vec<(i64, i64)>,
    repeats: bool,
}

/// Why a table was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("zone table {name}: {reason}")]
pub struct BadTable {
    /// The zone's name as given.
    pub name: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl ZoneTable {
    /// From the offset before the first change and the changes `(instant, offset from then on)`, all in milliseconds,
    /// up to the year 2500 where they go on. Changes that change nothing are dropped.
    pub fn new(name: &str, first: i64, changes: Vec<(i64, i64)>) -> Result<ZoneTable, BadTable> {
        let bad = |reason| BadTable { name: name.to_owned(), reason };
        let mut kept: Vec<(i64, i64)> = Vec::with_capacity(changes.len());
        let mut offset = first;
        for (at, next) in std::iter::once((i64::MIN, first)).chain(changes) {
            if next.unsigned_abs() >= DAY.unsigned_abs() {
                return Err(bad("an offset is a day or more"));
            }
            if at >= TAIL_START + TAIL_LENGTH {
                break; // repeats the tail
            }
            if kept.last().is_some_and(|&(last, _)| last >= at) {
                return Err(bad("changes are not in order"));
            }
            if next != offset {
                kept.push((at, next));
                offset = next;
            }
        }
        let repeats = kept.last().is_some_and(|&(at, _)| at >= TAIL_START);
        Ok(ZoneTable { name: name.to_owned(), first, changes: kept, repeats })
    }

    /// Reads the JSON form; none where it is not one.
    pub fn read(text: &str) -> Option<ZoneTable> {
        let document = Document::parse(text);
        let root = document.root()?;
        let change = |node: Node<'_>| {
            let mut pair = node.items().map(Node::as_i64);
            Some((pair.next()??, pair.next()??))
        };
        let wire = Wire {
            name: root.get("name")?.as_str()?.into_owned(),
            first: root.get("first")?.as_i64()?,
            changes: root.get("changes")?.items().map(change).collect::<Option<_>>()?,
        };
        ZoneTable::try_from(wire).ok()
    }

    /// The name it is looked up by, such as `America/New_York`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the offset never changes.
    pub fn is_fixed(&self) -> bool {
        self.changes.is_empty()
    }

    /// Offset in milliseconds at an instant.
    pub(super) fn offset(&self, ms: i64) -> i64 {
        let (at, _) = self.wrap(ms);
        let after = self.changes.partition_point(|&(change, _)| change <= at);
        after.checked_sub(1).and_then(|last| self.changes.get(last)).map_or(self.first, |&(_, offset)| offset)
    }

    /// First change after an instant: when, and the offset from then on.
    pub(super) fn next_change(&self, ms: i64) -> Option<(i64, i64)> {
        let (at, shift) = self.wrap(ms);
        let after = self.changes.partition_point(|&(change, _)| change <= at);
        if let Some(&(change, offset)) = self.changes.get(after) {
            return Some((change.saturating_add(shift), offset));
        }
        if !self.repeats {
            return None;
        }
        // The first change of the next round of the tail.
        let first = self.changes.partition_point(|&(change, _)| change < TAIL_START);
        self.changes.get(first).map(|&(change, offset)| (change.saturating_add(shift + TAIL_LENGTH), offset))
    }

    /// Last change at or before an instant: when, and the offset before it.
    pub(super) fn last_change(&self, ms: i64) -> Option<(i64, i64)> {
        let (at, shift) = self.wrap(ms);
        let mut last = self.changes.partition_point(|&(change, _)| change <= at).checked_sub(1)?;
        let mut shift = shift;
        let (mut change, _) = *self.changes.get(last)?;
        if shift > 0 && change < TAIL_START {
            // Wrapped, and nothing earlier in this round of the tail: the last one of the round before.
            last = self.changes.len().checked_sub(1)?;
            shift -= TAIL_LENGTH;
            change = self.changes.get(last)?.0;
        }
        let before =
            last.checked_sub(1).and_then(|i| self.changes.get(i)).map_or(self.first, |&(_, offset)| offset);
        Some((change + shift, before))
    }

    /// The same moment of the calendar inside the table, and how far back that was.
    fn wrap(&self, ms: i64) -> (i64, i64) {
        if !self.repeats || ms < TAIL_START + TAIL_LENGTH {
            return (ms, 0);
        }
        let shift = (ms - TAIL_START).div_euclid(TAIL_LENGTH) * TAIL_LENGTH;
        (ms - shift, shift)
    }
}

/// The JSON form, in seconds and differences, which packs well.
#[derive(Serialize, Deserialize)]
struct Wire {
    name: String,
    first: i64,
    changes: Vec<(i64, i64)>,
}

impl From<ZoneTable> for Wire {
    fn from(table: ZoneTable) -> Wire {
        let mut last = 0;
        let changes = table
            .changes
            .iter()
            .map(|&(at, offset)| {
                let step = at / 1000 - last;
                last = at / 1000;
                (step, offset / 1000)
            })
            .collect();
        Wire { name: table.name, first: table.first / 1000, changes }
    }
}

impl TryFrom<Wire> for ZoneTable {
    type Error = BadTable;

    fn try_from(wire: Wire) -> Result<ZoneTable, BadTable> {
        let bad = |reason| BadTable { name: wire.name.clone(), reason };
        let mut at = 0i64;
        let mut changes = Vec::with_capacity(wire.changes.len());
        for &(step, offset) in &wire.changes {
            at = at.checked_add(step).ok_or_else(|| bad("an instant does not fit 64 bits"))?;
            let ms = at.checked_mul(1000).ok_or_else(|| bad("an instant does not fit 64 bits"))?;
            changes.push((ms, offset.checked_mul(1000).ok_or_else(|| bad("an offset is a day or more"))?));
        }
        let first = wire.first.checked_mul(1000).ok_or_else(|| bad("an offset is a day or more"))?;
        ZoneTable::new(&wire.name, first, changes)
    }
}
