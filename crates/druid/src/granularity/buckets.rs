//! The chunks of an interval as a lazy, double-ended iterator.
//!
//! Always holds: the first chunk is the one of the interval's start and each next one begins where the last ended, until
//! the interval's end is reached: `Granularity.IntervalIterator`, to the millisecond. Counting, jumping and
//! finding need no walk: chunks are of one length ([`Even`]), or days and months kept as runs in which the place of the
//! n-th is computed. A run breaks only where a zone skips the very time of day at which chunks start.
//!
//! Compound calendar periods (`P1M2D`; months that start on the 29th or later) are walked instead, once; over more
//! than 200,000 nobody walks, and they are counted by their mean length.

use std::collections::VecDeque;
use std::iter::FusedIterator;

use super::even::Even;
use super::{Granularity, PeriodGranularity};
use crate::interval::civil;
use crate::interval::{Instant, Interval, PeriodField as Field, within_64_bits};
use crate::zone::Zone;

/// Chunks in order of time. Made by [`Granularity::buckets`].
#[derive(Clone, Debug)]
pub struct Buckets {
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    /// All of one length.
    Even(Even),
    /// Days or months; the place of each chunk is computed. `front` and `back` count over all runs.
    Runs { zone: Zone, runs: Vec<Run>, front: u64, back: u64 },
    /// Walked as needed; what the back has asked for is in `ahead`.
    Walk { granularity: Granularity, next: i64, end: i64, ahead: Option<VecDeque<Interval>> },
    /// One interval as it is.
    Whole(Option<Interval>),
}

/// Chunks of which the place is known from the first one.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Where the first one starts, in local time.
    anchor: i64,
    /// Days or months.
    step: Field,
    /// Number of chunks before this run.
    before: u64,
    count: u64,
}

impl Run {
    /// Start of the n-th chunk of this run; n = `count` is the start of what follows.
    fn start(&self, zone: &Zone, n: u64) -> i64 {
        zone.instant_of(self.step.add_local(self.anchor, n.into()))
    }

    /// First n whose start is not before `at`, by estimate and correction.
    fn first_from(&self, zone: &Zone, at: i64) -> u64 {
        let distance = i128::from(zone.local(at)) - i128::from(self.anchor);
        let mut n = u64::try_from(distance.div_euclid(self.step.mean_ms())).unwrap_or(0);
        while n > 0 && self.start(zone, n - 1) >= at {
            n -= 1;
        }
        while self.start(zone, n) < at {
            n += 1;
        }
        n
    }
}

/// Gaps of zones are looked for up to the year 9999; beyond, a zone that skips midnight is not followed.
const GAPS_UNTIL: i64 = 253_402_300_800_000;

impl Buckets {
    pub(super) fn new(granularity: &Granularity, interval: Interval) -> Buckets {
        if interval.is_empty() {
            return Buckets { shape: Shape::Whole(None) };
        }
        if *granularity == Granularity::All {
            return Buckets { shape: Shape::Whole(Some(interval)) };
        }
        let first = granularity.bucket_start(interval.start.ms());
        let end = interval.end.ms();
        let shape = match step_of(granularity, first) {
            Some((Field::Ms(step), _)) => Shape::Even(Even::new(first, step, end)),
            Some((step, zone)) => runs(step, zone, first, end),
            None => Shape::Walk { granularity: granularity.clone(), next: first, end, ahead: None },
        };
        Buckets { shape }
    }

    /// How many chunks are left.
    pub fn remaining(&self) -> u64 {
        match &self.shape {
            Shape::Even(even) => even.left(),
            Shape::Runs { front, back, .. } => back - front,
            Shape::Walk { ahead: Some(ahead), .. } => ahead.len() as u64,
            Shape::Walk { granularity, next, end, .. } => match walk(granularity, *next, *end) {
                Walk::Short => self.clone().fold(0, |n, _| n + 1),
                Walk::Long(about) => about,
            },
            Shape::Whole(whole) => u64::from(whole.is_some()),
        }
    }

    /// From the start of the first of the chunks left to the end of the last.
    pub fn span(&self) -> Option<Interval> {
        let (first, last) = match &self.shape {
            Shape::Even(even) => (even.first()?, even.last()?),
            Shape::Runs { front, back, .. } => {
                let last = back.checked_sub(1).filter(|last| front <= last)?;
                (self.at(*front)?, self.at(last)?)
            }
            Shape::Walk { ahead: Some(ahead), .. } => (*ahead.front()?, *ahead.back()?),
            Shape::Walk { granularity, next, end, .. } => {
                let mut chunks = self.clone();
                let first = chunks.next()?;
                match walk(granularity, *next, *end) {
                    Walk::Short => (first, chunks.fold(first, |_, chunk| chunk)),
                    Walk::Long(_) => (first, granularity.bucket(Instant::from_ms(end.saturating_sub(1)))),
                }
            }
            Shape::Whole(whole) => ((*whole)?, (*whole)?),
        };
        Some(Interval::of_ms(first.start.ms(), last.end.ms()))
    }

