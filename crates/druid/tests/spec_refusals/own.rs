//! Against Druid's own classes: the tasks of [`super::table`] and of every row of the tables of constructor rules, read by
//! Druid's object mapper (`tests/java`, Refusals), which either builds them or says why not.
//!
//! `REFUSED_TASKS=FILE` in the environment writes the tasks for that program.

use std::collections::{BTreeMap, BTreeSet};

use druid::json::Document;
use druid::release::Release;

use super::table::RULES;
use super::{COMPACT, DRUID_33, DRUID_37, GOOD, changed, refused};

/// A task: the row it belongs to, what it starts from, and what is changed of it.
struct Case {
    row: &'static str,
    from: &'static str,
    changes: &'static [(&'static str, &'static str)],
}

const fn case(row: &'static str, changes: &'static [(&'static str, &'static str)]) -> Case {
    Case { row, from: GOOD, changes }
}

const fn compact(row: &'static str, changes: &'static [(&'static str, &'static str)]) -> Case {
    Case { row, from: COMPACT, changes }
}

const fn kill(row: &'static str, changes: &'static [(&'static str, &'static str)]) -> Case {
    Case { row, from: KILL, changes }
}

/// A kill task that Druid takes.
const KILL: &str = r#"{"type":"kill","id":"ls_x","dataSource":"d","interval":"2026-01-01/P1D"}"#;

const FORCE: (&str, &str) = ("spec.tuningConfig.forceGuaranteedRollup", "true");
const PARTITIONS: &str = "spec.tuningConfig.partitionsSpec";
const APPEND: (&str, &str) = ("spec.ioConfig.appendToExisting", "true");
const DROP: (&str, &str) = ("spec.ioConfig.dropExisting", "true");
const INTERVALS: &str = "spec.dataSchema.granularitySpec.intervals";
const SOURCE: &str = "spec.ioConfig.inputSource";
const FORMAT: &str = "spec.ioConfig.inputFormat";

