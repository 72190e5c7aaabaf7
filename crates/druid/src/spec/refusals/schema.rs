//! Rules about `dataSchema`: `DataSchema`, `DimensionsSpec`, the granularity specs.

use crate::order::Order as _;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::id::validate_datasource;
use crate::interval::Interval;
use crate::json::{Edit, Kind};
use crate::release::Release;

use super::super::Batch;
use super::super::values::At;
use super::{Look, joda};

const SCHEMA: &str = "org.apache.druid.segment.indexing.DataSchema";
const DIMENSIONS: &str = "org.apache.druid.data.input.impl.DimensionsSpec";
const GRANULARITY: &str = "org.apache.druid.java.util.common.granularity.Granularity";
const ARBITRARY: &str = "org.apache.druid.indexer.granularity.ArbitraryGranularitySpec";

/// The class of one of Druid's own aggregators, and what it says where it has no name. Of `hyperUnique` and `cardinality`
/// the schema says it; of others, extensions' ones among them, it is not known.
fn unnamed(kind: &str) -> Option<(Cow<'static, str>, &'static str)> {
    const SAID: &str = "Must have a valid, non-null aggregator name";
    const SIMPLE: [&str; 11] = [
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
        "histogram",
    ];
    let number =
        |ending| kind.strip_suffix(ending).filter(|of| ["long", "double", "float", "string"].contains(of));
    let package = match kind {
        _ if SIMPLE.contains(&kind) => "",
        _ if number("First").is_some() => "firstlast.first.",
        _ if number("Last").is_some() => "firstlast.last.",
        _ if number("Any").is_some() => "any.",
        "doubleMean" => "mean.",
        "expression" | "grouping" | "javascript" => "",
        _ => return None,
    };
    let name = match kind {
        "expression" => "ExpressionLambda".to_owned(),
        "javascript" => "JavaScript".to_owned(),
        _ => {
            kind.chars().next().into_iter().flat_map(char::to_uppercase).chain(kind.chars().skip(1)).collect()
        }
    };
    let class = format!("org.apache.druid.query.aggregation.{package}{name}AggregatorFactory");
    Some((Cow::Owned(class), if kind == "doubleMean" { "null name" } else { SAID }))
}

