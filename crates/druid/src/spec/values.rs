//! Reading single values the way Druid's object mapper does, with a word about each that it cannot read.
//!
//! Numbers may stand in quotes, truth values too; a number where a text belongs is taken as its text; an
//! absent value, `null` and (for numbers and truth values) the empty text are the same.

use std::borrow::Cow;

use crate::granularity::Granularity;
use crate::interval::{Instant, Interval};
use crate::json::{Document, Kind, Node, Path, Severity, Span, Step};
use crate::zone::{Lookup, Zones};

use super::task::{Fix, Problem};

/// A place in a document, whether or not anything stands there.
#[derive(Clone, Debug)]
pub(super) struct At<'d> {
    pub(super) node: Option<Node<'d>>,
    pub(super) path: Path,
}

impl<'d> At<'d> {
    pub(super) fn root(document: &'d Document) -> At<'d> {
        At { node: document.root(), path: Path::root() }
    }

    /// One step down; `null` counts as nothing, and so does what is no JSON (the document says so itself).
    pub(super) fn get(&self, key: &str) -> At<'d> {
        let node = self.node.and_then(|node| node.get(key));
        let node = node.filter(|node| !matches!(node.kind(), Kind::Null | Kind::Broken));
        At { node, path: self.path.join(key) }
    }

    pub(super) fn down(&self, keys: &[&str]) -> At<'d> {
        keys.iter().fold(self.clone(), |at, key| at.get(key))
    }

    /// The elements of an array; nothing for anything else.
    pub(super) fn items(&self) -> Vec<At<'d>> {
        let items = self.node.into_iter().flat_map(Node::items).enumerate();
        items.map(|(index, node)| At { node: Some(node), path: self.path.join(Step::Index(index)) }).collect()
    }

    pub(super) fn is_there(&self) -> bool {
        self.node.is_some()
    }

    pub(super) fn is(&self, kind: Kind) -> bool {
        self.node.is_some_and(|node| node.kind() == kind)
    }

    /// A text without a word about anything else.
    pub(super) fn peek_text(&self) -> Option<Cow<'d, str>> {
        self.node.and_then(Node::as_str)
    }
}

/// Where in the text something belongs that is not there: the key of the innermost object on its way, or the bracket that
/// opens it.
fn place(document: &Document, path: &Path) -> Span {
    let Some(mut node) = document.root() else { return Span::default() };
    for step in &path.0 {
        match node.step(step) {
            Some(child) => node = child,
            None => break,
        }
    }
    let start = node.span().start;
    let bracket = node.text().chars().next().map_or(0, char::len_utf8);
    node.key_span().unwrap_or(Span { start, end: start + bracket })
}

/// What an `Option<At>`'s node is called in a message.
fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "an object { … }",
        Kind::Array => "a list [ … ]",
        Kind::String => "a text",
        Kind::Number => "a number",
        Kind::Bool => "true or false",
        Kind::Null => "null",
        Kind::Broken => "not JSON",
    }
}

/// Reads values and keeps what was wrong with them.
pub(super) struct Reader<'z> {
    pub(super) document: &'z Document,
    pub(super) zones: &'z dyn Zones,
    pub(super) problems: Vec<Problem>,
}

