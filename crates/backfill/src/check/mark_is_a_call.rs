//! A document that marks segments used or unused is no task: Druid has a call for it (facts 6.3).
//!
//! It can be foreseen here and is never sent from here. Since 33 the Overlord answers the call, before that the
//! Coordinator. 33.0.0 answers 500 to changes that it has made unless it is asked for JSON.

use druid::endpoint::{Endpoint, Name, Request};

use super::{Finding, Seen};

pub(super) const NAME: &str = "mark-is-a-call";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let Some(mark) = seen.mark() else { return Vec::new() };
    let task = seen.question.task;
    let release = seen.question.release;
    let kind = task.kind.name();
    let datasource = task.datasource.as_deref().and_then(|name| Name::new(name).ok());
    let (Some(datasource), Some(marks)) = (datasource, &mark.marks) else {
        let why = "Druid has no task of this type, and what the call would be cannot be told: it takes a dataSource, and an \
                   interval or segmentIds.";
        return vec![Finding::stop(NAME, format!("{kind} is no task"), why)];
    };
    let request = Request::mark(&Endpoint::mark(datasource, mark.used, release), marks);
    let title = format!("No task but a call: {} {}", request.method.as_str(), request.path);
    let body = request.body.unwrap_or_default();
    let odd = if mark.used && release.0 == 33 {
        " With Accept: application/json: without it 33.0.0 answers 500 to a change that it has made."
    } else {
        ""
    };
    let why = format!(
        "Druid has no task of type {kind}, so this is never sent from here; what the call would do is foreseen. Its body: \
         {body}.{odd} Read the segments back afterwards."
    );
    vec![Finding::stop(NAME, title, why)]
}
