//! Addresses: which page, and the state of that page, as a hash.
//!
//! `#/plan?ds=events_web&view=after&from=2026-07-13T00:00:00Z&to=2026-07-21T00:00:00Z`. Every address has one
//! reading and every reading one address; what cannot be read falls back to the Plan page with what could be read.

use leptos::prelude::*;

/// A page and its state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Which page.
    pub page: Page,
    /// The page's own state, in the order in which it is written.
    pub query: Vec<(String, String)>,
}

/// The pages that exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// Compose a backfill and see what it does.
    #[default]
    Plan,
    /// What was sent, and what became of it.
    Runs,
    /// Every component in every state.
    Kit,
}

impl Page {
    /// The name in the address.
    pub const fn slug(self) -> &'static str {
        match self {
            Page::Plan => "plan",
            Page::Runs => "runs",
            Page::Kit => "kit",
        }
    }
}

impl Route {
    /// A page without state.
    pub const fn of(page: Page) -> Self {
        Route { page, query: Vec::new() }
    }

    /// Reads a hash, with or without its `#`.
    pub fn parse(hash: &str) -> Self {
        let hash = hash.strip_prefix('#').unwrap_or(hash);
        let hash = hash.strip_prefix('/').unwrap_or(hash);
        let (path, query) = hash.split_once('?').unwrap_or((hash, ""));
        let page = match path {
            "runs" => Page::Runs,
            "kit" => Page::Kit,
            _ => Page::Plan,
        };
        let query = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                (unescape(key), unescape(value))
            })
            .collect();
        Route { page, query }
    }

    /// The address, with its `#`.
    pub fn hash(&self) -> String {
        let mut text = format!("#/{}", self.page.slug());
        for (at, (key, value)) in self.query.iter().enumerate() {
            text.push(if at == 0 { '?' } else { '&' });
            escape(key, &mut text);
            text.push('=');
            escape(value, &mut text);
        }
        text
    }

    /// One value of the page's state.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.query.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The same address with one value changed, or taken out.
    pub fn with(mut self, key: &str, value: Option<String>) -> Self {
        let at = self.query.iter().position(|(name, _)| name == key);
        match (at, value) {
            (Some(at), Some(value)) => {
                if let Some(pair) = self.query.get_mut(at) {
                    pair.1 = value;
                }
            }
            (Some(at), None) => {
                self.query.remove(at);
            }
            (None, Some(value)) => self.query.push((key.to_owned(), value)),
            (None, None) => {}
        }
        self
    }
}

fn escape(text: &str, into: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b':' | b'/' | b',' => {
                into.push(char::from(byte));
            }
            _ => {
                into.push('%');
                for nibble in [byte >> 4, byte & 15] {
                    into.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0').to_ascii_uppercase());
                }
            }
        }
    }
}

fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let coded = match (first, tail) {
            (b'%', [high, low, ..]) => {
                char::from(*high).to_digit(16).zip(char::from(*low).to_digit(16)).map(|(h, l)| h * 16 + l)
            }
            _ => None,
        };
        match coded.and_then(|value| u8::try_from(value).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(if first == b'+' { b' ' } else { first });
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The address bar as a signal: follows back, forward and links, and is written by the pages.
#[derive(Clone, Copy)]
pub struct Address {
    route: RwSignal<Route>,
}

impl Address {
    /// Starts to follow the window's address, for as long as the page lives.
    pub fn follow() -> Self {
        let read = || Route::parse(&window().location().hash().unwrap_or_default());
        let route = RwSignal::new(read());
        let listener = window_event_listener_untyped("hashchange", move |_| {
            let now = read();
            if route.with_untracked(|known| *known != now) {
                route.set(now);
            }
        });
        on_cleanup(move || listener.remove());
        Address { route }
    }

    /// The current address.
    pub fn get(self) -> Route {
        self.route.get()
    }

    /// The current address, without following it.
    pub fn get_untracked(self) -> Route {
        self.route.get_untracked()
    }

    /// The current page.
    pub fn page(self) -> Memo<Page> {
        Memo::new(move |_| self.route.with(|route| route.page))
    }

    /// Writes state into the address without a new entry in the history (used while dragging and typing).
    pub fn replace(self, route: Route) {
        if self.route.with_untracked(|known| *known == route) {
            return;
        }
        let written = window().history().and_then(|history| {
            history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&route.hash()))
        });
        if written.is_ok() {
            self.route.set(route);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_address_written_and_read_again_is_the_same() {
        for ds in ["events_web", "ünï ?#%", "a/b \"c\"", "=&+", ""] {
            let route = Route::of(Page::Plan)
                .with("ds", Some(ds.to_owned()))
                .with("from", Some("2026-07-16T00:00:00Z".to_owned()));
            assert_eq!(Route::parse(&route.hash()), route);
        }
    }

    #[test]
    fn an_unknown_page_falls_back_to_the_plan_and_keeps_its_state() {
        let route = Route::parse("#/nowhere?ds=x");
        assert_eq!((route.page, route.get("ds")), (Page::Plan, Some("x")));
    }

    #[test]
    fn a_broken_escape_is_read_as_it_stands() {
        assert_eq!(Route::parse("#/plan?ds=50%25%zz%").get("ds"), Some("50%%zz%"));
    }
}
