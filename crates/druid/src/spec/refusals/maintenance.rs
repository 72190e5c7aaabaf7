//! Rules about compaction and kill tasks: `CompactionTask`, `CompactionIntervalSpec`, `KillUnusedSegmentsTask`.

use crate::granularity::Granularity;
use crate::json::{Edit, Kind};

use super::super::Compact;
use super::super::values::At;
use super::Look;

const TASK: &str = "org.apache.druid.indexing.common.task.CompactionTask";
const KILL: &str = "org.apache.druid.indexing.common.task.KillUnusedSegmentsTask";
const INTERVAL: &str = "org.apache.druid.indexing.common.task.CompactionIntervalSpec";

impl Look<'_> {
    pub(super) fn compact(&mut self, compact: &Compact) {
        let root = self.root();
        if !root.is(Kind::Object) {
            return;
        }
        self.what(&root);
        let io = root.get("ioConfig");
        if io.is_there() && !io.get("type").is_there() {
            self.no_type(&io, "org.apache.druid.indexing.common.task.CompactionIOConfig");
        }
        let input = io.get("inputSpec");
        if io.is_there() && !input.is_there() {
            let message = "Cannot invoke \"org.apache.druid.indexing.common.task.CompactionInputSpec.findInterval(String)\" \
                           because \"inputSpec\" is null";
            self.refuse("compact-what", TASK, &root, &input.path, message);
        }
        let segments = input.get("segments");
        if segments.is_there() && !input.get("interval").is_there() && segments.items().is_empty() {
            self.refuse("compact-what", TASK, &root, &segments.path, "Empty list of intervals");
        }
        if input.is_there() {
            let chain = format!(
                "{TASK}[\"ioConfig\"]->org.apache.druid.indexing.common.task.CompactionIOConfig[\"inputSpec\"]->{INTERVAL}[\"interval\"]"
            );
            let interval = input.get("interval");
            self.interval(&interval, &chain);
            if let Some(empty) = compact.interval.filter(|interval| interval.is_empty()) {
                let message = format!("Interval[{empty}] is empty, must specify a nonempty interval");
                self.refuse("empty-interval", INTERVAL, &input, &interval.path, message);
            }
        } else {
            self.interval(&root.get("interval"), &format!("{TASK}[\"interval\"]"));
        }
        for at in [
            root.down(&["granularitySpec", "segmentGranularity"]),
            root.down(&["granularitySpec", "queryGranularity"]),
            root.get("segmentGranularity"),
        ] {
            self.granularity(&at);
        }
        self.two_granularities(&root);
        self.compact_tuning(compact);
    }

    pub(super) fn kill(&mut self) {
        let root = self.root();
        let interval = root.get("interval");
        self.interval(&interval, &format!("{KILL}[\"interval\"]"));
        if !interval.is_there() {
            self.refuse("kill-what", KILL, &root, &interval.path, "interval");
        }
        for key in ["batchSize", "limit"] {
            let at = root.get(key);
            let number = at.node.and_then(|node| node.as_i64()).filter(|number| *number <= 0);
            if let Some(number) = number {
                let message = format!("{key}[{number}] must be a positive integer.");
                self.refuse("not-positive", KILL, &root, &at.path, message)
                    .fix("Take Druid's default", vec![Edit::Remove(at.path.clone())]);
            }
        }
    }

    /// What is compacted is said once.
    fn what(&mut self, root: &At<'_>) {
        let keys = ["ioConfig", "interval", "segments"];
        let given: Vec<_> = keys.into_iter().filter(|key| root.get(key).is_there()).collect();
        let (most, key) = match given.as_slice() {
            [] => ("least", "ioConfig"),
            [_] => return,
            [.., last] => ("most", *last),
        };
        let message = format!("At {most} one of properties[[ioConfig, interval, segments]] must be present");
        self.refuse("compact-what", TASK, root, &root.path.join(key), message);
    }

    /// The older `segmentGranularity` beside the one of `granularitySpec`: they have to be the same.
    fn two_granularities(&mut self, root: &At<'_>) {
        let (old, new) =
            (root.get("segmentGranularity"), root.down(&["granularitySpec", "segmentGranularity"]));
        let read = |at: &At<'_>| {
            at.node.and_then(|node| Granularity::from_json(&node.value(), &crate::zone::UtcOnly).ok())
        };
        if let (Some(old_one), Some(new_one)) = (read(&old), read(&new))
            && old_one != new_one
        {
            let message = format!(
                "Conflicting segment granularities found {old_one}(segmentGranularity) and {new_one}(granularitySpec.segmentGranularity)."
            );
            self.refuse("two-granularities", TASK, root, &old.path, message).ours();
        }
    }
}
