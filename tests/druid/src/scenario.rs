//! What happens in a datasource: deeds before, and the one that is foreseen. Plain values, so that a scenario that
//! came out otherwise can be made smaller piece by piece.

use druid::interval::Instant;
use serde_json::{Value, json};

/// A datasource's past, and the run to foresee.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) past: Vec<Deed>,
    pub(crate) run: Deed,
}

/// One thing that is done to a datasource.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Load(Load),
    Compact(Compact),
    /// Deletes unused segments inside an interval.
    Kill(String),
    /// Marks one used segment unused: the one that lies so many thousandths into the list. `whole` takes all segments
    /// of its holder.
    MarkUnused {
        which: u64,
        whole: bool,
    },
}

/// A batch ingestion.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// `index` instead of `index_parallel`.
    pub(crate) is_simple: bool,
    pub(crate) mode: Mode,
    /// As it stands in the spec; none for `arbitrary` chunks.
    pub(crate) segment_granularity: Option<Value>,
    pub(crate) query_granularity: Truncation,
    pub(crate) is_rolled_up: bool,
    pub(crate) intervals: Vec<String>,
    pub(crate) source: Source,
    pub(crate) partitions: Option<Value>,
    pub(crate) context: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Overwrite,
    Replace,
    Append,
}

/// `queryGranularity`: rows' times are cut down to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truncation {
    None,
    Minute,
    Hour,
}

/// Where rows come from. A row without a readable time is none.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Inline(Vec<Option<i64>>),
    /// One file a split.
    Files(Vec<Vec<Option<i64>>>),
    /// The datasource itself, this interval of it.
    Itself(String),
}

/// A compaction.
#[derive(Clone, Debug)]
pub(crate) struct Compact {
    pub(crate) interval: String,
    pub(crate) segment_granularity: Option<Value>,
    pub(crate) drops: bool,
    pub(crate) may_be_unaligned: bool,
    pub(crate) tuning: Option<Value>,
    pub(crate) context: Option<Value>,
}

impl Truncation {
    fn name(self) -> &'static str {
        match self {
            Truncation::None => "NONE",
            Truncation::Minute => "MINUTE",
            Truncation::Hour => "HOUR",
        }
    }

    /// A row's time as it is stored in a segment that begins at `start`.
    pub(crate) fn stored(self, at: i64, start: i64) -> i64 {
        let unit = match self {
            Truncation::None => 1,
            Truncation::Minute => 60_000,
            Truncation::Hour => 3_600_000,
        };
        at.div_euclid(unit).saturating_mul(unit).max(start)
    }
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Overwrite => "overwrite",
            Mode::Replace => "replace",
            Mode::Append => "append",
        }
    }
}

impl Deed {
    /// What the recordings call it: `replace.parallel`, `compact.drop`.
    pub(crate) fn kind(&self) -> String {
        match self {
            Deed::Load(load) => load.kind(),
            Deed::Compact(compact) => {
                let what = match compact {
                    Compact { may_be_unaligned: true, .. } => "unaligned",
                    Compact { drops: true, .. } => "drop",
                    Compact { context: Some(_), .. } => "locks",
                    Compact { segment_granularity: Some(_), .. } => "granularity",
                    _ => "plain",
                };
                format!("compact.{what}")
            }
            Deed::Kill(_) => "kill.unused".to_owned(),
            Deed::MarkUnused { .. } => "mark.unused".to_owned(),
        }
    }

    /// The task, where it is one. `folder` is where a file source's files lie.
    pub(crate) fn task(&self, datasource: &str, id: &str, folder: &str) -> Option<Value> {
        match self {
            Deed::Load(load) => Some(load.task(datasource, id, folder)),
            Deed::Compact(compact) => Some(compact.task(datasource, id)),
            Deed::Kill(interval) => {
                Some(json!({"type": "kill", "id": id, "dataSource": datasource, "interval": interval}))
            }
            Deed::MarkUnused { .. } => None,
        }
    }

    /// Whether it needs more slots than one.
    pub(crate) fn is_parallel(&self) -> bool {
        match self {
            Deed::Load(load) => matches!(load.source, Source::Files(_)) && !load.is_simple,
            Deed::Compact(compact) => {
                compact.tuning.as_ref().is_some_and(|tuning| tuning.get("maxNumConcurrentSubTasks").is_some())
            }
            Deed::Kill(_) | Deed::MarkUnused { .. } => false,
        }
    }

    /// Whether it reads the datasource's own segments.
    pub(crate) fn reads_segments(&self) -> bool {
        matches!(self, Deed::Compact(_) | Deed::Load(Load { source: Source::Itself(_), .. }))
    }
}

impl Source {
    /// Every row, split by split.
    pub(crate) fn rows(&self) -> Vec<Option<i64>> {
        match self {
            Source::Inline(rows) => rows.clone(),
            Source::Files(files) => files.concat(),
            Source::Itself(_) => Vec::new(),
        }
    }
}

/// One line of input. Pages differ, so that hash and range have something to tell apart.
pub(crate) fn line(row: Option<i64>, number: usize) -> String {
    let time = row.map_or("not a date".to_owned(), |at| Instant::from_ms(at).to_string());
    let page = ["a", "b", "c", "d", "e"].get(number % 5).copied().unwrap_or("z");
    format!("{{\"ts\":\"{time}\",\"page\":\"{page}\",\"n\":{number}}}")
}

