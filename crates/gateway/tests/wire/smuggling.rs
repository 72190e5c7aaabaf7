//! Two requests where one was meant: no framing trick may get a second request past the first one's checks.

use crate::support::{Answer, FakeDruid, Reply, Served, echo};
use gateway::Config;

/// How many answers a raw conversation holds.
fn answers(raw: &str) -> usize {
    raw.matches("HTTP/1.1 ").count()
}

#[tokio::test]
async fn framing_that_could_be_read_in_two_ways_gets_one_answer_and_a_closed_connection() {
    let druid = FakeDruid::start(|_| Reply::json(r#"{"task":"x"}"#)).await;
    let served =
        Served::before(Config { limits: crate::support::hasty(), ..Config::default() }, &[druid.url()]).await;
    let own = crate::support::OWN;
    let smuggled =
        "POST /druid/indexer/v1/task/victim/shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nx-foreshadow: 1\r\n\r\n";
    let line = format!("POST /druid/indexer/v1/task HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{own}", served.port);
    for (name, framing) in [
        ("CL.TE", format!("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{smuggled}")),
        (
            "TE.CL",
            format!("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n{smuggled}\r\n0\r\n\r\n"),
        ),
        ("chunked", format!("Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n{smuggled}")),
        ("xchunked", format!("Transfer-Encoding: xchunked\r\n\r\n{smuggled}")),
        ("chunked, identity", format!("Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n{smuggled}")),
        ("identity", format!("Transfer-Encoding: identity\r\n\r\n{smuggled}")),
        (
            "two transfer encodings",
            format!("Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n{smuggled}"),
        ),
        ("tab before chunked", format!("Transfer-Encoding:\tchunked\r\n\r\n0\r\n\r\n{smuggled}")),
        ("obs-fold", format!("Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n{smuggled}")),
        ("obs-fold in another header", format!("X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n{smuggled}")),
        ("space before the colon", format!("Content-Length : 0\r\n\r\n{smuggled}")),
        ("a length with a sign", format!("Content-Length: +2\r\n\r\n{{}}{smuggled}")),
        ("a negative length", format!("Content-Length: -1\r\n\r\n{smuggled}")),
        ("a length in hex", format!("Content-Length: 0x2\r\n\r\n{{}}{smuggled}")),
        ("a length with a comma", format!("Content-Length: 2, 0\r\n\r\n{{}}{smuggled}")),
        ("two lengths", format!("Content-Length: 2\r\nContent-Length: 0\r\n\r\n{{}}{smuggled}")),
        ("a huge length", format!("Content-Length: 99999999999999999999\r\n\r\n{smuggled}")),
        ("a NUL in a header", format!("X-A: a\0b\r\nContent-Length: 0\r\n\r\n{smuggled}")),
        ("a bare CR in a header", format!("X-A: a\rContent-Length: 0\r\n\r\n{smuggled}")),
        ("a header without a name", format!(": x\r\nContent-Length: 0\r\n\r\n{smuggled}")),
        ("a header without a colon", format!("Nonsense\r\nContent-Length: 0\r\n\r\n{smuggled}")),
    ] {
        let raw = served.raw(format!("{line}{framing}")).await;
        assert!(answers(&raw) <= 1, "{name}: {raw}");
        let status = Answer::parse(&raw).status;
        assert!(matches!(status, 400 | 411), "{name}: {status}");
    }
    assert_eq!(druid.seen().len(), 0, "nothing of it reached Druid: {:?}", druid.seen());
}

#[tokio::test]
async fn broken_request_lines_get_no_further() {
    let served = echo(Config { limits: crate::support::hasty(), ..Config::default() }).await;
    let port = served.port;
    for line in [
        "",
        "GET",
        "GET /druid/indexer/v1/tasks",
        "GET  /druid/indexer/v1/tasks HTTP/1.1",
        "GET /druid/indexer/v1/tasks HTTP/2.0",
        "GET /druid/indexer/v1/tasks HTTP/0.9",
        "GET /druid/indexer/v1/ta sks HTTP/1.1",
        "GET /druid/indexer/v1/tasks\u{0} HTTP/1.1",
        "G\u{e9}T /druid/indexer/v1/tasks HTTP/1.1",
        "PRI * HTTP/2.0",
    ] {
        let raw = served.raw(format!("{line}\r\nHost: 127.0.0.1:{port}\r\n\r\n")).await;
        assert!(raw.is_empty() || Answer::parse(&raw).status >= 400, "{line:?}: {raw}");
    }
}

#[tokio::test]
async fn requests_one_after_the_other_are_answered_each() {
    let served = echo(Config::default()).await;
    let port = served.port;
    let own = crate::support::OWN;
    let raw = served
        .raw(format!(
            "POST /druid/indexer/v1/task HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{own}Content-Length: 2\r\n\r\n{{}}\
             GET /druid/indexer/v1/tasks HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        ))
        .await;
    assert_eq!((answers(&raw), raw.matches("HTTP/1.1 200 OK").count()), (2, 2), "{raw}");
}
