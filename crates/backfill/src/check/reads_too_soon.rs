//! A parallel read of segments that were published a moment ago: 404, four times, and the task fails (facts 3.9).
//!
//! Sub-tasks fetch segments by id from the Coordinator's snapshot, which is as old as its last poll
//! (`druid.manager.segments.pollDuration`, a minute unless set). Sequential reads are not affected.

use druid::interval::{Instant, Interval};
use druid::spec::{Body, InputSource};

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::length;

pub(super) const NAME: &str = "reads-too-soon";

/// One poll of the Coordinator, ms.
const POLL: i64 = 60_000;

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let task = seen.question.task;
    let Some(target) = task.datasource.as_deref() else { return Vec::new() };
    // Only the segments of the task's own datasource are known here.
    let reads = match &task.body {
        Body::Batch(batch) if batch.is_parallel() && batch.input.reads(target) => {
            intervals(&batch.input, target)
        }
        Body::Compact(compact) if compact.max_num_concurrent_sub_tasks >= 2 => {
            compact.interval.into_iter().collect()
        }
        _ => return Vec::new(),
    };
    let timeline = seen.question.timeline;
    let mut youngest: Option<(Instant, &str)> = None;
    for interval in &reads {
        for piece in timeline.visible().within(*interval) {
            let Some(holder) = timeline.holder(piece.holder) else { continue };
            // A version is a time unless somebody made it otherwise.
            let Ok(at) = Instant::parse(holder.version) else { continue };
            if youngest.is_none_or(|(other, _)| other < at) {
                youngest = Some((at, holder.version));
            }
        }
    }
    let Some((at, version)) = youngest else { return Vec::new() };
    let age = seen.question.now.ms().saturating_sub(at.ms());
    if !(0..POLL).contains(&age) {
        let why = "The newest segment it reads is older than the Coordinator's poll.";
        return vec![Finding::pass(NAME, "What it reads is known to the Coordinator", why)];
    }
    let title = format!("Reads segments that are {} old", length(age.unsigned_abs()));
    let why = format!(
        "Sub-tasks ask the Coordinator for segments by id, and it learns of new ones once a minute: until then it answers \
         404, and after four tries the task fails. The newest version is {version}; wait one poll, or run it in one \
         process."
    );
    vec![Finding::warn(NAME, title, why).number(age.unsigned_abs()).saw(&Saw::new(NAME).text(version))]
}

/// What of a datasource is read.
fn intervals(source: &InputSource, target: &str) -> Vec<Interval> {
    match source {
        InputSource::Druid { datasource, interval, .. } if datasource == target => {
            interval.iter().copied().collect()
        }
        InputSource::Combining(parts) => parts.iter().flat_map(|part| intervals(part, target)).collect(),
        _ => Vec::new(),
    }
}
