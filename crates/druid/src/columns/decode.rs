//! Reading the compact form, slice by slice.

use std::fmt;

use super::ints::Reader;
use super::{
    COLUMN_SETS, END, FORMAT, GROUP, LONGEST_FRAME, LONGEST_SHARING, MAGIC, MOST_ROWS, RANGES, ROWS, VERSIONS,
};
use crate::segment::set::{Columns, OpenRange, UNKNOWN};
use crate::segment::{ChunkKind, SegmentSet};

/// Why bytes are no stream of segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    /// It does not begin as one; an error page, perhaps.
    NotColumns,
    /// It was written by another release.
    OtherFormat(u8),
    /// It ends before its end frame: the connection was cut.
    Cut {
        /// How many rows had come whole.
        rows: usize,
    },
    /// A frame is shorter than what it says it holds.
    Short,
    /// Something in it cannot be.
    Malformed(&'static str),
    /// It holds more than any datasource does.
    TooLarge,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::NotColumns => {
                write!(f, "the answer is not the segment stream of a Foreshadow gateway")
            }
            DecodeError::OtherFormat(format) => write!(
                f,
                "the gateway sends segments in format {format}, this console reads {FORMAT}: reload the page"
            ),
            DecodeError::Cut { rows } => {
                write!(f, "the segment stream was cut after {rows} segments: load it again")
            }
            DecodeError::Short => write!(f, "the segment stream is damaged: a frame is too short"),
            DecodeError::Malformed(what) => write!(f, "the segment stream is damaged: {what}"),
            DecodeError::TooLarge => write!(f, "the segment stream holds more than {MOST_ROWS} segments"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// Takes a stream in slices of any size. After an error nothing more is taken.
#[derive(Debug)]
pub struct Decoder {
    /// What has not made a whole frame yet.
    pending: Vec<u8>,
    state: State,
    columns: Columns,
    /// The stream's numbers for versions and column sets, as numbers of the set.
    versions: Vec<u32>,
    column_sets: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Header,
    Frames,
    Ended,
    Failed(DecodeError),
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

impl Decoder {
    /// Waits for the header.
    pub fn new() -> Decoder {
        Decoder {
            pending: Vec::new(),
            state: State::Header,
            columns: Columns::default(),
            versions: Vec::new(),
            column_sets: Vec::new(),
        }
    }

    /// How many segments have come whole so far.
    pub fn rows(&self) -> usize {
        self.columns.start.len()
    }

    /// Takes the next bytes. An error stays: every later call and [`finish`](Self::finish) give it again.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        if let State::Failed(error) = &self.state {
            return Err(error.clone());
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend_from_slice(bytes);
        let mut reader = Reader::new(&pending);
        let taken = loop {
            let at = pending.len() - reader.left();
            match self.step(&mut reader) {
                Ok(true) => {}
                Ok(false) => break at,
                Err(error) => {
                    self.state = State::Failed(error.clone());
                    return Err(error);
                }
            }
        };
        pending.drain(..taken);
        self.pending = pending;
        Ok(())
    }

    /// The set, once everything has come.
    pub fn finish(self) -> Result<SegmentSet, DecodeError> {
        match self.state {
            State::Failed(error) => Err(error),
            State::Ended => Ok(SegmentSet::from_columns(self.columns)),
            State::Header | State::Frames => Err(DecodeError::Cut { rows: self.columns.start.len() }),
        }
    }

    /// Takes the header or a frame; false when it is not there whole.
    fn step(&mut self, reader: &mut Reader<'_>) -> Result<bool, DecodeError> {
        match self.state {
            State::Header => not_yet(self.header(reader)),
            State::Frames => {
                let head = not_yet(tag_and_length(reader).map(Some))?;
                let Some((tag, length)) = head else { return Ok(false) };
                if length > LONGEST_FRAME {
                    return Err(DecodeError::TooLarge);
                }
                let Ok(payload) = reader.bytes(length as usize) else { return Ok(false) };
                let mut payload = Reader::new(payload);
                self.frame(tag, &mut payload)?;
                if !payload.is_at_end() {
                    return Err(DecodeError::Malformed("a frame is longer than what it holds"));
                }
                Ok(true)
            }
            State::Ended if reader.is_at_end() => Ok(false),
            State::Ended | State::Failed(_) => {
                Err(DecodeError::Malformed("there is something after its end"))
            }
        }
    }

    fn header(&mut self, reader: &mut Reader<'_>) -> Result<bool, DecodeError> {
        let have = reader.left().min(MAGIC.len());
        if !MAGIC.starts_with(reader.bytes(have)?) {
            return Err(DecodeError::NotColumns);
        }
        let format = reader.byte()?;
        if format != FORMAT {
            return Err(DecodeError::OtherFormat(format));
        }
        self.columns.datasource = reader.text()?.into();
        self.state = State::Frames;
        Ok(true)
    }

    fn frame(&mut self, tag: u8, payload: &mut Reader<'_>) -> Result<(), DecodeError> {
        match tag {
            VERSIONS => self.versions_frame(payload),
            COLUMN_SETS => {
                for _ in 0..payload.count()? {
                    let (dimensions, metrics) = (payload.text()?, payload.text()?);
                    self.column_sets.push(self.columns.column_sets.number(dimensions, metrics));
                }
                Ok(())
            }
            ROWS => self.rows_frame(payload),
            RANGES => self.ranges_frame(payload),
            END if payload.varint()? == self.columns.start.len() as u64 => {
                self.state = State::Ended;
                Ok(())
            }
            END => Err(DecodeError::Malformed("its row count")),
            _ => Err(DecodeError::Malformed("a frame of an unknown kind")),
        }
    }

    fn versions_frame(&mut self, payload: &mut Reader<'_>) -> Result<(), DecodeError> {
        let mut text: Vec<u8> = Vec::new();
        for _ in 0..payload.count()? {
            let shared = usize::try_from(payload.varint()?).unwrap_or(usize::MAX);
            if shared > text.len() {
                return Err(DecodeError::Malformed("a version shares more than there is"));
            }
            text.truncate(shared);
            let rest = payload.count()?;
            if shared > 0 && shared + rest > LONGEST_SHARING {
                return Err(DecodeError::Malformed("a version that shares and is too long for it"));
            }
            text.extend_from_slice(payload.bytes(rest)?);
            let version = std::str::from_utf8(&text)
                .map_err(|_| DecodeError::Malformed("a version that is not UTF-8"))?;
            self.versions.push(self.columns.versions.number(version));
        }
        Ok(())
    }

    fn ranges_frame(&mut self, payload: &mut Reader<'_>) -> Result<(), DecodeError> {
        for _ in 0..payload.count()? {
            let row = payload.varint()?;
            let mut end = || -> Result<_, DecodeError> {
                let closed = payload.byte()? != 0;
                let text = payload.text()?;
                Ok(closed.then(|| text.into()))
            };
            let range = OpenRange { start: end()?, end: end()? };
            let after = self.columns.ranges.last().is_none_or(|(last, _)| u64::from(*last) < row);
            if !after || row >= self.columns.start.len() as u64 {
                return Err(DecodeError::Malformed("a range of a row that is not there"));
            }
            self.columns.ranges.push((row as u32, range));
        }
        Ok(())
    }

    fn rows_frame(&mut self, payload: &mut Reader<'_>) -> Result<(), DecodeError> {
        // The encoder spends a byte on each row at least, even where all are alike.
        let count = payload.count()?;
        if count > GROUP {
            return Err(DecodeError::Malformed("a row group that is too large"));
        }
        let columns = &mut self.columns;
        if columns.start.len() + count > MOST_ROWS {
            return Err(DecodeError::TooLarge);
        }
        let start = payload.column(count)?;
        for (start, length) in start.iter().zip(payload.column(count)?) {
            // From one end of time to the other there are more milliseconds than 64 bits count with a sign.
            let end = Some(start.wrapping_add(length)).filter(|end| end >= start);
            columns.end.push(end.ok_or(DecodeError::Malformed("an interval that ends before it starts"))?);
        }
        columns.start.extend(start);
        columns.version.extend(look_up(payload.column(count)?, &self.versions)?);
        for partition in payload.column(count)? {
            let partition = u32::try_from(partition).ok();
            columns.partition.push(partition.ok_or(DecodeError::Malformed("a partition number"))?);
        }
        for core in payload.column(count)? {
            columns.core.push(unknown_or(core)?);
        }
        for kind in payload.column(count)? {
            let kind = u8::try_from(kind).ok().and_then(ChunkKind::from_byte);
            columns.kind.push(kind.ok_or(DecodeError::Malformed("a kind of shard spec"))?);
        }
        for rows in payload.column(count)? {
            columns.rows.push(unknown_or(rows)?);
        }
        columns.size.extend(payload.column(count)?.into_iter().map(i64::cast_unsigned));
        columns.columns.extend(look_up(payload.column(count)?, &self.column_sets)?);
        Ok(())
    }
}

fn tag_and_length(reader: &mut Reader<'_>) -> Result<(u8, u64), DecodeError> {
    Ok((reader.byte()?, reader.varint()?))
}

/// Outside a frame, what is short may still be under way: whether it is shows when the stream ends.
fn not_yet<T: Default>(read: Result<T, DecodeError>) -> Result<T, DecodeError> {
    match read {
        Err(DecodeError::Short) => Ok(T::default()),
        other => other,
    }
}

fn look_up(numbers: Vec<i64>, known: &[u32]) -> Result<Vec<u32>, DecodeError> {
    let number = |number: i64| usize::try_from(number).ok().and_then(|at| known.get(at)).copied();
    let found: Option<Vec<u32>> = numbers.into_iter().map(number).collect();
    found.ok_or(DecodeError::Malformed("a text that was never sent"))
}

fn unknown_or(number: i64) -> Result<u32, DecodeError> {
    match number {
        -1 => Ok(UNKNOWN),
        _ => u32::try_from(number).map_err(|_| DecodeError::Malformed("a count")),
    }
}
