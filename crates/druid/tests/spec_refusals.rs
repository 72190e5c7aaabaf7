//! What a server would refuse: against the recorded answers of a live Druid, and rule by rule.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failing test should stop at once"
)]

use std::collections::BTreeSet;

use druid::json::{Document, Edit, Path, quote};
use druid::release::Release;
use druid::spec::{Refusal, Task, example, refusals};
use druid::zone::UtcOnly;
use serde_json::Value;

const DRUID_33: Release = Release(33, 0, 0);
const DRUID_37: Release = Release(37, 0, 0);

/// A task that a live Druid took, made like those of the recording.
const GOOD: &str = r#"{
  "type": "index_parallel",
  "id": "ls_x",
  "spec": {
    "dataSchema": {
      "dataSource": "ls_x",
      "timestampSpec": {"column": "ts", "format": "iso"},
      "dimensionsSpec": {"dimensions": ["page", {"type": "long", "name": "n"}]},
      "metricsSpec": [],
      "granularitySpec": {
        "type": "uniform",
        "segmentGranularity": "DAY",
        "queryGranularity": "NONE",
        "rollup": false,
        "intervals": ["2026-07-16/2026-07-17"]
      }
    },
    "ioConfig": {
      "type": "index_parallel",
      "inputSource": {"type": "inline", "data": "{\"ts\":\"2026-07-16\",\"page\":\"a\",\"n\":1}"},
      "inputFormat": {"type": "json"},
      "appendToExisting": false
    },
    "tuningConfig": {"type": "index_parallel"}
  }
}"#;

const IO: &str = "spec.ioConfig";
const TUNING: &str = "spec.tuningConfig";
const GRANULARITY: &str = "spec.dataSchema.granularitySpec";

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

/// The good task with values put in (JSON text) or taken away (empty text).
fn with(changes: &[(&str, &str)]) -> Document {
    changes.iter().fold(Document::parse(GOOD), |document, (place, json)| {
        let edit = if json.is_empty() {
            Edit::Remove(path(place))
        } else {
            Edit::Set(path(place), (*json).to_owned())
        };
        document.apply(&document.edit(&edit).unwrap()).unwrap()
    })
}

fn refused(document: &Document, release: Release) -> Vec<Refusal> {
    refusals(&Task::read(document, &UtcOnly), release)
}

fn rules(document: &Document, release: Release) -> Vec<&'static str> {
    refused(document, release).iter().map(|refusal| refusal.rule).collect()
}

/// The document of a recorded submit, where its description says enough to make it again.
fn submitted(pair: &Value) -> Option<Document> {
    let id = pair["id"].as_str().unwrap();
    if let Some(text) = pair["request"]["body_text"].as_str() {
        return Some(Document::parse(text));
    }
    if pair["request"]["body"].is_object() {
        return Some(Document::parse(pair["request"]["body"].to_string()));
    }
    let body = pair["request"]["body"].as_str()?.strip_prefix('(')?.strip_suffix(')')?;
    let intervals = format!("{GRANULARITY}.intervals");
    let segment = format!("{GRANULARITY}.segmentGranularity");
    let (append, drop) = (format!("{IO}.appendToExisting"), format!("{IO}.dropExisting"));
    let (force, partitions) = (format!("{TUNING}.forceGuaranteedRollup"), format!("{TUNING}.partitionsSpec"));
    let hashed = "{\"type\":\"hashed\"}";
    if let Some(json) = body.strip_prefix("granularitySpec.intervals ").filter(|json| json.starts_with('[')) {
        return Some(with(&[(&intervals, json)]));
    }
    if let Some(json) = body.strip_prefix("segmentGranularity ") {
        return Some(with(&[(&segment, json.split(", a one-day").next()?)]));
    }
    if let Some(json) = body.strip_prefix("id ").filter(|json| json.ends_with('"')) {
        return Some(with(&[("id", json)]));
    }
    Some(match id {
        "missing-datasource" => with(&[("spec.dataSchema.dataSource", "")]),
        "empty-datasource" => with(&[("spec.dataSchema.dataSource", "\"\"")]),
        "slash-datasource" => with(&[("spec.dataSchema.dataSource", "\"a/b\"")]),
        "interval-not-array" => with(&[(&intervals, "\"2026-07-16/2026-07-17\"")]),
        "append-and-drop" => with(&[(&append, "true"), (&drop, "true")]),
        "append-with-hashed" => with(&[(&append, "true"), (&partitions, hashed), (&force, "true")]),
        "append-with-hashed-noforce" => with(&[(&append, "true"), (&partitions, hashed)]),
        "hashed-noforce" => with(&[(&partitions, hashed)]),
        "dynamic-with-force" => with(&[(&partitions, "{\"type\":\"dynamic\"}"), (&force, "true")]),
        "force-without-partitionsSpec" => with(&[(&force, "true")]),
        "drop-without-intervals" => with(&[(&drop, "true"), (&intervals, "")]),
        "drop-with-empty-intervals" => with(&[(&drop, "true"), (&intervals, "[]")]),
        "empty-intervals-overwrite" => with(&[(&intervals, "[]")]),
        "range-on-inline" => with(&[
            (
                &partitions,
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":5}",
            ),
            (&force, "true"),
        ]),
        "id-inside-spec-only" => with(&[("id", ""), ("spec.id", "\"x\"")]),
        "no-id" => with(&[("id", "")]),
        "unknown-key" => with(&[("spec.ioConfig.dropExsiting", "true")]),
        _ => return None,
    })
}

