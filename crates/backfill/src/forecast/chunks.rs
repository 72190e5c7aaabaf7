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
use druid::interval::{Instant, Interval, condense};
use druid::spec::GranularitySpec;

/// How a spec cuts time (`UniformGranularitySpec`, `ArbitraryGranularitySpec`).
#[derive(Clone, Debug)]
pub(crate) struct Chunking {
    /// The whole chunks that touch the typed intervals, condensed; all of time when none were given.
    effective: Vec<Interval>,
    cut: Cut,
}

#[derive(Clone, Debug)]
enum Cut {
    /// Chunks of a granularity, rounded outward at both ends of the typed intervals; the buckets of each stretch.
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
    /// How this spec cuts the `typed` intervals (condensed; empty when none were given).
    pub(crate) fn of(spec: &GranularitySpec, typed: &[Interval]) -> Chunking {
        match &spec.segment {
            // Abutting `arbitrary` intervals stay two chunks: what was typed counts, not the condensed list.
            _ if !spec.uniform => {
                let mut chunks: Vec<Interval> =
                    spec.intervals.iter().copied().filter(|interval| !interval.is_empty()).collect();
                chunks.sort_unstable();
                Chunking::verbatim(chunks)
            }
            Granularity::All if typed.is_empty() => Chunking::verbatim(vec![Interval::ETERNITY]),
            Granularity::All => Chunking::verbatim(typed.to_vec()),
            granularity => Chunking::uniform(granularity, typed),
        }
    }

    fn verbatim(chunks: Vec<Interval>) -> Chunking {
        Chunking { effective: condense(chunks.iter().copied()), cut: Cut::Verbatim(chunks) }
    }

    fn uniform(granularity: &Granularity, typed: &[Interval]) -> Chunking {
        if typed.is_empty() {
            return Chunking {
                effective: vec![Interval::ETERNITY],
                cut: Cut::Uniform(granularity.clone(), Vec::new()),
            };
        }
        let effective = condense(typed.iter().filter_map(|interval| {
            let buckets = granularity.buckets(*interval);
            Interval::new(buckets.clone().next()?.start, buckets.clone().next_back()?.end)
        }));
        let buckets = effective.iter().map(|stretch| granularity.buckets(*stretch)).collect();
        Chunking { effective, cut: Cut::Uniform(granularity.clone(), buckets) }
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
        cuts.sort_unstable();
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
        let typed: Vec<Interval> = typed.iter().map(|text| interval(text)).collect();
        Chunking::uniform(&Granularity::named(granularity).unwrap(), &typed)
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
