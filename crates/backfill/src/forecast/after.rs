//! What is visible afterwards, one entry per piece: for the command line, the audit and the table beside the picture.
//!
//! What always holds: where a run of chunks is one holder in the picture it is one entry per chunk here. Everything is
//! lazy: a year of SECOND chunks can be asked for its first hundred.
//!
//! What it does not do: choose among alternatives.

use druid::interval::Interval;
use druid::timeline::{Illegal, NewHolder, Piece, Timeline};

use super::{Either, Fate, FateKind, Forecast, Intent, World};

/// A piece of the timeline afterwards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// What is visible.
    pub interval: Interval,
    /// The holder's own interval.
    pub true_interval: Interval,
    /// Its version.
    pub version: EntryVersion,
    /// Whether it is a tombstone.
    pub tombstone: bool,
    /// Whether it was there before and gets more partitions.
    pub appended: bool,
}

/// The version of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryVersion {
    /// A holder that is there now.
    Old(String),
    /// A holder that the run makes; its version is known only after the lock is granted.
    New,
}

/// What is visible afterwards as far as it is certain, in order of time.
pub fn visible<'a>(forecast: &'a Forecast, world: &'a World) -> impl Iterator<Item = Entry> + 'a {
    world.after.visible().iter().flat_map(move |piece| entries(forecast, &world.after, piece))
}

/// What is visible inside an interval if `alternative` is published there beside what is certain.
///
/// # Errors
/// As [`druid::timeline::Timeline::with`].
pub fn visible_with(
    forecast: &Forecast,
    world: &World,
    interval: Interval,
    alternative: &[NewHolder],
) -> Result<Vec<Entry>, Illegal> {
    let after = world.after.with(alternative, &[])?;
    Ok(after.lookup(interval).into_iter().flat_map(|piece| entries(forecast, &after, piece)).collect())
}

/// Every place of a world that is still open, one per chunk, in order of time within each kind. Where no intervals were
/// given, the stretches in which any chunk may get rows are one place each.
pub fn open<'a>(forecast: &'a Forecast, world: &'a World) -> impl Iterator<Item = Either> + 'a {
    let by_chunk = world.fates.iter().filter(|fate| is_open(fate.kind)).flat_map(move |fate| {
        chunks(forecast, fate).map(move |interval| Either {
            interval,
            alternatives: alternatives(forecast, world, fate, interval),
        })
    });
    by_chunk.chain(world.either.iter().cloned())
}

fn is_open(kind: FateKind) -> bool {
    use FateKind::{AppendedOrKept, NewOrKept, NewOrNothing, NewOrTombstone};
    matches!(kind, NewOrTombstone | NewOrKept | NewOrNothing | AppendedOrKept)
}

fn alternatives(forecast: &Forecast, world: &World, fate: &Fate, interval: Interval) -> Vec<Vec<NewHolder>> {
    let version = &forecast.version;
    let published = |kind: &FateKind| match (kind, forecast.intent) {
        (FateKind::New, Intent::Append) => vec![NewHolder::appended(interval, version, 0, 0)],
        (FateKind::New, _) => vec![NewHolder::whole(interval, version, 1)],
        (FateKind::Tombstone, _) => vec![NewHolder::tombstone(interval, version)],
        (FateKind::Appended, _) => {
            let holder = world.under(fate).first().and_then(|piece| world.after.holder(piece.holder));
            let next = holder.and_then(|holder| {
                let (highest, core) = holder.highest()?;
                Some(NewHolder::appended(holder.interval, holder.version, highest.checked_add(1)?, core?))
            });
            next.into_iter().collect()
        }
        _ => Vec::new(),
    };
    fate.kind.may().iter().map(published).collect()
}

/// The chunks of a fate, one by one.
pub fn chunks(forecast: &Forecast, fate: &Fate) -> Box<dyn Iterator<Item = Interval>> {
    match &forecast.granularity {
        Some(granularity) if fate.chunks > 1 && fate.chunks < u64::MAX => {
            Box::new(granularity.buckets(fate.interval))
        }
        _ => Box::new(std::iter::once(fate.interval)),
    }
}

fn entries(forecast: &Forecast, after: &Timeline, piece: Piece) -> Box<dyn Iterator<Item = Entry>> {
    let Some(holder) = after.holder(piece.holder) else { return Box::new(std::iter::empty()) };
    let entry = Entry {
        interval: piece.interval,
        true_interval: holder.interval,
        version: if holder.new { EntryVersion::New } else { EntryVersion::Old(holder.version.to_owned()) },
        tombstone: holder.tombstone,
        appended: !holder.new && !holder.added.is_empty(),
    };
    // What an append makes is never wider than it looks; what an overwrite makes may stand for several chunks.
    let chunked =
        holder.new && matches!(forecast.intent, Intent::Replace | Intent::Overwrite | Intent::Compact);
    match &forecast.granularity {
        Some(granularity) if chunked => {
            Box::new(granularity.buckets(piece.interval).filter_map(move |chunk| {
                let interval = chunk.intersect(piece.interval)?;
                Some(Entry { interval, true_interval: chunk, ..entry.clone() })
            }))
        }
        _ => Box::new(std::iter::once(entry)),
    }
}
