//! `cargo xtask mutants`: how much of the code the tests really hold. A room's code is changed in one small place at a time
//! (cargo-mutants), and the crate's tests must notice. No part of `cargo xtask test`: a room takes half an hour.
//!
//! A room with more mutants than wanted is sampled by a seed. The sample goes by what a mutant says and not by its line, so
//! that it stays the same where the code did. What is not noticed and need not be stands with its reason in
//! `tests/mutants.txt`.

mod known;
mod sample;

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::check::same_draws;
use crate::command::program;
use crate::step::step;
use crate::tools;
use crate::tree::Tree;
use known::Known;
use sample::Mutant;

/// A folder of a crate whose tests must notice nearly everything.
#[derive(Clone, Copy)]
struct Room {
    package: &'static str,
    name: &'static str,
    /// The tests that are about it. They are asked first; what they let pass is tried on all tests of the crate.
    near: &'static [&'static str],
}

const ROOMS: [Room; 7] = [
    Room { package: "druid", name: "interval", near: &["time_tables", "time_properties"] },
    Room { package: "druid", name: "granularity", near: &["time_tables", "time_properties"] },
    Room {
        package: "druid",
        name: "timeline",
        near: &["timeline", "timeline_bytes", "timeline_large", "timeline_properties"],
    },
    Room { package: "druid", name: "lock", near: &["lock_tables"] },
    Room { package: "druid", name: "ingest", near: &["ingest_rules", "recorded_runs", "races"] },
    Room { package: "backfill", name: "forecast", near: &["recorded_runs", "open_runs", "outcomes"] },
    Room { package: "backfill", name: "check", near: &["checks", "checks_near", "checks_page"] },
];
/// The part of a room's mutants that must be noticed.
const ENOUGH: f64 = 0.95;
/// The most address space of a mutant that never ends and collects, kB.
const MEMORY_KB: u32 = 8 << 20;
/// Where survivors are argued.
const KNOWN: &str = "tests/mutants.txt";

/// What became of the mutants of one room.
struct Figures {
    room: Room,
    caught: usize,
    unviable: usize,
    missed: Vec<Mutant>,
}

impl Figures {
    fn rate(&self) -> f64 {
        let tested = self.caught + self.missed.len();
        if tested == 0 { 0.0 } else { self.caught as f64 / tested as f64 }
    }
}

