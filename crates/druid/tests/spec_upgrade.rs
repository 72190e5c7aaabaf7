//! Old forms brought to the form of today. What each becomes is written down from Druid's own pages and classes:
//! *Migrate from firehose to input source ingestion*, *Native batch ingestion with firehose*, *Source input formats*,
//! *Hadoop-based ingestion*, `HadoopTuningConfig`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failing test should stop at once"
)]

use druid::json::{Document, Node};
use druid::release::Release;
use druid::spec::upgrade::{OldForm, Said, Upgrade, old_forms, upgrade};
use druid::spec::{Task, TaskKind, lint, refusals};
use druid::zone::UtcOnly;
use serde_json::{Value, json};

const DRUID_37: Release = Release::major(37);

fn up(text: &str) -> Upgrade {
    upgrade(&Document::parse(text)).unwrap()
}

fn value(made: &Upgrade) -> Value {
    made.document.root().unwrap().value()
}

fn forms(text: &str) -> Vec<OldForm> {
    old_forms(&Task::read(&Document::parse(text), &UtcOnly))
}

#[track_caller]
fn says(said: &[Said], path: &str, part: &str) {
    let found = said.iter().any(|said| said.path.to_string() == path && said.text.contains(part));
    assert!(found, "{path}: {part} is not among {said:#?}");
}

/// A batch task with a firehose and a parser.
fn batch(firehose: &str, parser: &str) -> String {
    format!(
        r#"{{"type":"index","spec":{{"dataSchema":{{"dataSource":"d","parser":{parser},"metricsSpec":[],"granularitySpec":{{"intervals":["2026-01-01/P1D"]}}}},"ioConfig":{{"type":"index","firehose":{firehose}}},"tuningConfig":{{"type":"index"}}}}}}"#
    )
}

const JSON: &str = r#"{"type":"string","parseSpec":{"format":"json","timestampSpec":{"column":"t","format":"auto"},"dimensionsSpec":{"dimensions":["a"]}}}"#;
const LOCAL: &str = r#"{"type":"local","baseDir":"x","filter":"*.json"}"#;

/// `ioConfig.inputSource` after the upgrade.
fn source(firehose: &str) -> (Value, Upgrade) {
    let made = up(&batch(firehose, JSON));
    (value(&made)["spec"]["ioConfig"]["inputSource"].clone(), made)
}

/// `ioConfig.inputFormat` after the upgrade, and what is left of the parser.
fn format(parser: &str) -> (Value, Value, Upgrade) {
    let made = up(&batch(LOCAL, parser));
    let whole = value(&made);
    assert_eq!(whole["spec"]["dataSchema"]["parser"], Value::Null);
    (whole["spec"]["ioConfig"]["inputFormat"].clone(), whole["spec"]["dataSchema"]["_parser"].clone(), made)
}

#[test]
fn firehose_and_parser_become_what_druids_page_about_migrating_makes_of_them() {
    let made = up(&batch(LOCAL, JSON));
    assert_eq!(
        value(&made),
        json!({
            "type": "index",
            "spec": {
                "dataSchema": {
                    "dataSource": "d",
                    "timestampSpec": {"column": "t", "format": "auto"},
                    "dimensionsSpec": {"dimensions": ["a"]},
                    "metricsSpec": [],
                    "granularitySpec": {"intervals": ["2026-01-01/P1D"]}
                },
                "ioConfig": {
                    "type": "index",
                    "inputSource": {"type": "local", "baseDir": "x", "filter": "*.json"},
                    "inputFormat": {"type": "json"}
                },
                "tuningConfig": {"type": "index"}
            }
        })
    );
    says(&made.changes, "spec.ioConfig.inputSource", "firehose becomes inputSource");
    says(&made.changes, "spec.dataSchema.timestampSpec", "moves out of parser");
    says(&made.changes, "spec.dataSchema.dimensionsSpec", "moves out of parser");
    says(&made.changes, "spec.ioConfig.inputFormat", "the parseSpec of format json");
    assert_eq!(made.left, []);
    let task = Task::read(&made.document, &UtcOnly);
    assert_eq!(refusals(&task, DRUID_37), []);
    assert_eq!(lint(&made.document), []);
}

