//! Distinct texts, numbered in the order they are first met: versions by the million, and pairs of column names.
//!
//! A version that Druid made itself is an instant of 24 characters, and its digits fit one word: [`stamp`]. Such a text
//! is looked up by that word alone, in one cell of one table; every other text by a hash of it, and then compared. No
//! random keys: who could choose the texts is the cluster itself.

use std::cmp::Ordering;

use super::compare_versions;

/// Texts in one buffer, and the table that finds them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    joined: String,
    /// Where each text ends in `joined`.
    ends: Vec<usize>,
    /// Open addressing; a power of two long, and never more than half full.
    cells: Vec<Cell>,
    /// What was asked last: neighbours mostly share it.
    last: Cell,
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// The stamp of the text, or its hash with [`HASHED`] set.
    key: u64,
    /// The text's number plus one; 0 in an empty cell.
    number: u32,
}

/// Marks keys that are hashes; a stamp has 59 bits.
const HASHED: u64 = 1 << 63;

impl Texts {
    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: u32) -> Option<&str> {
        let at = number as usize;
        let from = if at == 0 { 0 } else { *self.ends.get(at - 1)? };
        self.joined.get(from..*self.ends.get(at)?)
    }

    /// Those from a number on.
    pub(crate) fn from(&self, number: usize) -> impl Iterator<Item = &str> {
        (number as u32..self.len() as u32).filter_map(|number| self.get(number))
    }

    /// The number of a text; a text that is new gets the next one.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        let key = stamp(text).unwrap_or_else(|| hash(text) | HASHED);
        if self.is(self.last, key, text) {
            return self.last.number - 1;
        }
        if self.cells.len() < 2 * (self.len() + 1) {
            self.grow();
        }
        let mut at = self.place(key);
        loop {
            let wrap = self.cells.len() - 1;
            let Some(cell) = self.cells.get(at).copied() else { return 0 };
            if self.is(cell, key, text) {
                self.last = cell;
                return cell.number - 1;
            }
            if cell.number == 0 {
                break;
            }
            at = (at + 1) & wrap;
        }
        self.joined.push_str(text);
        self.ends.push(self.joined.len());
        self.last = Cell { key, number: self.len() as u32 };
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = self.last;
        }
        self.last.number - 1
    }

    fn is(&self, cell: Cell, key: u64, text: &str) -> bool {
        cell.key == key
            && cell.number > 0
            && (key & HASHED == 0 || self.get(cell.number - 1).is_some_and(|other| other == text))
    }

    /// Where the search for a key begins: the upper bits of its product, as many as the table has.
    fn place(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.cells.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        let cells = vec![Cell::default(); (self.cells.len() * 2).max(16)];
        let before = std::mem::replace(&mut self.cells, cells);
        let wrap = self.cells.len() - 1;
        for cell in before.into_iter().filter(|cell| cell.number > 0) {
            let mut at = self.place(cell.key);
            while self.cells.get(at).is_some_and(|taken| taken.number > 0) {
                at = (at + 1) & wrap;
            }
            if let Some(free) = self.cells.get_mut(at) {
                *free = cell;
            }
        }
    }

    /// Numbers in the order of Druid's versions ([`compare_versions`]), least first.
    pub(crate) fn in_order(&self) -> Vec<u32> {
        let mut keyed: Vec<(u64, u32)> = vec![(0, 0); self.len()];
        for cell in self.cells.iter().filter(|cell| cell.number > 0) {
            if let Some(place) = keyed.get_mut(cell.number as usize - 1) {
                *place = (cell.key, cell.number - 1);
            }
        }
        let text = |number: u32| self.get(number).unwrap_or_default();
        // The order of two stamps is that of their texts.
        let order = |a: &(u64, u32), b: &(u64, u32)| -> Ordering {
            if (a.0 | b.0) & HASHED == 0 { a.0.cmp(&b.0) } else { compare_versions(text(a.1), text(b.1)) }
        };
        if !keyed.is_sorted_by(|a, b| order(a, b).is_le()) {
            if keyed.iter().all(|(key, _)| key & HASHED == 0) {
                keyed.sort_unstable();
            } else {
                keyed.sort_unstable_by(order);
            }
        }
        keyed.into_iter().map(|(_, number)| number).collect()
    }

    /// Bytes it holds on to.
    pub(crate) fn bytes(&self) -> usize {
        self.joined.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.cells.capacity() * size_of::<Cell>()
    }
}

/// The digits of `yyyy-MM-ddTHH:mm:ss.SSSZ` as one number; `None` for any other text.
///
/// Every text that has an answer has one of its own, and the numbers stand in the order of the texts. So the places of
/// digits are looked at no closer than that asks for: what stands after 9 in ASCII passes for a digit.
fn stamp(text: &str) -> Option<u64> {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let ([date, hour, second], []) = (words, rest) else { return None };
    let differs = |word: &[u8; 8], form: &[u8; 8]| u64::from_be_bytes(*word) ^ u64::from_be_bytes(*form);
    let date = differs(date, b"0000-00-");
    let hour = differs(hour, b"00T00:00");
    let second = differs(second, b":00.000Z");
    // The bits that must not differ: all of a sign, the upper half of a digit, and of a first digit what keeps the
    // number short (a month begins with 0 or 1).
    let odd = date & 0xf0f0_f0f0_fffe_f0ff | hour & 0xfcf0_fffc_f0ff_f8f0 | second & 0xfff8_f0ff_f0f0_f0ff;
    if odd != 0 {
        return None;
    }
    let (date, hour, second) = (half(date), half(hour), half(second));
    let year_to_day = (date >> 16) << 11 | (date >> 4 & 0x1f) << 6 | hour >> 24;
    let hour_and_minute = (hour >> 12 & 0x3f) << 7 | hour & 0x7f;
    Some(year_to_day << 32 | hour_and_minute << 19 | (second >> 20 & 0x7f) << 12 | second >> 4 & 0xfff)
}

