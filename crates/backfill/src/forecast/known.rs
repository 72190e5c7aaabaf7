//! What is known of the input: for each time chunk, whether it will hold rows, and who says so.
//!
//! Nothing is guessed silently: where nobody said anything a chunk is [`Presence::Unknown`], and the forecast shows
//! either / or. What a person painted by hand goes before everything else; of two paints the later one counts.
//!
//! What it does not do: read files or ask a cluster. Inline data comes in as rows already read.

use druid::ingest::{Rows, opens_two_segments};
use druid::interval::{Instant, Interval, condense};
use druid::order::Order as _;
use druid::spec::inline::{self, NotRead};
use druid::spec::{InputSource, Task};
use druid::timeline::Timeline;

use super::chunks::{Chunking, Run};
use crate::words::count;

/// Everything that is known of the input of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// What holds where nothing is painted.
    pub basis: Basis,
    /// What a person painted over the timeline, oldest first.
    pub painted: Vec<Paint>,
}

/// Where the knowledge comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// The rows themselves: every readable one, in input order, by split.
    Rows {
        /// Timestamps.
        rows: Rows,
        /// Who read them.
        from: RowsFrom,
        /// Whether all of them arrive: a filter in the spec may drop some.
        exact: bool,
    },
    /// Something that was looked at says where rows are for certain, and where they may be.
    Seen {
        /// Stretches with at least one row each, sorted and disjoint. A chunk that holds one whole has rows.
        holds: Vec<Interval>,
        /// Stretches that rows may lie in, sorted and disjoint; none: anywhere, because only a part was looked at.
        within: Option<Vec<Interval>>,
        /// What was looked at.
        from: SeenIn,
    },
    /// The user's word: every chunk has rows.
    AllRows,
    /// The user's word: no chunk has rows.
    NoRows,
    /// The user's word: the chunks that hold data now get rows, and no others.
    AsExisting,
    /// Nobody said.
    Unknown,
}

/// Who read the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowsFrom {
    /// The task's own inline data.
    Inline,
    /// A list the user brought.
    List,
}

/// What was looked at to learn where rows are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SeenIn {
    /// The visible segments of the datasource that the task reads.
    Segments {
        /// The datasource.
        datasource: String,
    },
    /// Rows that Druid's sampler read: those are there, and of all others nothing is known.
    Sample {
        /// How many.
        rows: u64,
    },
}

/// One stroke of the brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Paint {
    /// The time it covers.
    pub interval: Interval,
    /// What it says.
    pub says: Painted,
}

/// What a stroke says of the chunks it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Painted {
    /// They have rows. Holds for every chunk it touches.
    Rows,
    /// They have none. Holds for chunks it covers wholly: nothing is said of the rest of a wider chunk.
    NoRows,
    /// Not known. Holds for every chunk it touches.
    Unknown,
}

/// What is known of one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// At least one row.
    Rows,
    /// No row.
    NoRows,
    /// Either.
    Unknown,
}

impl Default for Known {
    fn default() -> Known {
        Known::only(Basis::Unknown)
    }
}

impl Known {
    /// Nothing painted. Of listed rows those outside of Druid's eternity are left out: it takes their time for unreadable
    /// (`MapInputRowParser`).
    pub fn only(mut basis: Basis) -> Known {
        if let Basis::Rows { rows, .. } = &mut basis {
            rows.splits.iter_mut().for_each(|split| {
                split.retain(|row| Interval::ETERNITY.contains_instant(*row));
            });
        }
        Known { basis, painted: Vec::new() }
    }

    /// The rows themselves, in one split.
    pub fn rows(rows: Vec<Instant>, from: RowsFrom) -> Known {
        Known::only(Basis::Rows { rows: Rows { splits: vec![rows] }, from, exact: true })
    }

    /// What the task's own inline data says.
    ///
    /// # Errors
    /// The input is not inline, or its times cannot be read here for sure.
    pub fn inline(task: &Task) -> Result<Known, NotRead> {
        let read = inline::rows(task)?;
        let rows = Rows { splits: vec![read.instants()] };
        Ok(Known::only(Basis::Rows { rows, from: RowsFrom::Inline, exact: read.exact }))
    }

