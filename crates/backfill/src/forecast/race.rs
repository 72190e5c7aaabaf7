//! Several tasks at once on one datasource: how each stands while the first works, how each ends, and what is there then.
//!
//! The rules are `druid::ingest::race`'s. What always holds: all rows are known, so there is one course and no either / or.
//! What it does not do: tasks whose rows nobody knows; for these the worlds of a forecast say what can happen.

use druid::ingest::{self, Ended, Entrant, Situation};
use druid::segment::SegmentId;
use druid::timeline::{Illegal, NewHolder, Timeline};

use super::{Outcome, Question};

/// How it goes when they overlap.
#[derive(Clone, Debug)]
pub struct Course {
    /// The question's own task: it starts first, and its input comes last.
    pub first: Standing,
    /// The tasks that are handed in while it works, in their order.
    pub others: Vec<Standing>,
    /// What is there before the first one's input comes.
    pub middle: Timeline,
    /// What is there when all have ended.
    pub after: Timeline,
}

/// How one task stands and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// While the first works: `waits`, or its end if it came to one.
    pub stands: Outcome,
    /// How it ends.
    pub ends: Outcome,
    /// In whose words, where it does not simply end well.
    pub reason: Option<String>,
}

/// How it goes when `others` are handed in, one after the other, while the question's task works on known rows.
///
/// # Errors
/// What they publish makes a set that Druid refuses.
pub fn race(question: &Question<'_>, own: Entrant<'_>, others: &[Entrant<'_>]) -> Result<Course, Illegal> {
    let datasource = own.task.datasource.as_deref().unwrap_or_default();
    let ids = question.unused.unwrap_or_default().iter();
    let unused: Vec<SegmentId> = ids.filter_map(|unused| SegmentId::parse(datasource, &unused.id)).collect();
    let situation = Situation {
        timeline: question.timeline,
        unused: &unused,
        locks: question.locks,
        release: question.release,
        lock_version: question.now,
    };
    let race = ingest::race(&situation, own, others)?;
    let with = |added: &[druid::segment::Segment]| {
        question.timeline.with(&added.iter().map(NewHolder::from).collect::<Vec<_>>(), &[])
    };
    Ok(Course {
        first: standing(&race.first),
        others: race.others.iter().map(standing).collect(),
        middle: with(&race.middle)?,
        after: with(&race.added)?,
    })
}

fn standing(ended: &Ended) -> Standing {
    let (ends, reason) = match &ended.outcome {
        ingest::Outcome::Success(published) => (Outcome::Success, published.error_msg.clone()),
        ingest::Outcome::Failed { message, .. } | ingest::Outcome::FailedInPart { message, .. } => {
            (Outcome::Fails, Some(message.clone()))
        }
        ingest::Outcome::Waits { .. } => (Outcome::Waits, None),
        ingest::Outcome::Hangs { why } if ended.evicted => (Outcome::Evicted, Some(why.clone())),
        ingest::Outcome::Hangs { why } => (Outcome::Hangs, Some(why.clone())),
        ingest::Outcome::Unknown { kind } => {
            (Outcome::Hangs, Some(format!("What a task of type {kind} does is not predicted.")))
        }
    };
    Standing { stands: if ended.waited { Outcome::Waits } else { ends }, ends, reason }
}
