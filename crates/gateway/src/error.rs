//! What the gateway itself has to say, never to be taken for Druid's words.
//!
//! Every answer of its own has the header `x-foreshadow-error: CODE` and the body `{"gateway":{"code","message"}}`. Whatever
//! Druid says, error pages included, passes untouched and without that header.

use std::fmt;

use http::{Response, StatusCode, header};

use crate::body::{Body, full};

/// The header that tells the gateway's own answers apart.
pub const ERROR_HEADER: &str = "x-foreshadow-error";

/// Why the gateway did not pass a request on, or an answer back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request line names a whole URL, an authority, or `*`.
    BadTarget,
    /// A path that could be read in two ways.
    BadPath,
    /// The body comes in chunks. No browser sends one so; it is how requests are smuggled.
    Chunked,
    /// The `Host` is none of ours: a stray client, or DNS rebinding.
    WrongHost,
    /// Another site's page asks.
    CrossSite,
    /// A POST without `x-foreshadow: 1`: a form or a beacon could have sent it.
    HeaderMissing,
    /// A body that does not say it is JSON.
    NotJson,
    /// A body that is not UTF-8.
    NotText,
    /// Not on the list of calls.
    NotListed,
    /// On the list with another method.
    WrongMethod(Vec<&'static str>),
    /// A write, and this gateway only reads.
    ReadOnly,
    /// More bytes than the call may carry.
    BodyTooLarge(u64),
    /// The body did not come in time.
    BodyTooSlow,
    /// Too many calls at once.
    Busy,
    /// Nothing was sent: no connection to the cluster. Holds where and why.
    Unreachable(String),
    /// Sent, and no answer in time.
    TimedOut(String),
    /// The answer broke off or is not HTTP.
    AnswerBroken(String),
    /// More bytes than an answer of this kind may have.
    AnswerTooLong(u64),
    /// A redirect to an address that was not configured.
    RedirectRefused(String),
    /// One standby sends us to another.
    NoLeader,
    /// The cluster has no such service among the addresses given.
    NoService(&'static str),
    /// No such page or file.
    NoSuchPage,
    /// A zone that the tables do not have.
    NoSuchZone(String),
    /// A query key or value that cannot be read.
    BadQuery(String),
    /// Druid answered, but not with segments.
    NotSegments(String),
}

impl Refusal {
    /// The code: stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::BadTarget => "bad-target",
            Refusal::BadPath => "bad-path",
            Refusal::Chunked => "chunked",
            Refusal::WrongHost => "wrong-host",
            Refusal::CrossSite => "cross-site",
            Refusal::HeaderMissing => "header-missing",
            Refusal::NotJson => "not-json",
            Refusal::NotText => "not-text",
            Refusal::NotListed => "not-listed",
            Refusal::WrongMethod(_) => "wrong-method",
            Refusal::ReadOnly => "read-only",
            Refusal::BodyTooLarge(_) => "body-too-large",
            Refusal::BodyTooSlow => "body-too-slow",
            Refusal::Busy => "busy",
            Refusal::Unreachable(_) => "unreachable",
            Refusal::TimedOut(_) => "timed-out",
            Refusal::AnswerBroken(_) => "answer-broken",
            Refusal::AnswerTooLong(_) => "answer-too-long",
            Refusal::RedirectRefused(_) => "redirect-refused",
            Refusal::NoLeader => "no-leader",
            Refusal::NoService(_) => "no-service",
            Refusal::NoSuchPage => "no-such-page",
            Refusal::NoSuchZone(_) => "no-such-zone",
            Refusal::BadQuery(_) => "bad-query",
            Refusal::NotSegments(_) => "not-segments",
        }
    }

    /// The status it is answered with.
    pub fn status(&self) -> StatusCode {
        match self {
            Refusal::BadTarget | Refusal::BadPath | Refusal::NotText | Refusal::BadQuery(_) => {
                StatusCode::BAD_REQUEST
            }
            Refusal::Chunked => StatusCode::LENGTH_REQUIRED,
            Refusal::WrongHost => StatusCode::MISDIRECTED_REQUEST,
            Refusal::CrossSite | Refusal::HeaderMissing | Refusal::ReadOnly => StatusCode::FORBIDDEN,
            Refusal::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::NotListed | Refusal::NoSuchPage | Refusal::NoSuchZone(_) => StatusCode::NOT_FOUND,
            Refusal::WrongMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::BodyTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
            Refusal::Busy | Refusal::NoLeader => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::TimedOut(_) => StatusCode::GATEWAY_TIMEOUT,
            Refusal::Unreachable(_)
            | Refusal::AnswerBroken(_)
            | Refusal::AnswerTooLong(_)
            | Refusal::RedirectRefused(_)
            | Refusal::NoService(_)
            | Refusal::NotSegments(_) => StatusCode::BAD_GATEWAY,
        }
    }

    /// Whether the connection cannot be used again: what follows on it may not be what it seems.
    fn ends_connection(&self) -> bool {
        matches!(
            self,
            Refusal::BadTarget
                | Refusal::Chunked
                | Refusal::WrongHost
                | Refusal::BodyTooLarge(_)
                | Refusal::BodyTooSlow
        )
    }

    /// The answer.
    pub fn response(&self) -> Response<Body> {
        let body = serde_json::json!({ "gateway": { "code": self.code(), "message": self.to_string() } });
        let mut response = Response::new(full(body.to_string()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
        headers.insert(ERROR_HEADER, http::HeaderValue::from_static(self.code()));
        if let Refusal::WrongMethod(methods) = self
            && let Ok(allow) = http::HeaderValue::from_str(&methods.join(", "))
        {
            headers.insert(header::ALLOW, allow);
        }
        if matches!(self, Refusal::Busy) {
            headers.insert(header::RETRY_AFTER, http::HeaderValue::from_static("1"));
        }
        if self.ends_connection() {
            headers.insert(header::CONNECTION, http::HeaderValue::from_static("close"));
        }
        response
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::BadTarget => f.write_str("The request names no plain path. This server is not an open proxy."),
            Refusal::BadPath => f.write_str("The path holds an escape or a separator that could be read in two ways."),
            Refusal::Chunked => f.write_str("Send the body with a Content-Length, not in chunks."),
            Refusal::WrongHost => {
                f.write_str("This server does not answer for that host name. Start it with --host NAME to allow one more.")
            }
            Refusal::CrossSite => f.write_str(
                "Another site's page asked. Start the gateway with --allow-origin and that page's exact origin to allow it.",
            ),
            Refusal::HeaderMissing => f.write_str("A POST needs the header x-foreshadow: 1."),
            Refusal::NotJson => f.write_str("A body needs Content-Type: application/json."),
            Refusal::NotText => f.write_str("The body is not UTF-8 text."),
            Refusal::NotListed => f.write_str("This call is not one that Foreshadow makes, so it is not passed on."),
            Refusal::WrongMethod(methods) => write!(f, "This path takes {} only.", methods.join(" and ")),
            Refusal::ReadOnly => f.write_str("This gateway only reads: it was started with --read-only."),
            Refusal::BodyTooLarge(0) => f.write_str("This call takes no body."),
            Refusal::BodyTooLarge(cap) => write!(f, "The body is longer than the {cap} bytes this call may carry."),
            Refusal::BodyTooSlow => f.write_str("The body did not arrive in time."),
            Refusal::Busy => f.write_str("Too many calls at once. Try again in a moment."),
            Refusal::Unreachable(why) => write!(f, "The cluster cannot be reached: {why}. Nothing was sent."),
            Refusal::TimedOut(what) => {
                write!(f, "The cluster took the request and did not answer in time ({what}). It may have acted on it.")
            }
            Refusal::AnswerBroken(why) => {
                write!(f, "The cluster's answer broke off: {why}. It may have acted on the request.")
            }
            Refusal::AnswerTooLong(cap) => write!(f, "The cluster's answer is longer than {cap} bytes."),
            Refusal::RedirectRefused(to) => write!(
                f,
                "The cluster sends this call to {to}, which is none of the addresses the gateway was started with. Add it to \
                 --cluster if it belongs to the cluster."
            ),
            Refusal::NoLeader => f.write_str("One standby sends this call to another: the cluster is choosing a leader."),
            Refusal::NoService(service) => write!(
                f,
                "None of the addresses given is a {service}. Point --cluster at the Router, or add the {service}'s address."
            ),
            Refusal::NoSuchPage => f.write_str("There is nothing at this address."),
            Refusal::NoSuchZone(name) => write!(f, "There is no time zone called {name}."),
            Refusal::BadQuery(what) => write!(f, "The query cannot be read: {what}."),
            Refusal::NotSegments(why) => write!(f, "The cluster answered, but not with segments: {why}"),
        }
    }
}

impl std::error::Error for Refusal {}
