//! How a gateway is set up: fixed at start, nothing of it ever comes from a request.

use std::path::PathBuf;
use std::time::Duration;

use http::uri::{Authority, Scheme};
use http::{HeaderValue, Uri};

/// All that a gateway needs to know.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Refuse every call that changes the cluster.
    pub read_only: bool,
    /// Other origins whose pages may call, as exact strings: `https://console.example`.
    pub origins: Vec<String>,
    /// Host names beside the bound address that this server answers for, `name` or `name:port`.
    pub hosts: Vec<String>,
    /// Serve the console from this folder, read afresh each time, and not the one built in. For development.
    pub console: Option<PathBuf>,
    /// Sizes and times.
    pub limits: Limits,
}

/// Sizes in bytes, times, and how many at once. The defaults suit a team; tests make them small.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections open at once; more wait.
    pub connections: usize,
    /// Calls under way at once; more are told that it is busy.
    pub calls: usize,
    /// For a request's head to arrive whole, which is also how long an idle connection is kept.
    pub head_time: Duration,
    /// For a request's body to arrive whole.
    pub body_time: Duration,
    /// For a client to take a piece of an answer.
    pub write_time: Duration,
    /// Longest request head.
    pub head_bytes: usize,
    /// For a connection to the cluster.
    pub connect_time: Duration,
    /// For the first byte of an ordinary answer.
    pub answer_time: Duration,
    /// For the first byte of an answer that lists segments.
    pub segments_time: Duration,
    /// Longest silence within an answer.
    pub idle_time: Duration,
    /// How much of an answer is read before any of it is passed on: an answer no longer than this is passed on whole or not at
    /// all.
    pub read_ahead: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 512,
            calls: 64,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            write_time: Duration::from_secs(60),
            head_bytes: 16 << 10,
            connect_time: Duration::from_secs(3),
            answer_time: Duration::from_secs(30),
            segments_time: Duration::from_secs(300),
            idle_time: Duration::from_secs(30),
            read_ahead: 1 << 20,
        }
    }
}

/// Where a cluster is, and how to prove that one may.
#[derive(Clone, Debug)]
pub struct ClusterConfig {
    /// A Router, or Coordinators and Overlords.
    pub addresses: Vec<Address>,
    /// The `Authorization` header, marked sensitive.
    pub credentials: Option<HeaderValue>,
}

/// Scheme, host and port of one server of the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    scheme: Scheme,
    authority: Authority,
}

impl Address {
    /// Reads `http://host:port`. A path, query or credentials in it are refused: the first two would be lost, the third would
    /// end up in logs.
    pub fn parse(text: &str) -> Result<Address, String> {
        let uri: Uri =
            text.trim_end_matches('/').parse().map_err(|error| format!("{text:?} is no URL: {error}"))?;
        let scheme = match uri.scheme_str() {
            Some("http") => Scheme::HTTP,
            Some("https") => Scheme::HTTPS,
            _ => return Err(format!("{text:?} should start with http:// or https://")),
        };
        let authority = uri.authority().cloned().ok_or_else(|| format!("{text:?} names no host"))?;
        if authority.as_str().contains('@') {
            return Err(
                "Credentials do not belong in the URL, where they end up in logs. Use --credentials-file."
                    .to_owned(),
            );
        }
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(format!("{text:?} should be scheme, host and port only"));
        }
        Ok(Address { scheme, authority })
    }

    /// The whole URL of a request to this server. `target` is a path with its query, written by us.
    pub(crate) fn uri(&self, target: &str) -> Result<Uri, http::Error> {
        Uri::builder()
            .scheme(self.scheme.clone())
            .authority(self.authority.clone())
            .path_and_query(target)
            .build()
    }

    /// Whether an absolute URL leads to this very server: scheme, host and port, with the scheme's port where none is written.
    pub(crate) fn is_origin_of(&self, url: &Uri) -> bool {
        let (Some(scheme), Some(authority)) = (url.scheme(), url.authority()) else { return false };
        !authority.as_str().contains('@')
            && *scheme == self.scheme
            && authority.host().eq_ignore_ascii_case(self.authority.host())
            && port(&self.scheme, authority) == port(&self.scheme, &self.authority)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

fn port(scheme: &Scheme, authority: &Authority) -> u16 {
    authority.port_u16().unwrap_or(if *scheme == Scheme::HTTPS { 443 } else { 80 })
}

/// The `Authorization` header for `user:password`, or for a line that already says `Basic …` or `Bearer …`.
pub fn credentials(line: &str) -> Result<HeaderValue, String> {
    let line = line.trim_matches(['\r', '\n']);
    let value = if line.starts_with("Bearer ") || line.starts_with("Basic ") {
        line.to_owned()
    } else if line.contains(':') {
        format!("Basic {}", base64(line.as_bytes()))
    } else {
        return Err("The credentials should be one line, user:password or “Bearer …”.".to_owned());
    };
    let mut header = HeaderValue::from_str(&value)
        .map_err(|_| "The credentials hold a character that no header can carry.".to_owned())?;
    header.set_sensitive(true);
    Ok(header)
}

/// RFC 4648 §4, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = 0u32;
        for at in 0..3 {
            group = group << 8 | u32::from(chunk.get(at).copied().unwrap_or(0));
        }
        for at in 0..4 {
            let digit = (group >> (18 - 6 * at) & 63) as usize;
            match DIGITS.get(digit) {
                Some(c) if at <= chunk.len() => text.push(char::from(*c)),
                _ => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests: a panic is a failure
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_the_rfc_has_it() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn credentials_are_one_line_and_never_printed() {
        let header = credentials("admin:pässword\n").unwrap();
        assert_eq!(header.to_str().unwrap(), "Basic YWRtaW46cMOkc3N3b3Jk");
        assert!(header.is_sensitive());
        assert_eq!(format!("{header:?}"), "Sensitive");
        assert_eq!(credentials("Bearer abc").unwrap().to_str().unwrap(), "Bearer abc");
        assert!(credentials("token").is_err());
        assert!(credentials("Bearer a\nX-Evil: 1").is_err());
    }

    #[test]
    fn an_address_is_scheme_host_and_port() {
        assert_eq!(Address::parse("http://druid:8888/").unwrap().to_string(), "http://druid:8888");
        for bad in [
            "druid:8888",
            "ftp://druid",
            "http://",
            "http://u:p@druid",
            "http://druid/base",
            "http://druid?x",
            "http://dr uid",
        ] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_the_very_same_server_is_the_origin_of_a_redirect() {
        let address = Address::parse("http://druid-1:80").unwrap();
        for (url, expected) in [
            ("http://druid-1/druid/indexer/v1/task", true),
            ("http://DRUID-1:80/x", true),
            ("http://druid-1:8080/x", false),
            ("https://druid-1:80/x", false),
            ("http://druid-1.evil/x", false),
            ("http://evil@druid-1/x", false),
            ("http://druid-1@evil/x", false),
            ("/druid/indexer/v1/task", false),
        ] {
            let matched = url.parse().is_ok_and(|url: Uri| address.is_origin_of(&url));
            assert_eq!(matched, expected, "{url}");
        }
    }
}
