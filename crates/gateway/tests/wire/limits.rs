//! Every limit, one below and one above: sizes, times, how many at once.

use std::sync::Arc;

use crate::support::{Answer, FakeDruid, OWN, Reply, Served, echo, hasty};
use druid::endpoint::Endpoint;
use gateway::{Config, Limits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;

#[tokio::test]
async fn a_body_may_be_as_long_as_its_call_allows_and_no_longer() {
    let served = echo(Config::default()).await;
    let cap = usize::try_from(Endpoint::ActiveLocks.call().body_cap).unwrap();
    let at_cap = served.post("/druid/indexer/v1/activeLocks", &" ".repeat(cap)).await;
    assert_eq!(at_cap.status, 200);
    let over = served.post("/druid/indexer/v1/activeLocks", &" ".repeat(cap + 1)).await;
    assert_eq!((over.status, over.code()), (413, Some("body-too-large")));
    let unwanted = served.send("GET /druid/indexer/v1/tasks", "Content-Length: 1\r\n", "x").await;
    assert_eq!((unwanted.status, unwanted.code()), (413, Some("body-too-large")), "a GET carries none");
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_before_it_is_sent() {
    let served = echo(Config::default()).await;
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    let head = format!(
        "POST /druid/indexer/v1/task HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{OWN}Content-Length: 999999999\r\n\r\n",
        served.port
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = Answer::parse(&String::from_utf8(answer).unwrap());
    assert_eq!((answer.status, answer.header("connection")), (413, Some("close")));
}

#[tokio::test]
async fn a_body_that_is_not_text_is_refused() {
    let served = echo(Config::default()).await;
    let mut raw = format!(
        "POST /druid/indexer/v1/task HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{OWN}Content-Length: 3\r\n\r\n",
        served.port
    )
    .into_bytes();
    raw.extend_from_slice(b"\"\xff\"");
    let answer = Answer::parse(&served.raw(raw).await);
    assert_eq!((answer.status, answer.code()), (400, Some("not-text")));
}

#[tokio::test]
async fn a_head_that_is_too_long_or_has_too_many_headers_is_refused() {
    let served = echo(Config::default()).await;
    let long = format!("X-A: {}\r\n", "a".repeat(17 << 10));
    let raw = served.send("GET /druid/indexer/v1/tasks", &long, "").await;
    assert_eq!(raw.status, 431);
    let many = "X-A: a\r\n".repeat(70);
    assert_eq!(served.send("GET /druid/indexer/v1/tasks", &many, "").await.status, 431);
    let some = "X-A: a\r\n".repeat(40);
    assert_eq!(served.send("GET /druid/indexer/v1/tasks", &some, "").await.status, 200);
}

/// Sends a first part and then nothing; gives what comes until the gateway closes.
async fn stalls_after(served: &Served, part: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    stream.write_all(part.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    tokio::time::timeout(std::time::Duration::from_secs(10), stream.read_to_end(&mut answer))
        .await
        .expect("the gateway gives up on it")
        .unwrap();
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn whoever_sends_slowly_is_given_up_on() {
    let served = echo(Config { limits: hasty(), ..Config::default() }).await;
    let port = served.port;
    stalls_after(&served, "").await;
    stalls_after(&served, "GET /druid/indexer/v1/tasks HTTP/1.1\r\nHost: ").await;
    let body = stalls_after(
        &served,
        &format!("POST /druid/indexer/v1/task HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{OWN}Content-Length: 9\r\n\r\n{{"),
    )
    .await;
    assert_eq!(Answer::parse(&body).code(), Some("body-too-slow"));
    let idle =
        stalls_after(&served, &format!("GET /foreshadow/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"))
            .await;
    assert_eq!(Answer::parse(&idle).status, 200, "an idle connection is closed after its answer");
}

#[tokio::test]
async fn whoever_takes_slowly_is_given_up_on() {
    let piece = vec![b' '; 1 << 20];
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[".to_vec();
    let druid = FakeDruid::start(move |_| Reply::Endless(head.clone(), piece.clone())).await;
    let limits = Limits { read_ahead: 1, ..hasty() };
    let served = Served::before(Config { limits, ..Config::default() }, &[druid.url()]).await;
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    let own = OWN;
    let request = format!(
        "POST /druid/coordinator/v1/metadata/datasources/x/segments?full HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{own}Content-Length: 2\r\n\r\n[]",
        served.port
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    // Nothing is read until the gateway has hung up, which ends what the buffers of both sides hold.
    let closed = async {
        loop {
            stream.writable().await.unwrap();
            if stream.try_write(b"x").is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), closed).await.expect("the gateway hangs up");
}

#[tokio::test]
async fn too_many_calls_at_once_are_told_so() {
    let (arrived, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (at_druid, at_test) = (arrived.clone(), arrived);
    let held = go.clone();
    let druid = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (at_druid, held) = (at_druid.clone(), held.clone());
                tokio::spawn(async move {
                    let mut piece = [0; 4096];
                    while let Ok(length) = stream.read(&mut piece).await {
                        let request = String::from_utf8_lossy(&piece[..length]).into_owned();
                        if length == 0 {
                            return;
                        }
                        let body = if request.starts_with("GET /status ") {
                            r#"{"version":"33.0.0"}"#
                        } else if request.contains("isLeader") {
                            r#"{"leader":true}"#
                        } else if request.contains("/tasks") {
                            at_druid.notify_one();
                            held.notified().await;
                            "[]"
                        } else {
                            "{}"
                        };
                        let answer = format!(
                            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                            body.len()
                        );
                        let _ = stream.write_all(answer.as_bytes()).await;
                    }
                });
            }
        });
        format!("http://{address}")
    };
    let limits = Limits { calls: 1, ..Limits::default() };
    let served = Arc::new(Served::before(Config { limits, ..Config::default() }, &[druid]).await);
    let first = {
        let served = served.clone();
        tokio::spawn(async move { served.get("/druid/indexer/v1/tasks").await.status })
    };
    at_test.notified().await;
    let second = served.get("/druid/indexer/v1/tasks").await;
    assert_eq!((second.status, second.code(), second.header("retry-after")), (503, Some("busy"), Some("1")));
    assert_eq!(
        served.get("/foreshadow/health").await.status,
        200,
        "health is asked by those who restart servers"
    );
    go.notify_one();
    assert_eq!(first.await.unwrap(), 200);
}