impl Reader<'_> {
    pub(super) fn say(
        &mut self,
        code: &'static str,
        at: &At<'_>,
        severity: Severity,
        message: impl Into<String>,
    ) -> &mut Problem {
        let span = at.node.map_or_else(|| place(self.document, &at.path), Node::span);
        let (path, message) = (at.path.clone(), message.into());
        self.problems.push_mut(Problem { code, path, span, severity, message, remedy: None, fix: None })
    }

    fn wrong_kind(&mut self, at: &At<'_>, wanted: &str) {
        let Some(node) = at.node else { return };
        if node.kind() == Kind::Broken {
            return; // the document's own diagnostics say it better
        }
        let here = called(node.kind());
        let name = at.path.last_key().map(str::to_owned).unwrap_or_else(|| at.path.to_string());
        self.say("wrong-kind", at, Severity::Error, format!("{name} is {here}, but must be {wanted}"));
    }

    pub(super) fn text(&mut self, at: &At<'_>) -> Option<String> {
        let node = at.node?;
        match node.kind() {
            Kind::String => node.as_str().map(Cow::into_owned),
            Kind::Number | Kind::Bool => Some(node.text().to_owned()),
            _ => {
                self.wrong_kind(at, "a text");
                None
            }
        }
    }

    pub(super) fn flag(&mut self, at: &At<'_>) -> Option<bool> {
        let node = at.node?;
        match node.kind() {
            Kind::Bool => node.as_bool(),
            // Jackson: whole numbers, 0 is false.
            Kind::Number if node.as_i64().is_some() => node.as_i64().map(|number| number != 0),
            Kind::String => match node.as_str().as_deref().map(str::trim) {
                Some("true" | "True" | "TRUE") => Some(true),
                Some("false" | "False" | "FALSE") => Some(false),
                Some("") => None,
                _ => {
                    self.wrong_kind(at, "true or false");
                    None
                }
            },
            _ => {
                self.wrong_kind(at, "true or false");
                None
            }
        }
    }

    /// A whole number; a fraction is cut off, as Jackson does.
    pub(super) fn whole(&mut self, at: &At<'_>) -> Option<i64> {
        let node = at.node?;
        let text = match node.kind() {
            Kind::Number => Cow::Borrowed(node.text()),
            Kind::String => node.as_str()?,
            _ => {
                self.wrong_kind(at, "a whole number");
                return None;
            }
        };
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let whole = text.parse::<i64>().ok();
        let whole = whole.or_else(|| {
            let number = text.parse::<f64>().ok().filter(|n| n.abs() < 9.2e18)?;
            (node.kind() == Kind::Number).then_some(number as i64)
        });
        if whole.is_none() {
            self.wrong_kind(at, "a whole number");
        }
        whole
    }

    /// A whole number that is not negative; -1 and other negative ones count as not given.
    pub(super) fn count(&mut self, at: &At<'_>) -> Option<u64> {
        self.whole(at).and_then(|number| u64::try_from(number).ok())
    }

    /// A list of texts. One text outside a list is refused by Druid, but its meaning is clear.
    pub(super) fn texts(&mut self, at: &At<'_>) -> Vec<String> {
        match at.node.map(Node::kind) {
            None => Vec::new(),
            Some(Kind::Array) => at.items().iter().filter_map(|item| self.text(item)).collect(),
            Some(kind) => {
                self.wrong_kind(at, "a list [ … ]");
                if let Some(node) = at.node.filter(|_| kind == Kind::String)
                    && let Some(problem) = self.problems.last_mut()
                {
                    problem.fix = Some(Fix::set("Make it a list", &at.path, format!("[{}]", node.text())));
                }
                at.node.and_then(Node::as_str).map(Cow::into_owned).into_iter().collect()
            }
        }
    }

    pub(super) fn interval(&mut self, at: &At<'_>) -> Option<Interval> {
        let text = self.text(at)?;
        match Interval::parse(&text) {
            Ok(interval) => Some(interval),
            Err(error) => {
                let (code, message) = match crate::json::placeholder_in(&text) {
                    Some(name) => ("placeholder", format!("the interval is still a placeholder: {name}")),
                    None => ("interval", format!("this is no interval: {error}")),
                };
                let problem = self.say(code, at, Severity::Error, message);
                problem.remedy =
                    Some("write start/end in ISO 8601: 2026-07-16T00:00:00Z/2026-07-17T00:00:00Z".to_owned());
                None
            }
        }
    }

    pub(super) fn instant(&mut self, at: &At<'_>) -> Option<Instant> {
        let text = self.text(at)?;
        match Instant::parse(&text) {
            Ok(instant) => Some(instant),
            Err(error) => {
                self.say("instant", at, Severity::Error, format!("this is no time: {error}"));
                None
            }
        }
    }

    pub(super) fn granularity(&mut self, at: &At<'_>) -> Option<Granularity> {
        let node = at.node?;
        match Granularity::from_json(&node.value(), self.zones) {
            Ok(granularity) => Some(granularity),
            Err(message) => {
                let zone = at.get("timeZone").peek_text();
                let waits = zone.is_some_and(|name| self.zones.lookup(&name) == Lookup::NotLoaded);
                if waits {
                    self.say("zone-not-loaded", at, Severity::Note, message);
                } else {
                    self.say("granularity", at, Severity::Error, message);
                }
                None
            }
        }
    }
}

impl Fix {
    /// One value put at one place.
    pub(super) fn set(label: impl Into<String>, path: &Path, json: impl Into<String>) -> Fix {
        Fix { label: label.into(), edits: vec![crate::json::Edit::Set(path.clone(), json.into())] }
    }
}
