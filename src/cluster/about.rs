//! Which cluster this is, and whether it answers: asked at the start and every half minute while the page is seen.

use super::send::{NoAnswer, whole};
use druid::{
    answer::{self, AnswerError, Response},
    interval::Instant,
    json::{Document, Node},
    release::Release,
};
use gloo_net::http::Request as Fetch;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use std::borrow::Cow;

/// What the gateway says of itself and its cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Whether it is the built-in cluster.
    pub sandbox: bool,
    /// How the cluster is called: "built-in cluster", or the host it was started with.
    pub cluster: String,
    /// Druid's version as the cluster says it.
    pub druid: String,
    /// Foreshadow's version.
    pub product: String,
    /// Whether the gateway refuses to change anything.
    pub read_only: bool,
    /// The server's clock, UTC.
    pub now: String,
}

impl About {
    /// Reads the gateway's answer; none where it is not one.
    fn read(body: &[u8]) -> Option<About> {
        let document = Document::parse(std::str::from_utf8(body).ok()?);
        let root = document.root()?;
        let text = |key| root.get(key).and_then(Node::as_str).map(Cow::into_owned);
        let flag = |key| root.get(key).and_then(Node::as_bool);
        Some(About {
            sandbox: flag("sandbox")?,
            cluster: text("cluster")?,
            druid: text("druid")?,
            product: text("product").unwrap_or_default(),
            read_only: flag("read_only").unwrap_or_default(),
            now: text("now")?,
        })
    }

    /// The release whose rules hold; none where the text names none.
    pub fn release(&self) -> Option<Release> {
        Release::parse(&self.druid)
    }
}

/// The connection as the page sees it.
#[derive(Clone, Copy)]
pub struct Connection {
    /// The last good answer.
    pub about: RwSignal<Option<About>>,
    /// Why the last question was not answered.
    pub trouble: RwSignal<Option<String>>,
    /// Server's clock minus the browser's, ms.
    skew_ms: RwSignal<i64>,
    /// The server's clock, ms, moved on once a second for display.
    pub clock: RwSignal<Option<Instant>>,
}

/// The browser's clock, ms since 1970 UTC.
pub fn browser_now() -> i64 {
    js_sys::Date::now() as i64
}

impl Connection {
    /// Asks now, and again every 30 s (every 5 s while there is trouble).
    pub fn open() -> Self {
        let connection = Connection {
            about: RwSignal::new(None),
            trouble: RwSignal::new(None),
            skew_ms: RwSignal::new(0),
            clock: RwSignal::new(None),
        };
        leptos::task::spawn_local(async move {
            loop {
                connection.ask().await;
                let pause = if connection.trouble.with_untracked(Option::is_some) { 5_000 } else { 30_000 };
                TimeoutFuture::new(pause).await;
            }
        });
        leptos::task::spawn_local(async move {
            loop {
                TimeoutFuture::new(1_000).await;
                if connection.about.with_untracked(Option::is_some) {
                    connection.clock.set(Some(connection.server_now()));
                }
            }
        });
        connection
    }

    /// The server's clock now, by its last answer and the browser's clock since.
    pub fn server_now(self) -> Instant {
        Instant::from_ms(browser_now() + self.skew_ms.get_untracked())
    }

    async fn ask(self) {
        match whole(Fetch::get("/foreshadow/about"), None, 10_000).await {
            Ok(answer) if answer.status == 200 => match About::read(&answer.body) {
                Some(about) => {
                    if let Ok(now) = Instant::parse(&about.now) {
                        self.skew_ms.set(now.ms() - browser_now());
                        self.clock.set(Some(now));
                    }
                    self.trouble.set(None);
                    let unchanged = self.about.with_untracked(|known| {
                        known
                            .as_ref()
                            .is_some_and(|known| About { now: about.now.clone(), ..known.clone() } == about)
                    });
                    if !unchanged {
                        self.about.set(Some(about));
                    }
                }
                None => self
                    .trouble
                    .set(Some("What answers at this address is not Foreshadow's gateway.".to_owned())),
            },
            Ok(answer) => self.trouble.set(Some(told(&answer))),
            Err(NoAnswer::TimedOut(_)) => self.trouble.set(Some("The gateway does not answer.".to_owned())),
            Err(error) => self.trouble.set(Some(error.to_string())),
        }
    }
}

/// An answer that was not wanted, in one line: the gateway's own message, or what the cluster says and what to do.
pub(super) fn told(answer: &Response) -> String {
    match answer::unwanted(answer) {
        AnswerError::Refused(refusal) if refusal.status == 401 => format!(
            "The cluster does not accept this server's login (401): {}. It is given to `foreshadow serve` by \
             --credentials-file.",
            refusal.text
        ),
        AnswerError::Refused(refusal) if refusal.status == 403 => {
            format!("This server's login may not do that at the cluster (403): {}", refusal.text)
        }
        other => other.to_string(),
    }
}
