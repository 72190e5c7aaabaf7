//! The binary itself, as a person or a script meets it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // tests: a panic is a failure

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

fn foreshadow(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foreshadow"));
    command.args(arguments).env_remove("FORESHADOW_CLUSTER_CREDENTIALS").env("NO_PROXY", "*");
    command
}

fn run(arguments: &[&str]) -> Output {
    foreshadow(arguments).output().unwrap()
}

/// What it said on stderr when it would not start: one sentence, and exit code 2.
fn refusal(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "one line: {said}");
    assert!(output.stdout.is_empty());
    said
}

/// A server that runs until it is dropped.
struct Running {
    child: Child,
    first_line: String,
    port: u16,
}

impl Running {
    fn start(arguments: &[&str]) -> Running {
        let mut all = vec!["serve", "--port", "0"];
        all.extend(arguments);
        Running::of(foreshadow(&all))
    }

    fn of(mut command: Command) -> Running {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first_line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first_line).unwrap();
        let port = first_line
            .split("http://127.0.0.1:")
            .nth(1)
            .and_then(|rest| rest.split('/').next()?.parse().ok())
            .unwrap_or_else(|| panic!("no address in {first_line:?}"));
        Running { child, first_line, port }
    }

    fn request(&self, line: &str, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(
            stream,
            "{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            self.port,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Ends it as a service manager does and gives its exit code and what it logged.
    #[cfg(unix)]
    fn stop(mut self, signal: &str) -> (Option<i32>, String) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let code = self.child.wait().unwrap().code();
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        (code, log)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server that answers each request with what `answer` says.
fn fake(answer: impl Fn(&str) -> String + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let length = stream.read(&mut head).unwrap_or(0);
            let request = String::from_utf8_lossy(&head[..length]).into_owned();
            let body = answer(&request);
            let status = if body.starts_with("401") { "401 Unauthorized" } else { "200 OK" };
            let kind = if body.starts_with('<') { "text/html" } else { "application/json" };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    url
}

fn druid(request: &str) -> String {
    if request.contains("isLeader") { r#"{"leader":true}"# } else { r#"{"version":"33.0.0"}"# }.to_owned()
}

#[test]
fn serving_says_in_one_line_where_it_is_and_that_it_is_the_sandbox() {
    let running = Running::start(&[]);
    assert!(running.first_line.contains("/ (the sandbox"), "{}", running.first_line);
    let about = running.request("GET /foreshadow/about", "", "");
    assert!(about.starts_with("HTTP/1.1 200 OK") && about.contains(r#""sandbox":true"#), "{about}");
    assert!(
        running.request("GET /", "", "").contains("Content-Security-Policy")
            || running.request("GET /", "", "").contains("content-security-policy")
    );
}

#[test]
fn serving_a_cluster_names_it_and_its_release() {
    let url = fake(druid);
    let running = Running::start(&["--cluster", &url, "--read-only"]);
    assert_eq!(
        running.first_line.trim_end(),
        format!(
            "Foreshadow: http://127.0.0.1:{}/ (the cluster at {url}, Druid 33.0.0, read only)",
            running.port
        )
    );
}

#[test]
fn a_port_that_is_taken_is_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = refusal(&run(&["serve", "--port", &port]));
    assert_eq!(
        said.trim_end(),
        format!("Port {port} is taken. Choose another with --port, or 0 for any that is free.")
    );
}

#[test]
fn a_cluster_that_is_not_there_is_one_sentence() {
    let url = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let said = refusal(&run(&["serve", "--port", "0", "--cluster", &url]));
    assert!(said.starts_with(&format!("The cluster at {url} cannot be reached: ")), "{said}");
}

#[test]
fn what_is_not_a_druid_is_one_sentence() {
    let url = fake(|_| "<html><title>Welcome to nginx!</title></html>".to_owned());
    let said = refusal(&run(&["serve", "--port", "0", "--cluster", &url]));
    assert!(
        said.starts_with(&format!("What answers at {url} is not a Druid: ")) && said.contains("nginx"),
        "{said}"
    );
    let said = refusal(&run(&["serve", "--port", "0", "--cluster", "druid:8888"]));
    assert!(said.contains("should start with http://"), "{said}");
}

#[test]
fn credentials_come_from_a_file_or_the_environment_and_are_never_said() {
    let wants = |request: &str| {
        // admin:s3cret
        if request.to_ascii_lowercase().contains("authorization: basic ywrtaw46cznjcmv0") {
            druid(request)
        } else {
            "401".to_owned()
        }
    };
    let url = fake(wants);
    let said = refusal(&run(&["serve", "--port", "0", "--cluster", &url]));
    assert!(said.contains("wants a login (401)") && said.contains("--credentials-file"), "{said}");

    let mut command = foreshadow(&["serve", "--port", "0", "--cluster", &url]);
    command.env("FORESHADOW_CLUSTER_CREDENTIALS", "admin:mistyped");
    let said = refusal(&command.output().unwrap());
    assert!(said.contains("does not accept these credentials (401)") && !said.contains("mistyped"), "{said}");

    let mut command = foreshadow(&["serve", "--port", "0", "--cluster", &url]);
    command.env("FORESHADOW_CLUSTER_CREDENTIALS", "admin:s3cret");
    let running = Running::of(command);
    assert!(!running.first_line.contains("s3cret"));

    let folder = std::env::temp_dir().join(format!("foreshadow-credentials-{}", std::process::id()));
    std::fs::write(&folder, "admin:s3cret\n").unwrap();
    let running = Running::start(&["--cluster", &url, "--credentials-file", folder.to_str().unwrap()]);
    assert!(running.first_line.contains("Druid 33.0.0"));
    std::fs::remove_file(&folder).unwrap();
    let said = refusal(&run(&["serve", "--cluster", &url, "--credentials-file", folder.to_str().unwrap()]));
    assert!(said.contains("cannot be read"), "{said}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_and_a_service_manager_end_it_cleanly() {
    // From the moment on at which the address is said: nothing is asked of it before.
    for signal in ["-INT", "-TERM"].repeat(4) {
        assert_eq!(Running::start(&[]).stop(signal).0, Some(0), "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn a_write_leaves_a_line_in_the_log_without_its_body() {
    let url = fake(druid);
    let running = Running::start(&["--cluster", &url]);
    let own = "x-foreshadow: 1\r\nContent-Type: application/json\r\n";
    running.request("POST /druid/indexer/v1/task", own, r#"{"id":"secret-body"}"#);
    running.request("POST /druid/indexer/v1/task/a%20b/shutdown", own, "");
    running.request("GET /druid/indexer/v1/tasks", "", "");
    let (_, log) = running.stop("-TERM");
    let writes: Vec<&str> = log.lines().filter(|line| line.contains("foreshadow::write")).collect();
    assert_eq!(writes.len(), 2, "{log}");
    assert!(
        writes[0].contains("submit task")
            && writes[0].contains("outcome=\"200\"")
            && writes[0].contains("bytes=20")
    );
    assert!(writes[1].contains("/druid/indexer/v1/task/a%20b/shutdown"));
    assert!(!log.contains("secret-body"), "{log}");
}

const TASK: &str = r#"{"type":"index_parallel","spec":{"dataSchema":{"dataSource":"events_web",
    "granularitySpec":{"intervals":["2026-07-16/P1D"]}}}}"#;

fn task_file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("foreshadow-{name}-{}.json", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_id_of_a_task_file_is_the_articles() {
    let file = task_file("id", TASK);
    let output = run(&["id", "--task", &file, "--version", "v3"]);
    let said = String::from_utf8(output.stdout).unwrap();
    let mut lines = said.lines();
    assert_eq!((output.status.code(), lines.next()), (Some(0), Some("idx_events_web_f290698762e7")));
    assert_eq!(
        lines.next().map(str::trim),
        Some("hashed      events_web:2026-07-16T00:00:00Z/2026-07-17T00:00:00Z:v3")
    );
    let output = run(&["id", "--task", &file, "--version", "v1", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["id"], "idx_events_web_28cbd6885a6a");
    assert_eq!(json["interval"], "2026-07-16T00:00:00Z/2026-07-17T00:00:00Z");
}

#[test]
fn an_older_form_is_named_and_its_upgrade_is_shown_and_never_made() {
    let text = "{\n  \"type\": \"index_parallel\",\n  \"dataSchema\": {\"dataSource\": \"d\", \"parser\": {\"encoding\": \"UTF-16\"}},\n  \"ioConfig\": {\"type\": \"index_parallel\"}\n}\n";
    let path = task_file("old-form.json", text);
    let output = run(&["check", "--task", &path]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("stop  [old-form] The task is in an older form: a spec without spec around it, parser")
    );
    assert!(!said.contains("Upgrade"), "{said}");
    let output = run(&["check", "--task", &path, "--upgrade"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("dataSchema, ioConfig and tuningConfig move into spec: Druid reads them nowhere else.")
    );
    assert!(said.contains("left to you, spec.dataSchema._parser: "), "{said}");
    for line in [
        "-  \"ioConfig\": {\"type\": \"index_parallel\"}",
        "+  \"spec\": {",
        "   \"type\": \"index_parallel\",",
    ] {
        assert!(said.lines().any(|shown| shown == line), "{line} in {said}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the file stays as it is");
    let output = run(&["check", "--task", &path, "--upgrade", "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let task = said["upgrade"]["task"].as_str().unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(task).unwrap()["spec"]["ioConfig"].is_object());
    assert!(said["upgrade"]["changes"][0]["text"].is_string());
}

#[test]
fn a_task_file_that_cannot_be_used_says_why_and_where() {
    let broken = task_file("broken", "{\n  \"type\": \"index_parallel\",,\n}");
    let said = refusal(&run(&["id", "--task", &broken, "--version", "v3"]));
    assert!(said.starts_with(&format!("{broken}:2:")), "{said}");
    let slash = task_file("slash", &TASK.replace("events_web", "a/b"));
    let said = refusal(&run(&["id", "--task", &slash, "--version", "v3"]));
    assert!(said.contains("must not have a slash"), "{said}");
    let kill = task_file("kill", r#"{"type":"kill","dataSource":"x","interval":"2026/2027"}"#);
    refusal(&run(&["id", "--task", &kill, "--version", "v3"]));
    refusal(&run(&["id", "--task", "/nowhere/x.json", "--version", "v3"]));
    let good = task_file("good", TASK);
    refusal(&run(&["id", "--task", &good, "--version", " "]));
}
