//! Shard specs: how one segment of a time chunk relates to its siblings.
//!
//! Every kind Druid publishes is a variant; a kind this release does not know is kept as it came and read as
//! far as its partition number and core count go, so that a newer cluster never breaks a reader.
//! The core count is called `partitions` in some kinds and `numCorePartitions` in others (Druid's own trap).

use std::sync::Arc;

use serde_json::{Map, Value, json};

/// How a segment takes part in its time chunk (`org.apache.druid.timeline.partition.*ShardSpec`).
#[derive(Debug, Clone, PartialEq)]
pub enum ShardSpec {
    /// Dynamic partitioning, and everything that was ever appended.
    Numbered {
        /// Partition number, from 0.
        partition: u32,
        /// Core partitions: how many of the first numbers must be there for the chunk to be served.
        core: u32,
    },
    /// Hash partitioning.
    Hashed {
        /// Partition number, from 0.
        partition: u32,
        /// Core partitions.
        core: u32,
        /// Hash bucket, and the number of buckets; buckets without rows publish nothing.
        bucket: Option<(u32, u32)>,
        /// Dimensions hashed; none means all.
        dimensions: Vec<Arc<str>>,
        /// `murmur3_32_abs`, or none in old segments.
        function: Option<Arc<str>>,
    },
    /// Range partitioning over one dimension.
    Single {
        /// Partition number, from 0.
        partition: u32,
        /// Core partitions; unknown (absent or -1) in very old segments, whose chunks are then complete only
        /// when their ranges join up from no start to no end.
        core: Option<u32>,
        /// The dimension.
        dimension: Arc<str>,
        /// First value, inclusive; none = from the beginning.
        start: Option<Arc<str>>,
        /// Last value, exclusive; none = to the end.
        end: Option<Arc<str>>,
    },
    /// Range partitioning over two or more dimensions.
    Range {
        /// Partition number, from 0.
        partition: u32,
        /// Core partitions, as for [`ShardSpec::Single`].
        core: Option<u32>,
        /// The dimensions, in order.
        dimensions: Vec<Arc<str>>,
        /// First tuple, inclusive; none = from the beginning.
        start: Option<Vec<Option<Arc<str>>>>,
        /// Last tuple, exclusive; none = to the end.
        end: Option<Vec<Option<Arc<str>>>>,
        /// `virtualColumns` as they came (newer releases).
        virtual_columns: Option<Value>,
    },
    /// Streaming by dimension values, since 38.
    DimValueSet {
        /// Partition number, from 0.
        partition: u32,
        /// Core partitions.
        core: u32,
        /// `partitionDimensionValues` as they came.
        values: Value,
    },
    /// Old realtime: any number of siblings, always complete.
    Linear {
        /// Partition number, from 0.
        partition: u32,
    },
    /// Before 0.15: one segment alone makes the chunk.
    None,
    /// Hides what is below and holds no rows. Always partition 0, whatever the stored numbers say.
    Tombstone,
    /// Written under segment locking (deprecated): replaces some partitions of its own version.
    NumberedOverwrite {
        /// Partition number, 32768 to 65535.
        partition: u32,
        /// First root partition it replaces.
        start_root: u32,
        /// End (exclusive) of the root partitions it replaces.
        end_root: u32,
        /// Above 0; the higher one wins among equal versions.
        minor: u32,
        /// How many segments switch together.
        group: u32,
    },
    /// Anything else, kept as it came. Read as numbered as far as its fields allow.
    Unknown(Value),
}

/// The kinds of [`ShardSpec`] as one byte: what the timeline and the compact form keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ChunkKind {
    /// [`ShardSpec::Numbered`]
    Numbered = 0,
    /// [`ShardSpec::Hashed`]
    Hashed = 1,
    /// [`ShardSpec::Single`]
    Single = 2,
    /// [`ShardSpec::Range`]
    Range = 3,
    /// [`ShardSpec::DimValueSet`]
    DimValueSet = 4,
    /// [`ShardSpec::Linear`]
    Linear = 5,
    /// [`ShardSpec::None`]
    None = 6,
    /// [`ShardSpec::Tombstone`]
    Tombstone = 7,
    /// [`ShardSpec::NumberedOverwrite`]
    NumberedOverwrite = 8,
    /// [`ShardSpec::Unknown`]
    Unknown = 9,
}