    /// Keeps only those of the chunks left that overlap an interval. Same chunks, no walk where the place is known.
    pub fn overlapping(mut self, interval: Interval) -> Buckets {
        match &mut self.shape {
            Shape::Even(even) => *even = even.overlapping(interval),
            Shape::Runs { zone, runs, front, back } => {
                // First chunk that starts at or after an instant, over all runs.
                let from = |at: Instant| {
                    let run = runs.partition_point(|run| run.start(zone, 0) < at.ms()).checked_sub(1);
                    run.and_then(|run| runs.get(run))
                        .map_or(0, |run| run.before + run.first_from(zone, at.ms()).min(run.count))
                };
                // The one before it may still reach in.
                let first = from(interval.start);
                let last = from(interval.end);
                let (was, until) = (*front, *back);
                *front = was.max(first.saturating_sub(1)).min(until);
                *back = until.min(last).max(*front);
                let skip = *front < *back && self.at(self.front()).is_some_and(|b| !b.overlaps(interval));
                if skip && let Shape::Runs { front, .. } = &mut self.shape {
                    *front += 1;
                }
            }
            Shape::Walk { ahead, .. } => {
                let kept: VecDeque<Interval> = match ahead.take() {
                    Some(ahead) => ahead.into_iter().filter(|b| b.overlaps(interval)).collect(),
                    None => self.clone().filter(|b| b.overlaps(interval)).collect(),
                };
                if let Shape::Walk { ahead, .. } = &mut self.shape {
                    *ahead = Some(kept);
                }
            }
            Shape::Whole(whole) => *whole = whole.filter(|w| w.overlaps(interval)),
        }
        self
    }

    fn front(&self) -> u64 {
        if let Shape::Runs { front, .. } = &self.shape { *front } else { 0 }
    }

    /// The one of the chunks left that holds an instant. This is where a row goes: not always
    /// [`Granularity::bucket`], which in a zone that skips midnight can differ by the gap.
    pub fn containing(&self, at: Instant) -> Option<Interval> {
        match &self.shape {
            Shape::Even(even) => even.containing(at),
            Shape::Runs { zone, runs, front, back } => {
                let after = runs.partition_point(|run| run.start(zone, 0) <= at.ms());
                let run = runs.get(after.checked_sub(1)?)?;
                let n = run.before + run.first_from(zone, at.ms().saturating_add(1)).checked_sub(1)?;
                let last = run.before + run.count.checked_sub(1)?;
                let n = n.min(last);
                let bucket = (*front..*back).contains(&n).then(|| self.at(n)).flatten()?;
                bucket.contains_instant(at).then_some(bucket)
            }
            Shape::Walk { granularity, next, ahead: None, .. }
                if matches!(walk(granularity, *next, at.ms()), Walk::Long(_)) =>
            {
                Some(granularity.bucket(at)).filter(|bucket| bucket.contains_instant(at))
            }
            Shape::Walk { .. } => self.clone().find(|bucket| bucket.contains_instant(at)),
            Shape::Whole(whole) => whole.filter(|w| w.contains_instant(at)),
        }
    }

    /// The n-th chunk over all runs.
    fn at(&self, n: u64) -> Option<Interval> {
        let Shape::Runs { zone, runs, .. } = &self.shape else { return None };
        let after = runs.partition_point(|run| run.before <= n);
        let run = runs.get(after.checked_sub(1)?)?;
        let within = n - run.before;
        Some(Interval::of_ms(run.start(zone, within), run.start(zone, within + 1)))
    }
}

/// The one step that all chunks from `first` on have, if there is one.
fn step_of(granularity: &Granularity, first: i64) -> Option<(Field, Zone)> {
    match granularity {
        Granularity::None => Some((Field::Ms(1), Zone::Utc)),
        Granularity::Duration { ms, .. } => Some((Field::Ms(*ms), Zone::Utc)),
        Granularity::Period(period) => step_of_period(period, first),
        Granularity::All => None,
    }
}

fn step_of_period(period: &PeriodGranularity, first: i64) -> Option<(Field, Zone)> {
    let fields: Vec<Field> = period.period().fields().collect();
    let zone = period.zone().clone();
    let months: i64 = fields.iter().map(|f| if let Field::Months(n) = f { *n } else { 0 }).sum();
    let fixed = zone.is_fixed();
    let by_clock = fields.iter().all(|f| matches!(f, Field::Ms(_)));
    if months == 0 && (by_clock || fixed) {
        // Any zone: clock time passes the same everywhere. A fixed one: so do days.
        return Some((Field::Ms(within_64_bits(fields.iter().map(Field::mean_ms).sum())), zone));
    }
    if months == 0 {
        return match fields.as_slice() {
            [Field::Days(n)] => Some((Field::Days(*n), zone)),
            _ => None,
        };
    }
    let only_months = fields.iter().all(|f| matches!(f, Field::Months(_)));
    let keeps_its_day = civil::day_of_month(zone.local(first)) <= 28;
    (only_months && keeps_its_day && (fixed || fields.len() == 1)).then_some((Field::Months(months), zone))
}

