//! What differs between releases, one row a difference: the last release before it, the first with it, and what the forecast
//! says on either side. Sources are Druid's classes and commits, or recorded runs of 33.0.0 and 37.0.0.
#![allow(clippy::unwrap_used, reason = "a forecast that is not there fails the test")]

mod ground;

use backfill::forecast::{Basis, FateKind, World};
use druid::lock::LockType;
use druid::release::Release;
use ground::Ground;

/// A difference. `at`: the first release that has it; `source`: where it is written.
struct Row {
    what: &'static str,
    source: &'static str,
    /// The first release for which the row says what it said before: a key may have to be known first.
    from: u32,
    at: u32,
    ground: fn() -> Ground,
    told: fn(&Ground) -> String,
    before: &'static str,
    since: &'static str,
}

const DAY: &str = "2026-07-16/P1D v1 1000";
const ON_DAY: &str = "intervals = [\"2026-07-16/2026-07-17\"]";
const EPOCH_ID: &str =
    "events_web_2026-07-16T03:00:00.000Z_2026-07-16T04:00:00.000Z_1970-01-01T00:00:00.000Z";

fn spec(segments: &str, changes: &str) -> Ground {
    Ground::of(segments).spec(changes).known(Basis::AllRows)
}

/// How each world ends, in whose words.
fn outcomes(ground: &Ground) -> String {
    let told = |world: &World| match &world.reason {
        Some(reason) => format!("{}: {reason}", world.outcome.name()),
        None => world.outcome.name().to_owned(),
    };
    ground.forecast().worlds.iter().map(told).collect::<Vec<_>>().join(" | ")
}

/// What becomes of the first chunk, in each world.
fn first_fate(ground: &Ground) -> String {
    let told = |world: &World| format!("{:?}", world.fates.first().unwrap().kind);
    ground.forecast().worlds.iter().map(told).collect::<Vec<_>>().join(" | ")
}

fn lock(ground: &Ground) -> String {
    ground.forecast().lock.unwrap().kind.unwrap().name().to_owned()
}

fn deleted(ground: &Ground) -> String {
    let forecast = ground.forecast();
    let world = forecast.worst().unwrap();
    let gone = world.fates.iter().any(|fate| fate.kind == FateKind::Gone);
    format!("{} deleted, emptied: {gone}", world.deleted.len())
}

fn marked(ground: &Ground) -> String {
    let worlds = ground.forecast().worlds;
    worlds.iter().map(|world| format!("{} marked", world.marked.len())).collect::<Vec<_>>().join(" | ")
}

fn call(ground: &Ground) -> String {
    ground.says("mark-is-a-call").1
}

