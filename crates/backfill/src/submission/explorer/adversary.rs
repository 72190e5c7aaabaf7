//! Everything that can happen next: answers good and bad, late messages, tabs that open and die, runs that end, and what
//! the user does. How often each may go wrong is in the [`Budget`].

use super::world::{Budget, Tab, Task, World, trouble};
use super::*;

/// One way in which things can go on: what happens, and what it does to the world.
pub(super) struct Way<'a> {
    pub(super) label: String,
    pub(super) change: Box<dyn Fn(&mut World) + 'a>,
}

fn way<'a>(label: impl Into<String>, change: impl Fn(&mut World) + 'a) -> Way<'a> {
    Way { label: label.into(), change: Box::new(change) }
}

/// One more thing that went wrong.
fn fault<'a>(label: impl Into<String>, change: impl Fn(&mut World) + 'a) -> Way<'a> {
    way(label, move |w| {
        w.left.faults -= 1;
        change(w);
    })
}

impl World {
    /// The worlds that can follow this one, each with what happened.
    pub(super) fn successors(&self) -> Vec<(String, World)> {
        let mut ways = Vec::new();
        for (at, tab) in self.tabs.iter().enumerate() {
            match &tab.submission {
                Some(submission) => self.of_an_open_tab(at, tab, submission, &mut ways),
                None if self.left.opens > 0 => ways.push(way(format!("open {at}"), move |w| {
                    w.left.opens -= 1;
                    w.open(at);
                })),
                None => {}
            }
        }
        for (index, (id, body)) in self.wire.iter().enumerate() {
            ways.push(way(format!("{id} arrives late"), move |w| {
                w.wire.remove(index);
                w.arrives(id, body);
            }));
        }
        for (id, task) in self.server.iter().filter(|(_, task)| task.code == TaskCode::Running) {
            // It reads on and asks to publish for ever.
            if task.evicted {
                continue;
            }
            let ends = move |w: &mut World, code| {
                w.server.insert(id.clone(), Task { body: task.body.clone(), code, evicted: false });
            };
            if self.left.evictions > 0 {
                ways.push(way(format!("{id} loses its lock"), move |w| {
                    w.left.evictions -= 1;
                    w.server.insert(id.clone(), Task { evicted: true, ..task.clone() });
                }));
            }
            ways.push(way(format!("{id} succeeds"), move |w| ends(w, TaskCode::Success)));
            if self.left.failures > 0 {
                ways.push(way(format!("{id} fails"), move |w| {
                    w.left.failures -= 1;
                    ends(w, TaskCode::Failed);
                }));
            }
        }
        let follow = |way: Way<'_>| {
            let mut world = self.clone();
            (way.change)(&mut world);
            (way.label, world)
        };
        ways.into_iter().map(follow).collect()
    }

    fn of_an_open_tab<'a>(&self, at: usize, tab: &'a Tab, submission: &Submission, ways: &mut Vec<Way<'a>>) {
        if self.left.crashes > 0 {
            crashes(at, tab, ways);
        }
        if self.left.cancels > 0 && submission.can_cancel() {
            ways.push(way(format!("cancel {at}"), move |w| {
                w.left.cancels -= 1;
                let kept = w.tabs[at].pending.clone();
                let phase = w.tabs[at].submission.as_ref().map(|s| s.phase.clone());
                w.event(at, Event::Cancel);
                // Where the cancel only set a mark, the answer is still awaited.
                if w.tabs[at].submission.as_ref().map(|s| s.phase.clone()) == phase {
                    w.tabs[at].pending = kept;
                }
            }));
        }
        if matches!(submission.state(), State::NeedsWordWithoutJournal(_)) {
            ways.push(way(format!("go on {at}"), move |w| w.event(at, Event::GoOn)));
        }
        if self.left.takeovers > 0 && matches!(submission.state(), State::Watching { .. }) {
            ways.push(way(format!("take over {at}"), move |w| {
                w.left.takeovers -= 1;
                w.event(at, Event::TakeOver);
            }));
        }
        // Two tabs can take turns for ever; twice show all that there is to see.
        let turns = matches!(submission.phase, machine::Phase::Watching { .. });
        if turns && submission.record().stamp.fence > 2 {
            return;
        }
        for action in &tab.pending {
            let answers = answers(self.left, at, action).into_iter();
            ways.extend(answers.map(|way| Way { label: format!("{at}: {}", way.label), ..way }));
        }
    }
}

/// A tab dies; what it was about to do may still have been done.
fn crashes<'a>(at: usize, tab: &'a Tab, ways: &mut Vec<Way<'a>>) {
    let crash = move |w: &mut World| {
        w.left.crashes -= 1;
        w.tabs[at] = Tab::default();
    };
    ways.push(way(format!("crash {at}"), crash));
    match tab.pending.first() {
        Some(Action::Send { id, body, .. }) => {
            ways.push(way(format!("crash {at}, the message goes out"), move |w| {
                crash(w);
                w.travels(id, body);
            }));
        }
        Some(Action::Journal { expect, record, .. }) => {
            ways.push(way(format!("crash {at}, the record is written"), move |w| {
                crash(w);
                w.write(*expect, record);
            }));
        }
        _ => {}
    }
}

