//! Tasks that load no batch: `kill`, of which everything is known, and those of which only the range is.
//!
//! What always holds: what is not predicted is said in [`Forecast::unknown`](super::Forecast::unknown), and no world is
//! made up for it.

use druid::ingest::marks_first;
use druid::interval::Interval;
use druid::segment::SegmentId;
use druid::spec::{Kill, TaskKind};

use super::{Forecast, Intent, Outcome, Question, World, mark};

/// A forecast without worlds.
pub(super) fn bare(question: &Question<'_>, typed: Option<Interval>) -> Forecast {
    Forecast {
        intent: Intent::of(question.task),
        typed: typed.into_iter().collect(),
        effective: typed.into_iter().collect(),
        widened: Vec::new(),
        chunks: 0,
        granularity: None,
        version: question.lock_version().into(),
        worlds: Vec::new(),
        lock: None,
        conflicts: Vec::new(),
        beside: Vec::new(),
        rows_outside: 0,
        unknown: Vec::new(),
    }
}

/// A kill task deletes the unused segments whose interval lies wholly inside its own; used ones are not touched, except
/// before 30 where `markAsUnused` marks them first.
pub(super) fn kill(question: &Question<'_>, kill: &Kill) -> Forecast {
    let mut forecast = bare(question, kill.interval);
    let Some(interval) = kill.interval else {
        forecast.unknown.push("What is deleted: the task names no interval that can be read.".to_owned());
        return forecast;
    };
    let mut world = World::new("", Outcome::Success, question.timeline);
    match question.unused {
        Some(unused) => {
            let datasource = question.task.datasource.as_deref().unwrap_or_default();
            let inside = |id: &&String| {
                SegmentId::parse(datasource, id).is_some_and(|id| {
                    let kept_version = kill
                        .versions
                        .as_ref()
                        .is_some_and(|versions| !versions.iter().any(|version| **version == *id.version));
                    interval.contains(id.interval) && !kept_version
                })
            };
            world.deleted = unused.iter().map(|unused| &unused.id).filter(inside).cloned().collect();
        }
        None => forecast.unknown.push("Which unused segments there are: nobody has looked yet.".to_owned()),
    }
    if let Some(marks) = marks_first(kill, question.release) {
        let deleted = std::mem::take(&mut world.deleted);
        world = mark::marked_first(question, interval, &marks);
        world.deleted.extend(deleted);
    }
    forecast.worlds.push(world);
    forecast
}

pub(super) fn unknown(question: &Question<'_>) -> Forecast {
    let mut forecast = bare(question, None);
    forecast.unknown.push(match &question.task.kind {
        TaskKind::Supervisor(kind) => format!(
            "A {kind} supervisor goes on writing: what it will have published at a given moment cannot be predicted."
        ),
        TaskKind::NotATask => "This is no Druid task, so there is nothing to predict.".to_owned(),
        kind => format!("What a task of type {} publishes is not predicted.", kind.name()),
    });
    forecast
}
