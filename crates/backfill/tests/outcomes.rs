//! How runs end that do not simply end: told by name, with the reason, over what is there now.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod ground;

use backfill::forecast::{FateKind, Outcome, Running};
use druid::lock::LockType;
use ground::{Ground, interval};

const DAY: &str = "2026-07-16/P1D v1 10";
const SPEC: &str = "intervals = [\"2026-07-16/2026-07-17\"]\ndropExisting = true";

fn outcomes(ground: &Ground) -> Vec<Outcome> {
    ground.forecast().worlds.iter().map(|world| world.outcome).collect()
}

fn waiting(priority: i64) -> Running {
    Running {
        id: "urgent".to_owned(),
        kind: "index_parallel".to_owned(),
        intervals: vec![interval("2026-07-16T06/PT1H")],
        waits: true,
        priority: Some(priority),
    }
}

#[test]
fn an_id_that_no_worker_can_write_down_never_starts() {
    // Facts 4.3: 217 bytes run, 218 stall every assignment.
    for (length, never) in [(217, false), (218, true)] {
        let spec = format!("{SPEC}\nid = \"{}\"", "a".repeat(length));
        let ground = Ground::of(DAY).spec(&spec);
        let found = outcomes(&ground);
        assert_eq!(found == [Outcome::NeverStarts], never, "{length} bytes: {found:?}");
    }
    let nul = Ground::of(DAY).spec(&format!("{SPEC}\nid = \"a\\u0000b\""));
    assert_eq!(outcomes(&nul), [Outcome::NeverStarts]);
    let forecast = nul.forecast();
    assert!(forecast.worlds[0].reason.as_deref().unwrap().contains("U+0000"));
}

#[test]
fn a_task_that_waits_with_a_higher_priority_can_take_the_locks_away() {
    let mut ground = Ground::of(DAY).spec(SPEC);
    ground.running.push(waiting(75));
    let forecast = ground.forecast();
    let [first, evicted] = forecast.worlds.as_slice() else { unreachable!("{:?}", outcomes(&ground)) };
    assert_eq!((first.outcome, evicted.outcome), (Outcome::Success, Outcome::Evicted));
    assert!(evicted.fates.iter().all(|fate| fate.kind == FateKind::Kept) && evicted.added.is_empty());
    assert!(evicted.is_certain());
    assert_eq!(evicted.after.visible().iter().count(), 1);
}

#[test]
fn a_task_that_waits_with_the_same_priority_or_elsewhere_takes_nothing_away() {
    // Facts 7.2: equal priority never takes a lock away.
    for (priority, elsewhere) in [(50, false), (75, true)] {
        let mut ground = Ground::of(DAY).spec(SPEC);
        ground.running.push(waiting(priority));
        if elsewhere {
            ground.running[0].intervals = vec![interval("2026-07-20/P1D")];
        }
        assert_eq!(outcomes(&ground), [Outcome::Success]);
    }
}

#[test]
fn a_compaction_gives_way_to_a_batch_run_that_waits() {
    let compact = r#"{"type":"compact","id":"c","dataSource":"events_web","ioConfig":{"type":"compact","inputSpec":{"type":"interval","interval":"2026-07-16/P1D"}}}"#;
    let mut ground = Ground::of(DAY).task(compact);
    ground.running.push(waiting(50));
    assert_eq!(outcomes(&ground), [Outcome::Success, Outcome::Evicted]);
    let held = Ground::of(DAY).task(compact).lock("batch", LockType::Exclusive, "2026-07-16/P1D", 50);
    assert_eq!(outcomes(&held), [Outcome::Waits]);
}
