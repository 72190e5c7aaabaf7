//! What Foreshadow decides. Pure; knows `druid` only.

pub mod audit;
pub mod canonical;
pub mod check;
pub mod default_context;
pub mod forecast;
pub mod ledger;
pub mod mask;
pub mod plan;
pub mod retry;
pub mod submission;
pub mod task_id;
mod words;

pub use words::upper_first;
