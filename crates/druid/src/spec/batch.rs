//! Native batch: `index_parallel` and `index`.

use crate::granularity::Granularity;
use crate::interval::{Instant, Interval};
use crate::json::{Kind, Path, Severity};

use super::task::Fix;
use super::values::{At, Reader};
use super::{InputSource, Partitions};

/// What a native batch task is told.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Where `dataSchema`, `ioConfig` and `tuningConfig` stand: `spec`, or the root of a flat spec (which
    /// Druid refuses; see the problems).
    pub base: Path,
    /// What happens to what is there.
    pub mode: Mode,
    /// `ioConfig.appendToExisting`
    pub append_to_existing: bool,
    /// `ioConfig.dropExisting`
    pub drop_existing: bool,
    /// `dataSchema.granularitySpec`
    pub granularity: GranularitySpec,
    /// `ioConfig.inputSource`
    pub input: InputSource,
    /// `ioConfig.inputFormat.type`
    pub input_format: Option<String>,
    /// `dataSchema.timestampSpec`
    pub timestamp: TimestampSpec,
    /// `dataSchema.dimensionsSpec`
    pub dimensions: Dimensions,
    /// Output names of `dataSchema.metricsSpec`.
    pub metrics: Vec<String>,
    /// A transform writes `__time`: the input's own times say nothing about chunks.
    pub moves_time: bool,
    /// `dataSchema.transformSpec.filter` is there: not every row of the input arrives.
    pub filters_rows: bool,
    /// `tuningConfig.partitionsSpec`, or what older keys beside it say.
    pub partitions: Partitions,
    /// `tuningConfig.forceGuaranteedRollup`
    pub force_guaranteed_rollup: bool,
    /// `tuningConfig.maxNumConcurrentSubTasks` (or `maxNumSubTasks`), 1 where not given.
    pub max_num_concurrent_sub_tasks: u32,
    /// `tuningConfig.splitHintSpec.maxNumFiles`
    pub max_num_files: Option<u64>,
    /// `tuningConfig.reportParseExceptions`
    pub report_parse_exceptions: bool,
    /// `tuningConfig.maxParseExceptions`; no limit where not given.
    pub max_parse_exceptions: Option<i64>,
    /// `tuningConfig.maxAllowedLockCount`; no limit where not given or negative.
    pub max_allowed_lock_count: Option<u64>,
    /// The type is `index`: always one process.
    pub simple: bool,
}

/// What happens to what is there (`AbstractTask.IngestionMode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `dropExisting`: chunks with rows are replaced, chunks without are emptied (`REPLACE`).
    Replace,
    /// Neither: chunks with rows are replaced, the others stay (`REPLACE_LEGACY`).
    Overwrite,
    /// `appendToExisting`: rows are added (`APPEND`).
    Append,
}

/// `dataSchema.granularitySpec`
#[derive(Clone, Debug)]
pub struct GranularitySpec {
    /// Type `uniform`; otherwise `arbitrary`, where each given interval is a chunk.
    pub uniform: bool,
    /// Length of a time chunk. DAY where not given or not readable.
    pub segment: Granularity,
    /// Whether `segment` is what the spec says: false where something is given that could not be read, or whose
    /// time zone is not loaded yet.
    pub segment_known: bool,
    /// Times of rows are cut down to this. NONE where not given or not readable.
    pub query: Granularity,
    /// The same for `query`.
    pub query_known: bool,
    /// Rows that differ in nothing but metrics become one.
    pub rollup: bool,
    /// The intervals that could be read, as typed, in their order. Empty: none given.
    pub intervals: Vec<Interval>,
    /// All interval texts as typed, also those that could not be read.
    pub interval_texts: Vec<String>,
}

/// `dataSchema.timestampSpec`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampSpec {
    /// The column that holds the time: `timestamp` where not given.
    pub column: String,
    /// `auto` where not given.
    pub format: String,
    /// The time of rows that have none.
    pub missing_value: Option<Instant>,
}

impl Default for TimestampSpec {
    fn default() -> TimestampSpec {
        TimestampSpec { column: "timestamp".to_owned(), format: "auto".to_owned(), missing_value: None }
    }
}

/// `dataSchema.dimensionsSpec`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dimensions {
    /// Names in their order. Empty: Druid finds them in the input.
    pub names: Vec<String>,
    /// Types in the same order: `string` where not given.
    pub types: Vec<String>,
    /// `dimensionExclusions`
    pub exclusions: Vec<String>,
    /// `useSchemaDiscovery`
    pub use_schema_discovery: bool,
    /// `includeAllDimensions`
    pub include_all: bool,
}

impl Batch {
    /// Whether the run is cut into sub-tasks (`ParallelIndexSupervisorTask.isParallelMode`): the input source
    /// can be split and at least two sub-tasks may run at once, or one where it partitions by range.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        let needed = if matches!(self.partitions, Partitions::Range { .. }) { 1 } else { 2 };
        !self.simple && self.input.splittable() && self.max_num_concurrent_sub_tasks >= needed
    }

    /// The path of something below `dataSchema`, `ioConfig` or `tuningConfig`, wherever these stand.
    #[must_use]
    pub fn path(&self, keys: &[&str]) -> Path {
        self.base.join_all(&Path::keys(keys))
    }
}

