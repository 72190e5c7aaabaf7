//! Whether a forecast and what really happened are the same.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test that cannot compare must fail; not every test uses every part"
)]

use std::collections::BTreeSet;

use backfill::forecast::{Entry, EntryVersion, Forecast, Outcome, World, open, visible, visible_with};
use druid::interval::{Instant, Interval};
use druid::segment::SegmentSet;

/// How a run ended.
pub(crate) struct Real {
    pub(crate) succeeded: bool,
    /// What was visible afterwards, sorted.
    pub(crate) visible: Vec<Entry>,
    /// Ids that were there before and are overshadowed afterwards.
    pub(crate) overshadowed: BTreeSet<String>,
}

impl Real {
    /// Why a world is not what happened; none when it is.
    pub(crate) fn differs_from(
        &self,
        set: &SegmentSet,
        forecast: &Forecast,
        world: &World,
    ) -> Option<String> {
        let ended_well = match world.outcome {
            Outcome::Success => true,
            Outcome::Fails | Outcome::Refused => false,
            other => return Some(format!("foreseen {}", other.name())),
        };
        if ended_well != self.succeeded {
            let foreseen = world.outcome.name();
            return Some(format!("foreseen {foreseen} ({:?}), ended well: {}", world.reason, self.succeeded));
        }
        let mut foreseen: Vec<Entry> = visible(forecast, world).collect();
        foreseen.sort();
        let real = &self.visible;
        if foreseen != *real {
            return Some(format!("visible:\n  foreseen\n{}  real\n{}", lines_of(&foreseen), lines_of(real)));
        }
        let overshadowed: BTreeSet<String> = world.after.overshadowed().map(|row| set.id(row)).collect();
        let real = &self.overshadowed;
        (overshadowed != *real)
            .then(|| format!("overshadowed:\n  foreseen {overshadowed:?}\n  real {real:?}"))
    }

    /// Why what happened does not lie in a world with open places; none when it does.
    pub(crate) fn lies_outside(&self, forecast: &Forecast, world: &World) -> Option<String> {
        Open::of(forecast, world).choices(self).err()
    }
}

/// A world with its open places spelt out.
pub(crate) struct Open {
    succeeds: bool,
    outcome: Outcome,
    /// What is certain outside the open places.
    outside: Vec<Entry>,
    /// Stretches that are open, those in which any chunk may turn out new with them.
    stretches: Vec<Interval>,
    /// Each place with what is visible there, one list per alternative.
    pub(crate) places: Vec<(Interval, Vec<Vec<Entry>>)>,
}

impl Open {
    pub(crate) fn of(forecast: &Forecast, world: &World) -> Open {
        let certain: Vec<Entry> = visible(forecast, world).collect();
        // Where nobody can count chunks, any chunk may turn out new.
        let (endless, places): (Vec<_>, Vec<_>) =
            open(forecast, world).partition(|either| unbounded(either.interval));
        let stretches: Vec<Interval> = places.iter().chain(&endless).map(|place| place.interval).collect();
        let spelt = |place: &backfill::forecast::Either| {
            let ways = place.alternatives.iter().map(|alternative| {
                within(&visible_with(forecast, world, place.interval, alternative).unwrap(), place.interval)
            });
            (place.interval, ways.collect())
        };
        Open {
            succeeds: world.outcome == Outcome::Success,
            outcome: world.outcome,
            outside: beyond(&certain, &stretches),
            places: places.iter().map(spelt).collect(),
            stretches,
        }
    }

    /// Which alternative happened at each place.
    ///
    /// # Errors
    /// Why it did not happen in this world.
    pub(crate) fn choices(&self, real: &Real) -> Result<Vec<usize>, String> {
        if self.succeeds != real.succeeded {
            return Err(format!("outcome {}", self.outcome.name()));
        }
        let outside = beyond(&real.visible, &self.stretches);
        if outside != self.outside {
            return Err(format!(
                "outside the open places:\n  foreseen\n{}  real\n{}",
                lines_of(&self.outside),
                lines_of(&outside)
            ));
        }
        let choice = |(interval, foreseen): &(Interval, Vec<Vec<Entry>>)| {
            let happened = within(&real.visible, *interval);
            foreseen.iter().position(|way| *way == happened).ok_or_else(|| {
                format!(
                    "at {interval}:\n  foreseen\n{}  real\n{}",
                    foreseen.iter().map(|entries| lines_of(entries)).collect::<Vec<_>>().join("   or\n"),
                    lines_of(&happened)
                )
            })
        };
        self.places.iter().map(choice).collect()
    }
}

fn within(entries: &[Entry], place: Interval) -> Vec<Entry> {
    normal(entries, |interval| interval.intersect(place).into_iter().collect())
}

fn beyond(entries: &[Entry], stretches: &[Interval]) -> Vec<Entry> {
    let stretches = druid::interval::condense(stretches.iter().copied());
    normal(entries, |interval| druid::interval::subtract(&[interval], &stretches))
}

pub(crate) fn unbounded(interval: Interval) -> bool {
    interval.start == Instant::MIN || interval.end == Instant::MAX
}

/// An entry as one line of a message.
fn shown(entry: &Entry) -> String {
    let version = match &entry.version {
        EntryVersion::Old(version) => version,
        EntryVersion::New => "new",
    };
    let marks = [(entry.tombstone, " tombstone"), (entry.appended, " appended")];
    let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
    format!("{} of {} {version}{marks}", entry.interval.short(), entry.true_interval.short())
}

fn lines_of(entries: &[Entry]) -> String {
    entries.iter().map(|entry| format!("    {}\n", shown(entry))).collect()
}

/// Entries cut to some stretches, pieces of one holder joined where they abut.
fn normal(entries: &[Entry], cut: impl Fn(Interval) -> Vec<Interval>) -> Vec<Entry> {
    let mut by_holder = std::collections::BTreeMap::<_, Vec<Interval>>::new();
    for entry in entries {
        let key = (entry.true_interval, entry.version.clone(), entry.tombstone, entry.appended);
        by_holder.entry(key).or_default().extend(cut(entry.interval));
    }
    let mut shown: Vec<Entry> = Vec::new();
    for ((true_interval, version, tombstone, appended), pieces) in by_holder {
        for piece in druid::interval::condense(pieces) {
            let version = version.clone();
            shown.push(Entry { interval: piece, true_interval, version, tombstone, appended });
        }
    }
    shown.sort();
    shown
}
