//! `foreshadow forecast --cluster`: what is asked of a live cluster, and what is made of its answers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // tests: a panic is a failure

mod binary;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use binary::{Folder, json, refusal};
use serde_json::{Value, json};

const DAY: &str = "2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z";

const TASK: &str = r#"{"type":"index_parallel","id":"idx_events_web_0123456789ab","spec":{
  "dataSchema":{"dataSource":"events_web","timestampSpec":{"column":"ts","format":"iso"},
    "dimensionsSpec":{"dimensions":["page"]},
    "granularitySpec":{"segmentGranularity":"DAY","intervals":["2026-07-16/2026-07-17"]}},
  "ioConfig":{"type":"index_parallel","inputSource":{"type":"local","baseDir":"/in","filter":"*.json"},
    "inputFormat":{"type":"json"}},
  "tuningConfig":{"type":"index_parallel","maxNumConcurrentSubTasks":2}},
  "context":{"useConcurrentLocks":true}}"#;

/// A Router of Druid 37 that keeps every request line it sees.
fn router() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 65_536];
            let length = stream.read(&mut head).unwrap_or(0);
            let line = String::from_utf8_lossy(&head[..length]).lines().next().unwrap_or_default().to_owned();
            let (status, body) = answer(&line);
            log.lock().unwrap().push(line);
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    (url, seen)
}

/// As facts of a live cluster have the shapes.
fn answer(line: &str) -> (&'static str, String) {
    let ok = |body: Value| ("200 OK", body.to_string());
    let path = line.split(' ').nth(1).unwrap_or_default();
    match path {
        "/status" => ok(json!({"version": "37.0.0", "modules": []})),
        "/proxy/enabled" => ok(json!({"enabled": true})),
        path if path.ends_with("/isLeader") => ok(json!({"leader": true})),
        "/druid/coordinator/v1/metadata/datasources/events_web/segments?full" => ok(json!([{
            "dataSource": "events_web", "interval": DAY, "version": "2026-07-20T00:00:00.000Z",
            "shardSpec": {"type": "numbered", "partitionNum": 0, "partitions": 1}, "size": 5, "dimensions": "page",
            "metrics": "",
        }])),
        "/druid/indexer/v1/activeLocks" => ok(json!({"datasourceToLocks": {"events_web": [{
            "granularity": "timeChunk", "type": "APPEND", "groupId": "index_kafka_web", "dataSource": "events_web",
            "interval": DAY, "version": "1970-01-01T00:00:00.000Z", "priority": 75, "revoked": false,
        }]}})),
        path if path.starts_with("/druid/indexer/v1/tasks?state=running") => ok(json!([{
            "id": "index_kafka_web_1", "groupId": "index_kafka_web", "type": "index_kafka", "statusCode": "RUNNING",
            "runnerStatusCode": "RUNNING", "dataSource": "events_web", "duration": -1,
        }])),
        path if path.starts_with("/druid/indexer/v1/tasks?") => ok(json!([])),
        "/druid/indexer/v1/task/index_kafka_web_1" => ok(
            json!({"task": "index_kafka_web_1", "payload": {"type": "index_kafka", "dataSource": "events_web"}}),
        ),
        "/druid/indexer/v1/compaction/config/datasources/events_web" => {
            ok(json!({"dataSource": "events_web", "granularitySpec": {"segmentGranularity": "HOUR"}}))
        }
        // The second row has no version.
        path if path.starts_with("/druid/coordinator/v1/metadata/datasources/events_web/unusedSegments?") => {
            ok(json!([
                {"dataSegment": {"dataSource": "events_web", "interval": DAY, "version": "2026-07-19T00:00:00.000Z"}},
                {"dataSegment": {"dataSource": "events_web", "interval": DAY}},
            ]))
        }
        "/druid/indexer/v1/workers" => ok(
            json!([{"worker": {"host": "127.0.0.1:8091", "capacity": 1}, "currCapacityUsed": 0, "runningTasks": []}]),
        ),
        "/druid/coordinator/v1/rules/events_web?full" => ok(json!([
            {"type": "loadByInterval", "interval": "2027/2028", "tieredReplicants": {"_default_tier": 2}},
            {"type": "dropForever"},
        ])),
        "/druid/indexer/v1/task/idx_events_web_0123456789ab" => {
            let mut payload: Value = serde_json::from_str(TASK).unwrap();
            payload["spec"]["ioConfig"]["dropExisting"] = json!(true);
            ok(json!({"task": "idx_events_web_0123456789ab", "payload": payload}))
        }
        path if path.starts_with("/druid/indexer/v1/task/") => {
            ("404 Not Found", "Cannot find any task with id: [x]".to_owned())
        }
        _ => ("404 Not Found", json!({"error": "not here"}).to_string()),
    }
}