impl Reader<'_> {
    /// Reads the three parts of a batch spec that stand below `base`.
    pub(super) fn batch(&mut self, base: &At<'_>, simple: bool) -> Batch {
        let (schema, io, tuning) = (base.get("dataSchema"), base.get("ioConfig"), base.get("tuningConfig"));
        let append_to_existing = self.flag(&io.get("appendToExisting")).unwrap_or(false);
        let drop_existing = self.flag(&io.get("dropExisting")).unwrap_or(false);
        let mode = match (append_to_existing, drop_existing) {
            (true, _) => Mode::Append,
            (false, true) => Mode::Replace,
            (false, false) => Mode::Overwrite,
        };
        let transforms = schema.down(&["transformSpec", "transforms"]);
        let moves_time = transforms
            .items()
            .iter()
            .any(|transform| transform.get("name").peek_text().is_some_and(|name| name == "__time"));
        let force_guaranteed_rollup = self.flag(&tuning.get("forceGuaranteedRollup")).unwrap_or(false);
        let concurrent = [tuning.get("maxNumConcurrentSubTasks"), tuning.get("maxNumSubTasks")];
        let concurrent = concurrent.iter().find_map(|at| self.whole(at)).unwrap_or(1);
        // Where the schema has a parser, the older keys stand in there.
        let parse_spec = schema.down(&["parser", "parseSpec"]);
        let or_legacy = |key: &str| {
            let here = schema.get(key);
            if here.is_there() || !parse_spec.is_there() { here } else { parse_spec.get(key) }
        };
        Batch {
            base: base.path.clone(),
            mode,
            append_to_existing,
            drop_existing,
            granularity: self.granularity_spec(&schema.get("granularitySpec")),
            input: self.input_source(&io.get("inputSource")),
            input_format: self.text(&io.down(&["inputFormat", "type"])),
            timestamp: self.timestamp_spec(&or_legacy("timestampSpec")),
            dimensions: self.dimensions(&or_legacy("dimensionsSpec")),
            metrics: self.names(&schema.get("metricsSpec")),
            moves_time,
            filters_rows: schema.down(&["transformSpec", "filter"]).is_there(),
            partitions: self.partitions(&tuning, force_guaranteed_rollup),
            force_guaranteed_rollup,
            max_num_concurrent_sub_tasks: u32::try_from(concurrent).unwrap_or(0),
            max_num_files: self.count(&tuning.down(&["splitHintSpec", "maxNumFiles"])),
            report_parse_exceptions: self.flag(&tuning.get("reportParseExceptions")).unwrap_or(false),
            max_parse_exceptions: self.whole(&tuning.get("maxParseExceptions")),
            max_allowed_lock_count: self.count(&tuning.get("maxAllowedLockCount")),
            simple,
        }
    }

    fn granularity_spec(&mut self, at: &At<'_>) -> GranularitySpec {
        let kind_at = at.get("type");
        let kind = self.text(&kind_at);
        if let Some(kind) = kind.as_deref().filter(|kind| !["uniform", "arbitrary"].contains(kind)) {
            // GranularitySpec names uniform as the implementation for everything it does not know.
            let message = format!("Druid knows no granularitySpec {kind} and takes uniform");
            let problem = self.say("unknown-variant", &kind_at, Severity::Warning, message);
            problem.fix = Some(Fix::set("Write uniform", &kind_at.path, "\"uniform\""));
        }
        let intervals_at = at.get("intervals");
        let interval_texts = self.texts(&intervals_at);
        let places = intervals_at.items();
        let intervals = match places.as_slice() {
            [] if intervals_at.is(Kind::String) => self.interval(&intervals_at).into_iter().collect(),
            places => places.iter().filter_map(|place| self.interval(place)).collect(),
        };
        let (segment_at, query_at) = (at.get("segmentGranularity"), at.get("queryGranularity"));
        let (segment, query) = (self.granularity(&segment_at), self.granularity(&query_at));
        GranularitySpec {
            uniform: kind.as_deref() != Some("arbitrary"),
            segment_known: segment.is_some() || !segment_at.is_there(),
            query_known: query.is_some() || !query_at.is_there(),
            segment: segment.unwrap_or_else(day),
            query: query.unwrap_or(Granularity::None),
            rollup: self.flag(&at.get("rollup")).unwrap_or(true),
            intervals,
            interval_texts,
        }
    }

    fn timestamp_spec(&mut self, at: &At<'_>) -> TimestampSpec {
        let default = TimestampSpec::default();
        TimestampSpec {
            column: self.text(&at.get("column")).unwrap_or(default.column),
            format: self.text(&at.get("format")).unwrap_or(default.format),
            missing_value: self.instant(&at.get("missingValue")),
        }
    }

    pub(super) fn dimensions(&mut self, at: &At<'_>) -> Dimensions {
        let mut read = Dimensions {
            exclusions: self.texts(&at.get("dimensionExclusions")),
            use_schema_discovery: self.flag(&at.get("useSchemaDiscovery")).unwrap_or(false),
            include_all: self.flag(&at.get("includeAllDimensions")).unwrap_or(false),
            ..Dimensions::default()
        };
        for item in at.get("dimensions").items() {
            let is_object = item.is(Kind::Object);
            let name = if is_object { self.text(&item.get("name")) } else { self.text(&item) };
            if let Some(name) = name {
                read.names.push(name);
                let kind = if is_object { self.text(&item.get("type")) } else { None };
                read.types.push(kind.unwrap_or_else(|| "string".to_owned()));
            }
        }
        read
    }

    /// The `name`s of a list of objects.
    pub(super) fn names(&mut self, at: &At<'_>) -> Vec<String> {
        at.items().iter().filter_map(|item| self.text(&item.get("name"))).collect()
    }
}

/// What Druid takes where no segment granularity is given (`UniformGranularitySpec`).
fn day() -> Granularity {
    Granularity::named("DAY").unwrap_or(Granularity::All)
}
