//! The same content wished for a second time.

use super::*;

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
