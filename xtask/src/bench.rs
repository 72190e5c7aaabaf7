//! `cargo xtask bench`: the native benchmarks (criterion, and the timeline against Druid's own where java and mvn are
//! found), then the served console in a browser against its budgets (tests/browser/bench.mjs). Figures, not tests: run
//! it on a machine that does nothing else.

use std::ffi::OsString;
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::browser_suite;
use crate::command::{cargo, find, loudly, program};
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
            let mut bench = cargo(tree);
            bench.args(["bench", "--workspace", "--exclude", "foreshadow-console", "--benches"]);
            match druids_timeline(tree)? {
                Some(class_path) => bench.env("DRUID_TIMELINE_CLASSPATH", class_path),
                None => {
                    eprintln!(
                        "   java or mvn is not found: the timeline is not measured against Druid's own"
                    );
                    &mut bench
                }
            };
            loudly(&mut bench)
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

/// Builds the Java program that measures Druid's own timeline (crates/druid/benches/druid) and gives its class path;
/// `None` without java and mvn. Maven keeps Druid's jars in its own store.
fn druids_timeline(tree: &Tree) -> Result<Option<OsString>> {
    if find(tree, "java").is_none() || find(tree, "mvn").is_none() {
        return Ok(None);
    }
    let out = tree.target().join("xtask/druid-timeline");
    let listed = out.join("class-path");
    let mut mvn = program(tree, "mvn");
    mvn.current_dir(tree.root().join("crates/druid/benches/druid"));
    mvn.args(["-q", "-B", "package", "dependency:build-classpath"]);
    mvn.arg(format!("-Dout={}", out.display())).arg(format!("-Dmdep.outputFile={}", listed.display()));
    loudly(&mut mvn)?;
    let jars = fs::read_to_string(&listed).with_context(|| format!("cannot read {}", listed.display()))?;
    let jars = env::split_paths(jars.trim()).collect::<Vec<_>>();
    Ok(Some(env::join_paths([out.join("classes")].into_iter().chain(jars))?))
}
