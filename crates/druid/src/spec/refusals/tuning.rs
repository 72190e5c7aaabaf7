//! Rules about `tuningConfig` of batch and compaction: `IndexTuningConfig`, `ParallelIndexTuningConfig` and the partitions specs.

use crate::json::Edit;
use crate::release::Release;

use super::super::values::At;
use super::super::{Batch, Compact, Mode, Partitions};
use super::Look;

const PARALLEL: &str = "org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexTuningConfig";
const SIMPLE: &str = "org.apache.druid.indexing.common.task.IndexTask$IndexTuningConfig";
const COMPACTION: &str = "org.apache.druid.indexing.common.task.CompactionTask$CompactionTuningConfig";
const DYNAMIC: &str = "org.apache.druid.indexer.partitions.DynamicPartitionsSpec";
const HASHED: &str = "org.apache.druid.indexer.partitions.HashedPartitionsSpec";
const RANGE: &str = "org.apache.druid.indexer.partitions.DimensionRangePartitionsSpec";
const SINGLE: &str = "org.apache.druid.indexer.partitions.SingleDimensionPartitionsSpec";

/// A whole number at a place; -1 counts as not given (`PartitionsSpec.resolveHistoricalNullIfNeeded`).
fn given(at: &At<'_>) -> Option<i64> {
    let node = at.node?;
    let text = node.as_str().unwrap_or(std::borrow::Cow::Borrowed(node.text()));
    let number = text.trim().parse().ok().or_else(|| text.parse::<f64>().ok().map(|number| number as i64));
    number.filter(|number| *number != -1)
}

/// A `tuningConfig`, and what else of the task its rules look at.
struct Tuning<'a> {
    at: At<'a>,
    class: &'static str,
    /// Whether it is one for sub-tasks.
    parallel: bool,
    partitions: &'a Partitions,
    guaranteed: bool,
    appends: bool,
    dimensions: &'a [String],
}

impl<'t> Look<'t> {
    /// The one of a batch task.
    pub(super) fn batch_tuning(&mut self, batch: &Batch) {
        let at = self.part(batch, &["tuningConfig"]);
        self.tuning(&Tuning {
            at,
            class: if batch.simple { SIMPLE } else { PARALLEL },
            parallel: !batch.simple,
            partitions: &batch.partitions,
            guaranteed: batch.force_guaranteed_rollup,
            appends: batch.mode == Mode::Append,
            dimensions: &batch.dimensions.names,
        });
    }

    /// The one of a compaction, which may be of three types (`CompactionTask.getTuningConfig`).
    pub(super) fn compact_tuning(&mut self, compact: &Compact) {
        let at = self.root().get("tuningConfig");
        let kind = at.get("type").peek_text();
        let class = match kind.as_deref() {
            Some("index_parallel") => PARALLEL,
            Some("compaction") => COMPACTION,
            Some("index") => SIMPLE,
            _ => {
                if at.is_there() && kind.is_none() {
                    self.no_type(&at, "org.apache.druid.segment.indexing.TuningConfig");
                }
                return;
            }
        };
        self.tuning(&Tuning {
            at,
            class,
            parallel: class != SIMPLE,
            partitions: &compact.partitions,
            guaranteed: compact.force_guaranteed_rollup,
            appends: false,
            dimensions: &compact.dimensions,
        });
    }

