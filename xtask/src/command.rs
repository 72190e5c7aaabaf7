//! Starting other programs: loudly (their output is ours), quietly (their output is an answer), or watched (their
//! output goes to a log file while a line now and then says how far it is).
//!
//! Every program starts in the checkout's root, with the tools of `.tools/` first on its PATH.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::step::spoken;
use crate::tree::Tree;

/// How often a watched program's progress is said.
const NEWS_EVERY: Duration = Duration::from_secs(15);
/// Lines of a failed program's log that are shown.
const LOG_TAIL: usize = 40;

/// A program to start in the checkout's root.
pub(crate) fn program(tree: &Tree, name: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(tree.root()).env("PATH", path(tree));
    // What cargo told *us* about xtask is not true for the programs we start.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// The cargo that started us.
pub(crate) fn cargo(tree: &Tree) -> Command {
    let mut command = program(tree, env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env("CARGO_TARGET_DIR", tree.target());
    command
}

fn path(tree: &Tree) -> OsString {
    let ours = [tree.tools().join("cargo/bin"), tree.tools().join("npm/node_modules/.bin")];
    let theirs = env::var_os("PATH").unwrap_or_default();
    env::join_paths(ours.into_iter().chain(env::split_paths(&theirs))).unwrap_or(theirs)
}

/// The command as one could type it, without what was set for it in the environment.
pub(crate) fn typed(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        if word.contains([' ', '"', '*', '$']) { format!("'{word}'") } else { word.into_owned() }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Runs to the end with our stdout and stderr.
pub(crate) fn loudly(command: &mut Command) -> Result<()> {
    let said = typed(command);
    eprintln!("   $ {said}");
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{said}`"))?;
    if !status.success() {
        bail!("`{said}` ended with {status}");
    }
    Ok(())
}

/// Runs to the end and gives what it wrote to stdout; `None` where it is not installed or fails.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The program's place on PATH, ours first.
pub(crate) fn find(tree: &Tree, name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path(tree)).map(|folder| folder.join(&file)).find(|place| place.is_file())
}

/// Runs to the end, its output in `.tools/log/NAME.log`, a line about it every 15 seconds. `count` picks the lines
/// that are progress ("Compiling …"); the news say how many there were and what the last one said.
pub(crate) fn watched(tree: &Tree, name: &str, command: &mut Command, count: &str) -> Result<()> {
    let said = typed(command);
    let log_file = tree.tools().join("log").join(format!("{name}.log"));
    fs::create_dir_all(tree.tools().join("log"))?;
    let mut log = File::create(&log_file).with_context(|| format!("cannot write {}", log_file.display()))?;
    writeln!(log, "$ {said}")?;
    eprintln!("   $ {said}");

    let begun = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{said}`"))?;
    let (say, heard) = mpsc::channel();
    let streams = [child.stdout.take().map(boxed), child.stderr.take().map(boxed)];
    for stream in streams.into_iter().flatten() {
        let say = say.clone();
        thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if say.send(line).is_err() {
                    break;
                }
            }
        });
    }
    drop(say);

    let (mut done, mut last, mut next_news) = (0_usize, String::new(), begun + NEWS_EVERY);
    loop {
        match heard.recv_timeout(next_news.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                writeln!(log, "{line}")?;
                if let Some(rest) = line.trim_start().strip_prefix(count) {
                    done += 1;
                    last = rest.trim().to_owned();
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let what = count.trim().to_lowercase();
                eprintln!("   {name}: {}, {what} {done}: {last}", spoken(begun.elapsed()));
                next_news += NEWS_EVERY;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{said}` ended with {status}. The end of {}:\n{}", log_file.display(), tail(&log_file));
    }
    Ok(())
}

fn boxed(stream: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(stream)
}

fn tail(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().skip(lines.len().saturating_sub(LOG_TAIL)).map(|line| format!("   | {line}\n")).collect()
}
