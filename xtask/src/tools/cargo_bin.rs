//! Command lines that are crates, built by cargo into `.tools/cargo`: wasm-bindgen's and, for who tests the
//! tests, cargo-fuzz and cargo-mutants.
//!
//! Their own release profile is made for speed of the tool; ours is made for speed of the set-up and serves the same,
//! since nearly all of a console build is rustc and wasm-opt.

use std::fs;

use anyhow::{Context, Result};

use crate::command::{answer, cargo, program, watched};
use crate::step::spoken;
use crate::tree::Tree;

/// A command line, and the package that it is.
struct Built {
    name: &'static str,
    package: &'static str,
    /// What it is asked its version with.
    version: &'static [&'static str],
}

const WASM_BINDGEN: Built =
    Built { name: "wasm-bindgen", package: "wasm-bindgen-cli", version: &["--version"] };
const CARGO_FUZZ: Built = Built { name: "cargo-fuzz", package: "cargo-fuzz", version: &["--version"] };

const CARGO_MUTANTS: Built =
    Built { name: "cargo-mutants", package: "cargo-mutants", version: &["mutants", "--version"] };

const CARGO_FUZZ_VERSION: &str = "0.13.2";
const CARGO_MUTANTS_VERSION: &str = "27.1.0";

/// The command line must be the very same version as the crate; so the lock file decides, in one place.
pub(crate) fn wasm_bindgen(tree: &Tree) -> Result<()> {
    bring(tree, &WASM_BINDGEN, &locked_version(tree, WASM_BINDGEN.name)?)
}

/// What builds a fuzzer; it is no part of any other set-up.
pub(crate) fn cargo_fuzz(tree: &Tree) -> Result<()> {
    bring(tree, &CARGO_FUZZ, CARGO_FUZZ_VERSION)
}

/// What changes the code in small places; it is no part of any other set-up.
pub(crate) fn cargo_mutants(tree: &Tree) -> Result<()> {
    bring(tree, &CARGO_MUTANTS, CARGO_MUTANTS_VERSION)
}

fn bring(tree: &Tree, built: &Built, version: &str) -> Result<()> {
    let Built { name, package, .. } = built;
    if is_there(tree, built, version) {
        return Ok(());
    }
    eprintln!("   building {package} {version} (once; some minutes)");
    let begun = std::time::Instant::now();
    let mut command = cargo(tree);
    command
        // Not --locked: the lock file of wasm-bindgen-cli names a crate version that the registry no longer has.
        .args(["install", package, "--version", version, "--force", "--root"])
        .arg(tree.tools().join("cargo"))
        .env("CARGO_TARGET_DIR", tree.tools().join("build"))
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_TERM_COLOR", "never");
    watched(tree, name, &mut command, "Compiling ")?;
    eprintln!("   {package} {version}: installed in {}", spoken(begun.elapsed()));
    // Half a gigabyte of objects that only another version would want.
    fs::remove_dir_all(tree.tools().join("build")).ok();
    Ok(())
}

fn is_there(tree: &Tree, built: &Built, version: &str) -> bool {
    let place =
        tree.tools().join("cargo/bin").join(format!("{}{}", built.name, std::env::consts::EXE_SUFFIX));
    let says = answer(program(tree, place).args(built.version));
    says.as_deref().and_then(version_said) == Some(version)
}

/// The version in `wasm-bindgen 0.2.130`.
fn version_said(line: &str) -> Option<&str> {
    line.split_whitespace().nth(1)
}

/// The version of a package in Cargo.lock.
pub(crate) fn locked_version(tree: &Tree, package: &str) -> Result<String> {
    let file = tree.root().join("Cargo.lock");
    let lock = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    version_in(&lock, package).with_context(|| format!("{package} is not in {}", file.display()))
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let mut lines = lock.lines();
    lines.find(|line| *line == format!("name = \"{package}\""))?;
    let version = lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_says_which_wasm_bindgen_is_wanted() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.80\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "leptos"), None);
    }

    #[test]
    fn a_tool_of_another_version_does_not_count_as_there() {
        assert_eq!(version_said("wasm-bindgen 0.2.130"), Some("0.2.130"));
        assert_eq!(version_said("cargo-fuzz 0.13.2"), Some("0.13.2"));
        assert_eq!(version_said(""), None);
    }
}
