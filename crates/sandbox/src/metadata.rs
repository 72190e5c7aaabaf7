//! The metadata store: used and unused segments by datasource, and the timeline of the used ones.

use druid::{
    endpoint::Marks,
    ingest::mark::{MarkRefused, Meant, known_ids, marked_unused, marked_used},
    interval::{Instant, Interval},
    release::Release,
    segment::{Segment, SegmentId, SegmentSet},
    timeline::Timeline,
};
use std::collections::{BTreeMap, BTreeSet};

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

    /// Does what a mark call asks for, by Druid's own step; returns how many segments the answer counts.
    pub(crate) fn mark(
        &mut self,
        name: &str,
        now: Instant,
        used: bool,
        marks: &Marks,
        release: Release,
    ) -> Result<usize, MarkRefused> {
        let meant = Meant::by(marks, name, release);
        let set = SegmentSet::of(name, self.used.iter().map(|row| &row.segment));
        let (from, to, places) = if used {
            let ids: Vec<String> = self.unused_ids().iter().map(ToString::to_string).collect();
            known_ids(marks, &set, ids.iter().map(String::as_str))?;
            let timeline = Timeline::build(&set).map_err(MarkRefused::Illegal)?;
            let unused: Vec<&Segment> = self.unused.iter().map(|row| &row.segment).collect();
            let places: BTreeSet<usize> = marked_used(&timeline, &unused, &meant)?.into_iter().collect();
            (&mut self.unused, &mut self.used, places)
        } else {
            let rows = marked_unused(&set, &meant);
            let places = rows.into_iter().filter_map(|row| usize::try_from(row).ok()).collect();
            (&mut self.used, &mut self.unused, places)
        };
        // By ids the statement updates, and counts, what is unused already as well.
        let again = match marks {
            Marks::Ids(ids) if !used => {
                to.iter().filter(|row| ids.contains(&row.segment.id().to_string())).count()
            }
            _ => 0,
        };
        let mut stay = Vec::with_capacity(from.len());
        for (place, row) in from.drain(..).enumerate() {
            match places.contains(&place) {
                true => to.push(Row { marked: now, ..row }),
                false => stay.push(row),
            }
        }
        *from = stay;
        Ok(places.len() + again)
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

    /// Deletes segments for good.
    pub(crate) fn delete(&mut self, name: &str, ids: &[SegmentId]) {
        if let Some(datasource) = self.datasources.get_mut(name) {
            datasource.unused.retain(|row| !ids.contains(&row.segment.id()));
            datasource.used.retain(|row| !ids.contains(&row.segment.id()));
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
