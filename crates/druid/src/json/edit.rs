//! Edits as splices of the text.
//!
//! Always holds: a splice touches only what it must; `document.apply(&splice)` and then the inverse gives the
//! bytes from before; after a `set` the path holds the value, in its own spelling of numbers and text.
//! Where the text around the place is no JSON, an edit is refused, never guessed.

use super::style::{Style, is_tall, line_indent};
use super::{Document, Kind, MAX_DEPTH, Node, Path, Severity, Step, quote};

/// A replacement of one stretch of the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Splice {
    /// Byte at which it begins.
    pub at: usize,
    /// The text that goes.
    pub removed: String,
    /// The text that comes.
    pub inserted: String,
}

impl Splice {
    /// The splice that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Splice {
        Splice { at: self.at, removed: self.inserted.clone(), inserted: self.removed.clone() }
    }
}

/// A splice that belongs to another text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this edit belongs to another text: {expected:?} is not at byte {at}")]
pub struct SpliceError {
    /// Byte at which the text differs.
    pub at: usize,
    /// What the splice wanted to remove there.
    pub expected: String,
}

/// One change of a document, by path: what a fix consists of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// Put a value (JSON text) at a path.
    Set(Path, String),
    /// Take away what is at a path.
    Remove(Path),
    /// Give a member another key.
    Rename(Path, String),
}

/// An edit that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The new value is no JSON.
    #[error("the new value is not JSON: {0}")]
    NotJson(String),
    /// The document around the place is no JSON.
    #[error("{path}: the text around this place is not JSON yet; correct it there first")]
    Broken {
        /// The container that is not whole.
        path: Path,
    },
    /// The path leads through something that has no members.
    #[error("{path}: there is a plain value here, nothing can be put inside it")]
    NotAContainer {
        /// Where the plain value, or a container of the other kind, stands.
        path: Path,
    },
    /// There is nothing at the path.
    #[error("{path}: there is nothing here")]
    NotFound {
        /// The path.
        path: Path,
    },
    /// The position is behind the end of the array, or the key is taken.
    #[error("{path}: this place cannot be used, the array is shorter or the key is taken")]
    NoSuchPlace {
        /// The path.
        path: Path,
    },
    /// The result would be deeper than documents are read.
    #[error("{path}: nested more than {MAX_DEPTH} levels deep")]
    TooDeep {
        /// The path.
        path: Path,
    },
}

/// A value to be put somewhere: a parsed fragment under objects and arrays that are made for it.
struct Fragment(Document);

impl Fragment {
    fn new(json: &str, wrap: &[Step], path: &Path) -> Result<Fragment, EditError> {
        let value = Document::parse(json.trim());
        if let Some(first) = value.diagnostics().iter().find(|found| found.severity() == Severity::Error) {
            return Err(EditError::NotJson(first.message.clone()));
        }
        let mut text = value.text().to_owned();
        for step in wrap.iter().rev() {
            text = match step {
                Step::Key(key) => format!("{{{}:{text}}}", quote(key)),
                Step::Index(0) => format!("[{text}]"),
                Step::Index(_) => return Err(EditError::NoSuchPlace { path: path.clone() }),
            };
        }
        let value = Document::parse(text);
        let depth = path.0.len() - wrap.len() + depth(&value);
        if depth > MAX_DEPTH || !value.is_well_formed() {
            return Err(EditError::TooDeep { path: path.clone() });
        }
        Ok(Fragment(value))
    }

    fn lay_out(&self, style: &Style, indent: &str, tall: Option<bool>) -> String {
        self.0.root().map(|root| style.lay_out(root, indent, tall)).unwrap_or_default()
    }
}

/// Containers inside one another in a document.
fn depth(document: &Document) -> usize {
    fn below(node: Node<'_>) -> usize {
        node.children().map(below).max().map_or(usize::from(is_container(node)), |deepest| deepest + 1)
    }
    document.root().map_or(0, below)
}

fn is_container(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Object | Kind::Array)
}

