//! What a person is told about a submission: one value, one sentence.
//!
//! Not here: decisions. Everything is read off the machine as it stands.

use super::event::{RunnerStatus, Trouble};
use super::locks::LockStanding;
use super::machine::{Asked, Keeping, Next, Pause, Phase, Submission};
use super::record::{End, Stage, Why};

/// Where a submission stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Being written to the journal.
    Recording,
    /// The affected chunks and locks are being read again.
    ReadingAgain,
    /// The task is on its way to the server.
    Sending {
        /// Which try this is, from 1.
        attempt: u32,
        /// How many there may be.
        of: u32,
    },
    /// A drawn delay is running.
    Waiting(Waiting),
    /// The server is asked whether it has the id.
    Asking,
    /// What the server has under the id is compared with what was wished for.
    ComparingContent,
    /// The server has it.
    Running {
        /// Waiting for a lock, for a slot, or on a worker.
        runner: RunnerStatus,
        /// How it stands to the locks of its datasource.
        locks: LockStanding,
        /// What did not work at the last look.
        trouble: Option<Trouble>,
    },
    /// It is being shut down.
    Stopping {
        /// What did not work.
        trouble: Option<Trouble>,
    },
    /// The segments are read and compared with the forecast.
    ComparingSegments {
        /// What did not work.
        trouble: Option<Trouble>,
    },
    /// The browser keeps no journal (its words). Nothing more is done until the user says that it may go on without.
    NeedsWordWithoutJournal(String),
    /// The user was away for long; nothing has been accepted. Nothing is sent until the user says so.
    NeedsWordAfterLong,
    /// The task holds secrets, which are not kept over a reload. Nothing is sent until the user gives them again.
    NeedsSecrets,
    /// Another tab holds it; this one takes over when its lease has run out.
    Watching {
        /// At most so long, ms.
        left_ms: u64,
    },
    /// Over.
    Ended(End),
    /// This tab has given it up.
    Left,
}

/// A delay that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its drawn length, ms.
    pub drawn_ms: u64,
    /// When it began, ms since 1970 UTC by our clock; for a countdown only.
    pub since_ms: i64,
    /// Which try comes after it, from 1.
    pub attempt: u32,
    /// How many there may be.
    pub of: u32,
    /// A run FAILED, and what waits is a new one, under this new version.
    pub new_version: Option<String>,
}

impl Submission {
    /// Where it stands.
    pub fn state(&self) -> State {
        let run = &self.record().run;
        let of = self.record().wish.policy.attempts;
        let attempt = (run.tries.len() as u32 + 1).min(of.max(1));
        match &self.phase {
            Phase::Rested => match &run.stage {
                Stage::Ended(end) => State::Ended(end.clone()),
                _ => State::Left,
            },
            Phase::Saving(after) if after.next == Next::Rest => match &run.stage {
                Stage::Ended(end) => State::Ended(end.clone()),
                _ => State::Recording,
            },
            Phase::Saving(_) if run.stage == Stage::Running => self.running_state(),
            Phase::Saving(_) => State::Recording,
            Phase::Paused(Pause::NoJournal(why, _)) => State::NeedsWordWithoutJournal(why.clone()),
            Phase::Paused(Pause::LongAgo { .. }) => State::NeedsWordAfterLong,
            Phase::Paused(Pause::NoSecrets { .. }) => State::NeedsSecrets,
            Phase::Reading { .. } => State::ReadingAgain,
            Phase::Sending => State::Sending { attempt, of },
            Phase::Asking(_) => State::Asking,
            Phase::Looking(_) => State::ComparingContent,
            Phase::Following | Phase::SeeingLocks | Phase::DoubtingLocks => self.running_state(),
            Phase::Stopping => State::Stopping { trouble: self.trouble.clone() },
            Phase::Comparing => State::ComparingSegments { trouble: self.trouble.clone() },
            Phase::Sleeping { after, since_ms } => match after.next {
                Next::Follow => self.running_state(),
                Next::ShutDown => State::Stopping { trouble: self.trouble.clone() },
                Next::Compare => State::ComparingSegments { trouble: self.trouble.clone() },
                _ => State::Waiting(Waiting {
                    drawn_ms: after.sleep_ms,
                    since_ms: *since_ms,
                    attempt,
                    of,
                    new_version: (run.tries.is_empty() && !self.record().past.is_empty())
                        .then(|| run.name.version.clone()),
                }),
            },
            Phase::Watching { left_ms, .. } => State::Watching { left_ms: *left_ms },
        }
    }

