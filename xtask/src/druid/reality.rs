//! `cargo xtask test --druid` and `cargo xtask druid record`: a cluster of its own for `tests/druid`, fresh each time and
//! stopped in the end whatever comes.
//!
//! What always holds: in passing (plain `cargo xtask test`) it is played only where `FORESHADOW_DRUID=1` asks for it, and a
//! machine without Java, Maven or a way to the jars, or on which the cluster does not come up, leaves it out and says so;
//! asked for by name it fails instead.

use std::path::PathBuf;
use std::process::Command;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;

use super::cluster::Cluster;
use super::jars::{self, Jars};
use super::release::{Release, WHOLE};
use super::up::{self, up};
use crate::command::{answer, cargo, loudly, program};
use crate::tree::Tree;

/// Scenarios played in passing, and the seconds after which no new one is begun there.
const IN_PASSING: u64 = 40;
const SECONDS_IN_PASSING: u64 = 150;
/// Asks for them in passing where it is 1.
const WANTED: &str = "FORESHADOW_DRUID";
/// Scenarios where nobody says how many.
pub(crate) const IN_FULL: u64 = 200;

/// What is to be played.
pub(crate) struct Season {
    pub(crate) release: Release,
    pub(crate) scenarios: u64,
    /// From the clock where nobody says.
    pub(crate) seed: Option<u64>,
    /// Only this scenario.
    pub(crate) number: Option<u64>,
}

/// As part of all checks: a fresh part of the scenarios, drawn from the commit that is checked out.
pub(crate) fn in_passing(tree: &Tree) -> Result<()> {
    let left_out = |why: &str| {
        eprintln!("   LEFT OUT: the forecast was not held against a running Druid here.\n   {why}");
        Ok(())
    };
    // Until it has been seen to agree over and over, it is asked for.
    if std::env::var(WANTED).as_deref() != Ok("1") {
        return left_out(&format!("{WANTED}=1 asks for it; `cargo xtask test --druid` plays more."));
    }
    if let Some(missing) = super::missing(tree) {
        return left_out(&missing);
    }
    let release: Release = WHOLE.parse()?;
    let jars = match jars::bring(tree, &release) {
        Ok(jars) => jars,
        Err(error) => return left_out(&format!("{error:#}")),
    };
    let commit = answer(program(tree, "git").args(["rev-parse", "HEAD"])).unwrap_or_default();
    let seed = commit.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let season = Season { release, scenarios: IN_PASSING, seed, number: None };
    let most = SECONDS_IN_PASSING.to_string();
    let more = ["--in-passing".to_owned(), "--seconds".to_owned(), most];
    match play(tree, &jars, &season, &more)? {
        Played::Whole => Ok(()),
        Played::NotStarted(error) => left_out(&format!("{error:#}")),
    }
}

/// By name: everything, or one scenario again.
pub(crate) fn in_full(tree: &Tree, season: &Season) -> Result<()> {
    let jars = jars::bring(tree, &season.release)?;
    play(tree, &jars, season, &[])?.whole()
}

/// Plays and keeps every scenario in the form of the recordings; gives the file.
pub(crate) fn record(tree: &Tree, season: &Season) -> Result<PathBuf> {
    let jars = jars::bring(tree, &season.release)?;
    let file = tree.target().join("druid").join(format!("live-{}.jsonl.gz", season.release));
    play(tree, &jars, season, &["--record".to_owned(), file.display().to_string()])?.whole()?;
    Ok(file)
}

/// What came of it where nothing was found otherwise than foreseen.
enum Played {
    Whole,
    /// The cluster did not come up: that says nothing about the forecast.
    NotStarted(anyhow::Error),
}

impl Played {
    fn whole(self) -> Result<()> {
        match self {
            Played::Whole => Ok(()),
            Played::NotStarted(error) => Err(error),
        }
    }
}

fn play(tree: &Tree, jars: &Jars, season: &Season, more: &[String]) -> Result<Played> {
    // Compiled first: nothing should wait with a cluster running.
    loudly(cargo(tree).args(["build", "--package", "reality"]))?;
    let mut cluster = Cluster::at(tree, &season.release, &format!("reality-{}", season.release))?;
    let at_once = available_parallelism().map_or(4, |cores| (3 * cores.get()).clamp(4, 8));
    let slots = u32::try_from(at_once + 4).unwrap_or(super::SLOTS);
    let started = up(tree, &mut cluster, jars, up::Wish { slots, fresh: true });
    let played = match &started {
        Ok(()) => command(tree, jars, season, &cluster).and_then(|mut reality| {
            reality.args(["--at-once", &at_once.to_string()]).args(more);
            loudly(&mut reality)
        }),
        Err(_) => Ok(()),
    };
    let stopped = cluster.stop();
    if let Err(error) = started {
        return Ok(Played::NotStarted(error));
    }
    played?;
    stopped?;
    cluster.erase()?;
    Ok(Played::Whole)
}

fn command(tree: &Tree, jars: &Jars, season: &Season, cluster: &Cluster) -> Result<Command> {
    let seed = season.seed.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() % 10_000_000)
    });
    let mismatches =
        tree.target().join("druid").join(format!("mismatches-{}-{seed}.jsonl.gz", season.release));
    let mut reality = cargo(tree);
    reality.args(["run", "--quiet", "--package", "reality", "--", "--cluster", &cluster.address()?]);
    reality.args(["--release", &season.release.to_string(), "--seed", &seed.to_string()]);
    reality.args(["--scenarios", &season.scenarios.to_string()]);
    reality.arg("--jars").arg(jars.lib()).arg("--input").arg(cluster.folder().join("input"));
    reality.arg("--mismatches").arg(mismatches);
    if let Some(number) = season.number {
        reality.args(["--number", &number.to_string()]);
    }
    Ok(reality)
}
