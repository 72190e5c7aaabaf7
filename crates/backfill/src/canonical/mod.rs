//! One text for the content of a spec, so that the same content always hashes to the same version.
//!
//! The shape is RFC 8785 (no blanks, keys sorted by their UTF-16 units, strings escaped one way only), except that
//! numbers keep every digit: a binary double would make two long integers one. Of repeated keys the last counts, as
//! for Druid.
//!
//! What always holds: white space, key order, the spelling of numbers and of string escapes do not change the text;
//! anything Druid could read differently does. The top-level `id` is left out (it is made from this text), and so are
//! the volatile fields the caller lists.
//!
//! What it does not do: fill in defaults. A field written out with its default is other content than a missing one,
//! since a later release may change the default. Half of a surrogate pair counts as U+FFFD.

mod number;
mod text;

use druid::json::{Document, Kind, Node, Path, Severity, Step};
use druid::order::Order as _;

use crate::task_id::sha1_hex;

/// The canonical text of a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    text: String,
    left_out: Vec<Path>,
}

/// Why a document has no canonical text: it is no JSON (a template that was never filled in, most often).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCanonical {
    /// Line of the first trouble, counted from 1.
    pub line: usize,
    /// Character in that line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl std::fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let NotCanonical { line, column, message } = self;
        write!(
            f,
            "No version can be derived from this text: line {line}, column {column}: {message}. Mend it first."
        )
    }
}

impl std::error::Error for NotCanonical {}

impl Canonical {
    /// The text that is hashed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The fields that were there and do not count.
    pub fn left_out(&self) -> &[Path] {
        &self.left_out
    }

    /// 40 lower-case hexadecimal digits of the SHA-1 of the text.
    pub fn sha1(&self) -> String {
        sha1_hex(self.text.as_bytes())
    }
}

/// The canonical text of `document` without its top-level `id` and without the `volatile` fields.
///
/// # Errors
/// The document is not well-formed JSON.
pub fn canonical(document: &Document, volatile: &[Path]) -> Result<Canonical, NotCanonical> {
    if let Some(first) = document.diagnostics().iter().find(|found| found.severity() == Severity::Error) {
        return Err(NotCanonical { line: first.line, column: first.column, message: first.message.clone() });
    }
    let Some(root) = document.root() else {
        return Err(NotCanonical { line: 1, column: 1, message: "there is nothing".to_owned() });
    };
    let mut writer = Writer {
        out: String::with_capacity(document.text().len()),
        at: Vec::new(),
        volatile,
        left_out: Vec::new(),
    };
    writer.value(root)?;
    Ok(Canonical { text: writer.out, left_out: writer.left_out })
}

struct Writer<'v> {
    out: String,
    at: Vec<Step>,
    volatile: &'v [Path],
    left_out: Vec<Path>,
}

impl Writer<'_> {
    /// Recursion is as deep as the tree, which `druid::json` bounds.
    fn value(&mut self, node: Node<'_>) -> Result<(), NotCanonical> {
        match node.kind() {
            Kind::Object => self.object(node)?,
            Kind::Array => self.array(node)?,
            Kind::String => text::push_string(&mut self.out, &node.as_str().unwrap_or_default()),
            // A number whose exponent is beyond all meaning keeps its own text.
            Kind::Number => match number::canonical_number(node.text()) {
                Some(number) => self.out.push_str(&number),
                None => self.out.push_str(node.text()),
            },
            Kind::Bool | Kind::Null => self.out.push_str(node.text()),
            Kind::Broken => {
                let message = "this is no value".to_owned();
                return Err(NotCanonical { line: 1, column: node.span().start + 1, message });
            }
        }
        Ok(())
    }

    fn object(&mut self, node: Node<'_>) -> Result<(), NotCanonical> {
        let mut members: Vec<_> = node.members().collect();
        // Stable: of repeated keys the last one stays last in its group.
        members.order_by(|(a, _), (b, _)| text::key_order(a, b));
        self.out.push('{');
        let mut first = true;
        let mut members = members.into_iter().peekable();
        while let Some((key, child)) = members.next() {
            if members.peek().is_some_and(|(next, _)| *next == key) {
                continue;
            }
            self.at.push(Step::Key(key.clone().into_owned()));
            if !self.is_left_out() {
                if !std::mem::take(&mut first) {
                    self.out.push(',');
                }
                text::push_string(&mut self.out, &key);
                self.out.push(':');
                self.value(child)?;
            }
            self.at.pop();
        }
        self.out.push('}');
        Ok(())
    }

    fn array(&mut self, node: Node<'_>) -> Result<(), NotCanonical> {
        self.out.push('[');
        let mut first = true;
        for (index, child) in node.items().enumerate() {
            self.at.push(Step::Index(index));
            if !self.is_left_out() {
                if !std::mem::take(&mut first) {
                    self.out.push(',');
                }
                self.value(child)?;
            }
            self.at.pop();
        }
        self.out.push(']');
        Ok(())
    }

    fn is_left_out(&mut self) -> bool {
        let is_id = matches!(self.at.as_slice(), [Step::Key(key)] if key == "id");
        let left_out = is_id || self.volatile.iter().any(|path| path.0 == self.at);
        if left_out {
            self.left_out.push(Path(self.at.clone()));
        }
        left_out
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot set itself up should fail loudly
mod tests {
    use super::*;
    use crate::task_id::Version;

    fn of(text: &str) -> String {
        canonical(&Document::parse(text), &[]).unwrap().text
    }

    #[test]
    fn order_blanks_and_spelling_do_not_count() {
        let one = of("{ \"b\": 1E3, \"a\": \"\\u0041\", \"id\": \"x\" }");
        assert_eq!(one, r#"{"a":"A","b":1000}"#);
        assert_eq!(one, of("{\"a\":\"A\",\n\"b\":1000.0}"));
    }

    #[test]
    fn every_digit_of_a_long_integer_counts() {
        assert_ne!(of("{\"a\":9223372036854775806}"), of("{\"a\":9223372036854775807}"));
    }

    #[test]
    fn of_repeated_keys_the_last_counts() {
        assert_eq!(of(r#"{"b":0,"a":1,"a":2}"#), r#"{"a":2,"b":0}"#);
    }

    #[test]
    fn only_the_top_level_id_is_left_out() {
        assert_eq!(of(r#"{"id":"x","spec":{"id":"y"}}"#), r#"{"spec":{"id":"y"}}"#);
    }

    #[test]
    fn volatile_fields_do_not_count_and_are_named() {
        let document = Document::parse(r#"{"context":{"tags":{"run":17},"priority":60},"list":[1,2,3]}"#);
        let volatile = ["context.tags.run", "list[1]", "not.there"].map(|text| Path::parse(text).unwrap());
        let made = canonical(&document, &volatile).unwrap();
        assert_eq!(made.text(), r#"{"context":{"priority":60,"tags":{}},"list":[1,3]}"#);
        assert_eq!(made.left_out(), &volatile[..2]);
    }

    #[test]
    fn a_template_is_never_hashed() {
        let error = canonical(&Document::parse("{\"a\":\n %%WHEN%%}"), &[]).unwrap_err();
        assert_eq!(error.line, 2);
        assert!(canonical(&Document::parse(""), &[]).is_err());
    }

    #[test]
    fn a_derived_version_is_twelve_digits_of_the_content() {
        let made = canonical(&Document::parse("{}"), &[]).unwrap();
        // printf '{}' | sha1sum
        assert_eq!(Version::derived(&made).text(), "c-bf21a9e8fbc5");
    }
}
