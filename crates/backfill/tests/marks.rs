//! Forecasts of mark calls: against recorded calls, against a timeline built anew, and what is said of each piece.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot read its vectors must fail"
)]

mod ground;

use std::collections::BTreeSet;

use backfill::check::Verdict;
use backfill::forecast::{FateKind, Forecast, Known, Outcome, Question, World, forecast};
use druid::interval::{Instant, Interval};
use druid::json::Document;
use druid::release::Release;
use druid::segment::{Segment, SegmentSet, UnusedSegment};
use druid::spec::Task;
use druid::timeline::Timeline;
use druid::zone::UtcOnly;
use ground::Ground;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A call on a datasource, and the forecast of it.
fn foresee(used: &[Segment], unused: Vec<UnusedSegment>, task: &Value, release: Release) -> Forecast {
    let set = SegmentSet::of("web", used);
    let timeline = Timeline::build(&set).unwrap();
    let task = Task::read(&Document::parse(task.to_string()), &UtcOnly);
    forecast(&Question {
        segments: &set,
        timeline: &timeline,
        task: &task,
        known: &Known::default(),
        release,
        now: Instant::parse("2026-12-02T00Z").unwrap(),
        locks: &[],
        running: &[],
        unused: Some(&unused),
        id: None,
    })
}

/// What is visible, with the partitions that serve it.
fn visible(timeline: &Timeline) -> Vec<(Interval, Interval, String, BTreeSet<u32>)> {
    let pieces = timeline.visible().iter();
    let told = pieces.map(|piece| {
        let holder = timeline.holder(piece.holder).unwrap();
        (piece.interval, holder.interval, holder.version.to_owned(), holder.partitions().collect())
    });
    told.collect()
}

#[test]
fn recorded_mark_calls_leave_the_timeline_that_was_foreseen() {
    let gz = include_bytes!("../../druid/tests/vectors/live-marks.jsonl.gz");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(&gz[..])).unwrap();
    let segments = |list: &Value| -> Vec<Segment> {
        list.as_array().unwrap().iter().map(|raw| Segment::from_json(raw).unwrap()).collect()
    };
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["name"].as_str().unwrap();
        let (used, unused) = (segments(&line["before"]), segments(&line["unused_before"]));
        let mut task = line["body"].clone();
        let kind = if line["call"] == "markUsed" { "mark_used" } else { "mark_unused" };
        task["type"] = json!(kind);
        task["dataSource"] = json!("web");
        let release = Release::parse(line["release"].as_str().unwrap()).unwrap();
        let made = foresee(&used, unused.iter().cloned().map(UnusedSegment::from).collect(), &task, release);
        assert_eq!(made.intent.name(), kind, "{name}");
        let after: BTreeSet<&str> =
            line["after"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        let left: Vec<&Segment> =
            used.iter().chain(&unused).filter(|it| after.contains(it.id().to_string().as_str())).collect();
        assert_eq!(left.len(), after.len(), "{name}");
        let left = Timeline::build(&SegmentSet::of("web", left)).unwrap();
        // Where there are two worlds the recorded cluster had its cache, as is the default.
        let world = &made.worlds[0];
        assert_eq!(visible(&world.after), visible(&left), "{name}");
        let success = world.outcome == Outcome::Success;
        assert_eq!(success, line["status"] == 200, "{name}: {:?}", world.reason);
        if !success {
            assert_eq!(world.outcome, Outcome::Refused, "{name}");
            assert!(world.marked.is_empty() && world.reason.is_some(), "{name}");
        }
    }
}

fn only(made: &Forecast) -> &World {
    assert_eq!(made.worlds.len(), 1, "{:?}", made.unknown);
    &made.worlds[0]
}

/// Each fate of the only world: its interval, kind and sentence.
fn told(ground: &Ground) -> Vec<(String, FateKind, String)> {
    let made = ground.forecast();
    let fates = only(&made).fates.iter();
    fates.map(|fate| (fate.interval.short(), fate.kind, fate.sentence())).collect()
}

