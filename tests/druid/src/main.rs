//! What Foreshadow foresees, held against a running Apache Druid: random pasts, random runs of every native kind, the
//! forecast frozen before each run and compared afterwards, chunk by chunk.
//!
//! What always holds: nothing of the product decides what really happened. Segments come from the cluster's metadata,
//! what is visible and overshadowed from Druid's own timeline class. The same seed draws the same scenarios.
//!
//! Started by `cargo xtask test --druid`, which brings the cluster.

#[path = "../../../crates/backfill/tests/agree/mod.rs"]
mod agree;
mod cluster;
mod dice;
mod draw;
mod ledger;
mod play;
#[path = "../../../crates/backfill/tests/recorded/mod.rs"]
mod recorded;
mod scenario;
mod season;
mod shrink;
mod slots;
mod umpire;
mod verdict;
mod wire;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use druid::zone::Tzdb;

use crate::cluster::Cluster;
use crate::play::Stage;
use crate::season::{Season, played};
use crate::slots::Slots;
use crate::umpire::Umpire;

#[derive(Parser)]
#[command(name = "reality", about = "The forecast against a running Druid.")]
struct Arguments {
    /// The address of the cluster's Router, or of its Coordinator
    #[arg(long)]
    cluster: String,
    /// Its release
    #[arg(long)]
    release: String,
    /// The folder with its jars: what is visible is said by Druid's own class
    #[arg(long)]
    jars: PathBuf,
    /// A folder that the Indexer can read, for input files
    #[arg(long)]
    input: PathBuf,
    /// Where scenarios that came out otherwise are written
    #[arg(long)]
    mismatches: PathBuf,
    /// Where all scenarios are written, in the form of the recordings
    #[arg(long)]
    record: Option<PathBuf>,
    #[arg(long)]
    seed: u64,
    #[arg(long, default_value_t = 200)]
    scenarios: u64,
    /// Only this one
    #[arg(long)]
    number: Option<u64>,
    /// How many are played side by side; the Indexer needs four slots more
    #[arg(long, default_value_t = 6)]
    at_once: usize,
    /// As part of other checks: hold only the forecast that knows the rows against what happened
    #[arg(long)]
    in_passing: bool,
    /// Begin no new scenario after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all scenarios came out as foreseen.
fn run(arguments: Arguments) -> Result<bool> {
    let stage = Stage {
        cluster: Cluster { authority: wire::authority(&arguments.cluster).to_owned() },
        umpire: Umpire::start(&arguments.jars)?,
        zones: Tzdb::default(),
        release: arguments.release,
        input: arguments.input,
        slots: Slots::of(2),
    };
    stage.cluster.rest()?;
    let season = Season {
        seed: arguments.seed,
        numbers: arguments.number.map_or(0..arguments.scenarios, |number| number..number + 1),
        at_once: arguments.at_once,
        seconds: arguments.seconds,
        mismatches: arguments.mismatches,
        record: arguments.record,
        in_passing: arguments.in_passing,
    };
    played(&stage, &season)
}
