//! The wasm32 standard library. rustup brings it by itself, because rust-toolchain.toml names it; this looks whether
//! it did, and says what to do where the toolchain is not rustup's.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::command::{answer, find, loudly, program};
use crate::tree::Tree;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn wasm_target(tree: &Tree) -> Result<()> {
    if is_there(tree)? {
        return Ok(());
    }
    if find(tree, "rustup").is_some() {
        loudly(program(tree, "rustup").args(["target", "add", TARGET]))?;
        if is_there(tree)? {
            return Ok(());
        }
    }
    bail!(
        "the Rust target {TARGET} is missing. With rustup: `rustup target add {TARGET}`; \
         with a distribution's Rust: its package with the wasm32 standard library, \
         or install Rust by rustup, which reads rust-toolchain.toml"
    );
}

fn is_there(tree: &Tree) -> Result<bool> {
    let folder = answer(program(tree, "rustc").args(["--print", "target-libdir", "--target", TARGET]))
        .context("`rustc --print target-libdir` gave no answer: is Rust installed by rustup?")?;
    Ok(Path::new(&folder).is_dir())
}
