//! What an answer of the server makes of the submission: to the submit itself, to a look at the task, to a shutdown,
//! to the comparison.

use super::*;

impl Submission {
    pub(super) fn submitted(&mut self, answer: Submitted, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Sending {
            return vec![];
        }
        match answer {
            Submitted::Accepted => self.running(None, moment),
            Submitted::Duplicate => self.ask(Asked::AfterDuplicate),
            Submitted::Again(trouble) => {
                // Only "come back later" is said before anything is stored. Everything else may hide an acceptance:
                // a metadata store that failed after its commit, a proxy that lost the answer.
                if trouble.class != FailureClass::Busy {
                    self.record.run.unclear = true;
                }
                self.try_failed(trouble, moment)
            }
            Submitted::Refused(trouble) => self.refused(trouble, moment),
        }
    }

    pub(super) fn refused(&mut self, trouble: Trouble, moment: Moment) -> Vec<Action> {
        self.record.dead = Some(dead(Why::Refused, &trouble, 1, moment.now_ms, moment.now_ms));
        self.end(End::Refused { class: trouble.class, text: trouble.text }, moment)
    }

    /// One try to get the run accepted is over without success.
    pub(super) fn try_failed(&mut self, trouble: Trouble, moment: Moment) -> Vec<Action> {
        let sending = self.phase == Phase::Sending;
        let policy = self.record.wish.policy;
        let run = &mut self.record.run;
        let tries = run.tries.len() as u32;
        let last = tries.saturating_add(1) >= policy.attempts;
        let delay = policy.delay_with_retry_after_ms(tries, moment.random, trouble.retry_after_ms);
        run.tries.push(Try {
            at_ms: moment.now_ms,
            class: trouble.class.clone(),
            text: trouble.text.clone(),
            delay_ms: (!last).then_some(delay),
        });
        if self.record.cancel && !run.unclear {
            return self.end_cancelled(moment);
        }
        if last {
            return if sending && run.unclear {
                self.ask(Asked::AtTheEnd(trouble))
            } else {
                self.give_up(trouble, moment)
            };
        }
        let next = if run.sent > 0 || self.resumed { Next::Ask } else { Next::Read { asked: false } };
        // Whoever cancels does not wait for a delay.
        let sleep_ms = if self.record.cancel && sending { 0 } else { delay };
        self.save(After { sleep_ms, next }, moment)
    }

    pub(super) fn give_up(&mut self, trouble: Trouble, moment: Moment) -> Vec<Action> {
        let same: Vec<&Try> = self.record.run.tries.iter().filter(|t| t.class == trouble.class).collect();
        let first = same.first().map_or(moment.now_ms, |t| t.at_ms);
        self.record.dead =
            Some(dead(Why::AttemptsUsedUp, &trouble, same.len().max(1) as u32, first, moment.now_ms));
        self.end(End::GaveUp { class: trouble.class, text: trouble.text }, moment)
    }

    pub(super) fn status(&mut self, answer: StatusAnswer, moment: Moment) -> Vec<Action> {
        match self.phase.clone() {
            Phase::Asking(why) => self.asked(why, answer, moment),
            Phase::Following => self.followed(answer, moment),
            _ => vec![],
        }
    }

    pub(super) fn asked(&mut self, why: Asked, answer: StatusAnswer, moment: Moment) -> Vec<Action> {
        match answer {
            StatusAnswer::Known { code, created_time, error_msg, .. } => {
                self.phase = Phase::Looking(Found { code, created_time, error_msg });
                let (token, id) = (self.fresh(), self.id());
                vec![Action::AskPayload { token, id }]
            }
            StatusAnswer::Unknown(_) if self.record.cancel => self.end_cancelled(moment),
            StatusAnswer::Unknown(text) => match why {
                Asked::BeforeSending => self.go(Next::Read { asked: true }.into(), moment),
                Asked::AfterDuplicate => self.try_failed(
                    Trouble {
                        class: FailureClass::ServerTrouble,
                        text: format!("The server refused the id as used and then did not know it: {text}"),
                        retry_after_ms: None,
                    },
                    moment,
                ),
                Asked::AtTheEnd(trouble) => self.give_up(trouble, moment),
            },
            StatusAnswer::Trouble(trouble) => match why {
                Asked::AtTheEnd(first) => self.give_up(first, moment),
                _ if trouble.is_lasting() => self.give_up(trouble, moment),
                _ => self.try_failed(trouble, moment),
            },
        }
    }

