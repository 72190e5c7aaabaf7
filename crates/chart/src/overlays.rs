//! What lies over and under the bars: the typed range, what it was widened to, locks, selection.
//!
//! All times are milliseconds since 1970-01-01T00:00Z, ends exclusive. Borrowed by the frame that draws them.

/// A half-open interval in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// First millisecond.
    pub start: i64,
    /// First millisecond after it.
    pub end: i64,
}

impl Span {
    /// A span; the ends are taken as they are.
    pub const fn new(start: i64, end: i64) -> Span {
        Span { start, end }
    }
}

/// A lock that somebody else holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockMark {
    /// What it covers.
    pub span: Span,
    /// Whether the run would have to wait for it (drawn solid), or can live with it (drawn dashed).
    pub blocks: bool,
}

/// One bar picked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// Its lane.
    pub lane: u32,
    /// Its interval.
    pub span: Span,
}

/// Everything that is not a bar. All optional.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overlays<'a> {
    /// What was typed: a bracket each.
    pub typed: &'a [Span],
    /// What the run works on: a tinted band each.
    pub effective: &'a [Span],
    /// In the effective range but not typed: stripes in the warning colour.
    pub widened: &'a [Span],
    /// Locks of other tasks: posts and a tint.
    pub locks: &'a [LockMark],
    /// The selected bar: an accent frame.
    pub selection: Option<Pick>,
    /// A range being chosen with the pointer.
    pub sweep: Option<Span>,
}
