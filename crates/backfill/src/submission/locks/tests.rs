//! Tables: what is said after these looks, and what is not said after others that differ in one thing.

#![allow(clippy::expect_used)] // a test that cannot go on should say where

use super::*;
use RunnerStatus::{None as Unsaid, Pending, Running, Waiting};

const RUN: &str = "idx_web";

fn on(text: &str) -> Interval {
    Interval::parse(text).expect("an interval")
}

/// `holder KIND interval priority`, with `revoked` after it where it is; days of March 2026.
fn locks(text: &str) -> Vec<Held> {
    let lock = |text: &str| {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let [group, kind, days, priority, rest @ ..] = parts.as_slice() else { panic!("{text}") };
        let (from, to) = days.split_once('-').expect("two days");
        Held {
            task_id: None,
            group_id: if *group == "own" { RUN } else { group }.to_owned(),
            kind: LockType::parse(kind).expect("a kind"),
            interval: on(&format!("2026-03-{from}/2026-03-{to}")),
            version: String::new(),
            priority: priority.parse().expect("a number"),
            revoked: rest == ["revoked"],
        }
    };
    text.split(',').filter(|one| !one.trim().is_empty()).map(lock).collect()
}

fn wanted(kind: LockType, priority: i64, has: Has) -> LockWanted {
    LockWanted { kind, priority, group: None, has }
}

/// What is said after looks: where the runner has it, and the locks.
struct Told<'a> {
    wanted: Option<&'a LockWanted>,
    range: &'a [Interval],
    held_before: bool,
}

impl Told<'_> {
    fn after(&self, looks: &[(RunnerStatus, &str)]) -> String {
        let mut watch = LockWatch::default();
        let mut held_before = self.held_before;
        let mut runner = Unsaid;
        for (seen, text) in looks {
            runner = *seen;
            let watched = Watched { id: RUN, wanted: self.wanted, range: self.range, runner, held_before };
            held_before |= watch.see(watched, locks(text));
        }
        watch.standing(runner).sentence(RUN, runner).unwrap_or_default()
    }
}

const MINE: &str = "own EXCLUSIVE 01-04 10";
const OTHERS: &str = "stream EXCLUSIVE 20-21 75";
const TAKEN: &str = "kafka EXCLUSIVE 02-03 75";
const LOST: &str = "idx_web has lost its lock: a task of a higher priority took it. Druid will not let it publish and does \
                    not end it by itself; it keeps its worker slot. Cancel it.";
const LOST_TO_KAFKA: &str = "idx_web has lost its lock: kafka on 2026-03-02T00:00:00Z/2026-03-03T00:00:00Z, priority 75, \
                             took it. Druid will not let it publish and does not end it by itself; it keeps its worker \
                             slot. Cancel it.";

