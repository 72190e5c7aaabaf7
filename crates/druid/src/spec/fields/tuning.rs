//! `tuningConfig` of batch and compaction: partitions, sub-tasks, memory, storage.

use super::{Field, Kind::*, Shape, fields};

/// `tuningConfig`
pub static TUNING: Shape = Shape::typed(
    "tuningConfig",
    &["index_parallel", "index"],
    fields! {
        "type", "Kind", Choice(&["index_parallel", "index"]), "", "The same as the type of the task; compaction takes index_parallel.";
        "partitionsSpec", "Partitions", Object(&PARTITIONS), "dynamic", "How the rows of one chunk are spread over segments.";
        "forceGuaranteedRollup", "Perfect rollup", Flag, "false", "Look at all rows before segments are cut."
            .rule("needs hashed or range partitions, excludes appending (IndexTuningConfig, AbstractBatchIndexTask)");
        "maxNumConcurrentSubTasks", "Sub-tasks at once", Int, "1", "1 runs in one process. More need that many free slots and one beside them."
            .when(&["index_parallel"]);
        "maxNumSubTasks", "Sub-tasks at once (older)", Int, "", "Older name of maxNumConcurrentSubTasks." .when(&["index_parallel"]);
        "splitHintSpec", "Split", Object(&SPLIT_HINT), "maxSize", "How much of the input one sub-task gets." .when(&["index_parallel"]);
        "maxRetry", "Retries of a sub-task", Int, "3", "How often a sub-task that failed is tried again." .when(&["index_parallel"]);
        "taskStatusCheckPeriodMs", "Look after sub-tasks", Long, "1000", "Milliseconds between looks at the sub-tasks." .when(&["index_parallel"]);
        "chatHandlerTimeout", "Timeout of reports", Period, "PT10S", "How long sub-tasks wait for their supervisor." .when(&["index_parallel"]);
        "chatHandlerNumRetries", "Retries of reports", Int, "5", "How often a report is sent again." .when(&["index_parallel"]);
        "maxNumSegmentsToMerge", "Merged at once", Int, "100", "Segments merged at a time after a shuffle." .when(&["index_parallel"]);
        "totalNumMergeTasks", "Merge tasks", Int, "10", "Tasks that merge after a shuffle." .when(&["index_parallel"]);
        "maxAllowedLockCount", "Locks at most", Int, "-1", "Fail when more locks are needed; -1 for no limit." .when(&["index_parallel"]);
        "maxRowsInMemory", "Rows in memory", Int, "1000000", "Rows gathered before they are written out.";
        "maxBytesInMemory", "Bytes in memory", Bytes, "1/6 of the heap", "Bytes gathered before they are written out; -1 for no limit.";
        "skipBytesInMemoryOverheadCheck", "Ignore overhead", Flag, "false", "Leave the cost of written parts out of maxBytesInMemory.";
        "appendableIndexSpec", "Index in memory", Any, "onheap", "How rows are gathered in memory.";
        "maxPendingPersists", "Waiting writes", Int, "0", "Parts that may wait to be written out.";
        "numPersistThreads", "Writing threads", Int, "1", "Threads that write parts out." .since(28);
        "maxColumnsToMerge", "Columns merged at once", Int, "-1", "Merge in several steps beyond this; -1 for no limit.";
        "pushTimeout", "Timeout of pushing", Long, "0", "Milliseconds to wait for segments to be pushed; 0 for ever.";
        "publishTimeout", "Timeout of pushing (older)", Long, "", "Older name of pushTimeout." .when(&["index"]);
        "awaitSegmentAvailabilityTimeoutMillis", "Wait until served", Long, "0", "Milliseconds to wait until the new segments are served; 0 for not at all.";
        "reportParseExceptions", "Fail on bad rows", Flag, "false", "The first row that cannot be read fails the run.";
        "logParseExceptions", "Log bad rows", Flag, "false", "Write rows that cannot be read to the log.";
        "maxParseExceptions", "Bad rows at most", Int, "no limit", "Rows that cannot be read before the run fails.";
        "maxSavedParseExceptions", "Bad rows in the report", Int, "0", "How many are kept for the report.";
        "indexSpec", "Storage", Object(&INDEX_SPEC), "", "How columns are stored.";
        "indexSpecForIntermediatePersists", "Storage of parts", Object(&INDEX_SPEC), "", "How columns of written parts are stored.";
        "segmentWriteOutMediumFactory", "Write-out medium", Any, "", "Where segments are built: on or off the heap, in files.";
        "maxRowsPerSegment", "Rows a segment (older)", Int, "5000000", "Older place of partitionsSpec.maxRowsPerSegment.";
        "maxTotalRows", "Rows before pushing (older)", Long, "20000000", "Older place of partitionsSpec.maxTotalRows.";
        "numShards", "Shards (older)", Int, "", "Older place of partitionsSpec.numShards.";
        "partitionDimensions", "Partition by (older)", Texts, "", "Older place of partitionsSpec.partitionDimensions." .when(&["index"]);
        "targetPartitionSize", "Rows a segment (oldest)", Int, "", "Oldest name of maxRowsPerSegment.";
        "rowFlushBoundary", "Rows in memory (older)", Int, "", "Older name of maxRowsInMemory." .when(&["index"]);
        "forceExtendableShardSpecs", "Extendable shards", Flag, "", "All shards are extendable today." .gone();
        "buildV9Directly", "Build v9 directly", Flag, "", "Always so today." .gone();
        "basePersistDirectory", "Folder for parts", Text, "", "The task has a folder of its own." .gone();
        "ignoreInvalidRows", "Ignore bad rows", Flag, "", "See maxParseExceptions." .gone();
    },
);