impl ChunkKind {
    /// The kind of a byte of the compact form; `None` for a byte that no release of ours wrote.
    pub fn from_byte(byte: u8) -> Option<ChunkKind> {
        const KINDS: [ChunkKind; 10] = [
            ChunkKind::Numbered,
            ChunkKind::Hashed,
            ChunkKind::Single,
            ChunkKind::Range,
            ChunkKind::DimValueSet,
            ChunkKind::Linear,
            ChunkKind::None,
            ChunkKind::Tombstone,
            ChunkKind::NumberedOverwrite,
            ChunkKind::Unknown,
        ];
        KINDS.get(usize::from(byte)).copied()
    }

    /// Druid's name of the kind (`type` in the JSON); an unknown one is called `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            ChunkKind::Numbered => "numbered",
            ChunkKind::Hashed => "hashed",
            ChunkKind::Single => "single",
            ChunkKind::Range => "range",
            ChunkKind::DimValueSet => "dim_value_set",
            ChunkKind::Linear => "linear",
            ChunkKind::None => "none",
            ChunkKind::Tombstone => "tombstone",
            ChunkKind::NumberedOverwrite => "numbered_overwrite",
            ChunkKind::Unknown => "unknown",
        }
    }
}

impl ShardSpec {
    /// Gives it another core partition count, where its kind has one; a tombstone keeps none.
    pub(crate) fn set_core(&mut self, count: u32) {
        match self {
            ShardSpec::Numbered { core, .. }
            | ShardSpec::Hashed { core, .. }
            | ShardSpec::DimValueSet { core, .. } => *core = count,
            ShardSpec::Single { core, .. } | ShardSpec::Range { core, .. } => *core = Some(count),
            ShardSpec::Linear { .. }
            | ShardSpec::None
            | ShardSpec::Tombstone
            | ShardSpec::NumberedOverwrite { .. }
            | ShardSpec::Unknown(_) => {}
        }
    }

    /// The partition number: 0 for the kinds that have none.
    pub fn partition(&self) -> u32 {
        match self {
            ShardSpec::Numbered { partition, .. }
            | ShardSpec::Hashed { partition, .. }
            | ShardSpec::Single { partition, .. }
            | ShardSpec::Range { partition, .. }
            | ShardSpec::DimValueSet { partition, .. }
            | ShardSpec::Linear { partition }
            | ShardSpec::NumberedOverwrite { partition, .. } => *partition,
            ShardSpec::None | ShardSpec::Tombstone => 0,
            ShardSpec::Unknown(raw) => raw
                .as_object()
                .and_then(|raw| number(raw, "partitionNum").or_else(|| number(raw, "partitionId")))
                .unwrap_or(0),
        }
    }

    /// The core partition count as `ShardSpec.getNumCorePartitions` gives it; `None` where it is not known.
    pub fn core(&self) -> Option<u32> {
        match self {
            ShardSpec::Numbered { core, .. }
            | ShardSpec::Hashed { core, .. }
            | ShardSpec::DimValueSet { core, .. } => Some(*core),
            ShardSpec::Single { core, .. } | ShardSpec::Range { core, .. } => *core,
            // LinearShardSpec and TombstoneShardSpec answer 0, NoneShardSpec 1.
            ShardSpec::Linear { .. } | ShardSpec::Tombstone => Some(0),
            ShardSpec::None => Some(1),
            ShardSpec::NumberedOverwrite { .. } => Some(0),
            ShardSpec::Unknown(raw) => raw
                .as_object()
                .and_then(|raw| number(raw, "numCorePartitions").or_else(|| number(raw, "partitions"))),
        }
    }

