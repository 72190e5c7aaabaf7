//! Reading `keys.txt`.
//!
//! ```text
//! = name what-it-is-called [of type,type] [or default-type] [open]
//! key kind [of type,type] [since release] [until release] [: what to say of a key that is gone]
//! ```
//! A kind is a word, `(choice|choice)`, `{shape}` for an object or `[shape]` for a list of them. The text is our own: a
//! word that is none is taken as `any`, and the tests see to it that there is none.

use std::sync::LazyLock;

use super::{Field, Kind, Shape, ShapeId};
use crate::release::Release;

static KEYS: &str = include_str!("keys.txt");

/// All shapes.
pub(super) struct Table {
    shapes: Vec<(&'static str, Shape)>,
}

/// The table, read once.
pub(super) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(KEYS));
    &TABLE
}

impl Table {
    fn read(text: &'static str) -> Table {
        let head = |line: &'static str| line.strip_prefix("= ")?.split(' ').next();
        let names: Vec<&str> = text.lines().filter_map(head).collect();
        let mut shapes: Vec<(&'static str, Shape)> = Vec::with_capacity(names.len());
        for (number, line) in text.lines().enumerate() {
            if let Some(line) = line.strip_prefix("= ") {
                shapes.push(shape(line));
            } else if let Some((_, shape)) = shapes.last_mut() {
                shape.fields.push(field(line, number, &names));
            }
        }
        Table { shapes }
    }

    pub(super) fn shape(&self, id: ShapeId) -> Option<&Shape> {
        self.shapes.get(id.0).map(|(_, shape)| shape)
    }

    pub(super) fn named(&self, name: &str) -> Option<&Shape> {
        self.shapes.iter().find(|(known, _)| *known == name).map(|(_, shape)| shape)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, &Shape)> {
        self.shapes.iter().map(|(name, shape)| (*name, shape))
    }
}

fn shape(line: &'static str) -> (&'static str, Shape) {
    let mut words = line.split(' ');
    let (id, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut shape = Shape { name, fields: Vec::new(), types: Vec::new(), default_type: "", open: false };
    while let Some(word) = words.next() {
        match word {
            "of" => shape.types = list(words.next()),
            "or" => shape.default_type = words.next().unwrap_or_default(),
            _ => shape.open = true,
        }
    }
    (id, shape)
}

fn field(line: &'static str, number: usize, names: &[&str]) -> Field {
    let (line, instead) = line.split_once(" : ").unwrap_or((line, ""));
    let mut words = line.split(' ');
    let key = words.next().unwrap_or_default();
    let kind = kind(words.next().unwrap_or_default(), names);
    let mut field = Field { key, kind, when: Vec::new(), since: None, until: None, instead, line: number };
    while let Some(word) = words.next() {
        let with = words.next();
        let release = || with.and_then(|major| major.parse().ok()).map(Release::major);
        match word {
            "of" => field.when = list(with),
            "since" => field.since = release(),
            _ => field.until = release(),
        }
    }
    field
}

fn list(words: Option<&'static str>) -> Vec<&'static str> {
    words.unwrap_or_default().split(',').collect()
}

fn kind(word: &'static str, names: &[&str]) -> Kind {
    let inside =
        |open, close| word.strip_prefix(open).and_then(|word: &'static str| word.strip_suffix(close));
    let shape = |name: &str| names.iter().position(|known| *known == name).map(ShapeId);
    if let Some(choices) = inside('(', ')') {
        return Kind::Choice(choices.split('|').collect());
    }
    if let Some(shape) = inside('{', '}').and_then(shape) {
        return Kind::Object(shape);
    }
    if let Some(shape) = inside('[', ']').and_then(shape) {
        return Kind::List(shape);
    }
    match word {
        "text" => Kind::Text,
        "secret" => Kind::Secret,
        "flag" => Kind::Flag,
        "int" => Kind::Int,
        "long" => Kind::Long,
        "number" => Kind::Number,
        "bytes" => Kind::Bytes,
        "period" => Kind::Period,
        "instant" => Kind::Instant,
        "interval" => Kind::Interval,
        "intervals" => Kind::Intervals,
        "granularity" => Kind::Granularity,
        "texts" => Kind::Texts,
        _ => Kind::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_table_is_one_that_is_understood() {
        let table = table();
        for line in KEYS.lines() {
            let (line, _) = line.split_once(" : ").unwrap_or((line, ""));
            let words: Vec<&str> = line.split(' ').collect();
            let (kind, rest) = match words.as_slice() {
                ["=", _, _, rest @ ..] => ("any", rest),
                [_, kind, rest @ ..] => (*kind, rest),
                _ => panic!("{line}"),
            };
            let shape = kind.trim_matches(['{', '}', '[', ']']);
            if shape != kind {
                assert!(table.named(shape).is_some(), "{line}");
            } else if kind != "any" && !kind.starts_with('(') {
                assert_ne!(super::kind(Box::leak(kind.to_owned().into()), &[]), Kind::Any, "{line}");
            }
            let rest: Vec<&str> = rest.iter().copied().filter(|word| *word != "open").collect();
            for pair in rest.chunks(2) {
                match pair {
                    ["of", types] if line.starts_with('=') => assert!(!types.is_empty()),
                    ["or", _] if line.starts_with('=') => {}
                    ["of", types] => {
                        assert!(!types.is_empty());
                    }
                    ["since" | "until", release] => assert!(release.parse::<u32>().is_ok(), "{line}"),
                    _ => panic!("{line}"),
                }
            }
        }
    }

    #[test]
    fn a_field_is_read_only_in_types_that_its_shape_has() {
        for (name, shape) in table().all() {
            for field in &shape.fields {
                let strange = field.when.iter().find(|of| !shape.types.contains(of));
                assert_eq!(strange, None, "{name}.{}", field.key);
                assert!(field.until.is_none() || !field.instead.is_empty(), "{name}.{}", field.key);
            }
        }
    }
}
