//! `dropExisting` with a source that may match nothing: SUCCESS, and the range is emptied (facts 3.6).

use druid::release::Release;
use druid::spec::{Batch, InputSource, Mode, Partitions};

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::words::{agreeing, count, intervals};

pub(super) const NAME: &str = "source-may-match-nothing";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| batch.mode == Mode::Replace) else { return Vec::new() };
    let forecast = seen.forecast;
    if forecast.typed.is_empty() {
        return Vec::new();
    }
    let source = match &batch.input {
        InputSource::Inline { .. } | InputSource::Missing => {
            return vec![Finding::pass(
                NAME,
                "The rows stand in the task itself",
                "Inline data cannot be missing: the server refuses an empty text.",
            )];
        }
        source => source,
    };
    // Up to 36 an input without rows publishes nothing at all under range partitioning: `range-keeps-old` tells of that.
    let spared = matches!(batch.partitions, Partitions::Range { .. })
        && batch.is_parallel()
        && seen.question.release < Release::major(37);
    if spared {
        return Vec::new();
    }
    let timeline = seen.question.timeline;
    let mut saw = Saw::new(NAME).text(batch.input.kind()).text(&place(batch));
    let mut held = 0u64;
    for stretch in &forecast.effective {
        for piece in timeline.visible().within(*stretch) {
            let Some(holder) = timeline.holder(piece.holder).filter(|holder| !holder.tombstone) else {
                continue;
            };
            held += 1;
            saw = saw.text(&piece.interval.short()).text(holder.version);
        }
    }
    if held == 0 {
        return vec![Finding::pass(
            NAME,
            "Nothing is there to be lost",
            "If the source matched nothing, no chunk in range would change: none holds rows now.",
        )];
    }
    let what = match source {
        InputSource::Druid { datasource, .. } => format!("datasource {datasource} holds nothing there"),
        InputSource::Local { .. } => "no file matches".to_owned(),
        InputSource::S3 { .. } => "no object matches".to_owned(),
        _ => "the source turns out to be empty".to_owned(),
    };
    let finding = Finding::warn(
        NAME,
        format!(
            "If {what}, {} of segments {} with SUCCESS",
            count(held, "piece"),
            agreeing(held, "vanishes", "vanish")
        ),
        format!(
            "dropExisting is true, and Druid does not tell a source that matches nothing (a mistyped path, say) from one \
             without rows: it writes tombstones over {} and reports SUCCESS.",
            intervals(&forecast.effective, 2)
        ),
    );
    let keep = edits::fix("Keep chunks without rows", vec![edits::drop_existing(batch, false)]);
    vec![finding.number(held).saw(&saw).fix(keep)]
}

/// Where the source looks, as one text.
fn place(batch: &Batch) -> String {
    format!("{:?}", batch.input)
}
