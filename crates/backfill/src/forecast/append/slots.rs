//! Slots: stretches of a time chunk inside which every row is treated alike by an append.
//!
//! Where nothing is in the way a chunk is one slot. Where existing segments divide it, rows fall through to finer
//! granularities, and a slot is a stretch that no candidate interval cuts in two.
//!
//! What always holds: slots of a chunk are sorted, disjoint and cover it.
//! What it does not do: say where a row goes; the allocator does.

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval};

/// Granularities that nest in one another, from long to short. Those between that do not (eight and six hours, fifteen
/// and ten minutes) cut each other, so chunks of these are taken apart down to the next that does.
const NESTING: [&str; 8] =
    ["YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "THIRTY_MINUTE", "FIVE_MINUTE", "MINUTE"];

/// How chunks of a granularity are taken apart.
pub(super) struct Ladder {
    steps: Vec<Granularity>,
    finer: Vec<Granularity>,
}

impl Ladder {
    /// From the spec's segment granularity.
    pub(super) fn of(segment: &Granularity) -> Ladder {
        let finer = segment.finer();
        // Steps in the spec's own zone and origin, known by their length.
        let length = |granularity: &Granularity| granularity.bucket(Instant::EPOCH).duration_ms();
        let lengths: Vec<i64> =
            NESTING.iter().filter_map(|name| Granularity::named(name)).map(|step| length(&step)).collect();
        let named =
            |granularity: &&Granularity| lengths.contains(&length(granularity)) && *granularity != segment;
        Ladder { steps: finer.iter().filter(named).cloned().collect(), finer }
    }

    /// Whether the spec's own chunk is a candidate: it is not where the granularity has no name of its own.
    pub(super) fn takes_own(&self, segment: &Granularity) -> bool {
        self.finer.contains(segment)
    }

    /// The longest candidate.
    pub(super) fn first(&self) -> Option<&Granularity> {
        self.finer.first()
    }

    /// Whether no candidate reaches across an instant: chunks of every finer granularity start there. Eight-hour chunks
    /// of a zone do not start at midnight all year round.
    pub(super) fn is_clean(&self, edge: Instant) -> bool {
        self.finer.iter().all(|granularity| granularity.bucket(edge).start == edge)
    }

    /// From the start of the first candidate for a row of a chunk to the end of the last; all of time is not counted, which
    /// is free only where nothing is.
    pub(super) fn reach(&self, chunk: Interval) -> Interval {
        let last = Instant::from_ms(chunk.end.ms().saturating_sub(1));
        let candidates =
            self.finer.iter().flat_map(|granularity| [chunk.start, last].map(|at| granularity.bucket(at)));
        candidates.filter(|candidate| *candidate != Interval::ETERNITY).fold(chunk, |all, candidate| {
            Interval { start: all.start.min(candidate.start), end: all.end.max(candidate.end) }
        })
    }

    /// The slots of a chunk around `blocks` (intervals of used segments, and what lies outside the locks; any order);
    /// none when they are more than `most`.
    pub(super) fn slots(&self, chunk: Interval, blocks: &[Interval], most: usize) -> Option<Vec<Interval>> {
        let mut slots = Vec::new();
        let longest = self.finer.first().map(|granularity| granularity.bucket(chunk.start));
        let fits = longest.is_some_and(|longest| longest.contains(chunk));
        let forced = !(fits && self.is_clean(chunk.start) && self.is_clean(chunk.end));
        Division { ladder: self, chunk, blocks, most, slots: &mut slots }.divide(chunk, 0, forced)?;
        Some(slots)
    }
}

struct Division<'a> {
    ladder: &'a Ladder,
    chunk: Interval,
    blocks: &'a [Interval],
    most: usize,
    slots: &'a mut Vec<Interval>,
}

impl Division<'_> {
    /// One candidate interval, which can stick out of the chunk.
    fn divide(&mut self, candidate: Interval, step: usize, forced: bool) -> Option<()> {
        let inside = candidate.intersect(self.chunk)?;
        let mut over = self.blocks.iter().filter(|block| block.overlaps(candidate)).peekable();
        let free = over.peek().is_none();
        let covered = over.all(|block| block.start <= inside.start && inside.end <= block.end);
        match self.ladder.steps.get(step) {
            Some(granularity) if forced || !(free || covered) => {
                if granularity.count(inside) > self.most as u64 {
                    return None;
                }
                for part in granularity.buckets(inside) {
                    self.divide(part, step + 1, false)?;
                }
            }
            _ => self.slots.push(inside),
        }
        (self.slots.len() <= self.most).then_some(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot set itself up should fail loudly
mod tests {
    use super::*;

    fn interval(text: &str) -> Interval {
        Interval::parse(text).unwrap()
    }

    fn slots(granularity: &str, chunk: &str, blocks: &[&str]) -> Vec<String> {
        let blocks: Vec<Interval> = blocks.iter().map(|text| interval(text)).collect();
        let ladder = Ladder::of(&Granularity::named(granularity).unwrap());
        ladder.slots(interval(chunk), &blocks, 1_000).unwrap().iter().map(|slot| slot.short()).collect()
    }

    #[test]
    fn an_empty_chunk_is_one_slot() {
        assert_eq!(slots("DAY", "2026-07-16/2026-07-17", &[]).len(), 1);
    }

    #[test]
    fn a_day_with_one_hour_in_it_falls_apart_into_hours() {
        assert_eq!(slots("DAY", "2026-07-16/2026-07-17", &["2026-07-16T03/2026-07-16T04"]).len(), 24);
    }

    #[test]
    fn only_the_day_that_is_divided_is_taken_apart() {
        let slots = slots("MONTH", "2026-07-01/2026-08-01", &["2026-07-16T03/2026-07-16T04"]);
        assert_eq!(slots.len(), 30 + 24);
    }

    #[test]
    fn chunks_of_eight_hours_are_cut_by_those_of_six() {
        assert_eq!(slots("EIGHT_HOUR", "2026-07-16T08/2026-07-16T16", &[]).len(), 8);
    }
}
