//! `foreshadow forecast` and `check`: recorded runs of real Druids through the binary, and how people use it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // tests: a panic is a failure

mod binary;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use binary::{Folder, json, refusal, run, vectors};
use serde_json::{Value, json};

/// What the recording says was visible afterwards, as the command prints it.
fn visible_after(run: &Value) -> Vec<Value> {
    let counts = |key: &str| {
        let mut counts = BTreeMap::<(String, String), usize>::new();
        for segment in run[key].as_array().unwrap() {
            *counts.entry((segment["interval"].to_string(), segment["version"].to_string())).or_default() +=
                1;
        }
        counts
    };
    let (before, after) = (counts("before"), counts("after"));
    let pieces = run["visible_after"].as_array().unwrap().iter().map(|piece| {
        let holder = (piece["true_interval"].to_string(), piece["version"].to_string());
        let was = before.get(&holder);
        json!({
            "interval": piece["interval"], "true_interval": piece["true_interval"],
            "version": if was.is_some() { piece["version"].clone() } else { json!("new") },
            "tombstone": piece["tombstone"],
            "appended": was.is_some_and(|was| *was < after[&holder]),
        })
    });
    sorted(pieces.collect())
}

fn sorted(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by_key(Value::to_string);
    values
}

fn texts(value: &Value) -> Vec<String> {
    let mut texts: Vec<String> =
        value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect();
    texts.sort();
    texts
}

/// The rows of a recording as a rows file: one split a file where a sub-task reads one file.
fn rows(run: &Value) -> Option<String> {
    let one = |rows: &Value| -> String {
        // A row without a time that can be read is null, and Druid drops it.
        rows.as_array().unwrap().iter().filter_map(Value::as_str).fold(String::new(), |mut text, row| {
            writeln!(text, "{row}").unwrap();
            text
        })
    };
    run["rows"].as_array()?;
    let by_file = run["task"].pointer("/spec/tuningConfig/splitHintSpec/maxNumFiles") == Some(&json!(1));
    match run["files"].as_object() {
        Some(files) if by_file => Some(files.values().map(one).collect::<Vec<_>>().join("--\n")),
        _ => Some(one(&run["rows"])),
    }
}

#[test]
fn recorded_runs_come_out_of_the_binary_as_they_came_out_of_druid() {
    let folder = Folder::new();
    let (mut runs, mut kills) = (0, 0);
    let all = vectors("live-33.jsonl.gz").into_iter().chain(vectors("live-37.jsonl.gz"));
    for (at, run) in all.enumerate() {
        let is_kill = run["task"]["type"] == "kill";
        if at % 8 != 0 && !is_kill {
            continue;
        }
        let Some(rows) = rows(&run).or_else(|| is_kill.then(String::new)) else { continue };
        let name = &run["name"];
        let segments = folder.file("segments.json", &run["before"].to_string());
        let task = folder.file("task.json", &run["task"].to_string());
        let rows = folder.file("rows", &rows);
        let unused = folder.file("unused", &texts(&run["unused_before"]).join("\n"));
        let (now, release) = (run["created"].as_str().unwrap(), run["druid"].as_str().unwrap());
        let (said, _) = json(&[
            "forecast",
            "--segments",
            &segments,
            "--task",
            &task,
            "--rows",
            &rows,
            "--unused",
            &unused,
            "--now",
            now,
            "--druid",
            release,
            "--json",
        ]);
        let [world] = said["worlds"].as_array().unwrap().as_slice() else {
            panic!("{name}: not one world in {said}")
        };
        assert_eq!(world["either"], json!([]), "{name}");
        let outcome = world["outcome"].as_str().unwrap();
        let ended = if run["status"] == "SUCCESS" { &["success"][..] } else { &["fails", "refused"][..] };
        assert!(ended.contains(&outcome), "{name}: {outcome}, {}", run["status"]);
        assert_eq!(
            sorted(world["visible"].as_array().unwrap().clone()),
            visible_after(&run),
            "{name}: visible"
        );
        let there: Vec<String> = run["before"]
            .as_array()
            .unwrap()
            .iter()
            .map(|segment| segment["identifier"].as_str().unwrap().to_owned())
            .collect();
        let mut hidden = texts(&run["overshadowed_after"]);
        hidden.retain(|id| there.contains(id));
        assert_eq!(texts(&world["overshadowed"]), hidden, "{name}: overshadowed");
        if is_kill {
            let left = texts(&run["unused_after"]);
            let mut gone = texts(&run["unused_before"]);
            gone.retain(|id| !left.contains(id));
            assert_eq!(texts(&world["deleted"]), gone, "{name}: deleted");
            kills += 1;
        }
        runs += 1;
    }
    assert!(runs > 100 && kills > 5, "{runs} runs, {kills} kills");
}