/// The ways in which what a tab asked for can turn out; the good one first.
pub(super) fn answers(left: Budget, at: usize, action: &Action) -> Vec<Way<'_>> {
    let mut ways = match action {
        Action::Journal { token, expect, record } => {
            let writes = way("writes", move |w| {
                let answer = match w.write(*expect, record) {
                    None => JournalAnswer::Written,
                    Some(stored) => JournalAnswer::Conflict(stored),
                };
                w.event(at, Event::Journalled(*token, answer));
            });
            let refuses = way("the journal refuses", move |w| {
                w.left.refusals -= 1;
                let answer = JournalAnswer::Unavailable("private mode".into());
                w.event(at, Event::Journalled(*token, answer));
            });
            return if left.refusals > 0 { vec![writes, refuses] } else { vec![writes] };
        }
        Action::ReadAgain { token } => vec![
            way("reads again", move |w| w.event(at, Event::Read(*token, Ok(Picture::default())))),
            fault("reads: no leader", move |w| {
                w.event(at, Event::Read(*token, Err(trouble(FailureClass::NoLeader))));
            }),
        ],
        Action::Send { token, id, body } => sends(at, *token, id, body),
        Action::AskStatus { token, id } => vec![
            way("asks", move |w| {
                let answer = w.status_of(id);
                if let (StatusAnswer::Unknown(_), Some(asked)) = (&answer, w.sent.get_mut(id)) {
                    *asked = true;
                }
                w.event(at, Event::Status(*token, answer));
            }),
            fault("asks: no leader", move |w| {
                let answer = StatusAnswer::Trouble(trouble(FailureClass::NoLeader));
                w.event(at, Event::Status(*token, answer));
            }),
        ],
        Action::AskLocks { token } => vec![
            way("sees the locks", move |w| {
                let locks = w.locks();
                w.event(at, Event::Locks(*token, Some(locks)));
            }),
            fault("sees no locks: no answer", move |w| w.event(at, Event::Locks(*token, None))),
        ],
        Action::AskPayload { token, id } => vec![
            way("looks", move |w| {
                let answer = match w.server.get(id) {
                    Some(task) => PayloadAnswer::Stored(task.body.clone()),
                    None => PayloadAnswer::Unknown,
                };
                w.event(at, Event::Payload(*token, answer));
            }),
            fault("looks: no answer", move |w| {
                let answer = PayloadAnswer::Trouble(trouble(FailureClass::NoAnswer));
                w.event(at, Event::Payload(*token, answer));
            }),
        ],
        Action::ShutDown { token, id } => vec![
            way("shuts down", move |w| {
                w.stops(id);
                w.event(at, Event::ShutDown(*token, Ok(())));
            }),
            fault("shuts down, the answer is lost", move |w| {
                w.stops(id);
                w.event(at, Event::ShutDown(*token, Err(trouble(FailureClass::NoAnswer))));
            }),
        ],
        Action::Compare { token } => vec![way("compares", move |w| {
            let note = AuditNote { as_foreseen: true, line: "As foreseen.".into() };
            w.event(at, Event::Compared(*token, Ok(note)));
        })],
        Action::Sleep { token, .. } => vec![way("wakes", move |w| w.event(at, Event::Woke(*token)))],
        Action::ReadJournal { token, .. } => vec![way("reads the journal", move |w| {
            let stored = w.journal.clone().map(Box::new);
            w.event(at, Event::JournalRead(*token, stored));
        })],
    };
    if left.faults == 0 {
        ways.truncate(1);
    }
    ways
}

/// A submit: it may be lost, late, or taken without anybody hearing of it.
fn sends<'a>(at: usize, token: Token, id: &'a str, body: &'a str) -> Vec<Way<'a>> {
    let again = |label: &str, class: FailureClass, on_the_way: fn(&mut World, &str, &str)| {
        fault(label, move |w| {
            on_the_way(w, id, body);
            w.event(at, Event::Submitted(token, Submitted::Again(trouble(class.clone()))));
        })
    };
    let arrives = |w: &mut World, id: &str, body: &str| {
        w.arrives(id, body);
    };
    let nothing = |_: &mut World, _: &str, _: &str| ();
    vec![
        way("sends", move |w| {
            let accepted = w.arrives(id, body);
            let answer = if accepted { Submitted::Accepted } else { Submitted::Duplicate };
            w.event(at, Event::Submitted(token, answer));
        }),
        again("sends, the answer is lost", FailureClass::NoAnswer, arrives),
        again("sends, the message is lost", FailureClass::NoAnswer, nothing),
        again("sends, the message is late", FailureClass::NoAnswer, World::travels),
        again("sends: no leader", FailureClass::NoLeader, nothing),
        again("sends: busy", FailureClass::Busy, nothing),
    ]
}