#[test]
fn every_firehose_has_the_source_that_took_its_place() {
    for (firehose, wanted) in [
        (json!({"type": "inline", "data": "a,b"}), json!({"type": "inline", "data": "a,b"})),
        (
            json!({"type": "http", "uris": ["https://h/x"], "httpAuthenticationUsername": "u"}),
            json!({"type": "http", "uris": ["https://h/x"], "httpAuthenticationUsername": "u"}),
        ),
        (json!({"type": "hdfs", "paths": "/a,/b"}), json!({"type": "hdfs", "paths": "/a,/b"})),
        (json!({"type": "static-s3", "uris": ["s3://b/x"]}), json!({"type": "s3", "uris": ["s3://b/x"]})),
        (
            json!({"type": "static-s3", "prefixes": ["s3://b/x/"]}),
            json!({"type": "s3", "prefixes": ["s3://b/x/"]}),
        ),
        (
            json!({"type": "static-google-blobstore", "blobs": [{"bucket": "b", "path": "p"}]}),
            json!({"type": "google", "objects": [{"bucket": "b", "path": "p"}]}),
        ),
        (
            json!({"type": "static-azure-blobstore", "blobs": [{"container": "c", "path": "p"}]}),
            json!({"type": "azure", "objects": [{"bucket": "c", "path": "p"}]}),
        ),
        (
            json!({"type": "sql", "database": {"type": "mysql"}, "sqls": ["SELECT 1"], "foldCase": true}),
            json!({"type": "sql", "database": {"type": "mysql"}, "sqls": ["SELECT 1"], "foldCase": true}),
        ),
        (
            json!({"type": "combining", "delegates": [
                {"type": "local", "baseDir": "x", "filter": "*"}, {"type": "static-s3", "uris": ["s3://b/x"]}]}),
            json!({"type": "combining", "delegates": [
                {"type": "local", "baseDir": "x", "filter": "*"}, {"type": "s3", "uris": ["s3://b/x"]}]}),
        ),
    ] {
        let (made, upgrade) = source(&firehose.to_string());
        assert_eq!(made, wanted);
        let has_format = firehose["type"] != "sql";
        assert_eq!(upgrade.left.is_empty(), has_format, "{:?}", upgrade.left);
    }
}

#[test]
fn a_firehose_over_segments_becomes_the_source_druid_with_its_time() {
    let firehose = r#"{"type":"ingestSegment","dataSource":"e","interval":"2026-01-01/P1D","dimensions":["a"],"metrics":["m"]}"#;
    let (made, upgrade) = source(firehose);
    assert_eq!(
        made,
        json!({"type": "druid", "dataSource": "e", "interval": "2026-01-01/P1D", "dimensions": ["a"], "metrics": ["m"]})
    );
    let schema = &value(&upgrade)["spec"]["dataSchema"];
    assert_eq!(schema["timestampSpec"], json!({"column": "__time", "format": "millis"}));
    assert_eq!(schema["_timestampSpec"], json!({"column": "t", "format": "auto"}));
    assert_eq!(value(&upgrade)["spec"]["ioConfig"]["inputFormat"], Value::Null);
    says(&upgrade.left, "spec.dataSchema._timestampSpec", "was not read");
    assert_eq!(refusals(&Task::read(&upgrade.document, &UtcOnly), DRUID_37), []);
}

