//! Segments from a stream of JSON, without ever holding the JSON: a million of them are eight hundred megabytes of
//! text and forty-five of columns.
//!
//! Takes what the Coordinator answers (an array of segments), the same as JSON lines, and lines
//! `[start_ms,end_ms,"version",partition,core]`. Slices may end anywhere. Only one segment's text is kept at a time.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::plain::{self, Plain};
use super::{ChunkKind, Segment, SegmentRef, SegmentSet};
use crate::interval::{Instant, Interval};

/// Why a stream is no list of segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamError {
    /// It begins with something else; an error page, perhaps.
    NotSegments {
        /// Its first bytes, as far as they are readable.
        begins: String,
    },
    /// One of its elements is no segment.
    Segment {
        /// Which, counted from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// It holds segments of another datasource than the one asked for, or of several.
    OtherDatasource {
        /// The one the others are of.
        expected: String,
        /// The odd one.
        found: String,
    },
    /// It ended in the middle: the connection was cut.
    Cut {
        /// How many segments had come whole.
        segments: usize,
    },
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::NotSegments { begins } => {
                write!(
                    f,
                    "this is no list of segments as the Coordinator gives it; it begins with {begins:?}"
                )
            }
            StreamError::Segment { number, reason } => write!(f, "segment {number}: {reason}"),
            StreamError::OtherDatasource { expected, found } => write!(
                f,
                "the list holds segments of {found:?} beside those of {expected:?}; give one datasource at a time"
            ),
            StreamError::Cut { segments } => {
                write!(f, "the list of segments was cut after {segments} of them: read it again")
            }
        }
    }
}

impl std::error::Error for StreamError {}

/// Reads a list of segments slice by slice.
#[derive(Debug)]
pub struct Reader {
    set: SegmentSet,
    /// Whether the datasource was given, or is still to be learnt from the first segment.
    named: bool,
    pending: Vec<u8>,
    scan: Scan,
    /// The interval text read last, and what it means: neighbours mostly share it.
    last: Option<(String, Interval)>,
    count: usize,
}

/// Where the scan for the end of the next element stands.
#[derive(Debug, Default)]
struct Scan {
    /// Bytes of `pending` looked at.
    at: usize,
    /// Where the element under way begins.
    from: Option<usize>,
    depth: u32,
    in_text: bool,
    escaped: bool,
    around: Around,
}

/// What is around the elements.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Nothing: lines.
    #[default]
    Nothing,
    /// A bracket, at this place, that may open the array or a compact line.
    Bracket(usize),
    /// An array: a comma comes, or its end.
    Element,
    /// An array: an element comes.
    Comma,
    /// An array that has ended.
    Closed,
}

impl Reader {
    /// Expects segments of this datasource; with none given, of the one the first segment is of.
    pub fn new(datasource: Option<&str>) -> Reader {
        Reader {
            set: SegmentSet::new(datasource.unwrap_or_default()),
            named: datasource.is_some(),
            pending: Vec::new(),
            scan: Scan::default(),
            last: None,
            count: 0,
        }
    }

    /// What has come so far: for sending on while the rest is under way.
    pub fn so_far(&self) -> &SegmentSet {
        &self.set
    }

