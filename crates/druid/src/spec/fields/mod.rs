//! The field table: every key of a spec that Druid reads, with what people need to know of it.
//!
//! One table drives forms, hover help and [`super::lint`], so they cannot disagree. It is made of *shapes* (the
//! kinds of objects that occur) because one object may stand in several places: an input source inside a
//! combining one, a `tuningConfig` in batch and in compaction.
//!
//! It is two texts. `keys.txt` says what is read where, and is all that the lint needs; `help.txt` has the words for
//! people, line by line beside it, and is in a program only if that asks for [`Field::help`]. Both are read when they
//! are first needed.
//!
//! Always holds: a key that Druid's own classes read in a batch or compact task is in here, of every release from 24 to
//! 37, and a key in here is read by them (held against lists made from their annotations). Keys of extensions come from
//! Druid's pages. Streams are not complete: shapes say where they are open, and objects of a type that is not listed
//! are left alone. What the values mean is read in [`super::Task`]; what is refused is in [`super::refusals`].

mod help;
mod table;

use crate::json::{Document, Node, Path, Step};
use crate::release::Release;

use super::TaskKind;

pub use help::Help;
use table::table;

/// One key of one shape.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What stands there.
    pub kind: Kind,
    /// The `type`s of the object for which it is read; empty: for all.
    pub when: Vec<&'static str>,
    /// The release that began to read it.
    pub since: Option<Release>,
    /// The first release that does not read it any more.
    pub until: Option<Release>,
    /// Of a key that is not read any more, what is to be said; empty for others.
    pub instead: &'static str,
    /// Its line in both texts, from 0.
    line: usize,
}

/// What stands at a field.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A text that must not be shown or kept: a password, a key. Druid also takes a password provider.
    Secret,
    /// True or false.
    Flag,
    /// A whole number that fits 32 bits.
    Int,
    /// A whole number that fits 64 bits.
    Long,
    /// A number, whole or not.
    Number,
    /// A number of bytes, also as text: `1GiB`.
    Bytes,
    /// One of some texts.
    Choice(Vec<&'static str>),
    /// An ISO 8601 duration: `PT10M`.
    Period,
    /// An ISO 8601 instant.
    Instant,
    /// An ISO 8601 interval.
    Interval,
    /// A list of intervals.
    Intervals,
    /// A granularity: a name or an object.
    Granularity,
    /// A list of texts.
    Texts,
    /// An object of a shape.
    Object(ShapeId),
    /// A list of objects of a shape (or of plain names, where Druid takes them).
    List(ShapeId),
    /// Anything: what is inside is not described here.
    Any,
}

/// The place of a shape in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapeId(usize);

/// A kind of object.
#[derive(Debug)]
pub struct Shape {
    /// What it is called in messages.
    pub name: &'static str,
    /// Its keys.
    pub fields: Vec<Field>,
    /// The values of its `type` that are described here; empty where it has none. Objects of another type belong to
    /// extensions and are left alone.
    pub types: Vec<&'static str>,
    /// The type that is taken where none is given.
    pub default_type: &'static str,
    /// Whether other keys are as good as these: a map of things people name themselves.
    pub open: bool,
}

impl Field {
    /// Whether it is read in an object of a type.
    #[must_use]
    pub fn applies_to(&self, object_type: &str) -> bool {
        self.when.is_empty() || self.when.contains(&object_type)
    }
}

impl Kind {
    /// What an object, or each of a list, is made of.
    pub(super) fn inside(&self) -> Option<&'static Shape> {
        match self {
            Kind::Object(shape) | Kind::List(shape) => table().shape(*shape),
            _ => None,
        }
    }
}

impl Shape {
    /// The `type` of an object of this shape, given or taken.
    pub(super) fn type_of(&self, node: Node<'_>) -> String {
        let given = node.get("type").and_then(Node::as_str).filter(|_| !self.types.is_empty());
        given.map_or_else(|| self.default_type.to_owned(), std::borrow::Cow::into_owned)
    }

    /// The field of a key in an object of a type; one that is read in another type only if there is no better.
    pub(super) fn field(&self, key: &str, object_type: &str) -> Option<&Field> {
        let mut named = self.fields.iter().filter(|field| field.key == key);
        named.clone().find(|field| field.applies_to(object_type)).or_else(|| named.next())
    }
}

/// The shape of a whole task or supervisor; `None` for kinds that are not described here.
#[must_use]
pub fn shape_of(kind: &TaskKind) -> Option<&'static Shape> {
    let name = match kind {
        TaskKind::IndexParallel | TaskKind::Index => "task",
        TaskKind::Compact => "compact",
        TaskKind::Kill => "kill",
        TaskKind::Supervisor(name) if matches!(name.as_str(), "kafka" | "kinesis") => "supervisor",
        _ => return None,
    };
    table().named(name)
}

/// The field that a path names in a document: what hover help shows.
#[must_use]
pub fn field_at(document: &Document, kind: &TaskKind, path: &Path) -> Option<&'static Field> {
    let mut shape = shape_of(kind);
    let mut node = document.root()?;
    let mut found = None;
    for step in &path.0 {
        let Step::Key(key) = step else {
            node = node.step(step)?;
            continue;
        };
        let here = shape?;
        // A spec whose parts stand at the top level is read as if they stood inside spec.
        let is_batch = matches!(kind, TaskKind::IndexParallel | TaskKind::Index);
        let flat = || table().named("spec").filter(|_| is_batch && found.is_none())?.field(key, "");
        let field = here.field(key, &here.type_of(node)).or_else(flat)?;
        found = Some(field);
        shape = field.kind.inside();
        match node.get(key) {
            Some(child) => node = child,
            None => return found.filter(|_| path.last_key() == Some(key)),
        }
    }
    found
}

/// Every field of a kind of task with its path, lists written as `[]`: `spec.dataSchema.metricsSpec[].name`.
/// Shapes that hold themselves are listed once.
#[must_use]
pub fn all(kind: &TaskKind) -> Vec<(String, &'static Field)> {
    fn collect(
        shape: &'static Shape,
        path: &str,
        above: &mut Vec<*const Shape>,
        out: &mut Vec<(String, &'static Field)>,
    ) {
        above.push(shape);
        for field in &shape.fields {
            let mut here = path.to_owned();
            if !path.is_empty() {
                here.push('.');
            }
            here.push_str(field.key);
            let below = field.kind.inside().map(|inner| (inner, here.clone()));
            out.push((here, field));
            if let Some((inner, mut below)) = below
                && !above.contains(&std::ptr::from_ref(inner))
            {
                if matches!(field.kind, Kind::List(_)) {
                    below.push_str("[]");
                }
                collect(inner, &below, above, out);
            }
        }
        above.pop();
    }
    let mut out = Vec::new();
    if let Some(shape) = shape_of(kind) {
        collect(shape, "", &mut Vec::new(), &mut out);
    }
    out
}

/// Every shape with its name in the table, for tables of one's own.
pub fn shapes() -> impl Iterator<Item = (&'static str, &'static Shape)> {
    table().all()
}
