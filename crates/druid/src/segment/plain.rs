//! One segment of an ordinary shape, read in one pass over its bytes and without a copy.
//!
//! Nearly every segment of a listing is one: texts without escapes, whole numbers, a shard spec that Druid publishes. What
//! is not gives `None` and is read the long way ([`Segment::from_json`](super::Segment::from_json)), which decides what
//! is wrong with it, if anything is; so does a segment whose end has not come yet. Nothing is accepted here that is no
//! JSON, and no key is taken twice.

use super::ChunkKind;

/// What a segment set keeps of a segment, its texts borrowed.
#[derive(Debug, Default)]
pub(super) struct Plain<'a> {
    pub(super) datasource: &'a str,
    pub(super) interval: &'a str,
    pub(super) version: &'a str,
    pub(super) dimensions: &'a str,
    pub(super) metrics: &'a str,
    pub(super) size: u64,
    pub(super) rows: Option<u64>,
    pub(super) shard: Shard,
}

/// What it keeps of a shard spec.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shard {
    pub(super) kind: ChunkKind,
    pub(super) partition: u32,
    pub(super) core: u32,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { kind: ChunkKind::Unknown, partition: 0, core: 0 }
    }
}

/// What a value is, as far as a shard spec asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `null`, or not there.
    Null,
    Text,
    /// A list of texts.
    Names,
    /// A list of texts and nulls.
    Tuple,
    Other,
}

/// Objects and lists inside each other that are followed.
const DEEPEST: u32 = 24;

/// Reads the segment that the bytes begin with, and says how many bytes it has.
pub(super) fn read(bytes: &[u8]) -> Option<(Plain<'_>, usize)> {
    let mut cursor = Cursor { bytes, at: 0 };
    let mut plain = Plain::default();
    let (mut seen, mut num_rows) = (0_u32, None);
    cursor.members(|cursor, key| {
        match key {
            b"dataSource" => plain.datasource = cursor.text()?,
            b"interval" => plain.interval = cursor.text()?,
            b"version" => plain.version = cursor.text()?,
            b"shardSpec" => plain.shard = cursor.shard()?,
            b"dimensions" => plain.dimensions = cursor.or_null(Cursor::text)?.unwrap_or_default(),
            b"metrics" => plain.metrics = cursor.or_null(Cursor::text)?.unwrap_or_default(),
            b"size" => plain.size = cursor.or_null(Cursor::number)?.unwrap_or_default(),
            b"totalRows" => plain.rows = cursor.or_null(Cursor::number)?,
            b"numRows" => num_rows = cursor.or_null(Cursor::number)?,
            _ => return cursor.skip(0),
        }
        once(&mut seen, key)
    })?;
    plain.rows = plain.rows.or(num_rows);
    let needed = bit(b"dataSource") | bit(b"interval") | bit(b"version") | bit(b"shardSpec");
    (seen & needed == needed).then_some((plain, cursor.at))
}

/// A bit of its own for each key that is read.
fn bit(key: &[u8]) -> u32 {
    const KEYS: [&[u8]; 19] = [
        b"dataSource",
        b"interval",
        b"version",
        b"shardSpec",
        b"dimensions",
        b"metrics",
        b"size",
        b"totalRows",
        b"numRows",
        b"type",
        b"partitionNum",
        b"partitions",
        b"numCorePartitions",
        b"dimension",
        b"partitionDimensionValues",
        b"partitionDimensions",
        b"partitionFunction",
        b"start",
        b"end",
    ];
    KEYS.iter().position(|known| *known == key).map_or(0, |at| 1 << at)
}

/// Notes a key; `None` when it has been there.
fn once(seen: &mut u32, key: &[u8]) -> Option<()> {
    let bit = bit(key);
    let is_new = *seen & bit == 0;
    *seen |= bit;
    is_new.then_some(())
}

