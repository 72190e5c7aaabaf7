//! A JSON document as coloured lines: what the paper under the text area shows. Pure.
//!
//! Always holds: the texts of all tokens of all lines, joined by line feeds, are the document's text.

use druid::json::{Document, Kind, Node, Span};
use druid::order::Order as _;

/// A stretch of one line in one look.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Class names: what it is, and whether it is underlined.
    pub class: String,
    /// Its text.
    pub text: String,
}

/// One line.
pub type Line = Vec<Token>;

/// A place to underline, and the class to do it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub span: Span,
    /// `sq-stop` or `sq-warn`.
    pub class: &'static str,
}

/// Cuts the document into coloured lines.
pub fn lines(document: &Document, marks: &[Mark]) -> Vec<Line> {
    let text = document.text();
    let mut leaves = Vec::new();
    if let Some(root) = document.root() {
        collect(root, &mut leaves);
    }
    leaves.order_by_key(|(span, _)| *span);
    let mut cuts: Vec<usize> = leaves.iter().flat_map(|(span, _)| [span.start, span.end]).collect();
    cuts.extend(marks.iter().flat_map(|mark| [mark.span.start, mark.span.end.max(mark.span.start + 1)]));
    cuts.push(0);
    cuts.push(text.len());
    cuts.retain(|&at| text.is_char_boundary(at));
    cuts.order();
    cuts.dedup();

    let mut all = vec![Line::new()];
    let mut leaf = leaves.iter().peekable();
    for pair in cuts.windows(2) {
        let [start, end] = *pair else { continue };
        while leaf.peek().is_some_and(|(span, _)| span.end <= start) {
            leaf.next();
        }
        let base = leaf.peek().filter(|(span, _)| span.start <= start).map_or("tk-pun", |(_, class)| class);
        let under = marks
            .iter()
            .find(|mark| mark.span.start <= start && start < mark.span.end.max(mark.span.start + 1))
            .map(|mark| mark.class);
        let class = under.map_or_else(|| base.to_owned(), |under| format!("{base} {under}"));
        for (at, piece) in text.get(start..end).unwrap_or_default().split('\n').enumerate() {
            if at > 0 {
                all.push(Line::new());
            }
            if !piece.is_empty()
                && let Some(line) = all.last_mut()
            {
                line.push(Token { class: class.clone(), text: piece.to_owned() });
            }
        }
    }
    all
}

fn collect(node: Node<'_>, into: &mut Vec<(Span, &'static str)>) {
    // The tree's depth is bounded by `druid::json::MAX_DEPTH`.
    if let Some(key) = node.key_span() {
        into.push((key, "tk-key"));
    }
    match node.kind() {
        Kind::Object | Kind::Array => node.children().for_each(|child| collect(child, into)),
        Kind::String => into.push((node.span(), "tk-str")),
        Kind::Number => into.push((node.span(), "tk-num")),
        Kind::Bool | Kind::Null => into.push((node.span(), "tk-lit")),
        Kind::Broken => into.push((node.span(), "tk-str")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str, marks: &[Mark]) -> String {
        let lines = lines(&Document::parse(text), marks);
        lines
            .iter()
            .map(|line| line.iter().map(|token| token.text.as_str()).collect::<String>())
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn the_paper_holds_the_text_letter_for_letter() {
        for text in
            ["", "{}", "{\"a\": [1,\n 2.50, \"ünï\"],\r\n\t\"b\":null}", "{{broken", "\"x", "\n\n{\"a\":1}\n"]
        {
            let whole = Mark { span: Span { start: 0, end: text.len() }, class: "sq-stop" };
            let end = Mark { span: Span { start: text.len(), end: text.len() }, class: "sq-warn" };
            assert_eq!(joined(text, &[]), text);
            assert_eq!(joined(text, &[whole, end]), text);
        }
    }

    #[test]
    fn a_mark_underlines_its_own_stretch_only() {
        let lines = lines(
            &Document::parse("{\"a\": 12}"),
            &[Mark { span: Span { start: 6, end: 8 }, class: "sq-stop" }],
        );
        let under: Vec<_> = lines
            .iter()
            .flatten()
            .filter(|token| token.class.contains("sq-stop"))
            .map(|token| token.text.as_str())
            .collect();
        assert_eq!(under, ["12"]);
    }
}
