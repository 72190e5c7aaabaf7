//! From the plan that was drawn to what is submitted. There is no other way from the page to a request.

use super::{
    identity::{intervals, version_of},
    state::PlanPage,
};
use crate::{kit::Tone, submit::Live, timeline::Shared};
use backfill::{
    audit::Expected,
    canonical::canonical,
    retry::Policy,
    submission::{Body, Name, Picture, Refusal, Wish},
    task_id::task_id,
};
use druid::json::Path;
use leptos::prelude::*;

/// Ids made ready for one content: the first and what follows it after FAILED runs.
const NAMES: usize = 6;

impl PlanPage {
    /// Sends the plan that is drawn. What happens next is in [`PlanPage::own_run`].
    pub fn submit(self) {
        let wish = match self.wish() {
            Ok(wish) => wish,
            Err(why) => return self.say(Tone::Stop, format!("Nothing was sent. {why}")),
        };
        let expected = self.expected();
        self.sent.set(Some(wish.content.clone()));
        leptos::task::spawn_local(async move {
            if let Err(refusal) = self.submissions.start(wish, expected).await {
                self.say(Tone::Warn, format!("Nothing was sent. {}", words_for(&refusal)));
            }
        });
    }

    /// The submission of what this page sent last.
    pub fn own_run(self) -> Option<Shared<Live>> {
        let key = self.sent.get()?;
        self.submissions.list.with(|list| list.get(&key).cloned())
    }

    /// What the forecast promises, for the comparison afterwards.
    fn expected(self) -> Option<Expected> {
        self.with_timeline(|timeline| {
            self.drawn.with_untracked(|drawn| Expected::of(drawn.forecast.as_ref()?, timeline?))
        })
    }

    /// Everything the submission needs, fixed now.
    ///
    /// # Errors
    /// Why it cannot be made, in words for the user.
    pub fn wish(self) -> Result<Wish, String> {
        let first = self.plan.with_untracked(version_of)?;
        let task = self.task.get_untracked();
        let datasource = task.datasource.clone().ok_or("The spec names no datasource.")?;
        let document = self.document.get_untracked();
        let content = canonical(&document, &[Path::keys(&["id"])]).map_err(|error| error.to_string())?;
        let intervals = intervals(&task);
        let mut names = Vec::with_capacity(NAMES);
        let mut version = first;
        while names.len() < NAMES {
            let made = task_id(&datasource, &intervals, &version)
                .map_err(|error| format!("{error} {}", error.remedy()))?;
            names.push(Name { version: version.text(), id: made.id });
            version = version.next_attempt();
        }
        let body = Body::of(&document).ok_or("The spec is not one JSON object.")?;
        Ok(Wish {
            content: content.sha1(),
            datasource,
            names,
            body,
            picture: self.picture().ok_or("Nothing has been read of the cluster yet.")?,
            policy: self.policy().ok_or("The numbers under Patience cannot be used.")?,
            again: false,
        })
    }

    /// The policy, if its numbers can be used.
    fn policy(self) -> Option<Policy> {
        Some(self.policy.get_untracked()).filter(|policy| policy.problems().is_empty())
    }

    /// The affected chunks and locks, as they are drawn now.
    pub fn picture(self) -> Option<Picture> {
        let read = self.snapshot.get_untracked()?;
        let effective = self
            .drawn
            .with_untracked(|drawn| drawn.forecast.as_ref().map(|forecast| forecast.effective.clone()))?;
        Some(Picture::of(&read.segments, &self.traffic.get_untracked().locks, &effective))
    }
}

/// Why a submission was not begun, and what to do.
fn words_for(refusal: &Refusal) -> String {
    match refusal {
        Refusal::StillOpen(id) => format!("This content is already on its way as {id}: see Runs."),
        Refusal::Unclear(id) => {
            format!("It is not known whether the server took this content as {id}: look again under Runs.")
        }
        Refusal::AlreadyDone(id) => {
            format!(
                "This very content already ran, as {id}. If its input has changed, give it a new version."
            )
        }
        Refusal::NamesUsedUp => "Every id of this version has been used: give it a new version.".to_owned(),
        Refusal::IdTaken { id, .. } => {
            format!(
                "Other content was already sent as {id}. Give this one a new version, or the Overlord would refuse it as a duplicate."
            )
        }
        Refusal::Newer => "This content was last handled by a newer Foreshadow: open that one.".to_owned(),
    }
}
