//! Findings: what speaks against sending a task, each by one rule in a file of its own.
//!
//! What always holds:
//! - A rule has a stable name, looks over the world in which most goes wrong, and says what it saw: an edit that
//!   changes that voids a confirmation, any other edit does not.
//! - A rule that does not apply says nothing; one that applies and finds nothing says so in its title.
//! - A fix is a list of edits of the document; applying it never needs anything else.
//!
//! What it does not do: decide whether to send. [`Gate`] sums that up: a stop blocks, a warning wants its own yes.

mod append_doubles;
mod chunks_emptied;
mod drop_with_append;
mod drop_without_intervals;
mod edits;
mod future_versions;
mod gate;
mod incomplete_sets;
mod inline_unreadable;
mod interval_over_everything;
mod lock_context;
mod lock_held;
mod many_chunks;
mod mixed_granularity;
mod neighbour_hit;
mod reads_own_target;
mod rows_outside;
mod run_fails;
mod saw;
mod server_refuses;
mod source_may_match_nothing;
mod spec_problems;
mod task_id;
mod unknown_key;
mod widened_interval;

use druid::json::Document;
use druid::order::Order as _;
pub use druid::spec::Fix;
use druid::spec::{Batch, Mode, Refusal, refusals};
pub use gate::Gate;

use crate::forecast::{Forecast, Question, World};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Looked at, nothing found.
    Pass,
    /// May be meant: wants a confirmation of its own.
    Warn,
    /// Blocks submission.
    Stop,
}

impl Verdict {
    /// As the command line prints it: `pass`, `warn`, `stop`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Stop => "stop",
        }
    }
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's stable name, in kebab case.
    pub check: &'static str,
    /// How much it weighs.
    pub verdict: Verdict,
    /// The finding in one short line, with its number.
    pub title: String,
    /// Why it matters, with the facts and figures, in one or two sentences.
    pub why: String,
    /// The number behind it: chunks, rows, milliseconds, as the title says.
    pub number: Option<u64>,
    /// Fingerprint of everything the rule looked at.
    pub saw: u64,
    /// Changes that would settle it.
    pub fixes: Vec<Fix>,
}

impl Finding {
    fn pass(check: &'static str, title: impl Into<String>, why: impl Into<String>) -> Finding {
        Finding::of(check, Verdict::Pass, title, why)
    }

    fn warn(check: &'static str, title: impl Into<String>, why: impl Into<String>) -> Finding {
        Finding::of(check, Verdict::Warn, title, why)
    }

    fn stop(check: &'static str, title: impl Into<String>, why: impl Into<String>) -> Finding {
        Finding::of(check, Verdict::Stop, title, why)
    }

    fn of(
        check: &'static str,
        verdict: Verdict,
        title: impl Into<String>,
        why: impl Into<String>,
    ) -> Finding {
        let (title, why) = (title.into(), why.into());
        // What is said holds every figure the rule looked at; rules that looked at more add it.
        let saw = saw::Saw::new(check).text(&title).text(&why).finish();
        Finding { check, verdict, title, why, number: None, saw, fixes: Vec::new() }
    }

    fn number(mut self, number: u64) -> Finding {
        self.number = Some(number);
        self
    }

    fn fix(mut self, fix: Option<Fix>) -> Finding {
        self.fixes.extend(fix);
        self
    }

    fn fixes(mut self, fixes: &[Fix]) -> Finding {
        self.fixes.extend_from_slice(fixes);
        self
    }

    /// Adds to what the rule looked at.
    fn saw(mut self, more: &saw::Saw) -> Finding {
        self.saw = self.saw.rotate_left(17) ^ more.finish();
        self
    }
}

/// What the rules look at.
struct Seen<'a> {
    question: &'a Question<'a>,
    forecast: &'a Forecast,
    /// The world in which most goes wrong.
    worst: Option<&'a World>,
    /// What the server would refuse.
    refusals: Vec<Refusal>,
}

impl<'a> Seen<'a> {
    fn batch(&self) -> Option<&'a Batch> {
        self.question.task.batch()
    }

    fn mode(&self) -> Option<Mode> {
        self.batch().map(|batch| batch.mode)
    }

    fn document(&self) -> &'a Document {
        &self.question.task.document
    }

    /// A run that hides what is there: replace or overwrite.
    fn overwrites(&self) -> bool {
        matches!(self.mode(), Some(Mode::Replace | Mode::Overwrite))
    }
}

type Rule = fn(&Seen<'_>) -> Vec<Finding>;

/// Every rule, in the order people should read the findings of one verdict.
const RULES: &[(&str, Rule)] = &[
    (spec_problems::NAME, spec_problems::look),
    (drop_with_append::NAME, drop_with_append::look),
    (drop_without_intervals::NAME, drop_without_intervals::look),
    (server_refuses::NAME, server_refuses::look),
    (run_fails::NAME, run_fails::look),
    (lock_context::NAME, lock_context::look),
    (future_versions::NAME, future_versions::look),
    (widened_interval::NAME, widened_interval::look),
    (neighbour_hit::NAME, neighbour_hit::look),
    (interval_over_everything::NAME, interval_over_everything::look),
    (rows_outside::NAME, rows_outside::look),
    (inline_unreadable::NAME, inline_unreadable::look),
    (chunks_emptied::NAME, chunks_emptied::look),
    (source_may_match_nothing::NAME, source_may_match_nothing::look),
    (append_doubles::NAME, append_doubles::look),
    (reads_own_target::NAME, reads_own_target::look),
    (lock_held::NAME, lock_held::look),
    (incomplete_sets::NAME, incomplete_sets::look),
    (mixed_granularity::NAME, mixed_granularity::look),
    (many_chunks::NAME, many_chunks::look),
    (unknown_key::NAME, unknown_key::look),
    (task_id::NAME, task_id::look),
];

/// The names of all rules, in reading order.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, _)| *name)
}

/// Everything the rules find, stops first, then warnings, then what passed.
pub fn findings(question: &Question<'_>, forecast: &Forecast) -> Vec<Finding> {
    let refusals = refusals(question.task, question.release);
    let seen = Seen { question, forecast, worst: forecast.worst(), refusals };
    let mut found: Vec<Finding> = RULES.iter().flat_map(|(_, look)| look(&seen)).collect();
    found.order_by_key(|finding| std::cmp::Reverse(finding.verdict));
    found
}
