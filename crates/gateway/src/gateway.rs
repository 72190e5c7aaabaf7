//! One request from its first check to its answer. The order of the checks is the order of this file.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use druid::endpoint::{self, Access, Endpoint, Named, Request};
use http::request::Parts;
use http::{HeaderMap, Method, Response, header};
use http_body_util::{BodyExt, Limited};
use hyper::body::Body as HttpBody;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::body::Body;
use crate::config::{Config, Limits};
use crate::console::Console;
use crate::error::Refusal;
use crate::guard::{self, Guard, Site};
use crate::own::{self, Own};
use crate::upstream::Upstream;

/// A gateway: what it serves, whom it asks, whom it lets ask.
pub struct Gateway {
    pub(crate) upstream: Arc<Upstream>,
    pub(crate) limits: Limits,
    pub(crate) read_only: bool,
    guard: Guard,
    console: Console,
    calls: Semaphore,
}

/// What a path is, before its method is looked at.
enum Place {
    Druid,
    Foreshadow,
    Console,
}

impl Gateway {
    /// A gateway that will listen on `port`.
    pub fn new(config: Config, upstream: Upstream, port: u16) -> Gateway {
        Gateway {
            upstream: Arc::new(upstream),
            guard: Guard::new(port, &config.hosts, &config.origins),
            console: config.console.map_or(Console::Embedded, Console::Folder),
            calls: Semaphore::new(config.limits.calls),
            read_only: config.read_only,
            limits: config.limits,
        }
    }

    /// Answers a request. Never fails: what goes wrong is an answer too.
    pub async fn answer<B>(&self, request: http::Request<B>, peer: SocketAddr) -> Response<Body>
    where
        B: HttpBody<Data = Bytes>,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (head, body) = request.into_parts();
        let site = self.guard.site(&head.headers);
        let is_page = matches!(place(head.uri.path()), Place::Console);
        let mut response = match self.route(&head, body, &site, peer).await {
            Ok(response) => response,
            Err(refusal) => refusal.response(),
        };
        guard::seal(&mut response, &site, is_page);
        response
    }

    async fn route<B>(
        &self,
        head: &Parts,
        body: B,
        site: &Site,
        peer: SocketAddr,
    ) -> Result<Response<Body>, Refusal>
    where
        B: HttpBody<Data = Bytes>,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        self.guard.check_target(head)?;
        let path = head.uri.path();
        if matches!(place(path), Place::Console) {
            // A link from anywhere may lead to the console; what it then calls is checked below.
            return match head.method {
                Method::GET | Method::HEAD => self.console.file(path, &head.headers),
                _ => Err(Refusal::WrongMethod(vec!["GET", "HEAD"])),
            };
        }
        if head.method == Method::OPTIONS {
            return guard::preflight(site);
        }
        if *site == Site::Foreign {
            return Err(Refusal::CrossSite);
        }
        if is_ambiguous(path) {
            return Err(Refusal::BadPath);
        }
        match place(path) {
            Place::Foreshadow => self.foreshadow(head).await,
            Place::Druid | Place::Console => self.druid(head, body, peer).await,
        }
    }

    /// The gateway's own calls. All read.
    async fn foreshadow(&self, head: &Parts) -> Result<Response<Body>, Refusal> {
        let own = Own::parse(head.uri.path(), head.uri.query().unwrap_or_default())?;
        if head.method != Method::GET {
            return Err(Refusal::WrongMethod(vec!["GET"]));
        }
        let _permit = match own {
            Own::Health => None,
            _ => Some(self.calls.try_acquire().map_err(|_| Refusal::Busy)?),
        };
        own::answer(self, own).await
    }

    async fn druid<B>(&self, head: &Parts, body: B, peer: SocketAddr) -> Result<Response<Body>, Refusal>
    where
        B: HttpBody<Data = Bytes>,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let path = head.uri.path();
        let method = endpoint::Method::parse(head.method.as_str());
        let query = head.uri.query().unwrap_or_default();
        let Some(endpoint) = method.and_then(|method| Endpoint::parse(method, path, query)) else {
            let methods = Endpoint::other_methods(path);
            return Err(match method {
                Some(method) if methods.contains(&method) => {
                    Refusal::BadQuery("a key or value of it is not known".to_owned())
                }
                _ if methods.is_empty() => Refusal::NotListed,
                _ => Refusal::WrongMethod(methods.iter().map(|method| method.as_str()).collect()),
            });
        };
        let call = endpoint.call();
        if call.method == endpoint::Method::Post {
            Guard::check_post(&head.headers)?;
        }
        if self.read_only && call.access == Access::Writes {
            return Err(Refusal::ReadOnly);
        }
        let permit = self.calls.try_acquire().map_err(|_| Refusal::Busy)?;
        let text = self.read_body(&head.headers, body, call.body_cap).await?;
        let request = match (call.body, text) {
            (endpoint::Body::Nothing, _) => endpoint.request(),
            (endpoint::Body::Json, text) => {
                Guard::check_json(&head.headers)?;
                endpoint.request_with(text)
            }
            (endpoint::Body::NamedSql, text) => {
                Guard::check_json(&head.headers)?;
                Request::sql(&Named::parse(text.as_bytes()).ok_or(Refusal::NotListed)?)
            }
        };
        let result = if call.access == Access::Writes {
            let origin =
                head.headers.get(header::ORIGIN).map(|value| value.as_bytes().escape_ascii().to_string());
            // On its own, so that it runs to its end and is logged also when the browser has gone meanwhile.
            tokio::spawn(write(self.upstream.clone(), endpoint, request, origin, peer))
                .await
                .unwrap_or_else(|error| Err(Refusal::AnswerBroken(error.to_string())))
        } else {
            self.upstream.send(&endpoint, request).await
        };
        // Held until the answer's head is there; a long answer streams on its own connection.
        drop(permit);
        result
    }

    /// The body whole, as text. One byte over the cap is refused, before it is read where its length is told.
    async fn read_body<B>(&self, headers: &HeaderMap, body: B, cap: u64) -> Result<String, Refusal>
    where
        B: HttpBody<Data = Bytes>,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let told =
            headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if told.is_some_and(|told| told > cap) {
            return Err(Refusal::BodyTooLarge(cap));
        }
        let limited = Limited::new(body, usize::try_from(cap).unwrap_or(usize::MAX));
        let bytes = match timeout(self.limits.body_time, limited.collect()).await {
            Err(_) => return Err(Refusal::BodyTooSlow),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                return Err(Refusal::BodyTooLarge(cap));
            }
            Ok(Err(_)) => return Err(Refusal::BodyTooSlow),
            Ok(Ok(whole)) => whole.to_bytes(),
        };
        String::from_utf8(bytes.into()).map_err(|_| Refusal::NotText)
    }
}

