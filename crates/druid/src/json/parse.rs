//! Text to tree. One pass, an explicit stack, no recursion: nothing in the text can exhaust the machine.
//!
//! It understands JSON as Jackson does with Druid's settings (no comments, no single quotes, no trailing
//! commas), names what else it meets, and goes on behind it. It never changes the text.

use super::{Diagnostic, Kind, MAX_DEPTH, Raw, Span, Trouble, unquote};
use crate::order::Order as _;

/// More than this many diagnostics help nobody.
pub(super) const MAX_DIAGNOSTICS: usize = 50;

/// Twice that, since they are not found in order; sorted and cut at the end. A text with so many errors is no JSON:
/// what follows stays unread.
const MAX_FOUND: usize = 2 * MAX_DIAGNOSTICS;

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
    found: Vec<(Trouble, Span, String)>,
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

/// The tree and what is wrong.
pub(super) fn parse(text: &str) -> (Vec<Raw>, Vec<Diagnostic>) {
    let mut parser = Parser { text, at: 0, nodes: Vec::new(), stack: Vec::new(), found: Vec::new() };
    if u32::try_from(text.len()).is_ok() {
        parser.document();
        parser.repeated_keys();
    } else {
        parser.report(Trouble::Limit, 0, 0, "the text is larger than 4 GiB".to_owned());
    }
    parser.found.order_by_key(|(_, span, _)| *span);
    parser.found.truncate(MAX_DIAGNOSTICS);
    let diagnostics = parser
        .found
        .into_iter()
        .map(|(trouble, span, message)| {
            let (line, column) = position(text, span.start);
            Diagnostic { trouble, span, line, column, message }
        })
        .collect();
    (parser.nodes, diagnostics)
}

