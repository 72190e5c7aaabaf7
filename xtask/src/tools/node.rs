//! Node and what npm brings: wasm-opt (the `binaryen` package) for builds, playwright-core and axe for browser tests.
//!
//! Each set has its own package.json and lock file, and is laid in by `npm ci`; a copy of the lock file beside
//! `node_modules` says what was laid in.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::system::{Need, install};
use crate::command::{answer, find, loudly, program};
use crate::tree::Tree;

/// The oldest node (major version) that runs wasm-opt.
pub(crate) const FOR_BUILDS: u32 = 18;
/// The oldest node (major version) that playwright-core takes.
pub(crate) const FOR_TESTS: u32 = 20;

const NODE: Need = Need {
    what: "Node.js with npm",
    debian: &["nodejs", "npm"],
    fedora: "nodejs npm",
    arch: "nodejs npm",
    homebrew: "node",
    or_else: "",
};

/// The place of node, at least of the major version `oldest`.
pub(crate) fn node(tree: &Tree, oldest: u32) -> Result<PathBuf> {
    if find(tree, "node").is_none() || find(tree, "npm").is_none() {
        install(tree, &NODE)?;
    }
    let place = find(tree, "node").context("node is not on PATH after it was installed")?;
    let version = answer(program(tree, &place).arg("--version")).unwrap_or_default();
    match major(&version) {
        Some(found) if found >= oldest => Ok(place),
        _ => bail!("{} is version {version}; node {oldest} or newer is needed here", place.display()),
    }
}

/// wasm-opt into `.tools/npm`.
pub(crate) fn wasm_opt(tree: &Tree) -> Result<()> {
    let from = tree.root().join("xtask/npm");
    let to = tree.tools().join("npm");
    if is_laid_in(&from, &to) {
        return Ok(());
    }
    fs::create_dir_all(&to)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(from.join(file), to.join(file))
            .with_context(|| format!("cannot copy {file} to {}", to.display()))?;
    }
    lay_in(tree, &from, &to)
}

/// playwright-core and axe into `tests/browser/node_modules`.
pub(crate) fn browser_tests(tree: &Tree) -> Result<()> {
    let place = tree.browser_tests();
    if is_laid_in(&place, &place) { Ok(()) } else { lay_in(tree, &place, &place) }
}

fn lay_in(tree: &Tree, from: &Path, to: &Path) -> Result<()> {
    // Scripts of packages are not wanted: none of ours needs one to run.
    loudly(
        program(tree, "npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(to),
    )?;
    fs::copy(from.join("package-lock.json"), laid(to))?;
    Ok(())
}

fn is_laid_in(from: &Path, to: &Path) -> bool {
    let wanted = fs::read(from.join("package-lock.json"));
    matches!((wanted, fs::read(laid(to))), (Ok(wanted), Ok(laid)) if wanted == laid)
}

fn laid(to: &Path) -> PathBuf {
    to.join("node_modules/.laid-in.json")
}

/// 20 of `v20.20.2`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_version_is_read_by_its_first_number() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major(""), None);
    }
}