    fn tuning(&mut self, all: &Tuning<'_>) {
        let (tuning, class) = (&all.at, all.class);
        if !tuning.is_there() {
            return;
        }
        let spec = tuning.get("partitionsSpec");
        if spec.is_there() {
            self.partitions(all, &spec);
        }
        self.large_numbers(tuning);
        if given(&tuning.get("targetPartitionSize")).and(given(&tuning.get("maxRowsPerSegment"))).is_some() {
            let path = tuning.path.join("targetPartitionSize");
            self.refuse(
                "two-row-targets",
                class,
                tuning,
                &path,
                "Can't use targetPartitionSize and maxRowsPerSegment together",
            )
            .fix("Drop targetPartitionSize", vec![Edit::Remove(path.clone())]);
        }
        self.rollup(all);
        if !all.parallel {
            return;
        }
        let (now, old) = (tuning.get("maxNumConcurrentSubTasks"), tuning.get("maxNumSubTasks"));
        if now.is_there() && old.is_there() {
            let message = "Can't use both maxNumSubTasks and maxNumConcurrentSubTasks. Use \
                           maxNumConcurrentSubTasks instead";
            self.refuse("two-sub-task-limits", class, tuning, &old.path, message)
                .fix("Drop maxNumSubTasks", vec![Edit::Remove(old.path.clone())]);
        }
        let limit = if now.is_there() { &now } else { &old };
        for (at, name) in [
            (limit, "maxNumConcurrentSubTasks"),
            (&tuning.get("maxNumSegmentsToMerge"), "maxNumSegmentsToMerge"),
            (&tuning.get("totalNumMergeTasks"), "totalNumMergeTasks"),
        ] {
            // Here -1 is a number like any other.
            if at
                .node
                .and_then(|node| node.text().trim_matches('"').parse::<i64>().ok())
                .is_some_and(|n| n <= 0)
            {
                let rule = "not-positive";
                self.refuse(rule, class, tuning, &at.path, format!("{name} must be positive"))
                    .fix("Take Druid's default", vec![Edit::Remove(at.path.clone())]);
            }
        }
        if let Partitions::Range { dimensions, .. } = all.partitions
            && dimensions.is_empty()
            && !self.found.iter().any(|(_, refusal)| refusal.rule == "no-partition-dimensions")
        {
            self.no_dimensions(all, class, tuning, &spec);
        }
    }

    /// `IndexTuningConfig.getPartitionsSpec`: perfect rollup and dynamic partitions exclude each other.
    fn rollup(&mut self, all: &Tuning<'_>) {
        let (tuning, class) = (&all.at, all.class);
        let spec = tuning.get("partitionsSpec");
        if !spec.is_there() {
            return;
        }
        let force = tuning.path.join("forceGuaranteedRollup");
        let is_dynamic = matches!(all.partitions, Partitions::Dynamic { .. });
        if all.guaranteed && is_dynamic {
            let message = "DynamicPartitionsSpec cannot be used for perfect rollup";
            self.refuse("dynamic-and-perfect-rollup", class, tuning, &force, message).fix_set(
                "Turn forceGuaranteedRollup off",
                &force,
                "false",
            );
        } else if !all.guaranteed && !is_dynamic {
            let message = "DynamicPartitionsSpec must be used for best-effort rollup";
            let refusal = self.refuse("partitions-need-perfect-rollup", class, tuning, &force, message);
            if !all.appends {
                refusal.fix_set("Turn forceGuaranteedRollup on", &force, "true");
            }
            refusal.fix_set("Partition dynamically", &spec.path, "{\"type\":\"dynamic\"}");
        }
    }

    fn partitions(&mut self, all: &Tuning<'_>, spec: &At<'_>) {
        match all.partitions {
            // Up to 33 whatever stands there is taken.
            Partitions::Dynamic { .. } if self.release < Release::major(36) => {}
            Partitions::Dynamic { .. } => {
                for key in ["maxRowsPerSegment", "maxTotalRows"] {
                    let at = spec.get(key);
                    if given(&at).is_some_and(|number| number <= 0) {
                        self.refuse(
                            "not-positive",
                            DYNAMIC,
                            spec,
                            &at.path,
                            format!("{key} must be greater than 0"),
                        )
                        .fix("Take Druid's default", vec![Edit::Remove(at.path.clone())]);
                    }
                }
            }
            Partitions::Hashed { .. } => self.hashed(spec),
            Partitions::Range { single_dim, .. } => self.range(all, spec, *single_dim),
            Partitions::Unset => {}
        }
    }

