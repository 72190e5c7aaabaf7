//! Keys and values, one at a time.

use super::super::{Kind, MAX_DEPTH, Trouble};
use super::word::{explain, is_number, placeholder};
use super::{Frame, Parser};

impl Parser<'_> {
    /// Reads a key and its colon. `None`: what stood there was no member, and has been passed.
    pub(super) fn key(&mut self) -> Option<(u32, u32)> {
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

    /// Reads a value, or the opening bracket of one.
    pub(super) fn value(&mut self, key: (u32, u32)) {
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
                let message = explain(word);
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
}
