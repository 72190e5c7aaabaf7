//! Endings, and what the user says: cancel, go on, try again, leave.

use super::*;

impl Submission {
    pub(super) fn end(&mut self, end: End, moment: Moment) -> Vec<Action> {
        self.record.run.ended_ms.get_or_insert(moment.now_ms);
        self.record.run.stage = Stage::Ended(end);
        self.save(Next::Rest.into(), moment)
    }

    pub(super) fn end_cancelled(&mut self, moment: Moment) -> Vec<Action> {
        let text = if self.record.run.unclear {
            "The server did not know the id when it was last asked. A message sent before that may still reach it: \
             look again later."
        } else {
            "Nothing was sent under this id."
        };
        self.end(End::Cancelled { text: text.to_owned() }, moment)
    }

    pub(super) fn cancel(&mut self, moment: Moment) -> Vec<Action> {
        let over = self.record.run.end().is_some();
        if over || self.record.cancel || matches!(self.phase, Phase::Watching { .. } | Phase::Rested) {
            return vec![];
        }
        self.record.cancel = true;
        match self.phase.clone() {
            // An answer is on its way; what it says decides.
            Phase::Saving(_) | Phase::Sending | Phase::Asking(_) | Phase::Looking(_) | Phase::Stopping => {
                vec![]
            }
            Phase::Reading { .. } | Phase::Paused(Pause::LongAgo { .. } | Pause::NoSecrets { .. }) => {
                self.end_cancelled(moment)
            }
            Phase::Paused(Pause::NoJournal(_, after)) => match after.next {
                Next::Read { .. } | Next::Send | Next::Follow => self.go(after.next.into(), moment),
                _ => vec![],
            },
            Phase::Following | Phase::SeeingLocks | Phase::DoubtingLocks => {
                self.go(Next::Follow.into(), moment)
            }
            Phase::Sleeping { after, .. } => match after.next {
                Next::Compare | Next::ShutDown => {
                    vec![]
                }
                next => self.go(next.into(), moment),
            },
            Phase::Comparing | Phase::Watching { .. } | Phase::Rested => vec![],
        }
    }

    pub(super) fn go_on(&mut self, moment: Moment) -> Vec<Action> {
        match self.phase.clone() {
            Phase::Paused(Pause::NoJournal(_, after)) => {
                self.keeping = Keeping::Off;
                self.record.unrecorded = true;
                self.go(after, moment)
            }
            Phase::Paused(Pause::LongAgo { asked }) => {
                self.may_send = true;
                self.go(Next::Read { asked }.into(), moment)
            }
            _ => vec![],
        }
    }

    pub(super) fn given_body(&mut self, body: Body, moment: Moment) -> Vec<Action> {
        std::sync::Arc::make_mut(&mut self.record.wish).body = body;
        match self.phase {
            Phase::Paused(Pause::NoSecrets { asked }) => self.go(Next::Read { asked }.into(), moment),
            _ => vec![],
        }
    }

    pub(super) fn try_again(&mut self, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Rested {
            return vec![];
        }
        let run = &mut self.record.run;
        let next = match &run.stage {
            Stage::Ended(End::Success { already: false, .. } | End::Vanished { .. })
                if run.audit.is_none() =>
            {
                Next::Compare
            }
            Stage::Ended(End::Vanished { .. }) => {
                run.stage = Stage::Running;
                run.audit = None;
                Next::Follow
            }
            // Cancelled with a message on its way: look whether it arrived. `cancel` stays: it is stopped if so.
            Stage::Ended(End::Cancelled { .. }) if run.unclear => {
                run.stage = Stage::Sending;
                Next::Ask
            }
            Stage::Ended(End::GaveUp { .. } | End::Refused { .. }) => {
                run.stage = if run.sent > 0 { Stage::Sending } else { Stage::Intended };
                if run.sent > 0 { Next::Ask } else { Next::Read { asked: false } }
            }
            _ => return vec![],
        };
        if next != Next::Compare {
            run.tries.clear();
            run.ended_ms = None;
            self.record.dead = None;
        }
        self.may_send = true;
        self.stopping = false;
        (self.looks, self.unknown, self.retries) = (0, 0, 0);
        self.fence = self.record.stamp.fence + 1;
        self.save(next.into(), moment)
    }

    pub(super) fn woke(&mut self, moment: Moment) -> Vec<Action> {
        match self.phase.clone() {
            Phase::Sleeping { after, .. } => {
                self.locks.slept(after.sleep_ms);
                self.go(after.next.into(), moment)
            }
            Phase::Watching { .. } => {
                let (token, key) = (self.fresh(), self.record.key().to_owned());
                vec![Action::ReadJournal { token, key }]
            }
            _ => vec![],
        }
    }

    /// Gives the record up. What is on its way is left to whoever takes it up next.
    pub(super) fn leave(&mut self) -> Vec<Action> {
        let holds = !matches!(self.phase, Phase::Watching { .. } | Phase::Rested);
        let held = self.saved.is_some() || matches!(self.phase, Phase::Saving(_));
        let expect = match self.phase {
            // The write on its way comes first; this one goes over it.
            Phase::Saving(_) => Some(self.record.stamp),
            _ => self.saved,
        };
        self.phase = Phase::Rested;
        if !holds || !held || self.keeping == Keeping::Off {
            return vec![];
        }
        let Some(stamp) = expect else { return vec![] };
        self.record.stamp = Stamp { fence: self.fence, seq: stamp.seq + 1 };
        self.record.owner = None;
        vec![Action::Journal { token: self.fresh(), expect, record: Box::new(self.record.clone()) }]
    }
}
