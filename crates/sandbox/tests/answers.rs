//! The built-in cluster's answers beside those recorded from a live 33.0.0: status, content type, and the very words
//! or, where the words hold names and times, the same keys.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "recordings are ours")]

use std::collections::BTreeMap;

use druid::answer::Response;
use druid::endpoint::{Method, Request};
use druid::interval::{Instant, Interval};
use druid::release::Release;
use druid::segment::{Segment, ShardSpec};
use sandbox::Sandbox;
use serde_json::{Value, json};

fn recorded(id: &str) -> Value {
    let all: Value =
        serde_json::from_str(include_str!("../../druid/tests/vectors/live-responses.json")).unwrap();
    let pair = all["pairs"].as_array().unwrap().iter().find(|pair| pair["id"] == id);
    pair.unwrap_or_else(|| panic!("no recording {id}"))["response"].clone()
}

fn now() -> Instant {
    Instant::parse("2026-11-30T19:00:00Z").unwrap()
}

const DAY: &str = "2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z";

/// A datasource `web` with one segment, a task `runs` on it that is under way, and one `waits` behind it.
fn cluster() -> Sandbox {
    let mut cluster = Sandbox::empty(Release::major(33), now());
    let day = Interval::parse(DAY).unwrap();
    let shard = ShardSpec::Numbered { partition: 0, core: 1 };
    let mut segment = Segment::new("web", day, "2026-11-30T18:50:41.515Z", shard);
    segment.load_spec = Some(json!({"type": "local", "path": "/segments/web/0/index/"}));
    segment.extra.insert("binaryVersion".to_owned(), json!(9));
    cluster.seed("web", vec![segment]);
    for id in ["runs", "waits"] {
        call(&mut cluster, 0, "POST", "/druid/indexer/v1/task", Some(&task(id)));
    }
    cluster.tick(later(1_000));
    cluster
}

fn task(id: &str) -> String {
    json!({"type": "index_parallel", "id": id, "spec": {
        "dataSchema": {"dataSource": "web", "timestampSpec": {"column": "ts", "format": "iso"},
            "dimensionsSpec": {"dimensions": []},
            "granularitySpec": {"segmentGranularity": "DAY", "intervals": [DAY]}},
        "ioConfig": {"type": "index_parallel", "inputFormat": {"type": "json"},
            "inputSource": {"type": "inline", "data": "{\"ts\":\"2026-07-16T03:00:00Z\"}"}}}})
    .to_string()
}

fn later(ms: i64) -> Instant {
    Instant::from_ms(now().ms() + ms)
}

fn call(cluster: &mut Sandbox, ms: i64, method: &str, path: &str, body: Option<&str>) -> Response {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let request = Request {
        method: if method == "GET" { Method::Get } else { Method::Post },
        path: path.to_owned(),
        query: query.to_owned(),
        body: body.map(str::to_owned),
    };
    cluster.handle(later(ms), &request)
}

/// Every key that occurs in a value, with the kinds of what stands there.
fn keys(value: &Value, at: &str, found: &mut BTreeMap<String, &'static str>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| keys(value, &format!("{at}.{key}"), found)),
        Value::Array(list) => list.iter().take(1).for_each(|value| keys(value, &format!("{at}[]"), found)),
        Value::String(_) => drop(found.insert(at.to_owned(), "text")),
        Value::Number(_) => drop(found.insert(at.to_owned(), "number")),
        Value::Bool(_) => drop(found.insert(at.to_owned(), "bool")),
        Value::Null => {}
    }
}

