//! Looks at the locks of a run that the server has.

use super::*;
use crate::submission::locks::APART_MS;
use druid::interval::{Instant, Interval};
use druid::lock::LockType;

fn lock(group: &str, priority: i64) -> Held {
    Held {
        task_id: None,
        group_id: group.into(),
        kind: LockType::Exclusive,
        interval: Interval::new(Instant::from_ms(0), Instant::from_ms(86_400_000)).expect("in order"),
        version: String::new(),
        priority,
        revoked: false,
    }
}

fn locking() -> Wish {
    Wish {
        picture: Picture { range: vec![(0, 86_400_000)], ..Picture::default() },
        lock: Some(LockWanted {
            kind: LockType::Exclusive,
            priority: 10,
            group: None,
            has: Has::AtStartMostly,
        }),
        ..wish()
    }
}

fn accepted() -> Story {
    Story::begin_with(locking()).written().read().written().answered(Submitted::Accepted).written()
}

fn runs() -> StatusAnswer {
    known(TaskCode::Running, None)
}

const FORCED: &str =
    "{\"type\":\"index_parallel\",\"id\":\"x\",\"spec\":{\"n\":1},\"context\":{\"forceTimeChunkLock\":true}}";

fn waits() -> StatusAnswer {
    StatusAnswer::Known {
        code: TaskCode::Running,
        runner: RunnerStatus::Waiting,
        created_time: None,
        error_msg: None,
    }
}

impl Story {
    /// Looks at the status until the locks are looked at again, and how long that took.
    fn until_it_looks(mut self, status: &StatusAnswer) -> (Story, i64) {
        let from = self.now_ms;
        for _ in 0..20 {
            self = match self.verb() {
                "journal" => self.written(),
                "sleep" => self.woken(),
                "ask status" => self.status(status.clone()),
                _ => break,
            };
        }
        let ms = self.now_ms - from;
        (self.expect("ask locks"), ms)
    }

    fn lost(&self) -> bool {
        matches!(self.submission.state(), State::Running { locks: LockStanding::Lost { .. }, .. })
    }
}

#[test]
fn before_the_first_look_a_run_is_accepted_and_no_more_is_said() {
    let story = accepted();
    assert_eq!(story.submission.sentence(), "The server has accepted idx_v3.");
    let story = story.woken().status(runs());
    assert_eq!(story.submission.sentence(), "idx_v3 is running.");
}

#[test]
fn a_new_run_after_a_failed_one_is_accepted_again_and_knows_nothing_of_the_locks_before() {
    let story = accepted().woken().status(runs()).locks(vec![lock("idx_v3", 10)]);
    let story = story.fails("Java heap space").written().woken().read().written();
    let story = story.answered(Submitted::Accepted).written();
    assert_eq!(story.submission.sentence(), "The server has accepted idx_v3.2.");
    let (story, _) = story.until_it_looks(&runs());
    let (story, _) = story.locks(vec![]).payload(SAME).until_it_looks(&runs());
    let story = story.locks(vec![]);
    assert!(!story.lost(), "the new run was never seen to hold a lock");
}

#[test]
fn locks_are_looked_at_with_the_first_look_and_then_not_within_ten_seconds_and_never_more_often() {
    let mut story = accepted();
    let (mut polls, mut looks, mut since) = (0, 0, None::<i64>);
    while polls < 200 {
        story = match story.verb() {
            "journal" => story.written(),
            "sleep" => story.woken(),
            "ask status" => {
                polls += 1;
                story.status(runs())
            }
            "ask locks" => {
                assert!(since.is_none_or(|at| story.now_ms - at >= APART_MS as i64), "after {polls} polls");
                (looks, since) = (looks + 1, Some(story.now_ms));
                assert!(looks <= polls);
                story.locks(vec![lock("idx_v3", 10)])
            }
            other => panic!("{other}"),
        };
        assert!(polls <= 1 || looks > 0, "the first look at the status is one at the locks");
    }
    assert!(looks > 100, "at the longest pause each look is one at the locks: {looks} of {polls}");
}

#[test]
fn a_run_whose_lock_was_taken_is_told_to_be_lost_after_two_looks_and_ends_by_cancel() {
    let (story, _) = accepted().until_it_looks(&runs());
    let (story, _) = story.locks(vec![lock("idx_v3", 10)]).until_it_looks(&runs());
    let story = story.locks(vec![lock("stronger", 90)]);
    assert!(!story.lost(), "one look is not enough");
    let (story, apart_ms) = story.until_it_looks(&runs());
    assert!(apart_ms >= APART_MS as i64);
    let story = story.locks(vec![]);
    assert!(story.lost());
    let said = story.submission.sentence();
    assert!(said.contains(
        "lost its lock: stronger on 1970-01-01T00:00:00Z/1970-01-02T00:00:00Z, priority 90, took it"
    ));
    assert!(story.submission.can_cancel());
    // A status that cannot be read does not hide it.
    let dark = if story.verb() == "journal" { story.clone().written() } else { story.clone() };
    let dark = dark.woken().status(StatusAnswer::Trouble(trouble(FailureClass::NoLeader)));
    assert!(dark.submission.sentence().contains("lost its lock"));
    let story = if story.verb() == "journal" { story.written() } else { story };
    let story = story.event(Event::Cancel).written().expect("shut down");
    let token = story.token();
    let story = story.event(Event::ShutDown(token, Ok(()))).woken().status(runs());
    assert!(!story.submission.sentence().contains("lost its lock"), "it is being stopped");
    let story = story.expect("sleep").woken();
    let story = story.status(known(TaskCode::Failed, Some("Shutdown request from user")));
    assert!(matches!(story.ended(), End::Cancelled { .. }));
}

