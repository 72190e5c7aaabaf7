//! How a document is laid out, seen from what it already holds, so that edits look like the rest of it.
//!
//! Reads only; the first example of each habit counts. It is about new text: nothing that is already there is
//! ever laid out again.

use super::{Document, Kind, Node};

/// The habits of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// `\n` or `\r\n`.
    pub(super) newline: &'static str,
    /// One level of indentation; empty where the document is on one line.
    pub(super) unit: String,
    /// Whether containers are spread over lines at all.
    pub(super) multiline: bool,
    /// Between a key and its value: `": "`, `":"`, `" : "`.
    pub(super) colon: String,
    /// Between values on one line: `", "` or `","`.
    pub(super) comma: String,
    /// Inside `{ }` on one line.
    pub(super) object_pad: String,
    /// Inside `[ ]` on one line.
    pub(super) array_pad: String,
    /// Whether an array of plain values stands one value a line.
    pub(super) tall_arrays: bool,
}

/// Text between two bytes.
fn between(document: &Document, start: usize, end: usize) -> &str {
    document.text().get(start..end).unwrap_or_default()
}

fn has_line_end(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// Blanks at the start of the line that `at` stands in.
pub(super) fn line_indent(document: &Document, at: usize) -> &str {
    let before = between(document, 0, at);
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = between(document, line, document.text().len());
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..length).unwrap_or_default()
}

/// What stands between the opening bracket and the first child.
fn opening_gap<'d>(document: &'d Document, container: Node<'_>, first: Node<'_>) -> &'d str {
    between(document, container.span().start + 1, first.outer_start())
}

/// Whether a container that has children starts a new line for the first.
pub(super) fn is_tall(document: &Document, container: Node<'_>) -> bool {
    container.children().next().is_some_and(|first| has_line_end(opening_gap(document, container, first)))
}

impl Style {
    /// Two spaces, a member a line: for looking at a document that stands on one line.
    pub(super) fn spread() -> Style {
        Style {
            newline: "\n",
            unit: "  ".to_owned(),
            multiline: true,
            colon: ": ".to_owned(),
            comma: ", ".to_owned(),
            object_pad: String::new(),
            array_pad: String::new(),
            tall_arrays: false,
        }
    }

    pub(super) fn of(document: &Document) -> Style {
        let mut seen = Style {
            newline: if document.text().contains("\r\n") { "\r\n" } else { "\n" },
            unit: String::new(),
            multiline: false,
            colon: String::new(),
            comma: String::new(),
            object_pad: String::new(),
            array_pad: String::new(),
            tall_arrays: false,
        };
        let (mut unit, mut colon, mut comma) = (None, None, None);
        let (mut object_pad, mut array_pad, mut tall_arrays) = (None, None, None);
        for container in all_nodes(document) {
            let Some(first) = container.children().next() else { continue };
            let gap = opening_gap(document, container, first);
            let tall = has_line_end(gap);
            if tall && unit.is_none() {
                let inner = line_indent(document, first.outer_start());
                let outer = line_indent(document, container.span().start);
                unit = inner.strip_prefix(outer).filter(|unit| !unit.is_empty()).map(str::to_owned);
                seen.multiline = true;
            }
            if container.kind() == Kind::Object {
                let after_key = first.key_span().map_or(0, |key| key.end);
                colon.get_or_insert_with(|| between(document, after_key, first.span().start).to_owned());
                if !tall {
                    object_pad.get_or_insert_with(|| gap.to_owned());
                }
            } else {
                let plain = container.items().all(|item| !matches!(item.kind(), Kind::Object | Kind::Array));
                if plain {
                    tall_arrays.get_or_insert(tall);
                }
                if !tall {
                    array_pad.get_or_insert_with(|| gap.to_owned());
                }
            }
            if let Some(second) = container.children().nth(1).filter(|_| !tall) {
                let gap = between(document, first.span().end, second.outer_start());
                if !has_line_end(gap) {
                    comma.get_or_insert_with(|| gap.to_owned());
                }
            }
        }
        let blank = |text: &String| text.trim().is_empty();
        // A text that is still empty gets two spaces and lines of its own.
        let fresh = document.root().is_none();
        seen.multiline |= fresh;
        seen.unit = unit.unwrap_or_else(|| if seen.multiline { "  ".to_owned() } else { String::new() });
        let default_colon = if seen.multiline { ": " } else { ":" };
        seen.colon =
            colon.filter(|c| c.trim() == ":" && !has_line_end(c)).unwrap_or(default_colon.to_owned());
        let default_comma = if seen.colon == ":" { "," } else { ", " };
        seen.comma = comma.filter(|c| c.trim() == ",").unwrap_or(default_comma.to_owned());
        seen.object_pad = object_pad.filter(blank).unwrap_or_default();
        seen.array_pad = array_pad.filter(blank).unwrap_or_default();
        seen.tall_arrays = tall_arrays.unwrap_or(false) && seen.multiline;
        seen
    }

    /// A new line with an indentation.
    pub(super) fn line(&self, indent: &str) -> String {
        format!("{}{indent}", self.newline)
    }

    /// A value laid out in this style. `indent`: blanks of the line it starts in. `tall`: whether it is spread
    /// over lines; `None` decides by what the document does elsewhere. Plain values keep their spelling.
    pub(super) fn lay_out(&self, value: Node<'_>, indent: &str, tall: Option<bool>) -> String {
        let mut out = String::new();
        self.write(value, indent, tall, &mut out);
        out
    }

    fn write(&self, value: Node<'_>, indent: &str, tall: Option<bool>, out: &mut String) {
        let (open, close, pad) = match value.kind() {
            Kind::Object => ('{', '}', &self.object_pad),
            Kind::Array => ('[', ']', &self.array_pad),
            _ => return out.push_str(value.text()),
        };
        if value.children().next().is_none() {
            out.extend([open, close]);
            return;
        }
        let is_nested = |child: Node<'_>| matches!(child.kind(), Kind::Object | Kind::Array);
        let tall = tall.unwrap_or_else(|| {
            self.multiline
                && (value.kind() == Kind::Object || self.tall_arrays || value.children().any(is_nested))
        });
        let inner = format!("{indent}{}", self.unit);
        out.push(open);
        for (at, child) in value.children().enumerate() {
            match (at, tall) {
                (0, false) => out.push_str(pad),
                (_, false) => out.push_str(&self.comma),
                (0, true) => out.push_str(&self.line(&inner)),
                (_, true) => {
                    out.push(',');
                    out.push_str(&self.line(&inner));
                }
            }
            if let Some(key) = child.key() {
                out.push_str(&super::quote(&key));
                out.push_str(&self.colon);
            }
            self.write(child, &inner, (!tall).then_some(false), out);
        }
        if tall {
            out.push_str(&self.line(indent));
        } else {
            out.push_str(pad);
        }
        out.push(close);
    }
}

/// All nodes in document order.
fn all_nodes(document: &Document) -> impl Iterator<Item = Node<'_>> {
    (0..document.0.nodes.len() as u32).filter_map(|at| Node::at(&document.0, at))
}
