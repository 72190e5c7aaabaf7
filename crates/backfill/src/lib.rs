//! What Foreshadow decides. Pure; knows `druid` only.

pub mod canonical;
pub mod check;
pub mod forecast;
pub mod mask;
pub mod plan;
pub mod retry;
pub mod submission;
pub mod task_id;
mod words;