#[test]
fn a_live_cluster_says_what_is_there_who_is_at_work_and_which_release_it_is() {
    let (url, seen) = router();
    let folder = Folder::new();
    let task = folder.file("task.json", TASK);
    let (said, code) =
        json(&["forecast", "--cluster", &url, "--task", &task, "--rows-in", "existing", "--json"]);
    assert_eq!(code, 1, "{said}");
    let visible = &said["worlds"][0]["visible"];
    assert_eq!((&visible[0]["interval"], &visible[0]["version"]), (&json!(DAY), &json!("new")));
    let text = said["findings"].to_string();
    // One slot cannot move a parallel run; the compaction config and the stream are seen.
    assert!(text.contains("1 parallel run on 1 worker slot would stand still for ever"), "{text}");
    assert!(text.contains("Compaction cuts DAY chunks into HOUR"), "{text}");
    assert!(text.contains("A retention rule drops what is written: dropForever"), "{text}");
    assert!(
        text.contains("The Overlord has a task of this id that is another at spec.ioConfig.dropExisting."),
        "{text}"
    );
    assert!(
        said["unknown"].to_string().contains("What the tasks that run on this range now will have published")
    );
    // A task that goes on meanwhile is in one of the lists.
    let lines = seen.lock().unwrap().clone();
    let states: Vec<&str> =
        lines.iter().filter_map(|line| line.split("/tasks?state=").nth(1)?.split('&').next()).collect();
    assert_eq!(states, ["waiting", "pending", "running"]);
    // Nothing that changes the cluster was asked.
    for line in &lines {
        let reads =
            line.starts_with("GET ") || line.contains("/activeLocks ") || line.contains("/segments?full ");
        assert!(reads, "{line}");
    }
}

#[test]
fn an_id_that_the_cluster_does_not_know_or_has_for_the_same_task_is_nobody_elses() {
    let (url, _) = router();
    let folder = Folder::new();
    let same = TASK.replacen("\"ioConfig\":{", "\"ioConfig\":{\"dropExisting\":true,", 1);
    for task in [TASK.replace("0123456789ab", "ba9876543210"), same] {
        let task = folder.file("task.json", &task);
        let (said, _) = json(&["forecast", "--cluster", &url, "--task", &task, "--rows-in", "all", "--json"]);
        let text = said["findings"].to_string();
        assert!(text.contains("dropForever") && !text.contains("id-reused"), "{text}");
        assert!(!said["unknown"].to_string().contains("id was used"), "{said}");
    }
}

#[test]
fn an_unused_segment_that_cannot_be_read_leaves_open_which_there_are() {
    let (url, _) = router();
    let folder = Folder::new();
    let kill = format!(r#"{{"type":"kill","id":"k","dataSource":"events_web","interval":"{DAY}"}}"#);
    let task = folder.file("task.json", &kill);
    let (said, _) = json(&["forecast", "--cluster", &url, "--task", &task, "--json"]);
    assert_eq!(said["mode"], "kill", "{said}");
    let unknown = said["unknown"].to_string();
    assert!(
        unknown
            .contains("Which unused segments there are: The answer should have a segment at [1].dataSegment"),
        "{unknown}"
    );
    assert!(unknown.contains("the segment has no version"), "{unknown}");
    assert_eq!(said["worlds"][0]["deleted"], json!([]), "{said}");
}

#[test]
fn a_cluster_that_is_not_there_is_one_sentence_and_exit_code_2() {
    let folder = Folder::new();
    let task = folder.file("task.json", TASK);
    let url = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let said = refusal(&["forecast", "--cluster", &url, "--task", &task]);
    assert!(said.starts_with(&format!("The cluster at {url} cannot be reached: ")), "{said}");
    let said = refusal(&["forecast", "--cluster", "router:8888", "--task", &task]);
    assert!(said.contains("should start with http://"), "{said}");
}
