//! A cluster that is dead, slow, lying, half-closed or leading elsewhere: each is told as what it is, and nothing is sent twice.

use std::sync::{Arc, Mutex};

use crate::support::{FakeDruid, Reply, Served, hasty};
use druid::endpoint::Endpoint;
use gateway::{Address, Cluster, ClusterConfig, Config, Limits, StartError};
use tokio::net::TcpListener;

fn quick() -> Config {
    Config { limits: hasty(), ..Config::default() }
}

#[tokio::test]
async fn druids_error_pages_pass_untouched() {
    let page = "<html><title>Error 500 com.fasterxml.jackson.core.JsonParseException</title>é\0\r\n</html>";
    let druid =
        FakeDruid::start(move |_| Reply::of("500 Server Error", "text/html;charset=iso-8859-1", page)).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    let answer = served.post("/druid/indexer/v1/task", "{").await;
    assert_eq!((answer.status, answer.body.as_str()), (500, page));
    assert_eq!(answer.header("content-type"), Some("text/html;charset=iso-8859-1"));
    assert_eq!(answer.header("x-foreshadow-error"), None);
}

#[tokio::test]
async fn every_answer_to_a_submit_arrives_as_druid_gave_it() {
    let table: serde_json::Value =
        serde_json::from_str(include_str!("../../../druid/tests/vectors/submit-responses.json")).unwrap();
    let queue = Arc::new(Mutex::new(Vec::new()));
    let next = queue.clone();
    let druid = FakeDruid::start(move |_| next.lock().unwrap().pop().unwrap()).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    for case in table["cases"].as_array().unwrap() {
        let Some(status) = case["status"].as_u64().filter(|status| *status != 307) else { continue };
        let (kind, body) = match &case["body"] {
            serde_json::Value::String(text) => ("text/html", text.clone()),
            json => ("application/json", json.to_string()),
        };
        queue.lock().unwrap().push(Reply::of(&format!("{status} X"), kind, &body));
        let answer = served.post("/druid/indexer/v1/task", "{}").await;
        assert_eq!((u64::from(answer.status), answer.body), (status, body), "{}", case["id"]);
    }
}

#[tokio::test]
async fn a_post_is_sent_once_whatever_comes_back() {
    for reply in [
        Reply::Close(vec![]),
        Reply::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"task\":".to_vec()),
        Reply::Close(b"nonsense\r\n\r\n".to_vec()),
        Reply::Hang(vec![]),
        Reply::of("503 Service Unavailable", "text/plain", ""),
        Reply::of("502 Bad Gateway", "text/plain", ""),
        Reply::of("500 Server Error", "text/plain", ""),
    ] {
        let druid = FakeDruid::start(move |_| reply.clone()).await;
        let served = Served::before(quick(), &[druid.url(), druid.url()]).await;
        served.post("/druid/indexer/v1/task", "{}").await;
        assert_eq!(druid.seen().len(), 1, "{:?}", druid.seen());
    }
}

