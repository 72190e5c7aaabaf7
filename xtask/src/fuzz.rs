//! `cargo xtask fuzz`: the readers of outside text under libFuzzer (tests/fuzz), one after the other, each for so many
//! seconds, starting from its kept cases and from what earlier runs found worth keeping.
//!
//! A finding is left in `target/fuzz/found/READER`. It is made smaller by hand or by the fuzzer, gets a name that says what is
//! odd about it, and goes into the corpus, where the ordinary tests meet it for ever.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::command::{loudly, program, watched};
use crate::step::step;
use crate::tools::{self, NIGHTLY};
use crate::tree::Tree;

/// The most memory that a reader may take, MB: everything, the fuzzer's own included.
const MEMORY_MB: u32 = 256;
/// The longest that one input may take, seconds.
const LONGEST_S: u32 = 10;
/// The longest input, bytes. The corpus holds bombs of this size.
const LONGEST: u32 = 16 << 10;

/// A reader and its kept cases.
struct Reader {
    name: String,
    kept: PathBuf,
}

/// What the fuzzer says of a run at its end.
#[derive(Debug, PartialEq, Eq)]
struct Figures {
    executions: u64,
    peak_mb: u64,
}

pub(crate) fn run(tree: &Tree, only: Option<&str>, seconds: u64) -> Result<ExitCode> {
    let mut readers = readers(tree)?;
    if let Some(wanted) = only {
        let known: Vec<String> = readers.iter().map(|reader| reader.name.clone()).collect();
        readers.retain(|reader| reader.name == wanted);
        if readers.is_empty() {
            bail!("there is no reader “{wanted}”; the readers are {}", known.join(", "));
        }
    }
    tools::nightly(tree)?;
    tools::cargo_fuzz(tree)?;
    let fuzzer = build(tree)?;
    let (mut lines, mut failed) = (Vec::new(), Vec::new());
    for reader in &readers {
        let repeat = format!("cargo xtask fuzz {} --seconds {seconds}", reader.name);
        match step(&reader.name, &repeat, || fuzz(tree, &fuzzer, reader, seconds)) {
            Ok((figures, _)) => lines.push(line(&reader.name, &figures)),
            Err(error) => {
                eprintln!("{error:#}");
                failed.push(reader.name.as_str());
            }
        }
    }
    eprintln!("\n   {:16} {:>12} {:>8}", "reader", "executions", "peak MB");
    lines.iter().for_each(|line| eprintln!("{line}"));
    if !failed.is_empty() {
        bail!("something was found in {}", failed.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

fn line(name: &str, figures: &Figures) -> String {
    format!("   {name:16} {:>12} {:>8}", figures.executions, figures.peak_mb)
}

/// Whatever has a corpus.
fn readers(tree: &Tree) -> Result<Vec<Reader>> {
    let mut found = Vec::new();
    for room in ["druid", "backfill"] {
        let corpus = tree.root().join("crates").join(room).join("tests/outside/corpus");
        let folders = fs::read_dir(&corpus).with_context(|| format!("cannot read {}", corpus.display()))?;
        for folder in folders {
            let kept = folder?.path();
            let name = kept.file_name().context("a folder has a name")?.to_string_lossy().into_owned();
            found.push(Reader { name, kept });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The fuzzer: one program for all readers. No sanitizer: there is no unsafe code to watch, and theirs is the memory that
/// would be measured.
fn build(tree: &Tree) -> Result<PathBuf> {
    let host = tools::host(tree).context("rustc does not say what machine this is")?;
    let out = tree.target().join("fuzz/build");
    let mut command = program(tree, "rustup");
    command.args([
        "run",
        NIGHTLY,
        "cargo",
        "fuzz",
        "build",
        "--fuzz-dir",
        "tests/fuzz",
        "--sanitizer",
        "none",
    ]);
    command.args(["--target", &host]).arg("--target-dir").arg(&out).arg("readers");
    step("build the fuzzer", "cargo xtask fuzz", || loudly(&mut command))?;
    Ok(out.join(host).join("release").join(format!("readers{}", std::env::consts::EXE_SUFFIX)))
}

fn fuzz(tree: &Tree, fuzzer: &Path, reader: &Reader, seconds: u64) -> Result<Figures> {
    let place = |what: &str| tree.target().join("fuzz").join(what).join(&reader.name);
    let (met, found) = (place("met"), place("found"));
    fs::create_dir_all(&met)?;
    fs::create_dir_all(&found)?;
    let log = format!("fuzz-{}", reader.name);
    let mut command: Command = program(tree, fuzzer);
    command.env("FUZZ_READER", &reader.name);
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-rss_limit_mb={MEMORY_MB}"),
        format!("-timeout={LONGEST_S}"),
        format!("-max_len={LONGEST}"),
        format!("-artifact_prefix={}/", found.display()),
        "-print_final_stats=1".to_owned(),
    ]);
    // What is new goes to the first folder.
    command.arg(&met).arg(&reader.kept);
    watched(tree, &log, &mut command, "#").with_context(|| {
        format!(
            "what was found is in {}. Run it again with FUZZ_READER={} {} FILE; make it small, give it a name that says \
             what is odd about it, and put it into {}",
            found.display(),
            reader.name,
            fuzzer.display(),
            reader.kept.display()
        )
    })?;
    let said = fs::read_to_string(tree.tools().join("log").join(format!("{log}.log")))?;
    figures(&said).context("the fuzzer did not say what it did")
}

/// `stat::number_of_executed_units: 12345`, `stat::peak_rss_mb: 57`
fn figures(said: &str) -> Option<Figures> {
    let figure = |name: &str| {
        let line = said.lines().rev().find_map(|line| line.strip_prefix(name))?;
        line.strip_prefix(':')?.trim().parse().ok()
    };
    Some(Figures {
        executions: figure("stat::number_of_executed_units")?,
        peak_mb: figure("stat::peak_rss_mb")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_a_run_are_read_from_its_last_lines() {
        let said = "#2\tINITED cov: 12\nDone 4711 runs in 2 second(s)\nstat::number_of_executed_units: 4711\n\
                    stat::average_exec_per_sec:     2355\nstat::peak_rss_mb:              57\n";
        assert_eq!(figures(said), Some(Figures { executions: 4711, peak_mb: 57 }));
        assert_eq!(figures("==1== ERROR: libFuzzer: timeout"), None);
    }
}
