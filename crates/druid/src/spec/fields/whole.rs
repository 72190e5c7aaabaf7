//! Whole tasks: batch, compaction, kill, and the context they share.

use super::input::IO;
use super::schema::DATA_SCHEMA;
use super::tuning::TUNING;
use super::{Field, Kind::*, Shape, fields};

/// `index_parallel` and `index`
pub static BATCH: Shape = Shape::plain(
    "task",
    fields! {
        "type", "Kind", Choice(&["index_parallel", "index"]), "", "index_parallel cuts the work into sub-tasks where it can.";
        "id", "Task id", Text, "made up by the server", "A server runs one id once. It must be short and plain: see the id page."
            .rule("IdUtils.validateId; at most 217 bytes, or no task of the cluster starts for minutes");
        "groupId", "Group", Text, "the id", "Tasks of one group share their locks.";
        "resource", "Resource", Any, "", "Slots the task takes.";
        "spec", "Spec", Object(&SPEC), "", "What to load, from where, and how.";
        "context", "Context", Object(&CONTEXT), "", "Switches of the task itself.";
        "dataSource", "Datasource", Text, "", "Written by the server when it shows a task; the one in dataSchema counts.";
    },
);

/// `spec` of a batch task.
pub(super) static SPEC: Shape = Shape::plain(
    "spec",
    fields! {
        "dataSchema", "Schema", Object(&DATA_SCHEMA), "", "What is stored, and in which time chunks.";
        "ioConfig", "Input", Object(&IO), "", "Where rows come from, and what becomes of what is there.";
        "tuningConfig", "Tuning", Object(&TUNING), "", "Partitions, sub-tasks, memory.";
        "type", "Kind", Text, "", "Written by some tools; the type at the top counts.";
    },
);

/// `context` of a task. Open: extensions and clusters have keys of their own.
pub static CONTEXT: Shape = Shape::plain("context", fields! {
    "priority", "Priority", Int, "50", "A higher one takes locks away from a lower one. Streams have 75, compaction 25.";
    "useConcurrentLocks", "Concurrent locks", Flag, "false", "Append and replace can run beside each other." .since(29)
        .rule("wins over taskLockType and useSharedLock (AbstractBatchIndexTask.determineLockType)");
    "taskLockType", "Lock type", Choice(&["EXCLUSIVE", "SHARED", "APPEND", "REPLACE"]), "EXCLUSIVE", "Rather use useConcurrentLocks: pairs that do not fit are changed silently.";
    "useSharedLock", "Shared lock", Flag, "false", "Older switch for appending beside others. A text fails the task.";
    "forceTimeChunkLock", "Lock whole chunks", Flag, "true", "Off: lock single segments, which is deprecated.";
    "taskLockTimeout", "Wait for a lock", Long, "300000", "Milliseconds.";
    "storeCompactionState", "Store compaction state", Flag, "false", "Segments remember how they were made.";
    "storeEmptyColumns", "Store empty columns", Flag, "true", "Keep columns that have no value.";
    "subTaskTimeoutMillis", "Timeout of a sub-task", Long, "0", "Milliseconds; 0 for none.";
    "useLineageBasedSegmentAllocation", "Allocate by lineage", Flag, "true", "Retried sub-tasks get their own segments.";
    "lookupLoadingMode", "Lookups to load", Choice(&["ALL", "NONE", "ONLY_REQUIRED"]), "ALL", "Which lookups the task loads.";
    "lookupsToLoad", "Lookups", Texts, "", "Names, with ONLY_REQUIRED.";
    "tags", "Tags", Any, "", "Words that go into metrics.";
    "maxMemoryInBytes", "Memory", Bytes, "", "Memory that the task asks for.";
    "useMaxMemoryEstimates", "Estimate high", Flag, "false", "Estimate memory by its maximum.";
    "batchProcessingMode", "Batch processing", Text, "", "How parts are held in memory while loading.";
})
.open();