impl Document {
    /// The document with a splice applied.
    ///
    /// # Errors
    /// The text does not have at that place what the splice removes.
    pub fn apply(&self, splice: &Splice) -> Result<Document, SpliceError> {
        let wrong = || SpliceError { at: splice.at, expected: splice.removed.clone() };
        let (before, rest) = self.text().split_at_checked(splice.at).ok_or_else(wrong)?;
        let after = rest.strip_prefix(splice.removed.as_str()).ok_or_else(wrong)?;
        Ok(Document::parse([before, &splice.inserted, after].concat()))
    }

    /// The smallest splice that turns this text into another, as after typing into it.
    #[must_use]
    pub fn splice_to(&self, text: &str) -> Splice {
        let (old, new) = (self.text(), text);
        let same = |(a, b): &(char, char)| a == b;
        let start: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
        let end: usize =
            old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        Splice {
            at: start,
            removed: old.get(..old.len() - end).unwrap_or_default().to_owned(),
            inserted: new.get(..new.len() - end).unwrap_or_default().to_owned(),
        }
    }

    /// The splice of an [`Edit`].
    ///
    /// # Errors
    /// As [`Document::set`], [`Document::remove`], [`Document::rename`].
    pub fn edit(&self, edit: &Edit) -> Result<Splice, EditError> {
        match edit {
            Edit::Set(path, json) => self.set(path, json),
            Edit::Remove(path) => self.remove(path),
            Edit::Rename(path, key) => self.rename(path, key),
        }
    }

    /// Puts a value (JSON text) at a path: over what is there (of repeated keys the last), or as a new member
    /// at the end of its object, or as the next element of its array. Missing parents are made, a `null` on
    /// the way is taken as missing. The new text looks like the rest of the document.
    ///
    /// # Errors
    /// The value is no JSON; the path leads through a plain value or behind the end of an array; the place is
    /// in a part of the text that is broken.
    pub fn set(&self, path: &Path, json: &str) -> Result<Splice, EditError> {
        let splice = self.set_unproven(path, json)?;
        self.proven(splice, path, |edited| {
            let value = Document::parse(json.trim());
            edited.get(path).map(Node::value) == value.root().map(Node::value)
        })
    }

    fn set_unproven(&self, path: &Path, json: &str) -> Result<Splice, EditError> {
        let style = Style::of(self);
        let Some(mut node) = self.root() else {
            if !self.text().trim_start_matches('\u{feff}').trim().is_empty() {
                return Err(EditError::Broken { path: Path::root() }); // a comment, which would swallow the value
            }
            let text = Fragment::new(json, &path.0, path)?.lay_out(&style, "", None);
            return Ok(self.replace(self.text().len(), self.text().len(), text));
        };
        for (depth, step) in path.0.iter().enumerate() {
            if let Some(child) = node.step(step) {
                node = child;
                continue;
            }
            let wrap = path.0.get(depth + 1..).unwrap_or_default();
            let here = || Path(path.0.get(..depth).unwrap_or_default().to_vec());
            return match (node.kind(), step) {
                (Kind::Object, Step::Key(key)) => {
                    self.whole(node, here())?;
                    Ok(self.add(&style, node, Some(key), &Fragment::new(json, wrap, path)?))
                }
                (Kind::Array, Step::Index(index)) => {
                    self.whole(node, here())?;
                    if *index != node.items().count() {
                        return Err(EditError::NoSuchPlace { path: path.clone() });
                    }
                    Ok(self.add(&style, node, None, &Fragment::new(json, wrap, path)?))
                }
                (Kind::Null, _) => {
                    let wrap = path.0.get(depth..).unwrap_or_default();
                    self.put(&style, node, path, &Fragment::new(json, wrap, path)?)
                }
                (Kind::Broken, _) => Err(EditError::Broken { path: here() }),
                _ => Err(EditError::NotAContainer { path: here() }),
            };
        }
        self.put(&style, node, path, &Fragment::new(json, &[], path)?)
    }

