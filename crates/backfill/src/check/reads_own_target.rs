//! A task whose input is the datasource it writes to: running it again is not the same as running it once.

use druid::spec::{InputSource, Mode};

use super::{Finding, Seen, edits};

pub(super) const NAME: &str = "reads-own-target";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(target)) = (seen.batch(), seen.question.task.datasource.as_deref()) else {
        return Vec::new();
    };
    let reads_druid =
        |source: &InputSource| matches!(source, InputSource::Druid { .. } | InputSource::Combining(_));
    if !batch.input.reads(target) {
        if !reads_druid(&batch.input) {
            return Vec::new();
        }
        return vec![Finding::pass(
            NAME,
            "The input is another place than the target",
            format!("It does not read {target}, the datasource it writes to."),
        )];
    }
    let combined = matches!(batch.input, InputSource::Combining(_));
    let finding = match (batch.mode, combined) {
        (Mode::Append, _) => Finding::stop(
            NAME,
            format!("Appends {target} to itself"),
            "The input reads the datasource it appends to: every row that is read counts twice, and twice again with each \
             run.",
        )
        .fix(edits::fix("Replace instead", vec![edits::append_to_existing(batch, false)])),
        (_, true) => Finding::warn(
            NAME,
            format!("Reads {target} and adds to what it reads"),
            "One of the combined inputs is the datasource that is replaced: a second run reads what the first one wrote, \
             and the other inputs' rows are in it a second time.",
        ),
        (_, false) => Finding::warn(
            NAME,
            format!("Rewrites {target} from itself"),
            "The input is the datasource that is replaced. A second run reads what the first one wrote: what was filtered \
             away or rolled up is gone.",
        ),
    };
    vec![finding]
}