    /// The kind as one byte's worth.
    pub fn kind(&self) -> ChunkKind {
        match self {
            ShardSpec::Numbered { .. } => ChunkKind::Numbered,
            ShardSpec::Hashed { .. } => ChunkKind::Hashed,
            ShardSpec::Single { .. } => ChunkKind::Single,
            ShardSpec::Range { .. } => ChunkKind::Range,
            ShardSpec::DimValueSet { .. } => ChunkKind::DimValueSet,
            ShardSpec::Linear { .. } => ChunkKind::Linear,
            ShardSpec::None => ChunkKind::None,
            ShardSpec::Tombstone => ChunkKind::Tombstone,
            ShardSpec::NumberedOverwrite { .. } => ChunkKind::NumberedOverwrite,
            ShardSpec::Unknown(_) => ChunkKind::Unknown,
        }
    }

    /// For `single` and `range` without a known core count: the two ends of the range as comparable texts.
    /// `None` for every other shard spec.
    pub fn open_range(&self) -> Option<(Option<String>, Option<String>)> {
        match self {
            ShardSpec::Single { core: None, start, end, .. } => {
                let text = |end: &Option<Arc<str>>| end.as_deref().map(|value| json!([value]).to_string());
                Some((text(start), text(end)))
            }
            ShardSpec::Range { core: None, start, end, .. } => {
                let text = |end: &Option<Vec<Option<Arc<str>>>>| end.as_deref().map(|t| tuple(t).to_string());
                Some((text(start), text(end)))
            }
            _ => None,
        }
    }

    /// Reads a `shardSpec` object. Never fails: what does not have the shape of its kind is
    /// [`ShardSpec::Unknown`]; absent or null is `numbered`, partition 0 of 1 (`DataSegment`'s constructor).
    pub fn from_json(raw: &Value) -> ShardSpec {
        if raw.is_null() {
            return ShardSpec::Numbered { partition: 0, core: 1 };
        }
        raw.as_object().and_then(known).unwrap_or_else(|| ShardSpec::Unknown(raw.clone()))
    }

    /// The `shardSpec` object as Druid writes it.
    pub fn to_json(&self) -> Value {
        match self {
            ShardSpec::Numbered { partition, core } => {
                json!({"type": "numbered", "partitionNum": partition, "partitions": core})
            }
            ShardSpec::Hashed { partition, core, bucket, dimensions, function } => {
                let mut raw = json!({"type": "hashed", "partitionNum": partition, "partitions": core});
                if let (Some(raw), Some((bucket, buckets))) = (raw.as_object_mut(), bucket) {
                    raw.insert("bucketId".into(), json!(bucket));
                    raw.insert("numBuckets".into(), json!(buckets));
                }
                if let Some(raw) = raw.as_object_mut() {
                    raw.insert("partitionDimensions".into(), names(dimensions));
                    if let Some(function) = function {
                        raw.insert("partitionFunction".into(), json!(**function));
                    }
                }
                raw
            }
            ShardSpec::Single { partition, core, dimension, start, end } => json!({
                "type": "single",
                "dimension": **dimension,
                "start": start.as_deref(),
                "end": end.as_deref(),
                "partitionNum": partition,
                "numCorePartitions": core_or_unknown(*core),
            }),
            ShardSpec::Range { partition, core, dimensions, start, end, virtual_columns } => {
                let mut raw = json!({
                    "type": "range",
                    "dimensions": names(dimensions),
                    "start": start.as_deref().map(tuple),
                    "end": end.as_deref().map(tuple),
                    "partitionNum": partition,
                    "numCorePartitions": core_or_unknown(*core),
                });
                if let (Some(raw), Some(columns)) = (raw.as_object_mut(), virtual_columns) {
                    raw.insert("virtualColumns".into(), columns.clone());
                }
                raw
            }
            ShardSpec::DimValueSet { partition, core, values } => json!({
                "type": "dim_value_set",
                "partitionNum": partition,
                "partitions": core,
                "partitionDimensionValues": values,
            }),
            ShardSpec::Linear { partition } => json!({"type": "linear", "partitionNum": partition}),
            ShardSpec::None => json!({"type": "none"}),
            ShardSpec::Tombstone => json!({"type": "tombstone", "partitionNum": 0, "partitions": 0}),
            ShardSpec::NumberedOverwrite { partition, start_root, end_root, minor, group } => json!({
                "type": "numbered_overwrite",
                "partitionId": partition,
                "startRootPartitionId": start_root,
                "endRootPartitionId": end_root,
                "minorVersion": minor,
                "atomicUpdateGroupSize": group,
            }),
            ShardSpec::Unknown(raw) => raw.clone(),
        }
    }
}

