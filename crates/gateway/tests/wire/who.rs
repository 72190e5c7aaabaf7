//! Who may ask: host names, origins, forms, and the headers of every answer.

use crate::support::{Answer, FakeDruid, OWN, Reply, Served, echo};
use gateway::Config;

const TASKS: &str = "GET /druid/indexer/v1/tasks HTTP/1.1";

#[tokio::test]
async fn only_our_own_host_names_are_answered() {
    let config =
        Config { hosts: vec!["backfill.example".into(), "console.example:443".into()], ..Config::default() };
    let served = echo(config).await;
    let port = served.port;
    let asked = async |host: String| {
        let raw = served.raw(format!("{TASKS}\r\n{host}Connection: close\r\n\r\n")).await;
        Answer::parse(&raw)
    };
    for good in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("LOCALHOST:{port}"),
        format!("[::1]:{port}"),
        "backfill.example".to_owned(),
        format!("backfill.example:{port}"),
        "console.example:443".to_owned(),
    ] {
        assert_eq!(asked(format!("Host: {good}\r\n")).await.status, 200, "{good}");
    }
    for bad in [
        "Host: attacker.example\r\n".to_owned(),
        format!("Host: attacker.example:{port}\r\n"),
        format!("Host: localhost.attacker.example:{port}\r\n"),
        "Host: localhost\r\n".to_owned(),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port.wrapping_add(1)),
        format!("Host: 127.1:{port}\r\n"),
        format!("Host: 2130706433:{port}\r\n"),
        format!("Host: 0.0.0.0:{port}\r\n"),
        format!("Host: user@localhost:{port}\r\n"),
        format!("Host: localhost:{port}, attacker.example\r\n"),
        format!("Host: localhost:{port}/\r\n"),
        format!("Host: localhost.:{port}\r\n"),
        "Host: console.example\r\n".to_owned(),
        "Host: \r\n".to_owned(),
        String::new(),
        format!("Host: localhost:{port}\r\nHost: attacker.example\r\n"),
        format!("Host: attacker.example\r\nX-Forwarded-Host: localhost:{port}\r\n"),
        format!("Host: attacker.example\r\nForwarded: host=localhost:{port}\r\n"),
    ] {
        let answer = asked(bad.clone()).await;
        assert_eq!((answer.status, answer.code()), (421, Some("wrong-host")), "{bad:?}");
    }
    let raw = served.raw("GET / HTTP/1.0\r\n\r\n").await;
    assert_eq!(Answer::parse(&raw).status, 421, "the console's page needs the name as well");
}

#[tokio::test]
async fn a_foreign_page_reads_nothing_and_causes_nothing() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let config = Config { origins: vec!["https://good.example".into()], ..Config::default() };
    let served = Served::before(config, &[druid.url()]).await;
    for origin in [
        "null",
        "https://evil.example",
        "https://good.example.evil.example",
        "https://evilgood.example",
        "https://good.example:8443",
        "http://good.example",
        "https://good.example.",
        "https://sub.good.example",
        "http://localhost:1",
    ] {
        for (line, headers) in [
            ("GET /druid/indexer/v1/tasks", ""),
            ("POST /druid/indexer/v1/task", OWN),
            ("GET /foreshadow/about", ""),
        ] {
            let answer = served.send(line, &format!("{headers}Origin: {origin}\r\n"), "").await;
            assert_eq!((answer.status, answer.code()), (403, Some("cross-site")), "{line} from {origin}");
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
        let preflight = format!("Origin: {origin}\r\nAccess-Control-Request-Method: POST\r\n");
        let answer = served.send("OPTIONS /druid/indexer/v1/task", &preflight, "").await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (403, None), "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        let answer =
            served.send("GET /druid/indexer/v1/tasks", &format!("Sec-Fetch-Site: {site}\r\n"), "").await;
        assert_eq!(
            (answer.status, answer.code()),
            (403, Some("cross-site")),
            "an image or a script tag: {site}"
        );
    }
    assert!(druid.seen().is_empty());
}

