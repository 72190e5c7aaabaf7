//! The field table: every key of a spec that Druid reads, with what people need to know of it.
//!
//! One table drives forms, hover help and [`super::lint`], so they cannot disagree. It is made of *shapes* (the
//! kinds of objects that occur) because one object may stand in several places: an input source inside a
//! combining one, a `tuningConfig` in batch and in compaction.
//!
//! Always holds: a key that Druid reads in a batch task is in here. It is not complete for streams, aggregators,
//! filters and formats of extensions: shapes say where they are open, and objects of a type that is not listed are
//! left alone. What the values mean is read in [`super::Task`]; what is refused is in [`super::refusals`].

mod input;
mod schema;
mod stream;
mod tuning;
mod whole;

use crate::json::{Document, Node, Path, Step};
use crate::release::Release;

use super::TaskKind;

pub use input::{INPUT_FORMAT, INPUT_SOURCE};
pub use schema::DATA_SCHEMA;
pub use tuning::{PARTITIONS, TUNING};
pub use whole::{BATCH, COMPACT, CONTEXT, KILL};

/// One key of one shape.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// A name for people.
    pub label: &'static str,
    /// What stands there.
    pub kind: Kind,
    /// What Druid takes where nothing is given, as people would write it; empty where it needs a value or takes
    /// none.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The `type`s of the object for which it is read; empty: for all.
    pub when: &'static [&'static str],
    /// The release that began to read it.
    pub since: Option<Release>,
    /// The first release that does not read it any more.
    pub until: Option<Release>,
    /// What has to hold beside it, in words, with the Druid class or page that says so; empty for nothing.
    pub rule: &'static str,
}

/// What stands at a field.
#[derive(Debug)]
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
    /// A number of bytes, also as text: `1GiB`.
    Bytes,
    /// One of some texts.
    Choice(&'static [&'static str]),
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
    Object(&'static Shape),
    /// A list of objects of a shape (or of plain names, where Druid takes them).
    List(&'static Shape),
    /// Anything: what is inside is not described here.
    Any,
}

/// A kind of object.
#[derive(Debug)]
pub struct Shape {
    /// What it is called in messages.
    pub name: &'static str,
    /// Its keys.
    pub fields: &'static [Field],
    /// The values of its `type` that are described here; empty where it has none. Objects of another type belong to
    /// extensions and are left alone.
    pub types: &'static [&'static str],
    /// The type that is taken where none is given.
    pub default_type: &'static str,
    /// Whether other keys are as good as these: a map of things people name themselves.
    pub open: bool,
}

impl Field {
    const fn new(
        key: &'static str,
        label: &'static str,
        kind: Kind,
        default: &'static str,
        help: &'static str,
    ) -> Field {
        Field { key, label, kind, default, help, when: &[], since: None, until: None, rule: "" }
    }

    const fn when(mut self, types: &'static [&'static str]) -> Field {
        self.when = types;
        self
    }

    const fn since(mut self, major: u32) -> Field {
        self.since = Some(Release::major(major));
        self
    }

    const fn until(mut self, major: u32) -> Field {
        self.until = Some(Release::major(major));
        self
    }

    /// Not read by any release since 24, the oldest this product knows.
    const fn gone(self) -> Field {
        self.until(24)
    }

    const fn rule(mut self, rule: &'static str) -> Field {
        self.rule = rule;
        self
    }

    /// Whether it is read in an object of a type.
    #[must_use]
    pub fn applies_to(&self, object_type: &str) -> bool {
        self.when.is_empty() || self.when.contains(&object_type)
    }
}

impl Shape {
    const fn plain(name: &'static str, fields: &'static [Field]) -> Shape {
        Shape { name, fields, types: &[], default_type: "", open: false }
    }

