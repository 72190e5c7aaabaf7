//! From the plan that was drawn to what is submitted: everything is taken from the moment the button was pressed, and
//! there is no other way from the page to a request.

use crate::{
    kit::Tone,
    plan::{Frozen, PlanPage, content_of, intervals},
};
use backfill::{
    audit::Expected,
    submission::{Body, LockWanted, Name, Picture, Refusal, Wish},
    task_id::task_id,
};
use leptos::prelude::*;

/// Ids made ready for one content: the first and what follows it after FAILED runs.
const NAMES: usize = 6;

/// Sends the plan as it was drawn when the button was pressed.
pub(super) fn submit(page: PlanPage, plan: Frozen) {
    let wish = match wish(&plan) {
        Ok(wish) => wish,
        Err(why) => {
            page.pressed.set(false);
            return page.say(Tone::Stop, format!("Nothing was sent. {why}"));
        }
    };
    let expected = expected(&plan);
    page.sent.set(Some(wish.content.clone()));
    leptos::task::spawn_local(async move {
        let begun = match super::OPENED.with_borrow(|opened| *opened) {
            Some(submissions) => {
                submissions.start(wish, expected).await.map_err(|refusal| words_for(&refusal))
            }
            None => Err("The journal was not opened.".to_owned()),
        };
        page.pressed.set(false);
        if let Err(why) = begun {
            page.say(Tone::Warn, format!("Nothing was sent. {why}"));
        }
    });
}

/// What the forecast promises, for the comparison afterwards.
fn expected(plan: &Frozen) -> Option<Expected> {
    Expected::of(plan.drawn.forecast.as_ref()?, plan.read.as_ref()?.timeline.as_ref().ok()?)
}

/// Everything the submission needs, fixed now.
///
/// # Errors
/// Why it cannot be made, in words for the user.
fn wish(plan: &Frozen) -> Result<Wish, String> {
    let first = plan.version.clone()?;
    let datasource = plan.task.datasource.clone().ok_or("The spec names no datasource.")?;
    let content = content_of(&plan.document)?;
    let intervals = intervals(&plan.task);
    let mut names = Vec::with_capacity(NAMES);
    let mut version = first;
    while names.len() < NAMES {
        let made = task_id(&datasource, &intervals, &version).map_err(|error| error.to_string())?;
        names.push(Name { version: version.text(), id: made.id });
        version = version.next_attempt();
    }
    let body = Body::of(&plan.document).ok_or("The spec is not one JSON object.")?;
    Ok(Wish {
        content,
        datasource,
        names,
        body,
        picture: picture(plan).ok_or("Nothing has been read of the cluster yet.")?,
        lock: lock(plan),
        policy: plan.policy.ok_or("The numbers under Patience cannot be used.")?,
        again: false,
    })
}

/// The affected chunks and locks, as they were drawn.
fn picture(plan: &Frozen) -> Option<Picture> {
    let effective = &plan.drawn.forecast.as_ref()?.effective;
    Some(Picture::of(&plan.read.as_ref()?.segments, &plan.traffic.locks, effective))
}

/// The locks that the forecast says a run asks for.
fn lock(plan: &Frozen) -> Option<LockWanted> {
    LockWanted::of(plan.drawn.forecast.as_ref()?.lock.as_ref()?, &plan.task)
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
