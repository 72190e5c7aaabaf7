//! What Foreshadow decides. Pure; knows `druid` only.

pub mod retry;
