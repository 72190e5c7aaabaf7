//! Texts in quotes, with words about what Druid would refuse in them.

use super::Parser;

impl Parser<'_> {
    /// Passes a string, with words about what Druid would refuse in it.
    pub(super) fn string(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        let mut broken_line = false;
        loop {
            match bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return;
                }
                Some(b'\\') => at += self.escape(at),
                Some(b'\n' | b'\r') => {
                    if !broken_line && !self.closes_later(at) {
                        return self.unclosed_string(start, at);
                    }
                    if !broken_line {
                        self.syntax(at, at + 1, "a line break inside a string is written \\n");
                    }
                    broken_line = true;
                    at += 1;
                }
                Some(byte) if *byte < 0x20 => {
                    let name = if *byte == b'\t' { "\\t".to_owned() } else { format!("\\u{byte:04x}") };
                    self.syntax(at, at + 1, format!("a control character inside a string is written {name}"));
                    at += 1;
                }
                Some(_) => at += 1,
                None => return self.unclosed_string(start, at),
            }
        }
    }

    fn unclosed_string(&mut self, start: usize, end: usize) {
        self.syntax(start, end, "this string has no closing quote");
        self.at = end;
    }

    /// Checks the escape at `at` and gives its length in bytes, at least 1.
    fn escape(&mut self, at: usize) -> usize {
        let after = self.text.get(at + 1..).unwrap_or_default();
        match after.bytes().next() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => {
                let digits = after.bytes().skip(1).take(4).take_while(u8::is_ascii_hexdigit).count();
                if digits < 4 {
                    self.syntax(at, at + 2 + digits, "\\u is followed by four hexadecimal digits");
                }
                2 + digits
            }
            None | Some(b'\n' | b'\r') => 1,
            Some(_) => {
                let length = 1 + self.first_length(at + 1);
                self.syntax(at, at + length, "no such escape: a backslash itself is written \\\\");
                length
            }
        }
    }

    /// Whether the string that meets a line end at `at` goes on: its next quote is followed by what follows
    /// a string. Otherwise the quote was forgotten on this line.
    fn closes_later(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let Some(quote) = rest.find('"') else { return false };
        let after = rest.get(quote + 1..).unwrap_or_default().trim_start();
        after.is_empty() || after.starts_with([',', '}', ']'])
    }
}
