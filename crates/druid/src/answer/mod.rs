//! What Druid answers, read: one [`Response`], one reader for each kind of answer, every malformed one an error value.
//!
//! What always holds:
//! - No bytes make a reader panic. What cannot be read says where and what was there instead.
//! - Unknown keys are ignored: they appear every other release. Missing ones get the value that Druid means by leaving them out.
//! - A body that was cut, an HTML page with status 200, and an answer of the gateway's own are told apart from Druid's.
//!
//! Not here: asking again, waiting, deciding. [`classify_submit`] says what an answer to a submit *is*; what to do about it is
//! decided elsewhere.

mod cluster;
mod error;
mod read;
mod response;
mod submit;
mod tasks;
mod unused;

pub use cluster::{
    LoadStatus, LockRow, Marked, Supervisor, Version, Worker, compaction_config, compaction_config_among,
    leader, leads, load_missing, load_percent, locked_intervals, locks, marked, names, proxy_enabled,
    retention_rules, supervisors, version, workers,
};
pub use error::{AnswerError, Refusal, unwanted};
pub use response::Response;
pub use submit::{Fatal, Retry, Submit, Told, classify_submit};
pub use tasks::{Report, Rows, RunState, Runner, TaskStatus, report, task_list, task_payload, task_status};
pub use unused::unused_segments;