    /// What the segments that a reindexing task reads say: no row where none is visible, rows in a chunk that holds a
    /// visible segment whole. None where the task reads something else than the datasource of `source`, or a transform
    /// moves the time of the rows.
    pub fn reindex(task: &Task, source: &Timeline) -> Option<Known> {
        let batch = task.batch().filter(|batch| !batch.moves_time)?;
        let InputSource::Druid { datasource, interval: Some(read), segments: false } = &batch.input else {
            return None;
        };
        if datasource != source.segments().datasource() {
            return None;
        }
        let (mut holds, mut within) = (Vec::new(), Vec::new());
        for piece in source.visible().within(*read) {
            let Some(holder) = source.holder(piece.holder).filter(|holder| !holder.tombstone) else {
                continue;
            };
            within.push(piece.interval);
            // Of a segment that is visible in part nobody knows where its rows lie; a filter may drop any of them.
            if piece.interval == holder.interval && !batch.filters_rows {
                holds.push(piece.interval);
            }
        }
        let from = SeenIn::Segments { datasource: datasource.clone() };
        Some(Known::only(Basis::Seen { holds, within: Some(condense(within)), from }))
    }

    /// What rows that Druid's sampler read say: presence only, never absence. `times` are those after all transforms and
    /// filters, as the sampler gives them; one outside of Druid's eternity is no row's.
    pub fn sampled(times: &[Instant]) -> Known {
        let moment =
            |time: &Instant| Interval { start: *time, end: Instant::from_ms(time.ms().saturating_add(1)) };
        let of_druid = |moment: &Interval| Interval::ETERNITY.contains(*moment);
        let mut holds: Vec<Interval> = times.iter().map(moment).filter(of_druid).collect();
        holds.order();
        holds.dedup();
        let from = SeenIn::Sample { rows: times.len() as u64 };
        Known::only(Basis::Seen { holds, within: None, from })
    }

    /// The rows, where they and nothing else say what comes.
    pub(crate) fn exact(&self) -> Option<&Rows> {
        match &self.basis {
            Basis::Rows { rows, exact: true, .. } if self.painted.is_empty() => Some(rows),
            _ => None,
        }
    }

    /// Where the knowledge comes from, as a phrase that follows "Input: ".
    pub fn source(&self) -> String {
        let basis = match &self.basis {
            Basis::Rows { rows, from, exact } => {
                let rows = count(rows.splits.iter().map(|split| split.len() as u64).sum(), "row");
                let most = if *exact { "" } else { "at most " };
                match from {
                    RowsFrom::Inline => format!("{most}{rows} read from the task's inline data"),
                    RowsFrom::List => format!("{most}{rows} from your list"),
                }
            }
            Basis::Seen { from: SeenIn::Segments { datasource }, .. } => {
                format!("the visible segments of {datasource} that the task reads")
            }
            Basis::Seen { from: SeenIn::Sample { rows }, .. } => {
                format!("a sample of {}: where it has none, nothing is known", count(*rows, "row"))
            }
            Basis::AllRows => "every chunk has rows, you say".to_owned(),
            Basis::NoRows => "no chunk has rows, you say".to_owned(),
            Basis::AsExisting => "the chunks that hold data now get rows, you say".to_owned(),
            Basis::Unknown => "not known".to_owned(),
        };
        match self.painted.len() {
            0 => basis,
            1 => format!("{basis}; painted by hand in one place"),
            strokes => format!("{basis}; painted by hand in {strokes} places"),
        }
    }
}

/// [`Known`] made ready for questions about runs of chunks.
pub(crate) struct Input<'a> {
    known: &'a Known,
    /// All rows of the basis, sorted.
    rows: Vec<Instant>,
}