    /// Two names of which one may be given; the given one, if any.
    fn at_most_one<'a>(&mut self, class: &'static str, spec: &At<'_>, keys: &[&'a str]) -> Option<&'a str> {
        let mut here = keys.iter().copied().filter(|key| given(&spec.get(key)).is_some());
        let first = here.next()?;
        if let Some(second) = here.next() {
            let value = |key| given(&spec.get(key)).unwrap_or_default();
            let message = format!(
                "At most one of [Property{{name='{first}', value={}}}] or [Property{{name='{second}', value={}}}] \
                 must be present",
                value(first),
                value(second)
            );
            let path = spec.path.join(second);
            self.refuse("at-most-one", class, spec, &path, message)
                .fix(format!("Drop {second}"), vec![Edit::Remove(path.clone())]);
        }
        Some(first)
    }

    fn hashed(&mut self, spec: &At<'_>) {
        let names = ["targetRowsPerSegment", "targetPartitionSize", "maxRowsPerSegment", "numShards"];
        self.at_most_one(HASHED, spec, &names);
        for key in names {
            let at = spec.get(key);
            if let Some(number) = given(&at).filter(|number| *number <= 0) {
                self.refuse(
                    "not-positive",
                    HASHED,
                    spec,
                    &at.path,
                    format!("{key}[{number}] should be positive"),
                )
                .fix("Take Druid's default", vec![Edit::Remove(at.path.clone())]);
            }
        }
    }

    fn range(&mut self, all: &Tuning<'_>, spec: &At<'_>, single_dim: bool) {
        let class = if single_dim { SINGLE } else { RANGE };
        if !single_dim && !spec.get("partitionDimensions").is_there() {
            self.no_dimensions(all, class, spec, spec);
        }
        let (mut target, mut most) = (Some("targetRowsPerSegment"), Some("maxRowsPerSegment"));
        if single_dim {
            target = self.at_most_one(class, spec, &["targetRowsPerSegment", "targetPartitionSize"]);
            most = self.at_most_one(class, spec, &["maxRowsPerSegment", "maxPartitionSize"]);
        }
        let number = |key: Option<&str>| key.and_then(|key| given(&spec.get(key)));
        let path = |key: &str| spec.path.join(key);
        match (number(target), number(most)) {
            (None, None) => {
                let message = "Exactly one of targetRowsPerSegment or maxRowsPerSegment must be present";
                self.refuse("range-size", class, spec, &path("targetRowsPerSegment"), message).fix_set(
                    "Aim at 5,000,000 rows a segment",
                    &path("targetRowsPerSegment"),
                    "5000000",
                );
            }
            (Some(_), Some(_)) => {
                let message = "Exactly one of targetRowsPerSegment or maxRowsPerSegment must be present";
                let most = path(most.unwrap_or("maxRowsPerSegment"));
                self.refuse("range-size", class, spec, &most, message)
                    .fix("Keep only the target", vec![Edit::Remove(most.clone())]);
            }
            (Some(rows), None) if rows <= 0 => {
                let place = path(target.unwrap_or("targetRowsPerSegment"));
                self.refuse(
                    "not-positive",
                    class,
                    spec,
                    &place,
                    "targetRowsPerSegment must be greater than 0",
                );
            }
            (None, Some(rows)) if rows <= 0 => {
                let place = path(most.unwrap_or("maxRowsPerSegment"));
                self.refuse("not-positive", class, spec, &place, "maxRowsPerSegment must be greater than 0");
            }
            // One and a half times the target has to be a Java int.
            (Some(rows), None) if rows.saturating_add(rows / 2) > i64::from(i32::MAX) => {
                let place = path(target.unwrap_or("targetRowsPerSegment"));
                self.refuse("not-positive", class, spec, &place, "targetRowsPerSegment is too large");
            }
            _ => {}
        }
    }

    fn no_dimensions(&mut self, all: &Tuning<'_>, class: &'static str, object: &At<'_>, spec: &At<'_>) {
        let single_dim = matches!(all.partitions, Partitions::Range { single_dim: true, .. });
        let key = if single_dim { "partitionDimension" } else { "partitionDimensions" };
        let path = spec.path.join(key);
        let refusal = self.refuse(
            "no-partition-dimensions",
            class,
            object,
            &path,
            "partitionDimensions must be specified",
        );
        if let Some(first) = all.dimensions.first() {
            let name = crate::json::quote(first);
            let json = if single_dim { name } else { format!("[{name}]") };
            refusal.fix_set(format!("Partition by {first}"), &path, json);
        }
    }

    /// Numbers that do not fit the Java int they are read into.
    fn large_numbers(&mut self, tuning: &At<'_>) {
        let ints = [
            tuning.get("maxRowsPerSegment"),
            tuning.get("maxRowsInMemory"),
            tuning.get("numShards"),
            tuning.get("maxNumConcurrentSubTasks"),
            tuning.down(&["partitionsSpec", "maxRowsPerSegment"]),
            tuning.down(&["partitionsSpec", "targetRowsPerSegment"]),
            tuning.down(&["partitionsSpec", "numShards"]),
        ];
        for at in ints {
            let Some(text) = at.node.and_then(|node| node.number_text()) else { continue };
            if text.parse::<f64>().is_ok_and(|n| n > f64::from(i32::MAX) || n < f64::from(i32::MIN)) {
                let message =
                    format!("Numeric value ({text}) out of range of int (-2147483648 - 2147483647)");
                self.misread("int-range", &at, message);
            }
        }
    }
}
