//! Journals that refuse, tabs that close, clocks that jump, secrets that were not kept.

use super::*;

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
        if story.verb() == "ask locks" {
            story = story.locks(vec![]);
        }
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
