//! Building the console: cargo compiles it, wasm-split takes it apart, wasm-bindgen and wasm-opt finish each part, and
//! the page names them. Optimised and precompressed into `dist/`, or quick for development.
//!
//! What always holds: an unchanged console is not built again (a stamp over the content of all that goes in). All that
//! the page loads, `boot.js` apart, lies in one folder whose name is a hash over it, so that a browser may keep it for
//! ever. Nothing here downloads a tool; if wasm-bindgen is not the version that the lock file asks for, this says so.

mod page;
mod wasm;

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::{loudly, program};
use crate::tools::Tools;
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
    ".cargo/config.toml",
    "Cargo.toml",
    "Cargo.lock",
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
    let parts = tree.target().join("xtask/console-parts");
    emptied(&parts)?;
    wasm::build(tree, &parts, finish)?;
    emptied(&folder)?;
    page::lay_out(tree.root(), &parts, &folder)?;
    if finish == Finish::Served {
        loudly(program(tree, &tools.node).arg("xtask/precompress.mjs").arg(&folder))?;
    }
    fs::create_dir_all(tree.target().join("xtask"))?;
    fs::write(&stamp, sources)?;
    Ok(folder)
}

fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
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

/// What benchmarks leave in a crate's own `target` is no source.
fn feed(hasher: &mut DefaultHasher, place: &Path) -> Result<()> {
    if place.file_name().is_some_and(|name| name == "target") {
        return Ok(());
    }
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
        let third = fingerprint_of(&root, &["src", "absent"]).unwrap();
        assert_ne!(second, third);
        fs::create_dir_all(root.join("src/target/criterion")).unwrap();
        fs::write(root.join("src/target/criterion/report"), "faster").unwrap();
        assert_eq!(
            third,
            fingerprint_of(&root, &["src", "absent"]).unwrap(),
            "a benchmark's report is no source"
        );
        fs::remove_dir_all(root).unwrap();
    }
}
