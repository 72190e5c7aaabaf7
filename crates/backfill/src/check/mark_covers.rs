//! Rows that are served now and would be hidden by something newer that is marked used (facts 2.1).

use super::saw::Saw;
use super::{Finding, Seen};
use crate::forecast::Reason;
use crate::words::{count, intervals, listed};

pub(super) const NAME: &str = "mark-covers";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(mark), Some(world)) = (seen.mark(), seen.worst) else { return Vec::new() };
    if !mark.used || world.marked.is_empty() {
        return Vec::new();
    }
    let (mut stretches, mut hidden, mut saw) = (Vec::new(), Vec::new(), Saw::new(NAME));
    for fate in &world.fates {
        let Reason::MarkedUsed { over: Some(over), .. } = &fate.why else { continue };
        stretches.push(fate.interval);
        if !hidden.contains(&over.to_string()) {
            hidden.push(over.to_string());
        }
        saw = saw.text(&fate.interval.short()).text(over);
    }
    if stretches.is_empty() {
        let why = "What is marked used comes back where no row is served now, or beside what is.";
        return vec![Finding::pass(NAME, "Nothing that is served is covered", why)];
    }
    let number = stretches.len() as u64;
    let title = format!("What is served now in {} would be overshadowed", count(number, "range"));
    let why = format!(
        "What comes back is newer than version {} in {}: it lies on top once it is loaded, and the Coordinator then marks unused \
         what it covers whole.",
        listed(hidden, 2),
        intervals(&stretches, 3),
    );
    vec![Finding::warn(NAME, title, why).number(number).saw(&saw)]
}