/// `tuningConfig.partitionsSpec`
pub static PARTITIONS: Shape = Shape::typed(
    "partitionsSpec",
    &["dynamic", "hashed", "range", "single_dim", "dimension"],
    fields! {
        "type", "How", Choice(&["dynamic", "hashed", "range", "single_dim"]), "hashed",
            "dynamic: by size as rows come; hashed: by a hash of dimensions; range: by their order."
            .rule("a type that Druid does not know is taken as hashed (PartitionsSpec)");
        "maxRowsPerSegment", "Rows at most", Int, "5000000", "Rows a segment may have.";
        "maxTotalRows", "Rows before pushing", Long, "20000000", "Rows gathered over all segments before they are pushed." .when(&["dynamic"]);
        "numShards", "Shards", Int, "", "A fixed number of segments a chunk; spares the first look at the rows." .when(&["hashed"])
            .rule("not beside a row target (HashedPartitionsSpec)");
        "targetRowsPerSegment", "Rows aimed at", Int, "", "Rows a segment should have." .when(&["hashed", "range", "single_dim", "dimension"])
            .rule("range: exactly one of targetRowsPerSegment and maxRowsPerSegment (DimensionRangePartitionsSpec)");
        "partitionDimensions", "By dimensions", Texts, "", "The dimensions whose values decide." .when(&["hashed", "range"])
            .rule("range needs at least one (ParallelIndexTuningConfig)");
        "partitionDimension", "By dimension", Text, "", "The dimension whose values decide." .when(&["single_dim", "dimension"]);
        "partitionFunction", "Hash", Choice(&["murmur3_32_abs"]), "murmur3_32_abs", "The hash function." .when(&["hashed"]);
        "assumeGrouped", "Already grouped", Flag, "false", "The input has no two rows with equal time and dimensions."
            .when(&["range", "single_dim", "dimension"]);
        "virtualColumns", "Computed dimensions", Any, "", "Columns computed to partition by." .when(&["range"]) .since(38);
        "targetPartitionSize", "Rows aimed at (older)", Int, "", "Older name of targetRowsPerSegment." .when(&["hashed", "single_dim", "dimension"]);
        "maxPartitionSize", "Rows at most (older)", Int, "", "Older name of maxRowsPerSegment." .when(&["single_dim", "dimension"]);
    },
)
.or("hashed");

static SPLIT_HINT: Shape = Shape::typed("splitHintSpec", &["maxSize", "segments"], fields! {
    "type", "How", Choice(&["maxSize", "segments"]), "maxSize", "By size of files, or by size of segments that are read.";
    "maxSplitSize", "Bytes a split", Bytes, "1GiB", "Bytes of input one sub-task gets." .when(&["maxSize"]);
    "maxNumFiles", "Files a split", Int, "1000", "Files one sub-task gets." .when(&["maxSize"]);
    "maxInputSegmentBytesPerTask", "Bytes a split", Bytes, "1GiB", "Bytes of segments one sub-task gets." .when(&["segments"]);
    "maxInputSegmentsPerTask", "Segments a split", Int, "1000", "Segments one sub-task gets." .when(&["segments"]);
})
.or("maxSize");

static INDEX_SPEC: Shape = Shape::plain(
    "indexSpec",
    fields! {
        "bitmap", "Bitmaps", Object(&BITMAP), "roaring", "How bitmap indexes are stored.";
        "dimensionCompression", "Compression of dimensions", Choice(&["lz4", "lzf", "zstd", "uncompressed"]), "lz4", "How dimensions are compressed.";
        "metricCompression", "Compression of metrics", Choice(&["lz4", "lzf", "zstd", "uncompressed", "none"]), "lz4", "How metrics are compressed.";
        "complexMetricCompression", "Compression of sketches", Choice(&["lz4", "lzf", "zstd", "uncompressed"]), "", "How complex metrics are compressed." .since(31);
        "jsonCompression", "Compression of nested columns", Choice(&["lz4", "lzf", "zstd", "uncompressed"]), "lz4", "How nested columns are compressed.";
        "longEncoding", "Longs", Choice(&["longs", "auto"]), "longs", "How whole numbers are stored.";
        "stringDictionaryEncoding", "Dictionaries of texts", Any, "utf8", "How the values of text columns are stored.";
        "autoColumnFormatSpec", "Automatic columns", Any, "", "Details of how automatic columns are stored.";
        "segmentLoader", "Segment loader", Any, "", "A loader of an extension.";
        "metadataCompression", "Compression of metadata", Text, "", "How the segment's own metadata are compressed.";
    },
);

static BITMAP: Shape = Shape::typed("bitmap", &["roaring", "concise"], fields! {
    "type", "Kind", Choice(&["roaring", "concise"]), "roaring", "Kind of bitmap.";
    "compressRunOnSerialization", "Compress runs", Flag, "true", "Always so since 0.23." .when(&["roaring"]);
})
.or("roaring");
