//! Chunks that hold rows now and get a tombstone (facts 3.5).

use druid::spec::Mode;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::forecast::FateKind;
use crate::words::{count, number};

pub(super) const NAME: &str = "chunks-emptied";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(world)) = (seen.batch(), seen.worst) else { return Vec::new() };
    if batch.mode != Mode::Replace || seen.forecast.typed.is_empty() {
        return Vec::new();
    }
    let emptied = world.counts.emptied.chunks;
    if !emptied.may_be() {
        return vec![Finding::pass(
            NAME,
            "No chunk is emptied",
            "Every chunk that holds rows now gets new ones, or none holds any.",
        )];
    }
    // Rows of segments that lie wholly in chunks that may be emptied.
    let mut rows = 0u64;
    let mut saw = Saw::new(NAME);
    for fate in world.fates.iter().filter(|fate| fate.kind.may().contains(&FateKind::Tombstone)) {
        let data = world.under(fate).iter().filter(|piece| piece.holds_data);
        for piece in data {
            let Some(holder) = seen.question.timeline.holder(piece.holder) else { continue };
            saw = saw.text(&piece.interval.short()).text(holder.version).number(holder.len() as u64);
            if piece.interval == holder.interval {
                rows = rows.saturating_add(holder.rows().unwrap_or(0));
            }
        }
        saw = saw.number(fate.kind as u64);
    }
    let with_rows = if rows > 0 { format!(" with {}", count(rows, "row")) } else { String::new() };
    let (title, why) = if emptied.is_certain() {
        (
            format!("{}{with_rows} will be emptied", count(emptied.most, "chunk")),
            "dropExisting is true and the input has no row for them: a tombstone hides what they hold."
                .to_owned(),
        )
    } else {
        let sure = match emptied.least {
            0 => String::new(),
            least => format!(" {} for certain.", number(least)),
        };
        (
            format!("Up to {}{with_rows} may be emptied", count(emptied.most, "chunk")),
            format!(
                "dropExisting is true: a chunk for which the input turns out to have no row gets a tombstone, which hides \
                 what it holds.{sure}"
            ),
        )
    };
    let keep = edits::fix("Keep chunks without rows", vec![edits::drop_existing(batch, false)]);
    vec![Finding::warn(NAME, title, why).number(emptied.most).saw(&saw).fix(keep)]
}
