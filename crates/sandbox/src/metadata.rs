//! The metadata store: used and unused segments by datasource, and the timeline of the used ones.

use druid::{
    interval::{Instant, Interval},
    segment::{Segment, SegmentId, SegmentSet},
    timeline::Timeline,
};
use std::collections::BTreeMap;

/// A segment and when things happened to it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) segment: Segment,
    /// When it was published.
    pub(crate) created: Instant,
    /// When it was last marked used or unused.
    pub(crate) marked: Instant,
}

/// One datasource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Datasource {
    pub(crate) used: Vec<Row>,
    pub(crate) unused: Vec<Row>,
}

/// All datasources.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    pub(crate) datasources: BTreeMap<String, Datasource>,
}

impl Datasource {
    /// The timeline of the used segments. A set that Druid would refuse cannot come about here: segments are only
    /// published under locks, and a new lock has a new version.
    pub(crate) fn timeline(&self, name: &str) -> Option<Timeline> {
        Timeline::build(&SegmentSet::of(name, self.used.iter().map(|row| &row.segment))).ok()
    }

    /// Ids of the unused segments.
    pub(crate) fn unused_ids(&self) -> Vec<SegmentId> {
        self.unused.iter().map(|row| row.segment.id()).collect()
    }

    /// Moves segments to or from the used ones; returns how many were meant, those included that stood there already.
    pub(crate) fn mark(&mut self, now: Instant, used: bool, meant: impl Fn(&Segment) -> bool) -> usize {
        let (from, to) =
            if used { (&mut self.unused, &mut self.used) } else { (&mut self.used, &mut self.unused) };
        let already = to.iter().filter(|row| meant(&row.segment)).count();
        let (moved, stay): (Vec<Row>, Vec<Row>) = from.drain(..).partition(|row| meant(&row.segment));
        *from = stay;
        let count = moved.len();
        to.extend(moved.into_iter().map(|row| Row { marked: now, ..row }));
        count + already
    }
}

impl Metadata {
    pub(crate) fn seed(&mut self, name: &str, segments: Vec<Segment>, now: Instant) {
        let rows = segments.into_iter().map(|segment| {
            // Long served: loaded before the cluster started.
            let long_ago = Instant::from_ms(now.ms().saturating_sub(86_400_000));
            Row { segment, created: long_ago, marked: long_ago }
        });
        self.datasources.entry(name.to_owned()).or_default().used.extend(rows);
    }

    /// Publishes segments in one transaction.
    pub(crate) fn publish(&mut self, name: &str, segments: Vec<Segment>, now: Instant) {
        if segments.is_empty() {
            return;
        }
        let rows = segments.into_iter().map(|segment| Row { segment, created: now, marked: now });
        self.datasources.entry(name.to_owned()).or_default().used.extend(rows);
    }

    /// Deletes unused segments for good.
    pub(crate) fn delete(&mut self, name: &str, ids: &[SegmentId]) {
        if let Some(datasource) = self.datasources.get_mut(name) {
            datasource.unused.retain(|row| !ids.contains(&row.segment.id()));
        }
    }

    /// Used segments that overlap one of the intervals.
    pub(crate) fn used_in(&self, name: &str, intervals: &[Interval]) -> impl Iterator<Item = &Segment> {
        self.datasources
            .get(name)
            .into_iter()
            .flat_map(|datasource| &datasource.used)
            .map(|row| &row.segment)
            .filter(move |segment| intervals.iter().any(|interval| interval.overlaps(segment.interval)))
    }
}
