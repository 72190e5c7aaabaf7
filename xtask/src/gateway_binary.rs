//! Building `foreshadow`, the one binary, with the console inside.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::command::{cargo, loudly};
use crate::tree::Tree;

/// The profile of the binary that `cargo xtask serve` starts (Cargo.toml says why it is as it is).
const PROFILE: &str = "serve";

/// Builds the binary with the console of `dist` embedded; gives its place.
pub(crate) fn build(tree: &Tree, dist: &Path) -> Result<PathBuf> {
    loudly(
        cargo(tree)
            .args(["build", "--package", "foreshadow", "--profile", PROFILE])
            .env("FORESHADOW_DIST", dist),
    )?;
    Ok(tree.target().join(PROFILE).join(format!("foreshadow{EXE_SUFFIX}")))
}
