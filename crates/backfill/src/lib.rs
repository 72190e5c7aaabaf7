//! What Foreshadow decides. Pure; knows `druid` only.

pub mod plan;
pub mod retry;
pub mod submission;
pub mod canonical;
pub mod retry;
pub mod task_id;
