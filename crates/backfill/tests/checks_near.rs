//! Near copies of the cases of docs/checks.md that must not trip the check: a false alarm teaches people to look away.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds nothing should fail loudly"
)]

mod ground;

use backfill::check::Verdict::{self, Pass, Stop, Warn};
use backfill::check::{AutoCompaction, Retention, Slots};
use druid::lock::LockType;
use ground::Ground;

const DAY: &str = "2026-07-16/P1D v1 1000";
const ON_DAY: &str = "intervals = [\"2026-07-16/2026-07-17\"]";
const APPEND: &str = "intervals = [\"2026-07-16/2026-07-17\"]\nappendToExisting = true";

/// Says nothing, or that it looked and found nothing.
#[track_caller]
fn quiet(ground: &Ground, check: &str) {
    let found = ground.check(check);
    assert!(found.iter().all(|finding| finding.verdict == Pass), "{check}: {found:#?}");
}

#[track_caller]
fn says(ground: &Ground, check: &str, verdict: Verdict, title: &str) {
    assert_eq!(ground.says(check), (verdict, title.to_owned()), "{check}");
}

#[test]
fn an_append_is_warned_of_odd_chunks_only_where_its_rows_may_fall() {
    let into = |segments: &str, rows: &[&str]| Ground::of(segments).spec(APPEND).rows(rows);
    let coarse = into(DAY, &["2026-07-16T05Z"]);
    says(&coarse, "append-into-coarser", Warn, "Rows may go to 1 chunk coarser than HOUR");
    quiet(
        &coarse.fixed(&into(DAY, &["2026-07-16T05Z"]).check("append-into-coarser")[0], "Use DAY chunks"),
        "append-into-coarser",
    );
    quiet(&into("2026-07-16T05/PT1H v1 10", &["2026-07-16T05Z"]), "append-into-coarser");

    let tombstone = "2026-07-16T03/PT1H v1 tombstone";
    says(
        &into(tombstone, &["2026-07-16T03:30Z"]),
        "append-into-tombstone",
        Warn,
        "Rows may go beside 1 tombstone",
    );
    quiet(&into(tombstone, &["2026-07-16T04:30Z"]), "append-into-tombstone");
    quiet(&Ground::of(tombstone).spec(ON_DAY), "append-into-tombstone");

    let hidden = "2026-07-16/P1D v1 100\n2026-07-16T03/PT1H v2 10";
    let title = "Rows would find no place in 1 partly overshadowed segment set";
    says(&into(hidden, &["2026-07-16T05Z"]), "append-into-hidden", Warn, title);
    quiet(&into(hidden, &["2026-07-16T03:30Z"]), "append-into-hidden");
    quiet(&into("2026-07-16/P1D v1 100", &["2026-07-16T05Z"]), "append-into-hidden");
}

#[test]
fn what_is_said_of_a_coarser_chunk_goes_by_the_locks_that_the_run_holds() {
    let why = |segments: &str, spec: &str| {
        Ground::of(segments).spec(&format!("{spec}\nappendToExisting = true")).check("append-into-coarser")[0]
            .why
            .clone()
    };
    let fails = "The run fails where its locks do not hold the coarse chunk whole";
    let takes = "The rows become further partitions of the coarse segment";
    // Facts 3.8: an interval over the coarse chunk holds it; whole hours are locked, not what was typed of them.
    let part = "intervals = [\"2026-07-16T03/2026-07-16T09\"]";
    let almost = "intervals = [\"2026-07-16T00:30/2026-07-16T23:30\"]";
    for (spec, said) in [
        (ON_DAY, takes),
        (almost, takes),
        (part, fails),
        ("intervals = [\"2026-07-16T00:30/2026-07-16T22:30\"]", fails),
        ("", fails),
        ("tuningConfig.maxNumConcurrentSubTasks = 2", takes),
        (&format!("{part}\ncontext.useConcurrentLocks = true"), takes),
        (&format!("{part}\ncontext.taskLockType = \"APPEND\""), takes),
        (&format!("{part}\ncontext.taskLockType = \"SHARED\""), takes),
        (&format!("{part}\ncontext.taskLockType = \"EXCLUSIVE\""), fails),
    ] {
        let text = why(DAY, spec);
        assert!(text.contains(said), "{spec}: {text}");
    }
    assert!(why("2026-07-16/P1D v1\n2026-07-17/P1D v1", "").contains("are chunks there"));
}

