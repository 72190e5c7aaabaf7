//! `cargo xtask druid …`: a real Apache Druid of one's own, from Maven's jars, beside the product.
//!
//! What always holds: everything of a cluster lies in one folder under `target/druid/`, its jars under
//! `.tools/druid/`; nothing is stopped that was not started here; each command can be given twice.
//!
//! What this does not do: know what the answers mean. That is the product's business (`tests/druid`).

mod cluster;
mod health;
mod jars;
pub(crate) mod journeys;
mod ports;
mod process;
pub(crate) mod reality;
mod release;
mod service;
mod up;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};

use crate::tree::Tree;

use cluster::Cluster;
use release::Release;
pub(crate) use release::WHOLE;
use service::Service;
use up::{Wish, up};

/// Slots of the Indexer where nobody says otherwise.
const SLOTS: u32 = 6;

#[derive(Subcommand)]
pub(crate) enum Order {
    /// Fetch the jars (once), start a cluster, wait until it takes tasks, print its address
    Up {
        #[command(flatten)]
        which: Which,
        /// How many tasks the Indexer runs at once; a parallel task and each of its sub-tasks count
        #[arg(long, default_value_t = SLOTS)]
        slots: u32,
        /// Begin with nothing in it, whatever an earlier one left
        #[arg(long)]
        fresh: bool,
    },
    /// Stop what `up` started; its data and logs stay
    Down {
        #[command(flatten)]
        which: Which,
    },
    /// Say what runs, where it answers and where its logs are
    Status {
        #[command(flatten)]
        which: Which,
    },
    /// Play random scenarios on a cluster of its own and write them down as the recorded runs of the tests are
    Record {
        /// The Druid release
        #[arg(long, default_value = WHOLE, value_name = "RELEASE")]
        version: String,
        /// How many
        #[arg(long, default_value_t = reality::IN_FULL)]
        scenarios: u64,
        /// Draws the same scenarios again; from the clock where none is given
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Print the log of one process
    Logs {
        /// zookeeper, coordinator, indexer, historical, broker or router
        service: String,
        #[command(flatten)]
        which: Which,
    },
}

/// Which cluster is meant.
#[derive(Args)]
pub(crate) struct Which {
    /// The Druid release
    #[arg(long, default_value = WHOLE, value_name = "RELEASE")]
    version: String,
    /// Another name, to have two of one release side by side
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl Which {
    fn cluster(&self, tree: &Tree) -> Result<Cluster> {
        let release: Release = self.version.parse()?;
        Cluster::at(tree, &release, self.name.as_deref().unwrap_or(&self.version))
    }
}

pub(crate) fn run(tree: &Tree, order: &Order) -> Result<ExitCode> {
    match order {
        Order::Up { which, slots, fresh } => {
            let mut cluster = which.cluster(tree)?;
            let jars = jars::bring(tree, cluster.release())?;
            up(tree, &mut cluster, &jars, Wish { slots: *slots, fresh: *fresh })?;
            eprintln!("\nReady. To stop it: cargo xtask druid down{}", again(which));
            eprintln!("Console on it: cargo xtask serve --cluster {}", cluster.address()?);
            print_line(&cluster.address()?);
        }
        Order::Down { which } => {
            let mut cluster = which.cluster(tree)?;
            if cluster.stop()? == 0 {
                eprintln!("nothing of {} runs", cluster.name());
            }
        }
        Order::Status { which } => return status(&which.cluster(tree)?),
        Order::Record { version, scenarios, seed } => {
            let season = reality::Season {
                release: version.parse()?,
                scenarios: *scenarios,
                seed: *seed,
                number: None,
            };
            print_line(&reality::record(tree, &season)?.display().to_string());
        }
        Order::Logs { service, which } => {
            let cluster = which.cluster(tree)?;
            let service = Service::named(service).with_context(|| {
                format!(
                    "there is no service “{service}”; there are {}",
                    Service::ALL.map(Service::name).join(", ")
                )
            })?;
            let file = cluster.log(service);
            let text = std::fs::read_to_string(&file).with_context(|| {
                format!("no log at {}; start it with `cargo xtask druid up`", file.display())
            })?;
            print_line(text.trim_end());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn again(which: &Which) -> String {
    let version = (which.version != WHOLE).then(|| format!(" --version {}", which.version));
    let name = which.name.as_ref().map(|name| format!(" --name {name}"));
    [version, name].into_iter().flatten().collect()
}

fn status(cluster: &Cluster) -> Result<ExitCode> {
    if cluster.processes().is_empty() {
        eprintln!("{}: never started here", cluster.name());
        return Ok(ExitCode::FAILURE);
    }
    let mut all_well = true;
    for process in cluster.processes() {
        let state = match (process.runs(cluster.folder()), health::is_healthy(process)) {
            (false, _) => "stopped",
            (true, false) => "runs, does not answer",
            (true, true) => "well",
        };
        all_well &= state == "well";
        print_line(&format!(
            "{:12} 127.0.0.1:{:<6} pid {:<8} {state}",
            process.service.name(),
            process.port,
            process.pid
        ));
    }
    print_line(&format!("folder       {}", cluster.folder().display()));
    if all_well {
        print_line(&format!("address      {}", cluster.address()?));
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The answer of the command; everything else goes to stderr. Whoever reads it may stop reading (`| head`).
fn print_line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// What the machine must have for any of this.
fn missing(tree: &Tree) -> Option<String> {
    let wanted = [("java", "a Java runtime"), ("mvn", "Apache Maven")];
    let missing: Vec<&str> = wanted
        .iter()
        .filter(|(program, _)| crate::command::find(tree, program).is_none())
        .map(|(_, what)| *what)
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "Missing here: {}. A real Druid needs Java 17 and Maven.\n  Debian, Ubuntu: sudo apt-get install openjdk-17-jdk-headless maven\n  \
             Fedora:         sudo dnf install java-17-openjdk-devel maven\n  macOS:          brew install openjdk@17 maven",
            missing.join(", ")
        )
    })
}

/// Fails in plain words where Java or Maven is missing.
fn demand(tree: &Tree) -> Result<()> {
    match missing(tree) {
        Some(text) => bail!("{text}"),
        None if cfg!(unix) => Ok(()),
        None => bail!("a real Druid is started and stopped here with the means of Unix only"),
    }
}
