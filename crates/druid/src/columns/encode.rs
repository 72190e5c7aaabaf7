//! Writing the compact form.

use super::ints::{put_column, put_plain, put_text, put_varint};
use super::{COLUMN_SETS, END, FORMAT, GROUP, LONGEST_SHARING, MAGIC, RANGES, ROWS, VERSIONS};
use crate::segment::SegmentSet;
use crate::segment::set::{Columns, UNKNOWN};

/// Writes a set while it grows: [`advance`](Self::advance) as often as there is something new, then
/// [`finish`](Self::finish). Always with the same set.
#[derive(Debug, Default)]
pub struct Encoder {
    rows: usize,
    versions: usize,
    column_sets: usize,
    ranges: usize,
    started: bool,
}

/// The whole stream of a set.
pub fn encode(set: &SegmentSet) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 + set.len() * 12);
    Encoder::default().finish(set, &mut out);
    out
}

impl Encoder {
    /// Writes the row groups that have become full since the last call.
    pub fn advance(&mut self, set: &SegmentSet, out: &mut Vec<u8>) {
        while set.len() - self.rows >= GROUP {
            self.group(set, GROUP, out);
        }
    }

    /// Writes what is left, and the end.
    pub fn finish(mut self, set: &SegmentSet, out: &mut Vec<u8>) {
        self.advance(set, out);
        self.group(set, set.len() - self.rows, out);
        let mut payload = Vec::new();
        put_varint(&mut payload, set.len() as u64);
        put_frame(out, END, &payload);
    }

    fn group(&mut self, set: &SegmentSet, count: usize, out: &mut Vec<u8>) {
        let columns = set.columns();
        if !self.started {
            out.extend_from_slice(&MAGIC);
            out.push(FORMAT);
            put_text(out, &columns.datasource);
            self.started = true;
        }
        if count == 0 {
            return;
        }
        self.texts(columns, out);
        let mut payload = rows(columns, self.rows, count, put_column);
        // Rows that are all alike pack into nothing; the decoder takes no more of them than there are bytes.
        if payload.len() < count + ROOM_FOR_COUNT {
            payload = rows(columns, self.rows, count, put_plain);
        }
        put_frame(out, ROWS, &payload);
        self.rows += count;
        self.open_ranges(columns, out);
    }

    fn texts(&mut self, columns: &Columns, out: &mut Vec<u8>) {
        let new = columns.versions.len() - self.versions;
        if new > 0 {
            let mut payload = Vec::new();
            put_varint(&mut payload, new as u64);
            let mut before: &str = "";
            for text in columns.versions.from(self.versions) {
                // Neighbouring versions are neighbouring times. The cut may fall inside a character: bytes only.
                let shared = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
                let shared = if text.len() > LONGEST_SHARING { 0 } else { shared };
                put_varint(&mut payload, shared as u64);
                let rest = text.as_bytes().get(shared..).unwrap_or_default();
                put_varint(&mut payload, rest.len() as u64);
                payload.extend_from_slice(rest);
                before = text;
            }
            put_frame(out, VERSIONS, &payload);
            self.versions += new;
        }
        let new = columns.column_sets.len() - self.column_sets;
        if new > 0 {
            let mut payload = Vec::new();
            put_varint(&mut payload, new as u64);
            for (dimensions, metrics) in columns.column_sets.from(self.column_sets) {
                put_text(&mut payload, dimensions);
                put_text(&mut payload, metrics);
            }
            put_frame(out, COLUMN_SETS, &payload);
            self.column_sets += new;
        }
    }

    fn open_ranges(&mut self, columns: &Columns, out: &mut Vec<u8>) {
        let new = columns.ranges.get(self.ranges..).unwrap_or_default();
        let sent = new.iter().take_while(|(row, _)| (*row as usize) < self.rows).count();
        if sent == 0 {
            return;
        }
        let mut payload = Vec::new();
        put_varint(&mut payload, sent as u64);
        for (row, range) in new.iter().take(sent) {
            put_varint(&mut payload, u64::from(*row));
            for end in [&range.start, &range.end] {
                payload.push(u8::from(end.is_some()));
                put_text(&mut payload, end.as_deref().unwrap_or_default());
            }
        }
        put_frame(out, RANGES, &payload);
        self.ranges += sent;
    }
}

/// Bytes that the number of rows of a group may take.
const ROOM_FOR_COUNT: usize = 2;

/// The columns of a row group, each written in one way. Unknown numbers travel as -1.
fn rows(columns: &Columns, from: usize, count: usize, put_column: fn(&mut Vec<u8>, &[i64])) -> Vec<u8> {
    fn part<T>(column: &[T], from: usize, count: usize) -> &[T] {
        column.get(from..from + count).unwrap_or_default()
    }
    let known = |number: &u32| if *number == UNKNOWN { -1 } else { i64::from(*number) };
    let (start, end) = (part(&columns.start, from, count), part(&columns.end, from, count));
    let lengths: Vec<i64> = start.iter().zip(end).map(|(start, end)| end.wrapping_sub(*start)).collect();
    let numbers = |column: &[u32]| part(column, from, count).iter().map(known).collect::<Vec<i64>>();

    let mut payload = Vec::with_capacity(count * 12);
    put_varint(&mut payload, count as u64);
    put_column(&mut payload, start);
    put_column(&mut payload, &lengths);
    put_column(&mut payload, &numbers(&columns.version));
    put_column(&mut payload, &numbers(&columns.partition));
    put_column(&mut payload, &numbers(&columns.core));
    let kinds: Vec<i64> = part(&columns.kind, from, count).iter().map(|kind| *kind as i64).collect();
    put_column(&mut payload, &kinds);
    put_column(&mut payload, &numbers(&columns.rows));
    let sizes: Vec<i64> = part(&columns.size, from, count).iter().map(|size| size.cast_signed()).collect();
    put_column(&mut payload, &sizes);
    put_column(&mut payload, &numbers(&columns.columns));
    payload
}

fn put_frame(out: &mut Vec<u8>, tag: u8, payload: &[u8]) {
    out.push(tag);
    put_varint(out, payload.len() as u64);
    out.extend_from_slice(payload);
}
