//! Nothing is lost silently: whoever opens a tab afterwards, on a day without trouble, comes to an end that agrees with
//! the server, or is told that it is open.

use super::adversary::answers;
use super::world::{NOW, World};
use super::*;

impl World {
    /// Everybody leaves, what is on its way arrives, and somebody opens a tab on a day without trouble.
    pub(super) fn settles(&self) {
        let mut world = self.clone();
        world.tabs = Default::default();
        for (id, body) in std::mem::take(&mut world.wire) {
            world.arrives(&id, &body);
        }
        let Some(record) = world.journal.clone() else {
            assert!(
                world.server.is_empty() || self.without_journal(),
                "something was sent and nothing was kept"
            );
            return;
        };
        let (submission, actions) = resume(record, Me { tab: "tab 9".into() }, NOW);
        world.take(0, submission, actions);
        for _ in 0..200 {
            let running: Vec<String> = world.server.keys().cloned().collect();
            let Some(action) = world.tabs[0].pending.first().cloned() else { break };
            if matches!(action, Action::Sleep { .. }) {
                // Whoever is told that a run lost its lock stops it: nothing else would.
                if world.tabs[0].submission.as_ref().is_some_and(has_lost_its_lock) {
                    world.event(0, Event::Cancel);
                    continue;
                }
                // What runs succeeds as soon as somebody looks at it twice.
                for id in running {
                    if let Some(task) = world
                        .server
                        .get_mut(&id)
                        .filter(|task| task.code == TaskCode::Running && !task.evicted)
                    {
                        task.code = TaskCode::Success;
                    }
                }
            }
            let mut ways = answers(NOTHING, 0, &action);
            assert_eq!(ways.len(), 1, "without trouble there is one way");
            if let Some(way) = ways.pop() {
                (way.change)(&mut world);
            }
        }
        let submission = world.tabs[0].submission.clone().expect("the tab that was opened");
        world.is_told_truly(&submission);
        world.agrees(&submission, self);
    }

    fn without_journal(&self) -> bool {
        self.tabs.iter().flat_map(|tab| &tab.submission).any(|s| s.record().unrecorded)
            || self.left.refusals == 0
    }

    /// What the record says in the end is what the server has.
    fn agrees(&self, submission: &Submission, origin: &World) {
        let record = submission.record();
        assert!(record.is_over(), "it came to no end: {:?} from {origin:#?}", submission.state());
        for (id, task) in &self.server {
            assert!(record.ids().contains(&id.as_str()), "{id} runs and nothing says so");
            let run =
                record.past.iter().chain([&record.run]).find(|run| run.name.id == *id).expect("found above");
            let agrees = match (run.end(), task.code) {
                (Some(End::Success { .. }), TaskCode::Success) => true,
                (Some(End::Failed { .. }), TaskCode::Failed) => true,
                (Some(End::Cancelled { .. }), TaskCode::Failed) => true,
                (Some(End::Cancelled { text }), _) if text.contains("started elsewhere") => true,
                _ => record.is_open(),
            };
            assert!(agrees, "{id} is {:?} and the record says {:?}", task.code, run.stage);
        }
        if let Some(End::Success { .. }) = record.run.end() {
            let task = self.server.get(&record.run.name.id);
            assert_eq!(task.map(|task| task.code), Some(TaskCode::Success));
        }
    }
}

pub(super) fn has_lost_its_lock(submission: &Submission) -> bool {
    matches!(submission.state(), State::Running { locks: LockStanding::Lost { .. }, .. })
}
