//! `cargo xtask bench`: the native benchmarks (criterion), then the served console in a browser against its budgets
//! (tests/browser/bench.mjs). Figures, not tests: run it on a machine that does nothing else.

use std::process::ExitCode;

use anyhow::Result;
use clap::ValueEnum;

use crate::browser_suite;
use crate::command::{cargo, loudly};
use crate::serve;
use crate::step::step;
use crate::tools::{self, Purpose};
use crate::tree::Tree;

/// One half of the measuring.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    Native,
    Browser,
}

pub(crate) fn run(tree: &Tree, only: Option<Part>) -> Result<ExitCode> {
    if only != Some(Part::Browser) {
        step("native benchmarks", "cargo xtask bench --only native", || {
            loudly(cargo(tree).args(["bench", "--workspace", "--exclude", "foreshadow-console", "--benches"]))
        })?;
    }
    if only != Some(Part::Native) {
        let tools = tools::set_up(tree, Purpose::Test)?;
        let binary = serve::build_with(tree, &tools)?;
        step("browser benchmarks", "cargo xtask bench --only browser", || {
            let mut node = browser_suite::script(tree, &tools, &binary)?;
            loudly(node.arg(tree.browser_tests().join("bench.mjs")))
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