impl<'a> Input<'a> {
    pub(crate) fn of(known: &'a Known) -> Input<'a> {
        let mut rows: Vec<Instant> = match &known.basis {
            Basis::Rows { rows, .. } => rows.splits.iter().flatten().copied().collect(),
            _ => Vec::new(),
        };
        rows.order();
        Input { known, rows }
    }

    /// Whether the input has rows somewhere that none of `stretches` (sorted, disjoint) holds; unknown counts as no.
    pub(crate) fn rows_outside(&self, stretches: &[Interval]) -> u64 {
        let inside: usize = stretches.iter().map(|stretch| self.rows_in(*stretch)).sum();
        (self.rows.len() - inside) as u64
    }

    /// How many known rows lie in a stretch.
    pub(crate) fn rows_in(&self, stretch: Interval) -> usize {
        let before = self.rows.partition_point(|row| *row < stretch.start);
        let until = self.rows.partition_point(|row| *row < stretch.end);
        until.saturating_sub(before)
    }

    /// The chunks that known rows fall into, condensed.
    pub(crate) fn chunks(&self, chunking: &Chunking) -> Vec<Interval> {
        let mut chunks: Vec<Interval> = Vec::new();
        for row in &self.rows {
            if chunks.last().is_none_or(|last| !last.contains_instant(*row)) {
                chunks.extend(chunking.chunk(*row));
            }
        }
        condense(chunks)
    }

    /// Where knowledge changes inside a stretch: both ends of every known row's chunk and of every stroke.
    pub(crate) fn edges(&self, stretch: Interval, chunking: &Chunking) -> Vec<Instant> {
        let mut edges = Vec::new();
        let mut at = self.rows.partition_point(|row| *row < stretch.start);
        while let Some(row) = self.rows.get(at).copied().filter(|row| *row < stretch.end) {
            // Outside all chunks a row is filtered away; the next one may be inside again.
            let Some(chunk) = chunking.chunk(row) else {
                at += 1;
                continue;
            };
            edges.extend([chunk.start, chunk.end]);
            at = self.rows.partition_point(|row| *row < chunk.end).max(at + 1);
        }
        if let Basis::Seen { holds, within, .. } = &self.known.basis {
            let of_both = [holds.as_slice(), within.as_deref().unwrap_or_default()];
            let ends = of_both.into_iter().flat_map(|list| overlapping(list, stretch));
            edges.extend(ends.flat_map(|seen| [seen.start, seen.end]));
        }
        let strokes = self.known.painted.iter().filter(|paint| paint.interval.overlaps(stretch));
        edges.extend(strokes.flat_map(|paint| [paint.interval.start, paint.interval.end]));
        edges
    }

    /// What is known of the chunks of a run that was cut at [`Input::edges`]. `holds_data`: visible rows are there now.
    pub(crate) fn presence(&self, run: &Run, holds_data: bool) -> Presence {
        for paint in self.known.painted.iter().rev() {
            match paint.says {
                Painted::Rows if paint.interval.overlaps(run.interval) => return Presence::Rows,
                Painted::Unknown if paint.interval.overlaps(run.interval) => return Presence::Unknown,
                Painted::NoRows if paint.interval.contains(run.interval) => return Presence::NoRows,
                _ => {}
            }
        }
        match &self.known.basis {
            Basis::Rows { exact, .. } if self.rows_in(run.interval) > 0 => {
                if *exact {
                    Presence::Rows
                } else {
                    Presence::Unknown
                }
            }
            Basis::Seen { holds, within, .. } => {
                // In a run of several chunks a stretch lies across them: any of them may have its rows.
                let whole = overlapping(holds, run.interval).any(|seen| run.interval.contains(*seen));
                match within {
                    _ if whole && run.chunks == 1 => Presence::Rows,
                    Some(within) if overlapping(within, run.interval).next().is_none() => Presence::NoRows,
                    _ => Presence::Unknown,
                }
            }
            Basis::AsExisting if holds_data => Presence::Rows,
            Basis::Rows { .. } | Basis::AsExisting | Basis::NoRows => Presence::NoRows,
            Basis::AllRows => Presence::Rows,
            Basis::Unknown => Presence::Unknown,
        }
    }

    /// Whether some split opens two segments where `full` rows fill one; none when that is not known.
    pub(crate) fn a_split_opens_two_segments(&self, chunking: &Chunking, full: u64) -> Option<bool> {
        let rows = self.known.exact()?;
        let chunks =
            |split: &[Instant]| split.iter().filter_map(|row| chunking.chunk(*row)).collect::<Vec<_>>();
        Some(rows.splits.iter().any(|split| opens_two_segments(chunks(split).into_iter(), full)))
    }
}

/// Those of a sorted, disjoint list that overlap a stretch.
fn overlapping(list: &[Interval], stretch: Interval) -> impl Iterator<Item = &Interval> {
    let first = list.partition_point(|seen| seen.end <= stretch.start);
    list.iter().skip(first).take_while(move |seen| seen.start < stretch.end)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)] // a test that cannot set itself up should fail loudly
