//! Which version lies on which lane. Pure.
//!
//! What always holds: one version lies on one lane; where two versions overlap in time, the newer one's lane is higher
//! up (a smaller number). Versions that nowhere overlap share a lane, so that a datasource with a version for every
//! day does not become a thousand lanes.

use druid::{
    interval::Interval,
    timeline::{HolderId, Timeline},
};
use std::collections::{BTreeMap, HashMap};

/// The lanes of one timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// The lane of each holder.
    pub of: HashMap<HolderId, u32>,
    /// The versions on each lane, newest first.
    pub versions: Vec<Vec<String>>,
    /// The lane kept free for the run, if there is one.
    pub run: Option<u32>,
}

/// Where a pile of versions reaches down to, by time: disjoint stretches and the lowest lane used in each.
#[derive(Default)]
struct Piles(BTreeMap<i64, (i64, u32)>);

impl Piles {
    /// The first lane that is free over the whole interval.
    fn free(&self, over: Interval) -> u32 {
        let from = self.0.range(..=over.start.ms()).next_back().map_or(over.start.ms(), |(start, _)| *start);
        self.0
            .range(from..over.end.ms())
            .filter(|(_, (end, _))| *end > over.start.ms())
            .map(|(_, (_, lane))| lane + 1)
            .max()
            .unwrap_or(0)
    }

    /// Lays a bar over the interval.
    fn lay(&mut self, over: Interval, lane: u32) {
        let (start, end) = (over.start.ms(), over.end.ms());
        let from = self.0.range(..start).next_back().map_or(start, |(first, _)| *first);
        let under: Vec<(i64, (i64, u32))> = self.0.range(from..end).map(|(a, b)| (*a, *b)).collect();
        for (old_start, (old_end, old_lane)) in under {
            if old_end <= start {
                continue;
            }
            self.0.remove(&old_start);
            if old_start < start {
                self.0.insert(old_start, (start, old_lane));
            }
            if old_end > end {
                self.0.insert(end, (old_end, old_lane));
            }
        }
        self.0.insert(start, (end, lane));
    }
}

/// Spreads the versions of a timeline over lanes. `run`: the version a run would write and the intervals it works on;
/// it gets a lane to itself, at its place among the versions.
pub fn lanes(timeline: &Timeline, run: Option<(&str, &[Interval])>) -> Lanes {
    let mut by_version: BTreeMap<&str, Vec<(HolderId, Interval)>> = BTreeMap::new();
    for holder in timeline.holders() {
        by_version.entry(holder.version).or_default().push((holder.id, holder.interval));
    }
    let mut piles = Piles::default();
    let mut lanes = Lanes::default();
    let mut pending = run;
    for (version, holders) in by_version.iter().rev() {
        if let Some((own, intervals)) = pending.filter(|(own, _)| *own >= *version) {
            own_lane(&mut lanes, &mut piles, own, intervals);
            pending = None;
        }
        let taken = lanes.run;
        let mut lane = holders.iter().map(|(_, interval)| piles.free(*interval)).max().unwrap_or(0);
        if taken == Some(lane) {
            lane += 1;
        }
        for (id, interval) in holders {
            piles.lay(*interval, lane);
            lanes.of.insert(*id, lane);
        }
        put(&mut lanes, lane, version);
    }
    if let Some((own, intervals)) = pending {
        own_lane(&mut lanes, &mut piles, own, intervals);
    }
    lanes
}

/// The run's lane: below everything newer that it would meet, and shared with nobody below.
fn own_lane(lanes: &mut Lanes, piles: &mut Piles, version: &str, intervals: &[Interval]) {
    let lane = u32::try_from(lanes.versions.len()).unwrap_or(u32::MAX);
    for interval in intervals {
        piles.lay(*interval, lane);
    }
    lanes.run = Some(lane);
    put(lanes, lane, version);
}

fn put(lanes: &mut Lanes, lane: u32, version: &str) {
    let at = lane as usize;
    if lanes.versions.len() <= at {
        lanes.versions.resize_with(at + 1, Vec::new);
    }
    if let Some(names) = lanes.versions.get_mut(at) {
        names.push(version.to_owned());
    }
}