/// Row by row. Those of the task `index` are made by changing the types.
const CASES: &[Case] = &[
    case("append and drop", &[APPEND, DROP]),
    case("drop without intervals", &[DROP, (INTERVALS, "")]),
    case("drop without intervals", &[DROP, (INTERVALS, "[]")]),
    case("drop without intervals", &[DROP, ("spec.dataSchema.granularitySpec", "")]),
    case("append and guaranteed rollup", &[APPEND, FORCE]),
    case("append and guaranteed rollup", &[APPEND, FORCE, (PARTITIONS, "{\"type\":\"hashed\"}")]),
    case("not dynamic without guaranteed rollup", &[(PARTITIONS, "{\"type\":\"hashed\"}")]),
    case(
        "not dynamic without guaranteed rollup",
        &[(
            PARTITIONS,
            "{\"type\":\"single_dim\",\"partitionDimension\":\"page\",\"targetRowsPerSegment\":5}",
        )],
    ),
    case("dynamic and guaranteed rollup", &[FORCE, (PARTITIONS, "{\"type\":\"dynamic\"}")]),
    case(
        "incompatible with guaranteed rollup",
        &[FORCE, (PARTITIONS, "{\"type\":\"single_dim\",\"targetRowsPerSegment\":5}")],
    ),
    case(
        "incompatible with guaranteed rollup",
        &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"numShards\":2}")],
    ),
    case("incompatible with guaranteed rollup", &[FORCE]),
    case("append implies dynamic", &[APPEND, (PARTITIONS, "{\"type\":\"hashed\"}")]),
    case(
        "append implies dynamic",
        &[
            APPEND,
            (
                PARTITIONS,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":5}",
            ),
        ],
    ),
    case("append implies dynamic", &[APPEND, (PARTITIONS, "{\"type\":\"dynamic\"}")]),
    case(
        "range without dimensions",
        &[FORCE, (PARTITIONS, "{\"type\":\"range\",\"targetRowsPerSegment\":5}")],
    ),
    case(
        "range without dimensions",
        &[FORCE, (PARTITIONS, "{\"type\":\"range\",\"partitionDimensions\":[],\"targetRowsPerSegment\":5}")],
    ),
    case(
        "range target or most",
        &[FORCE, (PARTITIONS, "{\"type\":\"range\",\"partitionDimensions\":[\"page\"]}")],
    ),
    case(
        "range target or most",
        &[
            FORCE,
            (
                PARTITIONS,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":5,\"maxRowsPerSegment\":6}",
            ),
        ],
    ),
    case(
        "range target or most",
        &[
            FORCE,
            (
                PARTITIONS,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":0}",
            ),
        ],
    ),
    case(
        "range target or most",
        &[
            FORCE,
            (PARTITIONS, "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"maxRowsPerSegment\":-2}"),
        ],
    ),
    case(
        "range target or most",
        &[
            FORCE,
            (
                PARTITIONS,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":1500000000}",
            ),
        ],
    ),
    case(
        "range target or most",
        &[
            FORCE,
            (
                PARTITIONS,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":-1,\"maxRowsPerSegment\":5}",
            ),
        ],
    ),
    case(
        "range target or most",
        &[
            FORCE,
            (
                PARTITIONS,
                "{\"type\":\"single_dim\",\"partitionDimension\":\"page\",\"targetPartitionSize\":5,\"targetRowsPerSegment\":5}",
            ),
        ],
    ),
    case(
        "range target or most",
        &[
            FORCE,
            (
                PARTITIONS,
                "{\"type\":\"single_dim\",\"partitionDimension\":\"page\",\"maxPartitionSize\":5,\"maxRowsPerSegment\":5}",
            ),
        ],
    ),
    case(
        "hashed",
        &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"numShards\":2,\"targetRowsPerSegment\":5}")],
    ),
    case(
        "hashed",
        &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"targetPartitionSize\":2,\"targetRowsPerSegment\":5}")],
    ),
    case("hashed", &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"maxRowsPerSegment\":2,\"numShards\":5}")]),
    case(
        "hashed",
        &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"maxRowsPerSegment\":2,\"targetRowsPerSegment\":5}")],
    ),
    case("hashed", &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"numShards\":0}")]),
    case("hashed", &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"targetRowsPerSegment\":0}")]),
    case("hashed", &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"maxRowsPerSegment\":-3}")]),
    case(
        "hashed",
        &[FORCE, (PARTITIONS, "{\"type\":\"hashed\",\"numShards\":-1,\"targetRowsPerSegment\":5}")],
    ),
    case("dynamic", &[(PARTITIONS, "{\"type\":\"dynamic\",\"maxRowsPerSegment\":0}")]),
    case("dynamic", &[(PARTITIONS, "{\"type\":\"dynamic\",\"maxTotalRows\":0}")]),
    case("dynamic", &[(PARTITIONS, "{\"type\":\"dynamic\",\"maxRowsPerSegment\":-1,\"maxTotalRows\":null}")]),
    case("partitionsSpec without type", &[(PARTITIONS, "{\"numShards\":2}")]),
    case("partitionsSpec without type", &[FORCE, (PARTITIONS, "{\"numShards\":2}")]),
    case("sub-tasks", &[("spec.tuningConfig.maxNumConcurrentSubTasks", "0")]),
    case("sub-tasks", &[("spec.tuningConfig.maxNumConcurrentSubTasks", "-1")]),
    case("sub-tasks", &[("spec.tuningConfig.maxNumSubTasks", "0")]),
    case(
        "sub-tasks",
        &[("spec.tuningConfig.maxNumConcurrentSubTasks", "1"), ("spec.tuningConfig.maxNumSubTasks", "1")],
    ),
    case("merging and older names", &[("spec.tuningConfig.maxNumSegmentsToMerge", "0")]),
    case("merging and older names", &[("spec.tuningConfig.totalNumMergeTasks", "0")]),
    case(
        "merging and older names",
        &[("spec.tuningConfig.targetPartitionSize", "5"), ("spec.tuningConfig.maxRowsPerSegment", "5")],
    ),
    case("source or format missing", &[(SOURCE, "")]),
    case("source or format missing", &[(FORMAT, "")]),
    case("source or format missing", &[(SOURCE, ""), (FORMAT, "")]),
    case(
        "source or format missing",
        &[
            (SOURCE, "{\"type\":\"druid\",\"dataSource\":\"e\",\"interval\":\"2026-01-01/P1D\"}"),
            (FORMAT, ""),
        ],
    ),
    case("local source", &[(SOURCE, "{\"type\":\"local\"}")]),
    case("local source", &[(SOURCE, "{\"type\":\"local\",\"baseDir\":\"x\"}")]),
    case("local source", &[(SOURCE, "{\"type\":\"local\",\"files\":[\"x\"]}")]),
    case("local source", &[(SOURCE, "{\"type\":\"local\",\"files\":[]}")]),
    case("druid source", &[(SOURCE, "{\"type\":\"druid\",\"dataSource\":\"e\"}")]),
    case(
        "druid source",
        &[(
            SOURCE,
            "{\"type\":\"druid\",\"dataSource\":\"e\",\"interval\":\"2026-01-01/P1D\",\"segments\":[]}",
        )],
    ),
    case("druid source", &[(SOURCE, "{\"type\":\"druid\",\"dataSource\":\"e\",\"interval\":\"x\"}")]),
    case("druid source", &[(SOURCE, "{\"type\":\"druid\",\"interval\":\"2026-01-01/P1D\"}")]),
    case("dataSchema", &[("spec.dataSchema.timestampSpec", "")]),
    case("dataSchema", &[("spec.dataSchema.timestampSpec", ""), ("spec.dataSchema.dimensionsSpec", "")]),
    case("dataSchema", &[("spec.dataSchema.dimensionsSpec", "")]),
    case("dataSchema", &[("spec.dataSchema.dimensionsSpec.dimensions", "[\"a\",\"a\"]")]),
    case("dataSchema", &[("spec.dataSchema.metricsSpec", "[{\"type\":\"count\",\"name\":\"page\"}]")]),
    case(
        "dataSchema",
        &[(
            "spec.dataSchema.metricsSpec",
            "[{\"type\":\"count\",\"name\":\"a\"},{\"type\":\"count\",\"name\":\"a\"}]",
        )],
    ),
    case("dataSchema", &[("spec.dataSchema.metricsSpec", "[{\"type\":\"count\",\"name\":\"\"}]")]),
    case("dataSchema", &[("spec.dataSchema.metricsSpec", "[{\"type\":\"count\"}]")]),
    case("dataSchema", &[("spec.dataSchema.metricsSpec", "[{\"type\":\"longSum\",\"fieldName\":\"n\"}]")]),
    case("dataSchema", &[("spec.dataSchema.dimensionsSpec.dimensionExclusions", "[\"page\"]")]),
    case("dataSchema", &[("spec.dataSchema.dimensionsSpec.dimensions", "[\"__time\",\"page\"]")]),
    case(
        "dataSchema",
        &[(
            "spec.dataSchema.dimensionsSpec.dimensions",
            "[{\"type\":\"long\",\"name\":\"__time\"},\"page\"]",
        )],
    ),
    case(
        "dataSchema",
        &[(
            "spec.dataSchema.dimensionsSpec.dimensions",
            "[\"page\",{\"type\":\"long\",\"name\":\"__time\"}]",
        )],
    ),
    case("dataSchema", &[("spec.dataSchema.dataSource", "\"a/b\"")]),
    case("dataSchema", &[("spec.dataSchema.dataSource", "\"\"")]),
    case(
        "dataSchema",
        &[(
            "spec.dataSchema.dimensionsSpec",
            "{\"dimensions\":[\"page\",{\"type\":\"long\",\"name\":\"__time\"}],\"forceSegmentSortByTime\":false}",
        )],
    ),
    case("dataSchema", &[("spec.dataSchema.dimensionsSpec.dimensions", "[\"page\",\"__time\"]")]),
    case(
        "dataSchema",
        &[
            ("spec.dataSchema.dimensionsSpec.dimensions", "[{\"type\":\"double\",\"name\":\"__time\"}]"),
            (
                "spec.dataSchema.metricsSpec",
                "[{\"type\":\"count\",\"name\":\"a\"},{\"type\":\"count\",\"name\":\"a\"}]",
            ),
        ],
    ),
    case(
        "parser",
        &[(
            "spec.dataSchema.parser",
            "{\"type\":\"string\",\"parseSpec\":{\"format\":\"json\",\"timestampSpec\":{},\"dimensionsSpec\":{}}}",
        )],
    ),
    case(
        "firehose",
        &[
            (SOURCE, ""),
            ("spec.ioConfig.firehose", "{\"type\":\"local\",\"baseDir\":\"x\",\"filter\":\"*\"}"),
        ],
    ),
    case(
        "arbitrary granularity",
        &[
            ("spec.dataSchema.granularitySpec.type", "\"arbitrary\""),
            (INTERVALS, "[\"2026-01-01/P2D\",\"2026-01-02/P2D\"]"),
        ],
    ),
    case(
        "arbitrary granularity",
        &[
            ("spec.dataSchema.granularitySpec.type", "\"arbitrary\""),
            (INTERVALS, "[\"2026-01-01/P1D\",\"2026-01-02/P2D\"]"),
        ],
    ),
    case("granularitySpec absent", &[("spec.dataSchema.granularitySpec", "")]),
    case("accepted though suspicious", &[("spec.dataSchema.granularitySpec.rollup", "true")]),
    case("accepted though suspicious", &[(INTERVALS, "[\"2026-07-16T05:30/2026-07-16T06:10\"]")]),
    case("accepted though suspicious", &[(INTERVALS, "[\"2026-07-16/P2D\",\"2026-07-17/P2D\"]")]),
    case("accepted though suspicious", &[(INTERVALS, "[\"9026-07-16/P2D\"]")]),
    case("accepted though suspicious", &[("spec.dataSchema.dimensionsSpec.dimensions", "[]")]),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"longSum\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"longMin\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"longMax\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"doubleSum\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"doubleMin\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"doubleMax\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"floatSum\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"floatMin\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"floatMax\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"longFirst\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"longLast\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"longAny\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"doubleFirst\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"doubleLast\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"doubleAny\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"floatFirst\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"floatLast\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"floatAny\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"stringFirst\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"stringLast\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"stringAny\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"doubleMean\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"hyperUnique\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"cardinality\",\"fields\":[\"page\"]}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"histogram\",\"fieldName\":\"n\"}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"filtered\",\"aggregator\":{\"type\":\"count\"}}]")],
    ),
    case(
        "metric without a name",
        &[(
            "spec.dataSchema.metricsSpec",
            "[{\"type\":\"expression\",\"fold\":\"1\",\"initialValue\":\"0\"}]",
        )],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"grouping\",\"groupings\":[\"page\"]}]")],
    ),
    case(
        "metric without a name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"javascript\",\"fieldNames\":[]}]")],
    ),
    case("type missing", &[("spec.ioConfig.type", "")]),
    case("type missing", &[("spec.tuningConfig.type", "")]),
    case("type missing", &[("spec.ioConfig.inputSource.type", "")]),
    case("type missing", &[("spec.ioConfig.inputFormat.type", "")]),
    case("part missing", &[("spec.ioConfig", "")]),
    case("part missing", &[("spec.dataSchema", "")]),
    case("part missing", &[("spec.tuningConfig", "")]),
    case("part missing", &[("spec", "")]),
    case("id", &[("id", "\"\"")]),
    case("id", &[("id", "\".x\"")]),
    case("id", &[("id", "\"a/b\"")]),
    case("id", &[("id", "\"a\\tb\"")]),
    case("id", &[("id", "\"a\\u00a0b\"")]),
    case("id", &[("id", "\"a b:c_é作\"")]),
    case("id", &[("id", "\"a\\u0001b\"")]),
    case("id", &[("id", "\"a\\u0080b\"")]),
    case("id", &[("id", "\"a\\uD83D\\uDE00b\"")]),
    case("id", &[("id", "\"a\\uE000b\"")]),
    case("id", &[("id", "\"a\\uFFF1b\"")]),
    case("id", &[("id", "\"a\\u007f\\u009f\"")]),
    case("id", &[("id", "")]),
    case("id", &[("id", ""), ("spec.id", "\".x\"")]),
    case("context is not looked at", &[("context", "{\"taskLockType\":\"FOO\"}")]),
    case(
        "context is not looked at",
        &[(
            "context",
            "{\"taskLockType\":\"append\",\"useSharedLock\":\"true\",\"useConcurrentLocks\":\"yes\"}",
        )],
    ),
    case(
        "run time only",
        &[
            FORCE,
            (
                PARTITIONS,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":5}",
            ),
        ],
    ),
    case(
        "run time only",
        &[
            APPEND,
            ("spec.tuningConfig.maxParseExceptions", "0"),
            ("spec.tuningConfig.reportParseExceptions", "true"),
        ],
    ),
    compact("compaction", &[]),
    compact("compaction", &[("dataSource", "")]),
    compact("compaction", &[("dataSource", "\"a/b\"")]),
    compact("compaction", &[("ioConfig", "")]),
    compact("compaction", &[("ioConfig", ""), ("interval", "\"2026-01-01/P1D\"")]),
    compact("compaction", &[("interval", "\"2026-01-01/P1D\"")]),
    compact("compaction", &[("ioConfig.inputSpec.interval", "\"x\"")]),
    compact("compaction", &[("ioConfig.inputSpec.interval", "\"2026-01-01/2026-01-01\"")]),
    compact("compaction", &[("granularitySpec.segmentGranularity", "\"FORTNIGHT\"")]),
    compact(
        "compaction",
        &[("segmentGranularity", "\"HOUR\""), ("granularitySpec", "{\"segmentGranularity\":\"DAY\"}")],
    ),
    compact("compaction", &[("tuningConfig.partitionsSpec", "{\"type\":\"hashed\"}")]),
    compact(
        "compaction",
        &[
            ("tuningConfig.partitionsSpec", "{\"type\":\"dynamic\"}"),
            ("tuningConfig.forceGuaranteedRollup", "true"),
        ],
    ),
    compact(
        "compaction",
        &[
            ("tuningConfig.partitionsSpec", "{\"type\":\"range\"}"),
            ("tuningConfig.forceGuaranteedRollup", "true"),
        ],
    ),
    compact("compaction", &[("tuningConfig.maxNumConcurrentSubTasks", "0")]),
    compact(
        "compaction",
        &[("tuningConfig.type", "\"compaction\""), ("tuningConfig.maxNumConcurrentSubTasks", "0")],
    ),
    compact("compaction", &[("tuningConfig.type", "\"index\"")]),
    compact("compaction", &[("tuningConfig.type", "")]),
    compact("compaction", &[("ioConfig", ""), ("interval", "\"x\"")]),
    compact("compaction", &[("ioConfig.inputSpec", "")]),
    compact("compaction", &[("ioConfig.type", "")]),
    compact("compaction", &[("ioConfig.inputSpec.interval", "")]),
    compact("compaction", &[("ioConfig.inputSpec", "{\"type\":\"segments\",\"segments\":[]}")]),
    compact(
        "compaction",
        &[("granularitySpec", "{\"segmentGranularity\":\"DAY\"}"), ("segmentGranularity", "\"DAY\"")],
    ),
    kill("kill", &[]),
    kill("kill", &[("dataSource", "")]),
    kill("kill", &[("interval", "")]),
    kill("kill", &[("interval", "\"x\"")]),
    kill("kill", &[("versions", "[]")]),
    kill("kill", &[("batchSize", "0")]),
    kill("kill", &[("limit", "0")]),
    kill("kill", &[("limit", "-1")]),
    kill("kill", &[("id", "\"a/b\"")]),
    compact("compaction", &[("id", "\".x\"")]),
];

