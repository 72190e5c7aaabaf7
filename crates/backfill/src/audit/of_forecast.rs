//! From forecasts and timelines to the plain values that are compared and kept.

use super::{Either, Expected, Holder, MOST_CHUNKS, Piece, Seen, World};
use crate::forecast::{
    self, Born, Entry, EntryVersion, Fate, FateKind, Forecast, chunks, visible, visible_with,
};
use druid::interval::{Interval, condense};
use druid::order::Order as _;
use druid::timeline::{NewHolder, Timeline};

impl Expected {
    /// What this forecast promises over what is there now. Only worlds in which the run publishes count: the others
    /// end in another way than SUCCESS. None: there is no such world, or there are more chunks than can be compared.
    pub fn of(forecast: &Forecast, now: &Timeline) -> Option<Expected> {
        let mut range: Vec<Interval> = forecast.effective.clone();
        let worlds: Vec<_> = forecast.worlds.iter().filter(|world| world.outcome.publishes()).collect();
        range.extend(worlds.iter().flat_map(|world| world.added.iter().map(|holder| holder.interval)));
        let range = condense(range);
        let worlds: Option<Vec<World>> = worlds
            .into_iter()
            .map(|world| {
                // A forecast that was cut promises less than may happen: what is beyond it cannot be judged.
                let within = |entry: &Entry| range.iter().any(|interval| interval.overlaps(entry.interval));
                let visible: Vec<Piece> =
                    visible(forecast, world).filter(within).take(MOST_CHUNKS + 1).map(Piece::from).collect();
                let open: u64 = (world.fates.iter())
                    .filter(|fate| !fate.kind.is_certain() && fate.chunks < u64::MAX)
                    .fold(0, |sum, fate| sum.saturating_add(fate.chunks));
                if open > MOST_CHUNKS as u64 {
                    return None;
                }
                let mut either: Vec<Either> = (world.fates.iter())
                    .filter(|fate| !fate.kind.is_certain() && fate.kind != FateKind::Mixed)
                    .flat_map(|fate| {
                        chunks(forecast, fate).map(move |chunk| of_chunk(forecast, world, fate, chunk))
                    })
                    .collect();
                either.extend(world.either.iter().take(MOST_CHUNKS + 1).map(|place| {
                    Either {
                        start_ms: place.interval.start.ms(),
                        end_ms: place.interval.end.ms(),
                        alternatives: (place.alternatives.iter())
                            .filter_map(|holders| visible_with(forecast, world, place.interval, holders).ok())
                            .map(|way| way.into_iter().map(Piece::from).collect())
                            .collect(),
                        anything_new: false,
                    }
                }));
                either.order_by_key(|either| either.start_ms);
                let fits = visible.len() <= MOST_CHUNKS && either.len() <= MOST_CHUNKS && !world.is_cut;
                fits.then(|| World { when: world.when.clone(), visible, either })
            })
            .collect();
        let worlds = worlds.filter(|worlds| !worlds.is_empty())?;
        let before = Seen::of(now, &range).holders;
        Some(Expected {
            range: range.iter().map(|interval| (interval.start.ms(), interval.end.ms())).collect(),
            before,
            worlds,
        })
    }

    /// The range as intervals: what has to be read to compare.
    pub fn intervals(&self) -> Vec<Interval> {
        let instant = druid::interval::Instant::from_ms;
        self.range
            .iter()
            .filter_map(|(start_ms, end_ms)| Interval::new(instant(*start_ms), instant(*end_ms)))
            .collect()
    }
}

/// One chunk that can turn out in several ways.
fn of_chunk(forecast: &Forecast, world: &forecast::World, fate: &Fate, chunk: Interval) -> Either {
    let (start_ms, end_ms) = (chunk.start.ms(), chunk.end.ms());
    let as_it_is = || -> Vec<Piece> {
        let pieces = world.after.lookup(chunk).into_iter();
        let pieces = pieces.filter_map(|piece| {
            let holder = world.after.holder(piece.holder)?;
            Some(Piece {
                start_ms: piece.interval.start.ms(),
                end_ms: piece.interval.end.ms(),
                true_start_ms: holder.interval.start.ms(),
                true_end_ms: holder.interval.end.ms(),
                version: (!holder.new).then(|| holder.version.to_owned()),
                tombstone: holder.tombstone,
                appended: !holder.new && !holder.added.is_empty(),
            })
        });
        pieces.collect()
    };
    let made = |tombstone: bool| -> Vec<Piece> {
        // Beside versions newer than the clock only the timeline knows what is served.
        if fate.born != Born::Served {
            let version = &forecast.version;
            let holder = match tombstone {
                true => NewHolder::tombstone(chunk, version),
                false => NewHolder::whole(chunk, version, 1),
            };
            return (visible_with(forecast, world, chunk, &[holder]).into_iter().flatten())
                .map(Piece::from)
                .collect();
        }
        vec![Piece {
            start_ms,
            end_ms,
            true_start_ms: start_ms,
            true_end_ms: end_ms,
            version: None,
            tombstone,
            appended: false,
        }]
    };
    let ways = fate.kind.may().iter().map(|kind| match kind {
        FateKind::New => made(false),
        FateKind::Tombstone => made(true),
        FateKind::Appended => as_it_is().into_iter().map(|piece| Piece { appended: true, ..piece }).collect(),
        _ => as_it_is(),
    });
    Either { start_ms, end_ms, alternatives: ways.collect(), anything_new: fate.chunks == u64::MAX }
}

impl Seen {
    /// What of a timeline overlaps a range.
    pub fn of(timeline: &Timeline, range: &[Interval]) -> Seen {
        let overlaps = |interval: Interval| range.iter().any(|part| part.overlaps(interval));
        let mut holders = Vec::new();
        let mut index = std::collections::BTreeMap::new();
        for holder in timeline.holders().filter(|holder| overlaps(holder.interval)) {
            index.insert(holder.id, holders.len());
            holders.push(Holder {
                start_ms: holder.interval.start.ms(),
                end_ms: holder.interval.end.ms(),
                version: holder.version.to_owned(),
                tombstone: holder.tombstone,
                partitions: holder.len() as u32,
            });
        }
        let visible = timeline.visible().iter().filter_map(|piece| {
            let holder = index.get(&piece.holder)?;
            Some((piece.interval.start.ms(), piece.interval.end.ms(), *holder))
        });
        let visible = visible.collect();
        Seen { holders, visible }
    }
}

impl From<Entry> for Piece {
    fn from(entry: Entry) -> Piece {
        Piece {
            start_ms: entry.interval.start.ms(),
            end_ms: entry.interval.end.ms(),
            true_start_ms: entry.true_interval.start.ms(),
            true_end_ms: entry.true_interval.end.ms(),
            version: match entry.version {
                EntryVersion::Old(version) => Some(version),
                EntryVersion::New => None,
            },
            tombstone: entry.tombstone,
            appended: entry.appended,
        }
    }
}
