//! What happens to one submission, told step by step.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)] // a story that does not go on stops here

mod again;
mod locks;
mod running;
mod sending;
mod tabs;

use super::*;
use crate::retry::{FailureClass, Policy};
use druid::lock::Held;

/// A submission with what it asks for, and a clock of its own.
#[derive(Clone)]
struct Story {
    submission: Submission,
    asked: Vec<Action>,
    now_ms: i64,
    random: f64,
}

const START: i64 = 1_784_160_000_000;

fn name(version: &str) -> Name {
    Name { version: version.into(), id: format!("idx_{version}") }
}

fn wish() -> Wish {
    Wish {
        content: "c-1".into(),
        datasource: "events_web".into(),
        names: ["v3", "v3.2", "v3.3", "v3.4"].map(name).to_vec(),
        body: Body::plain("{\"type\":\"index_parallel\",\"id\":", ",\"spec\":{\"n\":1}}"),
        picture: Picture::default(),
        lock: None,
        policy: Policy::default(),
        again: false,
    }
}

fn me(tab: &str) -> Me {
    Me { tab: tab.into() }
}

fn trouble(class: FailureClass) -> Trouble {
    Trouble { class, text: "the server's words".into(), retry_after_ms: None }
}

fn known(code: TaskCode, error_msg: Option<&str>) -> StatusAnswer {
    StatusAnswer::Known {
        code,
        runner: RunnerStatus::Running,
        created_time: Some("2026-07-16T00:00:00.000Z".into()),
        error_msg: error_msg.map(str::to_owned),
    }
}

impl Story {
    fn of(begun: (Submission, Vec<Action>), now_ms: i64) -> Story {
        Story { submission: begun.0, asked: begun.1, now_ms, random: 0.5 }
    }

    fn begin() -> Story {
        Story::begin_with(wish())
    }

    fn begin_with(wish: Wish) -> Story {
        let moment = Moment { now_ms: START, random: 0.5 };
        Story::of(begin(None, |_| None, wish, me("one"), moment).expect("nothing stands against it"), START)
    }

    fn resume(record: Record, tab: &str, now_ms: i64) -> Story {
        Story::of(resume(record, me(tab), Moment { now_ms, random: 0.5 }), now_ms)
    }

    fn event(mut self, event: Event) -> Story {
        let moment = Moment { now_ms: self.now_ms, random: self.random };
        let (submission, asked) = self.submission.step(event, moment);
        self.submission = submission;
        if !asked.is_empty() {
            self.asked = asked;
        }
        self
    }

    fn token(&self) -> Token {
        *self.asked.clone().last_mut().expect("something was asked for").token_mut()
    }

    fn verb(&self) -> &'static str {
        match self.asked.last() {
            None => "nothing",
            Some(Action::Journal { .. }) => "journal",
            Some(Action::ReadAgain { .. }) => "read again",
            Some(Action::Send { .. }) => "send",
            Some(Action::AskStatus { .. }) => "ask status",
            Some(Action::AskLocks { .. }) => "ask locks",
            Some(Action::AskPayload { .. }) => "ask payload",
            Some(Action::ShutDown { .. }) => "shut down",
            Some(Action::Compare { .. }) => "compare",
            Some(Action::Sleep { .. }) => "sleep",
            Some(Action::ReadJournal { .. }) => "read journal",
        }
    }

    fn expect(self, verb: &str) -> Story {
        assert_eq!(self.verb(), verb, "{}", self.submission.sentence());
        self
    }

    fn written(self) -> Story {
        let story = self.expect("journal");
        let token = story.token();
        story.event(Event::Journalled(token, JournalAnswer::Written))
    }

    fn woken(mut self) -> Story {
        let Some(Action::Sleep { token, ms }) = self.asked.last().cloned() else {
            panic!("it does not sleep: {}", self.verb())
        };
        self.now_ms += ms as i64;
        self.event(Event::Woke(token))
    }

    fn read(self) -> Story {
        let story = self.expect("read again");
        let token = story.token();
        story.event(Event::Read(token, Ok(Picture::default())))
    }

    fn answered(self, answer: Submitted) -> Story {
        let story = self.expect("send");
        let token = story.token();
        story.event(Event::Submitted(token, answer))
    }

    fn status(self, answer: StatusAnswer) -> Story {
        let story = self.expect("ask status");
        let token = story.token();
        story.event(Event::Status(token, answer))
    }

    /// The locks on the datasource are read.
    fn locks(self, locks: Vec<Held>) -> Story {
        let story = self.expect("ask locks");
        let token = story.token();
        story.event(Event::Locks(token, Some(locks)))
    }

    fn unknown(self) -> Story {
        self.status(StatusAnswer::Unknown("Cannot find any task with id: [idx]".into()))
    }

    fn payload(self, stored: &str) -> Story {
        let story = self.expect("ask payload");
        let token = story.token();
        story.event(Event::Payload(token, PayloadAnswer::Stored(stored.into())))
    }

    /// From the beginning to a task that the server has.
    fn running() -> Story {
        Story::begin().written().read().written().answered(Submitted::Accepted).written().expect("sleep")
    }

    fn record(&self) -> Record {
        self.submission.record().clone()
    }

    /// The record as storage gives it back.
    fn kept(&self) -> Record {
        let text = serde_json::to_string(self.submission.record()).expect("a record");
        serde_json::from_str(&text).expect("what was just written")
    }

    fn ended(self) -> End {
        let story = if self.verb() == "journal" { self.written() } else { self };
        match story.submission.state() {
            State::Ended(end) => end,
            other => panic!("not ended: {other:?}"),
        }
    }

    /// A run that the server has, ending FAILED with these words.
    fn fails(self, words: &str) -> Story {
        self.woken().status(known(TaskCode::Failed, Some(words)))
    }
}

const SAME: &str = "{\"type\":\"index_parallel\",\"id\":\"x\",\"groupId\":\"x\",\"spec\":{\"n\":1},\"context\":{\"a\":true}}";
const OTHER: &str = "{\"type\":\"index_parallel\",\"id\":\"x\",\"spec\":{\"n\":2}}";
