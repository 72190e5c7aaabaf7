//! `cargo xtask test`: all checks, as named steps in the order of what they cost. The first that fails stops the run
//! and says how to repeat it alone.
//!
//! Nothing is compiled twice that need not be: journeys drive the very binary and console that `cargo xtask serve`
//! builds, and wasm tests share their target folder with `cargo xtask dev`.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::browser_suite;
use crate::command::{cargo, loudly, program};
use crate::druid;
use crate::serve;
use crate::step::{spoken, step};
use crate::tools::{self, Purpose, Tools, WASM_TARGET};
use crate::tree::Tree;

/// Where proptest takes the seed of its cases from.
const DRAWN_FROM: &str = "PROPTEST_RNG_SEED";

/// Drawn cases are the same on every machine; another number in that variable draws others.
pub(crate) fn same_draws(test: &mut Command) {
    if std::env::var_os(DRAWN_FROM).is_none() {
        test.env(DRAWN_FROM, "33");
    }
}

/// What a step asks of the set-up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Rust,
    WasmTarget,
    Browser,
}

/// One step of the run.
struct Check {
    name: &'static str,
    about: &'static str,
    needs: Needs,
    run: fn(&Tree, Option<&Tools>, Option<&str>) -> Result<()>,
}

const CHECKS: [Check; 7] = [
    Check {
        name: "format",
        about: "all Rust files are as rustfmt writes them",
        needs: Needs::Rust,
        run: |tree, _, _| loudly(cargo(tree).args(["fmt", "--all", "--check"])),
    },
    Check {
        name: "clippy",
        about: "no warning in any crate, tests included",
        needs: Needs::Rust,
        run: |tree, _, _| {
            loudly(cargo(tree).args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
        },
    },
    Check {
        name: "clippy-wasm",
        about: "no warning in what runs in the browser, compiled for it",
        needs: Needs::WasmTarget,
        run: |tree, _, _| {
            let of_the_console = ["-p", "foreshadow-console", "--all-targets"];
            let below_it = ["-p", "druid", "-p", "backfill", "-p", "chart"];
            for packages in [&below_it[..], &of_the_console[..]] {
                let mut clippy = cargo(tree);
                clippy.args(["clippy", "--target", WASM_TARGET]).args(packages);
                loudly(clippy.args(["--", "-D", "warnings"]))?;
            }
            Ok(())
        },
    },
    Check {
        name: "native",
        about: "unit tests, properties, vectors and the house rules, on this machine",
        needs: Needs::Rust,
        run: |tree, _, _| {
            let mut test = cargo(tree);
            same_draws(&mut test);
            loudly(test.args(["test", "--workspace"]))
        },
    },
    Check {
        name: "druid",
        about: "where FORESHADOW_DRUID=1: forty fresh runs on a real Druid, each as foreseen; left out without Java, Maven or the jars",
        needs: Needs::Rust,
        run: |tree, _, _| druid::reality::in_passing(tree),
    },
    Check {
        name: "wasm",
        about: "the console's own tests, compiled to wasm, in Chromium",
        needs: Needs::Browser,
        run: |tree, tools, _| browser_suite::wasm_tests(tree, tools.context("set-up brings tools")?),
    },
    Check {
        name: "journeys",
        about: "whole journeys through the served console, in Chromium",
        needs: Needs::Browser,
        run: |tree, tools, name| {
            let tools = tools.context("set-up brings tools")?;
            let binary = serve::build_with(tree, tools)?;
            loudly(&mut browser_suite::journeys(tree, tools, &binary, &tree.browser_tests(), name)?)
        },
    },
];

/// What `cargo xtask test --druid` plays, in this order.
const ON_DRUID: [&str; 2] = ["scenarios", "journeys"];

/// On a running Druid: fresh scenarios, then journeys; or one of them.
pub(crate) fn on_druid(
    tree: &Tree,
    season: &druid::reality::Season,
    only: &[String],
    name: Option<&str>,
) -> Result<ExitCode> {
    if let Some(unknown) = only.iter().find(|wanted| !ON_DRUID.contains(&wanted.as_str())) {
        bail!("there is no step “{unknown}” on a running Druid; the steps are {}", ON_DRUID.join(", "));
    }
    let wanted = |step: &str| only.is_empty() || only.iter().any(|wanted| wanted == step);
    // One scenario again is asked for to look at that one.
    let one = season.number.is_some() && only.is_empty();
    if wanted("scenarios") && name.is_none() {
        step("scenarios", "cargo xtask test --druid --only scenarios", || {
            druid::reality::in_full(tree, season)
        })?;
    }
    if wanted("journeys") && !one {
        let tools = tools::set_up(tree, Purpose::Test)?;
        let binary = serve::build_with(tree, &tools)?;
        step("journeys", "cargo xtask test --druid --only journeys", || {
            druid::journeys::play(
                tree,
                &season.release,
                &mut browser_suite::journeys(
                    tree,
                    &tools,
                    &binary,
                    &tree.browser_tests().join("on-druid"),
                    name,
                )?,
            )
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Names the steps, on stderr.
pub(crate) fn list() -> Result<ExitCode> {
    for check in &CHECKS {
        eprintln!("{:12} {}", check.name, check.about);
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the named steps, or all.
pub(crate) fn run(tree: &Tree, only: &[String], name: Option<&str>) -> Result<ExitCode> {
    if let Some(unknown) = only.iter().find(|wanted| CHECKS.iter().all(|check| check.name != **wanted)) {
        bail!("there is no step “{unknown}”; the steps are {}", CHECKS.map(|check| check.name).join(", "));
    }
    let chosen: Vec<&Check> = CHECKS
        .iter()
        .filter(|check| only.is_empty() || only.iter().any(|wanted| wanted == check.name))
        .collect();
    let begun = Instant::now();
    let mut times: Vec<(&str, Duration)> = Vec::new();

    if chosen.iter().any(|check| check.needs == Needs::WasmTarget) {
        tools::wasm_target(tree)?;
    }
    let tools = if chosen.iter().any(|check| check.needs == Needs::Browser) {
        let (tools, taken) = step("tools", "cargo xtask setup", || tools::set_up(tree, Purpose::Test))?;
        times.push(("tools", taken));
        Some(tools)
    } else {
        None
    };
    for check in &chosen {
        let repeat = format!("cargo xtask test --only {}", check.name);
        let ((), taken) = step(check.name, &repeat, || (check.run)(tree, tools.as_ref(), name))?;
        times.push((check.name, taken));
    }

    eprintln!();
    for (name, taken) in times {
        eprintln!("   {name:12} {}", spoken(taken));
    }
    eprintln!("ALL PASSED: {} of {} steps in {}", chosen.len(), CHECKS.len(), spoken(begun.elapsed()));
    Ok(ExitCode::SUCCESS)
}

/// Formats all Rust files.
pub(crate) fn format(tree: &Tree) -> Result<ExitCode> {
    loudly(program(tree, "cargo").args(["fmt", "--all"]))?;
    Ok(ExitCode::SUCCESS)
}
