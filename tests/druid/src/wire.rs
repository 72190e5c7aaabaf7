//! HTTP to a cluster on the loopback: one request a connection, waited for.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

const ANSWER_WITHIN: Duration = Duration::from_secs(60);

/// A status and a body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.body)
            .with_context(|| format!("{} and no JSON: {}", self.status, self.body))
    }
}

/// `host:port` of an address such as `http://127.0.0.1:18088`.
pub(crate) fn authority(address: &str) -> &str {
    address.trim_start_matches("http://").trim_end_matches('/')
}

pub(crate) fn get(authority: &str, path: &str) -> Result<Answer> {
    send(authority, "GET", path, "")
}

pub(crate) fn post(authority: &str, path: &str, body: &Value) -> Result<Answer> {
    send(authority, "POST", path, &body.to_string())
}

fn send(authority: &str, method: &str, path: &str, body: &str) -> Result<Answer> {
    let context = || format!("{method} http://{authority}{path}");
    let mut stream = TcpStream::connect(authority).with_context(context)?;
    stream.set_read_timeout(Some(ANSWER_WITHIN))?;
    // HTTP/1.0: the answer comes in one piece and ends with the connection.
    let head = format!(
        "{method} {path} HTTP/1.0\r\nHost: {authority}\r\nAccept: application/json\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body.as_bytes()))
        .with_context(context)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).with_context(context)?;
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").with_context(context)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).with_context(context)?;
    Ok(Answer { status, body: body.to_owned() })
}
