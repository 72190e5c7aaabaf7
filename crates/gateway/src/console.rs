//! The console's files: by exact key from a table in the binary, never from a path in a request.
//!
//! What always holds: only what was built is served; `/` is `index.html` and nothing else is; a hashed name is served for ever,
//! a fixed one is asked for anew each time.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};

use crate::body::{Body, full};
use crate::error::Refusal;

mod table {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}

/// A file in the binary, and its compressed twins.
pub(crate) struct Embedded {
    plain: &'static [u8],
    br: Option<&'static [u8]>,
    gz: Option<&'static [u8]>,
}

/// Where the files come from.
pub(crate) enum Console {
    /// The binary.
    Embedded,
    /// A folder, for development.
    Folder(PathBuf),
}

/// What is served where the gateway was built without a console.
const UNBUILT: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Foreshadow</title>\n\
    <h1>The console is not in this binary</h1>\n\
    <p>The gateway runs. <code>cargo xtask serve</code> builds the console, puts it in and starts this again.</p>\n</html>\n";

impl Console {
    /// The file for a raw request path. `accepts` is the request's headers.
    pub(crate) fn file(&self, path: &str, accepts: &HeaderMap) -> Result<Response<Body>, Refusal> {
        let key = match path.strip_prefix('/').ok_or(Refusal::NoSuchPage)? {
            "" => "index.html",
            "index.html" => return Err(Refusal::NoSuchPage),
            key => key,
        };
        match self {
            Console::Embedded => embedded(table::FILES, key, accepts),
            Console::Folder(folder) => from_folder(folder, key),
        }
    }
}

fn embedded(
    files: &'static [(&str, Embedded)],
    key: &str,
    accepts: &HeaderMap,
) -> Result<Response<Body>, Refusal> {
    if files.is_empty() && key == "index.html" {
        return Ok(respond(key, Bytes::from_static(UNBUILT.as_bytes()), None));
    }
    let at = files.binary_search_by(|(other, _)| (*other).cmp(key)).map_err(|_| Refusal::NoSuchPage)?;
    let (_, file) = files.get(at).ok_or(Refusal::NoSuchPage)?;
    let encoded = [("br", file.br), ("gzip", file.gz)]
        .into_iter()
        .find_map(|(coding, bytes)| Some((coding, bytes.filter(|_| takes(accepts, coding))?)));
    Ok(match encoded {
        Some((coding, bytes)) => respond(key, Bytes::from_static(bytes), Some(coding)),
        None => respond(key, Bytes::from_static(file.plain), None),
    })
}

/// The folder's files are listed and the key looked up among them, so that no path is made from a request here either.
fn from_folder(folder: &Path, key: &str) -> Result<Response<Body>, Refusal> {
    fn find(root: &Path, folder: &Path, key: &str) -> Option<PathBuf> {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                if let Some(found) = find(root, &path, key) {
                    return Some(found);
                }
            } else {
                let parts: Vec<_> =
                    path.strip_prefix(root).ok()?.iter().map(|part| part.to_string_lossy()).collect();
                if parts.join("/") == key {
                    return Some(path);
                }
            }
        }
        None
    }
    let path = find(folder, folder, key).ok_or(Refusal::NoSuchPage)?;
    let bytes = std::fs::read(path).map_err(|_| Refusal::NoSuchPage)?;
    Ok(respond(key, Bytes::from(bytes), None))
}

fn respond(key: &str, bytes: Bytes, coding: Option<&'static str>) -> Response<Body> {
    let mut response = Response::new(full(bytes));
    *response.status_mut() = StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(key)));
    let keep = if is_hashed(key) { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(coding) = coding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

/// Whether `Accept-Encoding` names the coding and does not rule it out with `q=0`.
fn takes(accepts: &HeaderMap, coding: &str) -> bool {
    accepts
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|item| {
            let (name, rest) = item.split_once(';').unwrap_or((item, ""));
            let weight = rest.trim().strip_prefix("q=").and_then(|text| text.trim().parse::<f32>().ok());
            name.trim().eq_ignore_ascii_case(coding) && weight != Some(0.0)
        })
}

/// Whether the name, or a folder it lies in, holds a hash: a run of sixteen hex digits after a dash, dot or underscore.
fn is_hashed(key: &str) -> bool {
    key.split('/').any(|name| {
        name.split(['-', '_', '.'])
            .skip(1)
            .any(|part| part.len() == 16 && part.bytes().all(|c| c.is_ascii_hexdigit()))
    })
}

fn content_type(key: &str) -> &'static str {
    match key.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        // Without it a browser does not compile while it loads.
        Some("wasm") => "application/wasm",
        Some("json" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests: a panic is a failure
mod tests {
    use super::*;

    static FILES: &[(&str, Embedded)] = &[
        ("boot.js", Embedded { plain: b"boot", br: None, gz: Some(b"boot gz") }),
        (
            "console-0123456789abcdef.wasm",
            Embedded { plain: b"wasm", br: Some(b"wasm br"), gz: Some(b"wasm gz") },
        ),
        ("index.html", Embedded { plain: b"index", br: None, gz: None }),
    ];

    fn accepting(codings: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(codings))])
    }

    fn served(key: &str, codings: &'static str) -> (Option<String>, String) {
        let response = embedded(FILES, key, &accepting(codings)).unwrap();
        let text =
            |name| response.headers().get(name).map(|value: &HeaderValue| value.to_str().unwrap().to_owned());
        (text(header::CONTENT_ENCODING), text(header::CACHE_CONTROL).unwrap())
    }

    #[test]
    fn the_smallest_form_that_the_browser_takes_is_served() {
        let wasm = "console-0123456789abcdef.wasm";
        assert_eq!(served(wasm, "gzip, deflate, br, zstd").0.as_deref(), Some("br"));
        assert_eq!(served(wasm, "gzip;q=0.5").0.as_deref(), Some("gzip"));
        assert_eq!(served(wasm, "br;q=0, gzip").0.as_deref(), Some("gzip"));
        assert_eq!(served(wasm, "identity").0, None);
        assert_eq!(served("index.html", "br").0, None);
    }

    #[test]
    fn hashed_names_are_kept_for_ever_and_fixed_ones_are_not() {
        assert!(served("console-0123456789abcdef.wasm", "").1.contains("immutable"));
        assert_eq!(served("boot.js", "").1, "no-cache");
        assert_eq!(served("index.html", "").1, "no-cache");
        assert!(is_hashed("main-7d5dd2a8ce1f3b5a.css") && is_hashed("x-7d5dd2a8ce1f3b5a_bg.wasm"));
        assert!(is_hashed("console-7d5dd2a8ce1f3b5a/parts.js"));
        assert!(!is_hashed("deadbeefdeadbeef.js") && !is_hashed("main-7d5dd2a8.css"));
    }

    #[test]
    fn only_exact_keys_are_served() {
        for path in [
            "/index.html",
            "/boot.js/",
            "//boot.js",
            "/./boot.js",
            "/../boot.js",
            "/%62oot.js",
            "/BOOT.JS",
            "/nothing",
        ] {
            assert!(Console::Embedded.file(path, &HeaderMap::new()).is_err(), "{path}");
        }
    }
}
