//! Strings and keys as RFC 8785 writes them.

use std::cmp::Ordering;

/// Appends `value` as a JSON string: only quotation mark, backslash and control characters are escaped, the latter by
/// their short form or lower-case `\u00xx`.
pub(super) fn push_string(out: &mut String, value: &str) {
    use std::fmt::Write;
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Keys are ordered by their UTF-16 units, which is not the order of their UTF-8 bytes above U+FFFF.
pub(super) fn key_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 8785, section 3.2.2.
    #[test]
    fn strings_are_escaped_as_the_rfc_shows() {
        let mut out = String::new();
        push_string(&mut out, "\u{20ac}$\u{f}\nA'B\"\\\\\"/");
        assert_eq!(out, "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"");
    }

    /// The example of RFC 8785, section 3.2.3.
    #[test]
    fn keys_are_sorted_by_utf16_units() {
        let mut keys = ["\u{20ac}", "\r", "\u{fb33}", "1", "\u{1f600}", "\u{80}", "\u{f6}"];
        keys.sort_by(|a, b| key_order(a, b));
        assert_eq!(keys, ["\r", "1", "\u{80}", "\u{f6}", "\u{20ac}", "\u{1f600}", "\u{fb33}"]);
    }
}