#[test]
fn a_lock_is_told_to_be_lost_only_when_it_was_held_and_two_looks_in_a_row_miss_it() {
    use Has::{AtStart, AtStartMostly, Later};
    type Row<'a> = (&'a str, Has, &'a [(RunnerStatus, &'a str)], &'a str);
    let rows: &[Row<'_>] = &[
        ("held, then gone twice", AtStartMostly, &[(Running, MINE), (Running, ""), (Running, "")], LOST),
        ("gone once", AtStartMostly, &[(Running, MINE), (Running, "")], ""),
        (
            "gone, back, gone",
            AtStartMostly,
            &[(Running, MINE), (Running, ""), (Running, MINE), (Running, "")],
            "",
        ),
        (
            "told, and it is there again",
            AtStartMostly,
            &[(Running, MINE), (Running, ""), (Running, ""), (Running, MINE)],
            "",
        ),
        ("held all the time", AtStartMostly, &[(Running, MINE), (Running, MINE), (Running, MINE)], ""),
        (
            "never seen: perhaps segment locks",
            AtStartMostly,
            &[(Running, ""), (Running, ""), (Running, "")],
            "",
        ),
        ("never seen, in REPLACE mode", AtStart, &[(Running, ""), (Running, "")], LOST),
        ("never seen, in REPLACE mode, one look", AtStart, &[(Running, "")], ""),
        ("no intervals, before the first row", Later, &[(Running, ""), (Running, ""), (Running, "")], ""),
        (
            "no intervals, held, then gone twice",
            Later,
            &[(Running, MINE), (Running, ""), (Running, "")],
            LOST,
        ),
        (
            "no intervals, a second chunk comes",
            Later,
            &[
                (Running, "own EXCLUSIVE 01-02 50"),
                (Running, "own EXCLUSIVE 01-02 50, own EXCLUSIVE 02-03 50"),
            ],
            "",
        ),
        ("waits: it gave back what it had", AtStart, &[(Waiting, ""), (Waiting, ""), (Waiting, "")], ""),
        (
            "waits, then runs: the first look counts",
            AtStart,
            &[(Waiting, ""), (Waiting, ""), (Running, "")],
            "",
        ),
        (
            "held while it waited for others, then not",
            AtStartMostly,
            &[(Waiting, MINE), (Running, ""), (Running, "")],
            "",
        ),
        ("the runner says nothing", AtStart, &[(Unsaid, ""), (Unsaid, ""), (Unsaid, "")], ""),
        ("the runner says nothing in between", AtStart, &[(Running, ""), (Unsaid, ""), (Running, "")], ""),
        (
            "a new leader has it wait again",
            AtStartMostly,
            &[(Running, MINE), (Running, ""), (Waiting, ""), (Running, "")],
            "",
        ),
        (
            "somebody else's lock far away",
            AtStartMostly,
            &[(Running, MINE), (Running, OTHERS), (Running, OTHERS)],
            LOST,
        ),
        (
            "somebody else's lock far away, and its own",
            AtStart,
            &[
                (Running, "own EXCLUSIVE 01-04 10, stream EXCLUSIVE 20-21 75"),
                (Running, "own EXCLUSIVE 01-04 10, stream EXCLUSIVE 20-21 75"),
            ],
            "",
        ),
        (
            "revoked and still listed",
            AtStartMostly,
            &[(Running, "own EXCLUSIVE 01-04 10 revoked"), (Running, "own EXCLUSIVE 01-04 10 revoked")],
            LOST,
        ),
        (
            "revoked and listed, one look",
            AtStartMostly,
            &[(Running, MINE), (Running, "own EXCLUSIVE 01-04 10 revoked")],
            "",
        ),
        (
            "an APPEND lock beside another's REPLACE lock",
            AtStartMostly,
            &[
                (Running, "own APPEND 01-04 50, other REPLACE 01-04 90"),
                (Running, "own APPEND 01-04 50, other REPLACE 01-04 90"),
            ],
            "",
        ),
        (
            "one of two gone",
            AtStartMostly,
            &[
                (Running, "own EXCLUSIVE 01-04 50, own EXCLUSIVE 06-07 50"),
                (Running, "own EXCLUSIVE 01-04 50"),
                (Running, "own EXCLUSIVE 01-04 50"),
            ],
            LOST,
        ),
        (
            "one of two gone, locked as rows came",
            Later,
            &[
                (Running, "own EXCLUSIVE 01-04 50, own EXCLUSIVE 06-07 50"),
                (Running, "own EXCLUSIVE 01-04 50"),
                (Running, "own EXCLUSIVE 01-04 50"),
            ],
            "",
        ),
        (
            "two that became one",
            AtStart,
            &[
                (Running, "own REPLACE 01-04 50, own REPLACE 06-07 50"),
                (Running, "own REPLACE 01-07 50"),
                (Running, "own REPLACE 01-07 50"),
            ],
            "",
        ),
    ];
    for (what, has, looks, expected) in rows {
        let wanted = wanted(LockType::Exclusive, 10, *has);
        let told = Told { wanted: Some(&wanted), range: &[on("2026-03-01/2026-03-04")], held_before: false };
        assert_eq!(told.after(looks), *expected, "{what}");
    }
}