    /// Puts a value into an array before the element at the path (or at its end). For a member of an object
    /// the same as [`Document::set`] with a key that must be free.
    ///
    /// # Errors
    /// As [`Document::set`]; the key is taken.
    pub fn insert(&self, path: &Path, json: &str) -> Result<Splice, EditError> {
        let Some(before) = self.get(path) else { return self.set(path, json) };
        let (Some(Step::Index(index)), Some(parent)) = (path.0.last(), path.parent()) else {
            return Err(EditError::NoSuchPlace { path: path.clone() });
        };
        let Some(array) = self.get(&parent) else { return Err(EditError::NotFound { path: parent }) };
        self.whole(array, parent)?;
        let style = Style::of(self);
        let value = Fragment::new(json, &[], path)?;
        let text = value.lay_out(&style, line_indent(self, before.outer_start()), None);
        // The gap to the next element is the gap that stood before or after this one.
        let neighbours: Vec<_> = array.items().collect();
        let gap = match neighbours.get(index.saturating_sub(1)..).unwrap_or_default() {
            [left, right, ..] => self.between(left.span().end, right.span().start).to_owned(),
            _ if is_tall(self, array) => {
                format!(",{}", style.line(line_indent(self, before.outer_start())))
            }
            _ => style.comma.clone(),
        };
        let at = before.span().start;
        Ok(self.replace(at, at, format!("{text}{gap}")))
    }

    /// Takes away the member or element at a path with its comma. Of repeated keys all go: otherwise an
    /// earlier one would come to life.
    ///
    /// # Errors
    /// There is nothing at the path, it is the root, or the text around it is broken.
    pub fn remove(&self, path: &Path) -> Result<Splice, EditError> {
        let not_found = || EditError::NotFound { path: path.clone() };
        let parent_path = path.parent().ok_or_else(not_found)?;
        let step = path.0.last().ok_or_else(not_found)?;
        let parent = self.get(&parent_path).ok_or_else(not_found)?;
        self.whole(parent, parent_path)?;
        let children: Vec<_> = parent.children().collect();
        let goes: Vec<bool> = children
            .iter()
            .enumerate()
            .map(|(at, child)| match step {
                Step::Key(key) => child.key().is_some_and(|name| name == *key),
                Step::Index(index) => parent.kind() == Kind::Array && at == *index,
            })
            .collect();
        if !goes.contains(&true) {
            return Err(not_found());
        }
        if !goes.contains(&false) {
            return Ok(self.replace(parent.span().start + 1, parent.span().end - 1, String::new()));
        }
        // A child goes with the comma before it, or with the one after it while nothing before it stays.
        let mut cuts = Vec::new();
        let mut kept: Option<usize> = None;
        for (at, (child, goes)) in children.iter().zip(&goes).enumerate() {
            if !goes {
                kept = Some(at);
                continue;
            }
            let previous = at.checked_sub(1).filter(|_| kept.is_some()).and_then(|at| children.get(at));
            match (previous, children.get(at + 1)) {
                (Some(previous), _) => cuts.push((previous.span().end, child.span().end)),
                (None, Some(next)) => cuts.push((child.outer_start(), next.outer_start())),
                (None, None) => {}
            }
        }
        let (Some((start, _)), Some((_, end))) = (cuts.first().copied(), cuts.last().copied()) else {
            return Err(not_found());
        };
        let stays: String = cuts
            .windows(2)
            .map(|two| match two {
                [(_, from), (to, _)] => self.between(*from, *to),
                _ => "",
            })
            .collect();
        Ok(self.replace(start, end, stays))
    }

    /// Gives the member at a path another key, value and place unchanged.
    ///
    /// # Errors
    /// There is no such member, the new key is taken, or the text around it is broken.
    pub fn rename(&self, path: &Path, key: &str) -> Result<Splice, EditError> {
        let not_found = || EditError::NotFound { path: path.clone() };
        let node = self.get(path).ok_or_else(not_found)?;
        let span = node.key_span().ok_or_else(not_found)?;
        let parent = path.parent().ok_or_else(not_found)?;
        if self.get(&parent.join(key)).is_some() {
            return Err(EditError::NoSuchPlace { path: parent.join(key) });
        }
        let splice = self.replace(span.start, span.end, quote(key));
        self.proven(splice, path, |edited| {
            edited.get(&parent.join(key)).is_some_and(|renamed| renamed.text() == node.text())
        })
    }

