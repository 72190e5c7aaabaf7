//! What the gateway is asked for: request lines, and bodies that name a query.

use druid::endpoint::{Access, Endpoint, Method, Name, Named};

use super::{line, text};

/// A request line, `GET /path?query`. Whatever was understood is written again plainly, and means the same.
pub(super) fn request(bytes: &[u8]) {
    let Some((first, _)) = text(bytes).map(line) else { return };
    let Some((method, target)) = first.split_once(' ') else { return };
    let Some(method) = Method::parse(method) else { return };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    for segment in path.split('/') {
        if let Some(name) = Name::from_segment(segment) {
            assert_eq!(Name::new(name.as_str()), Ok(name));
        }
    }
    let other = Endpoint::other_methods(path);
    let Some(endpoint) = Endpoint::parse(method, path, query) else { return };
    assert!(other.contains(&method));
    let request = endpoint.request();
    assert_eq!(request.endpoint(), Some(endpoint.clone()));
    assert_eq!(request.method, method);
    let is_plain = |c: char| c.is_ascii_graphic() && !"\\;\"<>#{}|^`".contains(c);
    assert!(request.target().chars().all(is_plain), "{}", request.target());
    assert!(!request.path.split('/').any(|segment| segment == "." || segment == ".."));
    assert_eq!(request.path.matches('/').count(), endpoint.call().template.matches('/').count());
    assert!(method == Method::Post || endpoint.call().access == Access::Reads);
}

pub(super) fn named_query(bytes: &[u8]) {
    if let Some(named) = Named::parse(bytes) {
        assert_eq!(Named::parse(named.body().as_bytes()), Some(named.clone()));
        let (given, ours): (serde_json::Value, serde_json::Value) =
            (serde_json::from_slice(bytes).unwrap(), serde_json::from_str(&named.body()).unwrap());
        assert_eq!(given, ours);
    }
}
