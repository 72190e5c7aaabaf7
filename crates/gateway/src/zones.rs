//! The rules of one time zone for the browser, which carries no tables of its own.

use http::{HeaderValue, Response, header};

use crate::body::{Body, full};
use crate::error::Refusal;

/// A zone's name from the rest of a raw path: `America/Argentina/Buenos_Aires`, `UTC`, `Etc/GMT+5`.
pub(crate) fn name(raw: &str) -> Option<String> {
    let parts: Vec<&str> = raw.split('/').collect();
    let plain = |part: &&str| {
        !part.is_empty()
            && part.len() <= 40
            && part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-' | b'+'))
    };
    (parts.len() <= 3 && parts.iter().all(plain)).then(|| raw.to_owned())
}

pub(crate) fn answer(name: &str) -> Result<Response<Body>, Refusal> {
    let table =
        druid::zone::Tzdb::default().table(name).ok_or_else(|| Refusal::NoSuchZone(name.to_owned()))?;
    let text = serde_json::to_string(&table).map_err(|_| Refusal::NoSuchZone(name.to_owned()))?;
    let mut response = Response::new(full(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_zones_name_is_plain() {
        for good in [
            "UTC",
            "America/New_York",
            "America/Argentina/Buenos_Aires",
            "Etc/GMT+5",
            "America/Port-au-Prince",
        ] {
            assert_eq!(name(good).as_deref(), Some(good));
        }
        for bad in [
            "",
            "/",
            "America/",
            "America//x",
            "../x",
            "a/b/c/d",
            "America/New%20York",
            "America/New York",
            "5",
        ] {
            assert_eq!(name(bad), None, "{bad}");
        }
    }
}
