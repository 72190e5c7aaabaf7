//! Paths: matching a raw one against a template, writing one.

use super::Name;

/// Percent-escapes, strictly.
pub(super) mod decode {
    /// The byte that two hex digits stand for.
    pub(crate) fn byte(high: u8, low: u8) -> Option<u8> {
        Some(digit(high)? * 16 + digit(low)?)
    }

    fn digit(c: u8) -> Option<u8> {
        match c {
            b'0'..=b'9' => Some(c - b'0'),
            b'a'..=b'f' => Some(c - b'a' + 10),
            b'A'..=b'F' => Some(c - b'A' + 10),
            _ => None,
        }
    }

    /// Unescapes once. `None` for a broken escape, for text that is not UTF-8 afterwards, and for a raw character that a URL may
    /// not hold unescaped or that could mean something else (`;` starts a parameter for Jetty, `+` a space in a query).
    pub(crate) fn strictly(raw: &str) -> Option<String> {
        let mut bytes = raw.bytes();
        let mut decoded = Vec::with_capacity(raw.len());
        while let Some(c) = bytes.next() {
            match c {
                b'%' => decoded.push(byte(bytes.next()?, bytes.next()?)?),
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => decoded.push(c),
                b'-' | b'.' | b'_' | b'~' | b':' | b'@' | b'!' | b'$' | b'\'' | b'(' | b')' | b'*' | b',' => {
                    decoded.push(c)
                }
                _ => return None,
            }
        }
        String::from_utf8(decoded).ok()
    }
}

/// Appends `text` with everything escaped that is not unreserved (RFC 3986 §2.3).
pub(super) fn escape(text: &str, into: &mut String) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                into.push(char::from(byte))
            }
            _ => {
                into.push('%');
                for digit in [byte >> 4, byte & 15] {
                    into.extend(HEX.get(usize::from(digit)));
                }
            }
        }
    }
}

/// Whether a raw path is this template: fixed segments byte for byte, the `{}` by [`Name`]. The inner `Option` is the name.
pub(super) fn matches(template: &str, path: &str) -> Option<Option<Name>> {
    let mut name = None;
    let mut wanted = template.split('/');
    let mut given = path.split('/');
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(name),
            (Some("{}"), Some(raw)) => name = Some(Name::from_segment(raw)?),
            (Some(fixed), Some(raw)) if fixed == raw => {}
            _ => return None,
        }
    }
}

/// The template with the name in its place.
pub(super) fn write(template: &str, name: Option<&Name>) -> String {
    let mut path = String::with_capacity(template.len() + 32);
    match (template.split_once("{}"), name) {
        (Some((before, after)), Some(name)) => {
            path.push_str(before);
            escape(name.as_str(), &mut path);
            path.push_str(after);
        }
        _ => path.push_str(template),
    }
    path
}
