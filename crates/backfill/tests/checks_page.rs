//! docs/checks.md: every check with what it is about and a case that trips it, made from the code.
//!
//! What a check is about is the head of its file; what it says of the case is what it says of the case. `UPDATE=1` in the
//! environment writes the page anew; without, the page must be what would be written.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a page that cannot be made must fail the test")]

mod ground;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use backfill::check::{AutoCompaction, Finding, Retention, Slots, Verdict, names, same_version_overlap};
use backfill::forecast::Basis;
use druid::lock::LockType;
use druid::segment::{Segment, SegmentSet, ShardSpec};
use druid::timeline::Timeline;
use ground::Ground;

/// A case that trips a check: segments and changes to a plain spec as [`Ground`] takes them, and what else there is, in
/// words and as a value.
struct Case {
    check: &'static str,
    segments: &'static str,
    spec: &'static str,
    beside: &'static str,
    with: fn(Ground) -> Ground,
}

const fn case(check: &'static str, segments: &'static str, spec: &'static str) -> Case {
    Case { check, segments, spec, beside: "", with: |ground| ground }
}

impl Case {
    const fn beside(self, beside: &'static str, with: fn(Ground) -> Ground) -> Case {
        Case { beside, with, ..self }
    }
}

const DAY: &str = "2026-07-16/P1D v1 1000";
const HOURS: &str = "2026-07-16T03/PT1H v1 100\n2026-07-16T07/PT1H v1 200";
const ON_DAY: &str = "intervals = [\"2026-07-16/2026-07-17\"]";
const DROP_ON_DAY: &str = "intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true";
const APPEND_ON_DAY: &str = "intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true";

