//! How a submission begins, and how it is taken up again after a reload, a crash or in another tab.
//!
//! Not here: reading the journal. The caller hands in what it holds.

use super::event::{Action, Moment, RunnerStatus};
use super::locks::LockWatch;
use super::machine::{After, Keeping, LONG_AGO_MS, Next, Phase, Submission};
use super::record::{End, FORMAT, Me, Record, Run, Stage, Stamp};
use super::wish::{Name, Wish};
use std::sync::Arc;

/// Why a wish is not begun. Nothing was written, nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// This content is already on its way under this id: take that record up instead.
    StillOpen(String),
    /// It is not known whether the server took this content under this id, and the wish does not offer that id: look
    /// again under it first.
    Unclear(String),
    /// This content already ran, under this id. It runs again only on the user's word ([`Wish::again`]).
    AlreadyDone(String),
    /// Every id the wish offers was used by this content.
    NamesUsedUp,
    /// Other content was submitted under this id; the key (content hash) of its record.
    IdTaken {
        /// The id.
        id: String,
        /// The other content.
        by: String,
    },
    /// The record was written by a newer version of the product.
    Newer,
}

/// Begins what is wished for. `stored` is what the journal holds under the content's key; `taken` says which other
/// content an id was given to (see [`crate::ledger::Ledger::taken_by`]).
pub fn begin(
    stored: Option<Record>,
    taken: impl Fn(&str) -> Option<String>,
    wish: Wish,
    me: Me,
    moment: Moment,
) -> Result<(Submission, Vec<Action>), Refusal> {
    let Some(mut record) = stored else {
        let name = wish.names.first().cloned().ok_or(Refusal::NamesUsedUp)?;
        refuse_taken(&name, &taken)?;
        let record = Record {
            format: FORMAT,
            stamp: Stamp { fence: 0, seq: 0 },
            owner: None,
            created_ms: moment.now_ms,
            touched_ms: moment.now_ms,
            wish: Arc::new(wish),
            past: vec![],
            forgiven: 0,
            run: Run::new(name),
            cancel: false,
            dead: None,
            unrecorded: false,
            wait: None,
        };
        let mut submission = Submission::over(record, me, None);
        let actions = submission.save(Next::Read { asked: false }.into(), moment);
        return Ok((submission, actions));
    };
    if record.format > FORMAT {
        return Err(Refusal::Newer);
    }
    let id = record.run.name.id.clone();
    let next = match &record.run.stage {
        Stage::Intended | Stage::Sending | Stage::Running => return Err(Refusal::StillOpen(id)),
        Stage::Ended(End::Success { .. }) if !wish.again => return Err(Refusal::AlreadyDone(id)),
        Stage::Ended(End::Vanished { .. }) if !wish.again => return Err(Refusal::Unclear(id)),
        Stage::Ended(
            End::Success { .. } | End::Vanished { .. } | End::Failed { .. } | End::Conflict { .. },
        ) => {
            let used = record.ids();
            let name = wish.names.iter().find(|name| !used.contains(&name.id.as_str())).cloned();
            let name = name.ok_or(Refusal::NamesUsedUp)?;
            refuse_taken(&name, &taken)?;
            let over = std::mem::replace(&mut record.run, Run::new(name));
            record.past.push(over);
            Next::Read { asked: false }
        }
        // The server may have it: only under the same id, and only after asking for it.
        Stage::Ended(_) if record.run.unclear => {
            if !wish.names.iter().any(|name| name.id == id) {
                return Err(Refusal::Unclear(id));
            }
            begin_anew(&mut record.run)
        }
        // The server is known not to have it: the first name that no earlier run used up.
        Stage::Ended(_) => {
            let used: Vec<&str> = record.past.iter().map(|run| run.name.id.as_str()).collect();
            let name = wish.names.iter().find(|name| !used.contains(&name.id.as_str())).cloned();
            let name = name.ok_or(Refusal::NamesUsedUp)?;
            refuse_taken(&name, &taken)?;
            if name.id == id && record.run.sent > 0 {
                begin_anew(&mut record.run)
            } else {
                record.run = Run::new(name);
                Next::Read { asked: false }
            }
        }
    };
    record.forgiven = record.past.len();
    record.wish = Arc::new(wish);
    record.cancel = false;
    record.dead = None;
    let saved = record.stamp;
    let mut submission = Submission::over(record, me, Some(saved));
    let actions = submission.save(next.into(), moment);
    Ok((submission, actions))
}

/// Takes up a run under its old id, which was sent before.
fn begin_anew(run: &mut Run) -> Next {
    run.stage = Stage::Sending;
    run.tries.clear();
    run.ended_ms = None;
    Next::Ask
}

fn refuse_taken(name: &Name, taken: &impl Fn(&str) -> Option<String>) -> Result<(), Refusal> {
    match taken(&name.id) {
        Some(by) => Err(Refusal::IdTaken { id: name.id.clone(), by }),
        None => Ok(()),
    }
}

/// Takes up a record that the journal holds: goes on with it, or watches the tab that does, or only shows it.
pub fn resume(record: Record, me: Me, moment: Moment) -> (Submission, Vec<Action>) {
    let saved = record.stamp;
    let over = record.is_over() || record.format > FORMAT;
    let mine = record.owner.as_ref().is_none_or(|owner| owner.tab == me.tab);
    let mut submission = Submission::over(record.clone(), me, Some(saved));
    let actions = if over {
        vec![]
    } else if mine {
        submission.claim(moment)
    } else {
        submission.watch(record, moment)
    };
    (submission, actions)
}

impl Submission {
    fn over(record: Record, me: Me, saved: Option<Stamp>) -> Submission {
        Submission {
            fence: record.stamp.fence + 1,
            record,
            me,
            phase: Phase::Rested,
            token: 0,
            saved,
            keeping: Keeping::On,
            may_send: true,
            stopping: false,
            resumed: false,
            trouble: None,
            runner: RunnerStatus::None,
            locks: LockWatch::default(),
            looks: 0,
            unknown: 0,
            retries: 0,
        }
    }

    /// Makes the record ours by a write over what is stored, then goes on from where it stood.
    pub(super) fn claim(&mut self, moment: Moment) -> Vec<super::Action> {
        let age = moment.now_ms.saturating_sub(self.record.touched_ms);
        self.may_send = (0..=LONG_AGO_MS).contains(&age);
        self.fence = self.record.stamp.fence + 1;
        self.saved = Some(self.record.stamp);
        (self.runner, self.locks) = (RunnerStatus::None, LockWatch::default());
        self.stopping = false;
        self.resumed = true;
        let wait_ms = self.record.wait.map_or(0, |wait| wait.left_ms(moment.now_ms));
        let run = &mut self.record.run;
        let after = match &run.stage {
            Stage::Ended(_) => Next::Compare.into(),
            Stage::Running => Next::Follow.into(),
            Stage::Sending => {
                // Whoever held it may have sent it and not lived to hear the answer.
                run.unclear = true;
                After { sleep_ms: wait_ms, next: Next::Ask }
            }
            // Nothing was sent as far as the record says; but a journal can refuse a write, so ask all the same.
            Stage::Intended => After { sleep_ms: wait_ms, next: Next::Ask },
        };
        self.save(after, moment)
    }
}
