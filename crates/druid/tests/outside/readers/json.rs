//! Documents that lose nothing, paths into them, edits of them.

use druid::json::{Document, Kind, MAX_DEPTH, Node, Path, Severity, Splice, Step, quote};

use super::{line, text};

pub(super) fn document(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let document = Document::parse(text);
    assert_eq!(document.text(), text);
    assert!(document.diagnostics().len() <= 50);
    for found in document.diagnostics() {
        assert!(text.get(found.span.start..found.span.end).is_some(), "{found:?}");
        assert_eq!(document.position(found.span.start), (found.line, found.column));
    }
    if let Some(root) = document.root() {
        stands_where_it_says(&document, root, &Path::root(), 0);
    }
    for at in [0, text.len() / 2, text.len(), text.len() + 1] {
        if let Some(path) = document.path_at(at) {
            assert!(document.get(&path).is_some());
        }
    }
    agrees_with_serde(&document, text);
}

/// Every node lies in its parent, after its elder, and its path leads to it or to a later twin.
fn stands_where_it_says(document: &Document, node: Node<'_>, path: &Path, depth: usize) {
    assert!(depth <= MAX_DEPTH);
    let span = node.span();
    assert_eq!(document.text().get(span.start..span.end), Some(node.text()));
    let mut after = span.start;
    for (index, child) in node.children().enumerate() {
        let start = child.key_span().map_or(child.span().start, |key| key.start);
        assert!(after <= start && start <= child.span().start && child.span().end <= span.end);
        after = child.span().end;
        let step = match node.kind() {
            Kind::Object => Step::Key(child.key().unwrap_or_default().into_owned()),
            _ => Step::Index(index),
        };
        // Below the first few levels and members there is nothing new to see, and paths are long.
        if depth < 4 && index < 16 {
            stands_where_it_says(document, child, &path.join(step), depth + 1);
        }
    }
    if node.kind() != Kind::Object && depth < 4 && path.0.iter().all(|step| matches!(step, Step::Index(_))) {
        assert_eq!(document.get(path).map(Node::span), Some(span));
    }
    assert_eq!(Path::parse(&path.to_string()).as_ref(), Ok(path));
}

/// A text is well-formed exactly when another reader of JSON takes it, and then says the same.
fn agrees_with_serde(document: &Document, text: &str) {
    let serde = serde_json::from_str::<serde_json::Value>(text.strip_prefix('\u{feff}').unwrap_or(text));
    match serde {
        Ok(value) => {
            assert!(document.is_well_formed(), "{:?}", document.diagnostics());
            assert_eq!(document.root().unwrap().value(), value);
        }
        // What Jackson takes and serde does not: numbers beyond f64, half a surrogate pair; and one level of depth.
        Err(error) => {
            let words = error.to_string();
            let is_theirs =
                ["number out of range", "surrogate", "unexpected end of hex escape", "recursion limit"];
            assert!(
                !document.is_well_formed() || is_theirs.iter().any(|theirs| words.contains(theirs)),
                "well-formed, but {words}"
            );
        }
    }
}

pub(super) fn path(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match Path::parse(text) {
        Ok(path) => assert_eq!(Path::parse(&path.to_string()), Ok(path)),
        Err(error) => assert!(error.at <= text.len() && !error.message.is_empty()),
    }
}

/// A path, a value, and the document they are for.
pub(super) fn edit(bytes: &[u8]) {
    let Some((place, rest)) = text(bytes).map(line) else { return };
    let (value, text) = line(rest);
    let Ok(path) = Path::parse(place) else { return };
    let document = Document::parse(text);
    if let Ok(splice) = document.set(&path, value) {
        let edited = taken_back(&document, &splice);
        let wanted = Document::parse(value.trim());
        let found = edited.get(&path).map(Node::value);
        assert_eq!(found, wanted.root().map(Node::value), "{}", edited.text());
    }
    if let Ok(splice) = document.insert(&path, value) {
        taken_back(&document, &splice);
    }
    if let Ok(splice) = document.remove(&path) {
        let edited = taken_back(&document, &splice);
        if matches!(path.0.last(), Some(Step::Key(_))) {
            assert!(edited.get(&path).is_none(), "{}", edited.text());
        }
    }
    if let Ok(splice) = document.rename(&path, value) {
        let edited = taken_back(&document, &splice);
        let (before, after) = (document.get(&path).unwrap(), edited.get(&path.parent().unwrap().join(value)));
        assert_eq!(
            after.map(|node| node.text().to_owned()),
            Some(before.text().to_owned()),
            "{}",
            quote(value)
        );
    }
    let typed = document.splice_to(value);
    assert_eq!(document.apply(&typed).unwrap().text(), value);
}

/// The document after a splice. The inverse must bring back the very bytes, and what was JSON must stay JSON.
fn taken_back(document: &Document, splice: &Splice) -> Document {
    let edited = document.apply(splice).unwrap();
    assert_eq!(edited.apply(&splice.inverse()).unwrap().text(), document.text());
    let is_json =
        |document: &Document| document.diagnostics().iter().all(|found| found.severity() != Severity::Error);
    assert!(is_json(&edited) || !is_json(document), "{} {:?}", edited.text(), edited.diagnostics());
    edited
}