#[test]
fn whoever_took_the_lock_is_named_when_its_lock_was_seen_and_can_have_done_it() {
    let replace = wanted(LockType::Replace, 50, Has::AtStart);
    let exclusive = wanted(LockType::Exclusive, 10, Has::AtStart);
    let rows: &[(&str, &LockWanted, &[&str], &str)] = &[
        ("seen at both looks", &exclusive, &[MINE, TAKEN, TAKEN], LOST_TO_KAFKA),
        ("seen at one and over at the next", &exclusive, &[MINE, TAKEN, ""], LOST_TO_KAFKA),
        ("seen at the second only", &exclusive, &[MINE, "", TAKEN], LOST_TO_KAFKA),
        ("over before anybody looked", &exclusive, &[MINE, "", ""], LOST),
        ("the own one never seen", &exclusive, &[TAKEN, TAKEN], LOST_TO_KAFKA),
        (
            "beside the range",
            &exclusive,
            &[MINE, "kafka EXCLUSIVE 04-05 75", "kafka EXCLUSIVE 04-05 75"],
            LOST,
        ),
        (
            "of the same priority",
            &exclusive,
            &[MINE, "next EXCLUSIVE 02-03 10", "next EXCLUSIVE 02-03 10"],
            LOST,
        ),
        ("revoked itself", &exclusive, &[MINE, "kafka EXCLUSIVE 02-03 75 revoked", ""], LOST),
        (
            "of a kind that is in nobody's way",
            &replace,
            &["own REPLACE 01-04 50", "app APPEND 02-03 75", "app APPEND 02-03 75"],
            LOST,
        ),
        (
            "higher than was wished, not than was held",
            &exclusive,
            &["own EXCLUSIVE 01-04 80", TAKEN, TAKEN],
            LOST,
        ),
        (
            "on the half that is still held",
            &exclusive,
            &[
                "own EXCLUSIVE 01-04 10, own EXCLUSIVE 06-07 10",
                "own EXCLUSIVE 01-04 10, kafka EXCLUSIVE 02-03 75",
                "own EXCLUSIVE 01-04 10",
            ],
            LOST,
        ),
        (
            "the second of two",
            &exclusive,
            &[MINE, "stream EXCLUSIVE 20-21 75, kafka EXCLUSIVE 02-03 75", ""],
            LOST_TO_KAFKA,
        ),
    ];
    for (what, wanted, looks, expected) in rows {
        let told = Told { wanted: Some(wanted), range: &[on("2026-03-01/2026-03-04")], held_before: false };
        let looks: Vec<(RunnerStatus, &str)> = looks.iter().map(|text| (Running, *text)).collect();
        assert_eq!(told.after(&looks), *expected, "{what}");
    }
}

#[test]
fn after_a_reload_a_run_that_once_held_a_lock_is_told_to_have_lost_it_and_another_is_not() {
    for (wanted, held_before, looks, lost) in [
        (None, true, ["", ""], true),
        (None, false, ["", ""], false),
        (None, true, ["", MINE], false),
        (Some(Has::Later), true, ["", ""], true),
        (Some(Has::Later), false, ["", ""], false),
        (Some(Has::AtStartMostly), true, ["", ""], true),
        (Some(Has::AtStartMostly), false, ["", ""], false),
        (Some(Has::AtStart), false, ["", ""], true),
    ] {
        let wanted = wanted.map(|has| self::wanted(LockType::Exclusive, 50, has));
        let told = Told { wanted: wanted.as_ref(), range: &[], held_before };
        let said = told.after(&looks.map(|text| (Running, text)));
        let expected = if lost { LOST } else { "" };
        assert_eq!(said, expected, "{wanted:?} {held_before} {looks:?}");
    }
}

#[test]
fn a_run_that_waits_for_a_slot_without_its_lock_is_told_what_it_would_do() {
    let wanted = wanted(LockType::Exclusive, 10, Has::AtStart);
    let told = Told { wanted: Some(&wanted), range: &[on("2026-03-01/2026-03-04")], held_before: false };
    let said = told.after(&[(Pending, MINE), (Pending, ""), (Pending, "")]);
    assert!(said.contains("it will take a worker slot and keep it. Cancel it."), "{said}");
}

