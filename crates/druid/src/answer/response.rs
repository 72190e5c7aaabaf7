//! An answer as it came: what every reader takes and the sandbox gives.

use serde_json::Value;

/// An answer to a request: all that is ever looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The `Content-Type`; empty where there was none.
    pub content_type: String,
    /// The body's bytes.
    pub body: Vec<u8>,
    /// The `Location` of a redirect.
    pub location: Option<String>,
    /// The `Retry-After`, as it stood.
    pub retry_after: Option<String>,
    /// The `x-foreshadow-error` header: the answer is the gateway's own and not Druid's.
    pub gateway_error: Option<String>,
}

impl Response {
    /// JSON, as Druid's resources answer.
    pub fn json(status: u16, body: &Value) -> Response {
        Response::bytes(status, "application/json", body.to_string())
    }

    /// Plain text, as Druid's filters answer.
    pub fn text(status: u16, body: impl Into<String>) -> Response {
        Response::bytes(status, "text/plain", body.into())
    }

    /// No body and no type, as for 204, 307, 405 and 415.
    pub fn empty(status: u16) -> Response {
        Response { status, ..Response::default() }
    }

    /// Any body.
    pub fn bytes(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Response {
        Response { status, content_type: content_type.to_owned(), body: body.into(), ..Response::default() }
    }

    /// Whether the status is one of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as text; what is not UTF-8 becomes U+FFFD.
    pub fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
