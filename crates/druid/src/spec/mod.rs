//! Ingestion tasks and supervisors as Druid reads them.
//!
//! Always holds:
//! - [`Task::read`] never fails: what it cannot read is a [`Problem`] with its place and remedy, and one bad
//!   value does not cost the good ones beside it;
//! - values are read as Druid's object mapper reads them: a repeated key counts by its last value, `null` is
//!   as good as absent, `"5"` is a number and `"true"` a truth value, unknown keys are passed over;
//! - nothing here changes a document; a remedy that a click can apply is a list of [`crate::json::Edit`].
//!
//! It knows the rules of one spec by itself. What a run would do to the segments is `backfill::forecast`.

mod batch;
mod example;
pub mod fields;
pub mod inline;
mod input;
mod lint;
mod maintenance;
mod partitions;
mod read;
mod refusals;
mod secrets;
mod task;
pub mod upgrade;
mod values;

pub use batch::{Batch, Dimensions, GranularitySpec, Mode, TimestampSpec};
pub use example::example;
pub use input::{InputSource, extension_of_format};
pub use lint::{lint, lint_for};
pub use maintenance::{Compact, Kill, Mark, Supervisor};
pub use partitions::{DEFAULT_MAX_ROWS_PER_SEGMENT, DEFAULT_MAX_TOTAL_ROWS, Partitions};
pub use refusals::{Refusal, refusals, words_for_interval};
pub use secrets::{secrets, suspects};
pub use task::{Body, Context, Fix, Flag, Problem, STREAM_TASKS, Task, TaskKind, TaskLockType, is_stream};