fn cases() -> Vec<Case> {
    vec![
        case("spec-unreadable", DAY, "intervals = [\"2026-07-16 2026-07-17\"]"),
        case("old-form", "", "intervals = [\"2026-07-16/2026-07-17\"]\nioConfig.inputSource = nothing\nioConfig.inputFormat = nothing\nioConfig.firehose = {\"type\":\"local\",\"baseDir\":\"in\",\"filter\":\"*.json\"}\nspec.dataSchema.timestampSpec = nothing\nspec.dataSchema.dimensionsSpec = nothing\nspec.dataSchema.parser = {\"type\":\"string\",\"parseSpec\":{\"format\":\"json\",\"timestampSpec\":{\"column\":\"ts\"},\"dimensionsSpec\":{\"dimensions\":[\"page\"]}}}"),
        case("placeholders", DAY, "inputSource = {\"type\":\"local\",\"baseDir\":\"${INPUT}\",\"filter\":\"*.json\"}"),
        case("drop-with-append", DAY, "intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true\nappendToExisting = true"),
        case("drop-without-intervals", DAY, "dropExisting = true"),
        case("server-refuses", "", "partitionsSpec = {\"type\":\"hashed\",\"numShards\":2}"),
        case("mark-is-a-call", DAY, "").beside(
            r#"Druid 33; {"type":"mark_unused","dataSource":"events_web","interval":"2026-07-16/2026-07-17"}"#,
            |ground| ground.mark("mark_unused", r#""interval":"2026-07-16/2026-07-17""#),
        ),
        case("mark-takes", "2026-07-13/P7D v1 700", "").beside(
            r#"{"type":"mark_unused","dataSource":"events_web","interval":"2026-07-16/2026-07-17"}"#,
            |ground| ground.mark("mark_unused", r#""interval":"2026-07-16/2026-07-17""#),
        ),
        case("mark-empties", HOURS, "").beside(
            r#"{"type":"mark_unused","dataSource":"events_web","interval":"2026-07-16T03/2026-07-16T04"}"#,
            |ground| ground.mark("mark_unused", r#""interval":"2026-07-16T03/2026-07-16T04""#),
        ),
        case("mark-uncovers", "2026-07-16/P1D v1 1000\n2026-07-16T03/PT1H v2 50", "").beside(
            r#"{"type":"mark_unused","dataSource":"events_web","interval":"2026-07-16T03/2026-07-16T04"}"#,
            |ground| ground.mark("mark_unused", r#""interval":"2026-07-16T03/2026-07-16T04""#),
        ),
        case("mark-covers", DAY, "").beside(
            r#"{"type":"mark_used","dataSource":"events_web","interval":"2026-07-16/2026-07-17"}, and unused: 2026-07-16/P1D v2 900"#,
            |ground| {
                ground
                    .mark("mark_used", r#""interval":"2026-07-16/2026-07-17""#)
                    .unused_segments("2026-07-16/P1D v2 900")
            },
        ),
        case("id-stalls", "", "").beside("an id of 218 characters", |ground| {
            ground.spec(&format!("id = \"{}\"", "i".repeat(218)))
        }),
        case("id-reused", "", ON_DAY).beside("the ledger knows the id, made from another content", |ground| {
            ground.around(|around| around.id_taken = Some("It was sent on 2026-11-29.".to_owned()))
        }),
        case(
            "zoned-partitions",
            "",
            "intervals = [\"2026-07-05/2026-07-09\"]\nsegmentGranularity = {\"type\":\"period\",\"period\":\"P1D\",\"timeZone\":\"America/New_York\"}\ntuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"hashed\",\"numShards\":2}",
        ),
        case("arbitrary-append", "", "granularitySpec.type = \"arbitrary\"\nintervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true"),
        case("granularity-none", "", "segmentGranularity = \"NONE\"\nintervals = [\"2026-07-16/2026-07-17\"]"),
        case(
            "run-fails",
            "",
            "intervals = [\"2026-07-16/2026-07-17\"]\ninputSource = {\"type\":\"inline\",\"data\":\"{}\"}\ntuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":1000}",
        ),
        case("compaction-destroys", "2026-07-13/P7D v1 700", "").beside(
            "a compaction of 2026-07-14/2026-07-16 to DAY with dropExisting",
            |ground| {
                ground.task(
                    r#"{"type":"compact","dataSource":"events_web","ioConfig":{"type":"compact","dropExisting":true,
                        "inputSpec":{"type":"interval","interval":"2026-07-14/2026-07-16"}},
                        "granularitySpec":{"segmentGranularity":"DAY"}}"#,
                )
            },
        ),
        case("lock-context", "", "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useSharedLock = \"true\""),
        case("context-booleans", "", "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useConcurrentLocks = \"yes\""),
        case("unknown-zone", "", "intervals = [\"2026-07-16/2026-07-17\"]\nsegmentGranularity = {\"type\":\"period\",\"period\":\"P1D\",\"timeZone\":\"Europe/Pariss\"}"),
        case("overwrites-below", DAY, "segmentGranularity = \"DAY\"\ntuningConfig.maxNumConcurrentSubTasks = 2\ncontext.useConcurrentLocks = true")
            .beside("a row at 05:00 of 2026-07-16", |ground| ground.rows(&["2026-07-16T05Z"])),
        case("future-versions", "2026-07-16/P1D 2999-01-01T00:00:00.000Z 10", ON_DAY)
            .beside("every chunk has rows", |ground| ground.known(Basis::AllRows)),
        case("append-lost", "", "intervals = [\"2026-07-16T03/2026-07-16T04\"]\nappendToExisting = true\ncontext.useConcurrentLocks = true").beside(
            "Druid 33; an unused segment of the hour 03 has the version 1970-01-01T00:00:00.000Z",
            |ground| {
                ground.unused(&["events_web_2026-07-16T03:00:00.000Z_2026-07-16T04:00:00.000Z_1970-01-01T00:00:00.000Z"])
            },
        ),
        case("widened-interval", DAY, "segmentGranularity = \"DAY\"\nintervals = [\"2026-07-16T06/2026-07-16T12\"]\ndropExisting = true"),
        case("neighbour-hit", HOURS, "segmentGranularity = \"DAY\"\nintervals = [\"2026-07-16T06/2026-07-16T12\"]\ndropExisting = true"),
        case("partly-hidden", "2026-07-01/P1M v1 3100", "segmentGranularity = \"DAY\"\nintervals = [\"2026-07-05/2026-07-08\"]"),
        case("chunks-cross", "2015-02-01/P1M v1 2800", "segmentGranularity = \"WEEK\"\nintervals = [\"2015-02-01/2015-03-01\"]"),
        case("interval-over-everything", HOURS, ""),
        case("rows-outside", "", ON_DAY).beside("rows at 05:00 of 2026-07-16 and of 2026-07-18", |ground| {
            ground.rows(&["2026-07-16T05Z", "2026-07-18T05Z"])
        }),
        case("inline-unreadable", "", "inputSource = {\"type\":\"inline\",\"data\":\"{\\\"ts\\\":\\\"2026-07-16T03:00Z\\\"}\\n{\\\"ts\\\":\\\"yesterday\\\"}\"}"),
        case("time-moved", "", "intervals = [\"2026-07-16/2026-07-17\"]\nspec.dataSchema.transformSpec = {\"transforms\":[{\"type\":\"expression\",\"name\":\"__time\",\"expression\":\"timestamp_shift(__time, 'P1D', 1)\"}]}"),
        case("stream-origin", "", "").beside("a Kafka supervisor whose chunks are 36 hours from 2026-01-01T06:00:00Z on", |ground| {
            ground.task(
                r#"{"type":"kafka","spec":{"dataSchema":{"dataSource":"events_web","granularitySpec":{"segmentGranularity":
                    {"type":"duration","duration":129600000,"origin":"2026-01-01T06:00:00Z"}}},
                    "ioConfig":{"topic":"events"}}}"#,
            )
        }),
        case("chunks-emptied", HOURS, DROP_ON_DAY).beside("rows at 03:00 only", |ground| ground.rows(&["2026-07-16T03Z"])),
        case("chunks-kept", HOURS, ON_DAY).beside("rows at 03:00 only", |ground| ground.rows(&["2026-07-16T03Z"])),
        case("source-may-match-nothing", HOURS, DROP_ON_DAY),
        case("range-keeps-old", HOURS, "intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true\ntuningConfig.maxNumConcurrentSubTasks = 2\ntuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":1000}")
            .beside("Druid 33", |ground| ground),
        case("append-doubles", HOURS, APPEND_ON_DAY),
        case("append-into-coarser", DAY, "intervals = [\"2026-07-16T03/2026-07-16T04\"]\nappendToExisting = true"),
        case("append-into-hidden", "2026-07-13/P7D v1 700\n2026-07-16/P1D v2 100", "segmentGranularity = \"DAY\"\nintervals = [\"2026-07-15/2026-07-17\"]\nappendToExisting = true"),
        case("append-into-tombstone", "2026-07-16T03/PT1H v1 tombstone", APPEND_ON_DAY),
        case("reads-own-target", DAY, "intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true\ninputSource = {\"type\":\"druid\",\"dataSource\":\"events_web\",\"interval\":\"2026-07-16/2026-07-17\"}"),
        case("reads-too-soon", "2026-07-16/P1D 2026-11-30T11:59:30.000Z 1000", "intervals = [\"2026-07-16/2026-07-17\"]\ntuningConfig.maxNumConcurrentSubTasks = 2\ninputSource = {\"type\":\"druid\",\"dataSource\":\"events_web\",\"interval\":\"2026-07-16/2026-07-17\"}")
            .beside("the server's clock says 2026-11-30T12:00:00Z", |ground| ground),
        case("lock-held", "", ON_DAY).beside("index_kafka_web holds an EXCLUSIVE lock on 05:00 with priority 75", |ground| {
            ground.lock("index_kafka_web", LockType::Exclusive, "2026-07-16T05/PT1H", 75)
        }),
        case("may-be-evicted", "", ON_DAY)
            .beside("a stream runs: index_kafka_web", |ground| ground.running("index_kafka_web", "index_kafka", &[])),
        case("append-meets-replace", DAY, "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useConcurrentLocks = true")
            .beside("a stream runs: index_kafka_web", |ground| ground.running("index_kafka_web", "index_kafka", &[])),
        case("incomplete-sets", "2026-07-16/P1D v1 10 parts=2 missing", ON_DAY),
        case("mixed-granularity", "2026-07-13/P7D v1\n2026-07-16/P1D v2", "intervals = [\"2026-07-16/2026-07-18\"]\ncontext.useConcurrentLocks = true"),
        case("auto-compaction-finer", "", "segmentGranularity = \"MONTH\"\nintervals = [\"2026-07-01/2026-08-01\"]\ncontext.useConcurrentLocks = true")
            .beside("the datasource is compacted to DAY", |ground| {
                let config = serde_json::json!({"granularitySpec": {"segmentGranularity": "DAY"}});
                ground.around(|around| {
                    around.compaction = Some(AutoCompaction::of(&config, &druid::zone::UtcOnly));
                })
            }),
        case("slots-stand-still", "", "intervals = [\"2026-07-16/2026-07-17\"]\ntuningConfig.maxNumConcurrentSubTasks = 2").beside(
            "six such runs at once on six worker slots",
            |ground| {
                ground.around(|around| {
                    around.runs_at_once = 6;
                    around.slots = Some(Slots { capacity: 6, used: 0 });
                })
            },
        ),
        case("retention", "", ON_DAY).beside("the datasource keeps a month", |ground| {
            let rules = serde_json::json!([{"type": "loadByPeriod", "period": "P1M"}, {"type": "dropForever"}]);
            ground.around(|around| around.retention = Retention::list(&rules))
        }),
        case("many-chunks", "2025-01-01/P1Y v1 10", "segmentGranularity = \"MINUTE\"\nintervals = [\"2025/2026\"]\ndropExisting = true"),
        case("unknown-key", "", "intervals = [\"2026-07-16/2026-07-17\"]\nioConfig.dropExsiting = true"),
        case("secrets", "", "inputSource = {\"type\":\"s3\",\"prefixes\":[\"s3://bucket/day/\"],\"properties\":{\"accessKeyId\":\"example\",\"secretAccessKey\":\"example\"}}"),
        case("volatile-fields", "", "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.runId = \"17\"").beside(
            "the version is derived from the content",
            |ground| ground.around(|around| around.left_out_of_id = Some(Vec::new())),
        ),
        case("task-id", "", "id = nothing"),
    ]
}