#[test]
fn marking_the_top_unused_brings_the_lower_version_back_and_the_words_are_the_storys() {
    let ground = Ground::of("2026-07-16/P1D v1 1000\n2026-07-16T03/PT1H v2 50")
        .mark("mark_unused", r#""interval":"2026-07-16T02/2026-07-16T05""#);
    let told = told(&ground);
    let kinds: Vec<(&str, FateKind)> = told.iter().map(|(at, kind, _)| (at.as_str(), *kind)).collect();
    assert_eq!(
        kinds,
        [
            ("2026-07-16T02:00:00Z/2026-07-16T03:00:00Z", FateKind::Kept),
            ("2026-07-16T03:00:00Z/2026-07-16T04:00:00Z", FateKind::Back),
            ("2026-07-16T04:00:00Z/2026-07-16T05:00:00Z", FateKind::Kept),
        ]
    );
    assert_eq!(told[0].2, "No segment is marked here, so nothing changes.");
    assert_eq!(
        told[1].2,
        "What is served here is marked unused: this brings back version 2026-01-01T00:00:00.000Z, as long as it stays used."
    );
    assert_eq!(ground.says("mark-uncovers").0, Verdict::Warn);
    assert_eq!(ground.says("mark-empties").0, Verdict::Pass);
    assert_eq!(ground.says("mark-takes"), (Verdict::Pass, "1 segment is marked unused".to_owned()));
}

#[test]
fn a_set_that_loses_a_core_partition_serves_nothing() {
    let id = "events_web_2026-07-16T00:00:00.000Z_2026-07-17T00:00:00.000Z_2026-02-01T00:00:00.000Z_1";
    let ids = format!(r#""segmentIds":["{id}"]"#);
    let alone = Ground::of("2026-07-16/P1D v2 10 parts=2").mark("mark_unused", &ids);
    assert_eq!(told(&alone)[0].1, FateKind::Gone);
    assert!(told(&alone)[0].2.starts_with("A core partition of what is served here is marked unused"));
    assert_eq!(alone.says("mark-empties").0, Verdict::Warn);
    let over = Ground::of("2026-07-16/P1D v1 7\n2026-07-16/P1D v2 10 parts=2").mark("mark_unused", &ids);
    assert_eq!(told(&over)[0].1, FateKind::Back);
    let grown = Ground::of("2026-07-16/P1D v2 10 parts=2 appended").mark("mark_unused", &ids);
    assert_eq!(told(&grown)[0].1, FateKind::Thinned);
}

#[test]
fn what_comes_back_covers_what_is_served_and_is_told_so() {
    let ground = Ground::of("2026-07-16/P1D v1 1000")
        .mark("mark_used", r#""interval":"2026-07-15/2026-07-17""#)
        .unused_segments("2026-07-15/P1D v1 5\n2026-07-16T03/PT1H v2 50\n2026-07-16T04/PT1H v2 tombstone");
    let told = told(&ground);
    let kinds: Vec<FateKind> = told.iter().map(|(_, kind, _)| *kind).collect();
    assert_eq!(kinds, [FateKind::Back, FateKind::Kept, FateKind::Back, FateKind::Tombstone, FateKind::Kept]);
    assert!(told[2].2.ends_with("it overshadows version 2026-01-01T00:00:00.000Z."), "{}", told[2].2);
    assert!(told[3].2.starts_with("A tombstone of version"), "{}", told[3].2);
    assert_eq!(ground.says("mark-covers").0, Verdict::Warn);
    assert_eq!(ground.says("mark-empties"), (Verdict::Warn, "1 range with rows would be emptied".to_owned()));
    assert_eq!(ground.says("mark-takes"), (Verdict::Pass, "3 segments are marked used".to_owned()));
}

#[test]
fn ids_alone_make_no_world_where_they_are_meant() {
    let id = "events_web_2026-07-16T03:00:00.000Z_2026-07-16T04:00:00.000Z_2026-02-01T00:00:00.000Z";
    let day = || Ground::of("2026-07-16/P1D v1 1000").unused(&[id]);
    let made = day().mark("mark_used", r#""interval":"2026-07-16/2026-07-17""#).forecast();
    assert!(made.worlds.is_empty());
    assert_eq!(
        made.unknown[0],
        "What comes back: of 1 unused segment only the id is known, and an id does not say how many core partitions there \
         are, nor whether it is a tombstone's."
    );
    let elsewhere = day().mark("mark_used", r#""interval":"2026-07-17/2026-07-18""#).forecast();
    assert_eq!(only(&elsewhere).outcome, Outcome::Success);
    // What is marked unused does not hang on them.
    let unused = day().mark("mark_unused", r#""interval":"2026-07-16/2026-07-17""#).forecast();
    assert_eq!(only(&unused).marked.len(), 1);
}

#[test]
fn from_37_on_what_sticks_out_of_the_interval_vanishes_as_well_where_the_cache_is_on() {
    let ground = |release| {
        Ground::of("2026-07-13/P7D v1 700\n2026-07-16/P1D v2 9")
            .mark("mark_unused", r#""interval":"2026-07-16/2026-07-17""#)
            .release(release)
    };
    assert_eq!(ground(36).forecast().worlds.len(), 1);
    let cached = ground(37);
    let made = cached.forecast();
    let [first, second] = made.worlds.as_slice() else { panic!("{} worlds", made.worlds.len()) };
    assert!(
        first.when.contains("cache") && second.when.contains("never"),
        "{} / {}",
        first.when,
        second.when
    );
    assert_eq!(visible(&first.after), []);
    assert_eq!(visible(&second.after).len(), 1);
    let stop =
        cached.check("mark-takes").into_iter().find(|finding| finding.verdict == Verdict::Stop).unwrap();
    assert_eq!(stop.title, "2 ranges beside the interval would vanish");
    let fixed = cached.fixed(&stop, "Name the segments instead");
    assert_eq!(only(&fixed.forecast()).marked.len(), 1);
    assert_eq!(visible(&only(&fixed.forecast()).after), visible(&second.after));
}

#[test]
fn each_call_is_told_as_the_call_that_it_is() {
    let unused = r#""interval":"2026-07-16/2026-07-17""#;
    for (kind, release, path) in [
        ("mark_unused", 33, "/druid/indexer/v1/datasources/events_web/markUnused"),
        ("mark_used", 33, "/druid/indexer/v1/datasources/events_web/markUsed"),
        ("mark_unused", 32, "/druid/coordinator/v1/datasources/events_web/markUnused"),
        ("mark_used", 24, "/druid/coordinator/v1/datasources/events_web/markUsed"),
    ] {
        let ground = Ground::of("").mark(kind, unused).release(release);
        assert_eq!(
            ground.says("mark-is-a-call"),
            (Verdict::Stop, format!("No task but a call: POST {path}"))
        );
        let why = &ground.check("mark-is-a-call")[0].why;
        let body = r#"{"interval":"2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z"}"#;
        assert!(why.contains(body), "{why}");
        assert_eq!(why.contains("Accept: application/json"), kind == "mark_used" && release == 33);
    }
}

#[test]
fn a_call_that_takes_nothing_says_why() {
    let week = Ground::of("2026-07-13/P7D v1 700");
    let says = |ground: Ground| ground.check("mark-takes")[0].why.clone();
    assert!(
        says(week.mark("mark_unused", r#""interval":"2026-07-16/2026-07-17""#)).contains("sticks out of it")
    );
    let empty = r#""interval":"2026-07-13/2026-07-20","versions":[]"#;
    assert!(says(Ground::of("2026-07-13/P7D v1").mark("mark_unused", empty)).contains("no version, not all"));
    let covered = Ground::of("2026-07-13/P7D v2").unused_segments("2026-07-13/P7D v1");
    assert!(says(covered.mark("mark_used", r#""interval":"2026/2027""#)).contains("newer ones cover them"));
    let both = Ground::of("").mark("mark_used", r#""interval":"2026/2027","segmentIds":["x"]"#);
    assert_eq!(only(&both.forecast()).outcome, Outcome::Refused);
}

fn hours(from: i64, to: i64) -> Interval {
    const HOUR: i64 = 3_600_000;
    const START: i64 = 1_783_900_800_000;
    Interval::new(Instant::from_ms(START + from * HOUR), Instant::from_ms(START + to * HOUR)).unwrap()
}

/// Segments of several versions, each version in one length of chunk; `true`: used.
fn datasources() -> impl Strategy<Value = Vec<(Segment, bool)>> {
    use druid::segment::ShardSpec;
    let layer = (prop::sample::select(vec![1i64, 4, 8]), -8i64..16, 1i64..5, 0u8..4);
    (prop::collection::vec(layer, 1..5), any::<u64>()).prop_map(|(layers, coins)| {
        let mut all = Vec::new();
        for (version, (length, from, count, shape)) in layers.into_iter().enumerate() {
            let first = from.div_euclid(length) * length;
            for chunk in 0..count {
                let interval = hours(first + chunk * length, first + (chunk + 1) * length);
                let shards = match shape {
                    0 => vec![ShardSpec::Tombstone],
                    1 => vec![ShardSpec::Numbered { partition: 0, core: 1 }],
                    2 => (0..2).map(|partition| ShardSpec::Numbered { partition, core: 2 }).collect(),
                    _ => (3..5).map(|partition| ShardSpec::Numbered { partition, core: 0 }).collect(),
                };
                let version = format!("2026-01-0{}", version + 1);
                all.extend(shards.into_iter().map(|shard| Segment::new("web", interval, &version, shard)));
            }
        }
        all.into_iter().enumerate().map(|(place, it)| (it, coins >> (place % 64) & 1 == 1)).collect()
    })
}

proptest! {
    /// The world is the timeline of what is used afterwards, and its fates tell exactly where that differs.
    #[test]
    fn the_world_of_a_mark_call_is_the_timeline_built_anew(
        all in datasources(), from in -10i64..20, length in 1i64..30, use_ in any::<bool>(),
    ) {
        let used: Vec<Segment> = all.iter().filter(|(_, used)| *used).map(|(it, _)| it.clone()).collect();
        let unused: Vec<Segment> = all.iter().filter(|(_, used)| !used).map(|(it, _)| it.clone()).collect();
        let kind = if use_ { "mark_used" } else { "mark_unused" };
        let task = json!({"type": kind, "dataSource": "web", "interval": hours(from, from + length).to_string()});
        let others = unused.iter().cloned().map(UnusedSegment::from).collect();
        let made = foresee(&used, others, &task, Release::major(36));
        let world = only(&made);
        let marked = |it: &&Segment| world.marked.contains(&it.id().to_string());
        let left: Vec<&Segment> = if use_ {
            used.iter().chain(unused.iter().filter(marked)).collect()
        } else {
            used.iter().filter(|it| !marked(it)).collect()
        };
        let before = Timeline::build(&SegmentSet::of("web", &used)).unwrap();
        let after = Timeline::build(&SegmentSet::of("web", left)).unwrap();
        prop_assert_eq!(visible(&world.after), visible(&after));
        // Instant by instant, half an hour past each hour: what is served, in which version, by how many segments.
        let served = |timeline: &Timeline, at: Instant| {
            let here = Interval { start: at, end: Instant::from_ms(at.ms() + 1) };
            let piece = timeline.lookup(here).first().copied()?;
            let holder = timeline.holder(piece.holder)?;
            Some((holder.version.to_owned(), holder.tombstone, holder.len()))
        };
        for hour in -30..60 {
            let at = Instant::from_ms(hours(hour, hour + 1).start.ms() + 1_800_000);
            let (was, is) = (served(&before, at), served(&after, at));
            let Some(fate) = world.fate_at(at) else {
                prop_assert_eq!(was, is);
                continue;
            };
            let rows = |it: &Option<(String, bool, usize)>| it.as_ref().is_some_and(|(_, tombstone, _)| !tombstone);
            let expected = match (&was, &is) {
                (None, None) => FateKind::Nothing,
                (Some(a), Some(b)) if a == b => FateKind::Kept,
                (Some(a), Some(b)) if a.0 == b.0 => if a.2 < b.2 { FateKind::Appended } else { FateKind::Thinned },
                _ if rows(&is) => FateKind::Back,
                _ if !rows(&was) => FateKind::Nothing,
                (_, None) => FateKind::Gone,
                (_, Some(_)) => FateKind::Tombstone,
            };
            prop_assert_eq!(fate.kind, expected, "{:?} → {:?}: {}", was, is, fate.sentence());
        }
    }
}
