//! docs/pipeline.md: the very commands of the page, run where its files are.
//!
//! `UPDATE=1` in the environment writes what they print into the page; without, the page must say what they print.
#![allow(clippy::unwrap_used)] // tests: a panic is a failure

mod binary;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// What a command of the page prints, and its exit code.
fn run(command: &str) -> (String, i32) {
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let output = binary::command(&arguments).current_dir(docs().join("pipeline")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (said, output.status.code().unwrap())
}

/// The page with what its commands print now, and the exit codes in their order.
fn printed(page: &str) -> (String, Vec<i32>) {
    let (mut out, mut codes) = (String::new(), Vec::new());
    let (mut in_block, mut last) = (false, 0);
    for line in page.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => {
                in_block = line == "```console";
                writeln!(out, "{line}").unwrap();
            }
            Some("echo $?") if in_block => {
                codes.push(last);
                writeln!(out, "{line}\n{last}").unwrap();
            }
            Some(command) if in_block => {
                let (said, code) = run(command.strip_prefix("foreshadow ").unwrap());
                last = code;
                writeln!(out, "{line}\n{}", said.trim_end()).unwrap();
            }
            // What stood there before.
            None if in_block => {}
            _ => writeln!(out, "{line}").unwrap(),
        }
    }
    (out, codes)
}

#[test]
fn the_page_on_pipelines_shows_what_its_commands_print_and_a_pull_request_refused() {
    let path = docs().join("pipeline.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (now, codes) = printed(&page);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap();
    assert!(
        there == now,
        "docs/pipeline.md says something else than its commands: UPDATE=1 cargo test -p foreshadow --test pipeline"
    );
    // Refused, let through, and let through by a look at the task alone.
    assert_eq!(codes, [1, 0, 0]);
    assert!(now.contains("18 hours you did not name"));
}
