//! The native server: serves the console and forwards the calls of [`druid::endpoint`] to one cluster, or to the one built in.
//!
//! What always holds:
//! - Not an open proxy, by construction: host and port come from the configuration, the path is written by us from a typed
//!   endpoint, no header of a browser travels on.
//! - A page of another origin neither reads nor causes anything, unless its origin was given at start.
//! - No call is sent twice. Druid's answer passes untouched; the gateway's own are marked ([`error`]).
//!
//! Not here: what a call means, when to send it again, anything of a plan.

pub mod body;
pub mod config;
pub mod error;

mod ask;
mod cluster;
mod console;
mod gateway;
mod guard;
mod own;
mod probe;
mod sandboxed;
mod segments;
mod server;
mod upstream;
mod zones;

pub use cluster::Cluster;
pub use config::{Address, ClusterConfig, Config, Limits, credentials};
pub use gateway::Gateway;
pub use guard::OWN_HEADER;
pub use probe::{Role, StartError};
pub use sandboxed::sandbox;
pub use segments::COLUMNS;
pub use server::{bind, serve};
pub use upstream::{Local, Upstream};
