//! `foreshadow timeline` against what Druid's own timeline class makes of the same segments.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // tests: a panic is a failure

mod binary;

use binary::{Folder, json, refusal, run, vectors};
use serde_json::{Value, json};

/// The segments of a vector as the Coordinator would give them, and their ids.
fn segments(case: &Value) -> (Vec<Value>, Vec<String>) {
    let (mut segments, mut ids) = (Vec::new(), Vec::new());
    for raw in case["segments"].as_array().unwrap() {
        let mut segment = raw.clone();
        segment["dataSource"] = json!("x");
        let (interval, version) = (raw["interval"].as_str().unwrap(), raw["version"].as_str().unwrap());
        let partition = match partition(raw) {
            0 => String::new(),
            partition => format!("_{partition}"),
        };
        ids.push(format!("x_{}_{version}{partition}", interval.replace('/', "_")));
        segments.push(segment);
    }
    (segments, ids)
}

fn partition(segment: &Value) -> u64 {
    segment["shardSpec"]["partitionNum"].as_u64().unwrap_or(0)
}

/// A piece of the vector as the command prints it.
fn visible(piece: &Value, segments: &[Value]) -> Value {
    let of: Vec<&Value> = piece["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &segments[at.as_u64().unwrap() as usize])
        .collect();
    let mut partitions: Vec<u64> = of.iter().map(|segment| partition(segment)).collect();
    partitions.sort_unstable();
    json!({
        "interval": piece["interval"], "true_interval": piece["trueInterval"], "version": piece["version"],
        "partitions": partitions,
        "tombstone": of.iter().all(|segment| segment["shardSpec"]["type"] == "tombstone"),
    })
}

fn sorted(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort();
    texts
}

#[test]
fn what_is_visible_and_overshadowed_is_what_druids_own_class_says() {
    let folder = Folder::new();
    let (mut legal, mut illegal) = (0, 0);
    for case in vectors("timeline-vectors.jsonl.gz").iter().step_by(6) {
        let (segments, ids) = segments(case);
        // Arrays and JSON lines by turns.
        let text = if legal % 2 == 0 {
            Value::from(segments.clone()).to_string()
        } else {
            segments.iter().map(|segment| format!("{segment}\n")).collect()
        };
        let file = folder.file("segments.json", &text);
        let (said, code) = json(&["timeline", "--segments", &file, "--json"]);
        let name = &case["case"];
        if case["error"].is_null() {
            let expected: Vec<Value> =
                case["complete"].as_array().unwrap().iter().map(|piece| visible(piece, &segments)).collect();
            assert_eq!(said["visible"], json!(expected), "case {name}");
            let hidden = case["isOvershadowed"].as_array().unwrap().iter();
            let hidden = sorted(hidden.map(|at| ids[at.as_u64().unwrap() as usize].clone()));
            let said_hidden = said["overshadowed"].as_array().unwrap().iter();
            assert_eq!(sorted(said_hidden.map(|id| id.as_str().unwrap().to_owned())), hidden, "case {name}");
            assert_eq!((code, &said["illegal"]), (0, &Value::Null), "case {name}");
            legal += 1;
        } else {
            assert_eq!(code, 1, "case {name}");
            let reason = said["illegal"]["reason"].as_str().unwrap();
            assert!(reason.starts_with("Cannot add overlapping segments ["), "{reason}");
            for id in said["illegal"]["segments"].as_array().unwrap() {
                assert!(ids.contains(&id.as_str().unwrap().to_owned()), "case {name}: {id}");
            }
            illegal += 1;
        }
    }
    assert!(legal > 100 && illegal > 3, "{legal} legal, {illegal} illegal");
}

/// A day of version a under an hour of version b; of the core set of two after it one partition is missing.
const COMPACT: &str = r#"[0,86400000,"a",0,1]
[3600000,7200000,"b",0,2]
[3600000,7200000,"b",1,2]
[86400000,172800000,"c",0,2]
[3600000,7200000,"a0",0,1]
"#;

#[test]
fn compact_lines_are_named_by_their_own_values() {
    let folder = Folder::new();
    let file = folder.file("segments", COMPACT);
    let (said, code) = json(&["timeline", "--segments", &file, "--json"]);
    assert_eq!(code, 0);
    let day = "1970-01-01T00:00:00.000Z/1970-01-02T00:00:00.000Z";
    let piece = |interval: &str, of: &str, version: &str, partitions: &[u32]| {
        json!({
            "interval": interval, "true_interval": of, "version": version, "partitions": partitions, "tombstone": false
        })
    };
    let hour = "1970-01-01T01:00:00.000Z/1970-01-01T02:00:00.000Z";
    assert_eq!(
        said,
        json!({
            "visible": [
                piece("1970-01-01T00:00:00.000Z/1970-01-01T01:00:00.000Z", day, "a", &[0]),
                piece(hour, hour, "b", &[0, 1]),
                piece("1970-01-01T02:00:00.000Z/1970-01-02T00:00:00.000Z", day, "a", &[0]),
            ],
            "overshadowed": [[3_600_000, 7_200_000, "a0", 0]],
            "incomplete": [{"interval": "1970-01-02T00:00:00.000Z/1970-01-03T00:00:00.000Z", "version": "c"}],
            "illegal": null,
        })
    );
    let text = String::from_utf8(run(&["timeline", "--segments", &file]).stdout).unwrap();
    assert!(text.starts_with("5 segments: 3 pieces visible, 1 overshadowed, 1 sets incomplete\n"), "{text}");
}

#[test]
fn the_timings_line_has_the_fingerprint_of_what_is_visible() {
    let folder = Folder::new();
    let file = folder.file("segments", COMPACT);
    let output = run(&["timeline", "--segments", &file, "--json", "--timings"]);
    let line: Value = serde_json::from_slice(&output.stderr).unwrap();
    let keys: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["segments", "read_ns", "build_ns", "visible_ns", "overshadowed_ns", "timeline_bytes", "visible_fnv"]
    );
    assert_eq!(line["segments"], 5);
    assert!(line["timeline_bytes"].as_u64().unwrap() > 0);
    // The text of the rule, written out.
    let rule = "0,3600000,a,0\n3600000,7200000,b,0;1\n7200000,86400000,a,0\n";
    let fnv = rule.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    assert_eq!(line["visible_fnv"], format!("{fnv:016x}"));
}

