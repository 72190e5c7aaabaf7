//! What runs in a real browser: wasm tests under ChromeDriver, and the scripts of `tests/browser` under node.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{cargo, loudly, program};
use crate::tools::{Tools, WASM_TARGET};
use crate::tree::Tree;

/// How every Chromium of ours is started, one flag a line; the scripts of tests/browser read the same file.
const FLAGS: &str = include_str!("../../tests/browser/chromium-flags.txt");

/// The console's tests that need a browser, by wasm-bindgen-test-runner and ChromeDriver.
pub(crate) fn wasm_tests(tree: &Tree, tools: &Tools) -> Result<()> {
    let browser = tools.browser.as_ref().context("set-up brings a browser")?;
    let flags: Vec<String> = FLAGS.lines().map(|flag| format!("\"{flag}\"")).collect();
    let options = format!(
        "{{\"goog:chromeOptions\": {{\"binary\": {:?}, \"args\": [{}]}}}}",
        browser.chromium.to_string_lossy(),
        flags.join(", ")
    );
    let file = tree.stamp("webdriver.json");
    fs::create_dir_all(tree.target().join("xtask"))?;
    fs::write(&file, options).with_context(|| format!("cannot write {}", file.display()))?;
    loudly(
        cargo(tree)
            .args(["test", "--package", "foreshadow-console", "--target", WASM_TARGET, "--lib", "--tests"])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &file)
            .env("CHROMEDRIVER", &browser.driver),
    )
}

/// All `*.test.mjs` of a folder against the binary; with `name` only the journeys that it fits.
pub(crate) fn journeys(
    tree: &Tree,
    tools: &Tools,
    binary: &Path,
    folder: &Path,
    name: Option<&str>,
) -> Result<Command> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    let mut node = script(tree, tools, binary)?;
    // One at a time: each has a server, a browser and the machine to itself.
    node.args(["--test", "--test-reporter=spec", "--test-concurrency=1"]);
    if let Some(pattern) = name {
        node.args(["--test-name-pattern", pattern]);
    }
    node.args(files);
    Ok(node)
}

/// node, told where the binary and the browser are.
pub(crate) fn script(tree: &Tree, tools: &Tools, binary: &Path) -> Result<Command> {
    let browser = tools.browser.as_ref().context("set-up brings a browser")?;
    let mut node = program(tree, &tools.node);
    node.env("FORESHADOW", binary).env("CHROME", &browser.chromium);
    Ok(node)
}