/// Sends a write and leaves a line in the log: who, what, how it came out. Never the body, never credentials.
async fn write(
    upstream: Arc<Upstream>,
    endpoint: Endpoint,
    request: Request,
    origin: Option<String>,
    peer: SocketAddr,
) -> Result<Response<Body>, Refusal> {
    let target = request.target();
    let bytes = request.body.as_ref().map_or(0, String::len);
    let started = std::time::Instant::now();
    let result = upstream.send(&endpoint, request).await;
    let outcome = match &result {
        Ok(response) => response.status().as_u16().to_string(),
        Err(refusal) => refusal.code().to_owned(),
    };
    tracing::info!(
        target: "foreshadow::write",
        call = endpoint.call().name,
        %target,
        bytes,
        outcome,
        ms = started.elapsed().as_millis() as u64,
        %peer,
        origin = origin.as_deref().unwrap_or("-"),
        "write"
    );
    result
}

/// Druid's paths and ours have fixed beginnings; everything else is the console's.
fn place(path: &str) -> Place {
    let first = path.split('/').nth(1).unwrap_or_default();
    match first {
        "foreshadow" => Place::Foreshadow,
        "druid" | "proxy" | "status" => Place::Druid,
        _ => Place::Console,
    }
}

/// A path that some server reads otherwise than another: escaped separators and dots, parameters, empty and dot segments, control
/// characters, an escape within an escape that would bring one of them out. Told as 400, so that whoever sent it learns why.
fn is_ambiguous(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let escaped = [
        "%2e", "%2f", "%5c", "%3b", "%00", "%0a", "%0d", "%252e", "%252f", "%255c", "%253b", "%2500", "%2525",
    ];
    escaped.iter().any(|escape| lower.contains(escape))
        || path.contains(['\\', ';'])
        || path.split('/').skip(1).any(|segment| matches!(segment, "" | "." | ".."))
}