    pub(super) fn payload(&mut self, answer: PayloadAnswer, moment: Moment) -> Vec<Action> {
        let found = match self.phase.clone() {
            Phase::Looking(found) => found,
            Phase::DoubtingLocks => {
                if let PayloadAnswer::Stored(stored) = answer {
                    self.locks.told(&stored);
                }
                return self.look_later(0, moment);
            }
            _ => return vec![],
        };
        let conflict = |differences, text: String| End::Conflict { differences, text };
        match answer {
            PayloadAnswer::Stored(stored) => {
                match same_content(&self.record.wish.body.with_id(&self.id()), &stored) {
                    Sameness::Same => self.adopt(found, moment),
                    Sameness::Differs(differences) => {
                        let text = format!(
                            "The server has another task under the id {}: its content is not this one.",
                            self.id()
                        );
                        self.end(conflict(differences, text), moment)
                    }
                    Sameness::Unreadable(why) => self.end(conflict(vec![], why), moment),
                }
            }
            PayloadAnswer::Unknown => self.try_failed(
                Trouble {
                    class: FailureClass::ServerTrouble,
                    text: "The server knew the id and a moment later did not.".to_owned(),
                    retry_after_ms: None,
                },
                moment,
            ),
            PayloadAnswer::Trouble(trouble) if trouble.is_lasting() => {
                let text =
                    format!("What is stored under the id {} could not be read: {}", self.id(), trouble.text);
                self.end(conflict(vec![], text), moment)
            }
            PayloadAnswer::Trouble(trouble) => self.try_failed(trouble, moment),
        }
    }

    /// The server has our content under our id.
    pub(super) fn adopt(&mut self, found: Found, moment: Moment) -> Vec<Action> {
        let ours = self.record.run.unclear || self.resumed;
        self.record.run.created_time = found.created_time.clone();
        match found.code {
            TaskCode::Running if self.record.cancel && !ours => {
                let text = "A run of the same content, started elsewhere, goes on under this id. It was not stopped.";
                self.end(End::Cancelled { text: text.to_owned() }, moment)
            }
            TaskCode::Running => self.running(found.created_time, moment),
            TaskCode::Success if ours => self.succeeded(found.error_msg, moment),
            TaskCode::Success => self.end(End::Success { error_msg: found.error_msg, already: true }, moment),
            TaskCode::Failed => self.failed(found.error_msg, moment),
        }
    }

    pub(super) fn running(&mut self, created_time: Option<String>, moment: Moment) -> Vec<Action> {
        let run = &mut self.record.run;
        run.stage = Stage::Running;
        run.accepted_ms = Some(moment.now_ms);
        run.created_time = created_time.or(run.created_time.take());
        self.trouble = None;
        (self.runner, self.locks) = (RunnerStatus::None, LockWatch::default());
        (self.looks, self.unknown, self.retries) = (0, 0, 0);
        let sleep_ms = self.record.wish.policy.poll_ms(0, moment.random);
        self.save(After { sleep_ms, next: Next::Follow }, moment)
    }

    pub(super) fn followed(&mut self, answer: StatusAnswer, moment: Moment) -> Vec<Action> {
        let mut asked_to_wait = 0;
        match answer {
            StatusAnswer::Known { code, runner, created_time, error_msg } => {
                self.trouble = None;
                self.unknown = 0;
                self.runner = runner;
                if created_time.is_some() {
                    self.record.run.created_time = created_time;
                }
                match code {
                    // Whoever has cancelled need not be told more.
                    TaskCode::Running if self.locks.is_due() && !self.record.cancel => {
                        self.locks.looks();
                        self.phase = Phase::SeeingLocks;
                        return vec![Action::AskLocks { token: self.fresh() }];
                    }
                    TaskCode::Running => {}
                    TaskCode::Success => return self.succeeded(error_msg, moment),
                    TaskCode::Failed => return self.failed(error_msg, moment),
                }
            }
            StatusAnswer::Unknown(text) => {
                self.unknown += 1;
                if self.unknown >= UNKNOWN_IN_A_ROW {
                    self.record.run.ended_ms = Some(moment.now_ms);
                    self.record.run.stage = Stage::Ended(End::Vanished { text });
                    return self.save(Next::Compare.into(), moment);
                }
                self.trouble = Some(Trouble { class: FailureClass::Forgotten, text, retry_after_ms: None });
            }
            // One error, or a hundred, does not end the watch: the task goes on without us.
            StatusAnswer::Trouble(trouble) => {
                asked_to_wait = trouble.retry_after_ms.unwrap_or(0).min(self.record.wish.policy.poll_cap_ms);
                self.trouble = Some(trouble);
            }
        }
        self.look_later(asked_to_wait, moment)
    }

    fn look_later(&mut self, at_least_ms: u64, moment: Moment) -> Vec<Action> {
        self.looks = self.looks.saturating_add(1);
        let sleep_ms = self.record.wish.policy.poll_ms(self.looks, moment.random).max(at_least_ms);
        self.go(After { sleep_ms, next: Next::Follow }, moment)
    }

