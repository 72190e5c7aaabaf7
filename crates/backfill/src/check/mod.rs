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
mod append_into_coarser;
mod append_into_hidden;
mod append_into_tombstone;
mod append_lost;
mod append_meets_replace;
mod appends_into;
mod arbitrary_append;
mod auto_compaction_finer;
mod chunks_cross;
mod chunks_emptied;
mod chunks_kept;
mod compaction_destroys;
mod context_booleans;
mod drop_with_append;
mod drop_without_intervals;
mod edits;
mod future_versions;
mod gate;
mod granularity_none;
mod id_reused;
mod id_stalls;
mod incomplete_sets;
mod inline_unreadable;
mod interval_over_everything;
mod lock_context;
mod lock_held;
mod many_chunks;
mod mark_covers;
mod mark_empties;
mod mark_is_a_call;
mod mark_takes;
mod mark_uncovers;
mod may_be_evicted;
mod mixed_granularity;
mod neighbour_hit;
mod old_form;
mod overwrites_below;
mod partly_hidden;
mod placeholders;
mod range_keeps_old;
mod reads_own_target;
mod reads_too_soon;
mod retention;
mod rows_outside;
mod run_fails;
mod same_version_overlap;
mod saw;
mod secrets;
mod server_refuses;
mod slots;
mod source_may_match_nothing;
mod spec_problems;
mod stream_origin;
mod surroundings;
mod task_id;
mod time_moved;
mod unknown_key;
mod unknown_zone;
mod volatile_fields;
mod widened_interval;
mod zoned_partitions;

use std::cell::OnceCell;

use druid::interval::Interval;
use druid::json::Document;
use druid::order::Order as _;
pub use druid::spec::Fix;
use druid::spec::{Batch, Body, Mark, Mode, Refusal};
use druid::timeline::Holder;
pub use gate::Gate;
pub use old_form::NAME as OLD_FORM;
pub use same_version_overlap::same_version_overlap;
pub use surroundings::{AutoCompaction, Covers, Retention, Slots, Surroundings};

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
    around: &'a Surroundings,
    /// Whether the segments are known; without them nothing can be said of what is there.
    knows_segments: bool,
    /// Holders that rows of an append may reach, once a rule has asked.
    appends_into: OnceCell<Vec<Holder<'a>>>,
}

impl<'a> Seen<'a> {
    fn batch(&self) -> Option<&'a Batch> {
        self.question.task.batch()
    }

    fn mode(&self) -> Option<Mode> {
        self.batch().map(|batch| batch.mode)
    }

    /// The mark call, where it is one.
    fn mark(&self) -> Option<&'a Mark> {
        match &self.question.task.body {
            Body::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    fn document(&self) -> &'a Document {
        &self.question.task.document
    }

    /// A run that hides what is there: replace or overwrite.
    fn overwrites(&self) -> bool {
        matches!(self.mode(), Some(Mode::Replace | Mode::Overwrite))
    }

    /// Holders that rows of an append may reach, each once; empty for other modes.
    fn appends_into(&self) -> &[Holder<'a>] {
        self.appends_into.get_or_init(|| appends_into::reached(self))
    }

    /// Visible holders that overlap what the run works on, tombstones included.
    fn visible(&self) -> impl Iterator<Item = (Interval, Holder<'a>)> {
        let timeline = self.question.timeline;
        let pieces = self.forecast.effective.iter().flat_map(|stretch| timeline.visible().within(*stretch));
        pieces.filter_map(|piece| Some((piece.interval, timeline.holder(piece.holder)?)))
    }
}

type Look = fn(&Seen<'_>) -> Vec<Finding>;

/// What a rule has to know to say anything true.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// The task alone.
    Task,
    /// What is there as well.
    Segments,
}

