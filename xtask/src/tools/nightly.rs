//! The nightly toolchain, for fuzzing alone: only its compiler counts which code an input has reached.

use anyhow::{Result, bail};

use crate::command::{answer, find, program};
use crate::tree::Tree;

/// The toolchain's name, as `rustup run` takes it.
pub(crate) const NIGHTLY: &str = "nightly";

/// An error says what is missing and how to bring it. Nothing is installed: nobody should get a second Rust unasked.
pub(crate) fn nightly(tree: &Tree) -> Result<()> {
    if find(tree, "rustup").is_none() {
        bail!("fuzzing needs a nightly Rust beside this one, and rustup to choose it: https://rustup.rs");
    }
    if answer(program(tree, "rustup").args(["run", NIGHTLY, "rustc", "--version"])).is_none() {
        bail!("fuzzing needs a nightly Rust: `rustup toolchain install {NIGHTLY} --profile minimal`");
    }
    if ["c++", "clang++", "g++"].iter().all(|name| find(tree, name).is_none()) {
        bail!("libFuzzer is C++: a C++ compiler (c++, g++ or clang++) is needed to build it");
    }
    Ok(())
}

/// What rustc calls this machine, as `x86_64-unknown-linux-gnu`.
pub(crate) fn host(tree: &Tree) -> Option<String> {
    let says = answer(program(tree, "rustup").args(["run", NIGHTLY, "rustc", "-vV"]))?;
    says.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}
