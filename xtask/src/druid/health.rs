//! Whether a process answers: plain HTTP, one request a connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::process::Process;
use super::service::Service;

const CONNECT_WITHIN: Duration = Duration::from_millis(500);
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The body of a 200 answer to GET on the loopback.
pub(crate) fn get(port: u16, path: &str) -> Option<String> {
    let mut stream = connect(port)?;
    stream.set_read_timeout(Some(ANSWER_WITHIN)).ok()?;
    // HTTP/1.0: the answer comes in one piece and ends with the connection.
    write!(stream, "GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\n\r\n")
        .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    (head.split(' ').nth(1) == Some("200")).then(|| body.trim().to_owned())
}

fn connect(port: u16) -> Option<TcpStream> {
    TcpStream::connect_timeout(&SocketAddr::from(([127, 0, 0, 1], port)), CONNECT_WITHIN).ok()
}

/// Whether it says of itself that it is well.
pub(crate) fn is_healthy(process: &Process) -> bool {
    match process.service {
        Service::ZooKeeper => connect(process.port).is_some(),
        _ => get(process.port, "/status/health").as_deref() == Some("true"),
    }
}

/// Whether tasks would be run: the Overlord leads and knows a worker.
pub(crate) fn takes_tasks(coordinator: u16) -> bool {
    get(coordinator, "/druid/indexer/v1/workers").is_some_and(|workers| workers.contains("\"worker\""))
}

/// Whether the Router finds the Overlord and knows a Broker.
pub(crate) fn is_routed(router: u16) -> bool {
    get(router, "/druid/indexer/v1/leader").is_some() && get(router, "/druid/v2/datasources").is_some()
}
