//! `cargo xtask dev`: console and gateway built quickly and run, and built again when what they are made of changes.
//!
//! The gateway serves the console from its folder, so a change of the console needs a reload of the page and nothing
//! else; a change of the native crates restarts the server. One plain look over the sources twice a second decides.

use std::process::{Child, Command, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::command::{cargo, loudly};
use crate::console::{self, Finish, fingerprint_of};
use crate::tools::{self, Purpose, Tools};
use crate::tree::Tree;

const LOOK_EVERY: Duration = Duration::from_millis(500);
/// What the server is made of, the console apart.
const NATIVE: [&str; 3] = ["Cargo.toml", "Cargo.lock", "crates"];

pub(crate) fn run(tree: &Tree, arguments: &[String]) -> Result<ExitCode> {
    let tools = tools::set_up(tree, Purpose::Serve)?;
    let mut console_seen = console::fingerprint(tree)?;
    let mut native_seen = fingerprint_of(tree.root(), &NATIVE)?;
    said(rebuild_console(tree, &tools));
    let mut server = start(tree, arguments);
    eprintln!("dev: watching; reload the page after a change of the console");
    loop {
        thread::sleep(LOOK_EVERY);
        // A file may vanish while it is looked at: then look again.
        let (Ok(console_now), Ok(native_now)) =
            (console::fingerprint(tree), fingerprint_of(tree.root(), &NATIVE))
        else {
            continue;
        };
        if console_now != console_seen {
            console_seen = console_now;
            said(rebuild_console(tree, &tools));
        }
        if native_now != native_seen {
            native_seen = native_now;
            stop(server);
            server = start(tree, arguments);
        }
    }
}

fn rebuild_console(tree: &Tree, tools: &Tools) -> Result<()> {
    console::build(tree, tools, Finish::Quick)?;
    eprintln!("dev: console built");
    Ok(())
}

/// A build that fails is said and waited out: the next change tries again.
fn said(outcome: Result<()>) {
    if let Err(error) = outcome {
        eprintln!("dev: {error:#}\ndev: waiting for the next change");
    }
}

fn start(tree: &Tree, arguments: &[String]) -> Option<Child> {
    let started = || -> Result<Child> {
        loudly(cargo(tree).args(["build", "--quiet", "--package", "foreshadow"]))?;
        Command::new(tree.target().join("debug").join(format!("foreshadow{}", std::env::consts::EXE_SUFFIX)))
            .args(["serve", "--console"])
            .arg(tree.dev_dist())
            .args(arguments)
            .spawn()
            .context("cannot start foreshadow")
    };
    match started() {
        Ok(child) => Some(child),
        Err(error) => {
            said(Err(error));
            None
        }
    }
}

fn stop(server: Option<Child>) {
    if let Some(mut child) = server {
        // It may have ended by itself; both calls then only say so.
        child.kill().ok();
        child.wait().ok();
    }
}
