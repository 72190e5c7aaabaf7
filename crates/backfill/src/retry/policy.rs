//! The numbers of retrying, their limits, and the delays that follow from them.
//!
//! Always true: a delay is at most its cap, and the sum of all delays of one submission is at most
//! [`Policy::worst_case_ms`].
//!
//! Not here: randomness. The caller draws, so that a delay can be shown, journalled and tested.

use serde::{Deserialize, Serialize};

/// How often and how patiently. All times in milliseconds; growth in percent, so that 200 is "×2".
///
/// The defaults are the idempotent-ingestion article's, with the arithmetic put right: six attempts make five
/// sleeps, 2 + 4 + 8 + 16 + 30 = 60 s at most, not the article's 90 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Policy {
    /// How many times one id is offered to the server, the first time counted. 1 to 20.
    pub attempts: u32,
    /// The cap of the first delay.
    pub first_ms: u64,
    /// By how much the cap grows each time, in percent: 200 doubles it.
    pub growth_percent: u32,
    /// No delay is longer than this, and no `Retry-After` is obeyed beyond it.
    pub cap_ms: u64,
    /// After this many FAILED runs in a row of one class the content is poison. 3 to 5.
    pub poison: u32,
    /// The first wait between two looks at a running task.
    pub poll_first_ms: u64,
    /// By how much that wait grows each time, in percent.
    pub poll_growth_percent: u32,
    /// The longest wait between two looks at a running task.
    pub poll_cap_ms: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            attempts: 6,
            first_ms: 2_000,
            growth_percent: 200,
            cap_ms: 30_000,
            poison: 3,
            poll_first_ms: 1_000,
            poll_growth_percent: 150,
            poll_cap_ms: 30_000,
        }
    }
}

/// A field of [`Policy`], to point at in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyField {
    /// [`Policy::attempts`]
    Attempts,
    /// [`Policy::first_ms`]
    First,
    /// [`Policy::growth_percent`]
    Growth,
    /// [`Policy::cap_ms`]
    Cap,
    /// [`Policy::poison`]
    Poison,
    /// [`Policy::poll_first_ms`]
    PollFirst,
    /// [`Policy::poll_growth_percent`]
    PollGrowth,
    /// [`Policy::poll_cap_ms`]
    PollCap,
}

/// A number that is out of its range: where, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyProblem {
    /// The field.
    pub field: PolicyField,
    /// One sentence for the user, with the range.
    pub remedy: &'static str,
}

const HOUR_MS: u64 = 3_600_000;

