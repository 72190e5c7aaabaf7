//! Rule by rule: what breaks it, the server's words, and that the fixes offered mend it.

use std::collections::BTreeSet;

use super::{DRUID_33, refused, with};

/// Rule, changes that break it, the server's words.
pub(super) type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const RANGE: &str = r#"{"type":"range","partitionDimensions":["page"],"targetRowsPerSegment":5}"#;

/// Facts 4.2 and the constructors they name, one line a rule.
pub(super) const RULES: &[Case] = &[
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
        "Must specify at least one delegate inputSource",
    ),
    (
        "inline-delegate",
        &[(
            "spec.ioConfig.inputSource",
            "{\"type\":\"combining\",\"delegates\":[{\"type\":\"inline\",\"data\":\"x\"}]}",
        )],
        "Could not resolve type id 'inline' as a subtype of `org.apache.druid.data.input.impl.SplittableInputSource`: Class `org.apache.druid.data.input.impl.InlineInputSource` not subtype of `org.apache.druid.data.input.impl.SplittableInputSource`",
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
        "Cannot specify a column more than once: [__time] seen in metricsSpec list, primary timestamp (__time cannot appear elsewhere except as long-typed dimension)",
    ),
    (
        "duplicate-column",
        &[("spec.dataSchema.dimensionsSpec.dimensions", "[\"page\",\"page\"]")],
        "Duplicate column entries found : [page]",
    ),
    (
        "metric-name",
        &[("spec.dataSchema.metricsSpec", "[{\"type\":\"count\",\"name\":\"\"}]")],
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
        "Could not resolve subtype of [simple type, class org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexIOConfig]: missing type id property 'type' (for POJO property 'ioConfig')",
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