#[tokio::test]
async fn an_allowed_origin_may_ask_and_its_preflight_is_answered_here() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let config = Config { origins: vec!["https://good.example".into()], ..Config::default() };
    let served = Served::before(config, &[druid.url()]).await;
    let preflight = "Origin: https://good.example\r\nAccess-Control-Request-Method: POST\r\n\
                     Access-Control-Request-Headers: content-type, x-foreshadow\r\n";
    let answer = served.send("OPTIONS /druid/indexer/v1/task", preflight, "").await;
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://good.example"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("content-type, x-foreshadow"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    assert_eq!(answer.header("vary"), Some("Origin"));
    assert!(druid.seen().is_empty(), "Druid answers 405 to a preflight, so it is not asked");

    let answer = served
        .send(
            "POST /druid/indexer/v1/task",
            &format!("{OWN}Origin: https://good.example\r\nSec-Fetch-Site: cross-site\r\n"),
            "{}",
        )
        .await;
    assert_eq!(
        (answer.status, answer.header("access-control-allow-origin")),
        (200, Some("https://good.example"))
    );
    assert!(!druid.seen()[0].to_ascii_lowercase().contains("origin"), "Druid hears nothing of origins");

    let answer = served.send("OPTIONS /druid/indexer/v1/task", "", "").await;
    assert_eq!(answer.status, 403, "a preflight without an origin");
}

#[tokio::test]
async fn our_own_page_may_ask_by_either_scheme() {
    let served = echo(Config { hosts: vec!["console.example".into()], ..Config::default() }).await;
    let port = served.port;
    let answer = served
        .send(
            "POST /druid/indexer/v1/task",
            &format!("{OWN}Origin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin\r\n"),
            "{}",
        )
        .await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None));
    let raw = served
        .raw(format!(
            "{TASKS}\r\nHost: console.example\r\nOrigin: https://console.example\r\nConnection: close\r\n\r\n"
        ))
        .await;
    assert_eq!(Answer::parse(&raw).status, 200, "behind a server that adds TLS");
}

#[tokio::test]
async fn what_a_form_or_a_beacon_can_send_changes_nothing() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    for headers in [
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: multipart/form-data; boundary=x\r\n",
        "Content-Type: text/plain\r\n",
        "Content-Type: application/json\r\n",
        "x-foreshadow: 0\r\nContent-Type: application/json\r\n",
        "x-foreshadow: 1\r\nx-foreshadow: 1\r\nContent-Type: application/json\r\n",
        "",
    ] {
        for path in
            ["/druid/indexer/v1/task", "/druid/indexer/v1/task/x/shutdown", "/druid/indexer/v1/activeLocks"]
        {
            let answer = served.send(&format!("POST {path}"), headers, "").await;
            assert_eq!((answer.status, answer.code()), (403, Some("header-missing")), "{path} {headers}");
        }
    }
    for kind in [
        "application/x-www-form-urlencoded",
        "text/plain",
        "text/plain; application/json",
        "application/json, text/plain",
    ] {
        let answer = served
            .send(
                "POST /druid/indexer/v1/task",
                &format!("x-foreshadow: 1\r\nContent-Type: {kind}\r\n"),
                "{}",
            )
            .await;
        assert_eq!((answer.status, answer.code()), (415, Some("not-json")), "{kind}");
    }
    assert!(druid.seen().is_empty());
    let answer = served.send("POST /druid/indexer/v1/task/x/shutdown", "x-foreshadow: 1\r\n", "").await;
    assert_eq!(answer.status, 200, "a call without a body needs no type");
}

