//! What the three rules about odd places of an append share: which holders its rows may reach. Found once for all three.

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval};
use druid::order::Order as _;
use druid::spec::Mode;
use druid::timeline::Holder;

use super::Seen;
use super::saw::Saw;

/// Visible holders that a row of the append may meet, each once, in order of time; empty for other modes. Druid looks for
/// them in the row's own chunk.
pub(super) fn reached<'a>(seen: &Seen<'a>) -> Vec<Holder<'a>> {
    let Some(batch) = seen.batch().filter(|batch| batch.mode == Mode::Append) else { return Vec::new() };
    let rows = seen.question.known.exact().map(|rows| {
        let mut rows: Vec<Instant> = rows.splits.iter().flatten().copied().collect();
        rows.order();
        rows
    });
    let reached = |piece: Interval| match &rows {
        Some(rows) => {
            let chunks = chunks(&batch.granularity.segment, piece);
            let at = rows.partition_point(|row| *row < chunks.start);
            rows.get(at).is_some_and(|row| *row < chunks.end)
        }
        None => true,
    };
    let mut holders: Vec<Holder<'a>> =
        seen.visible().filter(|(piece, _)| reached(*piece)).map(|(_, holder)| holder).collect();
    holders.order_by_key(|holder| (holder.interval, holder.id));
    holders.dedup_by_key(|holder| holder.id);
    holders
}

/// The whole chunks that a piece touches, as rows find them: of `ALL` it is eternity, whatever the intervals are.
fn chunks(granularity: &Granularity, piece: Interval) -> Interval {
    let last = Instant::from_ms(piece.end.ms().saturating_sub(1));
    Interval { start: granularity.bucket(piece.start).start, end: granularity.bucket(last).end }
}

/// The intervals of some of them, and what was seen of these.
pub(super) fn told<'h>(name: &str, holders: impl Iterator<Item = &'h Holder<'h>>) -> (Vec<Interval>, Saw) {
    let mut saw = Saw::new(name);
    let mut found: Vec<Interval> = Vec::new();
    for holder in holders {
        saw = saw.text(&holder.interval.short()).text(holder.version);
        found.push(holder.interval);
    }
    found.dedup();
    (found, saw)
}
