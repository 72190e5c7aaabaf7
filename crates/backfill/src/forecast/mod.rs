//! The forecast: what a task would do to a datasource, chunk by chunk, before it runs.
//!
//! Input is a [`Question`]: the used segments and their timeline, the task, what is known of its input, the server's
//! release and clock, held locks and running tasks. The answer is a [`Forecast`]: one [`World`] where everything is
//! known, several where the input decides how the run as a whole ends, and inside a world either / or per chunk.
//!
//! What always holds:
//! - The result of `druid::ingest` for any rows that agree with what is known lies in one of the worlds.
//! - Nothing is guessed silently: what cannot be predicted is in [`Forecast::unknown`].
//! - The cost grows with what is visible in range and what is known of the input, never with the number of chunks.
//!
//! What it does not do: judge. Whether a result is wanted is `check`'s business.

mod after;
mod append;
mod beside;
mod carried;
pub(crate) mod chunks;
mod compaction;
mod counts;
mod fate;
mod frame;
mod intertwined;
mod known;
mod locking;
mod maintenance;
mod mark;
mod ousted;
mod overwrite;
mod race;
mod story;
mod trouble;
mod world;

use std::sync::Arc;

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval, subtract};
use druid::json::Path;
use druid::lock::Held;
use druid::release::Release;
use druid::segment::{SegmentSet, UnusedSegment};
use druid::spec::{Body, Mode, Refusal, Task, TaskKind, refusals};
use druid::timeline::{Illegal, Timeline};

use crate::task_id::TaskId;

pub use after::{Entry, EntryVersion, chunks, open, visible, visible_with};
pub use beside::Beside;
pub use counts::{Count, Counts, Neighbour, Tally};
pub use fate::{Becomes, Born, Fate, FateKind, OldPiece, Reason, TakenAway};
pub use known::{Basis, Known, Paint, Painted, Presence, RowsFrom, SeenIn};
pub use locking::{Conflict, LockMoment, LockWish, Running, Stand};
pub use race::{Course, Standing, race};
pub use story::{Layer, State, Story, story};
pub use world::{Either, World};

/// Everything a forecast is made from.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The used segments of the task's datasource.
    pub segments: &'a SegmentSet,
    /// Their timeline.
    pub timeline: &'a Timeline,
    /// The task.
    pub task: &'a Task,
    /// What is known of its input.
    pub known: &'a Known,
    /// The server's release.
    pub release: Release,
    /// The server's clock at the moment the lock would be granted.
    pub now: Instant,
    /// Locks held on the datasource.
    pub locks: &'a [Held],
    /// Tasks that run or wait on the datasource.
    pub running: &'a [Running],
    /// Unused segments of the datasource; none when nobody looked.
    pub unused: Option<&'a [UnusedSegment]>,
    /// The id made for it; none when the document's own is sent.
    pub id: Option<&'a TaskId>,
}

/// What a task does to what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// Chunks with rows are replaced, chunks without are emptied.
    Replace,
    /// Chunks with rows are replaced, the others stay.
    Overwrite,
    /// Rows are added.
    Append,
    /// What is there is rewritten.
    Compact,
    /// Unused segments are deleted for good.
    Kill,
    /// Unused segments are marked used.
    MarkUsed,
    /// Used segments are marked unused.
    MarkUnused,
    /// Not known here: a stream, SQL, another kind of task.
    Unknown,
}

impl Intent {
    /// As the command line prints it: `replace`, `overwrite`, ….
    pub fn name(self) -> &'static str {
        match self {
            Intent::Replace => "replace",
            Intent::Overwrite => "overwrite",
            Intent::Append => "append",
            Intent::Compact => "compact",
            Intent::Kill => "kill",
            Intent::MarkUsed => "mark_used",
            Intent::MarkUnused => "mark_unused",
            Intent::Unknown => "unknown",
        }
    }

    /// Of a task.
    pub fn of(task: &Task) -> Intent {
        match &task.body {
            Body::Batch(batch) => match batch.mode {
                Mode::Replace => Intent::Replace,
                Mode::Overwrite => Intent::Overwrite,
                Mode::Append => Intent::Append,
            },
            Body::Compact(_) => Intent::Compact,
            Body::Kill(_) => Intent::Kill,
            Body::Mark(mark) if mark.used => Intent::MarkUsed,
            Body::Mark(_) => Intent::MarkUnused,
            Body::Supervisor(_) | Body::Other => Intent::Unknown,
        }
    }
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// SUCCESS.
    Success,
    /// The server refuses it at submission.
    Refused,
    /// FAILED; nothing is published.
    Fails,
    /// It waits for a lock; the world shows what it does once it has it.
    Waits,
    /// It stays RUNNING, publishes nothing and keeps its slot.
    Hangs,
    /// Its locks are taken away: it hangs as well, and somebody else's run goes on in its place.
    Evicted,
    /// It is accepted, and no worker ever starts it.
    NeverStarts,
}

