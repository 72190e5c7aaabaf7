//! Appending to chunks that hold rows already: the same data counts twice (facts 3.8).

use druid::spec::Mode;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::forecast::Becomes;
use crate::words::count;

pub(super) const NAME: &str = "append-doubles";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(world)) = (seen.batch(), seen.worst) else { return Vec::new() };
    let doubled = world.counts.doubled;
    if batch.mode != Mode::Append || !doubled.holders.may_be() {
        let why = match batch.mode {
            Mode::Append => "No row goes to a chunk that holds rows now.",
            _ => {
                "What the run publishes overshadows what was there: no row is counted beside an older copy of itself."
            }
        };
        return vec![Finding::pass(NAME, "Nothing is counted twice", why)];
    }
    let mut saw = Saw::new(NAME);
    for piece in world.old.iter().filter(|piece| matches!(piece.becomes, Becomes::Grows | Becomes::MayGrow)) {
        let Some(holder) = seen.question.timeline.holder(piece.holder) else { continue };
        saw = saw.text(&holder.interval.short()).text(holder.version).number(holder.len() as u64);
    }
    let with_rows = match doubled.rows.most {
        0 => "rows".to_owned(),
        rows => count(rows, "row"),
    };
    let holders = count(doubled.holders.most, "chunk");
    let (title, may) = if doubled.holders.is_certain() {
        (format!("{holders} already hold {with_rows}: the same data would count twice"), "are")
    } else {
        (format!("Up to {holders} already hold {with_rows}: the same data would count twice"), "may be")
    };
    let title = title.replacen("1 chunk already hold ", "1 chunk already holds ", 1);
    let why = format!(
        "appendToExisting adds partitions to the version that is there. Nothing is hidden and no second version appears: \
         if these rows {may} among those loaded before, every sum over them doubles."
    );
    let mut replace = vec![edits::append_to_existing(batch, false)];
    if !seen.forecast.typed.is_empty() {
        replace.push(edits::drop_existing(batch, true));
    }
    let fix = edits::fix("Replace instead", replace);
    vec![Finding::warn(NAME, title, why).number(doubled.holders.most).saw(&saw).fix(fix)]
}
