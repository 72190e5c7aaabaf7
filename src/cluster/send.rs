//! One request, one answer, one time limit.

use crate::limit::within;
use druid::{
    answer::Response,
    endpoint::{Method, Request},
};
use gloo_net::http::{Request as Fetch, RequestBuilder};

/// Why there is no answer. For a write this leaves open whether it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Nothing came within the time limit, in ms.
    TimedOut(u32),
    /// The gateway could not be reached, or the connection broke; the browser's words.
    Unreachable(String),
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::TimedOut(ms) => write!(f, "No answer within {} s.", ms / 1000),
            NoAnswer::Unreachable(why) => {
                write!(f, "The gateway cannot be reached ({why}). Is `foreshadow serve` still running?")
            }
        }
    }
}

/// Sends a request of the list and waits for the whole answer, at most `limit_ms`.
///
/// # Errors
/// [`NoAnswer`] where no whole answer came.
pub async fn send(request: &Request, limit_ms: u32) -> Result<Response, NoAnswer> {
    let fetch = match request.method {
        Method::Get => Fetch::get(&request.target()),
        Method::Post => Fetch::post(&request.target()).header("Content-Type", "application/json"),
    };
    // The gateway's sign that a page of its own is asking: a form or an image of another site cannot set it.
    let fetch = fetch.header("X-Foreshadow", "1").header("Accept", "application/json");
    whole(fetch, request.body.clone(), limit_ms).await
}

/// Sends a prepared request and reads the whole answer within the limit; the request is aborted after it.
pub(super) async fn whole(
    fetch: RequestBuilder,
    body: Option<String>,
    limit_ms: u32,
) -> Result<Response, NoAnswer> {
    let abort = web_sys::AbortController::new().ok();
    let fetch = fetch.abort_signal(abort.as_ref().map(web_sys::AbortController::signal).as_ref());
    let exchange = async {
        let broken = |error: gloo_net::Error| NoAnswer::Unreachable(error.to_string());
        let answer = match body {
            Some(body) => fetch.body(body).map_err(broken)?.send().await,
            None => fetch.send().await,
        }
        .map_err(broken)?;
        let header = |name: &str| answer.headers().get(name);
        let read = Response {
            status: answer.status(),
            content_type: header("content-type").unwrap_or_default(),
            location: header("location"),
            retry_after: header("retry-after"),
            gateway_error: header("x-foreshadow-error"),
            body: Vec::new(),
        };
        let body = answer.binary().await.map_err(broken)?;
        Ok(Response { body, ..read })
    };
    match within(limit_ms, exchange).await {
        Some(answer) => answer,
        None => {
            if let Some(abort) = abort {
                abort.abort();
            }
            Err(NoAnswer::TimedOut(limit_ms))
        }
    }
}