    fn running_state(&self) -> State {
        // Whoever has cancelled knows what there was to know.
        let locks = match self.record().cancel {
            true => LockStanding::Quiet,
            false => self.locks.standing(self.runner),
        };
        State::Running { runner: self.runner, locks, trouble: self.trouble.clone() }
    }

    /// Why the journal does not keep what is being done, if it does not: to be shown beside every state.
    pub fn not_kept(&self) -> Option<&str> {
        match &self.keeping {
            Keeping::On => None,
            Keeping::Failing(why) => Some(why),
            Keeping::Off => Some("The browser keeps no journal: a closed tab would forget this run."),
        }
    }

    /// Whether a Cancel would still change anything.
    pub fn can_cancel(&self) -> bool {
        self.record().run.end().is_none()
            && !self.record().cancel
            && !matches!(self.phase, Phase::Watching { .. } | Phase::Rested)
    }

    /// One sentence for the state, with the numbers in it.
    pub fn sentence(&self) -> String {
        let id = &self.record().run.name.id;
        match self.state() {
            State::Recording => "Writing the plan down before anything is sent.".to_owned(),
            State::ReadingAgain => "Reading the affected chunks and locks once more.".to_owned(),
            State::Sending { attempt, of } => format!("Sending {id}, attempt {attempt} of {of}."),
            State::Waiting(Waiting { drawn_ms, new_version: Some(version), .. }) => format!(
                "The run FAILED and its id stays used. A new one, {id} (version {version}), starts in {}.",
                seconds(drawn_ms)
            ),
            State::Waiting(Waiting { drawn_ms, attempt, of, .. }) => {
                let why = self.record().run.tries.last().map(|t| t.class.label()).unwrap_or_default();
                format!(
                    "Attempt {} of {of} did not succeed ({why}). The next comes after {} (drawn at random).",
                    attempt.saturating_sub(1),
                    seconds(drawn_ms)
                )
            }
            State::Asking => match &self.phase {
                Phase::Asking(Asked::AfterDuplicate) => {
                    format!("The server has seen {id} before. Looking at how that run went.")
                }
                _ => format!("Asking whether the server already has {id}."),
            },
            State::ComparingContent => format!("Comparing what the server has under {id} with this plan."),
            State::Running { runner, locks: locks @ LockStanding::Lost { .. }, .. } => {
                locks.sentence(id, runner).unwrap_or_default()
            }
            State::Running { trouble: Some(trouble), .. } => format!(
                "The server has {id}. The last look did not succeed ({}); looking goes on.",
                trouble.class.label()
            ),
            State::Running { runner, locks, .. } => match runner {
                RunnerStatus::Waiting => {
                    locks.sentence(id, runner).unwrap_or_else(|| format!("{id} waits for its lock."))
                }
                RunnerStatus::Pending => format!("{id} waits for a worker slot."),
                RunnerStatus::Running => format!("{id} is running."),
                RunnerStatus::None => format!("The server has accepted {id}."),
            },
            State::Stopping { trouble: None } => format!("Shutting {id} down."),
            State::Stopping { trouble: Some(trouble) } => {
                format!("Shutting {id} down did not succeed yet ({}).", trouble.class.label())
            }
            State::ComparingSegments { trouble: None } => {
                "The run is over. Comparing what is there with what was foreseen.".to_owned()
            }
            State::ComparingSegments { trouble: Some(trouble) } => {
                format!("The segments could not be read yet ({}).", trouble.class.label())
            }
            State::NeedsWordWithoutJournal(why) => format!(
                "This browser refuses to keep a journal ({why}). Without one, a closed tab forgets this run. Nothing \
                 is sent unless you say so."
            ),
            State::NeedsWordAfterLong => {
                "Nothing has been accepted yet, and some time has passed. Nothing is sent unless you say so."
                    .to_owned()
            }
            State::NeedsSecrets => {
                "The task holds secrets, and those are not kept over a reload. Nothing is sent until \
                                    you have given them again."
                    .to_owned()
            }
            State::Watching { left_ms } => format!(
                "Another tab is doing this. This one only shows it, and takes over if the other falls silent for {}.",
                seconds(left_ms)
            ),
            State::Ended(end) => self.end_sentence(&end),
            State::Left => "This tab has given the run up.".to_owned(),
        }
    }

