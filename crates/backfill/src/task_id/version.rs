//! The version in a task id: typed by a person or derived from the content, and the attempt that follows a failure.
//!
//! What always holds: attempt 1 hashes the base itself, attempt *n* hashes `base.n` (`v3`, `v3.2`, `v3.3`). The attempt
//! is kept beside the base and never read back out of a text, so a person's own `1.2` stays a base like any other.
//!
//! What it does not do: decide when a new attempt is due. Druid keeps a FAILED id for as long as it keeps task rows
//! (`TaskQueue.add` looks at any state), so after a failure the same id can never run again.

use crate::canonical::Canonical;

/// A spec version with its attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    base: String,
    attempt: u32,
}

/// Why a typed version cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionError {
    /// Nothing was typed.
    Empty,
    /// White space at an end, or a control character, at this byte: it cannot be seen, and two versions that look the
    /// same would give two ids.
    Unseen {
        /// Byte offset into the typed text.
        at: usize,
    },
}

impl std::fmt::Display for VersionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VersionError::Empty => {
                f.write_str("The version is empty: type one (v1), or derive it from the content.")
            }
            VersionError::Unseen { at } => {
                write!(f, "The version has a character nobody can see at byte {at}: remove it.")
            }
        }
    }
}

impl std::error::Error for VersionError {}

impl Version {
    /// The version a person typed, first attempt.
    ///
    /// # Errors
    /// Empty, or with characters that cannot be seen.
    pub fn typed(text: &str) -> Result<Version, VersionError> {
        if text.trim().is_empty() {
            return Err(VersionError::Empty);
        }
        let edge = |c: char| c.is_whitespace();
        let unseen = if text.starts_with(edge) {
            Some(0)
        } else if text.ends_with(edge) {
            Some(text.trim_end().len())
        } else {
            text.char_indices().find(|(_, c)| c.is_control()).map(|(at, _)| at)
        };
        match unseen {
            Some(at) => Err(VersionError::Unseen { at }),
            None => Ok(Version { base: text.to_owned(), attempt: 1 }),
        }
    }

    /// The version derived from the content: `c-` and the first 12 hexadecimal digits of the SHA-1 of the canonical
    /// text. Any change of the spec that is not listed as volatile gives another one.
    pub fn derived(content: &Canonical) -> Version {
        let digest = content.sha1();
        Version { base: format!("c-{}", digest.get(..12).unwrap_or(&digest)), attempt: 1 }
    }

    /// A version as a ledger kept it. Attempts start at 1; 0 is read as 1.
    pub fn from_parts(base: impl Into<String>, attempt: u32) -> Version {
        Version { base: base.into(), attempt: attempt.max(1) }
    }

    /// Without the attempt: `v3`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// 1 for the first attempt.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// As it is hashed: `v3` for the first attempt, `v3.2` for the second.
    pub fn text(&self) -> String {
        match self.attempt {
            1 => self.base.clone(),
            attempt => format!("{}.{attempt}", self.base),
        }
    }

    /// The version of a new attempt after a FAILED run.
    #[must_use]
    pub fn next_attempt(&self) -> Version {
        Version { base: self.base.clone(), attempt: self.attempt.saturating_add(1) }
    }

    /// The first later attempt whose text nobody has used yet; `used` says which texts the ledger (or the cluster)
    /// already knows. It also steps over a person's own version that happens to read like an attempt.
    #[must_use]
    pub fn next_unused(&self, mut used: impl FnMut(&str) -> bool) -> Version {
        let mut next = self.next_attempt();
        while used(&next.text()) && next.attempt < u32::MAX {
            next = next.next_attempt();
        }
        next
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot set itself up should fail loudly
mod tests {
    use super::*;

    #[test]
    fn attempts_count_on_from_the_base() {
        let v3 = Version::typed("v3").unwrap();
        assert_eq!(v3.text(), "v3");
        assert_eq!(v3.next_attempt().text(), "v3.2");
        assert_eq!(v3.next_attempt().next_attempt().text(), "v3.3");
        assert_eq!(v3.next_attempt().base(), "v3");
    }

    #[test]
    fn a_persons_own_dotted_version_is_a_base() {
        let own = Version::typed("1.2").unwrap();
        assert_eq!(own.next_attempt().text(), "1.2.2");
        let one = Version::typed("1").unwrap();
        assert_eq!(one.next_unused(|text| text == "1.2").text(), "1.3");
    }

    #[test]
    fn a_version_that_cannot_be_seen_is_refused() {
        assert_eq!(Version::typed(" ").unwrap_err(), VersionError::Empty);
        assert_eq!(Version::typed("v1 ").unwrap_err(), VersionError::Unseen { at: 2 });
        assert_eq!(Version::typed("\u{a0}v1").unwrap_err(), VersionError::Unseen { at: 0 });
        assert_eq!(Version::typed("v\u{7}1").unwrap_err(), VersionError::Unseen { at: 1 });
        assert!(Version::typed("release 7").is_ok());
    }
}