#[test]
fn a_coarse_segment_cut_into_pieces_is_told_once() {
    let pieces = "2026-07-01/P1M v1 100\n2026-07-10/P1D v2 1\n2026-07-12/P1D v2 1\n2026-07-14/P1D v2 1";
    let append = Ground::of(pieces).spec(
        "intervals = [\"2026-07-01/2026-08-01\"]\nsegmentGranularity = \"DAY\"\nappendToExisting = true",
    );
    says(
        &append,
        "append-into-hidden",
        Warn,
        "Rows would find no place in 1 partly overshadowed segment set",
    );
    says(&append, "append-into-coarser", Warn, "Rows may go to 1 chunk coarser than DAY");
}

#[test]
fn rows_are_lost_to_an_unused_segment_only_before_35_and_only_under_its_own_id() {
    let spec = "intervals = [\"2026-07-16T03/2026-07-16T04\"]\nappendToExisting = true\ncontext.useConcurrentLocks = true";
    let id =
        |version: &str| format!("events_web_2026-07-16T03:00:00.000Z_2026-07-16T04:00:00.000Z_{version}");
    let epoch = id("1970-01-01T00:00:00.000Z");
    let ground = || Ground::of("").spec(spec);
    says(&ground().unused(&[&epoch]), "append-lost", Stop, "Rows for 1 chunk would be lost, with SUCCESS");
    quiet(&ground().unused(&[&epoch]).release(35), "append-lost");
    quiet(&ground().unused(&[&id("2026-01-01T00:00:00.000Z")]), "append-lost");
    quiet(&Ground::of("2026-07-16T03/PT1H v1 10").spec(spec).unused(&[&epoch]), "append-lost");
    quiet(&Ground::of("").spec(APPEND).unused(&[&epoch]), "append-lost");
}

#[test]
fn a_replace_is_warned_of_appends_only_where_they_can_get_between() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useConcurrentLocks = true\nsegmentGranularity = \"DAY\"";
    let held = |spec: &str| {
        Ground::of(DAY).spec(spec).lock("index_kafka_web", LockType::Append, "2026-07-16T05/PT1H", 75)
    };
    let title = "An append by index_kafka_web could get between";
    says(&held(spec), "append-meets-replace", Warn, title);
    assert!(held(spec).check("append-meets-replace")[0].why.contains("NullPointerException"));
    assert!(held(spec).release(37).check("append-meets-replace")[0].why.contains("is hidden"));
    quiet(&held(spec).rows(&["2026-07-16T05Z"]), "append-meets-replace");
    quiet(&held(&format!("{spec}\ndropExisting = true")), "append-meets-replace");
    quiet(&Ground::of(DAY).spec(spec), "append-meets-replace");
    quiet(&held(ON_DAY), "append-meets-replace");
}

#[test]
fn an_append_gets_between_only_beside_the_run_and_only_where_the_run_may_publish_nothing() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useConcurrentLocks = true";
    let ground = || Ground::of(DAY).spec(spec).rows(&["2026-07-16T05:30Z"]);
    let held = |on: &str| ground().lock("index_kafka_web", LockType::Append, on, 75);
    says(
        &held("2026-07-16T06/PT1H"),
        "append-meets-replace",
        Warn,
        "An append by index_kafka_web could get between",
    );
    // The hour 5 is replaced for certain, and what is appended there is carried over.
    quiet(&held("2026-07-16T05/PT1H"), "append-meets-replace");
    quiet(&held("2026-07-17T05/PT1H"), "append-meets-replace");
    // A lock that reaches out of the run's own cannot stand beside it: the run waits for it.
    let across = ground().lock("index_kafka_web", LockType::Append, "2026-07-16T23/PT2H", 75);
    quiet(&across, "append-meets-replace");
    assert_eq!(across.says("lock-held").0, Warn);
    // What was taken away, and what its own group holds, is nobody else's.
    let mut revoked = held("2026-07-16T06/PT1H");
    revoked.locks[0].revoked = true;
    quiet(&revoked, "append-meets-replace");
    quiet(
        &ground().lock("idx_events_web_0123456789ab", LockType::Append, "2026-07-16T06/PT1H", 50),
        "append-meets-replace",
    );
}