/// Reads values; `None` means the long way.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// The members of an object; the callback reads each value.
    fn members(&mut self, mut value: impl FnMut(&mut Self, &'a [u8]) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        self.space();
        if self.take(b'}').is_some() {
            return Some(());
        }
        loop {
            self.space();
            let key = self.raw()?;
            self.space();
            self.take(b':')?;
            self.space();
            value(self, key)?;
            self.space();
            if self.take(b',').is_none() {
                return self.take(b'}');
            }
        }
    }

    /// The bytes of a text without escapes.
    fn raw(&mut self) -> Option<&'a [u8]> {
        self.text().map(str::as_bytes)
    }

    fn text(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let rest = self.bytes.get(self.at..)?;
        let end = end_of_text(rest)?;
        self.at += end;
        self.take(b'"')?;
        // Texts that nobody looks at too: what is not UTF-8 is no JSON.
        std::str::from_utf8(rest.get(..end)?).ok()
    }

    /// A whole number of at least 0.
    fn number(&mut self) -> Option<u64> {
        let from = self.at;
        let mut number = 0_u64;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            self.at += 1;
        }
        let digits = self.bytes.get(from..self.at)?;
        let is_number = !digits.is_empty() && (digits.len() == 1 || digits.first() != Some(&b'0'));
        // What follows must have come, and must not go on with the number.
        let goes_on = matches!(self.peek()?, b'.' | b'e' | b'E');
        (is_number && !goes_on).then_some(number)
    }

    fn number32(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn or_null<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.peek()? == b'n' { self.word(b"null").map(|()| None) } else { read(self).map(Some) }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    fn shard(&mut self) -> Option<Shard> {
        let mut kind: &[u8] = b"";
        let (mut partition, mut partitions, mut core) = (None, None, None);
        let (mut dimension, mut dimensions, mut hashed) = (Shape::Null, Shape::Null, Shape::Null);
        let (mut function, mut start, mut end) = (Shape::Null, Shape::Null, Shape::Null);
        let mut seen = 0;
        self.members(|cursor, key| {
            match key {
                b"type" => kind = cursor.raw()?,
                b"partitionNum" => partition = cursor.or_null(Cursor::number32)?,
                b"partitions" => partitions = cursor.or_null(Cursor::number32)?,
                b"numCorePartitions" => core = cursor.or_null(Cursor::number32)?,
                b"dimension" => dimension = cursor.shape()?,
                b"dimensions" => dimensions = cursor.shape()?,
                b"partitionDimensions" => hashed = cursor.shape()?,
                b"partitionFunction" => function = cursor.shape()?,
                b"start" => start = cursor.shape()?,
                b"end" => end = cursor.shape()?,
                _ => cursor.skip(1)?,
            }
            if bit(key) == 0 { Some(()) } else { once(&mut seen, key) }
        })?;
        let text = |shape: Shape| matches!(shape, Shape::Null | Shape::Text);
        let names = |shape: Shape| matches!(shape, Shape::Null | Shape::Names);
        let tuple = |shape: Shape| matches!(shape, Shape::Null | Shape::Names | Shape::Tuple);
        // As strict as `ShardSpec::from_json`: to that, a spec with a field of another shape is of an unknown kind.
        let (kind, partition, core) = match kind {
            b"numbered" => (ChunkKind::Numbered, partition?, partitions?),
            b"hashed" if names(hashed) && text(function) => (ChunkKind::Hashed, partition?, partitions?),
            b"tombstone" => (ChunkKind::Tombstone, 0, 0),
            b"range" if names(dimensions) && tuple(start) && tuple(end) => {
                (ChunkKind::Range, partition?, core?)
            }
            b"single" if dimension == Shape::Text && text(start) && text(end) => {
                (ChunkKind::Single, partition?, core?)
            }
            b"dim_value_set" => (ChunkKind::DimValueSet, partition?, partitions?),
            _ => return None,
        };
        Some(Shard { kind, partition, core })
    }

    /// Passes over a value and says what it is.
    fn shape(&mut self) -> Option<Shape> {
        let of = |byte| match byte {
            b'"' => Shape::Text,
            b'n' => Shape::Null,
            _ => Shape::Other,
        };
        if self.peek()? != b'[' {
            let shape = of(self.peek()?);
            return self.skip(1).map(|()| shape);
        }
        let mut list = Shape::Names;
        self.items(|cursor| {
            list = match (list, of(cursor.peek()?)) {
                (Shape::Other, _) | (_, Shape::Other) => Shape::Other,
                (_, Shape::Null) | (Shape::Tuple, _) => Shape::Tuple,
                _ => Shape::Names,
            };
            cursor.skip(2)
        })?;
        Some(list)
    }

    /// Passes over a value.
    fn skip(&mut self, depth: u32) -> Option<()> {
        match self.peek()? {
            b'"' => self.raw().map(|_| ()),
            b'{' if depth < DEEPEST => self.members(|cursor, _| cursor.skip(depth + 1)),
            b'[' if depth < DEEPEST => self.items(|cursor| cursor.skip(depth + 1)),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => {
                if self.peek()? == b'-' {
                    self.at += 1;
                }
                // Fractions and the like are rare.
                self.number().map(|_| ())
            }
        }
    }

    /// The elements of a list; the callback reads each.
    fn items(&mut self, mut value: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        self.space();
        if self.take(b']').is_some() {
            return Some(());
        }
        loop {
            self.space();
            value(self)?;
            self.space();
            if self.take(b',').is_none() {
                return self.take(b']');
            }
        }
    }
}

