//! The gateway's own calls, against the sandbox and against a fake Druid.

use crate::support::{FakeDruid, Reply, Served, hasty};
use druid::columns::Decoder;
use druid::interval::Instant;
use druid::segment::SegmentSet;
use gateway::{Config, Limits};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A GET whose answer is bytes: status, content type and body.
async fn bytes(served: &Served, target: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    let request =
        format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", served.port);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut raw = Vec::new();
    stream.read_to_end(&mut raw).await.unwrap();
    let end = raw.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(raw[..end].to_vec()).unwrap().to_ascii_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let kind =
        head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default().to_owned();
    let mut body = raw[end + 4..].to_vec();
    if head.contains("transfer-encoding: chunked") {
        body = unchunk(&body);
    }
    (status, kind, body)
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if size == 0 || rest.len() < end + 2 + size {
            break;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[(end + 4 + size).min(rest.len())..];
    }
    body
}

fn decode(bytes: &[u8]) -> SegmentSet {
    let mut decoder = Decoder::new();
    decoder.push(bytes).unwrap();
    decoder.finish().unwrap()
}

fn segment(hour: u32, partition: u32) -> Value {
    json!({
        "dataSource": "x",
        "interval": format!("2026-07-16T{hour:02}:00:00.000Z/2026-07-16T{:02}:00:00.000Z", hour + 1),
        "version": "2026-11-30T18:24:00.000Z",
        "loadSpec": { "type": "local", "path": "{[\"]}" },
        "dimensions": "page,user",
        "metrics": "added",
        "shardSpec": { "type": "numbered", "partitionNum": partition, "partitions": 2 },
        "binaryVersion": 9,
        "size": 1851,
    })
}

#[tokio::test]
async fn about_tells_what_is_behind() {
    let served = Served::start(Config::default(), gateway::sandbox(0)).await;
    let about = served.get("/foreshadow/about").await.json();
    assert_eq!(about["sandbox"], true);
    assert_eq!(about["cluster"], "sandbox");
    assert_eq!(about["druid"], "33.0.0");
    assert_eq!(about["read_only"], false);
    assert!(about["trouble"].is_null());
    assert!(about["product"].as_str().is_some_and(|version| version.split('.').count() == 3));
    let now = Instant::parse(about["now"].as_str().unwrap()).unwrap();
    assert!(now > Instant::parse("2026-01-01").unwrap());

    let druid = FakeDruid::start(|_| Reply::json("{}")).await;
    let served = Served::before(Config { read_only: true, ..Config::default() }, &[druid.url()]).await;
    let about = served.get("/foreshadow/about").await.json();
    assert_eq!(
        (&about["sandbox"], &about["druid"], &about["read_only"]),
        (&json!(false), &json!("33.0.0"), &json!(true))
    );
    assert_eq!(about["cluster"], druid.url());
}