#[test]
fn a_stream_whose_lock_is_known_is_named_once_and_only_where_it_holds_one() {
    let spec = "intervals = [\"2026-07-16/2026-07-17\"]\ncontext.useConcurrentLocks = true";
    // `activeLocks` names the group, the list of tasks one task of it.
    let stream = |on: &str| {
        let mut ground =
            Ground::of(DAY).spec(spec).rows(&["2026-07-16T05:30Z"]).lock("-", LockType::Append, on, 75);
        ground.locks[0].task_id = None;
        ground.locks[0].group_id = "index_kafka_web".to_owned();
        ground.running("index_kafka_web_9f2c_hhkbgmaf", "index_kafka", &[])
    };
    let title = "An append by index_kafka_web could get between";
    says(&stream("2026-07-16T06/PT1H"), "append-meets-replace", Warn, title);
    quiet(&stream("2026-07-16T05/PT1H"), "append-meets-replace");
    let other = stream("2026-07-16T05/PT1H").running("index_kafka_webshop_1_abc", "index_kafka", &[]);
    says(&other, "append-meets-replace", Warn, "An append by index_kafka_webshop_1_abc could get between");
    let batch = stream("2026-07-16T05/PT1H").running("idx_more", "index_parallel", &[]);
    quiet(&batch, "append-meets-replace");
}

#[test]
fn every_kind_of_stream_task_counts_as_a_stream_and_nothing_named_like_one() {
    let running = |kind: &str| Ground::of("").spec(ON_DAY).running("it", kind, &[]);
    for kind in ["index_kafka", "index_kinesis", "index_rabbit"] {
        says(&running(kind), "may-be-evicted", Warn, "it may take its locks away");
    }
    for kind in ["index_kill", "index_keep", "index", "kafka", "index_parallel"] {
        quiet(&running(kind), "may-be-evicted");
    }
}

#[test]
fn only_a_lock_that_can_be_taken_away_is_warned_of() {
    let stream = |spec: &str| Ground::of("").spec(spec).running("index_kafka_web", "index_kafka", &[]);
    says(&stream(ON_DAY), "may-be-evicted", Warn, "index_kafka_web may take its locks away");
    quiet(&stream(&format!("{ON_DAY}\ncontext.useConcurrentLocks = true")), "may-be-evicted");
    quiet(&stream(&format!("{ON_DAY}\ncontext.priority = 75")), "may-be-evicted");
    let elsewhere =
        Ground::of("").spec(ON_DAY).running("index_kafka_web", "index_kafka", &["2026-08-01/P1D"]);
    quiet(&elsewhere, "may-be-evicted");
    let low = Ground::of("").spec(&format!("{ON_DAY}\ncontext.priority = 20"));
    says(&low, "may-be-evicted", Warn, "Priority 20: any batch task may take its locks away");
}

