//! Rows of inline data that Druid drops, or stops at.

use druid::spec::InputSource;
use druid::spec::inline::{self, NotRead};

use super::saw::Saw;
use super::{Finding, Seen};
use crate::words::{count, listed, number};

pub(super) const NAME: &str = "inline-unreadable";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(batch) = seen.batch().filter(|batch| matches!(batch.input, InputSource::Inline { .. })) else {
        return Vec::new();
    };
    let read = match inline::rows(seen.question.task) {
        Ok(read) => read,
        Err(NotRead::NotInline) => return Vec::new(),
        Err(other) => {
            let why = format!("{}. What the rows are is asked, not assumed.", other.sentence());
            return vec![Finding::warn(NAME, "The times of the inline rows cannot be read here", why)];
        }
    };
    let all = read.times.len() as u64;
    let dropped = read.times.iter().filter(|time| time.is_none()).count() as u64;
    if dropped == 0 {
        let why = format!("{} read, each with its time.", count(all, "row"));
        return vec![Finding::pass(NAME, "Every inline row can be read", why)];
    }
    let places = listed(read.dropped.iter().map(|row| format!("line {}: {}", row.line, row.why)), 2);
    let saw = Saw::new(NAME).number(all).number(dropped);
    let title = format!("{} of {} cannot be read", count(dropped, "inline row"), number(all));
    let finding = if batch.report_parse_exceptions {
        let why = format!("reportParseExceptions is true, so the task fails at the first of them. {places}");
        Finding::stop(NAME, title, why)
    } else {
        Finding::warn(NAME, title, format!("Druid drops them and reports SUCCESS. {places}"))
    };
    vec![finding.number(dropped).saw(&saw)]
}
