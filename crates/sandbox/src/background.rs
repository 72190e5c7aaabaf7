//! Somebody else's work: a compaction that holds a lock over three days beside the seed's interval, so that a first
//! visitor meets a lock. Half an hour after the start it ends and publishes: hours become days there.

use crate::task::{State, StoredTask};
use druid::{
    interval::{Instant, Interval},
    json::Document,
    lock::{COMPACTION_PRIORITY, Held, LockType},
    spec::Task,
    zone::UtcOnly,
};

const ID: &str = "compact_events_web_2026-07-20_nightly";
const SPEC: &str = r#"{
  "type": "compact",
  "id": "compact_events_web_2026-07-20_nightly",
  "dataSource": "events_web",
  "ioConfig": { "type": "compact", "inputSpec": { "type": "interval", "interval": "2026-07-20T00:00:00Z/2026-07-23T00:00:00Z" } },
  "granularitySpec": { "segmentGranularity": "DAY" }
}"#;
const RUNS_MS: i64 = 1_800_000;

/// The task, running since shortly before `now`.
pub(crate) fn running_task(now: Instant) -> Option<StoredTask> {
    let interval = Interval::parse("2026-07-20T00:00:00Z/2026-07-23T00:00:00Z").ok()?;
    let began = Instant::from_ms(now.ms() - 90_000);
    let lock = Held {
        task_id: Some(ID.to_owned()),
        group_id: ID.to_owned(),
        kind: LockType::Exclusive,
        interval,
        version: began.to_string(),
        priority: COMPACTION_PRIORITY,
        revoked: false,
    };
    let mut task = StoredTask::new(ID, Task::read(&Document::parse(SPEC), &UtcOnly), began);
    task.state = State::Running { locks: vec![lock], until: Some(Instant::from_ms(now.ms() + RUNS_MS)) };
    Some(task)
}
