//! Worlds of a compaction: it is one overwriting or replacing batch over its own datasource, or several
//! (`druid::ingest::compaction` says which), and what becomes of chunks follows the rules of these.
//!
//! What always holds: parts lie one behind the other in time (where they do not, `intertwined` tells of them) and share the
//! run's locks and version; a part that fails leaves what the others publish. Rows are those of visible segments, so
//! much is known without anybody saying it.
//!
//! What it does not do: compaction of single segments by id.

use std::rc::Rc;

use druid::ingest::{Part, are_intertwined, compaction as prepared};
use druid::interval::subtract;
use druid::spec::{Compact, Mode};
use druid::timeline::Timeline;

use super::carried::Carried;
use super::frame::Frame;
use super::known::{Input, Presence};
use super::locking::{self, LockMoment, LockWish};
use super::{
    Forecast, Outcome, Question, World, beside, counts, intertwined, maintenance, ousted, overwrite, settle,
};

/// More ways for a compaction to go than this nobody reads.
const MOST_WORLDS: usize = 16;

pub(super) fn compaction(question: &Question<'_>, compact: &Compact) -> Forecast {
    let mut forecast = maintenance::bare(question, compact.interval);
    let Some(asked) = compact.interval.filter(|_| compact.segments.is_empty()) else {
        forecast.unknown.push(
            "What is compacted: the task names single segments, or no interval that can be read. Nothing is predicted."
                .to_owned(),
        );
        return forecast;
    };
    let datasource = question.task.datasource.as_deref().unwrap_or_default();
    let mode = if compact.drop_existing { Mode::Replace } else { Mode::Overwrite };
    let ready = match prepared(question.timeline, datasource, compact, question.release) {
        Ok(ready) => ready,
        Err(message) => {
            forecast.worlds.push(failed(question, message));
            return forecast;
        }
    };
    let resolved = locking::resolved(question, mode);
    let lock = LockWish {
        kind: resolved.kind.clone(),
        notes: resolved.notes,
        intervals: ready.locks.clone(),
        moment: LockMoment::UpFront,
        priority: locking::priority(question),
    };
    forecast.conflicts = locking::conflicts(question, &lock);
    forecast.beside = beside::beside(question, &lock);
    forecast.effective = ready.locks;
    forecast.widened = subtract(&forecast.effective, &[asked]);
    let parts = resolved.kind.and(ready.parts);
    let mut worlds = match &parts {
        Ok(parts) if are_intertwined(parts) => intertwined::worlds(question, compact, parts),
        Ok(parts) => of_parts(question, compact, parts, &mut forecast),
        Err(message) => vec![failed(question, message.clone())],
    };
    let published = worlds.iter().find(|world| world.outcome.publishes());
    worlds.extend(published.and_then(|base| ousted::evicted(question, &lock, base)));
    for world in &mut worlds {
        locking::apply(world, &lock, &forecast.conflicts);
        settle(question.timeline, world);
    }
    forecast.worlds = worlds;
    forecast.lock = Some(lock);
    forecast
}

fn failed(question: &Question<'_>, message: String) -> World {
    let mut world = World::new("", Outcome::Fails, question.timeline);
    world.reason = Some(message);
    world
}

fn of_parts(
    question: &Question<'_>,
    compact: &Compact,
    parts: &[Part],
    forecast: &mut Forecast,
) -> Vec<World> {
    let input = Rc::new(Input::of(question.known));
    let version = forecast.version.clone();
    let mut all = vec![Joined::start(question.timeline)];
    let mut open = false;
    for part in parts {
        let carried = Carried::of(question, compact, part);
        let frame = Frame::of_part(question, &part.batch, Rc::clone(&input), &version, carried);
        forecast.granularity = frame.chunking.granularity().filter(|_| carried.by_granularity).cloned();
        forecast.chunks =
            frame.cells.iter().fold(forecast.chunks, |sum, cell| sum.saturating_add(cell.run.chunks));
        open |= frame.cells.iter().any(|cell| cell.presence == Presence::Unknown);
        let worlds: Vec<(World, counts::Counts)> = overwrite::worlds(&frame)
            .into_iter()
            .map(|world| {
                let counts = counts::of(question.timeline, Some(frame.named()), &world);
                (world, counts)
            })
            .collect();
        match worlds.as_slice() {
            [(world, counts)] => all.iter_mut().for_each(|joined| joined.add(world, counts)),
            worlds => {
                let each = all.iter().flat_map(|joined| {
                    worlds.iter().map(|(world, counts)| {
                        let mut joined = joined.clone();
                        joined.add(world, counts);
                        joined
                    })
                });
                let mut next: Vec<Joined> = each.collect();
                let cut = next.len() > MOST_WORLDS;
                next.truncate(MOST_WORLDS);
                next.iter_mut().for_each(|joined| joined.world.is_cut |= cut);
                all = next;
            }
        }
    }
    forecast
        .unknown
        .push("How many segments each chunk gets, and where one ends and the next begins.".to_owned());
    forecast
        .unknown
        .push("The exact version: the server's clock at the moment the lock is granted.".to_owned());
    if open {
        let spread = "Which chunks the rows of a longer segment fall into: a segment does not say.";
        forecast.unknown.push(spread.to_owned());
    }
    all.into_iter().map(|joined| joined.finish(parts.len())).collect()
}

/// The worlds of the parts so far, put together.
#[derive(Clone)]
struct Joined {
    world: World,
    fallen: usize,
    counts: counts::Counts,
}

impl Joined {
    fn start(timeline: &Timeline) -> Joined {
        Joined {
            world: World::new("", Outcome::Success, timeline),
            fallen: 0,
            counts: counts::Counts::default(),
        }
    }

    fn add(&mut self, part: &World, counts: &counts::Counts) {
        let world = &mut self.world;
        if !part.when.is_empty() {
            let and = if world.when.is_empty() { "" } else { ", and " };
            world.when.push_str(and);
            world.when.push_str(&part.when);
        }
        let shift = world.old.len() as u32;
        world.fates.extend(part.fates.iter().map(|fate| {
            let over = fate.over.start + shift..fate.over.end + shift;
            super::Fate { over, ..fate.clone() }
        }));
        world.old.extend_from_slice(&part.old);
        if part.outcome == Outcome::Success {
            world.added.extend_from_slice(&part.added);
        } else {
            self.fallen += 1;
        }
        world.reason = world.reason.take().or_else(|| part.reason.clone());
        self.counts.add_up(counts);
    }

    fn finish(self, parts: usize) -> World {
        let Joined { mut world, fallen, counts } = self;
        world.counts = counts;
        if fallen > 0 {
            let why = world.reason.take().unwrap_or_default();
            world.outcome = Outcome::Fails;
            let done = parts - fallen;
            world.reason =
                Some(format!("Ran [{parts}] specs, [{done}] succeeded, [{fallen}] failed ({why})"));
        }
        world
    }
}
