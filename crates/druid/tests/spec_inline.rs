//! Rows of inline data against what a live Druid made of them, and against the rules of its readers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failing test should stop at once")]

use std::io::Read;

use druid::interval::Instant;
use druid::json::{Document, quote};
use druid::spec::inline::{InlineRows, NotRead, rows};
use druid::spec::{InputSource, Task};
use druid::zone::UtcOnly;
use serde_json::Value;

fn recordings() -> Vec<Value> {
    let packed: [&[u8]; 2] =
        [include_bytes!("vectors/live-33.jsonl.gz"), include_bytes!("vectors/live-37.jsonl.gz")];
    let mut runs = Vec::new();
    for bytes in packed {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        runs.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    runs
}

#[test]
fn the_rows_of_recorded_inline_tasks_are_the_rows_druid_read() {
    let mut seen = 0;
    for run in recordings() {
        let task = Task::read(&Document::parse(run["task"].to_string()), &UtcOnly);
        let is_inline = task.batch().is_some_and(|batch| matches!(batch.input, InputSource::Inline { .. }));
        if !is_inline {
            continue;
        }
        let found = rows(&task).unwrap();
        let wanted: Vec<_> = run["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| Instant::parse(t.as_str().unwrap()).unwrap())
            .collect();
        assert_eq!(found.instants(), wanted, "{}", run["name"]);
        assert!(found.exact);
        seen += 1;
    }
    assert_eq!(seen, 771);
}

fn read(data: &str, timestamp: &str, format: &str) -> Result<InlineRows, NotRead> {
    let text = format!(
        r#"{{"type":"index_parallel","spec":{{"dataSchema":{{"dataSource":"d","timestampSpec":{timestamp}}},
        "ioConfig":{{"inputSource":{{"type":"inline","data":{}}},"inputFormat":{format}}}}}}}"#,
        quote(data)
    );
    rows(&Task::read(&Document::parse(text), &UtcOnly))
}

/// The times as text, `-` for a row that is dropped.
#[track_caller]
fn check(data: &str, timestamp: &str, format: &str, wanted: &[&str]) {
    let rows = read(data, timestamp, format).unwrap();
    let times: Vec<_> = rows.times.iter().map(|t| t.map_or("-".to_owned(), Instant::short)).collect();
    assert_eq!(times, wanted, "{:?}", rows.dropped);
}

const JSON: &str = r#"{"type":"json"}"#;