fn runs(step: Field, zone: Zone, first: i64, end: i64) -> Shape {
    let mut runs: Vec<Run> = Vec::new();
    let mut before = 0;
    let mut run = Run { anchor: zone.local(first), step, before, count: 0 };
    if first < end {
        let mut at = first;
        while at < GAPS_UNTIL {
            let Some((change, offset)) = zone.next_change(at).filter(|&(change, _)| change < end) else {
                break;
            };
            let was = zone.offset_ms(change - 1);
            at = change;
            if offset <= was {
                continue;
            }
            // Local times from change + was to change + offset do not exist.
            let n = first_local(&run, change + was);
            if n == 0 || step.add_local(run.anchor, n.into()) >= change + offset {
                continue;
            }
            let start = run.start(&zone, n);
            if start >= end {
                break;
            }
            runs.push(Run { count: n, ..run });
            before += n;
            run = Run { anchor: zone.local(start), step, before, count: 0 };
        }
        run.count = run.first_from(&zone, end);
        before += run.count;
        runs.push(run);
    }
    Shape::Runs { zone, runs, front: 0, back: before }
}

/// First n whose local start is not before `local`.
fn first_local(run: &Run, local: i64) -> u64 {
    let distance = i128::from(local) - i128::from(run.anchor);
    let mut n = u64::try_from(distance.div_euclid(run.step.mean_ms())).unwrap_or(0);
    while n > 0 && run.step.add_local(run.anchor, i128::from(n) - 1) >= local {
        n -= 1;
    }
    while run.step.add_local(run.anchor, n.into()) < local {
        n += 1;
    }
    n
}

/// Chunks that are walked one by one at most.
const MOST_WALKED: i128 = 200_000;

/// The way from one instant to another, a chunk a step.
enum Walk {
    /// It is walked.
    Short,
    /// Nobody walks so far: about so many chunks, by their mean length.
    Long(u64),
}

fn walk(granularity: &Granularity, from: i64, to: i64) -> Walk {
    let Granularity::Period(period) = granularity else { return Walk::Short };
    let chunks = (i128::from(to) - i128::from(from)) / period.mean_ms().max(1);
    match chunks > MOST_WALKED {
        true => Walk::Long(u64::try_from(chunks).unwrap_or(u64::MAX)),
        false => Walk::Short,
    }
}

fn step(granularity: &Granularity, next: &mut i64, end: i64) -> Option<Interval> {
    if *next >= end {
        return None;
    }
    let start = *next;
    *next = granularity.increment(start).max(start + 1);
    Some(Interval::of_ms(start, *next))
}

impl Iterator for Buckets {
    type Item = Interval;

    fn next(&mut self) -> Option<Interval> {
        match &mut self.shape {
            Shape::Even(even) => even.next(),
            Shape::Runs { front, back, .. } => {
                if front >= back {
                    return None;
                }
                let n = *front;
                *front += 1;
                self.at(n)
            }
            Shape::Walk { ahead: Some(ahead), .. } => ahead.pop_front(),
            Shape::Walk { granularity, next, end, ahead: None } => step(granularity, next, *end),
            Shape::Whole(whole) => whole.take(),
        }
    }

    fn nth(&mut self, n: usize) -> Option<Interval> {
        match &mut self.shape {
            Shape::Even(even) => even.nth(n),
            Shape::Runs { front, back, .. } => {
                *front = front.saturating_add(n as u64).min(*back);
                self.next()
            }
            _ => {
                for _ in 0..n {
                    self.next()?;
                }
                self.next()
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.shape {
            Shape::Walk { ahead: None, .. } => (0, None),
            _ => {
                let left = usize::try_from(self.remaining()).ok();
                (left.unwrap_or(usize::MAX), left)
            }
        }
    }
}

impl DoubleEndedIterator for Buckets {
    fn next_back(&mut self) -> Option<Interval> {
        match &mut self.shape {
            Shape::Even(even) => even.next_back(),
            Shape::Runs { front, back, .. } => {
                if front >= back {
                    return None;
                }
                *back -= 1;
                let n = *back;
                self.at(n)
            }
            Shape::Walk { granularity, next, end, ahead } => {
                let ahead = ahead
                    .get_or_insert_with(|| std::iter::from_fn(|| step(granularity, next, *end)).collect());
                ahead.pop_back()
            }
            Shape::Whole(whole) => whole.take(),
        }
    }
}

impl FusedIterator for Buckets {}
