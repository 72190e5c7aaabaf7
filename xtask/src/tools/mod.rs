//! What the habits need and how it gets here: one file for each kind of source.
//!
//! What always holds: a tool that is there in the wanted version is not touched (the whole look takes well under a
//! second); wasm-bindgen is built by cargo, wasm-opt and the browser tests' pieces come from npm by a lock file,
//! Chromium and node from the system. No prebuilt binary is fetched from anywhere else. Where this may not install, it
//! says what to install by hand.

mod browser;
mod cargo_bin;
mod nightly;
mod node;
mod system;
mod wasm_target;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::ValueEnum;

use crate::step::spoken;
use crate::tree::Tree;

pub(crate) use cargo_bin::{cargo_fuzz, cargo_mutants, locked_version};
pub(crate) use nightly::{NIGHTLY, host, nightly};
pub(crate) use wasm_target::{TARGET as WASM_TARGET, wasm_target};

/// What tools are wanted for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Purpose {
    /// Building and serving the console: no browser.
    Serve,
    /// Everything, a browser and its driver included.
    Test,
}

/// The tools whose place the habits must know; all others are found on PATH.
pub(crate) struct Tools {
    pub(crate) node: PathBuf,
    /// `None` where only serving was asked for.
    pub(crate) browser: Option<browser::Browser>,
}

/// Brings whatever is missing. Cheap when nothing is.
pub(crate) fn set_up(tree: &Tree, purpose: Purpose) -> Result<Tools> {
    let begun = Instant::now();
    // What needs the system's package manager comes first: if somebody has to install by hand, they learn it now.
    let node = node::node(tree, if purpose == Purpose::Test { node::FOR_TESTS } else { node::FOR_BUILDS })?;
    let browser = if purpose == Purpose::Test { Some(browser::browser(tree)?) } else { None };
    wasm_target(tree)?;
    node::wasm_opt(tree)?;
    if purpose == Purpose::Test {
        node::browser_tests(tree)?;
    }
    cargo_bin::wasm_bindgen(tree)?;
    eprintln!("tools: ready ({})", spoken(begun.elapsed()));
    Ok(Tools { node, browser })
}
