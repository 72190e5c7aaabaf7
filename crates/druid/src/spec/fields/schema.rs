//! `dataSchema`: what is stored, and in which time chunks.

use super::{Field, Kind::*, Shape, fields};

/// `dataSchema`
pub static DATA_SCHEMA: Shape = Shape::plain(
    "dataSchema",
    fields! {
        "dataSource", "Datasource", Text, "", "Name of the datasource that is written to."
            .rule("no slash, no leading full stop, of white space only the plain space (IdUtils.validateId)");
        "timestampSpec", "Time", Object(&TIMESTAMP), "", "Where a row keeps its time, and how it is written.";
        "dimensionsSpec", "Dimensions", Object(&DIMENSIONS), "", "Columns to store as they are.";
        "metricsSpec", "Metrics", List(&METRIC), "[]", "Columns to compute while loading.";
        "granularitySpec", "Chunks and intervals", Object(&GRANULARITY_SPEC), "", "Time chunks, cut of times, intervals, rollup.";
        "transformSpec", "Transforms", Object(&TRANSFORM), "", "Columns made from others, and which rows to keep.";
        "projections", "Projections", Any, "", "Pre-aggregated copies kept inside each segment." .since(32);
        "baseTable", "Base table", Any, "", "Newer form of dimensions, metrics and chunks in one." .since(38)
            .rule("excludes dimensionsSpec, metricsSpec and granularitySpec (DataSchema)");
        "segmentGranularitySpec", "Chunks of a base table", Any, "", "Time chunks beside a baseTable." .since(38);
        "parser", "Parser", Any, "", "Older form of timestampSpec, dimensionsSpec and inputFormat." .until(37);
    },
);

static TIMESTAMP: Shape = Shape::plain(
    "timestampSpec",
    fields! {
        "column", "Time column", Text, "timestamp", "The column of the input that holds the time of a row.";
        "format", "Time format", Text, "auto", "iso, auto (iso or milliseconds), posix, millis, micro, nano, or a Joda pattern.";
        "missingValue", "Time of rows without one", Instant, "", "Rows without a time get this one instead of being dropped.";
    },
);

static DIMENSIONS: Shape = Shape::plain(
    "dimensionsSpec",
    fields! {
        "dimensions", "Dimensions", List(&DIMENSION), "[]", "Columns to store, in the order in which rows are sorted. Empty: found in the input.";
        "dimensionExclusions", "Never dimensions", Texts, "[]", "Columns to leave out when dimensions are found in the input."
            .rule("must not name a listed dimension (DimensionsSpec)");
        "spatialDimensions", "Spatial dimensions", Any, "[]", "Older form of dimensions of type spatial.";
        "includeAllDimensions", "All others too", Flag, "false", "Store listed dimensions first, then every other column that is found.";
        "useSchemaDiscovery", "Discover types", Flag, "false", "Give columns that are found their own types instead of text." .since(26);
        "useExplicitSegmentSortOrder", "Sort by the list alone", Flag, "false", "Sort rows by the dimensions as listed, __time among them." .since(31);
        "forceSegmentSortByTime", "Sort by time first", Flag, "true", "Whether rows are sorted by time before anything else." .since(31);
    },
);

static DIMENSION: Shape = Shape::typed(
    "dimension",
    &["string", "long", "float", "double", "auto", "json", "spatial"],
    fields! {
        "name", "Name", Text, "", "Name of the column, in the input and in the datasource.";
        "type", "Type", Choice(&["string", "long", "float", "double", "auto", "json"]), "string", "How values are stored.";
        "createBitmapIndex", "Bitmap index", Flag, "true", "An index that makes filtering fast and segments larger.";
        "multiValueHandling", "Several values", Choice(&["SORTED_ARRAY", "SORTED_SET", "ARRAY"]), "SORTED_ARRAY", "What becomes of rows with several values.";
        "castToType", "Cast to", Text, "", "Store as this type whatever is found." .when(&["auto"]);
        "formatVersion", "Format version", Int, "", "Storage format of nested columns." .when(&["json", "auto"]);
        "columnFormatSpec", "Column format", Any, "", "Details of how nested columns are stored." .when(&["json", "auto"]);
        "maxStringLength", "Longest text", Int, "", "Longer texts are cut off." .when(&["string"]);
        "dims", "Coordinates", Texts, "", "Columns that hold the coordinates." .when(&["spatial"]);
    },
)
.or("string");

/// Only aggregators of one column are described: the others have keys of their own.
static METRIC: Shape = Shape::typed(
    "metric",
    &[
        "count",
        "longSum",
        "longMin",
        "longMax",
        "doubleSum",
        "doubleMin",
        "doubleMax",
        "floatSum",
        "floatMin",
        "floatMax",
    ],
    fields! {
        "type", "Aggregation", Text, "", "How values of rows that become one are put together.";
        "name", "Name", Text, "", "Name of the column in the datasource.";
        "fieldName", "Of column", Text, "", "The column of the input that is aggregated.";
        "expression", "Of expression", Text, "", "An expression over the row in place of a column.";
    },
);

static GRANULARITY_SPEC: Shape = Shape::typed("granularitySpec", &["uniform", "arbitrary"], fields! {
    "type", "Kind of chunks", Choice(&["uniform", "arbitrary"]), "uniform", "uniform: calendar chunks; arbitrary: each interval is one.";
    "segmentGranularity", "Chunk length", Granularity, "DAY", "Length of a time chunk: the smallest thing a run replaces.";
    "queryGranularity", "Cut times to", Granularity, "NONE", "Times of rows are cut down to this.";
    "rollup", "Rollup", Flag, "true", "Rows with equal times and dimensions become one.";
    "intervals", "Intervals", Intervals, "", "Time that the run is about. It works on whole chunks: rows and replacing reach to their edges."
        .rule("must not be empty with dropExisting (ParallelIndexSupervisorTask)");
    "wrappedSpec", "Wrapped spec", Any, "", "Of Hadoop tasks." .until(37);
})
.or("uniform");

static TRANSFORM: Shape = Shape::plain(
    "transformSpec",
    fields! {
        "transforms", "Transforms", List(&ONE_TRANSFORM), "[]", "Columns made from others, before dimensions and metrics are read.";
        "filter", "Filter", Any, "", "Rows that do not match are dropped.";
    },
);

static ONE_TRANSFORM: Shape = Shape::typed(
    "transform",
    &["expression"],
    fields! {
        "type", "Kind", Choice(&["expression"]), "", "expression is the only one Druid brings.";
        "name", "Name", Text, "", "The column that is made; __time moves the row to another time.";
        "expression", "Expression", Text, "", "How it is made.";
    },
);
