//! Retention rules and kill tasks: what is written would be dropped again, or what it hides would be gone for good.

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::{intervals, listed};

pub(super) const NAME: &str = "retention";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    if seen.batch().is_none() || seen.forecast.typed.is_empty() {
        return Vec::new();
    }
    let effective = &seen.forecast.effective;
    let mut found = Vec::new();
    // The first rule that applies to a segment counts.
    let rules = &seen.around.retention;
    let dropped: Vec<_> = effective
        .iter()
        .filter_map(|stretch| {
            let first = rules.iter().find(|rule| rule.applies(*stretch, seen.question.now))?;
            first.drops.then_some((stretch, first))
        })
        .collect();
    if let Some((_, rule)) = dropped.first() {
        let ranges = intervals(dropped.iter().map(|(stretch, _)| *stretch), 3);
        let saw = Saw::new(NAME).text(&ranges).text(&rule.name);
        let title = format!("A retention rule drops what is written: {}", rule.name);
        let why = format!(
            "{} of the datasource says that segments of {ranges} are not kept: the Coordinator would mark the new ones \
             unused soon after the run, and they would never be served.",
            rule.name
        );
        found.push(Finding::stop(NAME, title, why).number(dropped.len() as u64).saw(&saw));
    }
    let running = seen.question.running.iter();
    let kills: Vec<String> = running
        .filter(|running| {
            running.kind == "kill" && !running.intervals.is_empty() && running.touches(effective)
        })
        .map(|running| running.id.clone())
        .collect();
    if !kills.is_empty() && seen.overwrites() {
        let saw = kills.iter().fold(Saw::new(NAME), |saw, id| saw.text(id));
        let title = format!("{} deletes unused segments in range", listed(kills.clone(), 2));
        let why = "What this run overshadows is marked unused after a while, and a kill task deletes unused segments for \
                   good: the way back would be gone. Wait until it has ended.";
        found.push(Finding::warn(NAME, title, why).number(kills.len() as u64).saw(&saw));
    }
    found
}