    pub(super) fn locks_seen(&mut self, locks: Option<Vec<Held>>, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::SeeingLocks {
            return vec![];
        }
        if let Some(locks) = locks {
            let range = self.record.wish.picture.intervals();
            let watched = Watched {
                id: &self.record.run.name.id,
                wanted: self.record.wish.lock.as_ref(),
                range: &range,
                runner: self.runner,
                held_before: self.record.run.held,
            };
            let holds = self.locks.see(watched, locks);
            self.record.run.held |= holds;
            if self.locks.is_in_doubt() {
                self.phase = Phase::DoubtingLocks;
                let (token, id) = (self.fresh(), self.id());
                return vec![Action::AskPayload { token, id }];
            }
        }
        self.look_later(0, moment)
    }

    pub(super) fn succeeded(&mut self, error_msg: Option<String>, moment: Moment) -> Vec<Action> {
        self.retries = 0;
        self.record.run.ended_ms = Some(moment.now_ms);
        self.record.run.stage = Stage::Ended(End::Success { error_msg, already: false });
        self.save(Next::Compare.into(), moment)
    }

    pub(super) fn failed(&mut self, error_msg: Option<String>, moment: Moment) -> Vec<Action> {
        let class = FailureClass::of_run(error_msg.as_deref());
        let text = error_msg.unwrap_or_default();
        self.record.run.ended_ms = Some(moment.now_ms);
        if self.record.cancel && class == FailureClass::Shutdown {
            return self.end(End::Cancelled { text: format!("The task was shut down: {text}") }, moment);
        }
        let trouble = Trouble { class: class.clone(), text: text.clone(), retry_after_ms: None };
        let stopped = self.record.cancel || class == FailureClass::Shutdown;
        self.record.run.stage = Stage::Ended(End::Failed { class, text });
        let (times, first_ms) = self.record.same_failures();
        let why = match self.next_name() {
            _ if stopped => return self.save(Next::Rest.into(), moment),
            _ if times >= self.record.wish.policy.poison => Why::Poison,
            None => Why::RunsUsedUp,
            Some(name) => {
                let failures = self.record.failures().len() as u32;
                let sleep_ms = self.record.wish.policy.delay_ms(failures.saturating_sub(1), moment.random);
                let over = std::mem::replace(&mut self.record.run, Run::new(name));
                self.record.past.push(over);
                // A record taken up may know less than was done (a journal that refused): ask for the new id as well.
                let next = if self.resumed { Next::Ask } else { Next::Read { asked: false } };
                return self.save(After { sleep_ms, next }, moment);
            }
        };
        self.record.dead = Some(dead(why, &trouble, times, first_ms, moment.now_ms));
        self.save(Next::Rest.into(), moment)
    }

    /// The first planned name whose id this content has not had.
    pub(super) fn next_name(&self) -> Option<Name> {
        let used = self.record.ids();
        self.record.wish.names.iter().find(|name| !used.contains(&name.id.as_str())).cloned()
    }

    pub(super) fn shut_down(&mut self, answer: Result<(), Trouble>, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Stopping {
            return vec![];
        }
        let policy = self.record.wish.policy;
        if let Err(trouble) = answer {
            let lasting = trouble.is_lasting();
            let retry_after = trouble.retry_after_ms;
            self.trouble = Some(trouble);
            self.retries = self.retries.saturating_add(1);
            if !lasting && self.retries < policy.attempts {
                let sleep_ms =
                    policy.delay_with_retry_after_ms(self.retries - 1, moment.random, retry_after).max(1);
                return self.go(After { sleep_ms, next: Next::ShutDown }, moment);
            }
        } else {
            self.trouble = None;
        }
        (self.looks, self.unknown) = (0, 0);
        self.go(After { sleep_ms: policy.poll_ms(0, moment.random), next: Next::Follow }, moment)
    }

    pub(super) fn compared(&mut self, answer: Result<AuditNote, Trouble>, moment: Moment) -> Vec<Action> {
        if self.phase != Phase::Comparing {
            return vec![];
        }
        let trouble = match answer {
            Ok(note) => {
                self.trouble = None;
                self.record.run.audit = Some(note);
                return self.save(Next::Rest.into(), moment);
            }
            Err(trouble) => trouble,
        };
        let policy = self.record.wish.policy;
        let (lasting, retry_after) = (trouble.is_lasting(), trouble.retry_after_ms);
        self.trouble = Some(trouble);
        self.retries = self.retries.saturating_add(1);
        if lasting || self.retries >= policy.attempts {
            return self.save(Next::Rest.into(), moment);
        }
        let sleep_ms = policy.delay_with_retry_after_ms(self.retries - 1, moment.random, retry_after).max(1);
        self.go(After { sleep_ms, next: Next::Compare }, moment)
    }
}
