//! Runs of which nobody says what rows they have: where these can fall, and where they cannot.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot set itself up must fail"
)]

mod ground;

use backfill::forecast::{FateKind, MORE_THAN_LISTED, Outcome, Reason};
use druid::lock::LockType;
use ground::{Ground, interval};

fn append(segments: &str, segment: &str, more: &str) -> Ground {
    Ground::of(segments).spec(&format!("appendToExisting = true\nsegmentGranularity = {segment}\n{more}"))
}

const PT4H: &str = r#"{"type":"period","period":"PT4H"}"#;
const TYPED: &str = "intervals = [\"2026-07-16/2026-07-17\"]";

/// `Granularity.granularitiesFinerThan` lists standard ones only: four hours are no candidate, an hour is.
#[test]
fn rows_for_chunks_of_four_hours_start_hours() {
    let world = &append("", PT4H, TYPED).forecast().worlds[0];
    assert_eq!((world.fates.len(), world.is_cut), (24, false));
    for fate in &world.fates {
        assert_eq!(
            (fate.kind, fate.interval.duration_ms(), fate.chunks),
            (FateKind::NewOrNothing, 3_600_000, 1)
        );
        assert_eq!(fate.why, Reason::Starts { rows: None, finer: true });
    }
    // Eight hours are a standard granularity.
    let eight = &append("", "\"EIGHT_HOUR\"", TYPED).forecast().worlds[0];
    assert!(eight.fates.iter().all(|fate| fate.why == Reason::Starts { rows: None, finer: false }));
    // Without intervals any hour may be started, and nothing is left unsaid.
    let open = append("", PT4H, "").forecast();
    assert_eq!(open.worlds[0].fates[0].kind, FateKind::NewOrNothing);
    assert!(!open.unknown.iter().any(|text| text == MORE_THAN_LISTED), "{:?}", open.unknown);
}

#[test]
fn what_an_hour_divides_is_explored_and_the_days_around_it_are_told_by_rule() {
    let forecast =
        append("2026-07-16T12/PT1H v1 1", "\"EIGHT_HOUR\"", "tuningConfig.maxNumConcurrentSubTasks = 2")
            .forecast();
    assert!(!forecast.unknown.iter().any(|text| text == MORE_THAN_LISTED), "{:?}", forecast.unknown);
    let world = &forecast.worlds[0];
    // Chunks of six and eight hours begin together at midnight: nothing reaches across.
    let around: Vec<_> =
        world.fates.iter().filter(|fate| fate.chunks > 1).map(|fate| fate.interval).collect();
    assert_eq!(around.len(), 2, "{around:?}");
    let day = interval("2026-07-16/P1D");
    assert_eq!((around[0].end, around[1].start), (day.start, day.end));
}

#[test]
fn a_chunk_that_somebody_holds_gets_rows_in_no_run_that_ends_well() {
    let day = "2026-07-16/P1D v1 10\n2026-07-17/P1D v1 10";
    let held = |mode: &str, priority: i64| {
        let spec = format!("segmentGranularity = \"DAY\"\n{mode}");
        let ground =
            Ground::of(day).spec(&spec).lock("other", LockType::Exclusive, "2026-07-16T05/PT1H", priority);
        let forecast = ground.forecast();
        let ends: Vec<Outcome> = forecast.worlds.iter().map(|world| world.outcome).collect();
        let fate = forecast.worlds[0].fate_at(interval("2026-07-16/P1D").start).unwrap().clone();
        let beside = forecast.worlds[0].fate_at(interval("2026-07-17/P1D").start).unwrap().kind;
        (ends, fate.kind, fate.why == Reason::ShutOut, beside)
    };
    use FateKind::{AppendedOrKept, Kept, NewOrKept};
    use Outcome::{Fails, Success};
    // Facts 3.2: without intervals it is too late to wait.
    assert_eq!(held("", 75), (vec![Success, Fails], Kept, true, NewOrKept));
    assert_eq!(held("appendToExisting = true", 75), (vec![Success, Fails], Kept, true, AppendedOrKept));
    // One of lower priority is thrown out.
    assert_eq!(held("", 25), (vec![Success], NewOrKept, false, NewOrKept));
    assert_eq!(held("appendToExisting = true", 25), (vec![Success], AppendedOrKept, false, AppendedOrKept));
    // With intervals the run waits, and does all of it afterwards.
    let waits = held("intervals = [\"2026-07-16/2026-07-18\"]", 75);
    assert_eq!(waits, (vec![Outcome::Waits], NewOrKept, false, NewOrKept));
}

#[test]
fn an_append_to_all_of_time_does_not_fail_over_its_query_granularity() {
    for query in ["NONE", "HOUR", "YEAR"] {
        let ground = append("", "\"ALL\"", &format!("granularitySpec.queryGranularity = \"{query}\""));
        let ends: Vec<Outcome> = ground.forecast().worlds.iter().map(|world| world.outcome).collect();
        assert_eq!(ends, [Outcome::Success], "{query}");
    }
    // A day holds no year.
    let day = append("", "\"DAY\"", "granularitySpec.queryGranularity = \"YEAR\"").forecast();
    assert!(day.worlds.iter().any(|world| world.outcome == Outcome::Fails));
}