/// A `compact` task.
pub static COMPACT: Shape = Shape::plain(
    "task",
    fields! {
        "type", "Kind", Choice(&["compact"]), "", "A compaction.";
        "id", "Task id", Text, "made up by the server", "A server runs one id once.";
        "groupId", "Group", Text, "the id", "Tasks of one group share their locks.";
        "resource", "Resource", Any, "", "Slots the task takes.";
        "dataSource", "Datasource", Text, "", "The datasource to compact.";
        "ioConfig", "What", Object(&COMPACT_IO), "", "Which segments.";
        "interval", "Interval (older)", Interval, "", "Older place of ioConfig.inputSpec.interval.";
        "segments", "Segments (older)", Any, "", "Older place of ioConfig.inputSpec.segments.";
        "dimensions", "Dimensions (older)", Any, "", "Older form of dimensionsSpec.";
        "dimensionsSpec", "Dimensions", Any, "", "Dimensions of the new segments; else those that are found.";
        "metricsSpec", "Metrics", Any, "", "Metrics of the new segments; else those that are found.";
        "transformSpec", "Filter", Any, "", "Rows to keep.";
        "segmentGranularity", "Chunk length (older)", Granularity, "", "Older place of granularitySpec.segmentGranularity.";
        "granularitySpec", "Chunks", Object(&COMPACT_GRANULARITY), "", "Chunks of the new segments; else those that are there.";
        "projections", "Projections", Any, "", "Pre-aggregated copies kept inside each segment." .since(32);
        "tuningConfig", "Tuning", Object(&TUNING), "", "Partitions, sub-tasks, memory.";
        "context", "Context", Object(&CONTEXT), "", "Switches of the task itself.";
        "compactionRunner", "Engine", Any, "native", "The engine: native or msq." .since(31);
    },
);

static COMPACT_IO: Shape = Shape::plain(
    "ioConfig",
    fields! {
        "type", "Kind", Choice(&["compact"]), "", "Always compact.";
        "inputSpec", "What", Object(&INPUT_SPEC), "", "Which segments.";
        "dropExisting", "Replace", Flag, "false", "Empty what gets no rows, to the edges of every segment that is touched.";
        "allowNonAlignedInterval", "Unaligned interval", Flag, "false", "Compact an interval that is not made of whole chunks.";
    },
);

static INPUT_SPEC: Shape = Shape::typed(
    "inputSpec",
    &["interval", "segments"],
    fields! {
        "type", "How", Choice(&["interval", "segments"]), "", "By interval or by segment.";
        "interval", "Interval", Interval, "", "Segments in this interval." .when(&["interval"]);
        "sha256OfSortedSegmentIds", "Fingerprint", Text, "", "Fail when the segments are not these any more." .when(&["interval"]);
        "segments", "Segments", Texts, "", "Ids of segments." .when(&["segments"]);
    },
);

static COMPACT_GRANULARITY: Shape = Shape::plain(
    "granularitySpec",
    fields! {
        "segmentGranularity", "Chunk length", Granularity, "as it is", "Length of a time chunk.";
        "queryGranularity", "Cut times to", Granularity, "as it is", "Times of rows are cut down to this.";
        "rollup", "Rollup", Flag, "as it is", "Rows with equal times and dimensions become one.";
    },
);

/// A `kill` task.
pub static KILL: Shape = Shape::plain(
    "task",
    fields! {
        "type", "Kind", Choice(&["kill"]), "", "Deletes unused segments for good.";
        "id", "Task id", Text, "made up by the server", "A server runs one id once.";
        "groupId", "Group", Text, "the id", "Tasks of one group share their locks.";
        "resource", "Resource", Any, "", "Slots the task takes.";
        "dataSource", "Datasource", Text, "", "The datasource.";
        "interval", "Interval", Interval, "", "Unused segments that lie wholly inside are deleted.";
        "versions", "Versions", Texts, "all", "Only these versions." .since(30);
        "context", "Context", Object(&CONTEXT), "", "Switches of the task itself.";
        "batchSize", "At a time", Int, "100", "Segments deleted at a time.";
        "limit", "At most", Int, "no limit", "Segments deleted in all." .since(28);
        "maxUsedStatusLastUpdatedTime", "Unused before", Instant, "", "Only segments that were marked unused before this." .since(30);
        "markAsUnused", "Mark unused first", Flag, "false", "Mark used segments unused first." .until(30);
    },
);
