//! `cargo xtask shots`: a picture of every page in every state that matters (the list is tests/browser/shots.mjs).

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::browser_suite;
use crate::command::loudly;
use crate::serve;
use crate::tools::{self, Purpose};
use crate::tree::Tree;

/// The picture that README.md shows, as shots.mjs names it.
const README_PICTURE: &str = "plan-light.png";

pub(crate) fn run(tree: &Tree, only: Option<&str>, readme: bool) -> Result<ExitCode> {
    let tools = tools::set_up(tree, Purpose::Test)?;
    let binary = serve::build_with(tree, &tools)?;
    let mut node = browser_suite::script(tree, &tools, &binary)?;
    node.arg(tree.browser_tests().join("shots.mjs")).arg(tree.shots()).args(only);
    loudly(&mut node)?;
    if readme {
        let to = tree.root().join("docs/pictures/plan.png");
        fs::create_dir_all(tree.root().join("docs/pictures"))?;
        fs::copy(tree.shots().join(README_PICTURE), &to)
            .with_context(|| format!("shots made no {README_PICTURE}"))?;
        eprintln!("shots: {} is new", to.display());
    }
    Ok(ExitCode::SUCCESS)
}