    /// Takes the next bytes. After an error the reader is of no further use.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        self.pending.extend_from_slice(bytes);
        let pending = std::mem::take(&mut self.pending);
        let mut used = 0;
        while let Some(from) = self.scan.start(&pending)? {
            let begun = pending.get(from..).unwrap_or_default();
            if self.scan.at == from
                && let Some((plain, length)) = plain::read(begun)
            {
                self.count += 1;
                self.plain(&plain)?;
                self.scan.pass(length);
            } else {
                let Some(element) = self.scan.end(&pending) else { break };
                self.element(pending.get(element).unwrap_or_default())?;
            }
            used = self.scan.at;
        }
        // What is between elements need not be kept.
        used = self.scan.needed().max(used);
        self.pending = pending;
        self.pending.drain(..used);
        self.scan.forget(used);
        Ok(())
    }

    /// The set, once everything has come.
    pub fn finish(self) -> Result<SegmentSet, StreamError> {
        let scan = &self.scan;
        let cut = scan.from.is_some()
            || match scan.around {
                Around::Nothing => self.count == 0,
                Around::Closed => false,
                Around::Bracket(_) | Around::Element | Around::Comma => true,
            };
        if cut { Err(StreamError::Cut { segments: self.count }) } else { Ok(self.set) }
    }

    fn element(&mut self, text: &[u8]) -> Result<(), StreamError> {
        self.count += 1;
        let number = self.count;
        let wrong = |reason: String| StreamError::Segment { number, reason };
        if text.first() == Some(&b'[') {
            // Lines are of the datasource that was asked for, or of none: a segment of another is not one of them.
            self.named = true;
            let line: (i64, i64, Cow<'_, str>, u32, u32) =
                serde_json::from_slice(text).map_err(|e| wrong(e.to_string()))?;
            let interval = Interval::new(Instant::from_ms(line.0), Instant::from_ms(line.1));
            self.set.push_parts(&SegmentRef {
                datasource: "",
                interval: interval.ok_or_else(|| wrong("it ends before it starts".to_owned()))?,
                version: &line.2,
                partition: line.3,
                core: Some(line.4),
                kind: ChunkKind::Numbered,
                rows: None,
                size: 0,
                dimensions: "",
                metrics: "",
            });
            return Ok(());
        }
        if let Some((plain, _)) = plain::read(text) {
            return self.plain(&plain);
        }
        // Odd shapes take the long way, and so does what is no segment at all, for its words.
        let raw: Value = serde_json::from_slice(text).map_err(|e| wrong(e.to_string()))?;
        let segment = Segment::from_json(&raw).map_err(|e| wrong(e.to_string()))?;
        self.check_datasource(&segment.datasource)?;
        self.set.push(&segment);
        Ok(())
    }

    fn plain(&mut self, plain: &Plain<'_>) -> Result<(), StreamError> {
        self.check_datasource(plain.datasource)?;
        let interval = match &self.last {
            Some((text, interval)) if text == plain.interval => *interval,
            _ => {
                let read = Interval::parse(plain.interval).map_err(|e| StreamError::Segment {
                    number: self.count,
                    reason: format!("its interval {:?} cannot be read: {}", plain.interval, e.message),
                });
                self.last.insert((plain.interval.to_owned(), read?)).1
            }
        };
        self.set.push_parts(&SegmentRef {
            datasource: "",
            interval,
            version: plain.version,
            partition: plain.shard.partition,
            core: Some(plain.shard.core),
            kind: plain.shard.kind,
            rows: plain.rows,
            size: plain.size,
            dimensions: plain.dimensions,
            metrics: plain.metrics,
        });
        Ok(())
    }

    fn check_datasource(&mut self, found: &str) -> Result<(), StreamError> {
        if !self.named {
            self.set = SegmentSet::new(found);
            self.named = true;
        }
        if self.set.datasource() == found {
            return Ok(());
        }
        Err(StreamError::OtherDatasource {
            expected: self.set.datasource().to_owned(),
            found: found.to_owned(),
        })
    }
}

impl Scan {
    /// Where the next element begins; `None` when that has not come.
    fn start(&mut self, bytes: &[u8]) -> Result<Option<usize>, StreamError> {
        while self.from.is_none()
            && let Some(byte) = bytes.get(self.at)
        {
            match (byte, self.around) {
                (b' ' | b'\n' | b'\r' | b'\t', _) => self.at += 1,
                (b'[', Around::Nothing) => (self.around, self.at) = (Around::Bracket(self.at), self.at + 1),
                (b'{', Around::Bracket(_) | Around::Comma) => {
                    (self.around, self.from) = (Around::Element, Some(self.at));
                }
                (b'{', Around::Nothing) => self.from = Some(self.at),
                (b',', Around::Element) => (self.around, self.at) = (Around::Comma, self.at + 1),
                (b']', Around::Bracket(_) | Around::Element) => {
                    (self.around, self.at) = (Around::Closed, self.at + 1);
                }
                // The bracket was a compact line's.
                (_, Around::Bracket(from)) => {
                    (self.around, self.from, self.at) = (Around::Nothing, Some(from), from);
                }
                _ => {
                    let rest = bytes.get(self.at..).unwrap_or_default();
                    let begins = String::from_utf8_lossy(rest.get(..80).unwrap_or(rest)).into_owned();
                    return Err(StreamError::NotSegments { begins });
                }
            }
        }
        Ok(self.from)
    }

    /// From where on the bytes are still needed.
    fn needed(&self) -> usize {
        match self.around {
            Around::Bracket(from) => from,
            _ => self.from.unwrap_or(self.at),
        }
    }

    /// So many bytes before that place have gone.
    fn forget(&mut self, gone: usize) {
        self.at -= gone;
        self.from = self.from.map(|from| from - gone);
        if let Around::Bracket(from) = &mut self.around {
            *from -= gone;
        }
    }

    /// Goes on behind the element under way, of which the length is known.
    fn pass(&mut self, length: usize) {
        self.at = self.from.take().unwrap_or(self.at) + length;
    }

    /// The element under way, as a range of the bytes; `None` when it is not there whole.
    fn end(&mut self, bytes: &[u8]) -> Option<std::ops::Range<usize>> {
        let from = self.from?;
        while let Some(byte) = bytes.get(self.at) {
            self.at += 1;
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
            if self.depth == 0 {
                self.from = None;
                return Some(from..self.at);
            }
        }
        None
    }
}