/// Where a text ends, eight bytes at a time; `None` when it does not, or has an escape or a control character.
fn end_of_text(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    // The top bit of each byte that is 0; below the first of those it may be set wrongly, never before it.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
    let (words, _) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let quote = zero(word ^ (ONES * u64::from(b'"')));
        let escape = zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word & TOPS;
        let found = quote | escape | control;
        if found != 0 {
            at += found.trailing_zeros() as usize / 8;
            return (bytes.get(at) == Some(&b'"')).then_some(at);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
    (rest.get(end) == Some(&b'"')).then_some(at + end)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_text_ends_at_its_quote_wherever_that_stands() {
        for length in 0..40 {
            let text = "é".repeat(length / 2) + &"x".repeat(length % 2);
            let bytes = format!("{text}\",\"next\"");
            assert_eq!(end_of_text(bytes.as_bytes()), Some(text.len()));
            assert_eq!(end_of_text(text.as_bytes()), None);
            for odd in ['\\', '\n', '\0', '\u{1f}'] {
                assert_eq!(end_of_text(format!("{text}{odd}\"").as_bytes()), None, "{odd:?} after {length}");
            }
            assert_eq!(end_of_text(format!("{text}\u{7f}\u{80} \"").as_bytes()), Some(text.len() + 4));
        }
    }

    #[test]
    fn what_is_no_json_is_never_read() {
        let whole = r#"{"dataSource":"d","interval":"i","version":"v","shardSpec":{"type":"numbered","partitionNum":0,"partitions":1},"x":[1,{"y":null}],"size":7}"#;
        assert_eq!(read(whole.as_bytes()).unwrap().1, whole.len());
        for at in 0..whole.len() {
            assert!(read(&whole.as_bytes()[..at]).is_none(), "cut at {at}");
            // Without any one byte it is another JSON, or none.
            let mut without = whole.as_bytes().to_vec();
            without.remove(at);
            let is_json = serde_json::from_slice::<serde_json::Value>(&without).is_ok();
            assert!(is_json || read(&without).is_none(), "without byte {at}");
        }
        for odd in ["01", "1.5", "1e3", "-", "tru", "[1,]", "{\"a\":1,}", "{\"a\"}", "[1 2]", "+1"] {
            let text = whole.replace("[1,{\"y\":null}]", odd);
            assert!(read(text.as_bytes()).is_none(), "{odd}");
        }
        assert!(read(whole.replace("\"x\"", "\"version\"").as_bytes()).is_none(), "a key twice");
    }
}
