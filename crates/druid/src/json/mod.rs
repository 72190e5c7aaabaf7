//! A JSON document that loses nothing: the source text and a tree of byte spans over it.
//!
//! Always holds:
//! - reading never fails: a broken text gives a tree of what could be understood and [`Diagnostic`]s that
//!   say in plain words what is wrong, and where;
//! - [`Document::text`] is byte for byte what came in: order, spaces, line ends, a byte order mark, number
//!   spellings, unknown and repeated keys;
//! - an edit is a [`Splice`] of that text, and its inverse restores the very same bytes;
//! - time and memory grow linearly with the text, whatever the text is.
//!
//! Of repeated keys the last one counts, as for Druid (Jackson). It does not check what the values mean:
//! that is [`crate::spec`].

mod diff;
mod edit;
mod parse;
mod path;
mod style;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

pub use diff::{Diff, Fate, Line, Piece};
pub use edit::{Edit, EditError, Splice, SpliceError};
pub use path::{Path, PathError, Step};

/// A stretch of the text, in bytes; `start <= end`, both on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

/// Whether a text can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth saying, nothing is wrong.
    Note,
    /// Accepted by Druid, but probably not meant.
    Warning,
    /// Refused by Druid, or read as something else.
    Error,
}

/// What kind of trouble a [`Diagnostic`] tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// The text is no JSON at this place.
    Syntax,
    /// A template was never filled in: `%%NAME%%`, `{{ name }}`, `${NAME}`.
    Placeholder,
    /// Something follows the document. Druid (Jackson) reads to its end and does not look at the rest.
    Trailing,
    /// A key stands twice in one object; Druid takes the last.
    DuplicateKey,
    /// Deeper than [`MAX_DEPTH`] or larger than 4 GiB.
    Limit,
}

/// Something wrong with the text itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of trouble.
    pub trouble: Trouble,
    /// Where, in bytes.
    pub span: Span,
    /// Where, for people: line, counted from 1.
    pub line: usize,
    /// Where, for people: character in the line, counted from 1.
    pub column: usize,
    /// What is wrong, in plain words.
    pub message: String,
}

impl Diagnostic {
    /// A repeated key is accepted by Druid; everything else is not.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.trouble {
            Trouble::DuplicateKey => Severity::Warning,
            Trouble::Syntax | Trouble::Placeholder | Trouble::Trailing | Trouble::Limit => Severity::Error,
        }
    }
}

