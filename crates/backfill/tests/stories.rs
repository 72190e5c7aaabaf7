//! The story of a bar: the same values that the picture is drawn from, said in words.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot set itself up must fail"
)]

mod ground;

use backfill::forecast::{Basis, Becomes, Reason, State, Story, story};
use ground::{Ground, interval};

/// The story of the holder of a version, as the worst world of the run leaves it.
fn told(ground: &Ground, version: &str) -> Story {
    let version = format!("2026-0{}-01T00:00:00.000Z", &version[1..]);
    let holder = ground.timeline.holders().find(|holder| holder.version == version).unwrap();
    let forecast = ground.forecast();
    story(&ground.timeline, holder.id, forecast.worst()).unwrap()
}

const LAYERS: &str = "2026-07-16/P1D v1 10\n2026-07-16/PT12H v2 5\n2026-07-16T12/PT12H v3 tombstone";

#[test]
fn a_hidden_bar_says_who_hides_it_since_when_and_what_brings_it_back() {
    let ground = Ground::of(LAYERS).spec("intervals = [\"2026-08-01/2026-08-02\"]");
    let story = told(&ground, "v1");
    assert_eq!(story.state, State::Hidden);
    let over: Vec<&str> = story.above.iter().map(|layer| layer.version.as_str()).collect();
    assert_eq!(over, ["2026-03-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"]);
    // Half of it was hidden by February's version; March's covered the rest.
    let lines = story.lines();
    assert_eq!(
        lines[2],
        "Hidden, since 2026-03-01T00:00:00Z at the earliest: 2 newer ones lie over it, the newest of version 2026-03-01T00:00:00.000Z."
    );
    assert_eq!(lines[3], "Marking all 2 over it unused would bring it back whole, as long as it stays used.");
    assert!(lines[4].contains("15 minutes") && lines[4].contains("kill task"));
}

#[test]
fn what_is_hidden_piece_by_piece_is_hidden_since_the_last_piece_came() {
    let over = |hours: &[(u32, u32)]| -> String {
        let hour = |(at, version): &(u32, u32)| format!("2026-07-16T{:02}/PT3H v{version} 1\n", at * 3);
        format!("2026-07-16/P1D v1 10\n{}", hours.iter().map(hour).collect::<String>())
    };
    // Eight pieces in any order of age; where one is missing it is not hidden, where one is covered twice the later
    // one hid nothing.
    let all: [(u32, u32); 8] = [(0, 4), (1, 2), (2, 7), (3, 3), (4, 5), (5, 6), (6, 2), (7, 3)];
    let since = |hours: &[(u32, u32)]| {
        let ground = Ground::of(&over(hours)).spec("intervals = [\"2026-08-01/2026-08-02\"]");
        told(&ground, "v1").since.map(|since| since.short())
    };
    assert_eq!(since(&all).as_deref(), Some("2026-07-01T00:00:00Z"));
    let mut twice = all.to_vec();
    twice.push((0, 9));
    assert_eq!(since(&twice).as_deref(), Some("2026-07-01T00:00:00Z"));
    twice[2].1 = 2;
    assert_eq!(since(&twice).as_deref(), Some("2026-06-01T00:00:00Z"));
    // Served in part: since its own version.
    assert_eq!(since(&all[1..]).as_deref(), Some("2026-01-01T00:00:00Z"));
}

#[test]
fn a_tombstone_says_what_would_come_to_light_under_it() {
    let ground = Ground::of(LAYERS).spec("intervals = [\"2026-08-01/2026-08-02\"]");
    let story = told(&ground, "v3");
    assert_eq!((story.state.clone(), story.rows), (State::Served, None));
    let lines = story.lines();
    assert_eq!(lines[1], "1 segment · a tombstone: no rows, it hides what lies under it");
    assert_eq!(
        lines[3],
        "It lies over 1 older version; marking it unused would bring back version 2026-01-01T00:00:00.000Z."
    );
}

#[test]
fn a_bar_that_is_served_in_part_says_where() {
    let ground = Ground::of("2026-07-16/P1D v1 10\n2026-07-16/PT12H v2 5")
        .spec("intervals = [\"2026-08-01/2026-08-02\"]");
    let story = told(&ground, "v1");
    assert_eq!(story.state, State::InPart(vec![interval("2026-07-16T12/PT12H")]));
    assert_eq!(
        story.lines()[3],
        "Marking version 2026-02-01T00:00:00.000Z unused would bring it back, as long as it stays used."
    );
}

#[test]
fn what_an_incomplete_holder_of_a_newer_version_covers_is_not_hidden_by_it() {
    let ground = Ground::of("2026-07-16/P1D v1 10\n2026-07-16/P1D v2 5 parts=2 missing")
        .spec("intervals = [\"2026-08-01/2026-08-02\"]");
    assert!(told(&ground, "v1").above.is_empty());
    let newer = told(&ground, "v2");
    assert_eq!((newer.state, newer.below), (State::Incomplete, Vec::new()));
}

#[test]
fn the_run_that_is_looked_at_says_what_it_makes_of_it() {
    let ground = Ground::of("2026-07-16/P1D v1 10")
        .spec("intervals = [\"2026-07-16/2026-07-17\"]\nsegmentGranularity = \"DAY\"")
        .known(Basis::AllRows);
    let story = told(&ground, "v1");
    assert_eq!(story.then, [Becomes::Hidden]);
    assert_eq!(story.lines().last().unwrap(), "This run hides it where they overlap.");
}

#[test]
fn a_fate_names_its_rule_and_the_segments_it_is_about() {
    // Facts 3.7: an hour that overlaps the intervals makes the whole day a tombstone, the other hour goes with it.
    let ground = Ground::of("2026-07-16T03/PT1H v1 10\n2026-07-16T07/PT1H v2 10")
        .spec("intervals = [\"2026-07-16T06/2026-07-16T12\"]\nsegmentGranularity = \"DAY\"\ndropExisting = true")
        .known(Basis::NoRows);
    let forecast = ground.forecast();
    let world = &forecast.worlds[0];
    let [fate] = world.fates.as_slice() else { unreachable!("{:?}", world.fates) };
    assert_eq!(fate.why, Reason::EmptyOverData);
    assert_eq!(fate.why.rule(), "TombstoneHelper.computeTombstoneIntervals");
    let hours: Vec<_> = world
        .behind(&ground.timeline, fate)
        .into_iter()
        .map(|id| ground.timeline.holder(id).unwrap().interval)
        .collect();
    assert_eq!(hours, [interval("2026-07-16T03/PT1H"), interval("2026-07-16T07/PT1H")]);
}