#[test]
fn a_run_that_gives_its_locks_back_before_it_succeeds_is_a_success() {
    let (story, _) = accepted().until_it_looks(&runs());
    let (story, _) = story.locks(vec![lock("idx_v3", 10)]).until_it_looks(&runs());
    let story = story.locks(vec![]);
    assert_eq!(story.submission.sentence(), "idx_v3 is running.");
    let story = if story.verb() == "journal" { story.written() } else { story };
    let story = story.woken().status(known(TaskCode::Success, None)).written();
    assert_eq!(story.verb(), "compare");
}

#[test]
fn that_a_lock_was_held_is_kept_for_whoever_takes_the_run_up() {
    let (story, _) = accepted().until_it_looks(&runs());
    let story = story.locks(vec![lock("idx_v3", 10)]).event(Event::Leave).expect("journal");
    let resumed = Story::resume(story.kept(), "two", story.now_ms + 3_600_000).written();
    assert_eq!(resumed.submission.sentence(), "The server has accepted idx_v3.");
    let (story, _) = resumed.until_it_looks(&runs());
    let (story, _) = story.locks(vec![]).until_it_looks(&runs());
    assert!(story.locks(vec![]).lost());
}

#[test]
fn a_run_that_waits_says_for_whom_with_its_first_look() {
    let story = accepted().woken().status(waits());
    assert_eq!(story.submission.sentence(), "idx_v3 waits for its lock.");
    let story = story.locks(vec![lock("early", 50)]);
    assert_eq!(
        story.submission.sentence(),
        "idx_v3 waits for the lock of early on 1970-01-01T00:00:00Z/1970-01-02T00:00:00Z, priority 50."
    );
    let story = if story.verb() == "journal" { story.written() } else { story };
    let story = story.woken().status(runs());
    assert_eq!(story.submission.sentence(), "idx_v3 is running.");
}

#[test]
fn locks_that_cannot_be_read_change_nothing() {
    let mut story = accepted();
    for _ in 0..6 {
        let (next, _) = story.until_it_looks(&runs());
        let token = next.token();
        story = next.event(Event::Locks(token, None));
        assert_eq!(story.submission.sentence(), "idx_v3 is running.");
        assert!(!story.record().run.held);
    }
}

#[test]
fn where_no_lock_was_ever_seen_the_task_as_the_overlord_keeps_it_says_whether_one_is_missing() {
    let lost = |stored: &str| {
        let (story, _) = accepted().until_it_looks(&runs());
        let story = story.locks(vec![]).payload(stored);
        assert!(!story.lost(), "one look is not enough");
        let (story, _) = story.until_it_looks(&runs());
        let story = story.locks(vec![]);
        assert_ne!(story.verb(), "ask payload", "it was told");
        story.lost()
    };
    assert!(lost(FORCED));
    for other in [
        FORCED.replace("true", "false"),
        FORCED.replace("true", "\"true\""),
        FORCED.replace("forceTimeChunkLock", "useConcurrentLocks"),
        FORCED.replace("context", "spec2"),
        "{}".into(),
        "[".into(),
    ] {
        assert!(!lost(&other), "{other}");
    }
}

#[test]
fn where_the_task_as_the_overlord_keeps_it_cannot_be_read_it_is_asked_for_with_the_next_look() {
    let (story, _) = accepted().until_it_looks(&runs());
    let story = story.locks(vec![]).expect("ask payload");
    let token = story.token();
    let answer = PayloadAnswer::Trouble(trouble(FailureClass::NoLeader));
    let (story, _) = story.event(Event::Payload(token, answer)).until_it_looks(&runs());
    let story = story.locks(vec![]).expect("ask payload");
    assert!(!story.lost());
    assert!(story.payload(FORCED).lost(), "that was the second look");
}

#[test]
fn a_run_seen_to_hold_its_lock_is_asked_nothing_more() {
    let (story, _) = accepted().until_it_looks(&runs());
    let (story, _) = story.locks(vec![lock("idx_v3", 10)]).until_it_looks(&runs());
    assert_ne!(story.locks(vec![]).verb(), "ask payload");
}

#[test]
fn a_cancel_while_the_locks_are_read_shuts_the_task_down() {
    let (story, _) = accepted().until_it_looks(&runs());
    let old = story.token();
    let story = story.event(Event::Cancel).written().expect("shut down");
    let late = story.clone().event(Event::Locks(old, Some(vec![])));
    assert_eq!(late.submission, story.submission, "the answer comes too late to matter");
}