/// Two days of HOUR chunks' worth of a task, and a DAY segment of each day.
const TASK: &str = r#"{"type":"index_parallel","id":"idx_events_web_0123456789ab","spec":{
  "dataSchema":{"dataSource":"events_web","timestampSpec":{"column":"ts","format":"iso"},
    "dimensionsSpec":{"dimensions":["page"]},
    "granularitySpec":{"segmentGranularity":"DAY","intervals":["2026-07-16/2026-07-18"]}},
  "ioConfig":{"type":"index_parallel","inputSource":{"type":"local","baseDir":"/in","filter":"*.json"},
    "inputFormat":{"type":"json"},"dropExisting":true},
  "tuningConfig":{"type":"index_parallel"}}}"#;
const SEGMENTS: &str = r#"
  {"dataSource":"events_web","interval":"2026-07-16/P1D","version":"2026-07-20T00:00:00.000Z"}
  {"dataSource":"events_web","interval":"2026-07-17/P1D","version":"2026-07-20T00:00:00.000Z"}"#;

const D16: &str = "2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z";
const D17: &str = "2026-07-17T00:00:00.000Z/2026-07-18T00:00:00.000Z";

fn entry(day: &str, version: &str, tombstone: bool) -> Value {
    json!({"interval": day, "true_interval": day, "version": version, "tombstone": tombstone, "appended": false})
}

#[test]
fn what_the_user_says_of_the_input_decides_what_is_foreseen() {
    let folder = Folder::new();
    let (segments, task) = (folder.file("segments", SEGMENTS), folder.file("task.json", TASK));
    let forecast = |more: &[&str]| {
        let mut all = vec!["forecast", "--segments", &segments, "--task", &task, "--json"];
        all.extend(more);
        let (said, code) = json(&all);
        assert_eq!(code, 0, "{said}");
        said
    };
    let visible = |more: &[&str]| forecast(more)["worlds"][0]["visible"].clone();
    assert_eq!(visible(&["--rows-in", "all"]), json!([entry(D16, "new", false), entry(D17, "new", false)]));
    assert_eq!(
        visible(&["--rows-in", "existing"]),
        json!([entry(D16, "new", false), entry(D17, "new", false)])
    );
    assert_eq!(visible(&["--rows-in", "none"]), json!([entry(D16, "new", true), entry(D17, "new", true)]));
    let rows = folder.file("rows", "2026-07-17T05:00:00Z\n--\n2026-07-17T06:00:00Z\n");
    assert_eq!(visible(&["--rows", &rows]), json!([entry(D16, "new", true), entry(D17, "new", false)]));

    let unknown = forecast(&[]);
    assert_eq!(unknown, forecast(&["--rows-in", "unknown"]));
    let either = unknown["worlds"][0]["either"].as_array().unwrap();
    let days: Vec<&Value> = either.iter().map(|place| &place["interval"]).collect();
    assert_eq!(days, [D16, D17]);
    assert_eq!(
        sorted(either[0]["alternatives"].as_array().unwrap().clone()),
        sorted(vec![json!([entry(D16, "new", false)]), json!([entry(D16, "new", true)])])
    );
    assert_eq!(unknown["mode"], "replace");
    assert_eq!(unknown["typed"], json!(["2026-07-16T00:00:00.000Z/2026-07-18T00:00:00.000Z"]));
    assert_eq!(unknown["effective"], unknown["typed"]);
    let checks: Vec<&str> =
        unknown["findings"].as_array().unwrap().iter().map(|f| f["check"].as_str().unwrap()).collect();
    assert!(checks.contains(&"source-may-match-nothing"), "{checks:?}");
}