pub(crate) fn run(tree: &Tree, only: &[String], size: usize, seed: u64) -> Result<ExitCode> {
    for room in only {
        if !ROOMS.iter().any(|known| known.name == room) {
            let names = ROOMS.map(|known| known.name).join(", ");
            bail!("there is no room “{room}”; the rooms are {names}");
        }
    }
    tools::cargo_mutants(tree)?;
    let known = Known::read(&tree.root().join(KNOWN))?;
    let mut rooms = Vec::new();
    for room in ROOMS {
        if only.is_empty() || only.iter().any(|name| name == room.name) {
            let repeat = format!("cargo xtask mutants {} --sample {size} --seed {seed}", room.name);
            rooms.push(step(room.name, &repeat, || try_out(tree, room, size, seed))?.0);
        }
    }
    eprintln!("\n   {:12} {:>8} {:>8} {:>8} {:>8}", "room", "caught", "missed", "unbuilt", "");
    let mut short = Vec::new();
    for figures in &rooms {
        let Figures { room: Room { name, .. }, caught, unviable, missed } = figures;
        let (missed, rate) = (missed.len(), figures.rate() * 100.0);
        eprintln!("   {name:12} {caught:>8} {missed:>8} {unviable:>8} {rate:>7.1}%");
        if figures.rate() < ENOUGH {
            short.push(*name);
        }
    }
    let mut argued = true;
    for mutant in rooms.iter().flat_map(|figures| &figures.missed) {
        eprintln!("\n   {}\n      in: {}", mutant.name, mutant.before);
        match known.reason(mutant) {
            Some(why) => eprintln!("      why: {why}"),
            None => argued = false,
        }
    }
    if !short.is_empty() {
        bail!("fewer than {:.0} in 100 were noticed in {}", ENOUGH * 100.0, short.join(", "));
    }
    if !argued {
        bail!("what no test notices is tested, or argued in {KNOWN}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What cargo-mutants says at the end, as far as it is wanted.
#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: serde_json::Value,
    summary: String,
}

fn try_out(tree: &Tree, room: Room, size: usize, seed: u64) -> Result<Figures> {
    let listed = cargo_mutants(tree, room).args(["--list", "--json"]).output()?;
    if !listed.status.success() {
        bail!("cargo-mutants cannot list {}: {}", room.name, String::from_utf8_lossy(&listed.stderr));
    }
    let all = sample::read(&listed.stdout).context("what cargo-mutants lists cannot be read")?;
    let count = all.len();
    let drawn = sample::draw(all, size, seed);
    eprintln!("   {} of {count} mutants, seed {seed}", drawn.len());

    let mut figures = Figures { room, caught: 0, unviable: 0, missed: drawn };
    figures = asked(tree, figures, "near")?;
    if !figures.missed.is_empty() {
        eprintln!(
            "   {} pass the tests that are about {}; now all of the crate's",
            figures.missed.len(),
            room.name
        );
        figures = asked(tree, figures, "all")?;
    }
    Ok(figures)
}

/// Tries what was missed so far: on the tests that are `near`, or on `all` of them.
fn asked(tree: &Tree, figures: Figures, which: &str) -> Result<Figures> {
    let room = figures.room;
    let place = tree.target().join("mutants").join(room.name).join(which);
    fs::create_dir_all(&place)?;
    let chosen = place.join("chosen.toml");
    fs::write(&chosen, sample::chosen(&figures.missed))?;
    let mut command = cargo_mutants(tree, room);
    command.arg("--config").arg(&chosen).arg("--output").arg(&place);
    command.args(["--caught", "--no-times", "--colors", "never"]);
    if which == "near" {
        // For all that cargo is asked: else every test of the crate is built, and those that are near are run.
        let near = room.near.iter().map(|test| format!("--test={test}"));
        command.args(near.chain(["--lib".to_owned()]).map(|wanted| format!("--cargo-arg={wanted}")));
    }
    // Its exit code says only that something was missed or ran out of time, which the file says better.
    let status = bounded(tree, &command).status()?;
    let file = place.join("mutants.out/outcomes.json");
    let said = fs::read(&file).with_context(|| format!("cargo-mutants ended with {status}"))?;
    let outcomes: Outcomes = serde_json::from_slice(&said).with_context(|| format!("{}", file.display()))?;
    told(figures, &outcomes)
}

/// The figures after those that were missed so far were tried on more tests.
fn told(before: Figures, outcomes: &Outcomes) -> Result<Figures> {
    let mut figures = Figures { missed: Vec::new(), ..before };
    for outcome in &outcomes.outcomes {
        let name = outcome.scenario.pointer("/Mutant/name").and_then(|name| name.as_str());
        match (name, outcome.summary.as_str()) {
            (None, "Success") => {}
            (None, other) => bail!("the tests of the unchanged code: {other}"),
            // A test that never ends is noticed too.
            (Some(_), "CaughtMutant" | "Timeout") => figures.caught += 1,
            (Some(_), "Unviable") => figures.unviable += 1,
            (Some(name), _) => {
                let missed = before.missed.iter().find(|mutant| mutant.name == name);
                figures.missed.push(missed.with_context(|| format!("{name} was not drawn"))?.clone());
            }
        }
    }
    Ok(figures)
}

fn cargo_mutants(tree: &Tree, room: Room) -> Command {
    let Room { package, name, .. } = room;
    let mut command = program(tree, "cargo");
    command.args(["mutants", "--package", package, "--file"]).arg(format!("crates/{package}/src/{name}/**"));
    command.envs([("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_PROFILE_TEST_DEBUG", "0")]);
    command.env_remove("CARGO_TARGET_DIR");
    same_draws(&mut command);
    command
}

/// The same command with a bound on its memory, where a shell can set one.
fn bounded(tree: &Tree, command: &Command) -> Command {
    if !cfg!(unix) {
        let mut same = program(tree, command.get_program());
        same.args(command.get_args());
        return with_environment(same, command);
    }
    let mut shell = program(tree, "sh");
    shell.args(["-c", &format!("ulimit -v {MEMORY_KB}; exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args());
    with_environment(shell, command)
}

fn with_environment(mut to: Command, from: &Command) -> Command {
    for (name, value) in from.get_envs() {
        match value {
            Some(value) => to.env(name, value),
            None => to.env_remove(name),
        };
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(name: &str) -> Mutant {
        Mutant { name: name.to_owned(), said: name.to_owned(), before: String::new() }
    }

    fn untried(drawn: Vec<Mutant>) -> Figures {
        Figures { room: ROOMS[0], caught: 0, unviable: 0, missed: drawn }
    }

    fn ended(name: &str, summary: &str) -> String {
        format!(r#"{{"scenario": {{"Mutant": {{"name": "{name}"}}}}, "summary": "{summary}"}}"#)
    }

    fn outcomes(baseline: &str, mutants: &[String]) -> Outcomes {
        let baseline = format!(r#"{{"scenario": "Baseline", "summary": "{baseline}"}}"#);
        let all: Vec<String> = std::iter::once(baseline).chain(mutants.iter().cloned()).collect();
        serde_json::from_str(&format!(r#"{{"outcomes": [{}]}}"#, all.join(","))).unwrap()
    }

    #[test]
    fn a_test_that_never_ends_has_noticed_and_what_does_not_build_counts_for_nothing() {
        let drawn = ["a", "b", "c", "d"].map(mutant).to_vec();
        let said = [("a", "CaughtMutant"), ("b", "Timeout"), ("c", "Unviable"), ("d", "MissedMutant")];
        let said: Vec<String> = said.iter().map(|(name, summary)| ended(name, summary)).collect();
        let figures = told(untried(drawn), &outcomes("Success", &said)).unwrap();
        assert_eq!((figures.caught, figures.unviable, figures.missed.len()), (2, 1, 1));
        assert!((figures.rate() - 2.0 / 3.0).abs() < 1e-9);
        // Tried once more on all tests, the one that was missed is found.
        let figures = told(figures, &outcomes("Success", &[ended("d", "CaughtMutant")])).unwrap();
        assert_eq!((figures.caught, figures.unviable, figures.missed.len()), (3, 1, 0));
    }

    #[test]
    fn tests_that_fail_without_a_mutant_say_nothing_about_mutants() {
        assert!(told(untried(Vec::new()), &outcomes("Failure", &[])).is_err());
    }
}