fn kind(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Status and content type, as recorded.
fn same_head(id: &str, here: &Response, there: &Value) {
    assert_eq!(u64::from(here.status), there["status"].as_u64().unwrap(), "{id}");
    if let Some(content_type) = there["headers"]["Content-Type"].as_str().filter(|_| !here.body.is_empty()) {
        assert_eq!(kind(&here.content_type), kind(content_type), "{id}");
    }
}

#[test]
fn answers_without_names_or_times_have_the_very_words() {
    let submit = "/druid/indexer/v1/task";
    let segments = "/druid/coordinator/v1/metadata/datasources";
    let marks = "/druid/coordinator/v1/datasources";
    let calls: [(&str, &str, String, Option<&str>); 20] = [
        ("json-array", "POST", submit.into(), Some("[]")),
        ("missing-type", "POST", submit.into(), Some(r#"{"spec":{}}"#)),
        ("missing-spec", "POST", submit.into(), Some(r#"{"type":"index_parallel"}"#)),
        ("malformed-json-trailing", "POST", submit.into(), Some(r#"{"type":"index_parallel"} x"#)),
        ("status-unknown", "GET", format!("{submit}/no_such_task/status"), None),
        ("payload-unknown", "GET", format!("{submit}/no_such_task"), None),
        ("reports-unknown", "GET", format!("{submit}/no_such_task/reports"), None),
        ("log-unknown", "GET", format!("{submit}/no_such_task/log"), None),
        ("shutdown-unknown", "POST", format!("{submit}/no_such_task/shutdown"), None),
        ("waiting-reports", "GET", format!("{submit}/waits/reports"), None),
        ("waiting-log", "GET", format!("{submit}/waits/log"), None),
        (
            "metadata-post-unknown",
            "POST",
            format!("{segments}/nope/segments?full"),
            Some(r#"["2026-07-01/2026-08-01"]"#),
        ),
        ("metadata-post-bad-interval", "POST", format!("{segments}/web/segments?full"), Some(r#"["x"]"#)),
        ("loadstatus-unknown", "GET", format!("{marks}/nope/loadstatus?forceMetadataRefresh=true"), None),
        (
            "loadstatus-default-interval",
            "GET",
            format!("{marks}/web/loadstatus?forceMetadataRefresh=true&interval=2020-01-01_2020-01-02"),
            None,
        ),
        (
            "mark-unused-unknown",
            "POST",
            format!("{marks}/nope/markUnused"),
            Some(r#"{"interval":"2026-07-01/2026-08-01"}"#),
        ),
        ("mark-unused-bad", "POST", format!("{marks}/web/markUnused"), Some("{}")),
        ("mark-used", "POST", format!("{marks}/web/markUsed"), Some(r#"{"interval":"2026/2027"}"#)),
        ("proxy-enabled", "GET", "/proxy/enabled".into(), None),
        ("isLeader-overlord", "GET", "/druid/indexer/v1/isLeader".into(), None),
    ];
    let mut cluster = cluster();
    for (id, method, path, body) in calls {
        let (here, there) = (call(&mut cluster, 1_000, method, &path, body), recorded(id));
        same_head(id, &here, &there);
        let text = String::from_utf8(here.body).unwrap();
        match there["body_text"].as_str().or_else(|| there["body"].as_str()) {
            Some(words) => assert_eq!(text, words, "{id}"),
            None => assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), there["body"], "{id}"),
        }
    }
}

#[test]
fn answers_with_names_and_times_have_the_same_keys() {
    let lock = r#"[{"datasource":"web","priority":0}]"#;
    let calls: [(&str, &str, &str, Option<&str>); 9] = [
        ("status-running", "GET", "/druid/indexer/v1/task/runs/status", None),
        ("tasks-running", "GET", "/druid/indexer/v1/tasks?state=running&datasource=web", None),
        ("active-locks", "POST", "/druid/indexer/v1/activeLocks", Some(lock)),
        ("locked-intervals-v2", "POST", "/druid/indexer/v1/lockedIntervals/v2", Some(lock)),
        (
            "loadstatus",
            "GET",
            "/druid/coordinator/v1/datasources/web/loadstatus?forceMetadataRefresh=true",
            None,
        ),
        (
            "loadstatus-simple",
            "GET",
            "/druid/coordinator/v1/datasources/web/loadstatus?forceMetadataRefresh=true&simple",
            None,
        ),
        (
            "metadata-post-right-after",
            "POST",
            "/druid/coordinator/v1/metadata/datasources/web/segments?full",
            Some(r#"["2026/2027"]"#),
        ),
        ("workers", "GET", "/druid/indexer/v1/workers", None),
        (
            "mark-unused-segments",
            "POST",
            "/druid/coordinator/v1/datasources/web/markUnused",
            Some(r#"{"interval":"2026/2027"}"#),
        ),
    ];
    let mut cluster = cluster();
    for (id, method, path, body) in calls {
        let (here, there) = (call(&mut cluster, 1_000, method, path, body), recorded(id));
        same_head(id, &here, &there);
        let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
        keys(&serde_json::from_slice(&here.body).unwrap(), "", &mut ours);
        keys(&there["body"], "", &mut theirs);
        // Names that are keys.
        let plain = |keys: BTreeMap<String, &'static str>| -> BTreeMap<String, &'static str> {
            let named = ["ls_slow", "me_web", "web"];
            let plain = |key: String| {
                let parts = key.split('.').map(|part| {
                    let name = part.trim_end_matches("[]");
                    if named.contains(&name) { part.replace(name, "NAME") } else { part.to_owned() }
                });
                parts.collect::<Vec<_>>().join(".")
            };
            keys.into_iter().map(|(key, kind)| (plain(key), kind)).collect()
        };
        let (ours, theirs) = (plain(ours), plain(theirs));
        let missing: Vec<_> =
            theirs.iter().filter(|(key, kind)| ours.get(*key).is_none_or(|ours| ours != *kind)).collect();
        assert!(missing.is_empty(), "{id} lacks {missing:?}\nhere {}", String::from_utf8_lossy(&here.body));
    }
}

#[test]
fn what_is_no_json_is_an_error_page() {
    let mut cluster = cluster();
    for (id, body) in
        [("malformed-json", r#"{"type":"index_parallel","#), ("empty-body", ""), ("json-null", "null")]
    {
        let (here, there) =
            (call(&mut cluster, 1_000, "POST", "/druid/indexer/v1/task", Some(body)), recorded(id));
        same_head(id, &here, &there);
        // The title tells what was wrong; what follows is the container's.
        let title = |page: &str| {
            page.split("<title>").nth(1).unwrap().split([':', '\n', '<']).next().unwrap().to_owned()
        };
        let there = there["body_text"].as_str().unwrap();
        assert_eq!(title(&String::from_utf8(here.body).unwrap()), title(there), "{id}");
    }
}