#[test]
fn a_parallel_reindex_waits_for_one_poll_and_no_longer() {
    let read = "tuningConfig.maxNumConcurrentSubTasks = 2\n\
                inputSource = {\"type\":\"druid\",\"dataSource\":\"events_web\",\"interval\":\"2026-07-16/2026-07-17\"}";
    let aged = |version: &str| {
        Ground::of(&format!("2026-07-16/P1D {version} 10")).spec(&format!("{ON_DAY}\n{read}"))
    };
    says(
        &aged("2026-11-30T11:59:00.001Z"),
        "reads-too-soon",
        Warn,
        "Reads segments that are 59 seconds 999 milliseconds old",
    );
    quiet(&aged("2026-11-30T11:59:00.000Z"), "reads-too-soon");
    let alone = read.replace("= 2", "= 1");
    quiet(
        &Ground::of("2026-07-16/P1D 2026-11-30T11:59:59.000Z 10").spec(&format!("{ON_DAY}\n{alone}")),
        "reads-too-soon",
    );
}

#[test]
fn one_slot_more_than_supervisors_is_enough_to_move() {
    let spec = format!("{ON_DAY}\ntuningConfig.maxNumConcurrentSubTasks = 2");
    let with = |runs: u64, capacity: u64, used: u64| {
        Ground::of("").spec(&spec).around(|around| {
            around.runs_at_once = runs;
            around.slots = Some(Slots { capacity, used });
        })
    };
    says(
        &with(6, 6, 0),
        "slots-stand-still",
        Stop,
        "6 parallel runs on 6 worker slots would stand still for ever",
    );
    quiet(&with(6, 7, 0), "slots-stand-still");
    says(&with(1, 7, 6), "slots-stand-still", Warn, "1 worker slot free for 1 parallel run");
    let sequential = Ground::of("").spec(ON_DAY).around(|around| {
        around.slots = Some(Slots { capacity: 1, used: 0 });
    });
    quiet(&sequential, "slots-stand-still");
}

#[test]
fn the_first_retention_rule_that_fits_decides() {
    let with = |rules: serde_json::Value| {
        Ground::of("").spec(ON_DAY).around(|around| around.retention = Retention::list(&rules))
    };
    // The clock of every case is 2026-11-30, four months and a half later.
    let month = serde_json::json!([{"type": "loadByPeriod", "period": "P1M"}, {"type": "dropForever"}]);
    says(&with(month.clone()), "retention", Stop, "A retention rule drops what is written: dropForever");
    let half_a_year = serde_json::json!([{"type": "loadByPeriod", "period": "P6M"}, {"type": "dropForever"}]);
    quiet(&with(half_a_year), "retention");
    let before = |period: &str| serde_json::json!([{"type": "dropBeforeByPeriod", "period": period}, {"type": "loadForever"}]);
    assert_eq!(with(before("P4M")).says("retention").0, Stop);
    quiet(&with(before("P5M")), "retention");
    // Hours one by one, and the same of the day as one chunk: that reaches out of what the rule drops.
    let within = serde_json::json!([{"type": "dropByInterval", "interval": "2026-07-16T12/2026-07-18"}, {"type": "loadForever"}]);
    let title = "12 of 24 chunks are dropped by a retention rule: dropByInterval";
    says(&with(within.clone()), "retention", Warn, title);
    let days = |rules: &serde_json::Value| {
        let spec = format!("{ON_DAY}\nsegmentGranularity = \"DAY\"");
        let rules = Retention::list(rules);
        Ground::of("").spec(&spec).around(|around| around.retention = rules)
    };
    quiet(&days(&within), "retention");
    let whole = serde_json::json!([{"type": "dropByInterval", "interval": "2026-07-16/2026-07-17"}, {"type": "loadForever"}]);
    says(&days(&whole), "retention", Stop, "A retention rule drops what is written: dropByInterval");
    says(&days(&month), "retention", Stop, "A retention rule drops what is written: dropForever");
    // A rule that loads is about every segment that it touches, one that drops only about those inside.
    let edge = |from: &str| serde_json::json!([{"type": "loadByInterval", "interval": format!("{from}/2026-07-20")}, {"type": "dropForever"}]);
    says(
        &with(edge("2026-07-16T22:30")),
        "retention",
        Warn,
        "22 of 24 chunks are dropped by a retention rule: dropForever",
    );
    says(&with(edge("2026-07-16T00:30")), "retention", Pass, "What is written is kept");
    quiet(&days(&edge("2026-07-16T22:30")), "retention");
    // Only chunks with rows get segments.
    quiet(&with(edge("2026-07-16T22:30")).rows(&["2026-07-16T23Z"]), "retention");
    let one = with(edge("2026-07-16T22:30")).rows(&["2026-07-16T23Z", "2026-07-16T03Z"]);
    says(&one, "retention", Warn, "1 of 2 chunks is dropped by a retention rule: dropForever");
    let kill = Ground::of(DAY).spec(ON_DAY).running("kill_web", "kill", &["2026-07-01/P1M"]);
    says(&kill, "retention", Warn, "kill_web deletes unused segments in range");
    quiet(&Ground::of(DAY).spec(ON_DAY).running("kill_web", "kill", &["2026-06-01/P1M"]), "retention");
}