#[tokio::test]
async fn a_dead_cluster_is_told_and_nothing_was_sent() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let dead = {
        // A port that was free a moment ago.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let served = Served::before(quick(), &[druid.url()]).await;
    assert_eq!(served.get("/druid/indexer/v1/tasks").await.status, 200);
    let cluster = ClusterConfig {
        addresses: vec![Address::parse(&format!("http://{dead}")).unwrap()],
        credentials: None,
    };
    match Cluster::connect(cluster, hasty()).await.err() {
        Some(StartError::Unreachable { address, why }) => {
            assert_eq!(address.to_string(), format!("http://{dead}"));
            assert!(why.contains("refused"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_cluster_that_dies_later_is_told_as_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let dying = tokio::spawn(async move {
        // Long enough to be looked at, one request a connection.
        for _ in 0..4 {
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = tokio::io::BufStream::new(stream);
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            let mut seen = vec![0; 4096];
            let length = stream.read(&mut seen).await.unwrap();
            let body = if String::from_utf8_lossy(&seen[..length]).starts_with("GET /status ") {
                r#"{"version":"33.0.0"}"#
            } else {
                r#"{"leader":true}"#
            };
            let answer = format!(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.flush().await.unwrap();
        }
    });
    let served = Served::before(quick(), &[format!("http://{address}")]).await;
    dying.await.unwrap();
    for answer in
        [served.get("/druid/indexer/v1/tasks").await, served.post("/druid/indexer/v1/task", "{}").await]
    {
        assert_eq!((answer.status, answer.code()), (502, Some("unreachable")));
        assert!(answer.body.contains("Nothing was sent"), "{}", answer.body);
    }
    let about = served.get("/foreshadow/about").await.json();
    assert!(
        about["druid"].is_null()
            && about["trouble"].as_str().is_some_and(|why| why.contains("cannot be reached"))
    );
}

#[tokio::test]
async fn a_slow_cluster_is_told_as_slow() {
    let druid = FakeDruid::start(|request| {
        if request.starts_with("POST") {
            Reply::Hang(vec![])
        } else {
            Reply::Hang(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[".to_vec(),
            )
        }
    })
    .await;
    let served = Served::before(quick(), &[druid.url()]).await;
    let never = served.post("/druid/indexer/v1/task", "{}").await;
    assert_eq!((never.status, never.code()), (504, Some("timed-out")));
    assert!(never.body.contains("may have acted"), "{}", never.body);
    let half = served.get("/druid/indexer/v1/tasks").await;
    assert_eq!((half.status, half.code()), (504, Some("timed-out")), "half an answer is not passed on");
}

#[tokio::test]
async fn a_lying_or_half_closed_cluster_is_told_as_broken() {
    let json = "Content-Type: application/json\r\n";
    for (name, reply) in [
        ("closed at once", Reply::Close(vec![])),
        ("closed in the head", Reply::Close(b"HTTP/1.1 200 OK\r\nContent-Ty".to_vec())),
        (
            "shorter than it said",
            Reply::Close(format!("HTTP/1.1 200 OK\r\n{json}Content-Length: 10\r\n\r\n[1,2").into_bytes()),
        ),
        (
            "no last chunk",
            Reply::Close(
                format!("HTTP/1.1 200 OK\r\n{json}Transfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n")
                    .into_bytes(),
            ),
        ),
        (
            "a bad chunk",
            Reply::Close(
                format!("HTTP/1.1 200 OK\r\n{json}Transfer-Encoding: chunked\r\n\r\nzz\r\n[1\r\n")
                    .into_bytes(),
            ),
        ),
        (
            "JSON cut where the connection ends",
            Reply::Close(format!("HTTP/1.1 200 OK\r\n{json}\r\n[{{\"id\":").into_bytes()),
        ),
        ("not HTTP", Reply::Close(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec())),
        (
            "two lengths",
            Reply::Close(
                format!("HTTP/1.1 200 OK\r\n{json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]")
                    .into_bytes(),
            ),
        ),
        (
            "compressed unasked",
            Reply::Close(
                format!("HTTP/1.1 200 OK\r\n{json}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]")
                    .into_bytes(),
            ),
        ),
    ] {
        let druid = FakeDruid::start(move |_| reply.clone()).await;
        let served = Served::before(quick(), &[druid.url()]).await;
        let answer = served.get("/druid/indexer/v1/tasks").await;
        assert_eq!((answer.status, answer.code()), (502, Some("answer-broken")), "{name}");
    }
}

#[tokio::test]
async fn a_sentence_that_calls_itself_json_is_not_called_cut() {
    let words = "No used segment found for the given datasource and interval";
    let druid = FakeDruid::start(move |_| {
        Reply::Close(format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{words}").into_bytes())
    })
    .await;
    let served = Served::before(quick(), &[druid.url()]).await;
    let answer = served.get("/druid/coordinator/v1/datasources/x/loadstatus?forceMetadataRefresh=true").await;
    assert_eq!((answer.status, answer.body.as_str()), (200, words));
}

#[tokio::test]
async fn an_answer_may_be_as_long_as_its_call_allows_and_no_longer() {
    let cap = usize::try_from(Endpoint::OverlordIsLeader.call().answer_cap).unwrap();
    let target = "/druid/coordinator/v1/leader";
    for (length, status) in [(cap, 200), (cap + 1, 502)] {
        for chunked in [false, true] {
            let body = "x".repeat(length);
            let reply = if chunked {
                Reply::Bytes(
                    format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{body}\r\n0\r\n\r\n").into_bytes(),
                )
            } else {
                Reply::of("200 OK", "text/plain", &body)
            };
            let druid = FakeDruid::start(move |_| reply.clone()).await;
            let served = Served::before(quick(), &[druid.url()]).await;
            let answer = served.get(target).await;
            assert_eq!(answer.status, status, "{length} bytes, chunked: {chunked}");
            if status == 502 {
                assert_eq!(answer.code(), Some("answer-too-long"));
            }
        }
    }
}

#[tokio::test]
async fn a_long_answer_that_breaks_off_does_not_look_whole() {
    let body = "1,".repeat(5000);
    let reply =
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n[{body}");
    let druid = FakeDruid::start(move |_| Reply::Close(reply.clone().into_bytes())).await;
    let limits = Limits { read_ahead: 1000, ..hasty() };
    let served = Served::before(Config { limits, ..Config::default() }, &[druid.url()]).await;
    let answer = served.get("/druid/indexer/v1/tasks").await;
    assert_eq!(answer.status, 200, "its head was sent before");
    assert!(!answer.is_whole, "the connection is broken off, so that nobody takes a part for the whole");
}

/// An Overlord that leads, and a standby that sends every call to `location`.
async fn standby(location: String, status: &'static str) -> FakeDruid {
    FakeDruid::start(move |_| {
        Reply::Bytes(
            format!("HTTP/1.1 {status}\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n").into_bytes(),
        )
    })
    .await
}

#[tokio::test]
async fn a_standby_is_followed_once_to_a_leader_that_is_configured() {
    let leader = FakeDruid::start(|_| Reply::json(r#"{"task":"x"}"#)).await;
    let standby = standby(format!("{}/druid/indexer/v1/task", leader.url()), "307 Temporary Redirect").await;
    let served =
        Served::with_credentials(Config::default(), &[standby.url(), leader.url()], Some("admin:secret"))
            .await;
    let answer = served.post("/druid/indexer/v1/task", "{\"id\":\"x\"}").await;
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"{"task":"x"}"#));
    let seen = leader.seen();
    assert_eq!(seen.len(), 1);
    assert!(
        seen[0].starts_with("POST /druid/indexer/v1/task HTTP/1.1") && seen[0].ends_with("{\"id\":\"x\"}")
    );
    assert!(seen[0].to_ascii_lowercase().contains("authorization: basic"), "the leader wants them as well");
    served.post("/druid/indexer/v1/task", "{}").await;
    assert_eq!((standby.seen().len(), leader.seen().len()), (1, 2), "from then on the leader is asked first");
}

#[tokio::test]
async fn a_redirect_to_anywhere_else_is_refused_and_not_followed() {
    let elsewhere = FakeDruid::start(|_| Reply::json("[]")).await;
    for (location, status) in [
        (format!("{}/druid/indexer/v1/task", elsewhere.url()), "307 Temporary Redirect"),
        (elsewhere.url().replace("http", "https"), "307 Temporary Redirect"),
        ("/druid/indexer/v1/task".to_owned(), "307 Temporary Redirect"),
        ("//evil.example/".to_owned(), "307 Temporary Redirect"),
        (String::new(), "307 Temporary Redirect"),
        (format!("{}/login", elsewhere.url()), "302 Found"),
        (format!("{}/x", elsewhere.url()), "308 Permanent Redirect"),
        (format!("{}/x", elsewhere.url()), "301 Moved Permanently"),
    ] {
        let standby = standby(location.clone(), status).await;
        let served =
            Served::with_credentials(Config::default(), &[standby.url()], Some("admin:secret")).await;
        let answer = served.post("/druid/indexer/v1/task", "{}").await;
        assert_eq!((answer.status, answer.code()), (502, Some("redirect-refused")), "{status} {location}");
        assert_eq!(answer.header("location"), None);
    }
    assert!(elsewhere.seen().is_empty(), "and it has not seen the credentials");
}

#[tokio::test]
async fn two_standbys_that_point_at_each_other_are_not_followed_round() {
    let first = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = first.local_addr().unwrap();
    drop(first);
    let second = standby(format!("http://{address}/x"), "307 Temporary Redirect").await;
    let location = format!("{}/x", second.url());
    let third = standby(location, "307 Temporary Redirect").await;
    let served = Served::before(Config::default(), &[third.url(), second.url()]).await;
    let answer = served.post("/druid/indexer/v1/task", "{}").await;
    assert!(matches!(answer.code(), Some("no-leader" | "redirect-refused")));
    assert_eq!((third.seen().len(), second.seen().len()), (1, 1));
}

#[tokio::test]
async fn what_is_not_a_druid_is_told_at_the_start() {
    let start = async |reply: Reply| {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = stream.read(&mut [0; 4096]).await;
                match &reply {
                    Reply::Hang(bytes) => {
                        let _ = stream.write_all(bytes).await;
                        let _ = stream.read(&mut [0; 64]).await;
                    }
                    Reply::Bytes(bytes) | Reply::Close(bytes) | Reply::Endless(bytes, _) => {
                        let _ = stream.write_all(bytes).await;
                    }
                }
            }
        });
        let cluster = ClusterConfig {
            addresses: vec![Address::parse(&format!("http://{address}")).unwrap()],
            credentials: None,
        };
        Cluster::connect(cluster, hasty()).await.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let page = Reply::of("200 OK", "text/html", "<html><title>Grafana</title></html>");
    assert!(
        start(page).await.contains("is not a Druid: A web page came in place of Druid's answer: “Grafana”")
    );
    assert!(start(Reply::json("{\"status\":\"ok\"}")).await.contains("is not a Druid"));
    assert!(
        start(Reply::of("404 Not Found", "text/plain", "nope"))
            .await
            .contains("is not a Druid: The server answered 404")
    );
    assert!(start(Reply::Close(b"SSH-2.0-x\r\n".to_vec())).await.contains("is not a Druid"));
    assert!(
        start(Reply::Hang(vec![]))
            .await
            .contains("cannot be reached: it takes the connection and does not answer")
    );
    assert!(start(Reply::of("401 Unauthorized", "text/plain", "")).await.contains("wants a login (401)"));
    assert!(
        start(Reply::of("403 Forbidden", "application/json", "{}"))
            .await
            .contains("does not allow them (403)")
    );
    assert!(
        start(Reply::of("302 Found\r\nLocation: http://login.example/", "text/plain", ""))
            .await
            .contains("login.example")
    );
}