#[tokio::test]
async fn segments_travel_as_columns_and_are_the_same_segments() {
    let all: Vec<Value> = (0..20).flat_map(|hour| [segment(hour, 0), segment(hour, 1)]).collect();
    let expected: Vec<String> =
        all.iter().map(|raw| druid::segment::Segment::from_json(raw).unwrap().id().to_string()).collect();
    let list = Value::Array(all).to_string();
    let druid = FakeDruid::start(move |_| Reply::json(&list)).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    let (status, kind, body) = bytes(&served, "/foreshadow/segments/x").await;
    assert_eq!((status, kind.as_str()), (200, gateway::COLUMNS));
    let set = decode(&body);
    let found: Vec<String> = set.iter().map(|segment| segment.id().to_string()).collect();
    assert_eq!(found, expected);
    let sent = druid.seen().pop().unwrap();
    assert!(sent.starts_with("POST /druid/coordinator/v1/metadata/datasources/x/segments?full HTTP/1.1"));
    assert!(
        sent.ends_with(r#"["-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"]"#),
        "all of time: {sent}"
    );

    let (status, ..) =
        bytes(&served, "/foreshadow/segments/x?intervals=2026-07-16_2026-07-17,2026-08-01_P1D").await;
    assert_eq!(status, 200);
    let sent = druid.seen().pop().unwrap();
    assert!(sent.ends_with(
        r#"["2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z","2026-08-01T00:00:00.000Z/2026-08-02T00:00:00.000Z"]"#
    ));
}

#[tokio::test]
async fn twenty_thousand_segments_stream_through() {
    let one = segment(3, 1).to_string();
    let list = format!("[{}]", vec![one; 20_000].join(","));
    let druid = FakeDruid::start(move |_| Reply::json(&list)).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    let (status, _, body) = bytes(&served, "/foreshadow/segments/x").await;
    assert_eq!((status, decode(&body).len()), (200, 20_000));
    assert!(body.len() < 400_000, "{} bytes in place of 6 MB", body.len());
}

#[tokio::test]
async fn the_sandboxs_history_comes_as_columns() {
    let served = Served::start(Config::default(), gateway::sandbox(10_000)).await;
    let (status, _, body) = bytes(&served, "/foreshadow/segments/events_web").await;
    assert_eq!(status, 200);
    assert!(decode(&body).len() > 500);
    let (status, _, body) = bytes(&served, "/foreshadow/segments/many").await;
    assert_eq!((status, decode(&body).len()), (200, 10_000));
    let (status, _, body) = bytes(&served, "/foreshadow/segments/nothing_here").await;
    assert_eq!(
        (status, decode(&body).len()),
        (200, 0),
        "Druid answers an empty list for a datasource it does not know"
    );
}

#[tokio::test]
async fn what_druid_says_in_place_of_segments_passes_untouched() {
    let druid = FakeDruid::start(|_| {
        Reply::of("403 Forbidden", "application/json", r#"{"Access-Check-Result":"no"}"#)
    })
    .await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    let answer = served.get("/foreshadow/segments/x").await;
    assert_eq!((answer.status, answer.body.as_str()), (403, r#"{"Access-Check-Result":"no"}"#));
    assert_eq!(answer.header("x-foreshadow-error"), None);
}

#[tokio::test]
async fn what_is_not_segments_is_told_as_that() {
    for (body, code) in [
        ("<html>log in</html>", "not-segments"),
        ("{\"error\":1}", "not-segments"),
        ("[{\"dataSource\":\"x\"}]", "not-segments"),
        ("[{\"dataSource\":\"x\",\"interval\":\"2026-07-16/2026-", "answer-broken"),
        ("[", "answer-broken"),
        ("", "answer-broken"),
    ] {
        let druid = FakeDruid::start(move |_| Reply::json(body)).await;
        let served = Served::before(Config::default(), &[druid.url()]).await;
        let answer = served.get("/foreshadow/segments/x").await;
        assert_eq!((answer.status, answer.code()), (502, Some(code)), "{body}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_long_list_that_breaks_off_does_not_decode_as_whole() {
    let one = segment(3, 1).to_string();
    let list = format!("[{}", vec![one; 20_000].join(","));
    let reply = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n{list}"
    );
    let druid = FakeDruid::start(move |_| Reply::Close(reply.clone().into_bytes())).await;
    let limits = Limits { read_ahead: 1000, ..hasty() };
    let served = Served::before(Config { limits, ..Config::default() }, &[druid.url()]).await;
    let (_, _, body) = bytes(&served, "/foreshadow/segments/x").await;
    let mut decoder = Decoder::new();
    let whole = decoder.push(&body).and_then(|()| decoder.finish());
    assert!(whole.is_err(), "a part is never taken for the whole");
}

#[tokio::test]
async fn a_zones_rules_come_as_a_table() {
    let served = Served::start(Config::default(), gateway::sandbox(0)).await;
    let answer = served.get("/foreshadow/zones/America/New_York").await;
    let table: druid::zone::ZoneTable = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((answer.status, table.name()), (200, "America/New_York"));
    let unknown = served.get("/foreshadow/zones/Mars/Base").await;
    assert_eq!((unknown.status, unknown.code()), (404, Some("no-such-zone")));
}

#[tokio::test]
async fn the_sandbox_runs_a_task_through_the_gateway() {
    let served = Served::start(Config::default(), gateway::sandbox(0)).await;
    let task = druid::spec::example();
    let mut task: Value = serde_json::from_str(task).unwrap();
    task["id"] = json!("idx_by_wire");
    let answer = served.post("/druid/indexer/v1/task", &task.to_string()).await;
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"{"task":"idx_by_wire"}"#), "{}", answer.body);
    let again = served.post("/druid/indexer/v1/task", &task.to_string()).await;
    assert_eq!(again.status, 400);
    let status = served.get("/druid/indexer/v1/task/idx_by_wire/status").await.json();
    assert_eq!(status["status"]["id"], "idx_by_wire");
}