impl Policy {
    /// Everything that is out of range, in the order of the fields. Empty: the policy can be used.
    pub fn problems(&self) -> Vec<PolicyProblem> {
        use PolicyField as F;
        let rules: [(bool, F, &'static str); 9] = [
            ((1..=20).contains(&self.attempts), F::Attempts, "Attempts must be between 1 and 20."),
            (
                (100..=HOUR_MS).contains(&self.first_ms),
                F::First,
                "The first delay must be between 0.1 s and an hour.",
            ),
            (
                (100..=1_000).contains(&self.growth_percent),
                F::Growth,
                "The delay must grow by a factor between 1 and 10.",
            ),
            (
                (100..=HOUR_MS).contains(&self.cap_ms),
                F::Cap,
                "The longest delay must be between 0.1 s and an hour.",
            ),
            (
                self.first_ms <= self.cap_ms,
                F::Cap,
                "The longest delay must not be shorter than the first one.",
            ),
            (
                (3..=5).contains(&self.poison),
                F::Poison,
                "The poison threshold must be 3, 4 or 5: fewer mistakes an accident for a rule, more only wastes slots.",
            ),
            (
                (250..=HOUR_MS).contains(&self.poll_first_ms),
                F::PollFirst,
                "The first look must come after at least 0.25 s and at most an hour.",
            ),
            (
                (100..=1_000).contains(&self.poll_growth_percent),
                F::PollGrowth,
                "The wait between looks must grow by a factor between 1 and 10.",
            ),
            (
                self.poll_first_ms <= self.poll_cap_ms && self.poll_cap_ms <= HOUR_MS,
                F::PollCap,
                "The longest wait between looks must lie between the first one and an hour.",
            ),
        ];
        rules
            .into_iter()
            .filter(|(holds, ..)| !holds)
            .map(|(_, field, remedy)| PolicyProblem { field, remedy })
            .collect()
    }

    /// The longest that sleep number `sleep` can be, in ms: `min(first · growth^sleep, cap)`. The first sleep is 0.
    pub fn delay_cap_ms(&self, sleep: u32) -> u64 {
        grown(self.first_ms, self.growth_percent, self.cap_ms, sleep)
    }

    /// The drawn length of sleep number `sleep`, in ms: full jitter, uniform in `[0, delay_cap_ms(sleep)]`.
    ///
    /// `random` is a number in `[0, 1)`; anything else (NaN included) is brought into it.
    pub fn delay_ms(&self, sleep: u32, random: f64) -> u64 {
        share(self.delay_cap_ms(sleep), random)
    }

    /// As [`Policy::delay_ms`], but not shorter than what the server asked for with `Retry-After`, which is obeyed
    /// up to the cap.
    pub fn delay_with_retry_after_ms(&self, sleep: u32, random: f64, retry_after_ms: Option<u64>) -> u64 {
        let asked = retry_after_ms.unwrap_or(0).min(self.cap_ms);
        self.delay_ms(sleep, random).max(asked)
    }

    /// The wait before look number `look` at a running task, in ms: uniform in the upper half of
    /// `min(poll_first · growth^look, poll_cap)`, so that many tabs do not ask in step and none asks too often.
    pub fn poll_ms(&self, look: u32, random: f64) -> u64 {
        let cap = grown(self.poll_first_ms, self.poll_growth_percent, self.poll_cap_ms, look);
        (cap / 2).saturating_add(share(cap - cap / 2, random))
    }

    /// How many sleeps lie between the attempts.
    pub fn sleeps(&self) -> u32 {
        self.attempts.saturating_sub(1)
    }

    /// The most that one submission can sleep before it is given up, in ms (the time the answers take not counted).
    pub fn worst_case_ms(&self) -> u64 {
        (0..self.sleeps().min(10_000)).fold(0u64, |sum, sleep| sum.saturating_add(self.delay_cap_ms(sleep)))
    }

    /// What it sleeps on average with full jitter, in ms: half the worst case.
    pub fn expected_ms(&self) -> u64 {
        self.worst_case_ms() / 2
    }
}

/// `min(first · (percent/100)^steps, cap)` in whole milliseconds, rounded down at each step.
fn grown(first: u64, percent: u32, cap: u64, steps: u32) -> u64 {
    let mut value = first.min(cap);
    for _ in 0..steps {
        let next = (u128::from(value) * u128::from(percent) / 100).min(u128::from(cap)) as u64;
        // Standing still (factor 1, or a value too small to grow) or at the cap: no later step changes it.
        if next == value {
            break;
        }
        value = next;
    }
    value
}

/// A uniform whole number in `[0, top]` from a uniform random in `[0, 1)`.
fn share(top: u64, random: f64) -> u64 {
    let random = if random.is_finite() { random.clamp(0.0, 1.0) } else { 0.0 };
    // The float may round above a large `top`; the whole number may not.
    (((top as f64 + 1.0) * random).floor() as u64).min(top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn six_attempts_sleep_five_times_and_sixty_seconds_at_most() {
        let policy = Policy::default();
        let caps: Vec<u64> = (0..policy.sleeps()).map(|n| policy.delay_cap_ms(n)).collect();
        // facts §11.1 row 18: the article's R = 6 is 2 + 4 + 8 + 16 + 30 s.
        assert_eq!(caps, [2_000, 4_000, 8_000, 16_000, 30_000]);
        assert_eq!(policy.worst_case_ms(), 60_000);
        assert_eq!(policy.expected_ms(), 30_000);
    }

    #[test]
    fn full_jitter_reaches_from_nothing_to_the_whole_cap() {
        let policy = Policy::default();
        assert_eq!(policy.delay_ms(0, 0.0), 0);
        assert_eq!(policy.delay_ms(0, 0.999_999_999), 2_000);
        assert_eq!(policy.delay_ms(4, 0.5), 15_000);
        assert_eq!(policy.delay_ms(40, 0.999_999_999), 30_000);
    }

    #[test]
    fn retry_after_is_obeyed_within_the_cap_and_never_shortens_a_delay() {
        let policy = Policy::default();
        assert_eq!(policy.delay_with_retry_after_ms(0, 0.0, Some(7_000)), 7_000);
        assert_eq!(policy.delay_with_retry_after_ms(0, 0.0, Some(86_400_000)), 30_000);
        assert_eq!(policy.delay_with_retry_after_ms(4, 0.5, Some(1_000)), 15_000);
        assert_eq!(policy.delay_with_retry_after_ms(4, 0.5, None), 15_000);
    }

    #[test]
    fn looks_at_a_running_task_grow_apart_to_thirty_seconds() {
        let policy = Policy::default();
        assert_eq!(policy.poll_ms(0, 0.0), 500);
        assert_eq!(policy.poll_ms(0, 0.999_999), 1_000);
        assert_eq!(policy.poll_ms(100, 0.999_999), 30_000);
        assert_eq!(policy.poll_ms(u32::MAX, 0.0), 15_000);
    }

    #[test]
    fn the_default_policy_is_valid_and_each_field_out_of_range_is_named() {
        assert_eq!(Policy::default().problems(), []);
        let bad = Policy {
            attempts: 0,
            first_ms: 0,
            growth_percent: 50,
            cap_ms: 0,
            poison: 2,
            poll_first_ms: 0,
            poll_growth_percent: 0,
            poll_cap_ms: u64::MAX,
        };
        use PolicyField as F;
        let fields: Vec<PolicyField> = bad.problems().into_iter().map(|p| p.field).collect();
        assert_eq!(
            fields,
            [F::Attempts, F::First, F::Growth, F::Cap, F::Poison, F::PollFirst, F::PollGrowth, F::PollCap]
        );
        let upside_down = Policy { first_ms: 9_000, cap_ms: 8_000, ..Policy::default() };
        assert_eq!(upside_down.problems().len(), 1);
    }

    #[test]
    fn the_poison_threshold_can_be_set_from_three_to_five() {
        let allowed: Vec<u32> =
            (0..10).filter(|&poison| Policy { poison, ..Policy::default() }.problems().is_empty()).collect();
        assert_eq!(allowed, [3, 4, 5]);
    }

    proptest! {
        #[test]
        fn no_delay_is_longer_than_its_cap_whatever_the_numbers(
            first in any::<u64>(), growth in any::<u32>(), cap in any::<u64>(), sleep in any::<u32>(), random in any::<f64>(),
        ) {
            let policy = Policy { first_ms: first, growth_percent: growth, cap_ms: cap, poll_first_ms: first,
                poll_growth_percent: growth, poll_cap_ms: cap, ..Policy::default() };
            prop_assert!(policy.delay_ms(sleep, random) <= policy.delay_cap_ms(sleep));
            prop_assert!(policy.delay_cap_ms(sleep) <= cap);
            prop_assert!(policy.poll_ms(sleep, random) <= cap);
        }

        #[test]
        fn the_sum_of_drawn_delays_stays_within_the_budget_shown(
            attempts in 1u32..20, first in 100u64..10_000, cap in 10_000u64..100_000,
            randoms in prop::collection::vec(0.0..1.0f64, 20),
        ) {
            let policy = Policy { attempts, first_ms: first, cap_ms: cap, ..Policy::default() };
            let slept: u64 = (0..policy.sleeps()).zip(&randoms).map(|(n, r)| policy.delay_ms(n, *r)).sum();
            prop_assert!(slept <= policy.worst_case_ms());
        }
    }
}
