//! A stream whose chunks are a `duration` with an `origin`: the tasks of a stream ignore both and cut by the duration
//! alone, so where its chunks lie is not foreseen here.

use druid::granularity::Granularity;
use druid::interval::Instant;
use druid::spec::Body;

use super::{Finding, Seen};

pub(super) const NAME: &str = "stream-origin";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Body::Supervisor(supervisor) = &seen.question.task.body else { return Vec::new() };
    let Some(Granularity::Duration { origin, .. }) = &supervisor.segment_granularity else {
        return Vec::new();
    };
    if *origin == Instant::EPOCH {
        return Vec::new();
    }
    let title = format!("Where the chunks of a {} stream lie is not known", supervisor.kind);
    let why = format!(
        "segmentGranularity is a duration with the origin {}, and streams were seen to ignore it: nothing is foreseen over \
         such chunks. Write a period, which has one meaning everywhere.",
        origin.short()
    );
    vec![Finding::warn(NAME, title, why)]
}
