//! Which room may know which (docs/ARCHITECTURE.md, "Arrows").

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::DependencyKind;

use crate::{metadata, none};

/// Every arrow that may be. The sandbox does not know `backfill`: what we predict and what the built-in cluster does
/// meet only in the facts of `druid`, so that "as foreseen" is a finding and not a tautology.
const ARROWS: [(&str, &[&str]); 9] = [
    ("druid", &[]),
    ("chart", &[]),
    ("backfill", &["druid"]),
    ("sandbox", &["druid"]),
    ("gateway", &["druid", "backfill", "sandbox"]),
    ("foreshadow", &["druid", "backfill", "sandbox", "gateway"]),
    ("foreshadow-console", &["druid", "backfill", "chart"]),
    ("reality", &["druid", "backfill"]),
    ("xtask", &[]),
];

/// Arrows that only tests have.
const IN_TESTS: [(&str, &[&str]); 0] = [];

/// (from, to, only in tests)
type Arrow = (String, String, bool);

fn faults(arrows: &[Arrow]) -> Vec<String> {
    let may = |table: &[(&str, &[&str])], from: &str, to: &str| {
        table.iter().any(|(room, knows)| *room == from && knows.contains(&to))
    };
    let bad = |(from, to, in_tests): &&Arrow| {
        from != to && !may(&ARROWS, from, to) && !(*in_tests && may(&IN_TESTS, from, to))
    };
    arrows.iter().filter(bad).map(|(from, to, _)| format!("{from} must not know {to}")).collect()
}

fn arrows_of_the_workspace() -> (BTreeSet<String>, Vec<Arrow>) {
    let metadata = metadata();
    let members: BTreeMap<String, _> = metadata
        .workspace_packages()
        .into_iter()
        .map(|package| (package.name.to_string(), package))
        .collect();
    let arrows = members.iter().flat_map(|(name, package)| {
        package.dependencies.iter().filter(|dependency| members.contains_key(&dependency.name)).map(
            |dependency| {
                (name.clone(), dependency.name.clone(), dependency.kind == DependencyKind::Development)
            },
        )
    });
    let arrows = arrows.collect();
    (members.into_keys().collect(), arrows)
}

#[test]
fn each_room_knows_only_the_rooms_it_may() {
    let (_, arrows) = arrows_of_the_workspace();
    assert!(
        arrows.contains(&("backfill".into(), "druid".into(), false)),
        "the arrows were not read: {arrows:?}"
    );
    none(&faults(&arrows));
}

#[test]
fn each_room_of_the_workspace_has_its_arrows_written_down() {
    let (members, _) = arrows_of_the_workspace();
    let written: BTreeSet<String> = ARROWS.iter().map(|(room, _)| (*room).to_owned()).collect();
    assert_eq!(members, written);
}

#[test]
fn an_arrow_the_wrong_way_is_seen() {
    let arrow = |from: &str, to: &str, in_tests| (from.to_owned(), to.to_owned(), in_tests);
    assert_eq!(faults(&[arrow("sandbox", "backfill", false)]), ["sandbox must not know backfill"]);
    assert_eq!(faults(&[arrow("druid", "backfill", true)]), ["druid must not know backfill"]);
    assert_eq!(faults(&[arrow("chart", "druid", false)]), ["chart must not know druid"]);
    assert_eq!(
        faults(&[arrow("foreshadow-console", "gateway", false)]),
        ["foreshadow-console must not know gateway"]
    );
    assert!(faults(&[arrow("backfill", "druid", false), arrow("druid", "druid", true)]).is_empty());
}