/// The lower halves of eight bytes, joined.
fn half(word: u64) -> u64 {
    let word = (word | word >> 4) & 0x00ff_00ff_00ff_00ff;
    let word = (word | word >> 8) & 0x0000_ffff_0000_ffff;
    (word | word >> 16) & 0xffff_ffff
}

/// Multiply and fold, eight bytes at a time.
fn hash(text: &str) -> u64 {
    let fold = |state: u64, word: u64| {
        let wide = u128::from(state ^ word ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
        wide as u64 ^ (wide >> 64) as u64
    };
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let state = words.iter().fold(0, |state, word| fold(state, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    fold(state, u64::from_le_bytes(last) ^ (text.len() as u64) << 56)
}

/// Pairs of texts, numbered likewise: the dimension and metric names of a segment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairs {
    /// Both texts and the length of the first, so that no two pairs look alike.
    joined: Texts,
    /// The lengths of both.
    lengths: Vec<(usize, usize)>,
    last: u32,
    asked: String,
}

impl Pairs {
    pub(crate) fn get(&self, number: u32) -> Option<(&str, &str)> {
        let (first, second) = *self.lengths.get(number as usize)?;
        self.joined.get(number)?.get(..first + second)?.split_at_checked(first)
    }

    /// Those from a number on.
    pub(crate) fn from(&self, number: usize) -> impl Iterator<Item = (&str, &str)> {
        (number as u32..self.len() as u32).filter_map(|number| self.get(number))
    }

    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The number of a pair; one that is new gets the next.
    pub(crate) fn number(&mut self, first: &str, second: &str) -> u32 {
        if self.get(self.last) != Some((first, second)) {
            self.asked.clear();
            self.asked.push_str(first);
            self.asked.push_str(second);
            self.asked.push_str(&first.len().to_string());
            self.last = self.joined.number(&self.asked);
            if self.last as usize == self.lengths.len() {
                self.lengths.push((first.len(), second.len()));
            }
        }
        self.last
    }

    pub(crate) fn bytes(&self) -> usize {
        self.joined.bytes() + self.asked.capacity() + self.lengths.capacity() * size_of::<(usize, usize)>()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_text_keeps_its_number_however_often_and_in_whatever_order_it_comes() {
        let mut texts = Texts::default();
        let all: Vec<String> = (0..5_000)
            .map(|at| match at % 3 {
                0 => format!("20{:02}-01-01T{:02}:00:{:02}.{:03}Z", at % 89, at % 24, at % 60, at % 1000),
                1 => format!("v{at}"),
                _ => format!("1970-01-01T00:00:00.000Z{}", "S".repeat(at % 40)),
            })
            .collect();
        let first: Vec<u32> = all.iter().map(|text| texts.number(text)).collect();
        let again: Vec<u32> = all.iter().rev().map(|text| texts.number(text)).collect();
        assert!(first.iter().eq(again.iter().rev()));
        for (text, number) in all.iter().zip(first) {
            assert_eq!(texts.get(number), Some(text.as_str()));
        }
    }

    #[test]
    fn texts_that_only_look_like_instants_are_told_apart() {
        let mut texts = Texts::default();
        let instant = "2026-07-16T00:00:00.000Z";
        for at in 0..instant.len() {
            for byte in 0x20..0x7f_u8 {
                let mut changed = instant.as_bytes().to_vec();
                *changed.get_mut(at).unwrap() = byte;
                let changed = String::from_utf8(changed).unwrap();
                let number = texts.number(&changed);
                assert_eq!(texts.get(number), Some(changed.as_str()));
            }
        }
        let order = texts.in_order();
        let sorted: Vec<&str> = order.iter().map(|number| texts.get(*number).unwrap()).collect();
        assert!(sorted.is_sorted_by(|a, b| compare_versions(a, b).is_lt()));
    }

    #[test]
    fn the_empty_text_is_a_text() {
        let mut texts = Texts::default();
        assert_eq!((texts.number(""), texts.number("a"), texts.number("")), (0, 1, 0));
        assert_eq!((texts.get(0), texts.get(1), texts.get(2)), (Some(""), Some("a"), None));
    }

    #[test]
    fn pairs_that_read_alike_when_joined_are_two() {
        let mut pairs = Pairs::default();
        let numbers =
            [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"), ("ab", "c"), ("1", "1"), ("11", "")]
                .map(|(first, second)| pairs.number(first, second));
        assert_eq!(numbers, [0, 1, 2, 3, 0, 4, 5]);
        assert_eq!(pairs.get(1), Some(("a", "bc")));
    }
}
