//! Older versions that come to light, and that nobody named, where what lies over them is marked unused (facts 2.6).

use druid::order::Order as _;

use super::saw::Saw;
use super::{Finding, Seen};
use crate::forecast::Reason;
use crate::words::{count, intervals, listed};

pub(super) const NAME: &str = "mark-uncovers";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(mark), Some(world)) = (seen.mark(), seen.worst) else { return Vec::new() };
    if mark.used || world.marked.is_empty() {
        return Vec::new();
    }
    let (mut stretches, mut versions, mut saw) = (Vec::new(), Vec::new(), Saw::new(NAME));
    for fate in &world.fates {
        let Reason::Uncovered { version, tombstone: false, .. } = &fate.why else { continue };
        stretches.push(fate.interval);
        versions.push(version.to_string());
        saw = saw.text(&fate.interval.short()).text(version);
    }
    versions.order();
    versions.dedup();
    if stretches.is_empty() {
        let why = "Nothing used with rows lies under what is marked.";
        return vec![Finding::pass(NAME, "Nothing older comes to light", why)];
    }
    let number = versions.len() as u64;
    let title = format!("{} nobody named would be served again", count(number, "older version"));
    let why = format!(
        "Marking what lies on top unused brings back version {} in {}, as long as it stays used. Where that is not wanted, mark \
         it unused in the same call.",
        listed(versions, 2),
        intervals(&stretches, 3),
    );
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw)]
}
