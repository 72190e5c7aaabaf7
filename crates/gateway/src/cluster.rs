//! A real cluster over HTTP: the addresses it was given, nothing else, ever.
//!
//! What always holds:
//! - Host and port come from the configuration; the path was written by [`druid::endpoint`]; no header of the browser travels on.
//! - No call is sent twice. A connection that could not be made has carried nothing, so the next address may be tried; a 307 of a
//!   standby is followed once, and only to a configured address. Nothing else is tried again: who sends owns that decision.
//! - Writes go over a connection of their own: on a pooled one that the server has just closed, nobody could say whether the
//!   task was taken.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use druid::endpoint::{Access, Answer, Endpoint, Request, Service};
use http::{HeaderValue, Method, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body as HttpBody, Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error as ClientError};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;

use crate::body::{Body, Metered, full};
use crate::config::{Address, ClusterConfig, Limits};
use crate::error::Refusal;
use crate::probe::Role;

type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// The cluster.
pub struct Cluster {
    servers: Vec<Server>,
    credentials: Option<HeaderValue>,
    limits: Limits,
    reads: HttpClient,
    writes: HttpClient,
    /// Which server answered last, by service: the leader, as long as it leads.
    leaders: [AtomicUsize; 3],
}

struct Server {
    address: Address,
    role: Role,
}

impl Cluster {
    /// Whether calls carry a login.
    pub(crate) fn has_credentials(&self) -> bool {
        self.credentials.is_some()
    }

    /// A cluster at these addresses, whose roles are not known yet.
    pub(crate) fn new(config: ClusterConfig, limits: Limits) -> Cluster {
        let servers =
            config.addresses.into_iter().map(|address| Server { address, role: Role::default() }).collect();
        Cluster {
            servers,
            credentials: config.credentials,
            reads: client(&limits, 8),
            writes: client(&limits, 0),
            leaders: Default::default(),
            limits,
        }
    }

    pub(crate) fn addresses(&self) -> impl Iterator<Item = &Address> {
        self.servers.iter().map(|server| &server.address)
    }

    pub(crate) fn set_role(&mut self, at: usize, role: Role) {
        if let Some(server) = self.servers.get_mut(at) {
            server.role = role;
        }
    }

    /// Its addresses in a row.
    pub fn label(&self) -> String {
        self.addresses().map(Address::to_string).collect::<Vec<_>>().join(", ")
    }

    pub(crate) async fn send(
        &self,
        endpoint: &Endpoint,
        request: Request,
    ) -> Result<Response<Body>, Refusal> {
        let service = endpoint.call().service;
        let mut unreachable = None;
        for at in self.candidates(service)? {
            match self.send_to(at, endpoint, &request, true).await {
                Err(refusal @ Refusal::Unreachable(_)) => unreachable = Some(refusal),
                Err(refusal) => return Err(refusal),
                Ok(response) => return Ok(response),
            }
        }
        Err(unreachable.unwrap_or(Refusal::NoService(service_name(service))))
    }

    /// Servers that can answer for a service, the last known leader first.
    fn candidates(&self, service: Service) -> Result<Vec<usize>, Refusal> {
        let mut able: Vec<usize> = (0..self.servers.len())
            .filter(|at| self.servers.get(*at).is_some_and(|it| it.role.serves(service)))
            .collect();
        if able.is_empty() {
            return Err(Refusal::NoService(service_name(service)));
        }
        let leader = self.leader(service).load(Ordering::Relaxed);
        if let Some(place) = able.iter().position(|at| *at == leader) {
            able.rotate_left(place);
        }
        Ok(able)
    }

    fn leader(&self, service: Service) -> &AtomicUsize {
        let [overlord, coordinator, rest] = &self.leaders;
        match service {
            Service::Overlord => overlord,
            Service::Coordinator => coordinator,
            Service::Broker | Service::Any => rest,
        }
    }

    /// One request to one server. `may_follow`: whether a 307 may still be followed.
    async fn send_to(
        &self,
        at: usize,
        endpoint: &Endpoint,
        request: &Request,
        may_follow: bool,
    ) -> Result<Response<Body>, Refusal> {
        let call = endpoint.call();
        let server = self.servers.get(at).ok_or(Refusal::NoService(service_name(call.service)))?;
        // Behind a Router the Overlord's own status needs the proxy prefix; asked directly, it is at `/status`.
        let target = match endpoint {
            Endpoint::OverlordStatus if !server.role.is_router() => Endpoint::Status.request().target(),
            _ => request.target(),
        };
        let message = self.message(&server.address, request, &target)?;
        let client = if call.access == Access::Writes { &self.writes } else { &self.reads };
        let patience = self.patience(call.answer);
        let response = match timeout(patience, client.request(message)).await {
            Err(_) => return Err(Refusal::TimedOut(format!("{} s", patience.as_secs_f32()))),
            Ok(Err(error)) => return Err(failure(&server.address, &error)),
            Ok(Ok(response)) => response,
        };
        if response.status().is_redirection() {
            let to = self.redirect(&response)?;
            if !may_follow {
                return Err(Refusal::NoLeader);
            }
            let followed = Box::pin(self.send_to(to, endpoint, request, false)).await?;
            return Ok(followed);
        }
        self.leader(call.service).store(at, Ordering::Relaxed);
        self.pass_on(response, call.answer_cap).await
    }