#[test]
fn what_one_sub_task_reads_of_segments_moves_to_the_split_hint() {
    let firehose = r#"{"type":"ingestSegment","dataSource":"e","interval":"2026-01-01/P1D","maxInputSegmentBytesPerTask":1E3}"#;
    let text = batch(firehose, JSON).replace("\"index\"", "\"index_parallel\"");
    let made = up(&text);
    assert_eq!(
        value(&made)["spec"]["tuningConfig"]["splitHintSpec"],
        json!({"type": "segments", "maxInputSegmentBytesPerTask": 1E3})
    );
    assert!(
        made.document.text().contains("\"maxInputSegmentBytesPerTask\":1E3"),
        "a number keeps its spelling"
    );
    says(&made.changes, "spec.tuningConfig.splitHintSpec", "moves to a splitHintSpec");
}

#[test]
fn what_a_source_does_by_itself_stays_in_sight() {
    let (made, upgrade) = source(r#"{"type":"static-s3","uris":["s3://b/x"],"maxFetchRetry":7}"#);
    assert_eq!(made, json!({"type": "s3", "uris": ["s3://b/x"], "_maxFetchRetry": 7}));
    says(
        &upgrade.left,
        "spec.ioConfig.inputSource._maxFetchRetry",
        "maxFetchRetry is kept as _maxFetchRetry",
    );
}

#[test]
fn a_firehose_without_a_source_stays_in_sight_and_the_source_is_asked_for() {
    for firehose in [
        r#"{"type":"static-cloudfiles","blobs":[]}"#,
        r#"{"type":"combining","delegates":[{"type":"local","baseDir":"x","filter":"*"},{"type":"timed"}]}"#,
        r#"{"shutoffTime":1}"#,
    ] {
        let made = up(&batch(firehose, JSON));
        let io = &value(&made)["spec"]["ioConfig"];
        assert_eq!(io["_firehose"], serde_json::from_str::<Value>(firehose).unwrap());
        assert_eq!((&io["inputSource"], &io["firehose"]), (&Value::Null, &Value::Null));
        says(&made.left, "spec.ioConfig._firehose", "write an inputSource by hand");
        let refused = refusals(&Task::read(&made.document, &UtcOnly), DRUID_37);
        assert_eq!(refused[0].message, "inputSource must not be null");
    }
}

#[test]
fn every_parse_spec_has_the_input_format_that_took_its_place() {
    let spec = |members: &str| {
        format!(r#"{{"parseSpec":{{{members},"timestampSpec":{{"column":"t"}},"dimensionsSpec":{{}}}}}}"#)
    };
    for (parser, wanted) in [
        (
            spec(
                r#""format":"json","flattenSpec":{"fields":[]},"featureSpec":{"A":true},"keepNullColumns":true"#,
            ),
            json!({"type": "json", "flattenSpec": {"fields": []}, "featureSpec": {"A": true}, "keepNullColumns": true}),
        ),
        (
            spec(r#""format":"csv","columns":["t","a"],"listDelimiter":"|","skipHeaderRows":1"#),
            json!({"type": "csv", "columns": ["t", "a"], "listDelimiter": "|", "skipHeaderRows": 1}),
        ),
        (
            spec(r#""format":"csv","hasHeaderRow":true"#),
            json!({"type": "csv", "findColumnsFromHeader": true}),
        ),
        (
            spec(r#""format":"tsv","columns":["t"],"delimiter":";""#),
            json!({"type": "tsv", "columns": ["t"], "delimiter": ";"}),
        ),
        // ParseSpec names the delimited one for a parseSpec without a format.
        (spec(r#""columns":["t"]"#), json!({"type": "tsv", "columns": ["t"]})),
        (
            spec(r#""format":"regex","pattern":"(.*)","columns":["t"]"#),
            json!({"type": "regex", "pattern": "(.*)", "columns": ["t"]}),
        ),
    ] {
        let (made, left, upgrade) = format(&parser);
        assert_eq!((made, left), (wanted, Value::Null), "{parser}");
        assert_eq!(upgrade.left, []);
        assert_eq!(refusals(&Task::read(&upgrade.document, &UtcOnly), DRUID_37), []);
    }
}

#[test]
fn parsers_of_files_that_are_no_text_become_formats_of_their_own() {
    let common = r#""timestampSpec":{"column":"t"},"dimensionsSpec":{}"#;
    for (parser, wanted) in [
        (
            format!(
                r#"{{"type":"parquet","binaryAsString":true,"parseSpec":{{"format":"parquet","flattenSpec":{{}},{common}}}}}"#
            ),
            json!({"type": "parquet", "binaryAsString": true, "flattenSpec": {}}),
        ),
        (
            format!(r#"{{"type":"orc","parseSpec":{{"format":"timeAndDims",{common}}}}}"#),
            json!({"type": "orc"}),
        ),
        (
            format!(r#"{{"type":"avro_hadoop","parseSpec":{{"format":"avro",{common}}}}}"#),
            json!({"type": "avro_ocf"}),
        ),
        (
            format!(
                r#"{{"type":"avro_stream","avroBytesDecoder":{{"type":"schema_inline"}},"parseSpec":{{"format":"avro",{common}}}}}"#
            ),
            json!({"type": "avro_stream", "avroBytesDecoder": {"type": "schema_inline"}}),
        ),
        (
            format!(
                r#"{{"type":"protobuf","descriptor":"file:///x.desc","protoMessageType":"M","parseSpec":{{"format":"json",{common}}}}}"#
            ),
            json!({"type": "protobuf", "protoBytesDecoder": {"type": "file", "descriptor": "file:///x.desc", "protoMessageType": "M"}}),
        ),
    ] {
        let (made, left, _) = format(&parser);
        assert_eq!((made, left), (wanted, Value::Null), "{parser}");
    }
}

#[test]
fn what_no_input_format_does_stays_in_sight_and_has_to_be_written_by_hand() {
    let parser = r#"{"type":"string","encoding":"UTF-16","parseSpec":{"format":"javascript","function":"f","timestampSpec":{"column":"t"},"dimensionsSpec":{}}}"#;
    let (made, left, upgrade) = format(parser);
    assert_eq!(made, Value::Null);
    assert_eq!(
        left,
        json!({"type": "string", "encoding": "UTF-16", "parseSpec": {"format": "javascript", "function": "f"}})
    );
    says(&upgrade.left, "spec.ioConfig.inputFormat", "the parseSpec of format javascript");
    says(&upgrade.left, "spec.dataSchema._parser", "parser is kept as _parser");
    let thrift = r#"{"type":"thrift","parseSpec":{"format":"json","timestampSpec":{"column":"t"},"dimensionsSpec":{}}}"#;
    says(&format(thrift).2.left, "spec.ioConfig.inputFormat", "the parser thrift");
    // UTF-8 is what is read without a word; another encoding is not.
    let utf8 = JSON.replace("\"string\",", "\"string\",\"encoding\":\"UTF-8\",");
    assert_eq!(format(&utf8).1, Value::Null);
    let utf16 = JSON.replace("\"string\",", "\"string\",\"encoding\":\"UTF-16\",");
    assert_eq!(format(&utf16).1, json!({"encoding": "UTF-16"}));
}

#[test]
fn a_flat_spec_is_put_into_spec_and_the_rest_stays_where_it_is() {
    let made = up(
        "{\n  \"type\": \"index_parallel\",\n  \"id\": \"keep-me\",\n  \"dataSchema\": {\"dataSource\": \"d\", \"x\": 1E3},\n  \"ioConfig\": {\"appendToExisting\": true},\n  \"context\": {\"priority\":   60}\n}\n",
    );
    assert_eq!(
        made.document.text(),
        "{\n  \"type\": \"index_parallel\",\n  \"id\": \"keep-me\",\n  \"context\": {\"priority\":   60},\n  \"spec\": {\n    \"dataSchema\": {\n      \"dataSource\": \"d\",\n      \"x\": 1E3\n    },\n    \"ioConfig\": {\n      \"appendToExisting\": true\n    }\n  }\n}\n"
    );
    says(&made.changes, "spec", "move into spec");
}

#[test]
fn a_stream_without_spec_around_it_is_an_old_form_too() {
    let text = r#"{"type":"kafka","dataSchema":{"dataSource":"k","parser":{"type":"string","parseSpec":{"format":"json","timestampSpec":{"column":"t"},"dimensionsSpec":{}}}},"ioConfig":{"topic":"t"},"suspended":false}"#;
    assert_eq!(forms(text), [OldForm::Flat, OldForm::Parser]);
    let made = up(text);
    assert_eq!(
        value(&made),
        json!({"type": "kafka", "suspended": false, "spec": {
            "dataSchema": {"dataSource": "k", "timestampSpec": {"column": "t"}, "dimensionsSpec": {}},
            "ioConfig": {"topic": "t", "inputFormat": {"type": "json"}}}})
    );
    assert_eq!(lint(&made.document), []);
}

/// A Hadoop task with an `inputSpec` and members of `tuningConfig`.
fn hadoop(input: &str, tuning: &str) -> String {
    format!(
        r#"{{"type":"index_hadoop","spec":{{"dataSchema":{{"dataSource":"d","parser":{JSON},"metricsSpec":[{{"type":"count","name":"n"}}],"granularitySpec":{{"segmentGranularity":"DAY","intervals":["2026-01-01/2026-01-03"]}}}},"ioConfig":{{"type":"hadoop","inputSpec":{input}}},"tuningConfig":{{"type":"hadoop"{tuning}}}}},"hadoopDependencyCoordinates":["x:y:1"]}}"#
    )
}

/// `ioConfig.inputSource` for an `inputSpec`.
fn input(spec: &str) -> (Value, Upgrade) {
    let made = up(&hadoop(spec, ""));
    (value(&made)["spec"]["ioConfig"]["inputSource"].clone(), made)
}

fn paths(list: &str) -> (Value, Upgrade) {
    input(&format!(r#"{{"type":"static","paths":"{list}"}}"#))
}

#[test]
fn a_hadoop_task_becomes_a_native_one_that_druid_takes() {
    let made = up(&hadoop(r#"{"type":"static","paths":"/data/x.json"}"#, ""));
    assert_eq!(
        value(&made),
        json!({
            "type": "index_parallel",
            "spec": {
                "dataSchema": {
                    "dataSource": "d",
                    "timestampSpec": {"column": "t", "format": "auto"},
                    "dimensionsSpec": {"dimensions": ["a"]},
                    "metricsSpec": [{"type": "count", "name": "n"}],
                    "granularitySpec": {"segmentGranularity": "DAY", "intervals": ["2026-01-01/2026-01-03"]}
                },
                "ioConfig": {
                    "type": "index_parallel",
                    "inputSource": {"type": "hdfs", "paths": "/data/x.json"},
                    "inputFormat": {"type": "json"}
                },
                "tuningConfig": {
                    "type": "index_parallel",
                    "partitionsSpec": {"type": "hashed"},
                    "forceGuaranteedRollup": true,
                    "maxParseExceptions": 0
                }
            },
            "_hadoopDependencyCoordinates": ["x:y:1"]
        })
    );
    assert_eq!(Task::read(&made.document, &UtcOnly).kind, TaskKind::IndexParallel);
    assert_eq!(refusals(&Task::read(&made.document, &UtcOnly), DRUID_37), []);
    says(&made.changes, "type", "Druid 37 has no Hadoop ingestion");
    says(&made.changes, "spec.tuningConfig.partitionsSpec", "Hadoop takes it where nothing is said");
    says(&made.changes, "spec.tuningConfig.maxParseExceptions", "Hadoop ends at the first row");
    says(&made.left, "_hadoopDependencyCoordinates", "no classes of Hadoop are loaded");
    says(&made.left, "spec.tuningConfig.maxNumConcurrentSubTasks", "is 1 where it is not written");
}

#[test]
fn paths_of_hadoop_are_read_by_the_source_of_their_scheme() {
    let s3 = json!({"type": "s3", "uris": ["s3://b/x.gz", "s3://b/y.gz"]});
    for (list, wanted) in [
        ("hdfs://n/x,hdfs://n/{y,z}", json!({"type": "hdfs", "paths": "hdfs://n/x,hdfs://n/{y,z}"})),
        ("s3n://b/x.gz,s3a://b/y.gz", s3),
        ("s3://b/folder/", json!({"type": "s3", "prefixes": ["s3://b/folder/"]})),
        ("gs://b/x.json", json!({"type": "google", "uris": ["gs://b/x.json"]})),
        (
            "wasbs://c@acc.blob.core.windows.net/p/x.json",
            json!({"type": "azure", "uris": ["azure://c/p/x.json"]}),
        ),
        ("file:///data/x.json", json!({"type": "local", "files": ["/data/x.json"]})),
        ("https://h/x.json", json!({"type": "http", "uris": ["https://h/x.json"]})),
        (
            "s3://b/x.gz,/data/y.gz",
            json!({"type": "combining", "delegates": [
                {"type": "s3", "uris": ["s3://b/x.gz"]}, {"type": "hdfs", "paths": ["/data/y.gz"]}]}),
        ),
    ] {
        let (made, upgrade) = paths(list);
        assert_eq!(made, wanted, "{list}");
        assert_eq!(value(&upgrade)["spec"]["ioConfig"]["_inputSpec"], Value::Null, "{list}");
        assert_eq!(refusals(&Task::read(&upgrade.document, &UtcOnly), DRUID_37), [], "{list}");
    }
    says(&paths("s3://b/folder").1.left, "spec.ioConfig.inputSource", "is taken as a prefix");
}

#[test]
fn patterns_in_stores_other_than_hdfs_are_left_to_the_hand() {
    let (made, upgrade) = paths("s3://b/2026-*/x.gz");
    assert_eq!(made, Value::Null);
    says(&upgrade.left, "spec.ioConfig.inputSource", "write prefixes and an objectGlob by hand");
    assert_eq!(
        value(&upgrade)["spec"]["ioConfig"]["_inputSpec"],
        json!({"type": "static", "paths": "s3://b/2026-*/x.gz"})
    );
}

#[test]
fn folders_by_time_are_written_out_for_the_intervals() {
    let spec = r#"{"type":"granularity","dataGranularity":"day","inputPath":"s3n://b/in"}"#;
    let (made, _) = input(spec);
    assert_eq!(
        made,
        json!({"type": "s3", "prefixes": ["s3://b/in/y=2026/m=01/d=01/", "s3://b/in/y=2026/m=01/d=02/"]})
    );
    let with_pattern = spec.replace("}", r#","filePattern":".*gz"}"#);
    let (made, upgrade) = input(&with_pattern);
    assert!(made.is_object());
    says(&upgrade.left, "spec.ioConfig.inputSource", "filePattern is not carried over");
    assert!(value(&upgrade)["spec"]["ioConfig"]["_inputSpec"].is_object(), "it stays in sight");
    for (odd, why) in [
        (spec.replace("}", r#","pathFormat":"yyyy"}"#), "by pathFormat"),
        (spec.replace("day", "six_hour"), "dataGranularity"),
        (spec.replace("day", "minute"), "2880 folders are too many"),
    ] {
        let (made, upgrade) = input(&odd);
        assert_eq!(made, Value::Null);
        says(&upgrade.left, "spec.ioConfig.inputSource", why);
    }
}

#[test]
fn segments_that_hadoop_read_are_read_by_the_source_druid() {
    let spec = r#"{"type":"dataSource","ingestionSpec":{"dataSource":"e","intervals":["2026-01-01/P1D"],"dimensions":["a"]}}"#;
    let (made, upgrade) = input(spec);
    assert_eq!(
        made,
        json!({"type": "druid", "interval": "2026-01-01/P1D", "dataSource": "e", "dimensions": ["a"]})
    );
    says(&upgrade.left, "spec.dataSchema.metricsSpec", "a count counts stored rows");
    assert_eq!(value(&upgrade)["spec"]["dataSchema"]["timestampSpec"]["column"], "__time");
    let two = spec.replace(r#"["2026-01-01/P1D"]"#, r#"["2026-01-01/P1D","2026-02-01/P1D"]"#);
    let (made, _) = input(&two);
    assert_eq!(made["type"], "combining");
    assert_eq!(made["delegates"][1]["interval"], "2026-02-01/P1D");
    let multi = format!(r#"{{"type":"multi","children":[{spec},{{"type":"static","paths":"/more"}}]}}"#);
    let (made, upgrade) = input(&multi);
    assert_eq!(made["delegates"][0]["type"], "druid");
    assert_eq!(made["delegates"][1], json!({"type": "hdfs", "paths": "/more"}));
    says(&upgrade.left, "spec.dataSchema.timestampSpec", "have their time in __time");
}

#[test]
fn tuning_of_hadoop_keeps_what_has_a_counterpart_and_names_what_has_none() {
    let made = up(&hadoop(
        r#"{"type":"static","paths":"/x"}"#,
        r#","rowFlushBoundary":5,"indexSpec":{},"ignoreInvalidRows":true,"jobProperties":{"a":"b"},"combineText":true,"partitionsSpec":{"type":"hadoop_single_dim_partitions","targetPartitionSize":7}"#,
    ));
    assert_eq!(
        value(&made)["spec"]["tuningConfig"],
        json!({
            "type": "index_parallel",
            "maxRowsInMemory": 5,
            "indexSpec": {},
            "_ignoreInvalidRows": true,
            "_jobProperties": {"a": "b"},
            "_combineText": true,
            "partitionsSpec": {"type": "single_dim", "targetPartitionSize": 7},
            "forceGuaranteedRollup": true
        })
    );
    says(&made.left, "spec.tuningConfig._jobProperties", "there is no Hadoop job");
    says(&made.left, "spec.tuningConfig._combineText", "splitHintSpec");
    says(&made.left, "spec.tuningConfig.partitionsSpec.partitionDimension", "written by hand");
    says(&made.changes, "spec.tuningConfig.maxRowsInMemory", "its name today");
    // Every property that HadoopTuningConfig reads is either one of native batch or named.
    for key in [
        "workingPath",
        "version",
        "shardSpecs",
        "leaveIntermediate",
        "cleanupOnFailure",
        "overwriteFiles",
        "ignoreInvalidRows",
        "jobProperties",
        "combineText",
        "useCombiner",
        "numBackgroundPersistThreads",
        "forceExtendableShardSpecs",
        "useExplicitVersion",
        "allowedHadoopPrefix",
        "useYarnRMJobStatusFallback",
        "determinePartitionsSamplingFactor",
    ] {
        let made = up(&hadoop(r#"{"type":"static","paths":"/x"}"#, &format!(",\"{key}\":1")));
        says(&made.left, &format!("spec.tuningConfig._{key}"), &format!("{key} is kept as _{key}"));
    }
    for key in [
        "partitionsSpec",
        "indexSpec",
        "indexSpecForIntermediatePersists",
        "appendableIndexSpec",
        "maxRowsInMemory",
        "maxBytesInMemory",
        "logParseExceptions",
        "maxParseExceptions",
        "awaitSegmentAvailabilityTimeoutMillis",
    ] {
        let made =
            up(&hadoop(r#"{"type":"static","paths":"/x"}"#, &format!(",\"{key}\":{{\"numShards\":3}}")));
        assert_eq!(value(&made)["spec"]["tuningConfig"][key], json!({"numShards": 3}), "{key}");
    }
}

#[test]
fn a_release_that_still_takes_a_form_is_known() {
    let at = |form: OldForm, kind: TaskKind| {
        [25, 26, 36, 37].map(|release| form.is_taken(&kind, Release::major(release)))
    };
    assert_eq!(at(OldForm::Flat, TaskKind::IndexParallel), [false; 4]);
    assert_eq!(at(OldForm::Flat, TaskKind::Supervisor("kafka".to_owned())), [true; 4]);
    assert_eq!(at(OldForm::Firehose, TaskKind::Index), [true, false, false, false]);
    assert_eq!(at(OldForm::Parser, TaskKind::Index), [true, true, true, false]);
    assert_eq!(at(OldForm::Hadoop, TaskKind::Hadoop), [true, true, true, false]);
}

#[test]
fn what_is_in_no_old_form_stays_byte_for_byte() {
    for text in [
        druid::spec::example(),
        "",
        "{",
        "[]",
        r#"{"type":"kill","dataSource":"d"}"#,
        r#"{"type":"noop","spec":1,"dataSchema":{"parser":{}}}"#,
        r#"{"type":"index_parallel","spec":{"dataSchema":{"parser":null},"ioConfig":{"firehose":null}}}"#,
        "{\"type\":\"index_hadoop\",", // no JSON yet
    ] {
        assert_eq!(forms(text), []);
        let made = up(text);
        assert_eq!((made.document.text(), made.edits.len(), made.left.len()), (text, 0, 0));
    }
}

#[test]
fn a_part_that_is_no_object_cannot_be_upgraded() {
    let document = Document::parse(r#"{"type":"index_hadoop","spec":{"ioConfig":5}}"#);
    assert!(upgrade(&document).unwrap_err().to_string().contains("spec.ioConfig"));
}

/// Every plain value of a document.
fn leaves(document: &Document) -> Vec<String> {
    fn walk(node: Node<'_>, out: &mut Vec<String>) {
        if node.children().next().is_none() {
            out.push(node.text().to_owned());
        }
        node.children().for_each(|child| walk(child, out));
    }
    let mut out = Vec::new();
    document.root().into_iter().for_each(|root| walk(root, &mut out));
    out
}

#[test]
fn nothing_is_lost_in_any_spec_that_people_have() {
    // What is another word today: types of tasks, parsers and formats, and what is read off where it moved to.
    let words = [
        "\"index_hadoop\"",
        "\"hadoop\"",
        "\"hadoopyString\"",
        "\"string\"",
        "\"json\"",
        "\"csv\"",
        "\"static\"",
        "\"protobuf\"",
    ];
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs");
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    let mut upgraded = 0;
    for folder in [own, shared] {
        let Ok(files) = std::fs::read_dir(&folder) else { continue };
        for file in files.map(|file| file.unwrap().path()) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let document = Document::parse(text.as_str());
            let made = upgrade(&document).unwrap();
            let task = Task::read(&document, &UtcOnly);
            assert_eq!(made.edits.is_empty(), old_forms(&task).is_empty(), "{}", file.display());
            assert_eq!(old_forms(&Task::read(&made.document, &UtcOnly)), [], "{}", file.display());
            let mut there = leaves(&made.document);
            for leaf in leaves(&document).into_iter().filter(|leaf| !words.contains(&leaf.as_str())) {
                let at = there.iter().position(|other| *other == leaf);
                there.swap_remove(at.unwrap_or_else(|| panic!("{}: {leaf} is lost", file.display())));
            }
            upgraded += usize::from(!made.edits.is_empty());
        }
    }
    assert!(upgraded >= 3, "{upgraded}");
}
