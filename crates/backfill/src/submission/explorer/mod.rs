//! Every interleaving of a submission with a small Overlord, two tabs and things that go wrong, by brute force.
//!
//! What is there: [`world`]. What may happen to it: [`adversary`]: answers get lost, messages arrive late, tabs die
//! between any two steps, the journal refuses, a leader changes, a run fails. What must hold in the end: [`agreement`].
//!
//! Held on every reachable state:
//! - no content runs twice: a task is accepted only when every earlier task of the content has FAILED;
//! - another id of the same content is sent only when the run under every earlier id has FAILED;
//! - nothing is sent that the journal does not say is being sent;
//! - no id is sent again without having been asked for, and found absent, since the last time;
//! - nobody is told to have lost a lock that was not taken away;
//! - nothing is lost silently: whatever has happened, a tab opened now comes to an end that agrees with the server,
//!   or says that it is open.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a model checker stops at the first broken rule, and says how far it looked"
)]

mod adversary;
mod agreement;
mod world;

use super::*;
use crate::retry::{FailureClass, Policy};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use world::{Budget, World};

/// A number that stands for a state; at a million states the odds of two alike are 1 in 10^7.
fn key(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Explores everything reachable; the number of states, and how often each ending was seen.
fn explore(left: Budget) -> (usize, BTreeMap<String, usize>) {
    let mut start = World::new(left);
    start.open(0);
    let mut seen: HashSet<u64> = HashSet::from([key(&start)]);
    let mut settled: HashSet<u64> = HashSet::new();
    // How each state was reached, to tell the story of a broken rule.
    let mut reached: Vec<(usize, String)> = vec![(0, String::new())];
    let mut queue = VecDeque::from([(0, start)]);
    let mut endings = BTreeMap::new();
    while let Some((number, world)) = queue.pop_front() {
        let step = std::panic::AssertUnwindSafe(|| {
            // What a tab opened afterwards finds depends on nothing else.
            if settled.insert(key(&(&world.journal, &world.server, &world.wire, &world.sent))) {
                world.settles();
            }
            world.successors()
        });
        let next = match std::panic::catch_unwind(step) {
            Ok(next) => next,
            Err(failure) => {
                let mut story = Vec::new();
                let mut at = number;
                while at != 0 {
                    story.push(reached[at].1.clone());
                    at = reached[at].0;
                }
                story.reverse();
                eprintln!("after: {}", story.join(" · "));
                std::panic::resume_unwind(failure);
            }
        };
        for submission in world.tabs.iter().flat_map(|tab| &tab.submission) {
            world.is_told_truly(submission);
            if agreement::has_lost_its_lock(submission) {
                *endings.entry("LockLost".to_owned()).or_insert(0) += 1;
            }
            if let State::Ended(end) = submission.state() {
                let name = format!("{end:?}");
                let name = name.split([' ', '{', '(']).next().unwrap_or("").to_owned();
                *endings.entry(name).or_insert(0) += 1;
            }
        }
        for (label, world) in next {
            if seen.insert(key(&world)) {
                queue.push_back((reached.len(), world));
                reached.push((number, label));
            }
        }
    }
    (reached.len(), endings)
}

const NOTHING: Budget = Budget {
    faults: 0,
    crashes: 0,
    opens: 0,
    failures: 0,
    refusals: 0,
    cancels: 0,
    takeovers: 0,
    evictions: 0,
};

fn explored(name: &str, left: Budget, ends: &[&str]) {
    let (states, endings) = explore(left);
    println!("{name}: {states} states, endings {endings:?}");
    for end in ends {
        assert!(endings.contains_key(*end), "{name} never ended as {end}: {endings:?}");
    }
}

#[test]
fn no_interleaving_of_lost_answers_late_messages_and_leader_changes_runs_a_content_twice_or_loses_it() {
    explored("faults", Budget { faults: 3, ..NOTHING }, &["Success", "GaveUp"]);
}

#[test]
fn no_interleaving_with_failing_runs_takes_a_new_id_before_the_old_run_is_known_to_have_failed() {
    explored("failures", Budget { failures: 3, ..NOTHING }, &["Success", "Failed"]);
    explored("a failure and a fault", Budget { faults: 1, failures: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn no_crash_at_any_moment_runs_a_content_twice_or_loses_it() {
    explored("crash", Budget { crashes: 1, opens: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn two_tabs_on_one_plan_never_run_it_twice() {
    explored("tabs", Budget { opens: 1, takeovers: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn a_journal_that_refuses_at_any_moment_never_leads_to_a_second_run() {
    explored("journal", Budget { faults: 1, refusals: 1, ..NOTHING }, &["Success"]);
}

#[test]
fn a_cancel_at_any_moment_ends_in_agreement_with_the_server() {
    explored("cancel", Budget { faults: 1, cancels: 1, failures: 1, ..NOTHING }, &["Success", "Cancelled"]);
}

#[test]
fn a_run_that_loses_its_lock_at_any_moment_is_told_to_and_can_be_ended() {
    let left = Budget { faults: 1, cancels: 1, evictions: 1, ..NOTHING };
    explored("eviction", left, &["Success", "LockLost", "Failed"]);
    explored("eviction and crash", Budget { crashes: 1, opens: 1, evictions: 1, ..NOTHING }, &["LockLost"]);
}

/// The same with more going wrong at once: a habit of those who change the protocol (CONTRIBUTING.md).
#[test]
#[ignore = "2.8 million states, a minute in release; run before changing the protocol"]
fn nothing_that_goes_wrong_together_runs_a_content_twice_or_loses_it() {
    explored("deep faults", Budget { faults: 5, failures: 1, ..NOTHING }, &["Success", "GaveUp"]);
    explored("deep failures", Budget { faults: 2, failures: 3, ..NOTHING }, &["Success", "Failed"]);
    explored("deep crash", Budget { faults: 1, crashes: 1, opens: 1, failures: 1, ..NOTHING }, &["Success"]);
    explored("deep tabs", Budget { faults: 1, opens: 1, takeovers: 1, ..NOTHING }, &["Success"]);
    explored("deep journal", Budget { faults: 1, refusals: 2, failures: 1, ..NOTHING }, &["Success"]);
    explored("deep journal and tabs", Budget { refusals: 1, crashes: 1, opens: 1, ..NOTHING }, &["Success"]);
    explored(
        "deep eviction",
        Budget { faults: 2, evictions: 1, cancels: 1, failures: 1, ..NOTHING },
        &["LockLost"],
    );
    explored("deep cancel", Budget { cancels: 1, crashes: 1, opens: 1, ..NOTHING }, &["Cancelled"]);
}