#[test]
fn a_compaction_config_is_warned_of_only_where_it_cuts_finer_under_concurrent_locks() {
    let with = |chunks: &str, spec: &str| {
        let config = serde_json::json!({"granularitySpec": {"segmentGranularity": chunks}});
        Ground::of("").spec(spec).around(|around| {
            around.compaction = Some(AutoCompaction::of(&config, &druid::zone::UtcOnly));
        })
    };
    let concurrent = format!("{ON_DAY}\ncontext.useConcurrentLocks = true\nsegmentGranularity = \"DAY\"");
    says(&with("HOUR", &concurrent), "auto-compaction-finer", Warn, "Compaction cuts DAY chunks into HOUR");
    quiet(&with("DAY", &concurrent), "auto-compaction-finer");
    quiet(&with("MONTH", &concurrent), "auto-compaction-finer");
    quiet(&with("HOUR", ON_DAY), "auto-compaction-finer");
}

#[test]
fn a_compaction_is_stopped_only_where_it_replaces_what_it_does_not_read() {
    let week = "2026-07-13/P7D v1 700";
    let compact = |interval: &str, io: &str, chunks: &str| {
        Ground::of(week).task(&format!(
            r#"{{"type":"compact","dataSource":"events_web","ioConfig":{{"type":"compact"{io},
                "inputSpec":{{"type":"interval","interval":"{interval}"}}}},
                "granularitySpec":{{"segmentGranularity":"{chunks}"}}}}"#
        ))
    };
    let drop = r#","dropExisting":true"#;
    let part = compact("2026-07-14/2026-07-16", drop, "DAY");
    says(&part, "compaction-destroys", Stop, "5 days of rows that are not read would vanish");
    let stop = &part.check("compaction-destroys")[0];
    quiet(
        &compact("2026-07-14/2026-07-16", drop, "DAY").fixed(stop, "Compact whole segments"),
        "compaction-destroys",
    );
    quiet(&compact("2026-07-14/2026-07-16", "", "DAY"), "compaction-destroys");
    quiet(&compact("2026-07-13/2026-07-20", drop, "DAY"), "compaction-destroys");
    // Coarser chunks over a part of what they cover, which only allowNonAlignedInterval lets through.
    let days = "2026-07-13/P1D v1 1\n2026-07-14/P1D v1 1\n2026-07-15/P1D v1 1";
    let coarser = Ground::of(days).task(
        r#"{"type":"compact","dataSource":"events_web","ioConfig":{"type":"compact","allowNonAlignedInterval":true,
            "inputSpec":{"type":"interval","interval":"2026-07-13/2026-07-15"}},
            "granularitySpec":{"segmentGranularity":"WEEK"}}"#,
    );
    says(&coarser, "compaction-destroys", Stop, "1 day of rows that are not read would vanish");
}

/// A compaction of an interval; `more` of its io config and what follows it.
fn compaction(segments: &str, interval: &str, io: &str, chunks: Option<&str>) -> Ground {
    let chunks = chunks
        .map_or(String::new(), |chunks| format!(r#","granularitySpec":{{"segmentGranularity":"{chunks}"}}"#));
    Ground::of(segments).task(&format!(
        r#"{{"type":"compact","dataSource":"events_web","ioConfig":{{"type":"compact"{io},
            "inputSpec":{{"type":"interval","interval":"{interval}"}}}}{chunks}}}"#
    ))
}

