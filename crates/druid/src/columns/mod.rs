//! The compact form in which a datasource's segments travel from gateway to browser, and the fingerprints by which
//! a plan knows that a time chunk has changed since it was drawn.
//!
//! About ten bytes a segment where JSON has eight hundred. A stream is a header and frames; rows come in groups, so
//! that what has arrived can be counted before the rest is there. [`Encoder`] writes from a growing set, [`Decoder`]
//! takes byte slices of any size. Anything that is not such a stream is an error value, and so is one that was cut.
//!
//! What one segment alone says (load spec, hash buckets, …) does not travel: see [`SegmentSet`].
//!
//! ```text
//! header   "FSCO", version byte, datasource text
//! frame    tag byte, length (varint), payload of that length
//!   versions      count, then per text: bytes shared with the text before, rest
//!   column sets   count, then per pair: dimensions, metrics
//!   rows          count, then ten columns of whole numbers (see `ints`)
//!   ranges        count, then per range: row, start, end (for old range shard specs)
//!   end           number of rows
//! ```
//! Whole numbers are LEB128 varints; a text is its length in bytes and UTF-8.

mod decode;
mod encode;
mod fingerprint;
mod ints;

pub use decode::{DecodeError, Decoder};
pub use encode::{Encoder, encode};
pub use fingerprint::{Fingerprint, fingerprints, fingerprints_overlapping};

#[cfg(doc)]
use crate::segment::SegmentSet;

const MAGIC: [u8; 4] = *b"FSCO";
const FORMAT: u8 = 1;

/// Rows of a full group.
const GROUP: usize = 8_192;

/// Frames are far smaller; what says it is longer is no stream of ours.
const LONGEST_FRAME: u64 = 64 << 20;

/// More segments than any datasource has; a bound on what a few hostile bytes can make us allocate.
const MOST_ROWS: usize = 1 << 23;

/// A version longer than this is sent whole, bytes: a few that each say “as before, and a letter more” must not fill the
/// memory. (Druid's own have 24.)
const LONGEST_SHARING: usize = 1 << 10;

const VERSIONS: u8 = 1;
const COLUMN_SETS: u8 = 2;
const ROWS: u8 = 3;
const RANGES: u8 = 4;
const END: u8 = 5;