/// The finding of a check over its case, the weightiest where it has several.
fn trips(case: &Case) -> Finding {
    let ground = (case.with)(Ground::of(case.segments).spec(case.spec));
    let found = ground.check(case.check);
    let finding = found.into_iter().max_by_key(|finding| finding.verdict);
    let finding = finding.unwrap_or_else(|| panic!("{} says nothing of its own case", case.check));
    assert_ne!(finding.verdict, Verdict::Pass, "{}: {}", case.check, finding.title);
    finding
}

/// Two segments of one version that overlap: the one case in which there is no timeline.
fn overlap() -> Finding {
    let segment = |interval| {
        let shard = ShardSpec::Numbered { partition: 0, core: 1 };
        Segment::new(ground::DATASOURCE, ground::interval(interval), "2026-01-01T00:00:00.000Z", shard)
    };
    let set = SegmentSet::of(ground::DATASOURCE, &[segment("2026-07-13/P7D"), segment("2026-07-16/P1D")]);
    same_version_overlap(&Timeline::build(&set).unwrap_err())
}

#[test]
fn every_check_has_a_case_that_trips_it() {
    let mut told: Vec<&str> = cases().iter().map(|case| trips(case).check).collect();
    told.push(overlap().check);
    told.sort_unstable();
    let mut all: Vec<&str> = names().collect();
    all.sort_unstable();
    assert_eq!(told, all);
}

