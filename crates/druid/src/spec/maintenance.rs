//! Tasks, calls and supervisors that load no batch: compaction, kill, marks, streams.

use crate::endpoint::Marks;
use crate::granularity::Granularity;
use crate::interval::Interval;

use crate::json::Severity;

use super::Partitions;
use super::values::{At, Reader};

/// A `compact` task: rewrites the visible segments of an interval.
#[derive(Clone, Debug)]
pub struct Compact {
    /// What is compacted: `ioConfig.inputSpec.interval`, or the older `interval` at the top level.
    pub interval: Option<Interval>,
    /// The interval as typed.
    pub interval_text: Option<String>,
    /// Single segments are named in place of an interval.
    pub segments: Vec<String>,
    /// `granularitySpec.segmentGranularity`, or the older top-level key. `None`: each group of overlapping
    /// segments keeps the granularity it spans.
    pub segment_granularity: Option<Granularity>,
    /// `granularitySpec.queryGranularity`
    pub query_granularity: Option<Granularity>,
    /// `granularitySpec.rollup`
    pub rollup: Option<bool>,
    /// `ioConfig.dropExisting`
    pub drop_existing: bool,
    /// `ioConfig.allowNonAlignedInterval`
    pub allow_non_aligned_interval: bool,
    /// `tuningConfig.partitionsSpec`
    pub partitions: Partitions,
    /// `tuningConfig.forceGuaranteedRollup`
    pub force_guaranteed_rollup: bool,
    /// `tuningConfig.maxNumConcurrentSubTasks`, 1 where not given.
    pub max_num_concurrent_sub_tasks: u32,
    /// `tuningConfig.splitHintSpec.maxNumFiles`
    pub max_num_files: Option<u64>,
    /// Names of `dimensionsSpec.dimensions`; empty: taken from the segments.
    pub dimensions: Vec<String>,
    /// `metricsSpec`, where given.
    pub metrics: Option<Vec<String>>,
    /// A `transformSpec` filter drops rows.
    pub filters_rows: bool,
}

/// A `kill` task: deletes unused segments for good, metadata and files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    /// Segments whose interval lies wholly inside go.
    pub interval: Option<Interval>,
    /// The interval as typed.
    pub interval_text: Option<String>,
    /// Only these versions, where given.
    pub versions: Option<Vec<String>>,
    /// Marks used segments in the interval unused first (`markAsUnused`, deprecated in 28, gone in 30).
    pub mark_as_unused: bool,
}

/// `mark_used`, `mark_unused`: what Druid's calls of that name change, as a document. Druid has no such task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Used rather than unused.
    pub used: bool,
    /// Which segments; none where the server refuses the call.
    pub marks: Option<Marks>,
}

/// A supervisor: something that goes on writing.
#[derive(Clone, Debug)]
pub struct Supervisor {
    /// `kafka`, `kinesis`, `autocompact`, …
    pub kind: String,
    /// Topic or stream it reads, where it reads one.
    pub stream: Option<String>,
    /// Length of its time chunks. `None` where not given.
    pub segment_granularity: Option<Granularity>,
    /// `granularitySpec.queryGranularity`
    pub query_granularity: Option<Granularity>,
    /// Handed in as suspended.
    pub suspended: bool,
}