#[test]
fn a_compaction_that_empties_what_lies_far_behind_its_interval_is_stopped() {
    let drop = r#","dropExisting":true"#;
    let year = "2026-01-01/P1Y v1 1000";
    // 105,120 minutes are read, and 420,480 more get a tombstone.
    let part = compaction(year, "2026-01-01/2026-03-15", drop, Some("MINUTE"));
    says(&part, "compaction-destroys", Stop, "292 days of rows that are not read would vanish");
    quiet(&compaction(year, "2026-01-01/2027-01-01", drop, Some("MINUTE")), "compaction-destroys");
    quiet(&compaction(year, "2026-01-01/2026-03-15", "", Some("MINUTE")), "compaction-destroys");
}

#[test]
fn a_compaction_is_stopped_by_rows_that_vanish_and_not_by_tombstones() {
    let drop = r#","dropExisting":true"#;
    let asked = "2026-07-14/2026-07-16";
    let rest = |segments: &str| compaction(segments, asked, drop, Some("DAY"));
    let title = "5 days of rows that are not read would vanish";
    says(&rest("2026-07-13/P7D v1 700"), "compaction-destroys", Stop, title);
    // What lies over the rest of the week goes as well, and is counted once.
    says(&rest("2026-07-13/P7D v1 700\n2026-07-18/P1D v2 9"), "compaction-destroys", Stop, title);
    let two = "2026-07-13/P7D v1 700\n2026-07-16/P4D v2 tombstone";
    says(&rest(two), "compaction-destroys", Stop, "1 day of rows that are not read would vanish");
    quiet(
        &rest("2026-07-13/P7D v1 700\n2026-07-16/P4D v2 tombstone\n2026-07-13/P1D v2 tombstone"),
        "compaction-destroys",
    );
    // Beside the week nothing is touched.
    quiet(&rest("2026-07-14/P1D v1 700\n2026-07-15/P1D v1 9\n2026-07-16/P4D v1 9"), "compaction-destroys");
}

#[test]
fn segments_that_begin_elsewhere_than_their_chunks_hide_their_neighbours() {
    // Days of New York: to Druid their granularity is the day of UTC.
    let days = "2026-07-15T04/P1D v1 10\n2026-07-16T04/P1D v1 10\n2026-07-17T04/P1D v1 10";
    let unaligned = r#","allowNonAlignedInterval":true"#;
    let asked = "2026-07-16T04/2026-07-17T04";
    let all = "2026-07-15T04/2026-07-18T04";
    let hides = compaction(days, all, unaligned, None);
    says(&hides, "compaction-destroys", Stop, "1 day of rows that are not read could vanish");
    // One alone has no lock on its chunks, and does not run.
    let stays = compaction(days, asked, unaligned, None);
    assert!(stays.check("compaction-destroys").is_empty());
    says(&stays, "run-fails", Stop, "The run will fail");
    // Without the switch it fails before it replaces anything, and that is told by another rule.
    let fails = compaction(days, asked, "", None);
    assert!(fails.check("compaction-destroys").is_empty());
    says(&fails, "run-fails", Stop, "The run will fail");
    let utc = "2026-07-15/P1D v1 10\n2026-07-16/P1D v1 10\n2026-07-17/P1D v1 10";
    quiet(&compaction(utc, "2026-07-16/2026-07-17", unaligned, None), "compaction-destroys");
}

