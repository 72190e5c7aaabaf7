//! The binary itself, files for it to read, and vectors that Druid made.
#![allow(clippy::unwrap_used, clippy::panic, dead_code)] // tests: a panic is a failure; not every test uses every part

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// A folder that goes when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("foreshadow-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// A file in it, and its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foreshadow"));
    command.args(arguments).env_remove("FORESHADOW_CLUSTER_CREDENTIALS").env("NO_PROXY", "*");
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What it said on stdout as JSON, and its exit code.
pub(crate) fn json(arguments: &[&str]) -> (Value, i32) {
    let output = run(arguments);
    let said =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?} of {arguments:?}"));
    (said, output.status.code().unwrap())
}

/// What it said on stderr when it could not read its input: one sentence, and exit code 2.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(output.stdout.is_empty());
    said.trim_end().to_owned()
}

/// The lines of one of the recordings.
pub(crate) fn vectors(name: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../druid/tests/vectors").join(name);
    let packed = std::fs::File::open(path).unwrap();
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(packed)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
