//! What Apache Druid is and does. Pure: no I/O, no clock, no browser.

pub mod answer;
pub mod columns;
pub mod endpoint;
pub mod granularity;
pub mod id;
pub mod ingest;
pub mod interval;
pub mod json;
pub mod lock;
pub mod order;
pub mod release;
pub mod segment;
pub mod spec;
pub mod timeline;
pub mod zone;
