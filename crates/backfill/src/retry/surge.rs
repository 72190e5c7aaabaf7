//! What many pipelines together do to a cluster that comes back after an outage.
//!
//! Sums for people to plan with, in worker slots and requests. They are bounds and averages, not a simulation.

/// Worker slots that `pipelines` parallel tasks ask for at once when each runs `sub_tasks` sub-tasks:
/// `P × (k + 1)`, one slot being the supervisor's own.
pub fn slots_wanted(pipelines: u64, sub_tasks: u64) -> u64 {
    pipelines.saturating_mul(sub_tasks.saturating_add(1))
}

/// Worker slots below which `pipelines` parallel tasks started together can stand still for ever: every supervisor
/// holds a slot while its sub-tasks wait for one. Seen on a live cluster: six parallel tasks on six slots, all
/// RUNNING, no progress.
pub fn slots_to_move(pipelines: u64) -> u64 {
    if pipelines == 0 { 0 } else { pipelines.saturating_add(1) }
}

/// The average number of requests in one window of `window_ms` when `pipelines` all sleep a fully jittered delay of
/// at most `cap_ms`. Without jitter all of them would arrive in the same window.
pub fn requests_per_window(pipelines: u64, cap_ms: u64, window_ms: u64) -> f64 {
    if cap_ms == 0 || window_ms >= cap_ms {
        return pipelines as f64;
    }
    pipelines as f64 * window_ms as f64 / cap_ms as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_pipelines_of_four_sub_tasks_want_a_hundred_slots() {
        assert_eq!(slots_wanted(20, 4), 100);
        assert_eq!(slots_wanted(u64::MAX, u64::MAX), u64::MAX);
    }

    #[test]
    fn as_many_parallel_tasks_as_slots_is_the_dead_stop_and_one_more_slot_is_the_way_out() {
        assert_eq!(slots_to_move(6), 7);
        assert_eq!(slots_to_move(0), 0);
    }

    #[test]
    fn full_jitter_spreads_three_hundred_pipelines_over_the_whole_delay() {
        assert_eq!(requests_per_window(300, 30_000, 1_000), 10.0);
        assert_eq!(requests_per_window(300, 0, 1_000), 300.0);
    }
}
