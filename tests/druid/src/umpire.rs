//! Druid's own timeline class, asked over a pipe: what is visible, what is overshadowed. Nothing of ours decides that
//! here.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

/// What `VersionedIntervalTimeline.add` throws for one version on two intervals that overlap.
const REFUSED: &str = "org.apache.druid.java.util.common.UOE";
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

    /// Asks it about a JSON array of segments. None: Druid refuses the set (one version on two intervals that overlap).
    ///
    /// # Errors
    /// The class does not answer, or cannot read a segment.
    pub(crate) fn judge(&self, segments: &Value) -> Result<Option<Judgement>> {
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
        judgement(&line)
    }
}

/// A line of its answers: an error is its class and its words, as Java prints an exception.
fn judgement(line: &str) -> Result<Option<Judgement>> {
    let mut answer: Value =
        serde_json::from_str(line).with_context(|| format!("Druid's timeline class said {line:?}"))?;
    if let Some(error) = answer.get("error") {
        let error = error.as_str().unwrap_or_default();
        let class = error.split_once(':').map_or(error, |(class, _)| class);
        return if class == REFUSED { Ok(None) } else { Err(anyhow!("Druid's timeline class: {error}")) };
    }
    let mut taken = |key: &str| {
        let list = answer.get_mut(key).filter(|list| list.is_array()).map(Value::take);
        list.with_context(|| format!("Druid's timeline class said nothing of what is {key}"))
    };
    Ok(Some(Judgement { visible: taken("visible")?, overshadowed: taken("overshadowed")? }))
}

impl Drop for Umpire {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_refusal_of_a_set_means_that_it_cannot_be() {
        let refused =
            format!("{REFUSED}: Cannot add overlapping segments [a] and [b] with the same version [v]");
        let answer = |error: &str| judgement(&serde_json::json!({ "error": error }).to_string());
        assert!(matches!(answer(&refused), Ok(None)));
        assert!(matches!(answer(REFUSED), Ok(None)));
        for other in [
            "com.fasterxml.jackson.databind.exc.InvalidTypeIdException: Could not resolve type id 'x'",
            "com.fasterxml.jackson.databind.JsonMappingException: org.apache.druid.java.util.common.UOE: no",
            "org.apache.druid.java.util.common.IAE: Bad interval",
            "org.apache.druid.java.util.common.UOEx: no",
            "java.lang.UnsupportedOperationException: no",
            "java.lang.NullPointerException",
            "",
        ] {
            assert!(answer(other).is_err_and(|error| error.to_string().contains(other)), "{other}");
        }
    }

    #[test]
    fn an_answer_without_what_was_asked_for_is_no_judgement() {
        let whole = judgement(r#"{"visible": [], "overshadowed": ["a"]}"#);
        assert!(whole.is_ok_and(|whole| whole.is_some_and(|it| it.overshadowed == serde_json::json!(["a"]))));
        for line in [
            "",
            "\n",
            "{}",
            "null",
            r#"{"visible": []}"#,
            r#"{"visible": [], "overshadowed": null}"#,
            "Exception in",
        ] {
            assert!(judgement(line).is_err(), "{line:?}");
        }
    }
}
