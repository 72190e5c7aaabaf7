//! Which Druid is on the other side: `33.0.0`. Rules that changed between releases ask it.
//!
//! Order is by number, not by text. It does not know which releases exist.

use std::fmt;
use std::str::FromStr;

/// A Druid release: major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Release(pub u32, pub u32, pub u32);

impl Release {
    /// The first release of a major version.
    #[must_use]
    pub const fn major(major: u32) -> Release {
        Release(major, 0, 0)
    }

    /// Reads `33.0.0`, `33`, `24.0.2` and what builds append (`39.0.0-SNAPSHOT`, `31.0.1-iap`).
    #[must_use]
    pub fn parse(text: &str) -> Option<Release> {
        let numbers = text.trim().split(['-', '+', ' ']).next()?;
        let mut parts = numbers.split('.').map(str::parse::<u32>);
        let major = parts.next()?.ok()?;
        let minor = parts.next().unwrap_or(Ok(0)).ok()?;
        let patch = parts.next().unwrap_or(Ok(0)).ok()?;
        Some(Release(major, minor, patch))
    }
}

impl FromStr for Release {
    type Err = NotARelease;

    fn from_str(text: &str) -> Result<Release, NotARelease> {
        Release::parse(text).ok_or_else(|| NotARelease(text.to_owned()))
    }
}

/// A text that names no release.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no Druid release: write it like 33.0.0")]
pub struct NotARelease(pub String);

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read_as_status_gives_them_and_ordered_by_number() {
        assert_eq!(Release::parse("33.0.0"), Some(Release(33, 0, 0)));
        assert_eq!(Release::parse("39.0.0-SNAPSHOT"), Some(Release::major(39)));
        assert_eq!(Release::parse("24.0.2"), Some(Release(24, 0, 2)));
        assert_eq!(Release::parse("dev"), None);
        assert!(Release(9, 0, 0) < Release(33, 0, 0));
        assert_eq!(Release(33, 0, 0).to_string(), "33.0.0");
    }
}
