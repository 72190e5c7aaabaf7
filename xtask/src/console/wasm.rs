//! From Rust to the files a browser loads: one wasm module for the first visit, one for each part that is loaded when
//! it is first needed (`src/part.rs`), and the two scripts that bind them.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

use super::Finish;
use crate::command::{answer, cargo, loudly, program};
use crate::tools::{WASM_TARGET, locked_version};
use crate::tree::Tree;

const PACKAGE: &str = "foreshadow-console";
/// The name of the module of the first visit, and of the script that starts it.
pub(super) const MAIN: &str = "console";
/// The script that loads the other modules.
pub(super) const LOADER: &str = "parts.js";

/// What the compiler already used, so that wasm-opt need not guess.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Writes modules and scripts into the folder, which is empty.
pub(super) fn build(tree: &Tree, folder: &Path, finish: Finish) -> Result<()> {
    wasm_bindgen_fits(tree)?;
    let whole = compile(tree, finish)?;
    let main = folder.join(format!("{MAIN}.split.wasm"));
    split(&whole, folder, &main)?;
    let mut bind = program(tree, "wasm-bindgen");
    bind.args(["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-name", MAIN, "--out-dir"]);
    loudly(bind.arg(folder).arg(&main))?;
    fs::remove_file(&main)?;
    if finish == Finish::Served {
        optimise(tree, folder)?;
    }
    Ok(())
}

/// The whole console as one module, with the relocations that taking it apart needs.
fn compile(tree: &Tree, finish: Finish) -> Result<Vec<u8>> {
    let mut rustc = cargo(tree);
    rustc.args(["rustc", "--package", PACKAGE, "--bin", PACKAGE, "--target", WASM_TARGET]);
    let profile = match finish {
        Finish::Served => "wasm-release",
        Finish::Quick => "dev",
    };
    loudly(rustc.args(["--profile", profile, "--", "-C", "link-arg=--emit-relocs"]))?;
    let folder = if finish == Finish::Served { profile } else { "debug" };
    let file = tree.target().join(WASM_TARGET).join(folder).join(format!("{PACKAGE}.wasm"));
    fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
}

/// Takes the module apart at the functions that `src` marks.
fn split(whole: &[u8], folder: &Path, main: &Path) -> Result<()> {
    let mut options = wasm_split_cli_support::Options::new(whole);
    let (link, module) = (format!("./{LOADER}"), format!("./{MAIN}.js"));
    options.output_dir = folder;
    options.main_out_path = main;
    options.link_name = &link;
    options.main_module = &module;
    wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("the console's wasm cannot be taken apart: {error:#}"))?;
    Ok(())
}

fn optimise(tree: &Tree, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "wasm") {
            let mut optimise = program(tree, format!("wasm-opt{EXE_SUFFIX}"));
            optimise.args(["-O1", "--strip-debug"]).args(FEATURES);
            loudly(optimise.arg(&file).arg("-o").arg(&file))?;
        }
    }
    Ok(())
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