impl Look<'_> {
    pub(super) fn schema(&mut self, batch: &Batch) {
        let schema = self.part(batch, &["dataSchema"]);
        if !schema.is_there() {
            if self.part(batch, &[]).is_there() {
                self.no_schema(batch, &schema);
            }
            return;
        }
        self.granularities(batch, &schema.get("granularitySpec"));
        self.dimensions(batch, &schema.get("dimensionsSpec"));
        self.parser(batch, &schema);
        let datasource = schema.get("dataSource");
        let name = self.task.datasource.as_deref().unwrap_or_default();
        if let Err(trouble) = validate_datasource(name) {
            match trouble.server_words("dataSource", name) {
                Some(words) => self.refuse("datasource", SCHEMA, &schema, &datasource.path, words),
                None => {
                    self.refuse("datasource", SCHEMA, &schema, &datasource.path, trouble.sentence()).ours()
                }
            };
        }
        let timestamp = schema.get("timestampSpec");
        let has_parser = schema.get("parser").is_there();
        if !timestamp.is_there() && self.release >= Release::major(37) {
            self.refuse(
                "no-timestamp-spec",
                SCHEMA,
                &schema,
                &timestamp.path,
                "timestampSpec must not be null",
            )
            .fix_set(
                "Read the column timestamp",
                &timestamp.path,
                "{\"column\":\"timestamp\",\"format\":\"auto\"}",
            );
        } else if !timestamp.is_there() && !has_parser && schema.get("dimensionsSpec").is_there() {
            self.refuse("no-timestamp-spec", SCHEMA, &schema, &timestamp.path, "timestampSpec").fix_set(
                "Read the column timestamp",
                &timestamp.path,
                "{\"column\":\"timestamp\",\"format\":\"auto\"}",
            );
        }
        self.metrics(&schema);
        if self.release >= Release::major(31) {
            self.time_dimension(batch, &schema);
        }
        self.columns(batch, &schema);
        self.base_table(&schema);
    }

    /// Each release trips over it in another place.
    fn no_schema(&mut self, batch: &Batch, schema: &At<'_>) {
        let (spec, spec_class) = (self.part(batch, &[]), self.spec_class());
        let (class, object, call, what) = if self.release < Release::major(37) {
            (spec_class, spec, "getParserMap", "\"dataSchema\"".to_owned())
        } else if batch.simple {
            (self.task_class(), self.root(), "getDataSource", "\"ingestionSchema.dataSchema\"".to_owned())
        } else {
            let value = format!("the return value of \"{spec_class}.getDataSchema()\"");
            (self.task_class(), self.root(), "getDataSource", value)
        };
        let message = format!("Cannot invoke \"{SCHEMA}.{call}()\" because {what} is null");
        self.refuse("no-data-schema", class, &object, &schema.path, message);
    }

    fn parser(&mut self, batch: &Batch, schema: &At<'_>) {
        let parser = schema.get("parser");
        if !parser.is_there() {
            return;
        }
        if self.release >= Release::major(37) {
            let message = "parser was removed in Druid 37, define the timestampSpec and dimensionsSpec on the \
                           schema directly instead of nested inside the parser definition";
            self.refuse("parser-gone", SCHEMA, schema, &parser.path, message);
        } else if self.part(batch, &["ioConfig", "inputSource"]).is_there() {
            let (class, spec) = (self.spec_class(), self.part(batch, &[]));
            let message =
                "Cannot use parser and inputSource together. Try using inputFormat instead of parser.";
            self.refuse("parser-and-input-source", class, &spec, &parser.path, message);
        }
    }

    fn granularities(&mut self, batch: &Batch, spec: &At<'_>) {
        for key in ["segmentGranularity", "queryGranularity"] {
            self.granularity(&spec.get(key));
        }
        let intervals = spec.get("intervals");
        if let Some(node) = intervals.node.filter(|node| node.kind() == Kind::String) {
            let message = "Cannot deserialize value of type `java.util.ArrayList<org.joda.time.Interval>` from \
                           String value (token `JsonToken.VALUE_STRING`)";
            self.misread("intervals-not-a-list", &intervals, message).fix_set(
                "Make it a list",
                &intervals.path,
                format!("[{}]", node.text()),
            );
        }
        let holder = if batch.granularity.uniform { "Uniform" } else { "Arbitrary" };
        for (index, place) in intervals.items().iter().enumerate() {
            let chain = format!(
                "{}->org.apache.druid.segment.indexing.DataSchema[\"granularitySpec\"]->\
                 org.apache.druid.indexer.granularity.{holder}GranularitySpec[\"intervals\"]->java.util.ArrayList[{index}]",
                self.chain_to("dataSchema")
            );
            self.interval(place, &chain);
        }
        if !batch.granularity.uniform {
            let mut sorted = batch.granularity.intervals.clone();
            sorted.order();
            sorted.dedup();
            let overlap = sorted.windows(2).find_map(|pair| match pair {
                [left, right] if left.overlaps(*right) => {
                    Some(format!("Overlapping intervals: {left}, {right}"))
                }
                _ => None,
            });
            if let Some(message) = overlap {
                self.refuse("overlapping-intervals", ARBITRARY, spec, &intervals.path, message);
            }
        }
    }

    /// `…Task["spec"]->…IngestionSpec["part"]`, as Jackson names the way to a value.
    fn chain_to(&self, part: &str) -> String {
        format!("{}[\"spec\"]->{}[\"{part}\"]", self.task_class(), self.spec_class())
    }

    /// An interval text. `chain`: the way to it.
    pub(super) fn interval(&mut self, place: &At<'_>, chain: &str) {
        let Some(text) = place.peek_text() else { return };
        let Some(words) = joda::interval(&text) else { return };
        let message = format!("Invalid interval[{text}]: [{words}] (through reference chain: {chain})");
        let refusal = self.misread("interval", place, message);
        let day = format!("{text}/P1D");
        if text.len() == 10 && Interval::parse(&day).is_ok() {
            refusal.fix_set("Take the whole day", &place.path, crate::json::quote(&day));
        }
        if let Some((start, end)) = text.split_once('/') {
            let swapped = format!("{end}/{start}");
            if Interval::parse(&swapped).is_ok() {
                refusal.fix_set("Swap start and end", &place.path, crate::json::quote(&swapped));
            }
        }
    }

    pub(super) fn granularity(&mut self, at: &At<'_>) {
        let told = self
            .task
            .problems
            .iter()
            .find(|problem| problem.path == at.path && problem.code == "granularity");
        let (Some(node), Some(told)) = (at.node, told) else { return };
        let told = told.message.clone();
        if let Some(name) = node.as_str() {
            let message = format!(
                "No enum constant org.apache.druid.java.util.common.granularity.GranularityType.{}",
                name.to_uppercase()
            );
            let end = node.span().start;
            let refusal = self.keep(end, "granularity", Some(GRANULARITY.into()), &at.path, message);
            if joda::period(&name).is_none() {
                let json = format!("{{\"type\":\"period\",\"period\":{}}}", crate::json::quote(&name));
                refusal.fix_set(format!("Write {name} as a period"), &at.path, json);
            }
            return;
        }
        let period = at.get("period");
        if let Some(words) = period.peek_text().and_then(|text| joda::period(&text)) {
            let key = at.path.last_key().unwrap_or_default();
            let message = format!(
                "{words} (through reference chain: {}->org.apache.druid.segment.indexing.DataSchema\
                 [\"granularitySpec\"]->org.apache.druid.indexer.granularity.UniformGranularitySpec[\"{key}\"]->\
                 org.apache.druid.java.util.common.granularity.PeriodGranularity[\"period\"])",
                self.chain_to("dataSchema")
            );
            self.misread("granularity", &period, message);
        } else {
            self.misread("granularity", at, told).ours();
        }
    }

    fn dimensions(&mut self, batch: &Batch, at: &At<'_>) {
        let names = &batch.dimensions.names;
        let exclusions = &batch.dimensions.exclusions;
        let excluded: BTreeSet<&String> = exclusions.iter().collect();
        if let Some(shared) = names.iter().find(|name| excluded.contains(name)) {
            let path = at.path.join("dimensionExclusions");
            let index = exclusions.iter().position(|name| name == shared).unwrap_or(0);
            self.refuse(
                "excluded-dimension",
                DIMENSIONS,
                at,
                &path,
                "dimensions and dimensions exclusions cannot overlap",
            )
            .fix(format!("Do not exclude {shared}"), vec![Edit::Remove(path.join(index))]);
        }
        let (mut once, mut more) = (BTreeSet::new(), BTreeSet::new());
        let twice: Vec<&String> =
            names.iter().filter(|name| !once.insert(*name) && more.insert(*name)).collect();
        if let Some(name) = twice.first() {
            let message = format!(
                "Duplicate column entries found : [{}]",
                twice.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
            );
            let place = names.iter().rposition(|other| other == *name).unwrap_or(0);
            let path = at.path.join("dimensions").join(place);
            self.refuse("duplicate-column", DIMENSIONS, at, &path, message)
                .fix(format!("Name {name} once"), vec![Edit::Remove(path.clone())]);
        }
    }

    fn metrics(&mut self, schema: &At<'_>) {
        for (index, metric) in schema.get("metricsSpec").items().iter().enumerate() {
            let (name, kind) = (metric.get("name"), metric.get("type").peek_text());
            if !metric.is(Kind::Object) {
                continue;
            }
            let says_schema = matches!(kind.as_deref(), Some("hyperUnique" | "cardinality"));
            if name.peek_text().is_some_and(|name| name.is_empty()) || says_schema && !name.is_there() {
                let message = format!("Encountered metric with null or empty name at position {index}");
                self.refuse("metric-name", SCHEMA, schema, &name.path, message);
            } else if !name.is_there() {
                // Each aggregator says so itself, before the schema is built.
                match kind.as_deref().and_then(unnamed) {
                    Some((class, said)) => self.refuse("metric-name", class, metric, &name.path, said),
                    None => {
                        self.refuse("metric-name", SCHEMA, metric, &name.path, "a metric has no name").ours()
                    }
                };
            }
        }
    }

    /// `DataSchema.validateDimensionsSpec` of 31 and later: `__time` is a long, and the first where segments are sorted by
    /// it.
    fn time_dimension(&mut self, batch: &Batch, schema: &At<'_>) {
        let sorted = schema.down(&["dimensionsSpec", "forceSegmentSortByTime"]);
        let by_time = sorted.node.is_none_or(|node| node.text() != "false");
        let named = batch.dimensions.names.iter().zip(&batch.dimensions.types).enumerate();
        let Some((at, (_, kind))) = named.into_iter().find(|(_, (name, _))| *name == "__time") else {
            return;
        };
        let message = if at > 0 && by_time {
            format!(
                "Encountered dimension[__time] at position[{at}]. This is only supported when the dimensionsSpec \
                 parameter[forceSegmentSortByTime] is set to[false]. Warning: support for segments not sorted by[__time] \
                 is experimental. Such segments are not readable by older version of Druid, and certain queries cannot \
                 run on them. See https://druid.apache.org/docs/latest/ingestion/partitioning#sorting for details before \
                 setting forceSegmentSortByTime to[false]."
            )
        } else if kind != "long" {
            format!(
                "Encountered dimension[__time] with incorrect type[{}]. Type must be 'long'.",
                kind.to_uppercase()
            )
        } else {
            return;
        };
        let path = schema.down(&["dimensionsSpec", "dimensions"]).path.join(at);
        self.refuse("time-dimension", SCHEMA, schema, &path, message)
            .fix("Leave __time to timestampSpec", vec![Edit::Remove(path.clone())]);
    }

    /// `DataSchema.computeAndValidateOutputFieldNames`
    fn columns(&mut self, batch: &Batch, schema: &At<'_>) {
        // Where each column is named; the sets are sorted, as Druid's are.
        let mut seen: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
        let mut note =
            |name, list: &str| *seen.entry(name).or_default().entry(list.to_owned()).or_insert(0) += 1;
        // Since 31 __time may be a dimension: see `time_dimension`.
        let allows_time = self.release >= Release::major(31);
        note(
            "__time",
            match allows_time {
                true => "primary timestamp (__time cannot appear elsewhere except as long-typed dimension)",
                false => "primary timestamp (__time cannot appear as a dimension or metric)",
            },
        );
        for name in batch.dimensions.names.iter().filter(|name| !(allows_time && *name == "__time")) {
            note(name.as_str(), "dimensions list");
        }
        for name in batch.metrics.iter().filter(|name| !name.is_empty()) {
            note(name.as_str(), "metricsSpec list");
        }
        let twice = seen.iter().filter(|(_, lists)| lists.values().sum::<usize>() > 1);
        let told: Vec<_> = twice
            .map(|(name, lists)| {
                let lists = lists.iter().map(|(list, count)| match count {
                    1 => list.clone(),
                    more => format!("{list} ({more} occurrences)"),
                });
                (*name, format!("[{name}] seen in {}", lists.collect::<Vec<_>>().join(", ")))
            })
            .collect();
        let Some((name, _)) = told.first() else { return };
        let words = told.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join("; ");
        let message = format!("Cannot specify a column more than once: {words}");
        let metric = batch.metrics.iter().rposition(|metric| metric == name);
        let dimension = batch.dimensions.names.iter().rposition(|dimension| dimension == name);
        let place = match (metric, dimension) {
            (Some(at), _) => schema.get("metricsSpec").path.join(at).join("name"),
            (None, Some(at)) => schema.down(&["dimensionsSpec", "dimensions"]).path.join(at),
            (None, None) => schema.path.clone(),
        };
        self.refuse("duplicate-column", SCHEMA, schema, &place, message);
    }

    fn base_table(&mut self, schema: &At<'_>) {
        if self.release < Release::major(38) || !schema.get("baseTable").is_there() {
            return;
        }
        let has = |key: &str| {
            let at = schema.get(key);
            at.is_there() && (key != "metricsSpec" || !at.items().is_empty())
        };
        let beside: Vec<_> =
            ["dimensionsSpec", "metricsSpec", "granularitySpec"].into_iter().filter(|key| has(key)).collect();
        if !beside.is_empty() {
            let message = format!(
                "When 'baseTable' is set, top-level field(s) [{}] must not also be set — declare them inside the \
                 baseTable spec instead",
                beside.join(", ")
            );
            self.refuse("base-table-and-legacy", SCHEMA, schema, &schema.get("baseTable").path, message);
        }
    }
}