#[test]
fn the_page_of_all_checks_is_what_the_code_says() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checks.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == page,
        "docs/checks.md is not what the code says any more: UPDATE=1 cargo test -p backfill --test checks_page"
    );
}

/// Where what some rules need comes from. Columns are the ways in which the rules are run.
const KNOWN: &str = "
## What the rules know

Some rules need more than the task and the segments. Where nobody says it they say nothing, and that is no pass:

| what | whose rule | the console | `forecast --cluster` | `forecast` from files |
| --- | --- | --- | --- | --- |
| locks held | lock-held, append-meets-replace | read | read | `--locks` |
| tasks at work | may-be-evicted, append-meets-replace, retention | read; where they work is told by their locks | read, with their payloads | `--running` |
| automatic compaction | auto-compaction-finer | read | read | `--compaction` |
| worker slots | slots-stand-still | read | read | not known |
| runs at once | slots-stand-still | one | one | one |
| retention rules | retention | read | read | not known |
| the id, sent before with another content | id-reused | by what this browser sent | by the task that the Overlord still has | not known |
| what is left out of an id made from the content | volatile-fields | known | no id is made | no id is made |
| unused segments | append-lost, mark-takes, mark-covers | read where an append, a kill or a mark_used hangs on them, up to 10,000 | read where an append, a kill or a mark_used hangs on them | `--unused`: ids do for an append and a kill, a mark_used wants the segments |
| rows that the sampler read | what becomes of chunks | not asked for yet: it makes the Overlord open the input | never: it counts as a change | `--rows`, `--rows-in` |
| the default task context | whatever a context decides | no call tells it | `--context` | `--context` |
";