    /// The request as it goes out: four headers at most, all ours.
    fn message(
        &self,
        address: &Address,
        request: &Request,
        target: &str,
    ) -> Result<http::Request<Full<Bytes>>, Refusal> {
        let broken = |error: http::Error| Refusal::Unreachable(format!("{address}: {error}"));
        let body = Bytes::from(request.body.clone().unwrap_or_default().into_bytes());
        let mut message = http::Request::builder()
            .method(match request.method {
                druid::endpoint::Method::Get => Method::GET,
                druid::endpoint::Method::Post => Method::POST,
            })
            .uri(address.uri(target).map_err(broken)?)
            // 33.0.0 answers some calls well only when JSON is asked for by name; error pages become JSON too.
            .header(header::ACCEPT, "application/json, */*;q=0.5")
            .header(header::ACCEPT_ENCODING, "identity");
        if request.body.is_some() {
            message = message.header(header::CONTENT_TYPE, "application/json");
        }
        if let Some(credentials) = &self.credentials {
            message = message.header(header::AUTHORIZATION, credentials.clone());
        }
        message.body(Full::new(body)).map_err(broken)
    }

    fn patience(&self, answer: Answer) -> Duration {
        match answer {
            Answer::Segments | Answer::UnusedSegments | Answer::SqlLines => self.limits.segments_time,
            _ => self.limits.answer_time,
        }
    }

    /// Where a redirect leads, if it is a standby's 307 to a server that we know. Only the server is taken from it: the path
    /// stays the one that we wrote.
    fn redirect(&self, response: &Response<Incoming>) -> Result<usize, Refusal> {
        let location = response
            .headers()
            .get(header::LOCATION)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let refused = || Refusal::RedirectRefused(location.escape_debug().to_string());
        if response.status() != StatusCode::TEMPORARY_REDIRECT {
            return Err(refused());
        }
        let url: Uri = location.parse().map_err(|_| refused())?;
        self.servers.iter().position(|server| server.address.is_origin_of(&url)).ok_or_else(refused)
    }

    /// The answer as the browser gets it: its first part read here, so that a short one is whole or an error.
    async fn pass_on(&self, response: Response<Incoming>, cap: u64) -> Result<Response<Body>, Refusal> {
        let (head, mut incoming) = response.into_parts();
        if head.headers.contains_key(header::CONTENT_ENCODING) {
            return Err(Refusal::AnswerBroken("it is compressed although it was asked not to be".to_owned()));
        }
        if incoming.size_hint().lower() > cap {
            return Err(Refusal::AnswerTooLong(cap));
        }
        // A body that ends where the connection ends does not say whether it is whole.
        let ends_with_connection =
            incoming.size_hint().exact().is_none() && !head.headers.contains_key(header::TRANSFER_ENCODING);
        let mut ahead = BytesMut::new();
        let is_whole = loop {
            if ahead.len() as u64 > cap {
                return Err(Refusal::AnswerTooLong(cap));
            }
            if ahead.len() as u64 >= self.limits.read_ahead {
                break false;
            }
            match timeout(self.limits.idle_time, incoming.frame()).await {
                Err(_) => {
                    return Err(Refusal::TimedOut("it fell silent in the middle of its answer".to_owned()));
                }
                Ok(None) => break true,
                Ok(Some(Err(error))) => return Err(Refusal::AnswerBroken(chain(&error))),
                Ok(Some(Ok(frame))) => {
                    if let Ok(bytes) = frame.into_data() {
                        ahead.extend_from_slice(&bytes);
                    }
                }
            }
        };
        let ahead = ahead.freeze();
        if is_whole && ends_with_connection && is_cut(&head.headers, &ahead) {
            return Err(Refusal::AnswerBroken("its JSON stops in the middle".to_owned()));
        }
        let body = if is_whole {
            full(ahead)
        } else {
            let left = cap.saturating_sub(ahead.len() as u64);
            Metered::new(incoming, ahead, left, self.limits.idle_time).boxed()
        };
        let mut passed = Response::new(body);
        *passed.status_mut() = head.status;
        for name in [header::CONTENT_TYPE, header::RETRY_AFTER] {
            if let Some(value) = head.headers.get(&name) {
                passed.headers_mut().insert(name, value.clone());
            }
        }
        Ok(passed)
    }
}

fn client(limits: &Limits, idle_per_host: usize) -> HttpClient {
    let mut http = HttpConnector::new();
    http.set_connect_timeout(Some(limits.connect_time));
    http.set_nodelay(true);
    http.enforce_http(false);
    let connector =
        HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().wrap_connector(http);
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_max_idle_per_host(idle_per_host)
        .pool_idle_timeout(Duration::from_secs(20))
        // Only ever for a request of which not one byte has left, on a pooled connection, so never for a write.
        .retry_canceled_requests(idle_per_host > 0)
        .build(connector)
}

fn failure(address: &Address, error: &ClientError) -> Refusal {
    if error.is_connect() {
        Refusal::Unreachable(format!("{address}: {}", chain(error)))
    } else {
        Refusal::AnswerBroken(chain(error))
    }
}

/// An error with what caused it, without saying anything twice.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        next = cause.source();
    }
    text
}

/// Whether this says it is JSON and ends before its JSON does.
fn is_cut(headers: &http::HeaderMap, body: &[u8]) -> bool {
    let is_json = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().to_ascii_lowercase().starts_with(b"application/json"));
    is_json
        && !body.is_empty()
        && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_err_and(|error| error.is_eof())
}

fn service_name(service: Service) -> &'static str {
    match service {
        Service::Overlord => "Overlord",
        Service::Coordinator => "Coordinator",
        Service::Broker => "Broker",
        Service::Any => "Druid",
    }
}
