//! After the server has it: duplicates, failures, cancels.

use super::*;

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
fn what_a_comparison_found_is_in_the_sentence_once_however_the_run_ended() {
    let succeeds = Story::running().woken().status(known(TaskCode::Success, None)).written();
    let adds_words = Story::running().woken().status(known(TaskCode::Success, Some("A warning."))).written();
    let vanishes = Story::running().woken().unknown().woken().unknown().woken().unknown().written();
    for story in [succeeds, adds_words, vanishes] {
        assert_eq!(story.record().run.audit, None, "nothing is compared yet");
        let line = "Not as foreseen in one place: 2026-07-16 has a hole.";
        let note = AuditNote { as_foreseen: false, line: line.into() };
        let story = story.expect("compare");
        let token = story.token();
        let saving = story.event(Event::Compared(token, Ok(note)));
        let written = saving.clone().written();
        let resumed = Story::resume(written.kept(), "two", START);
        for story in [saving, written, resumed] {
            assert!(story.record().run.audit.is_some());
            assert_eq!(
                story.submission.sentence().matches(line).count(),
                1,
                "{}",
                story.submission.sentence()
            );
        }
    }
}

#[test]
fn a_task_that_the_server_forgets_is_believed_lost_only_after_three_looks_and_then_compared() {
    let story = Story::running().woken().unknown().woken().unknown().expect("sleep");
    let story = story.woken().unknown().written().expect("compare");
    assert!(matches!(story.record().run.end(), Some(End::Vanished { .. })));
    assert!(story.record().is_open(), "nobody knows how it ended");
    let blip =
        Story::running().woken().unknown().woken().unknown().woken().status(known(TaskCode::Running, None));
    let blip = blip.locks(vec![]);
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