const ROWS: &[Row] = &[
    Row {
        what: "useConcurrentLocks is read",
        source: "AbstractBatchIndexTask.determineLockType, 6b951b94c0",
        from: 24,
        at: 29,
        ground: || spec(DAY, "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useConcurrentLocks = true"),
        told: lock,
        before: "EXCLUSIVE",
        since: "REPLACE",
    },
    Row {
        what: "a kill task no longer marks unused first",
        source: "KillUnusedSegmentsTask.markAsUnused",
        from: 24,
        at: 30,
        ground: || {
            Ground::of(DAY).task(
                r#"{"type":"kill","dataSource":"events_web","interval":"2026-07-16/2026-07-17","markAsUnused":true}"#,
            )
        },
        told: deleted,
        before: "1 deleted, emptied: true",
        since: "0 deleted, emptied: false",
    },
    Row {
        what: "mark calls know versions",
        source: "SegmentsToUpdateFilter",
        from: 24,
        at: 30,
        ground: || {
            Ground::of("2026-07-16/P1D v1 10\n2026-07-16/P1D v2 10").mark(
                "mark_unused",
                r#""interval":"2026-07-16/2026-07-17","versions":["2026-02-01T00:00:00.000Z"]"#,
            )
        },
        told: marked,
        before: "2 marked",
        since: "1 marked",
    },
    Row {
        what: "__time may be the first dimension",
        source: "DataSchema",
        from: 24,
        at: 31,
        ground: || {
            spec(
                DAY,
                &format!(
                    "{ON_DAY}\nspec.dataSchema.dimensionsSpec.dimensions = [{{\"type\":\"long\",\"name\":\"__time\"}}]"
                ),
            )
        },
        told: outcomes,
        before: "refused: Cannot specify a column more than once: [__time] seen in dimensions list, primary timestamp (__time cannot appear as a dimension or metric)",
        since: "success",
    },
    Row {
        what: "a firehose no longer does for an input source",
        source: "ParallelIndexIOConfig, a34a06e192",
        from: 24,
        at: 31,
        ground: || {
            spec(
                DAY,
                "intervals = [\"2026-07-16/2026-07-17\"]\ninputSource = nothing\nioConfig.inputFormat = nothing\nioConfig.firehose = {\"type\":\"local\"}",
            )
        },
        told: |ground| outcomes(ground).chars().take(7).collect(),
        before: "success",
        since: "refused",
    },
    Row {
        what: "the Overlord answers mark calls",
        source: "OverlordDataSourcesResource, d9a58a7bbd",
        from: 24,
        at: 33,
        ground: || Ground::of(DAY).mark("mark_unused", r#""interval":"2026-07-16/2026-07-17""#),
        told: call,
        before: "No task but a call: POST /druid/coordinator/v1/datasources/events_web/markUnused",
        since: "No task but a call: POST /druid/indexer/v1/datasources/events_web/markUnused",
    },
    Row {
        what: "what is said of segments that no lock covers",
        source: "TaskLocks",
        from: 24,
        at: 34,
        ground: || {
            Ground::of("2026-07-16T03/PT1H 2999-01-01T00:00:00.000Z 10")
                .spec("intervals = [\"2026-07-16T03/2026-07-16T04\"]\nappendToExisting = true")
                .rows(&["2026-07-16T03:30Z"])
        },
        told: |ground| outcomes(ground).split(['[', '(']).next().unwrap().to_owned(),
        before: "hangs: Segments",
        since: "hangs: Segment IDs",
    },
    Row {
        what: "an append under a taken id gets another version",
        source: "PendingSegmentRecord, e26d0076e5",
        from: 24,
        at: 35,
        ground: || {
            Ground::of("")
                .spec("intervals = [\"2026-07-16T03/2026-07-16T04\"]\nappendToExisting = true\ncontext.taskLockType = \"APPEND\"")
                .rows(&["2026-07-16T03:30Z"])
                .unused(&[EPOCH_ID])
        },
        told: |ground| {
            format!(
                "{} · {} added",
                first_fate(ground),
                ground.forecast().worlds.first().unwrap().added.len()
            )
        },
        before: "Nothing · 0 added",
        since: "New · 1 added",
    },
    Row {
        what: "parser is gone",
        source: "DataSchema, fa55b6b940",
        from: 24,
        at: 37,
        ground: || {
            spec(
                DAY,
                &format!(
                    "{ON_DAY}\nspec.dataSchema.parser = {{\"type\":\"string\",\"parseSpec\":{{\"format\":\"json\"}}}}"
                ),
            )
        },
        told: |ground| outcomes(ground).contains("parser was removed in Druid 37").to_string(),
        before: "false",
        since: "true",
    },
    Row {
        what: "what is said where there is no timestampSpec",
        source: "DataSchema",
        from: 24,
        at: 37,
        ground: || spec(DAY, &format!("{ON_DAY}\nspec.dataSchema.timestampSpec = nothing")),
        told: outcomes,
        before: "refused: timestampSpec",
        since: "refused: timestampSpec must not be null",
    },
    Row {
        what: "Hadoop ingestion is gone",
        source: "upgrade notes of 37",
        from: 24,
        at: 37,
        ground: || {
            Ground::of(DAY)
                .task(r#"{"type":"index_hadoop","spec":{"dataSchema":{"dataSource":"events_web"}}}"#)
        },
        told: outcomes,
        before: "",
        since: "refused: Could not resolve type id 'index_hadoop' as a subtype of `org.apache.druid.indexing.common.task.Task`",
    },
    Row {
        what: "what is said where there is no input format",
        source: "ParallelIndexIngestionSpec",
        from: 24,
        at: 37,
        ground: || spec(DAY, &format!("{ON_DAY}\nioConfig.inputFormat = nothing")),
        told: outcomes,
        before: "refused: At least one of properties[[parser, inputFormat]] must be present",
        since: "refused: inputFormat must not be null",
    },
    Row {
        what: "range partitioning empties as the others do",
        source: "7ef444c1cc, recorded",
        from: 24,
        at: 37,
        ground: || {
            Ground::of(DAY)
                .spec("segmentGranularity = \"DAY\"\nintervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true\ntuningConfig.maxNumConcurrentSubTasks = 2\ntuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"range\",\"partitionDimensions\":[\"page\"],\"targetRowsPerSegment\":1000}")
                .known(Basis::NoRows)
        },
        told: first_fate,
        before: "Kept",
        since: "Tombstone",
    },
    Row {
        what: "useConcurrentLocks as a text beside sub-tasks",
        source: "TaskLocks.determineLockTypeForAppend, recorded",
        from: 29,
        at: 37,
        ground: || {
            spec(
                DAY,
                &format!(
                    "{ON_DAY}\ntuningConfig.maxNumConcurrentSubTasks = 2\ncontext.useConcurrentLocks = \"true\""
                ),
            )
        },
        told: |ground| outcomes(ground).split('.').next().unwrap().to_owned(),
        before: "fails: Failed in phase[segment generation]",
        since: "success",
    },
    Row {
        what: "a compaction over a gap",
        source: "NativeCompactionRunner, recorded",
        from: 24,
        at: 37,
        ground: || {
            Ground::of("2026-07-16/P1D v1 10\n2026-07-18/P1D v1 10").task(
                r#"{"type":"compact","dataSource":"events_web","ioConfig":{"type":"compact","inputSpec":{"type":"interval",
                    "interval":"2026-07-16/2026-07-19"}},"granularitySpec":{"segmentGranularity":"DAY"}}"#,
            )
        },
        told: outcomes,
        before: "fails: Ran [1] specs, [0] succeeded, [1] failed (its chunks reach beyond the locks that the compaction holds)",
        since: "success",
    },
    Row {
        what: "what is said where there is nothing to compact",
        source: "CompactionTask, recorded",
        from: 24,
        at: 37,
        ground: || {
            Ground::of("").task(
                r#"{"type":"compact","dataSource":"events_web","ioConfig":{"type":"compact","inputSpec":{"type":"interval",
                    "interval":"2026-07-16/2026-07-19"}}}"#,
            )
        },
        told: |ground| outcomes(ground).split([']', '.']).next().unwrap().to_owned(),
        before: "fails: Encountered error[No segments found for compaction",
        since: "fails: Encountered error[Empty list of intervals",
    },
    Row {
        what: "an append in a chunk that an overwrite leaves alone",
        source: "IndexerSQLMetadataStorageCoordinator.commitReplaceSegments, 6badd78e8d, recorded",
        from: 29,
        at: 37,
        ground: || {
            Ground::of("2026-07-16T03/PT1H v1 10\n2026-07-16T07/PT1H v1 10")
                .spec("intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useConcurrentLocks = true")
                .rows(&["2026-07-16T03Z"])
                .lock("index_kafka_web", LockType::Append, "2026-07-16T05/PT1H", 75)
        },
        told: |ground| {
            let worlds = ground.forecast().worlds;
            worlds.iter().map(|world| world.outcome.name()).collect::<Vec<_>>().join(" | ")
        },
        before: "success | fails",
        since: "success | success",
    },
    Row {
        what: "a mark by interval drops what overlaps from the cache",
        source: "HeapMemoryDatasourceSegmentCache, recorded",
        from: 24,
        at: 37,
        ground: || {
            Ground::of("2026-07-13/P7D v1 700").mark("mark_unused", r#""interval":"2026-07-16/2026-07-17""#)
        },
        told: first_fate,
        before: "Kept",
        since: "Gone | Kept",
    },
];

#[test]
fn each_difference_between_releases_begins_where_its_source_says() {
    for row in ROWS {
        for (release, told) in [(row.at - 1, row.before), (row.at, row.since)] {
            let ground = (row.ground)().release(release);
            assert_eq!((row.told)(&ground), told, "{} ({}), Druid {release}", row.what, row.source);
        }
    }
}

#[test]
fn between_two_differences_nothing_changes() {
    for row in ROWS {
        for release in row.from..=37 {
            let told = if release < row.at { row.before } else { row.since };
            let ground = (row.ground)().release(release);
            assert_eq!((row.told)(&ground), told, "{}, Druid {release}", row.what);
        }
    }
    assert!(ROWS.iter().all(|row| (25..=37).contains(&row.at)));
    assert_eq!(Release::major(37).to_string(), "37.0.0");
}