#[tokio::test]
async fn no_header_of_a_browser_travels_on() {
    let druid = FakeDruid::start(|_| Reply::json("[]")).await;
    let served = Served::with_credentials(Config::default(), &[druid.url()], Some("admin:secret")).await;
    let headers = format!(
        "{OWN}Authorization: Basic stolen\r\nCookie: a=b\r\nX-Forwarded-For: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\n\
         Via: 1.1 x\r\nX-Secret: y\r\nTE: trailers\r\nKeep-Alive: 5\r\nProxy-Authorization: z\r\nRange: bytes=0-1\r\n\
         Accept-Encoding: gzip\r\nAccept: text/html\r\nIf-None-Match: \"x\"\r\nX-HTTP-Method-Override: DELETE\r\n"
    );
    served.send("POST /druid/indexer/v1/task", &headers, "{\"type\":\"noop\"}").await;
    let sent = druid.seen()[0].clone();
    let (head, body) = sent.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<String> = head.lines().map(str::to_ascii_lowercase).collect();
    lines[1..].sort();
    assert_eq!(
        lines,
        [
            "post /druid/indexer/v1/task http/1.1".to_owned(),
            "accept-encoding: identity".to_owned(),
            "accept: application/json, */*;q=0.5".to_owned(),
            "authorization: basic ywrtaw46c2vjcmv0".to_owned(),
            "content-length: 15".to_owned(),
            "content-type: application/json".to_owned(),
            format!("host: {}", druid.address),
        ]
    );
    assert_eq!(body, "{\"type\":\"noop\"}");
}

#[tokio::test]
async fn no_header_of_druid_travels_back_but_what_a_page_needs() {
    let druid = FakeDruid::start(|_| {
        Reply::Bytes(
            b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"druid\"\r\nSet-Cookie: a=b\r\nServer: Jetty\r\n\
              Access-Control-Allow-Origin: *\r\nContent-Security-Policy: x\r\nX-Druid: y\r\nConnection: close, x-druid\r\n\
              Location: http://evil.example/\r\nRefresh: 0; url=http://evil.example/\r\nRetry-After: 7\r\n\
              Content-Type: text/html;charset=iso-8859-1\r\nContent-Length: 13\r\n\r\n<h1>401</h1>\n"
                .to_vec(),
        )
    })
    .await;
    let served = Served::before(Config::default(), &[druid.url()]).await;
    let answer = served.get("/druid/indexer/v1/tasks").await;
    assert_eq!((answer.status, answer.body.as_str()), (401, "<h1>401</h1>\n"), "Druid's words are untouched");
    assert_eq!(answer.header("x-foreshadow-error"), None, "and not taken for the gateway's");
    assert_eq!(answer.header("retry-after"), Some("7"));
    assert_eq!(
        answer.header_names(),
        [
            "cache-control",
            "connection",
            "content-length",
            "content-security-policy",
            "content-type",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "date",
            "permissions-policy",
            "referrer-policy",
            "retry-after",
            "vary",
            "x-content-type-options",
        ]
    );
    assert_eq!(
        answer.header("content-security-policy"),
        Some("default-src 'none'; frame-ancestors 'none'; sandbox")
    );
}

#[tokio::test]
async fn the_page_comes_under_a_strict_policy() {
    let served = echo(Config::default()).await;
    let answer = served.get("/").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = answer.header("content-security-policy").unwrap();
    for part in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{part} is missing in {policy}");
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'") && !policy.contains('*'));
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-cache"),
    ] {
        assert_eq!(answer.header(name), Some(value));
    }
}

#[tokio::test]
async fn a_folder_in_development_serves_what_is_in_it_and_nothing_beside_it() {
    let folder = std::env::temp_dir().join(format!("foreshadow-console-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("dist/snippets")).unwrap();
    std::fs::write(folder.join("dist/index.html"), "<p>first</p>").unwrap();
    std::fs::write(folder.join("dist/snippets/a.js"), "a").unwrap();
    std::fs::write(folder.join("secret"), "s").unwrap();
    let served = echo(Config { console: Some(folder.join("dist")), ..Config::default() }).await;
    assert_eq!(served.get("/").await.body, "<p>first</p>");
    assert_eq!(
        served.get("/snippets/a.js").await.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    for path in [
        "/../secret",
        "/..%2fsecret",
        "/snippets/../../secret",
        "/snippets",
        "/snippets/",
        "/index.html",
        "/secret",
    ] {
        assert_eq!(served.get(path).await.status, 404, "{path}");
    }
    std::fs::write(folder.join("dist/index.html"), "<p>second</p>").unwrap();
    assert_eq!(served.get("/").await.body, "<p>second</p>", "read afresh each time");
    std::fs::remove_dir_all(&folder).unwrap();
}
