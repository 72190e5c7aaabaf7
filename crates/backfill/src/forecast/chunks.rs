//! Time chunks of a run, never as a list: contiguous chunks that meet the same things are one [`Run`].
//!
//! What always holds:
//! - A run is made of whole chunks. Everything it was cut by (old segments, known rows, painted input, the ends of the
//!   typed intervals) either covers a run wholly, or not at all, or the run is a single chunk.
//! - The cost grows with the number of cuts, never with the number of chunks: a year of SECOND chunks over nothing is
//!   one run.
//!
//! What it does not do: know what happens to a chunk.

use druid::granularity::{Buckets, Granularity};
use druid::ingest::Chunks;
use druid::interval::{Instant, Interval};
use druid::order::Order as _;
use druid::spec::GranularitySpec;

/// The chunks of a spec (`druid::ingest::Chunks`), made ready for many questions.
#[derive(Clone, Debug)]
pub(crate) struct Chunking {
    /// The intervals as typed, condensed; empty when none were given.
    typed: Vec<Interval>,
    /// The whole chunks that touch the typed intervals, condensed; all of time when none were given.
    effective: Vec<Interval>,
    cut: Cut,
}

#[derive(Clone, Debug)]
enum Cut {
    /// Chunks of a granularity; the buckets of each effective stretch.
    Uniform(Granularity, Vec<Buckets>),
    /// These chunks and no others, sorted and disjoint: `arbitrary`, and `ALL`, whose chunk is the interval itself.
    Verbatim(Vec<Interval>),
}

/// One or more whole chunks that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// From the start of the first chunk to the end of the last.
    pub(crate) interval: Interval,
    /// How many chunks; `u64::MAX` where nobody can count them (no intervals given).
    pub(crate) chunks: u64,
}

impl Chunking {
    /// How a spec cuts time.
    pub(crate) fn of(spec: &GranularitySpec) -> Chunking {
        let chunks = Chunks::of(spec);
        let typed = chunks.typed().to_vec();
        if !spec.uniform || spec.segment == Granularity::All {
            // Arbitrary chunks without intervals are none at all.
            if spec.uniform && !chunks.are_bounded() {
                let all = vec![Interval::ETERNITY];
                return Chunking { typed, effective: all.clone(), cut: Cut::Verbatim(all) };
            }
            let (effective, listed) = (chunks.runs(), chunks.all().collect());
            return Chunking { typed, effective, cut: Cut::Verbatim(listed) };
        }
        let effective = if chunks.are_bounded() { chunks.runs() } else { vec![Interval::ETERNITY] };
        let buckets = match chunks.are_bounded() {
            true => effective.iter().map(|stretch| spec.segment.buckets(*stretch)).collect(),
            false => Vec::new(),
        };
        Chunking { typed, effective, cut: Cut::Uniform(spec.segment.clone(), buckets) }
    }

    /// The intervals as typed, condensed; empty when none were given.
    pub(crate) fn typed(&self) -> &[Interval] {
        &self.typed
    }

    /// The whole chunks that touch the typed intervals, condensed: what the run locks and works on.
    pub(crate) fn effective(&self) -> &[Interval] {
        &self.effective
    }

    /// The granularity, where chunks are those of one.
    pub(crate) fn granularity(&self) -> Option<&Granularity> {
        match &self.cut {
            Cut::Uniform(granularity, _) => Some(granularity),
            Cut::Verbatim(_) => None,
        }
    }

    /// The chunk that a row at this instant falls into; none where the row is filtered away.
    pub(crate) fn chunk(&self, at: Instant) -> Option<Interval> {
        match &self.cut {
            Cut::Uniform(granularity, buckets) if buckets.is_empty() => Some(granularity.bucket(at)),
            Cut::Uniform(_, buckets) => {
                let stretch = holding(&self.effective, at)?;
                buckets.get(stretch)?.containing(at)
            }
            Cut::Verbatim(chunks) => chunks.get(holding(chunks, at)?).copied(),
        }
    }

    /// How many chunks lie in a stretch made of whole chunks.
    pub(crate) fn count(&self, stretch: Interval) -> u64 {
        match &self.cut {
            Cut::Uniform(..) if is_unbounded(stretch) => u64::MAX,
            Cut::Uniform(granularity, _) => granularity.count(stretch),
            Cut::Verbatim(chunks) => chunks.iter().filter(|chunk| chunk.overlaps(stretch)).count() as u64,
        }
    }

    /// Starts of the first chunks of a stretch, at most so many.
    pub(crate) fn starts(&self, stretch: Interval, most: usize) -> Vec<Instant> {
        match &self.cut {
            Cut::Uniform(granularity, _) => {
                granularity.buckets(stretch).take(most).map(|chunk| chunk.start).collect()
            }
            Cut::Verbatim(_) => Vec::new(),
        }
    }