impl Outcome {
    /// As the command line prints it.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Success => "success",
            Outcome::Refused => "refused",
            Outcome::Fails => "fails",
            Outcome::Waits => "waits",
            Outcome::Hangs => "hangs",
            Outcome::Evicted => "evicted",
            Outcome::NeverStarts => "never_starts",
        }
    }

    /// Whether the run publishes what its world shows.
    pub fn publishes(self) -> bool {
        matches!(self, Outcome::Success | Outcome::Waits)
    }
}

/// What a task would do.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// What it does to what is there.
    pub intent: Intent,
    /// The intervals as typed, condensed; empty when none were given.
    pub typed: Vec<Interval>,
    /// The whole chunks they touch, condensed: what the run works on.
    pub effective: Vec<Interval>,
    /// What of `effective` nobody typed.
    pub widened: Vec<Interval>,
    /// How many chunks; `u64::MAX` where nobody can count them.
    pub chunks: u64,
    /// How chunks are cut; none where the intervals themselves are the chunks.
    pub granularity: Option<Granularity>,
    /// The version that new segments get, as far as it can be known: the clock given.
    pub version: Arc<str>,
    /// The ways it can go; never empty for an ingestion. Empty when nothing can be predicted.
    pub worlds: Vec<World>,
    /// The locks the run asks for; none for tasks that ask for none of ours.
    pub lock: Option<LockWish>,
    /// Who is in its way, and in whose way it is.
    pub conflicts: Vec<Conflict>,
    /// Who works on the range as well without being in the way.
    pub beside: Vec<Beside>,
    /// Known rows of the input that no chunk takes.
    pub rows_outside: u64,
    /// What cannot be predicted, one sentence each.
    pub unknown: Vec<String>,
}

impl Forecast {
    /// The world in which most goes wrong: one that publishes before one that does not, then by what is hidden without
    /// having been named, emptied, counted twice and replaced. None when nothing can be predicted.
    pub fn worst(&self) -> Option<&World> {
        self.worlds.iter().max_by_key(|world| {
            let counts = &world.counts;
            (
                counts.not_named.most,
                counts.emptied.chunks.most,
                counts.doubled.holders.most,
                counts.replaced.chunks.most,
                world.outcome.publishes(),
            )
        })
    }
}

impl Question<'_> {
    /// The id that it is sent under: the one made for it, else the document's own. The server makes one up where there is
    /// none.
    pub fn sent_id(&self) -> Option<&str> {
        self.id.map(|made| made.id.as_str()).or(self.task.id.as_deref())
    }

    /// What the server would refuse of what is sent. Of an id in the document that is not sent nothing is said.
    pub fn refusals(&self) -> Vec<Refusal> {
        let mut found = refusals(self.task, self.release);
        if self.id.is_some() {
            let of_the_id = Path::keys(&["id"]);
            found.retain(|refusal| refusal.path != of_the_id);
        }
        found
    }

    /// The version the run's segments get: the clock as Druid prints it, moved on by a millisecond where it is taken.
    pub(crate) fn lock_version(&self) -> String {
        let mut at = self.now;
        loop {
            let text = at.to_string();
            if !self.segments.versions().any(|version| version == text) {
                return text;
            }
            at = Instant::from_ms(at.ms().saturating_add(1));
        }
    }
}

/// Said in [`Forecast::unknown`] where a world is cut: what it lists is not all that can come.
pub const MORE_THAN_LISTED: &str = "What else can come of some chunks: rows can fall in more ways than are listed, and \
                                    the run may end otherwise there.";

/// What the task would do.
pub fn forecast(question: &Question<'_>) -> Forecast {
    let task = question.task.as_read_by(question.release);
    let question = &Question { task: &task, ..*question };
    let mut forecast = match &question.task.body {
        Body::Batch(batch) => ingestion(question, batch),
        Body::Compact(compact) => compaction::compaction(question, compact),
        Body::Kill(kill) => maintenance::kill(question, kill),
        Body::Mark(order) => mark::mark(question, order),
        Body::Supervisor(_) | Body::Other => maintenance::unknown(question),
    };
    if let Some(stopped) = refused(question).or_else(|| ousted::never_starts(question)) {
        forecast.worlds = vec![stopped];
    }
    if forecast.worlds.iter().any(|world| world.is_cut) {
        forecast.unknown.push(MORE_THAN_LISTED.to_owned());
    }
    forecast
}