/// Bytes of the unfilled template at the start of `text`, if there is one.
pub(crate) fn placeholder(text: &str) -> Option<usize> {
    let (open, close) = [("%%", "%%"), ("{{", "}}"), ("${", "}"), ("{%", "%}"), ("<%", "%>")]
        .into_iter()
        .find(|(open, _)| text.starts_with(open))?;
    // Templates are short and stand on one line; looking no further keeps long texts linear.
    let window = text.get(open.len()..text.floor_char_boundary(200))?;
    let length = window.find(close).filter(|length| *length > 0)?;
    let name = window.get(..length).filter(|name| !name.contains(['\n', '\r']))?;
    let is_name = name.contains(|c: char| c.is_alphanumeric() || c == '_') && !name.contains(['"', '{']);
    is_name.then_some(open.len() + length + close.len())
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
        if let Some(frame) = self.stack.last()
            && trouble != Trouble::DuplicateKey
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
            self.syntax(self.at, self.text.trim_end().len().max(self.at), message);
        }
    }

    /// Reads one thing inside the innermost open container: a bracket, a comma, a member, an element.
    fn inside(&mut self, is_object: bool) {
        self.skip();
        let at = self.at;
        let (filled, comma) = self.stack.last().map_or((false, None), |frame| (frame.filled, frame.comma));
        let (close, other) = if is_object { (b'}', b']') } else { (b']', b'}') };
        match self.peek() {
            None => self.unclosed(is_object),
            Some(byte) if byte == close => {
                if let Some(comma) = comma {
                    self.syntax(comma, comma + 1, "this comma has nothing after it");
                }
                self.at += 1;
                self.close();
            }
            Some(byte) if byte == other => self.wrong_bracket(is_object, other),
            Some(b',') => {
                if !filled || comma.is_some() {
                    self.syntax(at, at + 1, "this comma has nothing before it");
                }
                self.at += 1;
                if let Some(frame) = self.stack.last_mut() {
                    frame.comma = Some(at);
                }
            }
            Some(_) => {
                if filled && comma.is_none() {
                    self.syntax(at, at, "a comma is missing before this");
                }
                if let Some(frame) = self.stack.last_mut() {
                    frame.filled = true;
                    frame.comma = None;
                }
                let key = if is_object { self.key() } else { Some((0, 0)) };
                if let Some(key) = key {
                    self.value(key);
                }
            }
        }
    }

    fn close(&mut self) {
        let end = self.at as u32;
        let next = self.nodes.len() as u32;
        if let Some(frame) = self.stack.pop()
            && let Some(raw) = self.nodes.get_mut(frame.node as usize)
        {
            raw.end = end;
            raw.next = next;
        }
    }

    fn opening(&self) -> (usize, usize) {
        let start =
            self.stack.last().and_then(|frame| self.nodes.get(frame.node as usize)).map(|raw| raw.start);
        let start = start.unwrap_or_default() as usize;
        (start, position(self.text, start).0)
    }

    fn unclosed(&mut self, is_object: bool) {
        // One message for the innermost is enough: the others follow from it.
        let (_, line) = self.opening();
        let (open, close) = if is_object { ('{', '}') } else { ('[', ']') };
        let end = self.text.trim_end().len();
        let message =
            format!("the text ends before the {open} of line {line} is closed: a {close} is missing");
        self.syntax(end, end, message);
        self.give_up();
    }

    /// Closes everything that is open at the end of the text.
    fn give_up(&mut self) {
        self.at = self.text.len();
        while let Some(frame) = self.stack.last() {
            if let Some(raw) = self.nodes.get_mut(frame.node as usize) {
                raw.flawed = true;
            }
            self.close();
        }
    }

    fn wrong_bracket(&mut self, is_object: bool, other: u8) {
        let (_, line) = self.opening();
        let (open, close) = if is_object { ('{', '}') } else { ('[', ']') };
        let (at, other) = (self.at, other as char);
        self.syntax(
            at,
            at + 1,
            format!("{other} does not close the {open} of line {line}: expected {close}"),
        );
        let outer_kind = if is_object { Kind::Array } else { Kind::Object };
        let fits_outer = self
            .stack
            .iter()
            .rev()
            .skip(1)
            .any(|frame| self.nodes.get(frame.node as usize).is_some_and(|raw| raw.kind == outer_kind));
        if fits_outer {
            self.close(); // and let the bracket close the one outside
        } else {
            self.at += 1;
        }
    }

    /// Reads a key and its colon. `None`: what stood there was no member, and has been passed.
    fn key(&mut self) -> Option<(u32, u32)> {
        let start = self.at;
        if self.peek() == Some(b'"') {
            self.string();
        } else if let Some(length) = placeholder(self.rest()) {
            self.at += length;
            self.placeholder(start);
            self.push(Kind::Broken, start, (0, 0));
            return None;
        } else {
            self.word();
            let end = self.at;
            self.skip();
            if self.peek() != Some(b':') {
                self.syntax(start, end, "expected a key in double quotes");
                self.at = end.max(start + self.first_length(start));
                return None;
            }
            let word = self.text.get(start..end).unwrap_or_default().to_owned();
            let message = match word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')) {
                Some(key) => format!("keys stand in double quotes: \"{key}\""),
                None => format!("keys stand in double quotes: \"{word}\""),
            };
            self.syntax(start, end, message);
            self.at = end;
        }
        let end = self.at;
        self.skip();
        if self.peek() == Some(b':') {
            self.at += 1;
            self.skip();
        } else {
            self.syntax(end, end, "a colon is missing after this key");
            if matches!(self.peek(), None | Some(b',' | b'}' | b']')) {
                return None;
            }
        }
        Some((start as u32, end as u32))
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

    /// Reads a value, or the opening bracket of one.
    fn value(&mut self, key: (u32, u32)) {
        let start = self.at;
        if let Some(length) = placeholder(self.rest()) {
            self.at += length;
            self.placeholder(start);
            self.push(Kind::Broken, start, key);
            return;
        }
        let kind = match self.peek() {
            Some(open @ (b'{' | b'[')) => {
                let kind = if open == b'{' { Kind::Object } else { Kind::Array };
                if self.stack.len() >= MAX_DEPTH {
                    return self.too_deep(key);
                }
                self.at += 1;
                let node = self.nodes.len() as u32;
                self.push(kind, start, key);
                self.stack.push(Frame { node, filled: false, comma: None });
                return;
            }
            Some(b'"') => {
                self.string();
                Kind::String
            }
            None | Some(b',' | b'}' | b']') => {
                self.syntax(start, start, "a value is missing here");
                Kind::Broken
            }
            Some(_) => self.bare(),
        };
        self.push(kind, start, key);
    }

    fn placeholder(&mut self, start: usize) {
        let text = self.text.get(start..self.at).unwrap_or_default();
        let message = format!("{text} is a placeholder that nobody filled in: put the value in its place");
        self.report(Trouble::Placeholder, start, self.at, message);
    }

    /// Passes the bare word at this place: up to a blank, a bracket, a comma, a colon or a quote.
    fn word(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c: char| c.is_whitespace() || ",:{}[]\"".contains(c)).unwrap_or(rest.len());
        self.at += length;
    }

    /// A value without quotes or brackets.
    fn bare(&mut self) -> Kind {
        let start = self.at;
        self.word();
        if self.at == start {
            self.at += self.first_length(start);
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        match word {
            "true" | "false" => Kind::Bool,
            "null" => Kind::Null,
            _ if is_number(word) => Kind::Number,
            _ => {
                let message = explain_word(word);
                self.syntax(start, self.at, message);
                Kind::Broken
            }
        }
    }

    /// A container below the depth that is read: passed as one broken value.
    fn too_deep(&mut self, key: (u32, u32)) {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        let message = format!("nested more than {MAX_DEPTH} levels deep: this part is kept as text only");
        self.report(Trouble::Limit, start, self.at, message);
        self.push(Kind::Broken, start, key);
    }

    /// Passes a string, with words about what Druid would refuse in it.
    fn string(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        let mut broken_line = false;
        loop {
            match bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return;
                }
                Some(b'\\') => at += self.escape(at),
                Some(b'\n' | b'\r') => {
                    if !broken_line && !self.closes_later(at) {
                        return self.unclosed_string(start, at);
                    }
                    if !broken_line {
                        self.syntax(at, at + 1, "a line break inside a string is written \\n");
                    }
                    broken_line = true;
                    at += 1;
                }
                Some(byte) if *byte < 0x20 => {
                    let name = if *byte == b'\t' { "\\t".to_owned() } else { format!("\\u{byte:04x}") };
                    self.syntax(at, at + 1, format!("a control character inside a string is written {name}"));
                    at += 1;
                }
                Some(_) => at += 1,
                None => return self.unclosed_string(start, at),
            }
        }
    }

    fn unclosed_string(&mut self, start: usize, end: usize) {
        self.syntax(start, end, "this string has no closing quote");
        self.at = end;
    }

    /// Checks the escape at `at` and gives its length in bytes, at least 1.
    fn escape(&mut self, at: usize) -> usize {
        let after = self.text.get(at + 1..).unwrap_or_default();
        match after.bytes().next() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => {
                let digits = after.bytes().skip(1).take(4).take_while(u8::is_ascii_hexdigit).count();
                if digits < 4 {
                    self.syntax(at, at + 2 + digits, "\\u is followed by four hexadecimal digits");
                }
                2 + digits
            }
            None | Some(b'\n' | b'\r') => 1,
            Some(_) => {
                let length = 1 + self.first_length(at + 1);
                self.syntax(at, at + length, "no such escape: a backslash itself is written \\\\");
                length
            }
        }
    }

    /// Whether the string that meets a line end at `at` goes on: its next quote is followed by what follows
    /// a string. Otherwise the quote was forgotten on this line.
    fn closes_later(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let Some(quote) = rest.find('"') else { return false };
        let after = rest.get(quote + 1..).unwrap_or_default().trim_start();
        after.is_empty() || after.starts_with([',', '}', ']'])
    }

    /// Of repeated keys in one object all but the last are told.
    fn repeated_keys(&mut self) {
        let mut repeated = Vec::new();
        for (at, raw) in self.nodes.iter().enumerate().filter(|(_, raw)| raw.kind == Kind::Object) {
            let mut keys = Vec::new();
            let mut child = at + 1;
            while let Some(member) = self.nodes.get(child).filter(|_| child < raw.next as usize) {
                let quoted = self.text.get(member.key_start as usize..member.key_end as usize);
                keys.push((unquote(quoted.unwrap_or_default()), member.key_start, member.key_end));
                child = member.next as usize;
            }
            keys.order();
            for pair in keys.windows(2) {
                if let [(first, start, end), (second, ..)] = pair
                    && first == second
                    && start < end
                {
                    repeated.push((*start as usize, *end as usize, first.clone().into_owned()));
                }
            }
        }
        for (start, end, key) in repeated {
            let message = format!("\"{key}\" stands here and again further down: Druid takes the last one");
            self.report(Trouble::DuplicateKey, start, end, message);
        }
    }
}

/// JSON's number grammar.
pub(super) fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (word, None),
    };
    let mantissa = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

fn explain_word(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    match lower.as_str() {
        "true" | "false" | "null" => format!("{word} is written {lower}"),
        "none" | "undefined" | "nil" => format!("{word} is written null"),
        "nan" | "infinity" | "-infinity" => format!("{word} is no JSON number"),
        _ if word.starts_with('\'') => "strings stand in double quotes".to_owned(),
        _ if word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            format!("{word} is no JSON number")
        }
        _ => format!("{word} is no value: text stands in double quotes"),
    }
}
