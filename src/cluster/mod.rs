//! How the console talks to the gateway: Druid calls from `druid::endpoint`, and the gateway's own few.
//!
//! What always holds: a call has a time limit and an answer, or a reason why there is none; nothing is sent twice
//! here (retries are decided by `backfill`); what came back is read by `druid::answer`, never trusted.

mod about;
mod read;
mod send;
mod zones;

pub use about::{About, Connection, browser_now};
pub use read::{Around, Snapshot, Traffic, around, datasources, locks, snapshot, traffic};
pub use send::{NoAnswer, send};
pub use zones::LoadedZones;