#[test]
fn a_live_druid_refused_the_same_tasks_in_the_same_words() {
    let live: Value = serde_json::from_str(include_str!("vectors/live-responses.json")).unwrap();
    let (mut taken, mut refused_too) = (0, 0);
    for pair in live["pairs"].as_array().unwrap() {
        let is_submit =
            pair["request"]["path"] == "/druid/indexer/v1/task" && pair["request"]["method"] == "POST";
        let Some(document) = Some(pair).filter(|_| is_submit).and_then(submitted) else { continue };
        let (id, status) = (pair["id"].as_str().unwrap(), pair["response"]["status"].as_u64().unwrap());
        let found = refused(&document, DRUID_33);
        if status == 200 {
            // A task that stalls the cluster is taken by the server and refused here.
            let found: Vec<_> = found.iter().filter(|refusal| refusal.rule != "id-stalls").collect();
            assert!(found.is_empty(), "{id}: {found:?}");
            taken += 1;
            continue;
        }
        if status == 415 || status == 405 {
            continue; // not about the task
        }
        let first = found.first().unwrap_or_else(|| panic!("{id} was refused: {}", pair["response"]));
        let told = pair["response"]["body"]["error"].as_str().unwrap_or_default();
        if first.verbatim {
            assert_eq!(first.line(), told, "{id}");
        } else if status == 400 && id != "malformed-json-trailing" {
            assert!(told.contains(&first.message), "{id}: {told} | {}", first.message);
        }
        refused_too += 1;
    }
    assert!(taken >= 25 && refused_too >= 30, "{taken} accepted and {refused_too} refused submits agree");
}

#[test]
fn the_example_and_the_good_task_are_refused_by_nobody() {
    for release in [Release::major(24), DRUID_33, DRUID_37, Release::major(38)] {
        assert_eq!(refused(&Document::parse(example()), release), []);
        assert_eq!(refused(&Document::parse(GOOD), release), []);
    }
}

/// Rule, changes that break it, the server's words.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const RANGE: &str = r#"{"type":"range","partitionDimensions":["page"],"targetRowsPerSegment":5}"#;