#[test]
fn inline_rows_are_read_from_the_task_itself() {
    let folder = Folder::new();
    let segments = folder.file("segments", SEGMENTS);
    let inline = TASK.replace(
        r#"{"type":"local","baseDir":"/in","filter":"*.json"}"#,
        r#"{"type":"inline","data":"{\"ts\":\"2026-07-16T05:00:00Z\"}"}"#,
    );
    let task = folder.file("task.json", &inline);
    let (said, _) = json(&["forecast", "--segments", &segments, "--task", &task, "--json"]);
    assert_eq!(said["worlds"][0]["visible"], json!([entry(D16, "new", false), entry(D17, "new", true)]));
    assert_eq!(said["worlds"].as_array().unwrap().len(), 1);
}

#[test]
fn a_finding_that_stops_is_exit_code_1_and_says_what_would_vanish() {
    let folder = Folder::new();
    let segments = folder.file("segments", SEGMENTS);
    let task =
        folder.file("task.json", &TASK.replace("2026-07-16/2026-07-18", "2026-07-16T06/2026-07-16T12"));
    let arguments = ["forecast", "--segments", &segments, "--task", &task];
    let output = run(&arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("18 hours you did not name"), "{text}");
    assert!(text.contains("works on   2026-07-16T00:00:00Z/2026-07-17T00:00:00Z"), "{text}");
    assert!(text.contains("fix: Use HOUR chunks"), "{text}");
}

