//! Parallel runs against worker slots: as many supervisors as slots stand still for ever (facts 3.10).
//!
//! A parallel task holds one slot for its supervisor while its sub-tasks wait for others, so k of them need k + 1 slots
//! to move at all, and k × (sub-tasks + 1) to move at full speed.

use super::saw::Saw;
use super::{Finding, Seen};
use crate::retry::surge::{slots_to_move, slots_wanted};
use crate::words::{agreeing, count, number};

pub(super) const NAME: &str = "slots-stand-still";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(batch), Some(slots)) = (seen.batch().filter(|batch| batch.is_parallel()), seen.around.slots)
    else {
        return Vec::new();
    };
    let runs = seen.around.runs_at_once;
    let wanted = slots_wanted(runs, u64::from(batch.max_num_concurrent_sub_tasks));
    let free = slots.capacity.saturating_sub(slots.used);
    let saw = Saw::new(NAME).number(runs).number(slots.capacity).number(slots.used);
    let runs_text = count(runs, "parallel run");
    if slots.capacity < slots_to_move(runs) {
        let title =
            format!("{runs_text} on {} would stand still for ever", count(slots.capacity, "worker slot"));
        let why = format!(
            "Each holds a slot for its supervisor while its sub-tasks wait for another: {} are needed to move at all, {} to \
             move at full speed. Send fewer at once, or run them in one process.",
            count(slots_to_move(runs), "slot"),
            number(wanted)
        );
        return vec![Finding::stop(NAME, title, why).number(slots.capacity).saw(&saw)];
    }
    if free < slots_to_move(runs) {
        let title = format!("{} free for {runs_text}", count(free, "worker slot"));
        let why = format!(
            "{} of {} {} in use. Until some come free its sub-tasks wait; if what holds them are parallel tasks as well, \
             all may stand still.",
            number(slots.used),
            count(slots.capacity, "slot"),
            agreeing(slots.used, "is", "are")
        );
        return vec![Finding::warn(NAME, title, why).number(free).saw(&saw)];
    }
    let why = format!(
        "{} would run at full speed on {}, {} {} free.",
        runs_text,
        count(wanted, "slot"),
        number(free),
        agreeing(free, "is", "are")
    );
    vec![Finding::pass(NAME, "There are slots to move", why)]
}
