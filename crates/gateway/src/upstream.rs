//! Who answers the calls: a real cluster, or the one built in.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use druid::answer::Response as Answer;
use druid::endpoint::{Endpoint, Request};
use druid::interval::Instant;
use http::{HeaderName, HeaderValue, Response, StatusCode, header};

use crate::body::{Body, full};
use crate::cluster::Cluster;
use crate::error::Refusal;

/// A Druid that lives in this process.
pub trait Local: Send {
    /// What it answers at this moment.
    fn handle(&mut self, now: Instant, request: &Request) -> Answer;
}

/// The one place that calls go to.
pub enum Upstream {
    /// A cluster over HTTP.
    Http(Box<Cluster>),
    /// The built-in one. One call at a time: it is a value in memory.
    Sandbox(Arc<Mutex<Box<dyn Local>>>),
}

impl Upstream {
    /// A cluster that was looked at.
    pub fn cluster(cluster: Cluster) -> Upstream {
        Upstream::Http(Box::new(cluster))
    }

    /// A Druid in this process.
    pub fn local(local: impl Local + 'static) -> Upstream {
        Upstream::Sandbox(Arc::new(Mutex::new(Box::new(local))))
    }

    /// Whether it is the built-in one.
    pub fn is_sandbox(&self) -> bool {
        matches!(self, Upstream::Sandbox(_))
    }

    /// What to call it.
    pub fn label(&self) -> String {
        match self {
            Upstream::Http(cluster) => cluster.label(),
            Upstream::Sandbox(_) => "sandbox".to_owned(),
        }
    }

    /// Sends a call and gives the answer back as it is, but for headers that are not for a browser.
    pub(crate) async fn send(
        &self,
        endpoint: &Endpoint,
        request: Request,
    ) -> Result<Response<Body>, Refusal> {
        match self {
            Upstream::Http(cluster) => cluster.send(endpoint, request).await,
            Upstream::Sandbox(local) => {
                let local = local.clone();
                // A large answer takes its time to make; other connections go on meanwhile.
                let answer = tokio::task::spawn_blocking(move || {
                    // A panic in an earlier call leaves at worst a half-made change in a toy.
                    local.lock().unwrap_or_else(PoisonError::into_inner).handle(now(), &request)
                });
                let answer = answer.await.map_err(|error| Refusal::AnswerBroken(error.to_string()))?;
                Ok(from_sandbox(answer))
            }
        }
    }
}

/// The clock, read here and nowhere below.
pub(crate) fn now() -> Instant {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Instant::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX / 2))
}

fn from_sandbox(answer: Answer) -> Response<Body> {
    let mut response = Response::new(full(Bytes::from(answer.body)));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut set = |name: HeaderName, value: Option<String>| {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(&value).ok()) {
            response.headers_mut().insert(name, value);
        }
    };
    set(header::CONTENT_TYPE, Some(answer.content_type).filter(|kind| !kind.is_empty()));
    set(header::RETRY_AFTER, answer.retry_after);
    response
}