#[test]
fn locks_running_tasks_and_the_default_context_count() {
    let folder = Folder::new();
    let (segments, task) = (folder.file("segments", SEGMENTS), folder.file("task.json", TASK));
    let lock = json!({"datasourceToLocks": {"events_web": [{
        "granularity": "timeChunk", "type": "EXCLUSIVE", "groupId": "nightly", "dataSource": "events_web",
        "interval": D16, "version": "2026-11-30T00:00:00.000Z", "priority": 50, "revoked": false,
    }], "other": []}});
    let locks = folder.file("locks.json", &lock.to_string());
    let base = ["forecast", "--segments", &segments, "--task", &task, "--json", "--rows-in", "all"];
    let with = |more: &[&str]| json(&[&base[..], more].concat()).0;
    assert_eq!(with(&["--locks", &locks])["worlds"][0]["outcome"], "waits");
    // A higher priority by the cluster's default takes the lock away.
    let context = folder.file("context.json", r#"{"priority": 60}"#);
    let said = with(&["--locks", &locks, "--context", &context]);
    assert_eq!(said["worlds"][0]["outcome"], "success");
    assert!(said["findings"].to_string().contains("Throws out nightly"), "{said}");

    let running = format!("[{{\"task\":\"x\",\"payload\":{TASK}}}]");
    let running = folder.file("running.json", &running);
    let said = with(&["--running", &running]);
    let unknown = said["unknown"].to_string();
    assert!(unknown.contains("What the tasks that run on this range now will have published"), "{unknown}");
}

#[test]
fn segments_that_druid_refuses_are_a_finding_in_place_of_a_forecast() {
    let folder = Folder::new();
    let two = r#"
      {"dataSource":"events_web","interval":"2026-07-16/P2D","version":"a"}
      {"dataSource":"events_web","interval":"2026-07-16/P1D","version":"a"}"#;
    let (segments, task) = (folder.file("segments", two), folder.file("task.json", TASK));
    let (said, code) = json(&["forecast", "--segments", &segments, "--task", &task, "--json"]);
    assert_eq!((code, &said["worlds"]), (1, &json!([])));
    assert_eq!(said["findings"][0]["check"], "same-version-overlap");
    let text = said["findings"][0]["text"].as_str().unwrap();
    assert!(text.contains("Cannot add overlapping segments ["), "{text}");
}

#[test]
fn a_task_is_checked_by_itself() {
    let folder = Folder::new();
    let good = folder.file("good.json", TASK);
    let (said, code) = json(&["check", "--task", &good, "--json"]);
    assert_eq!(code, 0, "{said}");
    let both = TASK.replace("\"dropExisting\":true", "\"dropExisting\":true,\"appendToExisting\":true");
    let output = run(&["check", "--task", &folder.file("both.json", &both)]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("Cannot simultaneously replace and append to existing segments"), "{text}");
    // Nothing is said of what nobody has looked at.
    assert!(!said.to_string().contains("append-doubles") && !said.to_string().contains("chunks-emptied"));
    let unaligned = TASK.replace("2026-07-16/2026-07-18", "2026-07-16T06/2026-07-16T12");
    let (said, _) = json(&["check", "--task", &folder.file("unaligned.json", &unaligned), "--json"]);
    assert!(said.to_string().contains("What is there now has not been looked at"), "{said}");
}

#[test]
fn what_cannot_be_read_says_where_and_what_should_stand_there() {
    let folder = Folder::new();
    let (segments, task) = (folder.file("segments", SEGMENTS), folder.file("task.json", TASK));
    let rows = folder.file("rows", "2026-07-16T05:00:00Z\nyesterday\n");
    let said = refusal(&["forecast", "--segments", &segments, "--task", &task, "--rows", &rows]);
    assert!(said.starts_with(&format!("{rows}:2: \"yesterday\" is no time")), "{said}");
    let broken = folder.file("broken.json", "{\n  \"type\": ,\n}");
    let said = refusal(&["forecast", "--segments", &segments, "--task", &broken]);
    assert!(said.starts_with(&format!("{broken}:2:")), "{said}");
    let nameless = folder.file("nameless.json", r#"{"type":"index_parallel","spec":{}}"#);
    assert!(
        refusal(&["forecast", "--segments", &segments, "--task", &nameless]).contains("names no datasource")
    );
    let locks = folder.file("locks.json", "[]");
    let said = refusal(&["forecast", "--segments", &segments, "--task", &task, "--locks", &locks]);
    assert!(said.contains("activeLocks"), "{said}");
    assert!(refusal(&["forecast", "--task", &task]).contains("--segments"));
    let said = refusal(&["forecast", "--segments", &segments, "--task", &task, "--druid", "newest"]);
    assert!(said.contains("write it like 33.0.0"), "{said}");
    let said = refusal(&["forecast", "--segments", &segments, "--task", &task, "--now", "noon"]);
    assert!(said.contains("write it like 2026-07-16T00:00:00Z"), "{said}");
}

#[test]
fn recorded_mark_calls_come_out_of_the_binary_as_they_came_out_of_druid() {
    let folder = Folder::new();
    for call in
        vectors("live-marks.jsonl.gz").into_iter().filter(|call| call["call"] == "markUsed").step_by(3)
    {
        let name = &call["name"];
        let mut task = call["body"].clone();
        task["type"] = json!("mark_used");
        task["dataSource"] = json!("web");
        let segments = folder.file("segments.json", &call["before"].to_string());
        let task = folder.file("task.json", &task.to_string());
        let lines: Vec<String> =
            call["unused_before"].as_array().unwrap().iter().map(Value::to_string).collect();
        let unused = folder.file("unused", &lines.join("\n"));
        let release = call["release"].as_str().unwrap();
        let (said, code) = json(&[
            "forecast",
            "--segments",
            &segments,
            "--task",
            &task,
            "--unused",
            &unused,
            "--druid",
            release,
            "--json",
        ]);
        assert_eq!(said["mode"], "mark_used", "{name}");
        // It is no task, and the gate says so.
        assert_eq!(code, 1, "{name}");
        let world = &said["worlds"][0];
        let outcome = if call["status"] == 200 { "success" } else { "refused" };
        assert_eq!(world["outcome"], outcome, "{name}");
        let left = texts(&call["unused_after"]);
        let before = call["unused_before"].as_array().unwrap().iter().map(|segment| {
            let (start, end) = segment["interval"].as_str().unwrap().split_once('/').unwrap();
            let id = format!("web_{start}_{end}_{}", segment["version"].as_str().unwrap());
            match segment["shardSpec"]["partitionNum"].as_u64() {
                None | Some(0) => id,
                Some(partition) => format!("{id}_{partition}"),
            }
        });
        let mut gone: Vec<String> = before.filter(|id| !left.contains(id)).collect();
        gone.sort();
        assert_eq!(texts(&world["marked"]), gone, "{name}");
    }
}