/// Every task by a name.
fn tasks() -> Vec<(String, Document)> {
    let mut tasks = Vec::new();
    let rules = RULES.iter().map(|(rule, changes, _)| (*rule, changed(GOOD, changes)));
    let cases = CASES.iter().map(|case| (case.row, changed(case.from, case.changes)));
    // The extension s3 is none of Druid's own jars.
    for (name, document) in rules.chain(cases).filter(|(_, document)| !document.text().contains("\"s3\"")) {
        let simple = document.text().replace("\"index_parallel\"", "\"index\"");
        let is_batch = simple.contains("\"index\"") && !simple.contains("\"compact\"");
        tasks.push((name.to_owned(), document));
        if is_batch {
            tasks.push((format!("{name} (index)"), Document::parse(simple)));
        }
    }
    let mut seen = BTreeMap::new();
    for (name, _) in &mut tasks {
        let nth = seen.entry(name.clone()).and_modify(|n| *n += 1).or_insert(1);
        *name = format!("{name} {nth}");
    }
    tasks
}

/// On one line, as the program reads it. The order is that of the text: Druid meets its parts in it.
fn line(document: &Document) -> String {
    document.text().lines().map(str::trim).collect()
}

#[test]
fn what_is_foretold_is_what_druids_own_classes_say() {
    if let Some(file) = std::env::var_os("REFUSED_TASKS") {
        let lines: Vec<String> =
            tasks().iter().map(|(name, document)| format!("{name}\t{}\n", line(document))).collect();
        std::fs::write(file, lines.concat()).unwrap();
    }
    let answers = [
        (DRUID_33, include_str!("../vectors/refusals-33.tsv")),
        (DRUID_37, include_str!("../vectors/refusals-37.tsv")),
    ];
    let mut off = Vec::new();
    let mut ours = BTreeSet::new();
    for (release, answers) in answers {
        check(release, answers, &mut off, &mut ours);
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
    // Sure to be refused, and told in our words: a metric inside another, granularities as Java writes them, the names of
    // what a server has loaded, values of another kind.
    let told_in_our_words = ["metric-name", "two-granularities", "unknown-input-source", "wrong-kind"];
    assert_eq!(ours, BTreeSet::from(told_in_our_words));
}

fn check(release: Release, answers: &str, off: &mut Vec<String>, ours: &mut BTreeSet<&'static str>) {
    let mut words = BTreeMap::new();
    for line in answers.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        words.insert((parts[0].to_owned(), parts[2].to_owned()), parts[1].replace("\\t", "\t"));
    }
    assert_eq!(words.len(), tasks().len());
    for (name, document) in tasks() {
        let told = words.get(&(name.clone(), line(&document)));
        let told = told.unwrap_or_else(|| panic!("{name} was not asked of Druid's classes yet"));
        let found = refused(&document, release);
        let first = found.first();
        match first {
            Some(first) if !first.verbatim && !told.is_empty() => {
                ours.insert(first.rule);
            }
            _ if first.map(|refusal| refusal.line()).unwrap_or_default() == *told => {}
            _ => off.push(format!("{} {name}\n  druid: {told}\n  here:  {first:?}", release.0)),
        }
    }
}
