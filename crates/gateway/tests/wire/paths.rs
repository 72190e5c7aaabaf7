//! Only listed calls travel, each written anew; a path that could be read in two ways is refused.

use crate::support::{FakeDruid, Reply, Served, echo};
use gateway::{Config, OWN_HEADER};

#[tokio::test]
async fn a_listed_call_travels_and_its_path_is_written_anew() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    for (target, written) in [
        ("/druid/indexer/v1/tasks?max=3&state=running", "/druid/indexer/v1/tasks?state=running&max=3"),
        ("/druid/indexer/v1/task/a:b/status", "/druid/indexer/v1/task/a%3Ab/status"),
        ("/druid/indexer/v1/task/%61b", "/druid/indexer/v1/task/ab"),
        ("/druid/indexer/v1/supervisor?full=", "/druid/indexer/v1/supervisor?full"),
    ] {
        assert_eq!(served.get(target).await.status, 200, "{target}");
        let line = druid.seen().pop().unwrap();
        assert!(line.starts_with(&format!("GET {written} HTTP/1.1\r\n")), "{target} became {line}");
    }
}

#[tokio::test]
async fn a_datasource_with_every_odd_character_that_can_travel_travels() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    let name = "%C3%BCn%C3%AF%20%3F%23%25";
    let answer = served
        .post(&format!("/druid/coordinator/v1/metadata/datasources/{name}/segments?full"), r#"["2026/2027"]"#)
        .await;
    assert_eq!(answer.status, 200);
    let answer = served.get(&format!("/druid/indexer/v1/tasks?datasource={name}")).await;
    assert_eq!(answer.status, 200);
    let seen = druid.seen();
    assert!(seen[0].starts_with(&format!(
        "POST /druid/coordinator/v1/metadata/datasources/{name}/segments?full HTTP/1.1"
    )));
    assert!(seen[1].starts_with(&format!("GET /druid/indexer/v1/tasks?datasource={name} HTTP/1.1")));
}

#[tokio::test]
async fn hostile_paths_are_refused_and_never_travel() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    for path in [
        "/druid/indexer/v1/task/../status",
        "/druid/indexer/v1/task/%2e%2e/status",
        "/druid/indexer/v1/task/%2E%2e/status",
        "/druid/indexer/v1/task/.%2e/status",
        "/druid/indexer/v1/task/a%2fb/status",
        "/druid/indexer/v1/task/a%2Fb/status",
        "/druid/indexer/v1/task/a%5cb/status",
        "/druid/indexer/v1/task/a\\b/status",
        "/druid/indexer/v1/task/a;x=1/status",
        "/druid/indexer/v1/task/..;/status",
        "/druid/indexer/v1/task/a%3bb/status",
        "/druid/indexer/v1/task/a%00b/status",
        "/druid/indexer/v1/task/a%0d%0aX:%201/status",
        "/druid/indexer/v1/task/%252e%252e/status",
        "/druid/indexer/v1/task/a%252fb/status",
        "/druid/indexer/v1/task/a%25252fb/status",
        "/druid/indexer/v1/task//status",
        "/druid//indexer/v1/tasks",
        "/druid/indexer/v1/tasks/",
        "/druid/./indexer/v1/tasks",
        "/druid/../status/properties",
        "/status/../druid/indexer/v1/tasks",
        "/foreshadow/../druid/indexer/v1/tasks",
        "/foreshadow/segments/..%2f..",
    ] {
        let answer = served.get(path).await;
        assert_eq!((answer.status, answer.code()), (400, Some("bad-path")), "{path}");
    }
    for path in [
        "/druid/indexer/v1/nothing",
        "/druid/v2",
        "/druid/v2/sql/task",
        "/druid/indexer/v1/action",
        "/druid/indexer/v1/task/a%c0%afb/status",
        "/druid/indexer/v1/task/a%ff/status",
        "/druid/indexer/v1/task/a%zz/status",
        "/druid/indexer/v1/task/a%/status",
        "/druid/%69ndexer/v1/tasks",
        "/status/properties",
        "/status/health",
        "/proxy/coordinator/status",
        "/proxy/overlord/druid/indexer/v1/tasks",
        "/druid",
    ] {
        let answer = served.get(path).await;
        assert_eq!((answer.status, answer.code()), (404, Some("not-listed")), "{path}");
    }
    for path in [
        "//druid/indexer/v1/tasks",
        "//evil.example/druid/indexer/v1/tasks",
        "/Druid/indexer/v1/tasks",
        "/@evil.example/status",
        "/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/index.html",
    ] {
        let answer = served.get(path).await;
        assert_eq!(
            (answer.status, answer.code()),
            (404, Some("no-such-page")),
            "{path}: not the console's first page either"
        );
    }
    assert!(druid.seen().is_empty(), "{:?}", druid.seen());
}

