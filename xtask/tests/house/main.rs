//! The rules of the house, held by tests: which room may know which, what the pure rooms may not touch, what no file
//! may contain, and under which licences all this stands.
//!
//! Every rule is a small function from text to faults, and every such function is shown a bad sample first: a rule
//! that cannot fail is not a rule.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a house that cannot be read fails its test"
)]

mod arrows;
mod licences;
mod pins;
mod purity;
mod sources;

use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// What cargo knows of the workspace and all that it depends on, on any platform.
pub(crate) fn metadata() -> Metadata {
    // --locked: a lock file that does not fit the manifests is a fault of the commit.
    let locked = vec!["--locked".to_owned()];
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).other_options(locked).exec().unwrap()
}

/// Names of all packages that are compiled into `package`, itself included, with the features it asks for by itself,
/// for this machine or for a target. (Macros run at build time and are not in it.)
pub(crate) fn tree(package: &str, target: Option<&str>) -> Vec<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["tree", "--locked", "--package", package]);
    cargo.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]);
    cargo.args(target.into_iter().flat_map(|target| ["--target", target]));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut names: Vec<String> =
        text.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    names.sort();
    names.dedup();
    names
}

/// Names of all files that git would commit, relative to the root.
pub(crate) fn listed() -> Vec<String> {
    let listed = Command::new("git")
        .current_dir(root())
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).unwrap();
    names.split_terminator('\0').map(str::to_owned).collect()
}

/// Those files with their content; what is not text is left out.
pub(crate) fn files() -> Vec<(String, String)> {
    let read = |name: String| Some((name.clone(), std::fs::read_to_string(root().join(&name)).ok()?));
    listed().into_iter().filter_map(read).collect()
}

/// Fails with all faults, one a line.
pub(crate) fn none(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
