//! Who may ask: the checks before anything is looked at.
//!
//! What always holds: a page of another origin can neither read an answer nor cause a call, unless its origin was given at start,
//! letter for letter; a name that is not ours (DNS rebinding) is turned away; a POST carries a header that no form can send.

use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use crate::body::{Body, full};
use crate::error::Refusal;

/// The header that a POST must carry. A form cannot, and a page of another origin must ask by a preflight first.
pub const OWN_HEADER: &str = "x-foreshadow";

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What was allowed at start.
#[derive(Debug)]
pub(crate) struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// Where a request comes from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// Our own pages, or no page at all.
    Own,
    /// A page of an allowed origin, to be named in the answer.
    Allowed(HeaderValue),
    /// Somebody else's page.
    Foreign,
}

impl Guard {
    /// `port` is the one listened on; `more` are further host names with or without a port.
    pub(crate) fn new(port: u16, more: &[String], origins: &[String]) -> Guard {
        let mut hosts = Vec::new();
        for name in ["127.0.0.1", "localhost", "[::1]"] {
            hosts.push(format!("{name}:{port}"));
            if port == 80 {
                hosts.push(name.to_owned());
            }
        }
        for name in more {
            let name = name.to_ascii_lowercase();
            // A name alone is meant with our port, and without one for a server in front that adds TLS.
            if !has_port(&name) {
                hosts.push(format!("{name}:{port}"));
            }
            hosts.push(name);
        }
        Guard { hosts, origins: origins.to_vec() }
    }

    /// Exactly one `Host`, and one of ours. The request line must name a path and nothing more.
    pub(crate) fn check_target(&self, request: &Parts) -> Result<(), Refusal> {
        if request.uri.scheme().is_some()
            || request.uri.authority().is_some()
            || !request.uri.path().starts_with('/')
        {
            return Err(Refusal::BadTarget);
        }
        if request.headers.contains_key(header::TRANSFER_ENCODING) {
            return Err(Refusal::Chunked);
        }
        let host = only(&request.headers, &header::HOST).ok_or(Refusal::WrongHost)?;
        let ours = self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        ours.then_some(()).ok_or(Refusal::WrongHost)
    }

    /// Where a request comes from. A browser tells by `Origin`, and by `Sec-Fetch-Site` also where it sends no `Origin`.
    pub(crate) fn site(&self, headers: &HeaderMap) -> Site {
        if headers.contains_key(header::ORIGIN) {
            return match only(headers, &header::ORIGIN) {
                Some(origin) if self.origins.iter().any(|known| known == origin) => {
                    headers.get(header::ORIGIN).cloned().map_or(Site::Foreign, Site::Allowed)
                }
                Some(origin) if self.is_own(origin, headers) => Site::Own,
                _ => Site::Foreign,
            };
        }
        match only(headers, &SEC_FETCH_SITE) {
            Some("same-origin" | "none") => Site::Own,
            // Not a browser, or one from before 2023 asking for its own page.
            None if !headers.contains_key(SEC_FETCH_SITE) => Site::Own,
            _ => Site::Foreign,
        }
    }

    /// Our own origin: the host of this very request, which has been checked, by either scheme (a server in front may add TLS).
    fn is_own(&self, origin: &str, headers: &HeaderMap) -> bool {
        let Some(host) = only(headers, &header::HOST) else { return false };
        let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
    }

    /// A POST must carry our header.
    pub(crate) fn check_post(headers: &HeaderMap) -> Result<(), Refusal> {
        match only(headers, &HeaderName::from_static(OWN_HEADER)) {
            Some("1") => Ok(()),
            _ => Err(Refusal::HeaderMissing),
        }
    }

    /// A body must say that it is JSON, in whatever charset spelling.
    pub(crate) fn check_json(headers: &HeaderMap) -> Result<(), Refusal> {
        let kind = only(headers, &header::CONTENT_TYPE).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json").then_some(()).ok_or(Refusal::NotJson)
    }
}

/// The answer to a preflight of an allowed origin. It is given here and never asked of Druid, which answers 405.
pub(crate) fn preflight(site: &Site) -> Result<Response<Body>, Refusal> {
    if !matches!(site, Site::Allowed(_)) {
        return Err(Refusal::CrossSite);
    }
    let mut response = Response::new(full(""));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers
        .insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type, x-foreshadow"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    Ok(response)
}

/// The headers that every answer has.
pub(crate) fn seal(response: &mut Response<Body>, site: &Site, is_page: bool) {
    let headers = response.headers_mut();
    let mut set =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), PERMISSIONS);
    if is_page {
        set(header::CONTENT_SECURITY_POLICY, PAGE_POLICY);
    } else {
        // Whatever Druid says is shown as text by the console; opened by itself it may do nothing.
        set(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; sandbox");
        set(header::CACHE_CONTROL, "no-store");
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Site::Allowed(origin) = site {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("retry-after, x-foreshadow-error"),
        );
    }
}

/// `'wasm-unsafe-eval'` compiles the console; nothing else is evaluated, nothing is inline, nothing comes from elsewhere.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; \
     img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), serial=(), bluetooth=(), \
     display-capture=(), midi=()";

/// A header that is there exactly once and is plain text.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn has_port(host: &str) -> bool {
    let after_bracket = host.rsplit(']').next().unwrap_or(host);
    after_bracket.contains(':')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests: a panic is a failure
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
            .collect::<Vec<_>>()
            .into_iter()
            .fold(HeaderMap::new(), |mut map, (name, value)| {
                map.append(name, value);
                map
            })
    }

    #[test]
    fn an_origin_is_allowed_letter_for_letter() {
        let guard = Guard::new(8899, &[], &["https://good.example".to_owned()]);
        let site = |origin: &str| guard.site(&headers(&[("host", "localhost:8899"), ("origin", origin)]));
        assert!(matches!(site("https://good.example"), Site::Allowed(_)));
        assert_eq!(site("http://localhost:8899"), Site::Own);
        for foreign in [
            "null",
            "https://good.example.evil",
            "https://evilgood.example",
            "https://good.example:443",
            "https://good.example:8443",
            "http://good.example",
            "https://good.example.",
            "https://good.example/",
            "https://GOOD.example",
            "https://good.example https://evil.example",
            "http://localhost",
            "http://localhost:8898",
            "http://localhost:8899.evil",
            "http://127.0.0.1:8899",
            "file://",
            "",
            "*",
        ] {
            assert_eq!(site(foreign), Site::Foreign, "{foreign:?}");
        }
        let twice =
            headers(&[("host", "localhost:8899"), ("origin", "https://good.example"), ("origin", "null")]);
        assert_eq!(guard.site(&twice), Site::Foreign);
    }

    #[test]
    fn without_an_origin_the_browser_still_tells_where_it_is() {
        let guard = Guard::new(8899, &[], &[]);
        let site =
            |value: &str| guard.site(&headers(&[("host", "localhost:8899"), ("sec-fetch-site", value)]));
        assert_eq!((site("same-origin"), site("none")), (Site::Own, Site::Own));
        for foreign in ["cross-site", "same-site", "x", ""] {
            assert_eq!(site(foreign), Site::Foreign, "{foreign}");
        }
        assert_eq!(guard.site(&headers(&[("host", "localhost:8899")])), Site::Own, "curl");
    }

    #[test]
    fn a_json_body_says_so() {
        for (kind, good) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
            ("multipart/form-data; boundary=x", false),
            ("application/jsonp", false),
            ("text/plain; application/json", false),
            ("", false),
        ] {
            assert_eq!(Guard::check_json(&headers(&[("content-type", kind)])).is_ok(), good, "{kind}");
        }
    }
}