/// `BaseDimensionRangeShardSpec.UNKNOWN_NUM_CORE_PARTITIONS`.
fn core_or_unknown(core: Option<u32>) -> i64 {
    core.map_or(-1, i64::from)
}

fn known(raw: &Map<String, Value>) -> Option<ShardSpec> {
    let partition = || number(raw, "partitionNum");
    Some(match raw.get("type")?.as_str()? {
        "numbered" => ShardSpec::Numbered { partition: partition()?, core: number(raw, "partitions")? },
        "hashed" => ShardSpec::Hashed {
            partition: partition()?,
            core: number(raw, "partitions")?,
            bucket: number(raw, "bucketId").zip(number(raw, "numBuckets")),
            dimensions: text_list(raw.get("partitionDimensions"))?,
            function: optional_text(raw.get("partitionFunction"))?,
        },
        "single" => ShardSpec::Single {
            partition: partition().unwrap_or(0),
            core: number(raw, "numCorePartitions"),
            dimension: raw.get("dimension")?.as_str()?.into(),
            start: optional_text(raw.get("start"))?,
            end: optional_text(raw.get("end"))?,
        },
        "range" => ShardSpec::Range {
            partition: partition().unwrap_or(0),
            core: number(raw, "numCorePartitions"),
            dimensions: text_list(raw.get("dimensions"))?,
            start: optional_tuple(raw.get("start"))?,
            end: optional_tuple(raw.get("end"))?,
            virtual_columns: raw.get("virtualColumns").cloned(),
        },
        "dim_value_set" => ShardSpec::DimValueSet {
            partition: partition()?,
            core: number(raw, "partitions")?,
            values: raw.get("partitionDimensionValues").cloned().unwrap_or(Value::Null),
        },
        "linear" => ShardSpec::Linear { partition: partition()? },
        "none" => ShardSpec::None,
        // Written with `partitions: 1` before 29; the class ignores what is stored.
        "tombstone" => ShardSpec::Tombstone,
        "numbered_overwrite" => ShardSpec::NumberedOverwrite {
            partition: number(raw, "partitionId")?,
            start_root: number(raw, "startRootPartitionId")?,
            end_root: number(raw, "endRootPartitionId")?,
            minor: number(raw, "minorVersion")?,
            group: number(raw, "atomicUpdateGroupSize")?,
        },
        _ => return None,
    })
}

fn number(raw: &Map<String, Value>, key: &str) -> Option<u32> {
    raw.get(key)?.as_u64().and_then(|number| u32::try_from(number).ok())
}

fn optional_text(raw: Option<&Value>) -> Option<Option<Arc<str>>> {
    match raw {
        None | Some(Value::Null) => Some(None),
        Some(Value::String(text)) => Some(Some(text.as_str().into())),
        Some(_) => None,
    }
}

fn text_list(raw: Option<&Value>) -> Option<Vec<Arc<str>>> {
    match raw {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(list)) => list.iter().map(|text| text.as_str().map(Into::into)).collect(),
        Some(_) => None,
    }
}

#[allow(clippy::option_option, reason = "absent, null and wrong are three things here")]
fn optional_tuple(raw: Option<&Value>) -> Option<Option<Vec<Option<Arc<str>>>>> {
    match raw {
        None | Some(Value::Null) => Some(None),
        Some(Value::Array(list)) => {
            list.iter().map(|text| optional_text(Some(text))).collect::<Option<Vec<_>>>().map(Some)
        }
        Some(_) => None,
    }
}

fn names(list: &[Arc<str>]) -> Value {
    list.iter().map(|name| Value::from(&**name)).collect()
}

fn tuple(list: &[Option<Arc<str>>]) -> Value {
    list.iter().map(|value| value.as_deref().map_or(Value::Null, Value::from)).collect()
}
