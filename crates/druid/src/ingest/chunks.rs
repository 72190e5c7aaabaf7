//! The time chunks a batch task works on, and which of them a row falls into.
//!
//! Source: `IntervalsByGranularity`, `UniformGranularitySpec`, `ArbitraryGranularitySpec`,
//! `BaseGranularitySpec.LookupIntervalBuckets`.
//!
//! Always holds: with intervals given, a run works on whole chunks: it reads, locks and hides up to the edges of
//! [`Chunks::runs`], not of what was typed. Nothing is walked that need not be: a year of seconds costs nothing.

use crate::granularity::Granularity;
use crate::interval::{Instant, Interval, condense};
use crate::order::Order as _;
use crate::spec::GranularitySpec;

/// The chunks of a granularity spec.
#[derive(Clone, Debug)]
pub struct Chunks {
    /// The intervals as typed, condensed. Empty: none were given, and every row has a chunk.
    typed: Vec<Interval>,
    /// `arbitrary`: the given intervals are the chunks, sorted.
    verbatim: Option<Vec<Interval>>,
    segment: Granularity,
}

impl Chunks {
    /// The chunks of a spec. A granularity spec that Druid refuses (overlapping `arbitrary` intervals) is taken as it
    /// is.
    pub fn of(spec: &GranularitySpec) -> Chunks {
        let verbatim = (!spec.uniform).then(|| {
            let mut sorted: Vec<Interval> =
                spec.intervals.iter().copied().filter(|i| !i.is_empty()).collect();
            sorted.order();
            sorted.dedup();
            sorted
        });
        Chunks { typed: condense(spec.intervals.iter().copied()), verbatim, segment: spec.segment.clone() }
    }

    /// Chunks of a granularity over some intervals, as compaction has them.
    pub fn uniform(segment: &Granularity, intervals: &[Interval]) -> Chunks {
        Chunks { typed: condense(intervals.iter().copied()), verbatim: None, segment: segment.clone() }
    }

    /// Whether intervals were given: only then is the range bounded and locked before the first row.
    pub fn are_bounded(&self) -> bool {
        !self.typed.is_empty()
    }

    /// The intervals as typed, condensed.
    pub fn typed(&self) -> &[Interval] {
        &self.typed
    }

    /// What the run really works on: the condensed runs of whole chunks. One lock and one version each. Empty when no
    /// intervals were given.
    pub fn runs(&self) -> Vec<Interval> {
        if let Some(verbatim) = &self.verbatim {
            return condense(verbatim.iter().copied());
        }
        condense(self.typed.iter().filter_map(|&interval| self.segment.cover(interval)))
    }

    /// Every chunk that the typed intervals touch, in order, each once. Lazy. Empty when no intervals were given.
    pub fn all(&self) -> impl Iterator<Item = Interval> + '_ {
        self.within(Interval::ETERNITY)
    }

    /// Those of [`Chunks::all`] that overlap an interval.
    pub fn within(&self, interval: Interval) -> impl Iterator<Item = Interval> + '_ {
        let verbatim = self.verbatim.iter().flatten().copied().filter(move |chunk| chunk.overlaps(interval));
        let typed = if self.verbatim.is_some() { &[][..] } else { &self.typed[..] };
        let mut last: Option<Interval> = None;
        let uniform = typed
            .iter()
            .flat_map(move |&typed| self.segment.buckets(typed).overlapping(interval))
            // Two typed intervals can touch one chunk.
            .filter(move |&chunk| last.replace(chunk) != Some(chunk));
        verbatim.chain(uniform)
    }

    /// How many chunks there are; those that two typed intervals share count once.
    pub fn count(&self) -> u64 {
        if let Some(verbatim) = &self.verbatim {
            return verbatim.len() as u64;
        }
        let mut total = 0;
        let mut before = Instant::MIN;
        for &typed in &self.typed {
            let buckets = self.segment.buckets(typed);
            let Some(span) = buckets.span() else { continue };
            total += buckets.remaining() - u64::from(span.start < before);
            before = span.end;
        }
        total
    }

    /// The chunk a row falls into; `None` when it lies outside all of them and is dropped.
    pub fn holding(&self, row: Instant) -> Option<Interval> {
        if let Some(verbatim) = &self.verbatim {
            let after = verbatim.partition_point(|chunk| chunk.start <= row);
            return verbatim.get(after.checked_sub(1)?).copied().filter(|chunk| chunk.contains_instant(row));
        }
        if !self.are_bounded() {
            return Some(self.segment.bucket(row));
        }
        // A chunk can reach beyond what was typed on both sides.
        let after = self.typed.partition_point(|typed| typed.start <= row);
        let near = [after.checked_sub(1), Some(after)].into_iter().flatten();
        near.filter_map(|place| self.typed.get(place))
            .find_map(|&typed| self.segment.buckets(typed).containing(row))
    }
}