    /// Cuts a stretch of whole chunks at every chunk that holds one of `edges` (any order, repeats allowed).
    pub(crate) fn runs(&self, stretch: Interval, edges: impl IntoIterator<Item = Instant>) -> Vec<Run> {
        if let Cut::Verbatim(chunks) = &self.cut {
            let inside = chunks.iter().filter(|chunk| chunk.overlaps(stretch));
            return inside.map(|chunk| Run { interval: *chunk, chunks: 1 }).collect();
        }
        let mut cuts = vec![stretch.start, stretch.end];
        for edge in edges {
            if edge <= stretch.start || edge >= stretch.end {
                continue;
            }
            let Some(chunk) = self.chunk(edge) else { continue };
            cuts.push(chunk.start.max(stretch.start));
            if chunk.start != edge {
                cuts.push(chunk.end.min(stretch.end));
            }
        }
        cuts.order();
        cuts.dedup();
        let pairs = cuts.iter().zip(cuts.iter().skip(1));
        pairs
            .filter_map(|(start, end)| Interval::new(*start, *end))
            .map(|interval| Run { interval, chunks: self.count(interval) })
            .collect()
    }
}

/// Which of sorted, disjoint intervals holds an instant.
fn holding(intervals: &[Interval], at: Instant) -> Option<usize> {
    let before = intervals.partition_point(|interval| interval.start <= at).checked_sub(1)?;
    intervals.get(before)?.contains_instant(at).then_some(before)
}

/// A stretch that reaches an end of Druid's time: nobody counts chunks there.
pub(crate) fn is_unbounded(stretch: Interval) -> bool {
    stretch.start == Instant::MIN || stretch.end == Instant::MAX
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot set itself up should fail loudly
mod tests {
    use super::*;

    fn interval(text: &str) -> Interval {
        Interval::parse(text).unwrap()
    }

    fn at(text: &str) -> Instant {
        Instant::parse(text).unwrap()
    }

    fn shown(runs: &[Run]) -> Vec<(String, u64)> {
        runs.iter().map(|run| (run.interval.short(), run.chunks)).collect()
    }

    fn cut(granularity: &str, typed: &[&str]) -> Chunking {
        Chunking::of(&GranularitySpec {
            uniform: true,
            segment: Granularity::named(granularity).unwrap(),
            segment_known: true,
            query: Granularity::None,
            query_known: true,
            rollup: false,
            intervals: typed.iter().map(|text| interval(text)).collect(),
            interval_texts: Vec::new(),
        })
    }

    #[test]
    fn a_year_of_seconds_over_nothing_is_one_run() {
        let year = interval("2012-01-01/P1Y");
        let runs = cut("SECOND", &["2012-01-01/P1Y"]).runs(year, []);
        // IntervalsByGranularityTest counts 31,622,400.
        assert_eq!(runs, [Run { interval: year, chunks: 31_622_400 }]);
    }

    #[test]
    fn an_edge_inside_a_chunk_makes_that_chunk_stand_alone() {
        let chunking = cut("DAY", &["2026-07-01/2026-07-11"]);
        let runs =
            chunking.runs(interval("2026-07-01/2026-07-11"), [at("2026-07-04T06:00Z"), at("2026-07-08")]);
        assert_eq!(
            shown(&runs),
            [
                ("2026-07-01T00:00:00Z/2026-07-04T00:00:00Z".to_owned(), 3),
                ("2026-07-04T00:00:00Z/2026-07-05T00:00:00Z".to_owned(), 1),
                ("2026-07-05T00:00:00Z/2026-07-08T00:00:00Z".to_owned(), 3),
                ("2026-07-08T00:00:00Z/2026-07-11T00:00:00Z".to_owned(), 3),
            ]
        );
    }

    #[test]
    fn typed_intervals_are_rounded_outward_to_whole_chunks() {
        // granularity-buckets: March, April 2007 and January 2012.
        assert_eq!(
            cut("MONTH", &["2007-03-08/2007-04-11", "2012-01-03/2012-01-11"]).effective(),
            [interval("2007-03-01/2007-05-01"), interval("2012-01-01/2012-02-01")]
        );
    }

    #[test]
    fn a_row_outside_all_chunks_has_none() {
        let chunking = cut("DAY", &["2026-07-04T06/2026-07-04T07", "2026-07-06/2026-07-07"]);
        assert_eq!(chunking.chunk(at("2026-07-04T23")), Some(interval("2026-07-04/2026-07-05")));
        assert_eq!(chunking.chunk(at("2026-07-05")), None);
    }

    #[test]
    fn nobody_counts_the_days_of_eternity() {
        let runs = cut("DAY", &[]).runs(Interval::ETERNITY, [at("2026-07-04")]);
        assert_eq!(runs.iter().map(|run| run.chunks).collect::<Vec<_>>(), [u64::MAX, u64::MAX]);
    }
}
