//! What happens to one submission, told step by step.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)] // a story that does not go on stops here

use super::*;
use crate::retry::{FailureClass, Policy};

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
        match self.asked.last().expect("something was asked for") {
            Action::Journal { token, .. }
            | Action::ReadAgain { token }
            | Action::Send { token, .. }
            | Action::AskStatus { token, .. }
            | Action::AskPayload { token, .. }
            | Action::ShutDown { token, .. }
            | Action::Compare { token }
            | Action::Sleep { token, .. }
            | Action::ReadJournal { token, .. } => *token,
        }
    }

    fn verb(&self) -> &'static str {
        match self.asked.last() {
            None => "nothing",
            Some(Action::Journal { .. }) => "journal",
            Some(Action::ReadAgain { .. }) => "read again",
            Some(Action::Send { .. }) => "send",
            Some(Action::AskStatus { .. }) => "ask status",
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

#[test]
fn a_run_is_written_down_before_it_is_sent_and_ends_with_a_comparison() {
    let story = Story::begin().expect("journal");
    assert_eq!(story.record().run.stage, Stage::Intended);
    let story = story.written().read().expect("journal");
    let Some(Action::Journal { record, .. }) = story.asked.last() else { panic!() };
    assert_eq!(
        record.run.stage,
        Stage::Sending,
        "before the first byte the journal says that it is being sent"
    );
    let story = story.written().expect("send");
    let Some(Action::Send { id, body, .. }) = story.asked.last() else { panic!() };
    assert_eq!(
        (id.as_str(), body.as_str()),
        ("idx_v3", "{\"type\":\"index_parallel\",\"id\":\"idx_v3\",\"spec\":{\"n\":1}}")
    );
    let story = story.answered(Submitted::Accepted).written().woken().status(known(TaskCode::Success, None));
    let story = story.written().expect("compare");
    let note = AuditNote { as_foreseen: true, line: "As foreseen.".into() };
    let token = story.token();
    let story = story.event(Event::Compared(token, Ok(note))).written();
    assert!(story.submission.sentence().contains("As foreseen."));
    assert!(story.record().is_over() && story.record().owner.is_none());
}

#[test]
fn where_a_chunk_is_not_as_it_was_drawn_nothing_is_sent() {
    let story = Story::begin().written().expect("read again");
    let chunk = ChunkSeen { start_ms: 0, end_ms: 1, fingerprint: "f".into() };
    let token = story.token();
    let now = Picture { chunks: vec![chunk], ..Picture::default() };
    let story = story.event(Event::Read(token, Ok(now)));
    assert_eq!(story.clone().ended(), End::Moved { changes: vec![Change::NewChunk(0, 1)] });
    assert_eq!(story.record().run.sent, 0);
}

#[test]
fn six_attempts_make_five_sleeps_each_shown_with_its_drawn_delay_and_then_a_dead_letter() {
    let mut story = Story::begin().written().read().written();
    let mut slept = Vec::new();
    for attempt in 1.. {
        story = story.answered(Submitted::Again(trouble(FailureClass::Busy))).written();
        if story.verb() != "sleep" {
            break;
        }
        let State::Waiting(waiting) = story.submission.state() else { panic!() };
        assert_eq!((waiting.attempt, waiting.of), (attempt + 1, 6));
        slept.push(waiting.drawn_ms);
        assert!(story.submission.sentence().contains(&format!("Attempt {attempt} of 6")));
        story = story.woken().unknown().read().written();
    }
    // Full jitter at the middle of each cap: half of 2, 4, 8, 16, 30 s.
    assert_eq!(slept, [1_000, 2_000, 4_000, 8_000, 15_000]);
    let dead = story.record().dead.expect("a dead letter");
    assert_eq!((dead.why, dead.class, dead.times), (Why::AttemptsUsedUp, FailureClass::Busy, 6));
    assert_eq!(dead.text, "the server's words");
    assert!(dead.first_seen_ms < dead.last_seen_ms && !dead.clears.is_empty());
    assert!(!story.record().is_open(), "a full queue stores nothing");
}

#[test]
fn what_the_server_asks_to_wait_is_waited_within_the_cap() {
    let busy = Trouble { retry_after_ms: Some(20_000), ..trouble(FailureClass::Busy) };
    let story = Story::begin().written().read().written().answered(Submitted::Again(busy)).written();
    assert!(matches!(story.asked.last(), Some(Action::Sleep { ms: 20_000, .. })));
}

#[test]
fn after_a_lost_answer_the_id_is_asked_for_and_a_task_that_is_there_is_not_sent_again() {
    let story = Story::begin().written().read().written();
    let story = story.answered(Submitted::Again(trouble(FailureClass::NoAnswer))).written().woken();
    let story = story.status(known(TaskCode::Running, None)).payload(SAME).written().expect("sleep");
    assert_eq!(story.record().run.stage, Stage::Running);
    assert_eq!(story.record().run.sent, 1);
}

#[test]
fn when_the_last_answer_is_lost_the_id_is_asked_for_once_more_before_giving_up() {
    let policy = Policy { attempts: 1, ..Policy::default() };
    let lost = || {
        Story::begin_with(Wish { policy, ..wish() })
            .written()
            .read()
            .written()
            .answered(Submitted::Again(trouble(FailureClass::NoAnswer)))
            .expect("ask status")
    };
    assert_eq!(
        lost().status(known(TaskCode::Running, None)).payload(SAME).record().run.stage,
        Stage::Running
    );
    let gave_up = lost().unknown().written();
    assert!(gave_up.record().is_open(), "a message may still be on its way");
    assert!(gave_up.submission.sentence().contains("not certain"));
    let again = gave_up.event(Event::TryAgain).written().expect("ask status");
    assert!(again.unknown().expect("read again").record().dead.is_none());
}

#[test]
fn a_refusal_is_kept_in_the_servers_words_and_not_tried_again() {
    let words = "Cannot construct instance of `ParallelIndexSupervisorTask`, problem: GranularitySpec's intervals \
                 cannot be empty when using replace.";
    let refusal = Trouble { class: FailureClass::Refused, text: words.into(), retry_after_ms: None };
    let story = Story::begin().written().read().written().answered(Submitted::Refused(refusal)).written();
    assert_eq!(story.record().dead.expect("a dead letter").text, words);
    assert!(story.submission.sentence().contains(words));
    assert_eq!(story.verb(), "journal", "nothing is done after it");
}

fn duplicate() -> Story {
    Story::begin().written().read().written().answered(Submitted::Duplicate).expect("ask status")
}

#[test]
fn a_duplicate_that_is_running_with_the_same_content_is_followed() {
    let story = duplicate().status(known(TaskCode::Running, None)).payload(SAME).written().expect("sleep");
    assert_eq!(story.record().run.stage, Stage::Running);
}

#[test]
fn a_duplicate_that_succeeded_with_the_same_content_is_done_already_and_says_that_nothing_was_sent() {
    let story = duplicate().status(known(TaskCode::Success, None)).payload(SAME);
    assert!(story.submission.sentence().contains("Nothing was sent"));
    assert_eq!(story.ended(), End::Success { error_msg: None, already: true });
}

#[test]
fn a_duplicate_with_other_content_stops_and_shows_the_difference() {
    for code in [TaskCode::Running, TaskCode::Success, TaskCode::Failed] {
        let End::Conflict { differences, .. } = duplicate().status(known(code, None)).payload(OTHER).ended()
        else {
            panic!()
        };
        assert_eq!(differences[0].path, "spec.n");
        assert_eq!(
            (differences[0].ours.as_deref(), differences[0].theirs.as_deref()),
            (Some("1"), Some("2"))
        );
    }
}

#[test]
fn a_duplicate_that_failed_leaves_its_id_used_and_the_next_version_is_taken_and_said() {
    let story = duplicate().status(known(TaskCode::Failed, Some("Java heap space"))).payload(SAME).written();
    assert_eq!(story.record().run.name, name("v3.2"));
    assert_eq!(story.record().past.len(), 1);
    assert!(story.submission.sentence().contains("version v3.2"), "{}", story.submission.sentence());
    let story = story.woken().read().written();
    assert!(matches!(story.asked.last(), Some(Action::Send { id, .. }) if id == "idx_v3.2"));
}

#[test]
fn three_runs_that_fail_the_same_way_are_poison() {
    let mut story = Story::running();
    for run in 1..3 {
        let words = format!("Failed to add a row with timestamp[2026-01-0{run}T00:00:00.000Z]");
        story =
            story.fails(&words).written().woken().read().written().answered(Submitted::Accepted).written();
    }
    let last = "Failed to add a row with timestamp[2026-01-09T00:00:00.000Z]";
    let story = story.fails(last).written();
    let dead = story.record().dead.expect("a dead letter");
    assert_eq!((dead.why, dead.class.code().as_str(), dead.times), (Why::Poison, "allocation", 3));
    assert_eq!(dead.text, last);
    assert!(dead.first_seen_ms < dead.last_seen_ms);
    assert_eq!(story.record().ids(), ["idx_v3", "idx_v3.2", "idx_v3.3"]);
    assert!(story.submission.sentence().contains(&dead.clears));
}

#[test]
fn failures_of_different_classes_are_not_poison_but_the_ids_run_out() {
    let mut story = Story::running();
    for words in ["Java heap space", "Failed in phase[segment merge].", "Java heap space"] {
        story = story.fails(words).written().woken().read().written().answered(Submitted::Accepted).written();
    }
    let story = story.fails("Failed in phase[segment merge].").written();
    let dead = story.record().dead.expect("a dead letter");
    assert_eq!((dead.why, dead.times), (Why::RunsUsedUp, 1));
}

#[test]
fn a_run_that_somebody_shut_down_is_not_started_again() {
    let story = Story::running().fails("Shutdown request from user").written();
    assert!(matches!(
        story.submission.state(),
        State::Ended(End::Failed { class: FailureClass::Shutdown, .. })
    ));
    assert_eq!(story.record().past.len(), 0);
}

#[test]
fn errors_while_looking_at_a_running_task_do_not_end_the_watch_and_looks_grow_apart() {
    let mut story = Story::running();
    let mut slept = Vec::new();
    for _ in 0..40 {
        if story.verb() == "journal" {
            story = story.written();
        }
        let Some(Action::Sleep { ms, .. }) = story.asked.last().cloned() else { panic!() };
        slept.push(ms);
        story = story.woken().status(StatusAnswer::Trouble(trouble(FailureClass::NoLeader)));
    }
    assert!(slept.windows(2).all(|two| two[0] <= two[1]), "{slept:?}");
    assert_eq!(slept.last(), Some(&22_500), "three quarters of 30 s with a random of one half");
    assert!(story.submission.sentence().contains("looking goes on"));
    let story = if story.verb() == "journal" { story.written() } else { story };
    let story = story.woken().status(known(TaskCode::Success, None)).written().expect("compare");
    assert!(matches!(story.record().run.end(), Some(End::Success { already: false, .. })));
}

#[test]
fn a_task_that_the_server_forgets_is_believed_lost_only_after_three_looks_and_then_compared() {
    let story = Story::running().woken().unknown().woken().unknown().expect("sleep");
    let story = story.woken().unknown().written().expect("compare");
    assert!(matches!(story.record().run.end(), Some(End::Vanished { .. })));
    assert!(story.record().is_open(), "nobody knows how it ended");
    let blip =
        Story::running().woken().unknown().woken().unknown().woken().status(known(TaskCode::Running, None));
    assert_eq!(blip.woken().unknown().expect("sleep").record().run.stage, Stage::Running);
}

#[test]
fn a_cancel_before_sending_sends_nothing() {
    let reading = Story::begin().written().expect("read again").event(Event::Cancel);
    assert!(matches!(reading.ended(), End::Cancelled { text } if text.contains("Nothing was sent")));
    let saving = Story::begin().written().read().expect("journal").event(Event::Cancel).written();
    assert_eq!(saving.record().run.sent, 0);
    assert!(matches!(saving.ended(), End::Cancelled { text } if text.contains("Nothing was sent")));
}

#[test]
fn a_cancel_while_running_shuts_the_task_down_and_follows_it_to_its_end() {
    let story = Story::running().event(Event::Cancel).written().expect("shut down");
    let token = story.token();
    let story = story.event(Event::ShutDown(token, Ok(()))).woken();
    let story = story.status(known(TaskCode::Failed, Some("Shutdown request from user")));
    assert!(matches!(story.ended(), End::Cancelled { text } if text.contains("shut down")));
}

#[test]
fn a_cancel_that_comes_too_late_is_a_success_and_is_compared() {
    let story = Story::running().event(Event::Cancel).written().expect("shut down");
    let token = story.token();
    let story =
        story.event(Event::ShutDown(token, Err(trouble(FailureClass::NoLeader)))).woken().expect("shut down");
    let token = story.token();
    let story = story.event(Event::ShutDown(token, Ok(()))).woken().status(known(TaskCode::Success, None));
    assert!(matches!(story.written().expect("compare").record().run.end(), Some(End::Success { .. })));
}

#[test]
fn a_cancel_while_the_answer_is_out_shuts_down_what_was_accepted() {
    let sending = Story::begin().written().read().written().event(Event::Cancel).expect("send");
    let accepted = sending.clone().answered(Submitted::Accepted).written();
    assert_eq!(accepted.written().verb(), "shut down");
    let unclear = sending.answered(Submitted::Again(trouble(FailureClass::NoAnswer))).written();
    let gone = unclear.unknown();
    assert!(matches!(gone.clone().ended(), End::Cancelled { text } if text.contains("may still reach")));
    assert!(gone.record().is_open());
}

#[test]
fn a_failed_run_that_waits_for_its_next_try_can_be_cancelled() {
    let story = Story::running().fails("Java heap space").written().expect("sleep").event(Event::Cancel);
    assert_eq!(story.record().past.len(), 1);
    assert!(matches!(story.ended(), End::Cancelled { .. }));
}

#[test]
fn a_browser_without_a_journal_sends_nothing_until_the_user_says_so() {
    let story = Story::begin();
    let token = story.token();
    let story = story.event(Event::Journalled(token, JournalAnswer::Unavailable("private mode".into())));
    assert!(matches!(story.submission.state(), State::NeedsWordWithoutJournal(_)));
    assert!(story.submission.sentence().contains("private mode"));
    let story = story.event(Event::GoOn).read().expect("send");
    assert!(story.submission.not_kept().is_some() && story.record().unrecorded);
    let story = story.answered(Submitted::Accepted).woken().status(known(TaskCode::Success, None));
    assert_eq!(story.verb(), "compare");
}

#[test]
fn a_journal_that_fails_while_the_task_runs_does_not_stop_the_watch_and_is_said() {
    let story = Story::begin().written().read().written().answered(Submitted::Accepted);
    let token = story.token();
    let story =
        story.event(Event::Journalled(token, JournalAnswer::Unavailable("quota".into()))).expect("sleep");
    assert_eq!(story.submission.not_kept(), Some("quota"));
    let story = story.woken().status(known(TaskCode::Success, None)).written().expect("compare");
    assert_eq!(story.submission.not_kept(), None, "the next write has it all");
}

#[test]
fn a_journal_that_fails_just_before_a_shutdown_asks_first() {
    let story = Story::running().event(Event::Cancel);
    let token = story.token();
    let story = story.event(Event::Journalled(token, JournalAnswer::Unavailable("quota".into())));
    assert!(matches!(story.submission.state(), State::NeedsWordWithoutJournal(_)));
    assert_eq!(story.event(Event::GoOn).verb(), "shut down");
}

#[test]
fn a_tab_closed_while_sending_is_taken_up_by_asking() {
    let sending = Story::begin().written().read().written().expect("send").kept();
    let story = Story::resume(sending, "one", START + 5_000).written().expect("ask status");
    let found =
        story.clone().status(known(TaskCode::Success, None)).payload(SAME).written().expect("compare");
    assert_eq!(found.record().run.end(), Some(&End::Success { error_msg: None, already: false }));
    assert_eq!(story.unknown().read().written().verb(), "send");
}

#[test]
fn a_tab_closed_at_any_other_moment_goes_on_where_it_was() {
    let running = Story::running().kept();
    assert_eq!(Story::resume(running, "one", START + 5_000).written().verb(), "ask status");
    let intended = Story::begin().written().kept();
    assert_eq!(Story::resume(intended, "one", START + 5_000).written().unknown().verb(), "read again");
    let succeeded = Story::running().woken().status(known(TaskCode::Success, None)).written().kept();
    assert_eq!(Story::resume(succeeded, "one", START + 5_000).written().verb(), "compare");
    let refused = Story::begin().written().read().written();
    let refused = refused.answered(Submitted::Refused(trouble(FailureClass::Refused))).written().kept();
    let shown = Story::resume(refused, "two", START + 5_000);
    assert_eq!(shown.verb(), "nothing");
    assert!(matches!(shown.submission.state(), State::Ended(End::Refused { .. })));
}

#[test]
fn a_reload_does_not_shorten_a_drawn_delay() {
    let waiting = Story::begin().written().read().written();
    let waiting = waiting.answered(Submitted::Again(trouble(FailureClass::Busy))).written().kept();
    let at = |now_ms| match Story::resume(waiting.clone(), "one", now_ms).written().asked.last() {
        Some(Action::Sleep { ms, .. }) => *ms,
        Some(Action::AskStatus { .. }) => 0,
        other => panic!("{other:?}"),
    };
    assert_eq!(at(START + 400), 600);
    assert_eq!(at(START + 1_000), 0);
    assert_eq!(at(START - 86_400_000), 1_000, "a clock that jumped back does not make it longer");
    assert_eq!(at(i64::MIN), 1_000);
    assert_eq!(at(START + 86_400_000), 0, "nor does one that jumped on make many tries at once");
}

#[test]
fn a_wish_that_lay_for_long_is_not_sent_without_asking_the_user() {
    let intended = Story::begin().written().kept();
    for jump in [3_600_000, -3_600_000] {
        let story = Story::resume(intended.clone(), "one", START + jump).written().unknown();
        assert_eq!(story.submission.state(), State::NeedsWordAfterLong);
        assert_eq!(story.clone().event(Event::GoOn).verb(), "read again");
        assert!(matches!(story.event(Event::Cancel).ended(), End::Cancelled { .. }));
    }
    let running = Story::running().kept();
    assert_eq!(Story::resume(running, "one", START + 86_400_000).written().verb(), "ask status");
}

#[test]
fn a_second_tab_shows_and_does_not_act_until_the_lease_has_run_out() {
    let record = Story::running().kept();
    let mut story = Story::resume(record.clone(), "two", START + 10_000).expect("sleep");
    let mut watched_ms = 0;
    while story.verb() == "sleep" {
        assert!(matches!(story.submission.state(), State::Watching { .. }));
        let Some(Action::Sleep { ms, .. }) = story.asked.last().cloned() else { panic!() };
        watched_ms += ms;
        story = story.woken().expect("read journal");
        let token = story.token();
        story = story.event(Event::JournalRead(token, Some(Box::new(record.clone()))));
    }
    let lease = record.owner.as_ref().expect("somebody holds it").until_ms - (START + 10_000);
    assert_eq!(watched_ms as i64, lease);
    let Some(Action::Journal { expect, record: claimed, .. }) = story.asked.last() else { panic!() };
    assert_eq!(*expect, Some(record.stamp));
    assert_eq!(claimed.stamp.fence, record.stamp.fence + 1);
    assert_eq!(claimed.owner.as_ref().expect("us").tab, "two");
}

#[test]
fn the_first_tab_stops_acting_when_it_finds_the_record_taken() {
    let story = Story::begin().written().read().expect("journal");
    let taken = Story::resume(story.kept(), "two", START + 3_600_000).record();
    let token = story.token();
    let story = story.event(Event::Journalled(token, JournalAnswer::Conflict(Some(Box::new(taken)))));
    assert!(matches!(story.submission.state(), State::Watching { .. }));
    let story = story.event(Event::Cancel).expect("sleep");
    assert_eq!(story.record().owner.expect("the other").tab, "two");
}

#[test]
fn a_tab_that_leaves_lets_another_go_on_at_once() {
    let left = Story::running().event(Event::Leave).expect("journal");
    assert_eq!(left.record().owner, None);
    assert_eq!(Story::resume(left.kept(), "two", START + 1).written().verb(), "ask status");
}

#[test]
fn a_clock_that_jumps_makes_no_burst_and_no_endless_sleep() {
    let mut story = Story::running();
    for jump in [86_400_000, -200_000_000, i64::MAX / 2, i64::MIN / 2] {
        story.now_ms = story.now_ms.saturating_add(jump);
        story = match story.asked.last().cloned() {
            Some(Action::Sleep { token, .. }) => story.event(Event::Woke(token)),
            _ => story,
        };
        story = story.status(known(TaskCode::Running, None));
        if story.verb() == "journal" {
            story = story.written();
        }
        assert!(matches!(story.asked.as_slice(), [Action::Sleep { ms, .. }] if (1..=30_000).contains(ms)));
    }
}

#[test]
fn an_answer_that_comes_late_or_twice_changes_nothing() {
    let story = Story::running();
    let old = Token(story.token().0 - 1);
    for event in [
        Event::Submitted(old, Submitted::Duplicate),
        Event::Status(old, known(TaskCode::Failed, None)),
        Event::Woke(old),
        Event::Journalled(old, JournalAnswer::Conflict(None)),
        Event::ShutDown(story.token(), Ok(())),
        Event::Read(story.token(), Ok(Picture::default())),
        Event::Submitted(story.token(), Submitted::Duplicate),
        Event::GoOn,
        Event::TakeOver,
        Event::TryAgain,
    ] {
        let (after, asked) = story.submission.clone().step(event.clone(), Moment { now_ms: 0, random: 0.0 });
        assert_eq!((after, asked), (story.submission.clone(), vec![]), "{event:?}");
    }
}

#[test]
fn secrets_that_were_not_kept_are_asked_for_before_anything_is_sent() {
    let part = |secret: &str| (String::from("{\"id\":"), format!(",\"password\":\"{secret}\"}}"));
    let body = Body::with_secrets(part("…"), part("hunter2"));
    let story = Story::begin_with(Wish { body: body.clone(), ..wish() }).written();
    let story = Story::resume(story.kept(), "one", START).written().unknown();
    assert_eq!(story.submission.state(), State::NeedsSecrets);
    let story = story.event(Event::Body(body)).read().written();
    assert!(matches!(story.asked.last(), Some(Action::Send { body, .. }) if body.contains("hunter2")));
}

#[test]
fn segments_that_cannot_be_read_after_success_are_tried_again_and_the_run_stays_a_success() {
    let mut story = Story::running().woken().status(known(TaskCode::Success, None)).written();
    for _ in 1..6 {
        let token = story.expect("compare").token_and(FailureClass::NoAnswer);
        story = token.woken();
    }
    let story = story.expect("compare").token_and(FailureClass::NoAnswer).written();
    assert!(matches!(story.submission.state(), State::Ended(End::Success { .. })));
    assert!(story.submission.sentence().contains("could not be read"));
    assert_eq!(story.event(Event::TryAgain).written().verb(), "compare");
}

impl Story {
    fn token_and(self, class: FailureClass) -> Story {
        let token = self.token();
        self.event(Event::Compared(token, Err(trouble(class))))
    }
}

fn begin_over(record: Record, wish: Wish) -> Result<(Submission, Vec<Action>), Refusal> {
    begin(Some(record), |_| None, wish, me("one"), Moment { now_ms: START, random: 0.5 })
}

#[test]
fn a_content_on_its_way_is_not_begun_a_second_time_under_any_version() {
    let other_version = Wish { names: vec![name("v4")], ..wish() };
    for story in [Story::begin().written(), Story::begin().written().read().written(), Story::running()] {
        assert_eq!(begin_over(story.kept(), wish()).err(), Some(Refusal::StillOpen("idx_v3".into())));
        assert_eq!(
            begin_over(story.kept(), other_version.clone()).err(),
            Some(Refusal::StillOpen("idx_v3".into()))
        );
    }
}

#[test]
fn a_content_that_succeeded_runs_again_only_on_the_users_word_and_under_another_id() {
    let note = AuditNote { as_foreseen: true, line: "As foreseen.".into() };
    let story = Story::running().woken().status(known(TaskCode::Success, None)).written();
    let token = story.token();
    let record = story.event(Event::Compared(token, Ok(note))).written().kept();
    assert_eq!(begin_over(record.clone(), wish()).err(), Some(Refusal::AlreadyDone("idx_v3".into())));
    let again = Story::of(begin_over(record, Wish { again: true, ..wish() }).expect("his word"), START);
    assert_eq!(again.record().run.name, name("v3.2"));
}

#[test]
fn a_content_that_may_have_been_taken_is_only_begun_again_under_the_same_id_and_by_asking() {
    let policy = Policy { attempts: 1, ..Policy::default() };
    let lost = Story::begin_with(Wish { policy, ..wish() }).written().read().written();
    let lost = lost.answered(Submitted::Again(trouble(FailureClass::NoAnswer))).unknown().written().kept();
    let other_version = Wish { names: vec![name("v4")], ..wish() };
    assert_eq!(begin_over(lost.clone(), other_version).err(), Some(Refusal::Unclear("idx_v3".into())));
    let again = Story::of(begin_over(lost, wish()).expect("the same id"), START);
    assert_eq!(again.written().verb(), "ask status");
}

#[test]
fn after_poison_a_new_wish_goes_on_with_an_unused_id_and_counts_anew() {
    let mut story = Story::running();
    for _ in 1..3 {
        story = story.fails("Java heap space").written().woken().read().written();
        story = story.answered(Submitted::Accepted).written();
    }
    let record = story.fails("Java heap space").written().kept();
    assert!(record.dead.is_some());
    let names: Vec<Name> = ["v3", "v3.2", "v3.3", "v4", "v4.2"].map(name).to_vec();
    let again = Story::of(begin_over(record, Wish { names, ..wish() }).expect("it failed"), START);
    assert_eq!(again.record().run.name, name("v4"));
    assert_eq!(again.record().dead, None);
    let story = again.written().read().written().answered(Submitted::Accepted).written();
    let story = story.fails("Java heap space").written();
    assert_eq!(story.record().dead, None, "the first failure since");
    assert_eq!(story.record().run.name, name("v4.2"));
}

#[test]
fn an_id_that_other_content_has_is_refused_before_anything_is_written_or_sent() {
    let taken = |id: &str| (id == "idx_v3").then(|| "c-other".to_owned());
    let refused = begin(None, taken, wish(), me("one"), Moment { now_ms: START, random: 0.5 });
    assert_eq!(refused.err(), Some(Refusal::IdTaken { id: "idx_v3".into(), by: "c-other".into() }));
    let story = Story::begin();
    let token = story.token();
    let story = story.event(Event::Journalled(token, JournalAnswer::IdTaken("c-other".into())));
    assert_eq!(story.ended(), End::IdTaken { by: "c-other".into() });
}

#[test]
fn a_record_of_a_newer_version_is_shown_and_not_acted_on() {
    let newer = Record { format: FORMAT + 1, ..Story::running().kept() };
    assert_eq!(Story::resume(newer.clone(), "one", START).verb(), "nothing");
    assert_eq!(begin_over(newer, wish()).err(), Some(Refusal::Newer));
}