#[test]
fn a_run_that_waits_says_for_whom_only_where_that_lock_is_in_its_way() {
    use Has::{AtStart, Later};
    use LockType::{Append, Exclusive, Replace};
    let days = on("2026-03-01/2026-03-04");
    let far = on("2026-03-10/2026-03-11");
    type Row<'a> = (&'a str, LockWanted, Vec<Interval>, RunnerStatus, &'a str, &'a str);
    let waits =
        "idx_web waits for the lock of early on 2026-03-02T00:00:00Z/2026-03-03T00:00:00Z, priority 50";
    let rows: Vec<Row<'_>> = vec![
        (
            "of the same priority",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Waiting,
            "early EXCLUSIVE 02-03 50",
            ".",
        ),
        (
            "of a higher one",
            wanted(Exclusive, 10, AtStart),
            vec![days],
            Waiting,
            "early EXCLUSIVE 02-03 50",
            ".",
        ),
        (
            "of a lower one, which it will take away",
            wanted(Exclusive, 51, AtStart),
            vec![days],
            Waiting,
            "early EXCLUSIVE 02-03 50",
            "",
        ),
        (
            "beside the range",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Waiting,
            "early EXCLUSIVE 04-05 50",
            "",
        ),
        (
            "on the second of two ranges",
            wanted(Exclusive, 50, AtStart),
            vec![far, days],
            Waiting,
            "early EXCLUSIVE 02-03 50",
            ".",
        ),
        (
            "on both ranges, told once",
            wanted(Exclusive, 50, AtStart),
            vec![on("2026-03-01/2026-03-03"), on("2026-03-02/2026-03-04")],
            Waiting,
            "early EXCLUSIVE 02-03 50",
            ".",
        ),
        (
            "two of them",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Waiting,
            "early EXCLUSIVE 02-03 50, late EXCLUSIVE 03-04 50",
            ", and for one more.",
        ),
        (
            "three of them",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Waiting,
            "early EXCLUSIVE 02-03 50, late EXCLUSIVE 03-04 50, last EXCLUSIVE 01-02 50",
            ", and for 2 more.",
        ),
        (
            "already taken away",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Waiting,
            "early EXCLUSIVE 02-03 50 revoked",
            "",
        ),
        ("its own", wanted(Exclusive, 50, AtStart), vec![days], Waiting, "own EXCLUSIVE 02-03 50", ""),
        (
            "APPEND inside its REPLACE",
            wanted(Replace, 50, AtStart),
            vec![days],
            Waiting,
            "early APPEND 02-03 50",
            "",
        ),
        (
            "SHARED inside its REPLACE",
            wanted(Replace, 50, AtStart),
            vec![days],
            Waiting,
            "early SHARED 02-03 50",
            ".",
        ),
        (
            "APPEND beside APPEND",
            wanted(Append, 50, AtStart),
            vec![days],
            Waiting,
            "early APPEND 02-03 50",
            "",
        ),
        (
            "REPLACE that does not hold its APPEND whole",
            wanted(Append, 50, AtStart),
            vec![days],
            Waiting,
            "early REPLACE 02-03 50",
            ".",
        ),
        (
            "it does not wait",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Running,
            "early EXCLUSIVE 02-03 50, own EXCLUSIVE 01-02 50",
            "",
        ),
        (
            "it waits for a slot",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Pending,
            "early EXCLUSIVE 02-03 50, own EXCLUSIVE 01-02 50",
            "",
        ),
        (
            "nothing is said of where it is",
            wanted(Exclusive, 50, AtStart),
            vec![days],
            Unsaid,
            "early EXCLUSIVE 02-03 50",
            "",
        ),
        (
            "it asks for its locks later",
            wanted(Exclusive, 50, Later),
            vec![days],
            Waiting,
            "early EXCLUSIVE 02-03 50",
            "",
        ),
        ("nobody", wanted(Exclusive, 50, AtStart), vec![days], Waiting, "", ""),
    ];
    for (what, wanted, range, runner, seen, rest) in rows {
        let told = Told { wanted: Some(&wanted), range: &range, held_before: false };
        let expected = if rest.is_empty() { String::new() } else { format!("{waits}{rest}") };
        assert_eq!(told.after(&[(runner, seen)]), expected, "{what}");
    }
}

#[test]
fn whom_it_waited_for_is_not_said_any_more_once_it_waits_no_more() {
    let wanted = wanted(LockType::Exclusive, 50, Has::AtStart);
    let range = [on("2026-03-01/2026-03-04")];
    let mut watch = LockWatch::default();
    let watched =
        Watched { id: RUN, wanted: Some(&wanted), range: &range, runner: Waiting, held_before: false };
    watch.see(watched, locks("early EXCLUSIVE 02-03 50"));
    assert!(matches!(watch.standing(Waiting), LockStanding::WaitsFor(_)));
    for runner in [Running, Pending, Unsaid] {
        assert_eq!(watch.standing(runner), LockStanding::Quiet);
    }
}

#[test]
fn the_locks_of_a_group_are_the_runs_own_where_its_task_names_one() {
    let mut of_group = wanted(LockType::Exclusive, 50, Has::AtStart);
    of_group.group = Some("nightly".to_owned());
    let range = [on("2026-03-01/2026-03-04")];
    let told = Told { wanted: Some(&of_group), range: &range, held_before: false };
    assert_eq!(
        told.after(&[(Running, "nightly EXCLUSIVE 01-04 50"), (Running, "nightly EXCLUSIVE 01-04 50")]),
        ""
    );
    assert_eq!(told.after(&[(Running, ""), (Running, "")]), LOST);
    assert_eq!(told.after(&[(Waiting, "nightly EXCLUSIVE 01-04 50")]), "");
}