#[test]
fn a_version_on_two_overlapping_intervals_is_refused_with_exit_code_1() {
    let folder = Folder::new();
    let file = folder.file("segments", "[0,86400000,\"a\",0,1]\n[3600000,7200000,\"a\",0,1]\n");
    let (said, code) = json(&["timeline", "--segments", &file, "--json"]);
    assert_eq!(code, 1);
    assert_eq!(said["illegal"]["segments"], json!([[0, 86_400_000, "a", 0], [3_600_000, 7_200_000, "a", 0]]));
}

#[test]
fn segments_that_cannot_be_read_are_one_sentence_and_exit_code_2() {
    let folder = Folder::new();
    let page = folder.file("page.html", "<html>502 Bad Gateway</html>");
    let said = refusal(&["timeline", "--segments", &page]);
    assert!(said.starts_with(&format!("{page}: this is no list of segments")), "{said}");
    let cut = folder.file("cut.json", "[{\"dataSource\":\"x\",");
    assert!(refusal(&["timeline", "--segments", &cut]).contains("was cut after 0"));
    let of_two = "{\"dataSource\":\"x\",\"interval\":\"2026-07-16/P1D\",\"version\":\"a\"}\n\
                  {\"dataSource\":\"y\",\"interval\":\"2026-07-16/P1D\",\"version\":\"a\"}";
    let said = refusal(&["timeline", "--segments", &folder.file("two.jsonl", of_two)]);
    assert!(said.contains("give one datasource at a time"), "{said}");
    assert!(
        refusal(&["timeline", "--segments", "/nowhere/x.json"]).contains("/nowhere/x.json cannot be read")
    );
}
