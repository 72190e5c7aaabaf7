//! Lines of text to cells: `JsonLineReader`, `CsvReader`, `DelimitedValueReader`.

use std::borrow::Cow;

use crate::json::{Document, Kind};

use super::super::values::At;
use super::times::Cell;

/// Lines with their number from 1, as a Java `BufferedReader` cuts them: at `\n`, `\r\n` or `\r`, nothing after
/// the last.
pub(super) fn of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let mut number = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        number += 1;
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default();
        let after = rest.get(end..).unwrap_or_default();
        let ending = if after.starts_with("\r\n") { 2 } else { usize::from(!after.is_empty()) };
        rest = after.get(ending..).unwrap_or_default();
        Some((number, line))
    })
}

/// What a line of JSON holds in a column of its root; `None` where there is nothing, or an object.
pub(super) fn json_cell(line: &str, column: &str) -> Result<Option<Cell<'static>>, String> {
    let document = Document::parse(line);
    // What follows the first value is not read.
    let broken = document.diagnostics().iter().find(|found| {
        found.severity() == crate::json::Severity::Error
            && document.root().is_none_or(|root| found.span.start < root.span().end)
    });
    if let Some(broken) = broken {
        return Err(format!("this is no JSON: {}", broken.message));
    }
    let root = document.root().filter(|root| root.kind() == Kind::Object);
    let root = root.ok_or_else(|| "this is no JSON object".to_owned())?;
    Ok(root.get(column).and_then(|value| match value.kind() {
        Kind::String => value.as_str().map(|text| Cell::Text(Cow::Owned(text.into_owned()))),
        Kind::Number => Some(Cell::Number(value.text().to_owned())),
        Kind::Bool | Kind::Array => Some(Cell::Text(Cow::Owned(value.text().to_owned()))),
        // Field discovery passes over objects.
        Kind::Object | Kind::Null | Kind::Broken => None,
    }))
}

/// What an input format says about the first lines.
pub(super) struct Header {
    /// Lines that are passed over first.
    pub(super) skip: usize,
    /// The columns, or `None` when the next line names them.
    pub(super) columns: Option<Vec<String>>,
}

impl Header {
    /// `FlatTextInputFormat`: `None` where it is refused.
    pub(super) fn of(at: &At<'_>) -> Option<Header> {
        let columns: Vec<_> =
            at.get("columns").items().iter().filter_map(At::peek_text).map(Cow::into_owned).collect();
        let says = |key: &str| at.get(key).node.map(|node| node.text() == "true");
        let finds = if columns.is_empty() {
            says("hasHeaderRow").or(says("findColumnsFromHeader"))?
        } else {
            says("findColumnsFromHeader").unwrap_or(false)
        };
        if !finds && columns.is_empty() {
            return None;
        }
        let skip = at.get("skipHeaderRows").node.and_then(|node| node.text().trim_matches('"').parse().ok());
        Some(Header { skip: skip.unwrap_or(0), columns: (!finds).then_some(columns) })
    }
}

/// How a line is cut into cells.
pub(super) enum Cells {
    /// RFC 4180: commas, double quotes, a doubled quote inside quotes. A line is a row: no line ends in cells.
    Csv,
    /// At every occurrence of a text; quotes mean nothing.
    Split(String),
}

impl Cells {
    /// The cell at a place; `None` where the line is shorter, or a csv cell holds nothing at all.
    pub(super) fn cell<'t>(&self, line: &'t str, place: usize) -> Option<Cow<'t, str>> {
        match self {
            Cells::Csv => csv(line).nth(place).flatten(),
            Cells::Split(delimiter) => line.split(delimiter.as_str()).nth(place).map(Cow::Borrowed),
        }
    }

    /// All cells of a header line, named as `ParserUtils` names empty ones.
    pub(super) fn names(&self, line: &str) -> Vec<String> {
        let cells: Vec<Option<Cow<'_, str>>> = match self {
            Cells::Csv => csv(line).collect(),
            Cells::Split(delimiter) => {
                line.split(delimiter.as_str()).map(|c| Some(Cow::Borrowed(c))).collect()
            }
        };
        let named = cells.into_iter().enumerate().map(|(at, cell)| match cell {
            Some(name) if !name.is_empty() => name.into_owned(),
            _ => format!("column_{}", at + 1),
        });
        named.collect()
    }
}

/// The cells of a csv line. Nothing between two commas is no value, `""` is an empty one.
fn csv(line: &str) -> impl Iterator<Item = Option<Cow<'_, str>>> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut quoted = false;
        let end = text.char_indices().find(|(_, c)| {
            quoted ^= *c == '"';
            *c == ',' && !quoted
        });
        let end = end.map_or(text.len(), |(at, _)| at);
        rest = text.get(end..).and_then(|after| after.strip_prefix(','));
        let cell = text.get(..end).unwrap_or_default();
        if cell.is_empty() {
            return Some(None);
        }
        let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
        Some(Some(match inner {
            Some(inner) if inner.contains('"') => Cow::Owned(inner.replace("\"\"", "\"")),
            Some(inner) => Cow::Borrowed(inner),
            None => Cow::Borrowed(cell),
        }))
    })
}
