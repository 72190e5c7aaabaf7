//! Everything a forecast is made from, in one value, whether it came from files or from a cluster.
//!
//! What always holds: what was not given stays unknown, and is said to be.

use anyhow::{Result, bail};
use backfill::check::Surroundings;
use backfill::forecast::{Basis, Forecast, Known, Question, RowsFrom, Running, forecast};
use druid::ingest::Rows;
use druid::interval::Instant;
use druid::json::Document;
use druid::lock::Held;
use druid::release::Release;
use druid::segment::{SegmentSet, UnusedSegment};
use druid::spec::{InputSource, Task};
use druid::timeline::{Illegal, Timeline};
use druid::zone::Tzdb;
use serde_json::{Map, Value};

/// The release that is meant where none is named and no cluster is asked.
pub(crate) const ASSUMED: Release = Release(33, 0, 0);

/// Everything a forecast is made from.
pub(crate) struct Situation {
    pub(crate) task: Task,
    pub(crate) segments: SegmentSet,
    pub(crate) timeline: Result<Timeline, Illegal>,
    pub(crate) known: Known,
    pub(crate) release: Release,
    pub(crate) now: Instant,
    pub(crate) locks: Vec<Held>,
    pub(crate) running: Vec<Running>,
    pub(crate) unused: Option<Vec<UnusedSegment>>,
    pub(crate) surroundings: Surroundings,
    /// What stayed unknown beside what the forecast itself says.
    pub(crate) notes: Vec<String>,
}

impl Situation {
    /// A situation in which nothing but a task and its segments is known.
    pub(crate) fn new(task: Task, segments: SegmentSet) -> Situation {
        Situation {
            timeline: Timeline::build(&segments),
            segments,
            task,
            known: Known::default(),
            release: ASSUMED,
            now: clock(),
            locks: Vec::new(),
            running: Vec::new(),
            unused: None,
            surroundings: Surroundings::default(),
            notes: Vec::new(),
        }
    }

    /// What is known of the input, from the user's word or else from the task itself.
    pub(crate) fn know(&mut self, said: Option<Said>) {
        // A filter of the spec may let fewer through than the list has.
        let exact = self.task.batch().is_none_or(|batch| !batch.filters_rows);
        self.known = match said {
            Some(Said::Rows(rows)) => Known::only(Basis::Rows { rows, from: RowsFrom::List, exact }),
            Some(Said::Of(basis)) => Known::only(basis),
            None => match Known::inline(&self.task) {
                Ok(known) => known,
                Err(why) => {
                    let inline = self.task.batch().map(|batch| &batch.input);
                    if matches!(inline, Some(InputSource::Inline { .. })) {
                        self.notes
                            .push(format!("Which chunks the inline rows fall into: {}.", why.sentence()));
                    }
                    // A task that reads its own datasource: what is there says where rows are.
                    let reindex = |timeline: &Timeline| Known::reindex(&self.task, timeline);
                    self.timeline.as_ref().ok().and_then(reindex).unwrap_or_default()
                }
            },
        };
    }

    /// The question on a timeline.
    pub(crate) fn question<'a>(&'a self, timeline: &'a Timeline) -> Question<'a> {
        Question {
            segments: &self.segments,
            timeline,
            task: &self.task,
            known: &self.known,
            release: self.release,
            now: self.now,
            locks: &self.locks,
            running: &self.running,
            unused: self.unused.as_deref(),
            id: None,
        }
    }

    /// What the task would do on a timeline.
    pub(crate) fn forecast(&self, timeline: &Timeline) -> Forecast {
        let mut made = forecast(&self.question(timeline));
        made.unknown.extend(self.notes.iter().cloned());
        made
    }
}

/// What the user says of the input.
pub(crate) enum Said {
    /// These are its rows.
    Rows(Rows),
    /// Something about all chunks.
    Of(Basis),
}

/// The task of a document, with what the cluster's default context adds to its own.
pub(crate) fn task(document: &Document, defaults: Option<&Map<String, Value>>) -> Result<Task> {
    let filled = defaults.map(|defaults| backfill::default_context::filled(document, defaults));
    Ok(Task::read(filled.as_ref().unwrap_or(document), &Tzdb::default()))
}

/// The datasource that a task writes to.
pub(crate) fn datasource(task: &Task, path: &std::path::Path) -> Result<String> {
    match &task.datasource {
        Some(datasource) => Ok(datasource.clone()),
        None => bail!("{}: the task names no datasource. {}", path.display(), task.what_it_is()),
    }
}

/// This machine's clock.
pub(crate) fn clock() -> Instant {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Instant::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX / 2))
}
