//! Druid's own timeline class, asked over a pipe: what is visible, what is overshadowed. Nothing of ours decides that
//! here.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde_json::Value;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/java/Umpire.java");

/// The running class.
pub(crate) struct Umpire {
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    process: Child,
}

/// What the class says of a set of segments.
pub(crate) struct Judgement {
    /// Visible pieces: `interval`, `true_interval`, `version`, `partitions`, `tombstone`.
    pub(crate) visible: Value,
    /// Ids.
    pub(crate) overshadowed: Value,
}

impl Umpire {
    /// Starts it on the jars of a release.
    pub(crate) fn start(jars: &Path) -> Result<Umpire> {
        let mut process = Command::new("java")
            .args(["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.timezone=UTC", "-cp"])
            .arg(jars.join("*"))
            .arg(SOURCE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start java")?;
        let stdin = process.stdin.take().context("java has no standard input")?;
        let stdout = process.stdout.take().context("java has no standard output")?;
        Ok(Umpire { pipes: Mutex::new((stdin, BufReader::new(stdout))), process })
    }

    /// Asks it about a JSON array of segments.
    ///
    /// # Errors
    /// Druid refuses the set (one version on two overlapping intervals), or the class does not answer.
    pub(crate) fn judge(&self, segments: &Value) -> Result<Judgement> {
        // What a segment was compacted by names aggregators that the class knows only inside a server.
        let mut segments = segments.clone();
        for segment in segments.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            segment.remove("lastCompactionState");
        }
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let (stdin, stdout) = &mut *pipes;
        writeln!(stdin, "{segments}")?;
        let mut line = String::new();
        if stdout.read_line(&mut line)? == 0 {
            bail!("Druid's timeline class ended; try `java -cp 'JARS/*' {SOURCE}`");
        }
        let mut answer: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        match answer.get("error").and_then(Value::as_str) {
            Some(error) => bail!("Druid's timeline class: {error}"),
            None => Ok(Judgement {
                visible: answer.get_mut("visible").map(Value::take).unwrap_or_default(),
                overshadowed: answer.get_mut("overshadowed").map(Value::take).unwrap_or_default(),
            }),
        }
    }
}

impl Drop for Umpire {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
