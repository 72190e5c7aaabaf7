//! Building the console with trunk: optimised and precompressed into `dist/`, or quick for development.
//!
//! What always holds: an unchanged console is not built again (a stamp over the content of all that goes in). Trunk
//! finds wasm-bindgen and wasm-opt on our PATH and never downloads; if wasm-bindgen is not the version that the lock
//! file asks for, this says so, and how to mend it, before trunk says it less kindly.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::command::{answer, cargo, loudly, program};
use crate::tools::{Tools, WASM_TARGET, locked_version};
use crate::tree::Tree;

/// How finished the console is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// As people get it: profile `wasm-release`, wasm-opt, precompressed.
    Served,
    /// As fast as it builds.
    Quick,
}

/// All that the console is made of, relative to the root.
const SOURCES: [&str; 11] = [
    "Cargo.toml",
    "Cargo.lock",
    "Trunk.toml",
    "rust-toolchain.toml",
    "index.html",
    "boot.js",
    "style",
    "src",
    "crates/druid",
    "crates/backfill",
    "crates/chart",
];

/// Builds the console where it changed; gives the folder.
pub(crate) fn build(tree: &Tree, tools: &Tools, finish: Finish) -> Result<PathBuf> {
    let (folder, stamp) = match finish {
        Finish::Served => (tree.dist(), tree.stamp("console-served")),
        Finish::Quick => (tree.dev_dist(), tree.stamp("console-quick")),
    };
    let sources = fingerprint(tree)?;
    if folder.join("index.html").is_file() && fs::read_to_string(&stamp).is_ok_and(|built| built == sources) {
        eprintln!("console: unchanged since it was built into {}", folder.display());
        return Ok(folder);
    }
    wasm_bindgen_fits(tree)?;
    // trunk's `offline` (no downloads of tools) is also cargo's: so the crates are fetched here.
    loudly(cargo(tree).args(["fetch", "--quiet", "--target", WASM_TARGET]))?;
    let mut trunk = program(tree, "trunk");
    trunk.arg("build").env("CARGO_TARGET_DIR", tree.target()).arg("--dist").arg(&folder);
    if finish == Finish::Served {
        trunk.arg("--release");
    }
    loudly(&mut trunk)?;
    if finish == Finish::Served {
        loudly(program(tree, &tools.node).arg("xtask/precompress.mjs").arg(&folder))?;
    }
    fs::create_dir_all(tree.target().join("xtask"))?;
    fs::write(&stamp, sources)?;
    Ok(folder)
}

fn wasm_bindgen_fits(tree: &Tree) -> Result<()> {
    let wanted = locked_version(tree, "wasm-bindgen")?;
    let says = answer(program(tree, "wasm-bindgen").arg("--version")).unwrap_or_default();
    if says.split_whitespace().nth(1) != Some(wanted.as_str()) {
        bail!(
            "the wasm-bindgen on PATH is “{says}”, Cargo.lock has {wanted}: they must be the same. \
             `cargo xtask setup serve` builds the right one"
        );
    }
    Ok(())
}

/// A hash over names and content of all sources. Not secret, not lasting: it only answers "the same as before?".
pub(crate) fn fingerprint(tree: &Tree) -> Result<String> {
    fingerprint_of(tree.root(), &SOURCES)
}

pub(crate) fn fingerprint_of(root: &Path, sources: &[&str]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for source in sources {
        let place = root.join(source);
        if place.exists() {
            feed(&mut hasher, &place).with_context(|| format!("cannot read {}", place.display()))?;
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn feed(hasher: &mut DefaultHasher, place: &Path) -> Result<()> {
    hasher.write(place.as_os_str().as_encoded_bytes());
    if place.is_file() {
        hasher.write(&fs::read(place)?);
        return Ok(());
    }
    let mut inside: Vec<PathBuf> =
        fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    inside.sort();
    inside.iter().try_for_each(|entry| feed(hasher, entry))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot lay its files fails")]
    use super::*;

    #[test]
    fn the_console_is_built_again_only_when_a_source_changed() {
        let root = std::env::temp_dir().join(format!("foreshadow-xtask-{}", std::process::id()));
        fs::create_dir_all(root.join("src/pages")).unwrap();
        fs::write(root.join("src/pages/plan.rs"), "one").unwrap();
        let first = fingerprint_of(&root, &["src", "absent"]).unwrap();
        assert_eq!(first, fingerprint_of(&root, &["src", "absent"]).unwrap());
        fs::write(root.join("src/pages/plan.rs"), "two").unwrap();
        let second = fingerprint_of(&root, &["src", "absent"]).unwrap();
        assert_ne!(first, second);
        fs::rename(root.join("src/pages/plan.rs"), root.join("src/pages/runs.rs")).unwrap();
        assert_ne!(second, fingerprint_of(&root, &["src", "absent"]).unwrap());
        fs::remove_dir_all(root).unwrap();
    }
}
