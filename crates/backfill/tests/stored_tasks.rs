//! What a running Druid stored of a task that was sent to it, against our rules for telling whether it is the same.
//!
//! `vectors/stored-tasks-33.jsonl.gz`: a line each, `name`, `ours` (as sent), `theirs` (the `payload` of
//! `GET /druid/indexer/v1/task/{id}` of a 33.0.0 right after): shapes of the recorded runs, and tasks made to hold
//! every partitioning, granularity, input source, format and filter once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a broken vector is a broken test"
)]

use std::io::Read;

use backfill::submission::{Sameness, same_content};
use flate2::read::GzDecoder;
use serde_json::Value;

struct Pair {
    name: String,
    ours: Value,
    theirs: String,
}

fn pairs() -> Vec<Pair> {
    let packed = include_bytes!("vectors/stored-tasks-33.jsonl.gz");
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let pair = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        Pair {
            name: line["name"].as_str().unwrap().to_owned(),
            ours: line["ours"].clone(),
            theirs: line["theirs"].to_string(),
        }
    };
    text.lines().map(pair).collect()
}

#[test]
fn a_task_is_known_again_in_what_a_running_druid_stored_of_it() {
    let pairs = pairs();
    assert!(pairs.len() > 100);
    for pair in &pairs {
        assert_eq!(same_content(&pair.ours.to_string(), &pair.theirs), Sameness::Same, "{}", pair.name);
    }
}

/// Leaves of a task that decide which rows go where.
const DECIDE: [&str; 6] = [
    "spec.dataSchema.",
    "spec.ioConfig.inputSource.",
    "spec.ioConfig.appendToExisting",
    "spec.ioConfig.dropExisting",
    "spec.tuningConfig.partitionsSpec.",
    "ioConfig.inputSpec.",
];

/// Leaves that cannot be told apart: a secret comes back masked, and Druid stores a granularity with its period alone.
const UNSEEN: [&str; 2] = ["httpAuthenticationPassword.password", "segmentGranularity.type"];

#[test]
fn a_task_that_differs_in_one_leaf_that_decides_something_is_not_known_again() {
    let mut tried = 0;
    for pair in pairs() {
        for path in leaves(&pair.ours, String::new()) {
            let decides = DECIDE.iter().any(|decides| path.starts_with(decides));
            if !decides || UNSEEN.iter().any(|unseen| path.ends_with(unseen)) {
                continue;
            }
            let mut other = pair.ours.clone();
            change(path.split('.').fold(&mut other, |at, step| match step.parse::<usize>() {
                Ok(index) => &mut at[index],
                Err(_) => &mut at[step],
            }));
            tried += 1;
            let sameness = same_content(&other.to_string(), &pair.theirs);
            assert!(matches!(sameness, Sameness::Differs(_)), "{}: {path} was not seen", pair.name);
        }
    }
    assert!(tried > 900, "{tried}");
}

fn leaves(value: &Value, path: String) -> Vec<String> {
    let below = |step: String, value: &Value| {
        leaves(value, if path.is_empty() { step } else { format!("{path}.{step}") })
    };
    match value {
        Value::Object(members) => members.iter().flat_map(|(key, value)| below(key.clone(), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, value)| below(index.to_string(), value)).collect()
        }
        _ => vec![path],
    }
}

fn change(leaf: &mut Value) {
    *leaf = match leaf.take() {
        Value::Bool(flag) => Value::from(!flag),
        Value::Number(number) => Value::from(number.as_i64().expect("whole numbers only") + 7),
        Value::String(text) => Value::from(format!("{text}x")),
        other => panic!("{other} is no leaf that says anything"),
    };
}