/// Containers inside one another that are still read. Jackson stops at 1,000 (`StreamReadConstraints`);
/// no spec comes near, and readers of the values may recurse.
pub const MAX_DEPTH: usize = 128;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number, in the spelling of the source.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`
    Null,
    /// Text that stands where a value should be and is none.
    Broken,
}

/// One node: spans as u32 keep it at 28 bytes.
#[derive(Clone, Debug)]
struct Raw {
    kind: Kind,
    /// Something directly inside this container was not JSON: no edit may insert or remove here.
    flawed: bool,
    start: u32,
    end: u32,
    /// The key with its quotes; empty span when there is none.
    key_start: u32,
    key_end: u32,
    /// The node after this one's last descendant (nodes stand in document order).
    next: u32,
}

#[derive(Debug)]
struct Inner {
    text: Arc<str>,
    nodes: Vec<Raw>,
    diagnostics: Vec<Diagnostic>,
}

/// A JSON text and what stands where in it. Cloning costs a counter.
#[derive(Clone, Debug)]
pub struct Document(Arc<Inner>);

impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for Document {}

impl Document {
    /// Reads a text. Never fails: see [`Document::diagnostics`].
    #[must_use]
    pub fn parse(text: impl Into<Arc<str>>) -> Document {
        let text = text.into();
        let (nodes, diagnostics) = parse::parse(&text);
        Document(Arc::new(Inner { text, nodes, diagnostics }))
    }

    /// The text, byte for byte as it came in or was edited.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What is wrong with the text, in its order; the first fifty.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// What keeps Druid from reading the text at all: what follows a whole document does not.
    #[must_use]
    pub fn unreadable(&self) -> Option<&Diagnostic> {
        let errors = self.0.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
        errors.into_iter().find(|found| found.trouble != Trouble::Trailing)
    }

    /// Whether the text is JSON (repeated keys are).
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.0.diagnostics.iter().all(|found| found.severity() != Severity::Error)
    }

    /// The value the document is, if there is any.
    #[must_use]
    pub fn root(&self) -> Option<Node<'_>> {
        Node::at(&self.0, 0)
    }

    /// What stands at a path.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<Node<'_>> {
        path.0.iter().try_fold(self.root()?, |node, step| node.step(step))
    }

    /// Line and column of a byte, both counted from 1, columns in characters.
    #[must_use]
    pub fn position(&self, at: usize) -> (usize, usize) {
        parse::position(self.text(), at)
    }

    /// The path of the innermost value whose text or key covers the byte: what a cursor stands in. Paths lead to the last of
    /// repeated keys; inside an earlier one it is the path of the key.
    #[must_use]
    pub fn path_at(&self, at: usize) -> Option<Path> {
        let mut node = self.root().filter(|root| root.covers(at))?;
        let mut steps = Vec::new();
        while let Some((step, child)) = node.steps().find(|(_, child)| child.covers(at)) {
            let counts = node.step(&step).is_some_and(|found| found.at == child.at);
            steps.push(step);
            if !counts {
                break;
            }
            node = child;
        }
        Some(Path(steps))
    }
}

/// A value in a document.
#[derive(Clone, Copy, Debug)]
pub struct Node<'d> {
    inner: &'d Inner,
    at: u32,
    raw: &'d Raw,
}

impl<'d> Node<'d> {
    fn at(inner: &'d Inner, at: u32) -> Option<Node<'d>> {
        inner.nodes.get(at as usize).map(|raw| Node { inner, at, raw })
    }

    /// What this is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.raw.kind
    }

    /// The value's own text.
    #[must_use]
    pub fn text(self) -> &'d str {
        self.slice(self.raw.start, self.raw.end)
    }

    /// Where the value stands.
    #[must_use]
    pub fn span(self) -> Span {
        Span { start: self.raw.start as usize, end: self.raw.end as usize }
    }

    /// Where its key stands with its quotes, in an object.
    #[must_use]
    pub fn key_span(self) -> Option<Span> {
        (self.raw.key_start < self.raw.key_end)
            .then_some(Span { start: self.raw.key_start as usize, end: self.raw.key_end as usize })
    }

    /// Its decoded key, in an object.
    #[must_use]
    pub fn key(self) -> Option<Cow<'d, str>> {
        let quoted = self.slice(self.raw.key_start, self.raw.key_end);
        (!quoted.is_empty()).then(|| unquote(quoted))
    }

    fn slice(self, start: u32, end: u32) -> &'d str {
        self.inner.text.get(start as usize..end as usize).unwrap_or_default()
    }

    fn covers(self, at: usize) -> bool {
        let start = self.key_span().map_or(self.raw.start as usize, |key| key.start);
        (start..=self.raw.end as usize).contains(&at)
    }

    /// Start of the member (its key) or element.
    fn outer_start(self) -> usize {
        self.key_span().map_or(self.raw.start as usize, |key| key.start)
    }

    /// The values inside an object or array, in document order, repeated keys included.
    pub fn children(self) -> impl Iterator<Item = Node<'d>> + use<'d> {
        let end = self.raw.next;
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then(|| Node::at(self.inner, at)).flatten()?;
            at = child.raw.next;
            Some(child)
        })
    }

    /// The members of an object; nothing for anything else.
    pub fn members(self) -> impl Iterator<Item = (Cow<'d, str>, Node<'d>)> + use<'d> {
        let is_object = self.kind() == Kind::Object;
        self.children().filter(move |_| is_object).map(|child| (child.key().unwrap_or_default(), child))
    }

    /// The elements of an array; nothing for anything else.
    pub fn items(self) -> impl Iterator<Item = Node<'d>> + use<'d> {
        let is_array = self.kind() == Kind::Array;
        self.children().filter(move |_| is_array)
    }

    /// Children with the step that leads to each.
    fn steps(self) -> impl Iterator<Item = (Step, Node<'d>)> + use<'d> {
        let is_object = self.kind() == Kind::Object;
        self.children().enumerate().map(move |(at, child)| match is_object {
            true => (Step::Key(child.key().unwrap_or_default().into_owned()), child),
            false => (Step::Index(at), child),
        })
    }

    /// The member with this key; of repeated ones the last, as Druid reads it.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Node<'d>> {
        self.members().filter(|(name, _)| name == key).last().map(|(_, child)| child)
    }

    /// One step down.
    #[must_use]
    pub fn step(self, step: &Step) -> Option<Node<'d>> {
        match step {
            Step::Key(key) => self.get(key),
            Step::Index(index) => self.items().nth(*index),
        }
    }

    /// `null`, as good as absent for Druid.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The decoded text of a string. A lone surrogate becomes U+FFFD.
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        (self.kind() == Kind::String).then(|| unquote(self.text()))
    }

    /// `true` or `false`.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.text() == "true")
    }

    /// A number in the spelling of the source.
    #[must_use]
    pub fn number_text(self) -> Option<&'d str> {
        (self.kind() == Kind::Number).then(|| self.text())
    }

    /// A number without fraction or exponent that fits 64 bits.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.number_text()?.parse().ok()
    }

    /// The value for readers that want one. Broken parts are `null`, numbers beyond 64 bits are rounded, of
    /// repeated keys the last counts: never write this back into a spec.
    #[must_use]
    pub fn value(self) -> serde_json::Value {
        use serde_json::Value;
        match self.kind() {
            // As deep as the tree, which is at most MAX_DEPTH.
            Kind::Object => {
                Value::Object(self.members().map(|(key, node)| (key.into_owned(), node.value())).collect())
            }
            Kind::Array => Value::Array(self.items().map(Node::value).collect()),
            Kind::String => Value::String(unquote(self.text()).into_owned()),
            Kind::Number => serde_json::from_str(self.text()).unwrap_or(Value::Null),
            Kind::Bool => Value::Bool(self.text() == "true"),
            Kind::Null | Kind::Broken => Value::Null,
        }
    }
}

/// A text as a JSON string, quotes included.
#[must_use]
pub fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The first unfilled template in a text: `%%NAME%%`, `{{ name }}`, `${NAME}`.
#[must_use]
pub fn placeholder_in(text: &str) -> Option<&str> {
    let starts = text.char_indices().filter(|(_, c)| "%{$<".contains(*c));
    starts
        .map(|(at, _)| text.get(at..).unwrap_or_default())
        .find_map(|rest| rest.get(..parse::placeholder(rest)?))
}

/// The decoded content of a JSON string with its quotes; a key without quotes stands for itself.
fn unquote(quoted: &str) -> Cow<'_, str> {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => out.push(unicode_escape(&mut rest)),
            Some(other) => out.push(other),
            None => {}
        }
    }
    Cow::Owned(out)
}

/// The character of `\uXXXX` (the `\u` is already read), with a following low surrogate where needed.
fn unicode_escape(rest: &mut std::str::Chars<'_>) -> char {
    fn unit(from: &str) -> Option<u32> {
        let digits = from.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    }
    let Some(first) = unit(rest.as_str()) else { return char::REPLACEMENT_CHARACTER };
    *rest = rest.as_str().get(4..).unwrap_or_default().chars();
    if (0xD800..0xDC00).contains(&first) {
        let low = rest.as_str().strip_prefix("\\u").and_then(unit).filter(|u| (0xDC00..0xE000).contains(u));
        if let Some(low) = low {
            *rest = rest.as_str().get(6..).unwrap_or_default().chars();
            let code = 0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00);
            return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
    }
    char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
}