mod tests {
    use super::*;

    fn run(text: &str) -> Run {
        Run { interval: Interval::parse(text).unwrap(), chunks: 1 }
    }

    fn paint(text: &str, says: Painted) -> Paint {
        Paint { interval: Interval::parse(text).unwrap(), says }
    }

    fn presence(known: &Known, text: &str, holds_data: bool) -> Presence {
        Input::of(known).presence(&run(text), holds_data)
    }

    #[test]
    fn a_stroke_of_no_rows_says_nothing_of_a_wider_chunk() {
        let mut known = Known::default();
        known.painted.push(paint("2026-07-16T05/2026-07-16T06", Painted::NoRows));
        assert_eq!(presence(&known, "2026-07-16T05/2026-07-16T06", true), Presence::NoRows);
        assert_eq!(presence(&known, "2026-07-16/2026-07-17", true), Presence::Unknown);
    }

    #[test]
    fn a_stroke_of_rows_puts_a_row_into_every_chunk_it_touches() {
        let mut known = Known::only(Basis::NoRows);
        known.painted.push(paint("2026-07-16T05/2026-07-16T06", Painted::Rows));
        assert_eq!(presence(&known, "2026-07-16/2026-07-17", true), Presence::Rows);
        assert_eq!(presence(&known, "2026-07-17/2026-07-18", true), Presence::NoRows);
    }

    #[test]
    fn the_later_stroke_counts() {
        let mut known = Known::only(Basis::AllRows);
        known.painted.push(paint("2026-07-16/2026-07-18", Painted::NoRows));
        known.painted.push(paint("2026-07-16/2026-07-17", Painted::Unknown));
        assert_eq!(presence(&known, "2026-07-16/2026-07-17", true), Presence::Unknown);
        assert_eq!(presence(&known, "2026-07-17/2026-07-18", true), Presence::NoRows);
        assert_eq!(presence(&known, "2026-07-18/2026-07-19", true), Presence::Rows);
    }

    #[test]
    fn as_existing_follows_what_is_visible_now() {
        let known = Known::only(Basis::AsExisting);
        assert_eq!(presence(&known, "2026-07-16/2026-07-17", true), Presence::Rows);
        assert_eq!(presence(&known, "2026-07-16/2026-07-17", false), Presence::NoRows);
    }

    #[test]
    fn a_sample_says_that_rows_are_there_and_never_that_none_are() {
        let at = |text: &str| Instant::parse(text).unwrap();
        let known = Known::sampled(&[at("2026-07-16T05:30"), at("2026-07-16T05:30"), at("2026-07-16T07")]);
        assert_eq!(presence(&known, "2026-07-16T05/2026-07-16T06", false), Presence::Rows);
        assert_eq!(presence(&known, "2026-07-16T06/2026-07-16T07", true), Presence::Unknown);
        assert_eq!(presence(&known, "2026-07-16T07/2026-07-16T08", false), Presence::Rows);
        assert_eq!(known.source(), "a sample of 3 rows: where it has none, nothing is known");
    }

    #[test]
    fn a_time_that_no_row_can_have_is_no_row() {
        let far = [i64::MAX, i64::MIN, i64::MAX / 2, i64::MIN / 2 - 1].map(Instant::from_ms);
        let holds = |times: &[Instant]| match Known::sampled(times).basis {
            Basis::Seen { holds, .. } => holds.len(),
            other => panic!("a sample is seen, not {other:?}"),
        };
        assert_eq!(holds(&far), 0);
        assert_eq!(holds(&[Instant::MIN, Instant::EPOCH, Instant::from_ms(Instant::MAX.ms() - 1)]), 3);
    }

    #[test]
    fn a_listed_row_beyond_druids_time_is_none() {
        let rows = [i64::MIN, 0, i64::MAX / 2, i64::MAX].map(Instant::from_ms).to_vec();
        assert_eq!(Known::rows(rows, RowsFrom::List).source(), "1 row from your list");
    }

    #[test]
    fn the_source_is_said_in_words() {
        let rows = vec![Instant::parse("2026-07-16T05").unwrap()];
        assert_eq!(Known::rows(rows, RowsFrom::Inline).source(), "1 row read from the task's inline data");
        assert_eq!(Known::default().source(), "not known");
    }
}
