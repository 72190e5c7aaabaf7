//! From the wish to the moment at which the server has it.

use super::*;

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
