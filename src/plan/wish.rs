//! From the plan that was drawn to what is submitted. There is no other way from the page to a request.

use super::{
    identity::{intervals, version_of},
    state::PlanPage,
};
use backfill::{
    canonical::canonical,
    retry::Policy,
    submission::{Body, Name, Picture, Wish},
    task_id::task_id,
};
use druid::json::Path;
use leptos::prelude::*;

/// Ids made ready for one content: the first and what follows it after FAILED runs.
const NAMES: usize = 6;

impl PlanPage {
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
            let made = task_id(&datasource, &intervals, &version).map_err(|error| format!("{error} {}", error.remedy()))?;
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
            policy: Policy::default(),
            again: false,
        })
    }

    /// The affected chunks and locks, as they are drawn now.
    pub fn picture(self) -> Option<Picture> {
        let read = self.snapshot.get_untracked()?;
        let effective = self.drawn.with_untracked(|drawn| drawn.forecast.as_ref().map(|forecast| forecast.effective.clone()))?;
        Some(Picture::of(&read.segments, &self.traffic.get_untracked().locks, &effective))
    }
}