/// The world in which the server refuses the task, in its own words; it says one thing at a time.
fn refused(question: &Question<'_>) -> Option<World> {
    let first = match question.task.kind {
        TaskKind::NotATask => return None,
        // Accepted, and never started.
        _ => question.refusals().into_iter().find(|refusal| refusal.rule != "id-stalls")?,
    };
    let mut world = World::new("", Outcome::Refused, question.timeline);
    world.reason = Some(first.message);
    Some(world)
}

fn ingestion(question: &Question<'_>, batch: &druid::spec::Batch) -> Forecast {
    let frame = frame::Frame::of(question, batch);
    let mut worlds = match batch.mode {
        Mode::Append => append::worlds(&frame),
        Mode::Replace | Mode::Overwrite => overwrite::worlds(&frame),
    };
    let lock = locking::wish(&frame);
    let conflicts = locking::conflicts(question, &lock);
    worlds.extend(locking::shut_out(&frame, &lock, &conflicts));
    let published = worlds.iter().find(|world| world.outcome.publishes());
    let beside = beside::beside(question, &lock);
    let more: Vec<World> = published.map_or_else(Vec::new, |base| {
        let meanwhile = beside::appended_meanwhile(&frame, &lock, &beside, base).into_iter();
        meanwhile.chain(ousted::evicted(question, &lock, base)).collect()
    });
    worlds.extend(more);
    for world in &mut worlds {
        locking::apply(world, &lock, &conflicts);
        if !world.outcome.publishes() {
            world.added.clear();
        }
        world.counts = counts::of(question.timeline, (!frame.is_open()).then(|| frame.named()), world);
        settle(question.timeline, world);
    }
    let chunks = frame.cells.iter().fold(0u64, |sum, cell| sum.saturating_add(cell.run.chunks));
    Forecast {
        intent: Intent::of(question.task),
        widened: if frame.is_open() { Vec::new() } else { subtract(&frame.effective, &frame.typed) },
        chunks,
        granularity: frame.chunking.granularity().cloned(),
        version: frame.version.as_str().into(),
        worlds,
        lock: Some(lock),
        conflicts,
        beside,
        rows_outside: frame.input.rows_outside(&frame.effective),
        unknown: unknown(&frame),
        typed: frame.typed,
        effective: frame.effective,
    }
}

/// The timeline afterwards.
fn settle(timeline: &Timeline, world: &mut World) {
    if !world.added.is_empty() {
        match timeline.with(&world.added, &[]) {
            Ok(after) => world.after = after,
            Err(Illegal { reason, .. }) => world.reason = Some(reason),
        }
    }
}

fn unknown(frame: &frame::Frame<'_>) -> Vec<String> {
    let mut list = Vec::new();
    let publishes = "How many segments each chunk gets, and where one ends and the next begins.";
    match frame.batch.mode {
        Mode::Append => list.push(
            "Partition numbers: segments that other tasks have allocated and not yet published take the next ones."
                .to_owned(),
        ),
        Mode::Replace | Mode::Overwrite => {
            list.push(publishes.to_owned());
            let version = "The exact version: the server's clock at the moment the lock is granted.";
            list.push(version.to_owned());
            if frame.effective.len() > 1 {
                list.push("Whether the separate ranges get the same version: each has a lock of its own.".to_owned());
            }
        }
    }
    if !frame.batch.granularity.segment_known {
        list.push(
            "How the spec cuts time: its segmentGranularity cannot be read, or its time zone is not loaded yet. Drawn as \
             DAY in UTC."
                .to_owned(),
        );
    }
    if frame.batch.moves_time {
        list.push("Where rows fall: a transform of the spec writes __time.".to_owned());
    }
    list.extend(not_known_of(frame.q, &frame.effective));
    list
}

/// What cannot be predicted of a range, whatever is done to it.
fn not_known_of(question: &Question<'_>, range: &[Interval]) -> Vec<String> {
    let mut list = Vec::new();
    if question.running.iter().any(|running| running.touches(range)) {
        list.push("What the tasks that run on this range now will have published by then.".to_owned());
    }
    if !question.timeline.unpredictable().is_empty() {
        list.push(
            "What becomes of segments written under segment locking (numbered_overwrite), or of shard kinds this \
             release of Foreshadow does not know."
                .to_owned(),
        );
    }
    list
}
