//! Brackets: what opens, what closes, and what closes something else.

use super::super::Kind;
use super::{Parser, position};

impl Parser<'_> {
    /// Reads one thing inside the innermost open container: a bracket, a comma, a member, an element.
    pub(super) fn inside(&mut self, is_object: bool) {
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
    pub(super) fn give_up(&mut self) {
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
            self.flaw(); // which has something unclosed in it
        } else {
            self.at += 1;
        }
    }
}
