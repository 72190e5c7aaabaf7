//! `tuningConfig.partitionsSpec`: how one time chunk is cut into segments.

use crate::json::Severity;

use super::task::Fix;
use super::values::{At, Reader};

/// How rows of one chunk are spread over segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partitions {
    /// Nothing given: dynamic, or hashed when `forceGuaranteedRollup` asks for it.
    Unset,
    /// By size, in the order of the input.
    Dynamic {
        /// 5,000,000 where not given.
        max_rows_per_segment: Option<u64>,
        /// 20,000,000 where not given.
        max_total_rows: Option<u64>,
    },
    /// By a hash of dimensions.
    Hashed {
        /// Fixed number of buckets.
        num_shards: Option<u32>,
        /// Rows a segment should have (`targetRowsPerSegment` and its older names).
        target_rows: Option<u64>,
        /// Dimensions that are hashed; empty: all.
        dimensions: Vec<String>,
    },
    /// By ranges of dimension values.
    Range {
        /// The dimensions, in order.
        dimensions: Vec<String>,
        /// Written as `single_dim` (or `dimension`) in place of `range`.
        single_dim: bool,
        /// Rows a segment should have.
        target_rows: Option<u64>,
        /// Rows a segment may have.
        max_rows: Option<u64>,
    },
}

/// `DynamicPartitionsSpec` and `IndexTask` take this for `maxRowsPerSegment`.
pub const DEFAULT_MAX_ROWS_PER_SEGMENT: u64 = 5_000_000;

/// `DynamicPartitionsSpec` takes this for `maxTotalRows`.
pub const DEFAULT_MAX_TOTAL_ROWS: u64 = 20_000_000;

impl Partitions {
    /// Partitioned while rows come in, without a look at all of them first.
    #[must_use]
    pub fn is_dynamic(&self, force_guaranteed_rollup: bool) -> bool {
        match self {
            Partitions::Unset => !force_guaranteed_rollup,
            Partitions::Dynamic { .. } => true,
            _ => false,
        }
    }
}

impl Reader<'_> {
    /// `tuningConfig.partitionsSpec`, or what the older keys beside it come to
    /// (`IndexTuningConfig.getPartitionsSpec`).
    pub(super) fn partitions(&mut self, tuning: &At<'_>, force_guaranteed_rollup: bool) -> Partitions {
        let at = tuning.get("partitionsSpec");
        if !at.is_there() {
            return self.legacy_partitions(tuning, force_guaranteed_rollup);
        }
        let kind_at = at.get("type");
        let kind = self.text(&kind_at);
        match kind.as_deref() {
            Some("dynamic") => Partitions::Dynamic {
                max_rows_per_segment: self.count(&at.get("maxRowsPerSegment")),
                max_total_rows: self.count(&at.get("maxTotalRows")),
            },
            Some(name @ ("range" | "single_dim" | "dimension")) => {
                let mut dimensions = self.texts(&at.get("partitionDimensions"));
                if name != "range" {
                    dimensions = self.text(&at.get("partitionDimension")).into_iter().collect();
                }
                Partitions::Range {
                    dimensions,
                    single_dim: name != "range",
                    target_rows: self.either(&at, &["targetRowsPerSegment", "targetPartitionSize"]),
                    max_rows: self.either(&at, &["maxRowsPerSegment", "maxPartitionSize"]),
                }
            }
            given => {
                if let Some(name) = given.filter(|name| *name != "hashed") {
                    // PartitionsSpec names hashed as the implementation for everything it does not know.
                    let message = format!("Druid knows no partitioning {name} and takes hashed");
                    let problem = self.say("unknown-variant", &kind_at, Severity::Warning, message);
                    problem.remedy = Some("dynamic, hashed or range".to_owned());
                } else if given.is_none() {
                    let message = "a partitionsSpec without type is taken as hashed";
                    let problem = self.say("unknown-variant", &at, Severity::Warning, message);
                    problem.fix = Some(Fix::set("Write hashed", &kind_at.path, "\"hashed\""));
                }
                Partitions::Hashed {
                    num_shards: self.count(&at.get("numShards")).and_then(|n| u32::try_from(n).ok()),
                    target_rows: self
                        .either(&at, &["targetRowsPerSegment", "targetPartitionSize", "maxRowsPerSegment"]),
                    dimensions: self.texts(&at.get("partitionDimensions")),
                }
            }
        }
    }

    fn legacy_partitions(&mut self, tuning: &At<'_>, force_guaranteed_rollup: bool) -> Partitions {
        let max_rows = self.either(tuning, &["maxRowsPerSegment", "targetPartitionSize"]);
        let num_shards = self.count(&tuning.get("numShards")).and_then(|n| u32::try_from(n).ok());
        let dimensions = self.texts(&tuning.get("partitionDimensions"));
        let max_total_rows = self.count(&tuning.get("maxTotalRows"));
        if force_guaranteed_rollup {
            if max_rows.is_none() && num_shards.is_none() && dimensions.is_empty() {
                return Partitions::Unset;
            }
            return Partitions::Hashed { num_shards, target_rows: max_rows, dimensions };
        }
        if max_rows.is_none() && max_total_rows.is_none() {
            return Partitions::Unset;
        }
        Partitions::Dynamic { max_rows_per_segment: max_rows, max_total_rows }
    }

    /// The first of several names for one thing that is given.
    fn either(&mut self, at: &At<'_>, keys: &[&str]) -> Option<u64> {
        keys.iter().find_map(|key| self.count(&at.get(key)))
    }
}
