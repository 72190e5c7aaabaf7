//! Journeys of `tests/browser/on-druid` on a cluster of their own, which they may kill and start again.

use std::process::Command;

use anyhow::{Context, Result, bail};

use super::cluster::Cluster;
use super::jars;
use super::release::Release;
use super::up::{Wish, up};
use crate::command::loudly;
use crate::tree::Tree;

/// Slots enough for a run, one that it waits for and one that it loses against, sub-tasks included.
const SLOTS: u32 = 8;

/// Runs the journeys, told where the cluster is and how it is started again.
pub(crate) fn play(tree: &Tree, release: &Release, journeys: &mut Command) -> Result<()> {
    if !release.is_whole() {
        bail!(
            "journeys need a Broker and a Router, which {release} is started without: leave --version out, or give --only scenarios"
        );
    }
    let name = format!("journeys-{release}");
    let jars = jars::bring(tree, release)?;
    let mut cluster = Cluster::at(tree, release, &name)?;
    let played = up(tree, &mut cluster, &jars, Wish { slots: SLOTS, fresh: true }).and_then(|()| {
        let this = std::env::current_exe().context("this program does not know where it is")?;
        journeys.env("DRUID", cluster.address()?).env("DRUID_XTASK", this);
        // What cargo tells this program where its tree is.
        journeys.env("CARGO_MANIFEST_DIR", tree.root().join("xtask"));
        journeys.env("DRUID_VERSION", release.to_string()).env("DRUID_NAME", &name);
        journeys.env("DRUID_SLOTS", SLOTS.to_string());
        loudly(journeys)
    });
    // A journey may have started processes anew: what is written now is what runs.
    let mut cluster = Cluster::at(tree, release, &name)?;
    let stopped = cluster.stop();
    played?;
    stopped?;
    cluster.erase()
}
