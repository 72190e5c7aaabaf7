//! Keys that Druid passes over in silence: unknown, misspelt, in the wrong place, or not read any more.
//!
//! Druid ignores what it does not know (`DefaultObjectMapper` switches FAIL_ON_UNKNOWN_PROPERTIES off), so a
//! misspelt `dropExsiting` is accepted and does nothing. Objects of types that the field table does not describe are
//! left alone: a false alarm would teach people to look away.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use crate::json::{Document, Edit, Kind as JsonKind, Node, Path, Severity};
use crate::order::Order as _;
use crate::release::Release;
use crate::zone::UtcOnly;

use super::fields::{self, Field, Shape};
use super::{Fix, Problem, Task, TaskKind};

/// What is written and not read, in the order of the text.
#[must_use]
pub fn lint(document: &Document) -> Vec<Problem> {
    Lint::of(document, None)
}

/// The same with what one release does not know yet, or no more.
#[must_use]
pub fn lint_for(document: &Document, release: Release) -> Vec<Problem> {
    Lint::of(document, Some(release))
}

struct Lint<'d> {
    document: &'d Document,
    release: Option<Release>,
    kind: TaskKind,
    /// All fields of this kind of task with their paths, once a key is not known where it stands.
    known: OnceCell<Vec<(String, &'static Field)>>,
    /// Those of streams, once a key is not known anywhere else.
    of_streams: OnceCell<Vec<(String, &'static Field)>>,
    found: Vec<Problem>,
}

impl Lint<'_> {
    fn of(document: &Document, release: Option<Release>) -> Vec<Problem> {
        let kind = Task::read(document, &UtcOnly).kind;
        let (Some(shape), Some(root)) = (fields::shape_of(&kind), document.root()) else { return Vec::new() };
        let (known, of_streams) = (OnceCell::new(), OnceCell::new());
        let mut lint = Lint { document, release, kind, known, of_streams, found: Vec::new() };
        lint.object(root, &Path::root(), shape);
        lint.found
    }

    fn object(&mut self, node: Node<'_>, path: &Path, shape: &'static Shape) {
        let object_type = shape.type_of(node);
        if !shape.types.is_empty() && !object_type.is_empty() && !shape.types.contains(&object_type.as_str())
        {
            return; // of an extension, or a type that is refused
        }
        let members: BTreeMap<Cow<'_, str>, Node<'_>> = node.members().collect();
        for (key, child) in node.members() {
            let below = path.join(&*key);
            match shape.field(&key, &object_type).or_else(|| self.flat_part(node, path, &key)) {
                Some(field) => {
                    self.release_of(child, &below, field);
                    if !object_type.is_empty() && !field.applies_to(&object_type) {
                        self.other_type(child, &below, field, shape, &object_type);
                    }
                    let Some(inner) = field.kind.inside() else { continue };
                    if child.kind() == JsonKind::Object {
                        self.object(child, &below, inner);
                    }
                    for (at, item) in child.items().enumerate().filter(|(_, i)| i.kind() == JsonKind::Object)
                    {
                        self.object(item, &below.join(at), inner);
                    }
                }
                None => self.unknown(&members, child, &below, &key, shape, &object_type),
            }
        }
    }

    fn known(&self) -> &[(String, &'static Field)] {
        self.known.get_or_init(|| fields::all(&self.kind))
    }

    /// A part of a flat spec: told as a whole by `Task::read`, and looked at as if it stood inside spec.
    fn flat_part(&self, node: Node<'_>, path: &Path, key: &str) -> Option<&'static Field> {
        let is_flat = path.0.is_empty() && node.get("spec").is_none();
        let place = format!("spec.{key}");
        self.known().iter().find(|(known, _)| is_flat && *known == place).map(|(_, field)| *field)
    }

    fn say(
        &mut self,
        code: &'static str,
        node: Node<'_>,
        path: &Path,
        severity: Severity,
        message: String,
    ) -> &mut Problem {
        // The key is what is wrong, not its value.
        let span = node.key_span().unwrap_or_else(|| node.span());
        self.found.push_mut(Problem {
            code,
            path: path.clone(),
            span,
            severity,
            message,
            remedy: None,
            fix: None,
        })
    }

    /// A field that some releases do not read.
    fn release_of(&mut self, node: Node<'_>, path: &Path, field: &Field) {
        let key = field.key;
        if let Some(until) = field.until.filter(|until| self.release.is_none_or(|release| release >= *until))
        {
            // Without a release only what no release reads is told.
            if until <= Release::major(24) {
                let message = format!("Druid does not read {key} any more. {}", field.instead);
                self.say("key-gone", node, path, Severity::Note, message);
            } else if self.release.is_some() {
                let message =
                    format!("{key} is not read any more since Druid {}. {}", until.0, field.instead);
                self.say("key-gone", node, path, Severity::Warning, message);
            }
        }
        if let (Some(since), Some(release)) = (field.since, self.release)
            && release < since
        {
            let message = format!(
                "{key} is read since Druid {}; this server has {release} and passes over it",
                since.0
            );
            self.say("key-too-new", node, path, Severity::Warning, message);
        }
    }

    /// A field of the same shape that belongs to another type of object.
    fn other_type(&mut self, node: Node<'_>, path: &Path, field: &Field, shape: &Shape, object_type: &str) {
        // Servers write what is empty for all types.
        let is_empty_list = node.kind() == JsonKind::Array && node.children().next().is_none();
        if node.is_null() || is_empty_list {
            return;
        }
        let message = format!("{} is not read in {} of type {object_type}", field.key, shape.name);
        let problem = self.say("key-of-other-type", node, path, Severity::Warning, message);
        problem.remedy = Some(format!("it is read with {}", field.when.join(", ")));
        problem.fix =
            Some(Fix { label: format!("Remove {}", field.key), edits: vec![Edit::Remove(path.clone())] });
    }

    fn unknown(
        &mut self,
        members: &BTreeMap<Cow<'_, str>, Node<'_>>,
        node: Node<'_>,
        path: &Path,
        key: &str,
        shape: &'static Shape,
        object_type: &str,
    ) {
        let near = shape
            .fields
            .iter()
            .filter(|field| field.applies_to(object_type) || object_type.is_empty())
            .filter(|field| !members.contains_key(field.key))
            .filter_map(|field| distance(key, field.key).map(|distance| (distance, field)))
            .min_by_key(|(distance, _)| *distance);
        let elsewhere = self.elsewhere(path, key);
        if let Some((off, field)) = near
            && (off <= 1 || elsewhere.is_empty())
        {
            let message =
                format!("Druid does not know {key} and passes over it. Did you mean {}?", field.key);
            let problem = self.say("key-misspelt", node, path, Severity::Warning, message);
            let edits = vec![Edit::Rename(path.clone(), field.key.to_owned())];
            problem.fix = Some(Fix { label: format!("Write {}", field.key), edits });
            return;
        }
        if shape.open {
            return;
        }
        if path.to_string() == "spec.id" {
            return; // Task::read says more about it
        }
        if let Some((place, field)) = elsewhere.first() {
            let place = if place.is_empty() { "the top level" } else { place };
            let of_type = if field.when.is_empty() { "" } else { " of type " };
            let message =
                format!("{key} is not read here; it is known at {place}{of_type}{}", field.when.join(", "));
            // Of repeated keys only the last one counts, and would be worth its way.
            let counts = members.get(key).is_some_and(|last| last.span() == node.span());
            let fix = if counts { self.move_to(node, path, key, &elsewhere) } else { None };
            let problem = self.say("key-misplaced", node, path, Severity::Warning, message);
            problem.remedy = Some("Druid passes over it without a word".to_owned());
            problem.fix = fix;
            return;
        }
        let of_streams =
            self.of_streams.get_or_init(|| fields::all(&TaskKind::Supervisor("kafka".to_owned())));
        if let Some((place, _)) = of_streams.iter().find(|(_, field)| field.key == key) {
            let place = if *place == path.to_string() { String::new() } else { format!(" at {place}") };
            let message = format!("this kind of task does not read {key}; streams do{place}");
            self.say("key-of-streams", node, path, Severity::Note, message);
            return;
        }
        // Signs by which people mark what is meant for themselves.
        let is_private = key.starts_with(['_', '#', '/', '$']) || key.starts_with("x-") || key == "comment";
        let severity = if is_private { Severity::Note } else { Severity::Warning };
        self.say(
            "key-unknown",
            node,
            path,
            severity,
            format!("Druid does not know {key} and passes over it"),
        );
    }

    /// Objects in which a key is known, the nearest first.
    fn elsewhere(&self, path: &Path, key: &str) -> Vec<(String, &'static Field)> {
        let here = path.to_string();
        let mut places: Vec<_> = self
            .known()
            .iter()
            .filter(|(_, field)| field.key == key && !matches!(field.key, "type" | "name"))
            .map(|(place, field)| {
                (place.strip_suffix(key).unwrap_or(place).trim_end_matches('.').to_owned(), *field)
            })
            .collect();
        let shared = |place: &str| place.bytes().zip(here.bytes()).take_while(|(a, b)| a == b).count();
        places.order_by_key(|(place, _)| (std::cmp::Reverse(shared(place)), place.len()));
        places
    }

    /// The fix that moves a member to the first place where it would be read.
    fn move_to(
        &self,
        node: Node<'_>,
        path: &Path,
        key: &str,
        places: &[(String, &'static Field)],
    ) -> Option<Fix> {
        let flat = self.document.root().is_some_and(|root| root.get("spec").is_none());
        for (place, field) in places.iter().filter(|(place, _)| !place.contains('[')) {
            let place = if flat { place.strip_prefix("spec.").unwrap_or(place) } else { place };
            let Ok(container) = Path::parse(place) else { continue };
            let Some(object) = self.document.get(&container) else { continue };
            let kind = object.get("type").and_then(Node::as_str).unwrap_or_default();
            if object.kind() == JsonKind::Object && object.get(key).is_none() && field.applies_to(&kind) {
                let edits =
                    vec![Edit::Set(container.join(key), node.text().to_owned()), Edit::Remove(path.clone())];
                let place = if place.is_empty() { "the top level" } else { place };
                return Some(Fix { label: format!("Move it to {place}"), edits });
            }
        }
        None
    }
}

/// How far apart two keys are in slips of the pen (a letter more, less, other, or two swapped), `None` when too far to
/// be one. Upper and lower case count as near.
fn distance(left: &str, right: &str) -> Option<usize> {
    if left.eq_ignore_ascii_case(right) {
        return Some(1);
    }
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let longest = left.len().max(right.len());
    let allowed = (longest / 5).clamp(1, 3);
    if longest > 64 || left.len().abs_diff(right.len()) > allowed || longest < 3 {
        return None;
    }
    let at = |row: &[usize], i: usize| row.get(i).copied().unwrap_or(usize::MAX / 2);
    let (mut before, mut above): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=right.len()).collect());
    for (i, l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, r) in right.iter().enumerate() {
            let mut best =
                (at(&above, j) + usize::from(l != r)).min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && left.get(i - 1) == Some(r) && right.get(j - 1) == Some(l);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|distance| *distance <= allowed)
}