/// Every rule, in the order people should read the findings of one verdict.
const RULES: &[(&str, Needs, Look)] = &[
    (spec_problems::NAME, Needs::Task, spec_problems::look),
    (old_form::NAME, Needs::Task, old_form::look),
    (placeholders::NAME, Needs::Task, placeholders::look),
    (drop_with_append::NAME, Needs::Task, drop_with_append::look),
    (drop_without_intervals::NAME, Needs::Task, drop_without_intervals::look),
    (server_refuses::NAME, Needs::Task, server_refuses::look),
    (mark_is_a_call::NAME, Needs::Task, mark_is_a_call::look),
    (mark_takes::NAME, Needs::Segments, mark_takes::look),
    (mark_empties::NAME, Needs::Segments, mark_empties::look),
    (mark_uncovers::NAME, Needs::Segments, mark_uncovers::look),
    (mark_covers::NAME, Needs::Segments, mark_covers::look),
    (id_stalls::NAME, Needs::Task, id_stalls::look),
    (id_reused::NAME, Needs::Task, id_reused::look),
    (zoned_partitions::NAME, Needs::Task, zoned_partitions::look),
    (arbitrary_append::NAME, Needs::Task, arbitrary_append::look),
    (granularity_none::NAME, Needs::Task, granularity_none::look),
    (run_fails::NAME, Needs::Segments, run_fails::look),
    (compaction_destroys::NAME, Needs::Segments, compaction_destroys::look),
    (lock_context::NAME, Needs::Task, lock_context::look),
    (context_booleans::NAME, Needs::Task, context_booleans::look),
    (unknown_zone::NAME, Needs::Task, unknown_zone::look),
    (overwrites_below::NAME, Needs::Task, overwrites_below::look),
    (future_versions::NAME, Needs::Segments, future_versions::look),
    (append_lost::NAME, Needs::Segments, append_lost::look),
    (widened_interval::NAME, Needs::Task, widened_interval::look),
    (neighbour_hit::NAME, Needs::Segments, neighbour_hit::look),
    (partly_hidden::NAME, Needs::Segments, partly_hidden::look),
    (chunks_cross::NAME, Needs::Segments, chunks_cross::look),
    (interval_over_everything::NAME, Needs::Segments, interval_over_everything::look),
    (rows_outside::NAME, Needs::Task, rows_outside::look),
    (inline_unreadable::NAME, Needs::Task, inline_unreadable::look),
    (time_moved::NAME, Needs::Task, time_moved::look),
    (stream_origin::NAME, Needs::Task, stream_origin::look),
    (chunks_emptied::NAME, Needs::Segments, chunks_emptied::look),
    (chunks_kept::NAME, Needs::Segments, chunks_kept::look),
    (source_may_match_nothing::NAME, Needs::Segments, source_may_match_nothing::look),
    (range_keeps_old::NAME, Needs::Segments, range_keeps_old::look),
    (append_doubles::NAME, Needs::Segments, append_doubles::look),
    (append_into_coarser::NAME, Needs::Segments, append_into_coarser::look),
    (append_into_hidden::NAME, Needs::Segments, append_into_hidden::look),
    (append_into_tombstone::NAME, Needs::Segments, append_into_tombstone::look),
    (reads_own_target::NAME, Needs::Task, reads_own_target::look),
    (reads_too_soon::NAME, Needs::Segments, reads_too_soon::look),
    (lock_held::NAME, Needs::Segments, lock_held::look),
    (may_be_evicted::NAME, Needs::Segments, may_be_evicted::look),
    (append_meets_replace::NAME, Needs::Segments, append_meets_replace::look),
    (incomplete_sets::NAME, Needs::Segments, incomplete_sets::look),
    (mixed_granularity::NAME, Needs::Segments, mixed_granularity::look),
    (auto_compaction_finer::NAME, Needs::Segments, auto_compaction_finer::look),
    (slots::NAME, Needs::Segments, slots::look),
    (retention::NAME, Needs::Segments, retention::look),
    (many_chunks::NAME, Needs::Task, many_chunks::look),
    (unknown_key::NAME, Needs::Task, unknown_key::look),
    (secrets::NAME, Needs::Task, secrets::look),
    (volatile_fields::NAME, Needs::Task, volatile_fields::look),
    (task_id::NAME, Needs::Task, task_id::look),
];

/// The names of all rules, in reading order.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, ..)| *name).chain([same_version_overlap::NAME])
}

/// Everything the rules find, stops first, then warnings, then what passed.
pub fn findings(question: &Question<'_>, forecast: &Forecast) -> Vec<Finding> {
    findings_among(question, forecast, &Surroundings::default())
}

/// The same, with what is known of the cluster around the run.
pub fn findings_among(question: &Question<'_>, forecast: &Forecast, around: &Surroundings) -> Vec<Finding> {
    found(question, forecast, around, true)
}

/// What can be said of a task by itself: `question` has no segments because nobody looked for any.
pub fn findings_of_task(question: &Question<'_>, forecast: &Forecast) -> Vec<Finding> {
    found(question, forecast, &Surroundings::default(), false)
}

fn found(
    question: &Question<'_>,
    forecast: &Forecast,
    around: &Surroundings,
    knows_segments: bool,
) -> Vec<Finding> {
    let task = question.task.as_read_by(question.release);
    let question = &Question { task: &task, ..*question };
    let seen = Seen {
        question,
        forecast,
        worst: forecast.worst(),
        refusals: question.refusals(),
        around,
        knows_segments,
        appends_into: OnceCell::new(),
    };
    let asked = RULES.iter().filter(|(_, needs, _)| knows_segments || *needs == Needs::Task);
    let mut found: Vec<Finding> = asked.flat_map(|(_, _, look)| look(&seen)).collect();
    found.order_by_key(|finding| std::cmp::Reverse(finding.verdict));
    found
}
