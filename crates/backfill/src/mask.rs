//! Specs without their secrets: for drafts, journals, and whatever else is kept or shown.
//!
//! Always true: a masked text is as good JSON as it was before, and differs from it in nothing but the values of
//! `druid::spec::secrets`.
//!
//! Not here: what counts as a secret; `druid::spec` says that.

use std::cmp::Reverse;

use druid::json::{Document, Node, Path, Span};
use druid::order::Order as _;

/// What stands where a secret stood.
pub const MASK: &str = "(secret, not kept)";

/// The text with its secrets masked; None: there is none.
pub fn masked_text(document: &Document) -> Option<String> {
    let secrets = druid::spec::secrets(document).into_iter().map(|(_, node)| node);
    let mut spans: Vec<Span> = secrets.filter(|node| !is_mask(*node)).map(Node::span).collect();
    if !document.is_well_formed() {
        // What could not be read may hold secrets all the same.
        let mask = druid::json::quote(MASK);
        let is_new = |span: &Span| document.text().get(span.start..span.end) != Some(mask.as_str());
        spans.extend(druid::spec::suspects(document.text()).into_iter().filter(is_new));
        spans.order_by_key(|span| (span.start, Reverse(span.end)));
    }
    if spans.is_empty() {
        return None;
    }
    let text = document.text();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        // In the order of the document; of two that overlap the first, or longer, is masked.
        if let Some(before) = text.get(from..span.start) {
            out.push_str(before);
            out.push_str(&druid::json::quote(MASK));
            from = span.end;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Some(out)
}

/// Where masks stand instead of secrets: these must be given again before the task can be sent.
pub fn masked_places(document: &Document) -> Vec<Path> {
    let mut found = Vec::new();
    let mut rest: Vec<(Node<'_>, Path)> =
        document.root().map(|root| (root, Path::root())).into_iter().collect();
    while let Some((node, path)) = rest.pop() {
        if is_mask(node) {
            found.push(path);
            continue;
        }
        let below = node.members().map(|(key, child)| (child, path.join(&*key)));
        let items = node.items().enumerate().map(|(at, child)| (child, path.join(at)));
        rest.extend(below.chain(items).collect::<Vec<_>>().into_iter().rev());
    }
    found
}

fn is_mask(node: Node<'_>) -> bool {
    node.as_str().is_some_and(|text| text == MASK)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)] // a test that cannot set itself up should say where
    use super::*;

    const SPEC: &str = "{ \"spec\": {\"ioConfig\":\t{\"inputSource\": {\"type\":\"s3\",\"properties\":{\"accessKeyId\":\
                        {\"type\":\"default\",\"password\":\"AKIA\"},\"secretAccessKey\":\"s3cr\\\"et\"}}}},\"n\":1E3}";

    #[test]
    fn a_masked_spec_differs_in_nothing_but_its_secrets() {
        let document = Document::parse(SPEC);
        let masked = masked_text(&document).expect("it has secrets");
        assert!(!masked.contains("AKIA") && !masked.contains("s3cr"));
        let mask = druid::json::quote(MASK);
        assert_eq!(masked, SPEC.replace("\"AKIA\"", &mask).replace("\"s3cr\\\"et\"", &mask));
        let masked = Document::parse(masked);
        assert!(masked.is_well_formed());
        assert_eq!(masked_text(&masked), None);
        let places: Vec<String> = masked_places(&masked).iter().map(Path::to_string).collect();
        assert_eq!(
            places,
            [
                "spec.ioConfig.inputSource.properties.accessKeyId.password",
                "spec.ioConfig.inputSource.properties.secretAccessKey"
            ]
        );
        assert_eq!(masked_places(&document), []);
    }

    #[test]
    fn no_twin_of_a_secret_and_none_in_the_making_is_kept() {
        for (text, masked) in [
            (r#"{"password":"a","password":"b"}"#, r#"{"password":"M","password":"M"}"#),
            (r#"{"x":{"password":"a"},"x":{"y":1}}"#, r#"{"x":{"password":"M"},"x":{"y":1}}"#),
            (r#"{"password": 12345}"#, r#"{"password": "M"}"#),
            (r#"{"password": hunter2}"#, r#"{"password": "M"}"#),
            (r#"{"password": "hunter2"#, r#"{"password": "M""#),
            ("{'password': 'hunter 2'}", "{'password': \"M\"}"),
            ("password: hunter2\nuser: x", "password: \"M\"\nuser: x"),
            ("DB_PASSWORD='hunter 2' x=1", "DB_PASSWORD=\"M\" x=1"),
            ("{} {\"apiKey\" : \"k\", \"n\": 1}", "{} {\"apiKey\" : \"M\", \"n\": 1}"),
        ] {
            let wanted = masked.replace('M', MASK);
            assert_eq!(masked_text(&Document::parse(text)), Some(wanted), "{text}");
        }
        assert_eq!(masked_text(&Document::parse(r#"{"password": ${PASSWORD}}"#)), None);
    }

    #[test]
    fn a_spec_without_secrets_stays_as_it_is() {
        assert_eq!(masked_text(&Document::parse("{\"a\": 1}")), None);
        assert_eq!(masked_text(&Document::parse("not json")), None);
    }
}