fn page() -> String {
    let mut page = String::from(
        "# The checks\n\n\
         What speaks against sending a task, one rule after the other, in the order in which the console lists them. A *stop*\n\
         blocks submission; a *warning* wants its own yes, and an edit that changes what the rule saw voids that yes. Each has a\n\
         case that trips it: segments as `INTERVAL VERSION ROWS`, and what the spec says beside a plain overwrite of HOUR chunks\n\
         of `events_web` from local files.\n\n\
         `foreshadow check --task FILE` runs the rules that need nothing but the task, `foreshadow forecast` runs all. This page\n\
         is made from the code: `UPDATE=1 cargo test -p backfill --test checks_page`.\n",
    );
    page.push_str(KNOWN);
    let heads = heads();
    for name in names() {
        let head = heads.iter().find(|(of, _)| of == name).map(|(_, head)| head.as_str());
        let head = head.unwrap_or_else(|| panic!("no file of src/check names {name}"));
        write!(page, "\n## {name}\n\n{head}\n").unwrap();
        let all = cases();
        match all.iter().find(|case| case.check == name) {
            Some(case) => example(&mut page, case, &trips(case)),
            None => {
                page.push_str("\n```text\nsegments  2026-07-13/P7D v1\n          2026-07-16/P1D v1\n```\n");
                told(&mut page, &overlap());
            }
        }
    }
    page
}

fn example(page: &mut String, case: &Case, finding: &Finding) {
    page.push_str("\n```text\n");
    let mut block = |name: &str, text: &str| {
        for (at, line) in text.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
            let name = if at == 0 { name } else { "" };
            writeln!(page, "{name:9} {line}").unwrap();
        }
    };
    block("segments", case.segments);
    block("spec", case.spec);
    block("beside", case.beside);
    page.push_str("```\n");
    told(page, finding);
}

fn told(page: &mut String, finding: &Finding) {
    write!(page, "\n> **{}** {}\n>\n> {}\n", finding.verdict.name(), finding.title, finding.why).unwrap();
    if !finding.fixes.is_empty() {
        let labels: Vec<&str> = finding.fixes.iter().map(|fix| fix.label.as_str()).collect();
        write!(page, ">\n> By a click: {}\n", labels.join(" · ")).unwrap();
    }
}

/// Name and head of each rule's file.
fn heads() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().filter_map(|path| head(&std::fs::read_to_string(path).unwrap())).collect()
}

fn head(source: &str) -> Option<(String, String)> {
    let name = source.split("NAME: &str = \"").nth(1)?.split('"').next()?;
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let text: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    Some((name.to_owned(), without_sources(&text.join("\n"))))
}

/// The head without the places in the working notes that it names.
fn without_sources(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("(facts ") {
        out.push_str(before.trim_end());
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    out + rest
}
