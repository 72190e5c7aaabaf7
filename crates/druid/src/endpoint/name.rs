//! A name that travels as one path segment: a task id or a datasource.

use std::fmt;
use std::sync::Arc;

use super::path::decode;

/// A task id or datasource that can stand in a path as one segment, whoever reads the path on the way.
///
/// Spaces, `?`, `#`, `%` and letters of every script are fine: they are escaped. Characters that some server between here and
/// Druid takes for a separator are not, although Druid itself runs a task called `a\b`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

/// Longest name, bytes. Druid's metadata column holds 255 characters of at most 4 bytes.
const LONGEST: usize = 1020;

impl Name {
    /// The name, if it can travel.
    pub fn new(text: &str) -> Result<Name, NameError> {
        match problem(text) {
            None => Ok(Name(text.into())),
            Some(problem) => Err(NameError { name: text.to_owned(), problem }),
        }
    }

    /// Reads one raw path segment, as strictly as [`super::Endpoint::parse`] does.
    pub fn from_segment(raw: &str) -> Option<Name> {
        Name::new(&decode::strictly(raw)?).ok()
    }

    /// The text, not escaped.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Why a name cannot travel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The name as given.
    pub name: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Empty,
    TooLong,
    Slash,
    LeadingDot,
    Control(char),
    Separator(char),
    EscapedSeparator,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.problem {
            Problem::Empty => write!(f, "A name is needed here."),
            Problem::TooLong => {
                write!(f, "This name has {} bytes; at most {LONGEST} can be sent.", name.len())
            }
            Problem::Slash => {
                write!(
                    f,
                    "Druid takes no name with a slash: Value [{name}] cannot contain '/'. Choose another name."
                )
            }
            Problem::LeadingDot => {
                write!(f, "Druid takes no name that starts with a dot: Value [{name}] cannot start with '.'.")
            }
            Problem::Control(c) => write!(
                f,
                "The name {name:?} contains the control character U+{:04X}, which cannot stand in an address.",
                u32::from(*c)
            ),
            Problem::Separator(c) => write!(
                f,
                "The name {name:?} contains {c:?}. Servers between here and Druid may take it for a separator, so it is not sent."
            ),
            Problem::EscapedSeparator => write!(
                f,
                "The name {name:?} contains what looks like an escaped separator. A server that unescapes twice would read \
                 another address, so it is not sent."
            ),
        }
    }
}

impl std::error::Error for NameError {}

fn problem(text: &str) -> Option<Problem> {
    if text.is_empty() {
        return Some(Problem::Empty);
    }
    if text.len() > LONGEST {
        return Some(Problem::TooLong);
    }
    if text.starts_with('.') {
        return Some(Problem::LeadingDot);
    }
    for c in text.chars() {
        match c {
            '/' => return Some(Problem::Slash),
            '\\' | ';' => return Some(Problem::Separator(c)),
            // U+2028 and U+2029 end a line for some readers of logs and headers.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => return Some(Problem::Control(c)),
            _ => {}
        }
    }
    hides_separator(text).then_some(Problem::EscapedSeparator)
}

/// Whether unescaping `text` once more, as far as it can be, brings out something that this module refuses.
/// `a%20b` is a good name in Druid and stays one; `a%2fb`, `%2e%2e`, `%00` and `%252f` are not.
fn hides_separator(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|window| match window {
        [b'%', high, low] => match decode::byte(*high, *low) {
            Some(byte) => byte < 0x20 || byte == 0x7f || matches!(byte, b'/' | b'\\' | b';' | b'.' | b'%'),
            None => false,
        },
        _ => false,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests: a panic is a failure
mod tests {
    use super::*;

    #[test]
    fn names_that_druid_runs_can_travel() {
        for name in [
            "wikipedia",
            "with space",
            "d_1_2",
            "hello?",
            "주문_데이터",
            "日本語",
            "a%20b",
            "#hash&amp",
            "ünï ?#%",
            "a:b",
            "j-1.2~x",
        ] {
            assert_eq!(Name::new(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn a_slash_is_refused_in_druids_words() {
        let error = Name::new("a/b \"c\"").unwrap_err();
        assert!(error.to_string().contains("Value [a/b \"c\"] cannot contain '/'"), "{error}");
    }

    #[test]
    fn what_some_server_takes_for_a_separator_cannot_travel() {
        for name in [
            "",
            ".",
            "..",
            ".hidden",
            "a\\b",
            "a;b",
            "a\0b",
            "a\nb",
            "a\u{85}b",
            "a%2fb",
            "a%2Fb",
            "%2e%2e",
            "%00",
            "%252f",
            "x%5c",
            "a\u{2028}b",
        ] {
            assert!(Name::new(name).is_err(), "{name:?}");
        }
        assert!(Name::new(&"x".repeat(1021)).is_err());
    }
}
