//! Stretches that serve rows now and none after a mark call: nothing lies under them, or a tombstone comes back.

use super::saw::Saw;
use super::{Finding, Seen};
use crate::forecast::{FateKind, Reason, TakenAway};
use crate::words::{count, intervals};

pub(super) const NAME: &str = "mark-empties";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(world) = seen.worst else { return Vec::new() };
    // A kill task marks as well, before 30.
    if world.marked.is_empty() {
        return Vec::new();
    }
    let told = |reason: &Reason| matches!(reason, Reason::NothingUnder { how: TakenAway::FromCache });
    let empty: Vec<_> = world
        .fates
        .iter()
        .filter(|fate| matches!(fate.kind, FateKind::Gone | FateKind::Tombstone) && !told(&fate.why))
        .collect();
    if empty.is_empty() {
        let why = "Wherever rows are served now, rows are served afterwards.";
        return vec![Finding::pass(NAME, "No stretch is emptied", why)];
    }
    let number = empty.len() as u64;
    let saw = empty.iter().fold(Saw::new(NAME), |saw, fate| saw.text(&fate.interval.short()));
    let where_ = intervals(empty.iter().map(|fate| &fate.interval), 3);
    let broken = empty.iter().any(|fate| fate.why == Reason::NothingUnder { how: TakenAway::Broken });
    let torn =
        if broken { " A set that loses a core partition serves none of the others either." } else { "" };
    let title = format!("{} with rows would be emptied", count(number, "range"));
    let why = format!("{where_}: rows are served there now, and none afterwards.{torn}");
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw)]
}
