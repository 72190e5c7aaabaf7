//! Dice that fall the same for the same seed on every machine (SplitMix64).

/// A stream of random numbers.
pub(crate) struct Dice(u64);

impl Dice {
    /// The dice of one scenario of a run: each has its own, so that one can be repeated without the others.
    pub(crate) fn of(seed: u64, scenario: u64) -> Dice {
        let mut dice = Dice(seed ^ scenario.wrapping_mul(0xD134_2543_DE82_EF95));
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 to `below` - 1; 0 where `below` is 0.
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        self.next().checked_rem(below).unwrap_or_default()
    }

    /// `from` to `to`, both included.
    pub(crate) fn between(&mut self, from: i64, to: i64) -> i64 {
        let width = u64::try_from(to.saturating_sub(from)).unwrap_or_default().saturating_add(1);
        from.saturating_add(i64::try_from(self.below(width)).unwrap_or_default())
    }

    /// True in so many of a hundred.
    pub(crate) fn percent(&mut self, of_a_hundred: u64) -> bool {
        self.below(100) < of_a_hundred
    }

    /// One of several, each as likely as its weight.
    pub(crate) fn weighed<'a, T>(&mut self, choices: &'a [(u64, T)]) -> &'a T {
        let sum = choices.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(sum);
        let chosen = choices.iter().find(|(weight, _)| match left.checked_sub(*weight) {
            Some(less) => {
                left = less;
                false
            }
            None => true,
        });
        #[expect(clippy::expect_used, reason = "an empty table is a slip of ours, not input")]
        &chosen.or(choices.first()).expect("a table of choices has a line").1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_throws_the_same_and_another_scenario_something_else() {
        let throw = |seed, scenario| {
            let mut dice = Dice::of(seed, scenario);
            (0..8).map(|_| dice.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(throw(7, 1), throw(7, 1));
        assert_ne!(throw(7, 1), throw(7, 2));
        assert_ne!(throw(7, 1), throw(8, 1));
    }

    #[test]
    fn a_choice_without_weight_is_never_made() {
        let mut dice = Dice::of(1, 1);
        assert!((0..200).all(|_| *dice.weighed(&[(0, "never"), (3, "a"), (0, "no"), (1, "b")]) != "never"));
    }
}