impl Reader<'_> {
    pub(super) fn compact(&mut self, root: &At<'_>) -> Compact {
        let (io, tuning, cut) = (root.get("ioConfig"), root.get("tuningConfig"), root.get("granularitySpec"));
        let spec = io.get("inputSpec");
        // The forms of before 0.17 name interval or segments at the top level.
        let interval_at = if spec.is_there() { spec.get("interval") } else { root.get("interval") };
        let segments_at = if spec.is_there() { spec.get("segments") } else { root.get("segments") };
        if !interval_at.is_there() && !segments_at.is_there() {
            let at = if spec.is_there() { &spec } else { &io };
            let problem =
                self.say("missing", at, Severity::Error, "the compaction does not say what to compact");
            problem.remedy =
                Some("ioConfig.inputSpec: {\"type\": \"interval\", \"interval\": \"start/end\"}".to_owned());
        }
        let segments = if segments_at.is_there() && !interval_at.is_there() {
            let ids: Vec<_> = segments_at.items();
            // The top-level form holds whole segments, the newer one their ids.
            ids.iter()
                .filter_map(|id| id.peek_text().or_else(|| id.get("identifier").peek_text()))
                .map(|id| id.into_owned())
                .collect()
        } else {
            Vec::new()
        };
        let force_guaranteed_rollup = self.flag(&tuning.get("forceGuaranteedRollup")).unwrap_or(false);
        let concurrent = [tuning.get("maxNumConcurrentSubTasks"), tuning.get("maxNumSubTasks")];
        let concurrent = concurrent.iter().find_map(|at| self.whole(at)).unwrap_or(1);
        let segment_at = cut.get("segmentGranularity");
        let segment_at = if segment_at.is_there() { segment_at } else { root.get("segmentGranularity") };
        let metrics_at = root.get("metricsSpec");
        Compact {
            interval: self.interval(&interval_at),
            interval_text: self.text(&interval_at),
            segments,
            segment_granularity: self.granularity(&segment_at),
            query_granularity: self.granularity(&cut.get("queryGranularity")),
            rollup: self.flag(&cut.get("rollup")),
            drop_existing: self.flag(&io.get("dropExisting")).unwrap_or(false),
            allow_non_aligned_interval: self.flag(&io.get("allowNonAlignedInterval")).unwrap_or(false),
            partitions: self.partitions(&tuning, force_guaranteed_rollup),
            force_guaranteed_rollup,
            max_num_concurrent_sub_tasks: u32::try_from(concurrent).unwrap_or(0),
            max_num_files: self.count(&tuning.down(&["splitHintSpec", "maxNumFiles"])),
            dimensions: self.dimensions(&root.get("dimensionsSpec")).names,
            metrics: metrics_at.is_there().then(|| self.names(&metrics_at)),
            filters_rows: root.down(&["transformSpec", "filter"]).is_there(),
        }
    }

    pub(super) fn kill(&mut self, root: &At<'_>) -> Kill {
        let interval_at = root.get("interval");
        if !interval_at.is_there() {
            self.say("missing", &interval_at, Severity::Error, "the kill task names no interval");
        }
        let versions_at = root.get("versions");
        Kill {
            interval: self.interval(&interval_at),
            interval_text: self.text(&interval_at),
            versions: versions_at.is_there().then(|| self.texts(&versions_at)),
            mark_as_unused: self.flag(&root.get("markAsUnused")).unwrap_or(false),
        }
    }

    pub(super) fn mark(&mut self, root: &At<'_>, used: bool) -> Mark {
        let (interval_at, ids_at, versions_at) =
            (root.get("interval"), root.get("segmentIds"), root.get("versions"));
        let texts = |reader: &mut Self, at: &At<'_>| at.is_there().then(|| reader.texts(at));
        let interval = self.interval(&interval_at);
        let (ids, versions) = (texts(self, &ids_at), texts(self, &versions_at));
        let is_unreadable = interval_at.is_there() && interval.is_none();
        let marks = Marks::of(interval, ids, versions).filter(|_| !is_unreadable);
        if marks.is_none() && !is_unreadable {
            let at = if ids_at.is_there() { &ids_at } else { &interval_at };
            let message =
                "the call takes an interval or segmentIds, not both, and versions only beside an interval";
            self.say("marks", at, Severity::Error, message);
        }
        Mark { used, marks }
    }

    /// `base`: the part that holds the schemas; `root`: the whole.
    pub(super) fn supervisor(&mut self, kind: &str, root: &At<'_>, base: &At<'_>) -> Supervisor {
        let io = base.get("ioConfig");
        let stream =
            ["topic", "topicPattern", "stream", "uri"].iter().find_map(|key| self.text(&io.get(key)));
        let cut = base.down(&["dataSchema", "granularitySpec"]);
        let cut = if cut.is_there() { cut } else { base.get("granularitySpec") };
        Supervisor {
            kind: kind.to_owned(),
            stream,
            segment_granularity: self.granularity(&cut.get("segmentGranularity")),
            query_granularity: self.granularity(&cut.get("queryGranularity")),
            suspended: self.flag(&root.get("suspended")).unwrap_or(false),
        }
    }
}