    const fn typed(name: &'static str, types: &'static [&'static str], fields: &'static [Field]) -> Shape {
        Shape { name, fields, types, default_type: "", open: false }
    }

    const fn or(mut self, default_type: &'static str) -> Shape {
        self.default_type = default_type;
        self
    }

    const fn open(mut self) -> Shape {
        self.open = true;
        self
    }

    /// The `type` of an object of this shape, given or taken.
    pub(super) fn type_of(&self, node: Node<'_>) -> String {
        let given = node.get("type").and_then(Node::as_str).filter(|_| !self.types.is_empty());
        given.map_or_else(|| self.default_type.to_owned(), std::borrow::Cow::into_owned)
    }

    /// The field of a key in an object of a type; one that is read in another type only if there is no better.
    pub(super) fn field(&self, key: &str, object_type: &str) -> Option<&'static Field> {
        let mut named = self.fields.iter().filter(|field| field.key == key);
        named.clone().find(|field| field.applies_to(object_type)).or_else(|| named.next())
    }
}

/// Rows of a table: `"key", "Label", Kind, "default", "help" .when(…) .since(…);`
macro_rules! fields {
    ($($key:literal, $label:literal, $kind:expr, $default:literal, $help:literal
        $(. $change:ident ( $($with:expr),* ))* ;)*) => {
        &[$(Field::new($key, $label, $kind, $default, $help)$(.$change($($with),*))*),*]
    };
}
use fields;

/// The shape of a whole task or supervisor; `None` for kinds that are not described here.
#[must_use]
pub fn shape_of(kind: &TaskKind) -> Option<&'static Shape> {
    match kind {
        TaskKind::IndexParallel | TaskKind::Index => Some(&BATCH),
        TaskKind::Compact => Some(&COMPACT),
        TaskKind::Kill => Some(&KILL),
        TaskKind::Supervisor(name) if matches!(name.as_str(), "kafka" | "kinesis") => {
            Some(&stream::SUPERVISOR)
        }
        _ => None,
    }
}

/// The field that a path names in a document: what hover help shows.
#[must_use]
pub fn field_at(document: &Document, kind: &TaskKind, path: &Path) -> Option<&'static Field> {
    let mut shape = shape_of(kind)?;
    let mut node = document.root()?;
    let mut found = None;
    for step in &path.0 {
        let Step::Key(key) = step else {
            node = node.step(step)?;
            continue;
        };
        let field = shape.field(key, &shape.type_of(node));
        // A spec whose parts stand at the top level is read as if they stood inside spec.
        let flat = || whole::SPEC.field(key, "").filter(|_| std::ptr::eq(shape, &raw const BATCH));
        let field = field.or_else(flat)?;
        found = Some(field);
        if let Kind::Object(inner) | Kind::List(inner) = field.kind {
            shape = inner;
        } else {
            shape = &NOTHING;
        }
        match node.get(key) {
            Some(child) => node = child,
            None => return found.filter(|_| path.last_key() == Some(key)),
        }
    }
    found
}

static NOTHING: Shape = Shape::plain("", &[]);

/// Every field of a kind of task with its path, lists written as `[]`: `spec.dataSchema.metricsSpec[].name`.
/// Shapes that hold themselves are listed once.
#[must_use]
pub fn all(kind: &TaskKind) -> Vec<(String, &'static Field)> {
    fn collect(
        shape: &'static Shape,
        path: &str,
        above: &[*const Shape],
        out: &mut Vec<(String, &'static Field)>,
    ) {
        for field in shape.fields {
            let here = if path.is_empty() { field.key.to_owned() } else { format!("{path}.{}", field.key) };
            let (inner, below) = match field.kind {
                Kind::Object(inner) => (inner, here.clone()),
                Kind::List(inner) => (inner, format!("{here}[]")),
                _ => (&NOTHING, String::new()),
            };
            out.push((here, field));
            let pointer: *const Shape = inner;
            if !above.contains(&pointer) {
                collect(inner, &below, &[above, &[pointer]].concat(), out);
            }
        }
    }
    let mut out = Vec::new();
    if let Some(shape) = shape_of(kind) {
        collect(shape, "", &[shape], &mut out);
    }
    out
}