#[test]
fn json_is_read_line_by_line_and_what_cannot_be_read_is_dropped() {
    let data = "{\"t\":\"2026-01-01\"}\r\n\n{\"t\": oops}\n[1]\n{\"x\":1}\n{\"t\":null}\n{\"t\":{\"a\":1}}\n{\"t\":\"2026-01-02\"} trailing\n";
    check(
        data,
        r#"{"column":"t","format":"iso"}"#,
        JSON,
        &["2026-01-01T00:00:00Z", "-", "-", "-", "-", "-", "-", "2026-01-02T00:00:00Z"],
    );
    let rows = read(data, r#"{"column":"t","format":"iso"}"#, JSON).unwrap();
    assert_eq!(rows.dropped.iter().map(|d| d.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
    assert_eq!(rows.instants().len(), 2);
}

#[test]
fn a_missing_time_takes_the_missing_value() {
    let spec = r#"{"column":"t","format":"posix","missingValue":"2000-01-01"}"#;
    check(
        "{\"x\":1}\n{\"t\":null}\n{\"t\":\"no\"}\n{\"t\":0}",
        spec,
        JSON,
        &["2000-01-01T00:00:00Z", "2000-01-01T00:00:00Z", "-", "1970-01-01T00:00:00Z"],
    );
}

#[test]
fn each_format_reads_numbers_and_texts_its_own_way() {
    let one = |format: &str, value: &str, wanted: &str| {
        check(
            &format!("{{\"t\":{value}}}"),
            &format!(r#"{{"column":"t","format":"{format}"}}"#),
            JSON,
            &[wanted],
        );
    };
    one("posix", "1784160000", "2026-07-16T00:00:00Z");
    one("posix", "\"1784160000\"", "2026-07-16T00:00:00Z");
    one("posix", "1784160000.9", "2026-07-16T00:00:00Z");
    one("posix", "\"1784160000.9\"", "-");
    one("millis", "1784160000123", "2026-07-16T00:00:00.123Z");
    one("micro", "1784160000123999", "2026-07-16T00:00:00.123Z");
    one("nano", "1784160000123999999", "2026-07-16T00:00:00.123Z");
    one("ruby", "1784160000.5", "2026-07-16T00:00:00.500Z");
    one("MILLIS", "1784160000123", "2026-07-16T00:00:00.123Z");
    one("iso", "\"2026-07-16T02:00:00+02:00\"", "2026-07-16T00:00:00Z");
    one("iso", "\"1784160000000\"", "2026-07-16T00:00:00Z");
    one("iso", "2026", "2026-01-01T00:00:00Z");
    one("iso", "\"2026-07-16 00:00:00\"", "-");
    one("iso", "\"\"", "-");
    one("auto", "1784160000000", "2026-07-16T00:00:00Z");
    one("auto", "\"1784160000000\"", "2026-07-16T00:00:00Z");
    one("auto", "\"2026-07-16 01:02:03.004\"", "2026-07-16T01:02:03.004Z");
    one("auto", "\"2026-07-16T01:02:03 Europe/Paris\"", "2026-07-16T01:02:03Z");
    one("auto", "\"2026-07-16 01:02:03 UTC\"", "2026-07-16T01:02:03Z");
    one("auto", "\"\\\"2026-07-16\\\"\"", "2026-07-16T00:00:00Z");
    one("auto", "\"not a date\"", "-");
}

#[test]
fn csv_has_quotes_columns_headers_and_empty_cells() {
    let columns = r#"{"type":"csv","columns":["a","t"]}"#;
    let spec = r#"{"column":"t","format":"auto"}"#;
    check(
        "\"x, y\",2026-01-01\n\"q\"\"q\",\"2026-01-02\"\nshort\nx,\n",
        spec,
        columns,
        &["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "-", "-"],
    );
    let header = r#"{"type":"csv","findColumnsFromHeader":true,"skipHeaderRows":1}"#;
    check("# a comment\nt,a\n2026-01-01,x", spec, header, &["2026-01-01T00:00:00Z"]);
    let skip = r#"{"type":"csv","columns":["t"],"findColumnsFromHeader":false,"skipHeaderRows":1}"#;
    check("t\n2026-01-01", spec, skip, &["2026-01-01T00:00:00Z"]);
    let missing = r#"{"column":"nowhere","missingValue":"2001-01-01"}"#;
    check("x,1", missing, columns, &["2001-01-01T00:00:00Z"]);
    assert_eq!(read("x", spec, r#"{"type":"csv"}"#), Err(NotRead::NoColumns));
}

#[test]
fn tsv_is_cut_at_its_delimiter_and_knows_no_quotes() {
    let spec = r#"{"column":"t","format":"iso"}"#;
    check(
        "a\t2026-01-01\n\"b\tc\"\t2026-01-02",
        spec,
        r#"{"type":"tsv","columns":["a","t"]}"#,
        &["2026-01-01T00:00:00Z", "-"],
    );
    check(
        "a||2026-01-01",
        spec,
        r#"{"type":"tsv","delimiter":"||","columns":["a","t"]}"#,
        &["2026-01-01T00:00:00Z"],
    );
}

#[test]
fn what_cannot_be_known_is_not_guessed() {
    let spec = r#"{"column":"t","format":"iso"}"#;
    assert_eq!(read("x", spec, r#"{"type":"parquet"}"#), Err(NotRead::Format("parquet".to_owned())));
    assert_eq!(read("x", r#"{"format":"yy-MM-dd"}"#, JSON), Err(NotRead::TimePattern("yy-MM-dd".to_owned())));
    let flattened = r#"{"type":"json","flattenSpec":{"fields":[{"type":"path","name":"t","expr":"$.a.t"}]}}"#;
    assert_eq!(read("{}", spec, flattened), Err(NotRead::Parsed("flattenSpec")));
    let other = r#"{"type":"json","flattenSpec":{"fields":[{"type":"path","name":"u","expr":"$.a.t"}]}}"#;
    check("{\"t\":\"2026-01-01\"}", spec, other, &["2026-01-01T00:00:00Z"]);
    for error in [NotRead::NotInline, NotRead::TimeMoved, NotRead::Format(String::new())] {
        assert!(!error.sentence().is_empty());
    }
}

#[test]
fn a_filter_makes_the_rows_an_upper_bound() {
    let text = r#"{"type":"index_parallel","spec":{"dataSchema":{"dataSource":"d","timestampSpec":{"column":"t"},
        "transformSpec":{"filter":{"type":"selector","dimension":"a","value":"b"}}},
        "ioConfig":{"inputSource":{"type":"inline","data":"{\"t\":\"2026-01-01\"}"},"inputFormat":{"type":"json"}}}}"#;
    let found = rows(&Task::read(&Document::parse(text), &UtcOnly)).unwrap();
    assert!(!found.exact);
    assert_eq!(found.times.len(), 1);
    let moved = text.replace(
        r#""filter":{"type":"selector","dimension":"a","value":"b"}"#,
        r#""transforms":[{"type":"expression","name":"__time","expression":"x"}]"#,
    );
    assert_eq!(rows(&Task::read(&Document::parse(moved), &UtcOnly)), Err(NotRead::TimeMoved));
}

#[test]
fn times_are_what_druids_own_timestamp_spec_reads() {
    let mut text = String::new();
    let packed = include_bytes!("vectors/inline-times.jsonl.gz");
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let mut by_format = std::collections::BTreeMap::<String, Vec<(Value, Option<i64>)>>::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        // Rows of times beyond what Druid can store are dropped further on.
        let ms = case[2].as_i64().filter(|ms| (Instant::MIN.ms()..Instant::MAX.ms()).contains(ms));
        by_format.entry(case[0].as_str().unwrap().to_owned()).or_default().push((case[1].clone(), ms));
    }
    let (mut right, mut wrong) = (0, Vec::new());
    for (format, cases) in &by_format {
        let data: String = cases.iter().map(|(value, _)| format!("{{\"t\":{value}}}\n")).collect();
        let spec = format!(r#"{{"column":"t","format":{}}}"#, quote(format));
        let rows = read(&data, &spec, r#"{"type":"json"}"#).unwrap();
        assert_eq!(rows.times.len(), cases.len(), "{format}");
        for ((value, wanted), found) in cases.iter().zip(&rows.times) {
            let found = found.map(Instant::ms);
            // Which regions there are is not known here; such rows may be dropped, and the rows say so.
            let misspelt_zone =
                wanted.is_none() && !rows.exact && value.as_str().is_some_and(|text| text.contains('/'));
            if found == *wanted || misspelt_zone {
                right += 1
            } else {
                wrong.push(format!("{format} of {value}: {found:?}, Druid {wanted:?}"))
            }
        }
    }
    let first = wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{right} right, {} wrong:\n{first}", wrong.len());
    assert!(right > 12_000);
}

#[test]
fn patterns_that_hang_on_the_servers_clock_or_zones_are_not_read() {
    for pattern in ["yy-MM-dd", "yyyy-MM-dd z", "yyyy-MM-dd ZZZ", "G yyyy", "CCyy"] {
        let spec = format!(r#"{{"column":"t","format":"{pattern}"}}"#);
        let not = read("{}", &spec, r#"{"type":"json"}"#).unwrap_err();
        assert_eq!(not, NotRead::TimePattern(pattern.to_owned()));
    }
}
