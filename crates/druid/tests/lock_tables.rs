//! Lock rules against the table taken from Druid's `TaskLockbox` and its docs.
#![allow(clippy::unwrap_used, clippy::panic)] // the table is ours

use druid::interval::Interval;
use druid::lock::{Held, LockType, Request, Verdict, coexist, judge};
use serde_json::Value;

fn interval(text: &str) -> Interval {
    Interval::parse(text).unwrap()
}

fn held(kind: LockType, on: &str, priority: i64) -> Held {
    Held {
        task_id: None,
        group_id: "other".to_owned(),
        kind,
        interval: interval(on),
        version: "2026-07-16T00:00:00.000Z".to_owned(),
        priority,
        revoked: false,
    }
}

fn request(kind: LockType, on: &str, priority: i64) -> Request {
    Request { group_id: "mine".to_owned(), kind, interval: interval(on), priority }
}

#[test]
fn locks_stand_side_by_side_as_in_druids_table() {
    let table: Value = serde_json::from_str(include_str!("vectors/lock-coexistence.json")).unwrap();
    let (day, week) = (interval("2026-07-15/2026-07-16"), interval("2026-07-13/2026-07-20"));
    for rule in table["rules"].as_array().unwrap() {
        let asked = LockType::parse(rule["request"].as_str().unwrap()).unwrap();
        let held: Vec<LockType> = match rule["held"].as_str().unwrap() {
            "any but KILL" => {
                vec![LockType::Exclusive, LockType::Shared, LockType::Append, LockType::Replace]
            }
            "EXCLUSIVE, APPEND or REPLACE" => vec![LockType::Exclusive, LockType::Append, LockType::Replace],
            one => vec![LockType::parse(one).unwrap()],
        };
        for held in held {
            let cases = match rule["ok"].as_bool() {
                Some(ok) => vec![(day, day, ok), (day, week, ok), (week, day, ok)],
                // "only if the REPLACE interval contains the APPEND interval"
                None if asked == LockType::Append => {
                    vec![(day, day, true), (day, week, true), (week, day, false)]
                }
                None => vec![(day, day, true), (day, week, false), (week, day, true)],
            };
            for (asked_on, held_on, ok) in cases {
                assert_eq!(
                    coexist(asked, asked_on, held, held_on),
                    ok,
                    "{asked} on {asked_on}, {held} on {held_on}"
                );
            }
        }
    }
}

#[test]
fn only_a_strictly_higher_priority_takes_a_lock_away() {
    let day = "2026-07-15/2026-07-16";
    let batch = held(LockType::Exclusive, day, 50);
    assert_eq!(
        judge(&request(LockType::Exclusive, day, 50), std::slice::from_ref(&batch)),
        Verdict::WaitsFor(vec![0])
    );
    assert_eq!(
        judge(&request(LockType::Exclusive, day, 75), std::slice::from_ref(&batch)),
        Verdict::Revokes(vec![0])
    );
    let mixed = [
        held(LockType::Exclusive, "2026-07-15/2026-07-15T12", 25),
        held(LockType::Shared, "2026-07-15T12/2026-07-16", 50),
    ];
    assert_eq!(
        judge(&request(LockType::Exclusive, day, 50), &mixed),
        Verdict::WaitsFor(vec![0, 1]),
        "all or nothing"
    );
}

#[test]
fn what_does_not_overlap_or_was_revoked_is_in_nobodys_way() {
    let mut lost = held(LockType::Exclusive, "2026-07-15/2026-07-16", 50);
    lost.revoked = true;
    let beside = held(LockType::Exclusive, "2026-07-16/2026-07-17", 50);
    assert_eq!(
        judge(&request(LockType::Exclusive, "2026-07-15/2026-07-16", 0), &[lost, beside]),
        Verdict::Granted
    );
}

#[test]
fn only_what_really_stands_in_the_way_is_revoked() {
    let appends = [
        held(LockType::Append, "2026-07-15/2026-07-16", 0),
        held(LockType::Append, "2026-07-12/2026-07-14", 0),
    ];
    let replace = request(LockType::Replace, "2026-07-13/2026-07-20", 50);
    assert_eq!(judge(&replace, &appends), Verdict::Revokes(vec![1]));
}

#[test]
fn a_group_uses_its_own_lock_again_when_kind_and_interval_fit() {
    let mut own = held(LockType::Append, "2026-07-15/2026-07-16", 50);
    own.group_id = "mine".to_owned();
    let hour = "2026-07-15T03/2026-07-15T04";
    assert_eq!(judge(&request(LockType::Append, hour, 50), std::slice::from_ref(&own)), Verdict::Reuses(0));
    let twice = [own.clone(), own.clone()];
    assert_eq!(judge(&request(LockType::Append, hour, 50), &twice), Verdict::Ambiguous(vec![0, 1]));
    own.kind = LockType::Exclusive;
    let wider = request(LockType::Exclusive, "2026-07-13/2026-07-20", 50);
    assert_eq!(judge(&wider, &[own]), Verdict::WaitsFor(vec![0]), "a task stands in its own way");
}
