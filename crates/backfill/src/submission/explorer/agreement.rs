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
            // What runs succeeds as soon as somebody looks at it twice.
            if matches!(action, Action::Sleep { .. }) {
                for id in running {
                    if let Some(task) =
                        world.server.get_mut(&id).filter(|task| task.code == TaskCode::Running)
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