#[tokio::test]
async fn the_cluster_is_never_named_by_a_request() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let evil = FakeDruid::start(|_| Reply::json("[]")).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    let (host, port) = (evil.address, served.port);
    for line in [
        format!("GET http://{host}/druid/indexer/v1/tasks HTTP/1.1"),
        format!("GET http://127.0.0.1:{port}/druid/indexer/v1/tasks HTTP/1.1"),
        format!("GET https://{host}/ HTTP/1.1"),
        format!("CONNECT {host} HTTP/1.1"),
        "OPTIONS * HTTP/1.1".to_owned(),
        format!("GET {host}/druid/indexer/v1/tasks HTTP/1.1"),
        format!("GET @{host}/druid/indexer/v1/tasks HTTP/1.1"),
    ] {
        let raw = served.raw(format!("{line}\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")).await;
        assert_eq!(crate::support::Answer::parse(&raw).status, 400, "{line}");
    }
    assert!(druid.seen().is_empty() && evil.seen().is_empty());
}

#[tokio::test]
async fn a_path_with_another_method_says_which_it_takes() {
    let served = echo(Config::default()).await;
    for (line, allow) in [
        ("GET /druid/indexer/v1/task", "POST"),
        ("POST /druid/indexer/v1/tasks", "GET"),
        ("PUT /druid/indexer/v1/task", "POST"),
        ("DELETE /druid/indexer/v1/tasks", "GET"),
        ("HEAD /druid/indexer/v1/tasks", "GET"),
        ("TRACE /druid/indexer/v1/tasks", "GET"),
        ("POST /foreshadow/about", "GET"),
        ("POST /", "GET, HEAD"),
    ] {
        let answer = served.send(line, crate::support::OWN, "").await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allow)), "{line}");
        assert_eq!(answer.header("x-foreshadow-error"), Some("wrong-method"));
    }
    let answer = served.get("/druid/indexer/v1/tasks?state=bogus").await;
    assert_eq!((answer.status, answer.code()), (400, Some("bad-query")));
}

#[tokio::test]
async fn sql_travels_only_as_a_named_query() {
    let served = echo(Config::default()).await;
    let named = druid::endpoint::Named::SegmentsOf(druid::endpoint::Name::new("ünï").unwrap()).body();
    assert_eq!(served.post("/druid/v2/sql", &named).await.status, 200);
    for body in [
        r#"{"query":"SELECT 1"}"#,
        r#"{"query":"REPLACE INTO x OVERWRITE ALL SELECT 1 PARTITIONED BY DAY"}"#,
        "SELECT 1",
        "",
        "{",
    ] {
        let answer = served.post("/druid/v2/sql", body).await;
        assert_eq!((answer.status, answer.code()), (404, Some("not-listed")), "{body}");
    }
    assert_eq!(OWN_HEADER, "x-foreshadow");
}

#[tokio::test]
async fn a_read_only_gateway_passes_no_write_on() {
    let served = echo(Config { read_only: true, ..Config::default() }).await;
    for call in druid::endpoint::ALL {
        let target = call.template.replace("{}", "x");
        let target = match call.name {
            "used segments" | "retention rules" => format!("{target}?full"),
            "load status" => format!("{target}?forceMetadataRefresh=true"),
            _ => target,
        };
        let body = match call.body {
            druid::endpoint::Body::Nothing => String::new(),
            druid::endpoint::Body::Json => "[]".to_owned(),
            druid::endpoint::Body::NamedSql => {
                druid::endpoint::Named::SegmentsOf(druid::endpoint::Name::new("x").unwrap()).body()
            }
        };
        let answer =
            served.send(&format!("{} {target}", call.method.as_str()), crate::support::OWN, &body).await;
        match call.access {
            druid::endpoint::Access::Reads => assert_eq!(answer.status, 200, "{target}"),
            druid::endpoint::Access::Writes => {
                assert_eq!((answer.status, answer.code()), (403, Some("read-only")), "{target}");
            }
        }
    }
    assert_eq!(served.get("/foreshadow/about").await.json()["read_only"], true);
}
