//! Under which licences our crates and all that they depend on stand. deny.toml has the same list for those who have
//! cargo-deny; this needs nothing but cargo.

use crate::{metadata, none};

/// Licences that this product may be built from.
const ALLOWED: [&str; 14] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "MIT",
    "MIT-0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "Unlicense",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "Unicode-3.0",
];

/// Whether an SPDX expression (also of the old form with a slash) can be satisfied by allowed licences.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.trim();
    if let Some((left, right)) = split_outside_brackets(expression, &[" OR ", "/"]) {
        return is_allowed(left) || is_allowed(right);
    }
    if let Some((left, right)) = split_outside_brackets(expression, &[" AND "]) {
        return is_allowed(left) && is_allowed(right);
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner),
        None => ALLOWED.contains(&expression),
    }
}

fn split_outside_brackets<'a>(text: &'a str, separators: &[&str]) -> Option<(&'a str, &'a str)> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        let rest = text.get(at..)?;
        if let Some(separator) =
            separators.iter().find(|separator| depth == 0 && rest.starts_with(**separator))
        {
            return Some((text.get(..at)?, rest.get(separator.len()..)?));
        }
    }
    None
}

#[test]
fn every_crate_of_ours_names_its_licence_and_is_not_published_by_accident() {
    for package in metadata().workspace_packages() {
        assert_eq!(package.license.as_deref(), Some("Apache-2.0"), "{}", package.name);
        assert_eq!(package.publish, Some(Vec::new()), "{}", package.name);
        assert!(package.description.is_some(), "{}", package.name);
    }
}

#[test]
fn everything_we_depend_on_has_a_licence_we_may_use() {
    let faults: Vec<String> = metadata()
        .packages
        .iter()
        .filter(|package| !package.license.as_deref().is_some_and(is_allowed))
        .map(|package| format!("{} {}: {:?}", package.name, package.version, package.license))
        .collect();
    none(&faults);
}

#[test]
fn a_licence_we_may_not_use_is_seen() {
    for (expression, allowed) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR MIT", true),
        ("Apache-2.0 AND GPL-3.0-only", false),
        ("(MIT OR GPL-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND GPL-2.0", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }
}
