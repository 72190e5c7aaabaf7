//! What Foreshadow decides. Pure; knows `druid` only.