/// Facts 4.2 and the constructors they name, one line a rule.
const RULES: &[Case] = &[
    (
        "append-and-drop",
        &[("spec.ioConfig.appendToExisting", "true"), ("spec.ioConfig.dropExisting", "true")],
        "Cannot simultaneously replace and append to existing segments. Either dropExisting or appendToExisting should be set to false",
    ),
    (
        "drop-without-intervals",
        &[("spec.ioConfig.dropExisting", "true"), ("spec.dataSchema.granularitySpec.intervals", "")],
        "GranularitySpec's intervals cannot be empty when using replace.",
    ),
    (
        "append-and-perfect-rollup",
        &[
            ("spec.ioConfig.appendToExisting", "true"),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
            ("spec.tuningConfig.partitionsSpec", RANGE),
        ],
        "Perfect rollup cannot be guaranteed when appending to existing dataSources",
    ),
    (
        "partitions-need-perfect-rollup",
        &[("spec.tuningConfig.partitionsSpec", RANGE)],
        "DynamicPartitionsSpec must be used for best-effort rollup",
    ),
    (
        "partitions-need-perfect-rollup",
        &[("spec.tuningConfig.partitionsSpec", "{\"numShards\":2}")],
        "DynamicPartitionsSpec must be used for best-effort rollup",
    ),
    (
        "dynamic-and-perfect-rollup",
        &[
            ("spec.tuningConfig.partitionsSpec", "{\"type\":\"dynamic\"}"),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "DynamicPartitionsSpec cannot be used for perfect rollup",
    ),
    (
        "no-partition-dimensions",
        &[
            ("spec.tuningConfig.partitionsSpec", "{\"type\":\"range\",\"targetRowsPerSegment\":5}"),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "partitionDimensions must be specified",
    ),
    (
        "no-partition-dimensions",
        &[
            (
                "spec.tuningConfig.partitionsSpec",
                "{\"type\":\"range\",\"partitionDimensions\":[],\"targetRowsPerSegment\":5}",
            ),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "partitionDimensions must be specified",
    ),
    (
        "no-partition-dimensions",
        &[
            ("spec.tuningConfig.partitionsSpec", "{\"type\":\"single_dim\",\"targetRowsPerSegment\":5}"),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "partitionDimensions must be specified",
    ),
    (
        "range-size",
        &[
            ("spec.tuningConfig.partitionsSpec", "{\"type\":\"range\",\"partitionDimensions\":[\"page\"]}"),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "Exactly one of targetRowsPerSegment or maxRowsPerSegment must be present",
    ),
    (
        "range-size",
        &[
            (
                "spec.tuningConfig.partitionsSpec",
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":5,\"maxRowsPerSegment\":6}",
            ),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "Exactly one of targetRowsPerSegment or maxRowsPerSegment must be present",
    ),
    (
        "not-positive",
        &[
            (
                "spec.tuningConfig.partitionsSpec",
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":0}",
            ),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "targetRowsPerSegment must be greater than 0",
    ),
    (
        "not-positive",
        &[
            (
                "spec.tuningConfig.partitionsSpec",
                "{\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":2000000000}",
            ),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "targetRowsPerSegment is too large",
    ),
    (
        "at-most-one",
        &[
            (
                "spec.tuningConfig.partitionsSpec",
                "{\"type\":\"hashed\",\"numShards\":2,\"targetRowsPerSegment\":5}",
            ),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "At most one of [Property{name='targetRowsPerSegment', value=5}] or [Property{name='numShards', value=2}] must be present",
    ),
    (
        "not-positive",
        &[
            ("spec.tuningConfig.partitionsSpec", "{\"type\":\"hashed\",\"numShards\":0}"),
            ("spec.tuningConfig.forceGuaranteedRollup", "true"),
        ],
        "numShards[0] should be positive",
    ),
    (
        "not-positive",
        &[("spec.tuningConfig.partitionsSpec", "{\"type\":\"dynamic\",\"maxRowsPerSegment\":0}")],
        "maxRowsPerSegment must be greater than 0",
    ),
    (
        "not-positive",
        &[("spec.tuningConfig.partitionsSpec", "{\"type\":\"dynamic\",\"maxTotalRows\":-5}")],
        "maxTotalRows must be greater than 0",
    ),
    (
        "not-positive",
        &[("spec.tuningConfig.maxNumConcurrentSubTasks", "0")],
        "maxNumConcurrentSubTasks must be positive",
    ),
    (
        "not-positive",
        &[("spec.tuningConfig.maxNumSegmentsToMerge", "0")],
        "maxNumSegmentsToMerge must be positive",
    ),
    (
        "not-positive",
        &[("spec.tuningConfig.totalNumMergeTasks", "-1")],
        "totalNumMergeTasks must be positive",
    ),
    (
        "two-sub-task-limits",
        &[("spec.tuningConfig.maxNumConcurrentSubTasks", "2"), ("spec.tuningConfig.maxNumSubTasks", "2")],
        "Can't use both maxNumSubTasks and maxNumConcurrentSubTasks. Use maxNumConcurrentSubTasks instead",
    ),
    (
        "two-row-targets",
        &[("spec.tuningConfig.targetPartitionSize", "2"), ("spec.tuningConfig.maxRowsPerSegment", "2")],
        "Can't use targetPartitionSize and maxRowsPerSegment together",
    ),
    (
        "int-range",
        &[("spec.tuningConfig.maxRowsInMemory", "3000000000")],
        "Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)",
    ),
    (
        "no-input-format",
        &[("spec.ioConfig.inputFormat", "")],
        "At least one of properties[[parser, inputFormat]] must be present",
    ),
    ("no-input-source", &[("spec.ioConfig.inputSource", "")], "inputSource"),
    ("empty-data", &[("spec.ioConfig.inputSource.data", "\"\"")], "empty data"),
    (
        "no-files",
        &[("spec.ioConfig.inputSource", "{\"type\":\"local\"}")],
        "At least one of baseDir or files should be specified",
    ),
    ("no-filter", &[("spec.ioConfig.inputSource", "{\"type\":\"local\",\"baseDir\":\"/x\"}")], "filter"),
    ("no-uris", &[("spec.ioConfig.inputSource", "{\"type\":\"http\",\"uris\":[]}")], "Empty URIs"),
    (
        "uri-protocol",
        &[("spec.ioConfig.inputSource", "{\"type\":\"http\",\"uris\":[\"ftp://x/y\"]}")],
        "Only [http, https] protocols are allowed",
    ),
    (
        "s3-places",
        &[("spec.ioConfig.inputSource", "{\"type\":\"s3\"}")],
        "Exactly one of uris, prefixes or objects must be specified",
    ),
    (
        "s3-places",
        &[(
            "spec.ioConfig.inputSource",
            "{\"type\":\"s3\",\"uris\":[\"s3://a/b\"],\"prefixes\":[\"s3://a/\"]}",
        )],
        "Exactly one of uris, prefixes or objects must be specified",
    ),
    (
        "druid-source-range",
        &[("spec.ioConfig.inputSource", "{\"type\":\"druid\",\"dataSource\":\"d\"}")],
        "Specify exactly one of 'interval' and 'segments'",
    ),
    (
        "no-delegates",
        &[("spec.ioConfig.inputSource", "{\"type\":\"combining\",\"delegates\":[]}")],
        "Must specify atleast one delegate inputSource",
    ),
    (
        "inline-delegate",
        &[(
            "spec.ioConfig.inputSource",
            "{\"type\":\"combining\",\"delegates\":[{\"type\":\"inline\",\"data\":\"x\"}]}",
        )],
        "a combining source takes only sources that can be split, and inline data cannot",
    ),
    (
        "unknown-input-source",
        &[("spec.ioConfig.inputSource.type", "\"s4\"")],
        "Could not resolve type id 's4' as a subtype of `org.apache.druid.data.input.InputSource`",
    ),
    (
        "no-columns",
        &[("spec.ioConfig.inputFormat", "{\"type\":\"csv\"}")],
        "Either [columns] or [findColumnsFromHeader] must be set",
    ),
    (
        "no-columns",
        &[("spec.ioConfig.inputFormat", "{\"type\":\"csv\",\"findColumnsFromHeader\":false}")],
        "If [columns] is not set, the first row of your data must have your header and [findColumnsFromHeader] must be set to true.",
    ),
    (
        "same-delimiters",
        &[(
            "spec.ioConfig.inputFormat",
            "{\"type\":\"tsv\",\"delimiter\":\"|\",\"listDelimiter\":\"|\",\"columns\":[\"a\"]}",
        )],
        "Cannot have same delimiter and list delimiter of [|]",
    ),
    (
        "delimiter-in-column",
        &[("spec.ioConfig.inputFormat", "{\"type\":\"csv\",\"columns\":[\"a,b\"]}")],
        "Column[a,b] cannot have the delimiter[,] in its name",
    ),
    ("no-timestamp-spec", &[("spec.dataSchema.timestampSpec", "")], "timestampSpec"),
    (
        "excluded-dimension",
        &[("spec.dataSchema.dimensionsSpec.dimensionExclusions", "[\"page\"]")],
        "dimensions and dimensions exclusions cannot overlap",
    ),
    (
        "duplicate-column",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"count\",\"name\":\"page\"}]")],
        "Cannot specify a column more than once: [page] seen in dimensions list, metricsSpec list",
    ),
    (
        "duplicate-column",
        &[(
            "spec.dataSchema.metricsSpec",
            "[{\"type\":\"count\",\"name\":\"c\"},{\"type\":\"count\",\"name\":\"c\"}]",
        )],
        "Cannot specify a column more than once: [c] seen in metricsSpec list (2 occurrences)",
    ),
    (
        "duplicate-column",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"count\",\"name\":\"__time\"}]")],
        "Cannot specify a column more than once: [__time] seen in metricsSpec list, primary timestamp (__time cannot appear as a dimension or metric)",
    ),
    (
        "duplicate-column",
        &[("spec.dataSchema.dimensionsSpec.dimensions", "[\"page\",\"page\"]")],
        "Duplicate column entries found : [page]",
    ),
    (
        "metric-name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"count\"}]")],
        "Encountered metric with null or empty name at position 0",
    ),
    (
        "overlapping-intervals",
        &[
            ("spec.dataSchema.granularitySpec.type", "\"arbitrary\""),
            ("spec.dataSchema.granularitySpec.intervals", "[\"2026-01-01/P2D\",\"2026-01-02/P2D\"]"),
        ],
        "Overlapping intervals: 2026-01-01T00:00:00.000Z/2026-01-03T00:00:00.000Z, 2026-01-02T00:00:00.000Z/2026-01-04T00:00:00.000Z",
    ),
    (
        "datasource",
        &[("spec.dataSchema.dataSource", "\"a/b \\\"c\\\"\"")],
        "Invalid value for field [dataSource]: Value [a/b \"c\"] cannot contain '/'.",
    ),
    (
        "part-type",
        &[("spec.ioConfig.type", "")],
        "missing type id property 'type' (for POJO property 'ioConfig')",
    ),
    (
        "wrong-kind",
        &[("spec.ioConfig.dropExisting", "\"yes\"")],
        "dropExisting is a text, but must be true or false",
    ),
    (
        "parser-and-input-source",
        &[("spec.dataSchema.parser", "{\"type\":\"string\"}")],
        "Cannot use parser and inputSource together. Try using inputFormat instead of parser.",
    ),
];

#[test]
fn every_rule_is_told_in_the_words_of_the_server() {
    for (rule, changes, words) in RULES {
        let found = refused(&with(changes), DRUID_33);
        let told: Vec<_> = found.iter().map(|refusal| (refusal.rule, refusal.message.as_str())).collect();
        assert_eq!(told, [(*rule, *words)], "{changes:?}");
    }
}

#[test]
fn a_fix_mends_what_it_says_it_mends() {
    let mut mended = BTreeSet::new();
    for (rule, changes, _) in RULES {
        let document = with(changes);
        for refusal in refused(&document, DRUID_33) {
            for fix in &refusal.fixes {
                let fixed = fix.edits.iter().fold(document.clone(), |document, edit| {
                    document.apply(&document.edit(edit).unwrap()).unwrap()
                });
                let left = refused(&fixed, DRUID_33);
                assert!(
                    !left.iter().any(|other| (other.rule, &other.path) == (refusal.rule, &refusal.path)),
                    "{rule}: {} left {left:?}",
                    fix.label
                );
                mended.insert(*rule);
            }
        }
    }
    assert!(mended.len() >= 14, "{mended:?}");
}

#[test]
fn rules_change_with_the_release() {
    let missing = with(&[("spec.dataSchema.timestampSpec", "")]);
    assert_eq!(refused(&missing, DRUID_37)[0].message, "timestampSpec must not be null");
    let format = with(&[("spec.ioConfig.inputFormat", "")]);
    assert_eq!(refused(&format, DRUID_37)[0].message, "inputFormat must not be null");
    let source = with(&[("spec.ioConfig.inputSource", "")]);
    assert_eq!(refused(&source, DRUID_37)[0].message, "inputSource must not be null");
    let time = with(&[(
        "spec.dataSchema.dimensionsSpec.dimensions",
        "[{\"type\":\"long\",\"name\":\"__time\"},\"a\"]",
    )]);
    assert_eq!(rules(&time, Release::major(30)), ["duplicate-column"]);
    assert_eq!(rules(&time, Release::major(31)), [] as [&str; 0]);
    let hadoop = Document::parse("{\"type\":\"index_hadoop\"}");
    assert_eq!(rules(&hadoop, DRUID_33), [] as [&str; 0]);
    assert_eq!(rules(&hadoop, DRUID_37), ["hadoop-gone"]);
    let base = with(&[("spec.dataSchema.baseTable", "{}")]);
    assert_eq!(rules(&base, Release::major(38)), ["base-table-and-legacy"]);
    assert_eq!(rules(&base, DRUID_37), [] as [&str; 0]);
}

#[test]
fn a_parser_of_old_can_be_taken_apart() {
    let old = with(&[
        ("spec.dataSchema.timestampSpec", ""),
        ("spec.dataSchema.dimensionsSpec", ""),
        ("spec.ioConfig.inputFormat", ""),
        (
            "spec.dataSchema.parser",
            r#"{"type":"string","parseSpec":{"format":"csv","columns":["t","a"],"timestampSpec":{"column":"t"},"dimensionsSpec":{"dimensions":["a"]}}}"#,
        ),
    ]);
    let found = refused(&old, DRUID_37);
    let fix = found.iter().find(|refusal| refusal.rule == "parser-gone").unwrap().fixes[0].clone();
    let mended =
        fix.edits.iter().fold(old, |document, edit| document.apply(&document.edit(edit).unwrap()).unwrap());
    assert_eq!(refused(&mended, DRUID_37), []);
    let task = Task::read(&mended, &UtcOnly);
    let batch = task.batch().unwrap();
    assert_eq!((batch.timestamp.column.as_str(), batch.input_format.as_deref()), ("t", Some("csv")));
    assert_eq!(batch.dimensions.names, ["a"]);
}

#[test]
fn the_simple_task_has_its_own_words() {
    let text = GOOD.replace("index_parallel", "index");
    let document = Document::parse(text.as_str());
    assert_eq!(refused(&document, DRUID_33), []);
    let splice = document.set(&path("spec.ioConfig.dropExisting"), "true").unwrap();
    let document = document.apply(&splice).unwrap();
    let splice = document.remove(&path("spec.dataSchema.granularitySpec.intervals")).unwrap();
    let found = refused(&document.apply(&splice).unwrap(), DRUID_33);
    assert_eq!(
        found[0].line(),
        "Cannot construct instance of `org.apache.druid.indexing.common.task.IndexTask$IndexIngestionSpec`, \
         problem: GranularitySpec's intervals cannot be empty for replace."
    );
}

#[test]
fn several_refusals_come_in_the_order_in_which_druid_would_meet_them() {
    let document = with(&[
        ("spec.ioConfig.appendToExisting", "true"),
        ("spec.ioConfig.dropExisting", "true"),
        ("spec.tuningConfig.maxNumConcurrentSubTasks", "0"),
        ("spec.dataSchema.granularitySpec.intervals", "[\"x\"]"),
        ("id", "\".x\""),
    ]);
    assert_eq!(rules(&document, DRUID_33), ["interval", "not-positive", "id-characters", "append-and-drop"]);
}

#[test]
fn an_id_that_would_stall_the_cluster_is_refused_here() {
    let long = with(&[("id", &quote(&"x".repeat(218)))]);
    assert_eq!(rules(&long, DRUID_33), ["id-stalls"]);
    assert!(!refused(&long, DRUID_33)[0].verbatim);
    let longer = with(&[("id", &quote(&"x".repeat(256)))]);
    assert_eq!(rules(&longer, DRUID_33), ["id-too-long"]);
}

#[test]
fn compaction_and_kill_need_a_datasource() {
    assert_eq!(
        rules(&Document::parse(r#"{"type":"kill","interval":"2026-01-01/P1D"}"#), DRUID_33),
        ["datasource"]
    );
    assert_eq!(
        rules(
            &Document::parse(r#"{"type":"compact","dataSource":"d","interval":"2026-01-01/P1D"}"#),
            DRUID_33
        ),
        [] as [&str; 0]
    );
}

#[test]
fn no_task_that_a_live_druid_ran_is_refused() {
    let packed: [&[u8]; 2] =
        [include_bytes!("vectors/live-33.jsonl.gz"), include_bytes!("vectors/live-37.jsonl.gz")];
    let mut seen = 0;
    for bytes in packed {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(bytes), &mut text).unwrap();
        for line in text.lines() {
            let run: Value = serde_json::from_str(line).unwrap();
            let release = Release::parse(run["druid"].as_str().unwrap()).unwrap();
            let document = Document::parse(run["task"].to_string());
            assert_eq!(refused(&document, release), [], "{}", run["name"]);
            seen += 1;
        }
    }
    assert_eq!(seen, 1061);
}
