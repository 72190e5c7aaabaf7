//! What the three rules about odd places of an append share: which holders its rows may reach.

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval};
use druid::spec::Mode;
use druid::timeline::Holder;

use super::Seen;

/// Visible holders that a row of the append may meet, with the visible piece of each; empty for other modes. Druid looks
/// for them in the row's own chunk.
pub(super) fn reached<'a>(seen: &Seen<'a>) -> Vec<(Interval, Holder<'a>)> {
    let Some(batch) = seen.batch().filter(|batch| batch.mode == Mode::Append) else { return Vec::new() };
    let rows = seen.question.known.exact().map(|rows| {
        let mut rows: Vec<Instant> = rows.splits.iter().flatten().copied().collect();
        rows.sort_unstable();
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
    seen.visible().filter(|(piece, _)| reached(*piece)).collect()
}

/// The whole chunks that a piece touches.
fn chunks(granularity: &Granularity, piece: Interval) -> Interval {
    let last = Instant::from_ms(piece.end.ms().saturating_sub(1));
    Interval { start: granularity.bucket(piece.start).start, end: granularity.bucket(last).end }
}
