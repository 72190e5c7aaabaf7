//! Values that must not be seen: passwords, keys, tokens, credentials in addresses.
//!
//! For masking in views, and for leaving out of ids, drafts, plans and links. Found by the field table and by what
//! keys are called, so that specs of extensions are covered; a name too many costs a mask, a name too few a secret.

use crate::json::{Document, Kind, Node, Path, Span, Step, placeholder_in};
use crate::order::Order as _;

/// Parts of key names, in lower case, whose values are secrets.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "accesskey",
    "access_key",
    "apikey",
    "api_key",
    "privatekey",
    "private_key",
    "credential",
    "sasl.jaas.config",
    "sharedaccess",
    "authorization",
    "cookie",
];

/// The secrets with their places, in the order of the document. Of a key that stands twice both values are here, although
/// the path leads to the last; so is a value in the making, such as one without quotes.
#[must_use]
pub fn secrets(document: &Document) -> Vec<(Path, Node<'_>)> {
    let mut found = Vec::new();
    let mut rest = Vec::new();
    rest.extend(document.root().map(|root| (root, Path::root(), false)));
    while let Some((node, path, inherited)) = rest.pop() {
        match node.kind() {
            Kind::Object => {
                // Backwards, so that the first is taken up first.
                let members: Vec<_> = node.members().collect();
                for (key, child) in members.into_iter().rev() {
                    // Of a password provider only the password is one; an environment variable's name is not.
                    let within = inherited && is_secret_in_provider(&key);
                    let secret = is_secret_name(&key) || is_azure_key(&key, node) || within;
                    rest.push((child, path.join(&*key), secret));
                }
            }
            Kind::Array => {
                let items: Vec<_> = node.items().enumerate().collect();
                for (at, child) in items.into_iter().rev() {
                    rest.push((child, path.join(Step::Index(at)), inherited));
                }
            }
            Kind::String => {
                let text = node.as_str().unwrap_or_default();
                if !text.is_empty() && (inherited || has_credentials(&text)) {
                    found.push((path, node));
                }
            }
            // A password of digits is taken as its text.
            Kind::Number if inherited => found.push((path, node)),
            // A template that is still to be filled in says nothing yet.
            Kind::Broken
                if inherited
                    && !node.text().is_empty()
                    && placeholder_in(node.text()) != Some(node.text()) =>
            {
                found.push((path, node));
            }
            _ => {}
        }
    }
    found
}

/// Stretches of a text that is no JSON (yet) in which the value of a secret seems to stand: what follows a name and `:` or `=`,
/// up to its closing quote, or up to a blank, a comma, a bracket or the line's end. A guess, for what is kept unasked.
#[must_use]
pub fn suspects(text: &str) -> Vec<Span> {
    let lower = text.to_ascii_lowercase();
    let names = NAMES.iter().copied().chain(["token"]);
    let mut found: Vec<Span> = names
        .flat_map(|name| lower.match_indices(name))
        .filter_map(|(at, _)| value_after(text, at))
        .collect();
    found.order();
    found.dedup();
    found
}

/// The value that follows the name which stands at a place.
fn value_after(text: &str, at: usize) -> Option<Span> {
    let is_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let is_blank = |c: char| c == ' ' || c == '\t';
    let rest = text.get(at..)?.trim_start_matches(is_name).trim_start_matches(['"', '\'', '`']);
    let rest = rest.trim_start_matches(is_blank).strip_prefix([':', '='])?.trim_start_matches(is_blank);
    if placeholder_in(rest).is_some_and(|name| rest.starts_with(name)) {
        return None;
    }
    let start = text.len() - rest.len();
    let length = match rest.chars().next()? {
        quote @ ('"' | '\'') => {
            let inside = rest.get(1..)?;
            let end = inside.find([quote, '\n', '\r']).unwrap_or(inside.len());
            1 + end + usize::from(inside.get(end..)?.starts_with(quote))
        }
        _ => rest.find(|c: char| c.is_whitespace() || ",;{}[]".contains(c)).unwrap_or(rest.len()),
    };
    (length > 0).then_some(Span { start, end: start + length })
}

fn is_secret_name(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let is_token = key.ends_with("token") || key.ends_with("tokens");
    is_token || NAMES.iter().any(|name| key.contains(name))
}

/// Azure calls its account key `key`, beside other properties of the same source.
fn is_azure_key(key: &str, object: Node<'_>) -> bool {
    key == "key"
        && ["tenantId", "appRegistrationClientId", "sharedAccessStorageToken"]
            .iter()
            .any(|k| object.get(k).is_some())
}

/// `{"type": "default", "password": "…"}`, `{"type": "environment", "variable": "NAME"}`
fn is_secret_in_provider(key: &str) -> bool {
    !matches!(key, "type" | "variable")
}

/// `https://user:password@host`, signed addresses, connection texts with a password in them.
fn has_credentials(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let user_info = lower.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        authority.split_once('@').is_some_and(|(user, _)| user.contains(':'))
    });
    let is_address = lower.contains("://") || lower.starts_with("jdbc:");
    let in_query = ["x-amz-signature=", "x-amz-security-token=", "password=", "&sig=", "?sig=", "token="];
    user_info || is_address && in_query.iter().any(|part| lower.contains(part))
}
