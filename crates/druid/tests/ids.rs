//! Ids and names against the server's own answers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failing test should stop at once")]

use druid::id::{IdTrouble, MAX_TASK_ID_BYTES, validate_datasource, validate_id};
use serde_json::Value;

fn table(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// `(id "…")` of a recorded request, where it is written out.
fn sent_id(pair: &Value) -> Option<String> {
    let body = pair["request"]["body"].as_str()?;
    let quoted = body.strip_prefix("(id ")?.strip_suffix(')')?;
    serde_json::from_str(quoted).ok()
}

#[test]
fn ids_are_refused_in_the_words_of_the_server() {
    let rules = table(include_str!("vectors/id-validation.json"));
    for case in rules["reject"].as_array().unwrap() {
        let value = case["value"].as_str().unwrap();
        for (field, result) in [("Task ID", validate_id(value)), ("dataSource", validate_datasource(value))] {
            let words = result.unwrap_err().server_words(field, value).unwrap();
            assert_eq!(words, case["message"].as_str().unwrap().replace("{field}", field));
        }
    }
    for value in rules["accept"].as_array().unwrap() {
        assert_eq!(validate_id(value.as_str().unwrap()), Ok(()), "{value}");
        assert_eq!(validate_datasource(value.as_str().unwrap()), Ok(()), "{value}");
    }
}

#[test]
fn ids_that_a_live_druid_took_or_refused_are_told_apart_as_it_did() {
    let live = table(include_str!("vectors/live-responses.json"));
    let mut seen = 0;
    for pair in live["pairs"].as_array().unwrap() {
        let Some(id) = sent_id(pair) else { continue };
        seen += 1;
        let answer = pair["response"]["status"].as_u64().unwrap();
        match validate_id(&id) {
            Ok(()) => assert_eq!(answer, 200, "{id:?}"),
            Err(IdTrouble::Nul) => assert_eq!(answer, 200, "taken, to the cluster's harm"),
            Err(trouble) => {
                assert_eq!(answer, 400, "{id:?}");
                let words = trouble.server_words("task ID", &id).unwrap();
                let told = pair["response"]["body"]["error"].as_str().unwrap();
                assert!(told.ends_with(&format!("problem: {words}")), "{told} | {words}");
            }
        }
    }
    assert!(seen >= 15, "only {seen} ids were found in the recording");
}

#[test]
fn the_longest_id_that_runs_has_217_bytes() {
    assert_eq!(validate_id(&"K".repeat(MAX_TASK_ID_BYTES)), Ok(()));
    assert_eq!(validate_id(&"K".repeat(218)), Err(IdTrouble::TooLong { bytes: 218 }));
    assert_eq!(validate_id(&"ü".repeat(109)), Err(IdTrouble::TooLong { bytes: 218 }));
    assert_eq!(validate_id(&"K".repeat(256)), Err(IdTrouble::TooLongForStore { characters: 256 }));
}

#[test]
fn a_name_with_a_slash_is_refused_and_odd_letters_are_fine() {
    let slash = validate_datasource("a/b \"c\"").unwrap_err();
    assert_eq!(
        slash.server_words("dataSource", "a/b \"c\"").unwrap(),
        "Invalid value for field [dataSource]: Value [a/b \"c\"] cannot contain '/'."
    );
    assert_eq!(validate_datasource("ünï ?#%"), Ok(()));
}
