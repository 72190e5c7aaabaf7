//! Where in a JSON document something is: `spec.ioConfig.inputSource.prefixes[0]`.
//!
//! Always holds: `Path::parse(&path.to_string()) == Ok(path)`. A key that would be read as something else
//! (dots, brackets, blanks, the empty key) is written as a JSON string in brackets: `context["a.b"]`.
//! A path says nothing about whether anything is there.

use std::fmt;

/// One step down: into an object by key or into an array by position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A member of an object, by its decoded key.
    Key(String),
    /// An element of an array, counted from 0.
    Index(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Step {
        Step::Key(key.to_owned())
    }
}

impl From<String> for Step {
    fn from(key: String) -> Step {
        Step::Key(key)
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Step {
        Step::Index(index)
    }
}

/// A way down from the root of a document; empty for the root itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(pub Vec<Step>);

/// A text that is no path: what is wrong, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a path at byte {at}: {message}")]
pub struct PathError {
    /// Byte of the text at which reading stopped.
    pub at: usize,
    /// What was expected there.
    pub message: String,
}

impl Path {
    /// The root of the document.
    #[must_use]
    pub fn root() -> Path {
        Path::default()
    }

    /// A path of object keys.
    #[must_use]
    pub fn keys(keys: &[&str]) -> Path {
        Path(keys.iter().map(|key| Step::from(*key)).collect())
    }

    /// This path and one step more.
    #[must_use]
    pub fn join(&self, step: impl Into<Step>) -> Path {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Path(steps)
    }

    /// This path and all steps of another.
    #[must_use]
    pub fn join_all(&self, below: &Path) -> Path {
        let mut steps = self.0.clone();
        steps.extend(below.0.iter().cloned());
        Path(steps)
    }

    /// The container of what this path names, `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Path> {
        let (_, above) = self.0.split_last()?;
        Some(Path(above.to_vec()))
    }

    /// The last key, if the last step is one.
    #[must_use]
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last()? {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }

    /// Whether `self` is `above` or lies below it.
    #[must_use]
    pub fn starts_with(&self, above: &Path) -> bool {
        self.0.starts_with(&above.0)
    }

    /// Reads what `Display` writes.
    ///
    /// # Errors
    /// An unclosed bracket, a position that is no number, an empty key outside brackets.
    pub fn parse(text: &str) -> Result<Path, PathError> {
        let mut steps = Vec::new();
        let mut rest = text;
        let fail = |rest: &str, message: &str| PathError {
            at: text.len() - rest.len(),
            message: message.to_owned(),
        };
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[') {
                if inner.starts_with('"') {
                    let length =
                        quoted_length(inner).ok_or_else(|| fail(inner, "a closing quote is missing"))?;
                    let (quoted, after) = inner.split_at(length);
                    let key = serde_json::from_str(quoted).map_err(|_| fail(inner, "not a JSON string"))?;
                    steps.push(Step::Key(key));
                    rest = after.strip_prefix(']').ok_or_else(|| fail(after, "expected ]"))?;
                } else {
                    let (number, after) = inner.split_once(']').ok_or_else(|| fail(inner, "expected ]"))?;
                    let index = number.parse().map_err(|_| fail(inner, "expected a position"))?;
                    steps.push(Step::Index(index));
                    rest = after;
                }
            } else {
                let key_on = match rest.strip_prefix('.') {
                    Some(after) if !steps.is_empty() => after,
                    None if steps.is_empty() => rest,
                    _ => return Err(fail(rest, "expected a key")),
                };
                let length = key_on.find(['.', '[', ']', '"']).unwrap_or(key_on.len());
                let (key, after) = key_on.split_at(length);
                if key.is_empty() {
                    return Err(fail(key_on, "expected a key"));
                }
                steps.push(Step::from(key));
                rest = after;
            }
        }
        Ok(Path(steps))
    }
}

/// Bytes of the JSON string at the start of `text`, quotes included.
fn quoted_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && !key.contains(|c: char| c.is_whitespace() || c.is_control() || ".[]\"".contains(c))
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) if is_plain(key) => {
                    write!(f, "{}{key}", if at == 0 { "" } else { "." })?;
                }
                Step::Key(key) => write!(f, "[{}]", super::quote(key))?,
            }
        }
        Ok(())
    }
}