    fn end_sentence(&self, end: &End) -> String {
        let run = &self.record().run;
        let id = &run.name.id;
        match end {
            End::Success { already: true, .. } => {
                format!("{id} had already run with this very content and succeeded. Nothing was sent.")
            }
            End::Success { error_msg, .. } => {
                let audit = match (&run.audit, &self.trouble) {
                    (Some(note), _) => note.line.clone(),
                    (None, Some(trouble)) => {
                        format!("The segments could not be read to compare them ({}).", trouble.class.label())
                    }
                    (None, None) => {
                        "What is there has not been compared with what was foreseen yet.".to_owned()
                    }
                };
                let but =
                    error_msg.as_ref().map(|text| format!(" The server added: {text}")).unwrap_or_default();
                format!("{id} succeeded.{but} {audit}")
            }
            End::Failed { class, .. } => match self.record().dead.as_ref() {
                Some(dead) if dead.why == Why::Poison => format!(
                    "{} runs failed the same way ({}). It is not tried again: {}",
                    dead.times,
                    class.label(),
                    dead.clears
                ),
                Some(dead) => {
                    format!("{id} FAILED ({}), and no id is left to try. {}", class.label(), dead.clears)
                }
                None => format!("{id} FAILED ({}). {}", class.label(), class.clears()),
            },
            End::Moved { changes } => format!(
                "Nothing was sent: {} not as the picture was drawn.{} Look at the new picture and decide again.",
                match changes.len() {
                    1 => "one chunk or lock is".to_owned(),
                    n => format!("{n} chunks or locks are"),
                },
                match self.record().past.last() {
                    Some(before) if matches!(before.end(), Some(End::Failed { .. })) =>
                        " The run before may have published although it FAILED: that would be the change.",
                    _ => "",
                }
            ),
            End::Conflict { text, .. } => format!("{text} Nothing was run. Choose another version."),
            End::Refused { text, .. } => format!("The server refused it: {text}"),
            End::GaveUp { class, .. } => {
                let open = if run.unclear {
                    " It is not certain that the server does not have it: the id is kept."
                } else {
                    ""
                };
                format!(
                    "{} attempts did not succeed ({}).{open} {}",
                    run.tries.len(),
                    class.label(),
                    class.clears()
                )
            }
            End::Cancelled { text } => format!("Cancelled. {text}"),
            End::Vanished { text } => format!(
                "The server had accepted {id} and does not know it any more ({text}). {}",
                run.audit
                    .as_ref()
                    .map_or("Compare the segments to see whether it published.", |note| &note.line)
            ),
            End::IdTaken { .. } => {
                format!(
                    "Nothing was sent: the id {id} was given to other content before. Choose another version."
                )
            }
        }
    }
}

/// Milliseconds as a person reads them.
fn seconds(ms: u64) -> String {
    if ms >= 10_000 { format!("{} s", ms / 1_000) } else { format!("{}.{} s", ms / 1_000, ms % 1_000 / 100) }
}
