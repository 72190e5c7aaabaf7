//! Text to tree. One pass, an explicit stack, no recursion: nothing in the text can exhaust the machine.
//!
//! It understands JSON as Jackson does with Druid's settings (no comments, no single quotes, no trailing
//! commas), names what else it meets, and goes on behind it. It never changes the text.
//!
//! Here are the parser itself and the way through the document; [`containers`] opens and closes brackets, [`member`] reads
//! keys and values, [`string`] texts in quotes, [`word`] what stands without quotes, and [`repeated`] looks for keys that
//! stand twice.

mod containers;
mod member;
mod repeated;
mod string;
mod word;

use super::{Diagnostic, Kind, Raw, Span, Trouble};
use crate::order::Order as _;

pub(crate) use word::placeholder;

/// More than this many diagnostics help nobody.
const MAX_DIAGNOSTICS: usize = 50;

/// Twice that, since they are not found in order; sorted and cut at the end. A text with so many errors is no JSON:
/// what follows stays unread.
const MAX_FOUND: usize = 2 * MAX_DIAGNOSTICS;

/// Something wrong, before its line is looked for.
type Found = (Trouble, Span, String);

struct Frame {
    node: u32,
    /// A value has been read in this container.
    filled: bool,
    /// Where the comma stands that was read last, if nothing came after it yet.
    comma: Option<usize>,
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<Raw>,
    stack: Vec<Frame>,
    found: Vec<Found>,
}

/// Line and column of a byte, both from 1, columns in characters. `\n`, `\r\n` and `\r` end a line.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let mut before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let mut line = 1;
    while let Some(end) = before.find(['\n', '\r']) {
        let ending = if before.get(end..).is_some_and(|rest| rest.starts_with("\r\n")) { 2 } else { 1 };
        before = before.get(end + ending..).unwrap_or_default();
        line += 1;
    }
    (line, before.chars().count() + 1)
}

/// So many of what was found, those that stand first in the text.
fn first(mut found: Vec<Found>, most: usize) -> Vec<Found> {
    found.order_by_key(|(_, span, _)| *span);
    found.truncate(most);
    found
}

/// The tree and what is wrong.
pub(super) fn parse(text: &str) -> (Vec<Raw>, Vec<Diagnostic>) {
    let mut parser = Parser { text, at: 0, nodes: Vec::new(), stack: Vec::new(), found: Vec::new() };
    let mut repeated = Vec::new();
    if u32::try_from(text.len()).is_ok() {
        parser.document();
        repeated = parser.repeated_keys();
    } else {
        parser.report(Trouble::Limit, 0, 0, "the text is larger than 4 GiB".to_owned());
    }
    // An error is never left out for a warning: whether the text is JSON is read from what is kept.
    let mut found = first(parser.found, MAX_DIAGNOSTICS);
    found.extend(first(repeated, MAX_DIAGNOSTICS - found.len()));
    let diagnostics = first(found, MAX_DIAGNOSTICS)
        .into_iter()
        .map(|(trouble, span, message)| {
            let (line, column) = position(text, span.start);
            Diagnostic { trouble, span, line, column, message }
        })
        .collect();
    (parser.nodes, diagnostics)
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn report(&mut self, trouble: Trouble, start: usize, end: usize, message: String) {
        if self.found.len() < MAX_FOUND {
            self.found.push((trouble, Span { start, end }, message));
        }
        self.flaw();
    }

    /// Something in the innermost open container is no JSON.
    fn flaw(&mut self) {
        if let Some(frame) = self.stack.last()
            && let Some(raw) = self.nodes.get_mut(frame.node as usize)
        {
            raw.flawed = true;
        }
    }

    fn syntax(&mut self, start: usize, end: usize, message: impl Into<String>) {
        self.report(Trouble::Syntax, start, end, message.into());
    }

    /// Passes blanks, and comments with a word about them.
    fn skip(&mut self) {
        loop {
            let blank = self.rest().bytes().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
            self.at += blank;
            let rest = self.rest();
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find(['\n', '\r']).unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            self.syntax(self.at, self.at + length, "JSON has no comments: Druid refuses this one");
            self.at += length;
        }
    }

    fn document(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        self.skip();
        if self.peek().is_none() {
            self.syntax(self.at, self.at, "there is nothing here: a spec is a JSON object { … }");
            return;
        }
        self.value((0, 0));
        while let Some(frame) = self.stack.last() {
            if self.found.len() >= MAX_FOUND {
                return self.give_up();
            }
            let node = frame.node;
            let is_object = self.nodes.get(node as usize).is_some_and(|raw| raw.kind == Kind::Object);
            self.inside(is_object);
        }
        self.skip();
        if self.peek().is_some() {
            let message = match self.peek() {
                Some(b'}' | b']') => "one closing bracket too many",
                _ => "the document ends before this: Druid does not read what follows",
            };
            let end = self.text.trim_end().len().max(self.at);
            self.report(Trouble::Trailing, self.at, end, message.to_owned());
        }
    }

    /// Bytes of the character at `start`, at least 1.
    fn first_length(&self, start: usize) -> usize {
        self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    }

    fn push(&mut self, kind: Kind, start: usize, key: (u32, u32)) {
        let next = self.nodes.len() as u32 + 1;
        let (start, end) = (start as u32, self.at as u32);
        self.nodes.push(Raw { kind, flawed: false, start, end, key_start: key.0, key_end: key.1, next });
    }
}