/// All lines of a split.
pub(crate) fn lines(rows: &[Option<i64>]) -> String {
    // An empty text is refused as inline data; an empty line is no row.
    let lines: Vec<String> = rows.iter().enumerate().map(|(number, row)| line(*row, number)).collect();
    if lines.is_empty() { "\n".to_owned() } else { lines.join("\n") }
}

impl Load {
    fn kind(&self) -> String {
        if matches!(self.source, Source::Itself(_)) {
            return format!("reindex.{}", self.mode.name());
        }
        let partitioning = self.partitions.as_ref().and_then(|spec| spec.get("type")).and_then(Value::as_str);
        let what = match self.segment_granularity.as_ref() {
            None => return format!("arbitrary.{}", self.mode.name()),
            Some(_) if self.is_simple => "index",
            Some(_) if partitioning.is_some_and(|kind| kind != "dynamic") => partitioning.unwrap_or_default(),
            Some(_) if matches!(self.source, Source::Files(_)) => "parallel",
            Some(granularity) if granularity.get("timeZone").is_some() => "timezone",
            Some(_) if self.context.is_some() => "locks",
            Some(granularity) if granularity == "ALL" => "all",
            Some(_) if self.intervals.is_empty() => "none",
            Some(_) if self.source.rows().is_empty() => "empty",
            Some(_) if self.is_rolled_up => "rollup",
            Some(_) if self.intervals.len() > 1 => "multi",
            Some(_) => "plain",
        };
        format!("{}.{what}", self.mode.name())
    }

    fn task(&self, datasource: &str, id: &str, folder: &str) -> Value {
        let kind = if self.is_simple { "index" } else { "index_parallel" };
        let is_reindex = matches!(self.source, Source::Itself(_));
        let mut granularity = json!({
            "type": if self.segment_granularity.is_some() { "uniform" } else { "arbitrary" },
            "queryGranularity": self.query_granularity.name(),
            "rollup": self.is_rolled_up,
        });
        set(&mut granularity, "segmentGranularity", self.segment_granularity.clone());
        let intervals = (!self.intervals.is_empty()).then(|| json!(self.intervals));
        set(&mut granularity, "intervals", intervals);
        let (dimensions, metrics) = if self.is_rolled_up {
            (
                json!(["page"]),
                json!([{"type": "count", "name": "cnt"}, {"type": "longSum", "name": "n", "fieldName": "n"}]),
            )
        } else {
            (json!(["page", {"type": "long", "name": "n"}]), json!([]))
        };
        let mut io = json!({"type": kind, "appendToExisting": self.mode == Mode::Append});
        if self.mode == Mode::Replace {
            set(&mut io, "dropExisting", Some(json!(true)));
        }
        let source = match &self.source {
            Source::Inline(rows) => json!({"type": "inline", "data": lines(rows)}),
            Source::Files(_) => json!({"type": "local", "baseDir": folder, "filter": "*.json"}),
            Source::Itself(interval) => {
                json!({"type": "druid", "dataSource": datasource, "interval": interval})
            }
        };
        set(&mut io, "inputSource", Some(source));
        set(&mut io, "inputFormat", (!is_reindex).then(|| json!({"type": "json"})));
        let mut tuning = json!({"type": kind});
        if let Some(partitions) = &self.partitions {
            set(&mut tuning, "partitionsSpec", Some(partitions.clone()));
            if partitions.get("type").is_some_and(|kind| kind != "dynamic") {
                set(&mut tuning, "forceGuaranteedRollup", Some(json!(true)));
            }
        }
        if matches!(self.source, Source::Files(_)) && !self.is_simple {
            set(&mut tuning, "maxNumConcurrentSubTasks", Some(json!(2)));
            set(&mut tuning, "splitHintSpec", Some(json!({"type": "maxSize", "maxNumFiles": 1})));
        }
        let timestamp = if is_reindex {
            json!({"column": "__time", "format": "millis"})
        } else {
            json!({"column": "ts", "format": "iso"})
        };
        let mut task = json!({"type": kind, "id": id, "spec": {
            "dataSchema": {
                "dataSource": datasource, "timestampSpec": timestamp, "dimensionsSpec": {"dimensions": dimensions},
                "metricsSpec": metrics, "granularitySpec": granularity,
            },
            "ioConfig": io, "tuningConfig": tuning,
        }});
        set(&mut task, "context", self.context.clone());
        task
    }
}

impl Compact {
    fn task(&self, datasource: &str, id: &str) -> Value {
        let mut io = json!({"type": "compact", "inputSpec": {"type": "interval", "interval": self.interval}});
        set(&mut io, "dropExisting", self.drops.then_some(json!(true)));
        set(&mut io, "allowNonAlignedInterval", self.may_be_unaligned.then_some(json!(true)));
        let mut task = json!({"type": "compact", "id": id, "dataSource": datasource, "ioConfig": io});
        let granularity = self.segment_granularity.as_ref().map(|unit| json!({"segmentGranularity": unit}));
        set(&mut task, "granularitySpec", granularity);
        set(&mut task, "tuningConfig", self.tuning.clone());
        set(&mut task, "context", self.context.clone());
        task
    }
}

fn set(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Some(object), Some(value)) = (object.as_object_mut(), value) {
        object.insert(key.to_owned(), value);
    }
}