#[test]
fn the_fix_of_a_compaction_grows_until_it_reads_all_that_it_replaces() {
    // Weeks across the ends of months: each month that is added touches one week more, until a month ends with one.
    let weeks = "2026-06-29/P7D v1 1\n2026-07-27/P7D v1 1\n2026-08-31/P7D v1 1\n2026-09-14/P7D v1 1";
    let compact = || compaction(weeks, "2026-07-01/2026-08-01", r#","dropExisting":true"#, Some("MONTH"));
    let stop = &compact().check("compaction-destroys")[0];
    assert_eq!(stop.verdict, Stop);
    let fixed = compact().fixed(stop, "Compact whole segments");
    quiet(&fixed, "compaction-destroys");
    let druid::spec::Body::Compact(compact) = &fixed.task.body else { unreachable!() };
    assert_eq!(compact.interval, Some(ground::interval("2026-06-01/2026-10-01")));
}

#[test]
fn switches_as_texts_are_told_by_what_druid_makes_of_them() {
    let with = |value: &str| Ground::of("").spec(&format!("{ON_DAY}\ncontext.useConcurrentLocks = {value}"));
    says(&with("\"yes\""), "context-booleans", Stop, "1 switch Druid takes for false");
    says(&with("\"true\""), "context-booleans", Warn, "1 switch written as text");
    quiet(&with("true"), "context-booleans");
    let fixed = with("\"yes\"")
        .fixed(&with("\"yes\"").check("context-booleans")[0], "Write true and false without quotes");
    assert!(fixed.task.context.use_concurrent_locks);
}

#[test]
fn zones_that_druid_knows_are_no_finding() {
    let zone = |name: &str| {
        Ground::of("").spec(&format!(
            "{ON_DAY}\nsegmentGranularity = {{\"type\":\"period\",\"period\":\"P1D\",\"timeZone\":\"{name}\"}}"
        ))
    };
    says(&zone("Europe/Pariss"), "unknown-zone", Stop, "Druid does not know the time zone Europe/Pariss");
    for known in ["UTC", "Z", "Europe/Paris", "Etc/UTC", "+05:30", "GMT"] {
        quiet(&zone(known), "unknown-zone");
    }
}

#[test]
fn an_id_of_217_bytes_runs() {
    let id = |length: usize| Ground::of("").spec(&format!("id = \"{}\"", "i".repeat(length)));
    assert_eq!(id(218).says("id-stalls").0, Stop);
    quiet(&id(217), "id-stalls");
    assert_eq!(Ground::of("").spec("id = \"a\\u0000b\"").says("id-stalls").0, Stop);
}

#[test]
fn the_id_that_is_judged_is_the_one_that_is_sent() {
    use backfill::task_id::{Version, task_id};
    let day = ground::interval("2026-07-16/2026-07-17");
    let made = |ground: Ground| Ground {
        id: task_id(ground::DATASOURCE, &[day], &Version::typed("v1").unwrap()).ok(),
        ..ground
    };
    let with = |id: &str| Ground::of("").spec(&format!("{ON_DAY}\nid = \"{id}\""));
    for (id, check) in [
        ("i".repeat(218), "id-stalls"),
        (".hidden".to_owned(), "server-refuses"),
        ("i".repeat(256), "id-stalls"),
    ] {
        let (own, another) = (with(&id), made(with(&id)));
        assert_eq!(own.check(check).first().map(|finding| finding.verdict), Some(Stop), "{id}");
        quiet(&another, check);
        let outcomes = |ground: &Ground| {
            ground.forecast().worlds.iter().map(|world| world.outcome.name()).collect::<Vec<_>>()
        };
        assert!(!outcomes(&own).contains(&"success"), "{id}");
        assert_eq!(outcomes(&another), ["success"], "{id}");
    }
    // A lock of the id that is sent is its own; one of the id in the document is somebody else's.
    let plain = || made(Ground::of("").spec(ON_DAY));
    let sent = plain().id.unwrap().id;
    quiet(&plain().lock(&sent, LockType::Exclusive, "2026-07-16/P1D", 50), "lock-held");
    let documents = plain().lock("idx_events_web_0123456789ab", LockType::Exclusive, "2026-07-16/P1D", 50);
    says(&documents, "lock-held", Warn, "Waits for idx_events_web_0123456789ab");
}

#[test]
fn what_is_left_out_of_the_id_may_change() {
    let spec = format!("{ON_DAY}\ncontext.runId = \"17\"");
    let with = |left_out: Option<&[&str]>| {
        Ground::of("").spec(&spec).around(|around| {
            around.left_out_of_id = left_out
                .map(|paths| paths.iter().map(|path| druid::json::Path::parse(path).unwrap()).collect());
        })
    };
    says(&with(Some(&[])), "volatile-fields", Warn, "1 field would change the id of a retry");
    quiet(&with(Some(&["context.runId"])), "volatile-fields");
    quiet(&with(None), "volatile-fields");
}

#[test]
fn chunks_that_fit_into_segments_do_not_cross_them() {
    let over = |segments: &str, chunks: &str, on: &str| {
        Ground::of(segments).spec(&format!("segmentGranularity = \"{chunks}\"\nintervals = [\"{on}\"]"))
    };
    let crossing = "WEEK chunks cut across segments of other lengths";
    says(&over("2015-02-01/P1M v1", "WEEK", "2015-02-01/2015-03-01"), "chunks-cross", Warn, crossing);
    quiet(&over("2015-02-01/P1M v1", "DAY", "2015-02-01/2015-03-01"), "chunks-cross");
    quiet(&over("2015-02-02/P7D v1", "DAY", "2015-02-02/2015-02-09"), "chunks-cross");
    quiet(&over("2015-02-02/P1D v1", "WEEK", "2015-02-02/2015-02-09"), "chunks-cross");
    // February 2021 is four whole weeks.
    quiet(&over("2021-02-01/P1M v1", "WEEK", "2021-02-01/2021-03-01"), "chunks-cross");
}

#[test]
fn chunks_without_rows_are_told_under_each_mode_by_what_becomes_of_them() {
    let hours = "2026-07-16T03/PT1H v1 100\n2026-07-16T07/PT1H v1 200";
    let rows = |spec: &str| Ground::of(hours).spec(spec).rows(&["2026-07-16T03Z"]);
    says(&rows(ON_DAY), "chunks-kept", Warn, "1 chunk keeps its old rows");
    let dropped = rows(ON_DAY).fixed(&rows(ON_DAY).check("chunks-kept")[0], "Empty chunks without rows");
    quiet(&dropped, "chunks-kept");
    says(&dropped, "chunks-emptied", Warn, "1 chunk with 200 rows will be emptied");
    quiet(&Ground::of(hours).spec(ON_DAY).rows(&["2026-07-16T03Z", "2026-07-16T07Z"]), "chunks-kept");
}

#[test]
fn an_overwrite_that_lands_below_is_told_by_name_and_both_ways_out_settle_it() {
    let spec = "segmentGranularity = \"DAY\"\ntuningConfig.maxNumConcurrentSubTasks = 2\ncontext.useConcurrentLocks = true";
    let with = |segments: &str, more: &str| {
        Ground::of(segments).spec(&format!("{spec}\n{more}")).rows(&["2026-07-16T05Z"])
    };
    let trap = || with(DAY, "");
    says(&trap(), "overwrites-below", Stop, "1 chunk would be hidden at birth by what they overwrite");
    quiet(&trap(), "future-versions");
    let found = &trap().check("overwrites-below")[0];
    for label in ["Name what is there", "Take useConcurrentLocks out"] {
        quiet(&trap().fixed(found, label), "overwrites-below");
        quiet(&trap().fixed(found, label), "future-versions");
    }
    says(&with("", ""), "overwrites-below", Warn, "Publishes under the oldest version there is");
    for more in [
        ON_DAY,
        "tuningConfig.maxNumConcurrentSubTasks = 1",
        "context.useConcurrentLocks = false",
        "appendToExisting = true",
        "tuningConfig.forceGuaranteedRollup = true\npartitionsSpec = {\"type\":\"hashed\",\"numShards\":2}",
    ] {
        quiet(&with(DAY, more), "overwrites-below");
    }
}