    /// An error beside the place can reach into it: an open quote, a missing colon, a list of errors so long that the
    /// rest is not read. So an edit of a text with errors is read again, and refused where it did not do its work.
    fn proven(
        &self,
        splice: Splice,
        path: &Path,
        done: impl Fn(&Document) -> bool,
    ) -> Result<Splice, EditError> {
        let has_errors = self.diagnostics().iter().any(|found| found.severity() == Severity::Error);
        if has_errors && !self.apply(&splice).is_ok_and(|edited| done(&edited)) {
            return Err(EditError::Broken { path: path.clone() });
        }
        Ok(splice)
    }

    fn between(&self, start: usize, end: usize) -> &str {
        self.text().get(start..end).unwrap_or_default()
    }

    fn replace(&self, start: usize, end: usize, inserted: String) -> Splice {
        Splice { at: start, removed: self.between(start, end).to_owned(), inserted }
    }

    /// Whether a container can be edited inside.
    fn whole(&self, container: Node<'_>, path: Path) -> Result<(), EditError> {
        if container.raw.flawed { Err(EditError::Broken { path }) } else { Ok(()) }
    }

    /// A value over another, laid out as the other was.
    fn put(&self, style: &Style, old: Node<'_>, path: &Path, value: &Fragment) -> Result<Splice, EditError> {
        let after = self.text().get(old.span().end..).and_then(|rest| rest.chars().next());
        let grows = after.is_some_and(|c| !c.is_whitespace() && !",:{}[]\"".contains(c));
        // Where the text ends before its value, the last of it may be a comment.
        let is_missing = old.text().is_empty() && after.is_none();
        if grows || is_missing {
            return Err(EditError::Broken { path: path.clone() });
        }
        let tall = (old.children().next().is_some()).then(|| is_tall(self, old));
        let same_kind = value.0.root().is_some_and(|root| root.kind() == old.kind());
        let indent = line_indent(self, old.outer_start());
        let text = value.lay_out(style, indent, tall.filter(|_| same_kind));
        Ok(self.replace(old.span().start, old.span().end, text))
    }

    /// A value as the last child of a container.
    fn add(&self, style: &Style, container: Node<'_>, key: Option<&str>, value: &Fragment) -> Splice {
        let children: Vec<_> = container.children().collect();
        let span = container.span();
        let [.., last] = children.as_slice() else {
            return self.add_first(style, container, key, value);
        };
        let tall = is_tall(self, container);
        let indent = line_indent(self, if tall { last.outer_start() } else { span.start });
        let gap = match children.as_slice() {
            [.., left, right] => self.between(left.span().end, right.outer_start()).to_owned(),
            _ if tall => format!(",{}", style.line(indent)),
            _ => style.comma.clone(),
        };
        let colon = last.key_span().map(|key| self.between(key.end, last.span().start));
        let colon = colon.unwrap_or(&style.colon);
        let key = key.map(|key| format!("{}{colon}", quote(key))).unwrap_or_default();
        // What joins a row stays in the row.
        let text = value.lay_out(style, indent, (!tall).then_some(false));
        self.replace(last.span().end, last.span().end, format!("{gap}{key}{text}"))
    }

    fn add_first(&self, style: &Style, container: Node<'_>, key: Option<&str>, value: &Fragment) -> Splice {
        let span = container.span();
        let outer = line_indent(self, span.start);
        let is_nested = value.0.root().is_some_and(is_container);
        let tall = style.multiline && (key.is_some() || style.tall_arrays || is_nested);
        let inner = format!("{outer}{}", style.unit);
        let key = key.map(|key| format!("{}{}", quote(key), style.colon)).unwrap_or_default();
        let text = if tall {
            let text = value.lay_out(style, &inner, None);
            format!("{}{key}{text}{}", style.line(&inner), style.line(outer))
        } else {
            let pad = if container.kind() == Kind::Object { &style.object_pad } else { &style.array_pad };
            format!("{pad}{key}{}{pad}", value.lay_out(style, outer, Some(false)))
        };
        self.replace(span.start + 1, span.end - 1, text)
    }
}
