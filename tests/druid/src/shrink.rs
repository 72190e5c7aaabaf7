//! A scenario that came out otherwise, made smaller: whatever can be left out, is, as long as it still comes out
//! otherwise.

use crate::scenario::{Deed, Load, Scenario, Source, Truncation};

/// Scenarios that are a little smaller, the boldest first.
pub(crate) fn smaller(scenario: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    for at in (0..scenario.past.len()).rev() {
        let mut less = scenario.clone();
        less.past.remove(at);
        all.push(less);
    }
    for run in simpler(&scenario.run) {
        all.push(Scenario { past: scenario.past.clone(), run });
    }
    for (at, deed) in scenario.past.iter().enumerate() {
        for simple in simpler(deed) {
            let mut less = scenario.clone();
            if let Some(place) = less.past.get_mut(at) {
                *place = simple;
                all.push(less);
            }
        }
    }
    all
}

fn simpler(deed: &Deed) -> Vec<Deed> {
    let Deed::Load(load) = deed else { return simpler_compaction(deed) };
    let mut all = Vec::new();
    let mut offer = |change: &dyn Fn(&mut Load)| {
        let mut less = load.clone();
        change(&mut less);
        all.push(Deed::Load(less));
    };
    for (from, to) in halves(load.source.rows().len()) {
        offer(&|load| match &mut load.source {
            Source::Inline(rows) => {
                rows.drain(from..to);
            }
            Source::Files(files) => {
                let mut at = 0;
                for file in files {
                    file.retain(|_| {
                        at += 1;
                        !(from..to).contains(&(at - 1))
                    });
                }
            }
            Source::Itself(_) => {}
        });
    }
    if load.context.is_some() {
        offer(&|load| load.context = None);
    }
    if load.partitions.is_some() {
        offer(&|load| load.partitions = None);
    }
    if load.is_rolled_up {
        offer(&|load| (load.is_rolled_up, load.query_granularity) = (false, Truncation::None));
    }
    if load.is_simple {
        offer(&|load| load.is_simple = false);
    }
    for at in 0..load.intervals.len() {
        if load.intervals.len() > 1 {
            offer(&|load| {
                load.intervals.remove(at);
            });
        }
    }
    all
}

fn simpler_compaction(deed: &Deed) -> Vec<Deed> {
    let Deed::Compact(compact) = deed else { return Vec::new() };
    let (mut plain, mut unlocked) = (compact.clone(), compact.clone());
    (plain.tuning, unlocked.context) = (None, None);
    let changed = [(compact.tuning.is_some(), plain), (compact.context.is_some(), unlocked)];
    changed.into_iter().filter(|(is, _)| *is).map(|(_, less)| Deed::Compact(less)).collect()
}

/// All, the halves, then each one.
fn halves(length: usize) -> Vec<(usize, usize)> {
    match length {
        0 => Vec::new(),
        1 => vec![(0, 1)],
        _ => {
            let mut cuts = vec![(0, length), (0, length / 2), (length / 2, length)];
            cuts.extend((0..length).map(|at| (at, at + 1)));
            cuts
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::scenario;

    fn size(scenario: &Scenario) -> usize {
        format!("{scenario:?}").len()
    }

    #[test]
    fn what_is_offered_in_place_of_a_scenario_is_smaller() {
        for number in 0..200 {
            let whole = scenario(3, number);
            for less in smaller(&whole) {
                // `false` is longer than `true`, and no context shorter than one.
                assert!(size(&less) <= size(&whole) + 2, "{less:?}\n{whole:?}");
            }
        }
    }

    #[test]
    fn every_deed_of_the_past_can_be_left_out() {
        let whole =
            (0..).map(|number| scenario(3, number)).find(|scenario| scenario.past.len() == 4).unwrap();
        let shorter = smaller(&whole).iter().filter(|less| less.past.len() == 3).count();
        assert_eq!(shorter, 4);
    }
}
