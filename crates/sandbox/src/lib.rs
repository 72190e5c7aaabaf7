//! A small Druid in memory. Pure; knows `druid` only: time comes in as an argument.
