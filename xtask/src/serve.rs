//! `cargo xtask serve`: the console built, embedded, and served with the sandbox or a cluster behind it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::console::{self, Finish};
use crate::gateway_binary;
use crate::step::step;
use crate::tools::{self, Purpose};
use crate::tree::Tree;

/// Builds everything a user gets; gives the place of the binary.
pub(crate) fn build(tree: &Tree) -> Result<PathBuf> {
    let tools = tools::set_up(tree, Purpose::Serve)?;
    build_with(tree, &tools)
}

/// As `build`, with tools that are already there.
pub(crate) fn build_with(tree: &Tree, tools: &tools::Tools) -> Result<PathBuf> {
    let (dist, _) = step("console", "cargo xtask build", || console::build(tree, tools, Finish::Served))?;
    let (binary, _) = step("foreshadow", "cargo xtask build", || gateway_binary::build(tree, &dist))?;
    Ok(binary)
}

pub(crate) fn run(tree: &Tree, arguments: &[String]) -> Result<ExitCode> {
    let binary = build(tree)?;
    eprintln!();
    // The server starts where the user stands, so that a relative --credentials-file means what they think.
    let mut command = Command::new(&binary);
    command.arg("serve").args(arguments);
    become_it(command).with_context(|| format!("cannot start {}", binary.display()))
}

/// Where it can, this process becomes the server: signals and the exit code are then the server's own.
#[cfg(unix)]
fn become_it(mut command: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
