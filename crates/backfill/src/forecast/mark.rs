//! Calls that mark segments used or unused: what comes to light, what is covered, what is gone.
//!
//! What always holds: the world's timeline is that of the used segments as the call leaves them. A call whose effect hangs
//! on unused segments that nobody described has no world: an id does not say how many core partitions there are, nor
//! whether it is a tombstone's.
//!
//! What it does not do: know when what comes back is loaded.

use std::sync::Arc;

use druid::endpoint::Marks;
use druid::ingest::mark::{MarkRefused, Meant, known_ids, lost_from_cache, marked_unused, marked_used};
use druid::interval::{Instant, Interval, condense};
use druid::order::Order as _;
use druid::release::Release;
use druid::segment::{Row, Segment, SegmentId, compare_versions};
use druid::spec::Mark;
use druid::timeline::{Holder, HolderId, NewHolder, Piece, Timeline};

use super::{
    Becomes, Born, Fate, FateKind, Forecast, OldPiece, Outcome, Question, Reason, TakenAway, World, counts,
    maintenance,
};
use crate::words;

pub(super) fn mark(question: &Question<'_>, order: &Mark) -> Forecast {
    let mut forecast = maintenance::bare(question, None);
    let Some(marks) = &order.marks else {
        forecast.unknown.push("What is marked: the call names no segments that can be read.".to_owned());
        return forecast;
    };
    let datasource = question.task.datasource.as_deref().unwrap_or_default();
    forecast.typed = match marks {
        Marks::Inside { interval, .. } => vec![*interval],
        Marks::Ids(ids) => {
            condense(ids.iter().filter_map(|id| SegmentId::parse(datasource, id)).map(|id| id.interval))
        }
    };
    forecast.effective = forecast.typed.clone();
    forecast.version = "".into();
    let meant = Meant::by(marks, datasource, question.release);
    let done = if order.used { used(question, marks, &meant) } else { Ok(unused(question, &meant)) };
    match done {
        Ok(ways) => {
            for done in ways {
                forecast.version = newest(&done.holders);
                forecast.worlds.push(world(question, &forecast.typed, done));
            }
        }
        Err(NoWorld::Refused(refused)) => {
            let mut world = World::new("", Outcome::Refused, question.timeline);
            world.reason = Some(refused.message(datasource));
            forecast.worlds.push(world);
        }
        Err(NoWorld::Unknown(sentence)) => forecast.unknown.push(sentence),
    }
    forecast.unknown.extend(super::not_known_of(question, &forecast.effective));
    if question.release < Release::major(30) && question.segments.is_empty() {
        let sentence = "Whether the server looks at all: before 30 it answers 204 and changes nothing where no segment of the \
                        datasource is served.";
        forecast.unknown.push(sentence.to_owned());
    }
    forecast
}

enum NoWorld {
    Refused(MarkRefused),
    Unknown(String),
}

/// What a call does.
struct Done {
    /// Under which condition; empty when it is the only way.
    when: &'static str,
    after: Timeline,
    /// Ids of what is marked.
    ids: Vec<String>,
    /// Where what comes or goes lies, condensed.
    over: Vec<Interval>,
    /// What comes back, one entry a segment; none where something is marked unused.
    holders: Vec<NewHolder>,
}

impl Done {
    /// What is typed, and the segments that reach beyond it, whole.
    fn reach(&self, typed: &[Interval]) -> Vec<Interval> {
        condense(typed.iter().chain(&self.over).copied())
    }
}

/// What a kill task does to used segments that it marks unused first: they are gone for good.
pub(super) fn marked_first(question: &Question<'_>, interval: Interval, marks: &Marks) -> World {
    let meant = Meant::by(marks, question.segments.datasource(), question.release);
    let rows = marked_unused(question.segments, &meant);
    let done = taken_away(question, "", &rows, &rows);
    let mut world = world(question, &[interval], done);
    world.deleted = world.marked.clone();
    world
}

fn taken_away(question: &Question<'_>, when: &'static str, marked: &[Row], gone: &[Row]) -> Done {
    Done {
        when,
        // Nothing comes, so nothing can clash.
        after: question.timeline.with(&[], gone).unwrap_or_else(|_| question.timeline.clone()),
        ids: marked.iter().map(|row| question.segments.id(*row)).collect(),
        over: condense(gone.iter().filter_map(|row| question.segments.interval(*row))),
        holders: Vec::new(),
    }
}

/// One way, and before it, since 37, the one that the Overlord's cache makes of it where segments stick out.
fn unused(question: &Question<'_>, meant: &Meant<'_>) -> Vec<Done> {
    let rows = marked_unused(question.segments, meant);
    let lost = lost_from_cache(question.segments, meant, question.release);
    if lost.is_empty() {
        return vec![taken_away(question, "", &rows, &rows)];
    }
    let all: Vec<Row> = rows.iter().chain(&lost).copied().collect();
    vec![taken_away(question, CACHED, &rows, &all), taken_away(question, UNCACHED, &rows, &rows)]
}

/// Since 37 segments that stick out of the interval go as well, by a flaw of the cache.
const CACHED: &str = "the Overlord keeps segments in its cache, the default since 37";
const UNCACHED: &str = "druid.manager.segments.useIncrementalCache is never";

fn used(question: &Question<'_>, marks: &Marks, meant: &Meant<'_>) -> Result<Vec<Done>, NoWorld> {
    let Some(unused) = question.unused else {
        return Err(NoWorld::Unknown("Which unused segments there are: nobody has looked yet.".to_owned()));
    };
    known_ids(marks, question.segments, unused.iter().map(|unused| unused.id.as_str()))
        .map_err(NoWorld::Refused)?;
    let datasource = question.segments.datasource();
    let is_meant = |id: SegmentId| meant.takes(id.interval, &id.version, id.partition);
    let bare = unused.iter().filter(|unused| unused.segment.is_none());
    let nameless =
        bare.filter_map(|unused| SegmentId::parse(datasource, &unused.id)).filter(|id| is_meant(id.clone()));
    match nameless.count() as u64 {
        0 => {}
        number => {
            return Err(NoWorld::Unknown(format!(
                "What comes back: of {} only the {} known, and an id does not say how many core partitions there are, nor \
                 whether it is a tombstone's.",
                words::count(number, "unused segment"),
                words::agreeing(number, "id is", "ids are"),
            )));
        }
    }
    let segments: Vec<&Segment> = unused.iter().filter_map(|unused| unused.segment.as_ref()).collect();
    let taken = marked_used(question.timeline, &segments, meant).map_err(NoWorld::Refused)?;
    let taken: Vec<&Segment> = taken.iter().filter_map(|place| segments.get(*place).copied()).collect();
    let holders: Vec<NewHolder> = taken.iter().map(|segment| NewHolder::from(*segment)).collect();
    let after = question
        .timeline
        .with(&holders, &[])
        .map_err(|illegal| NoWorld::Refused(MarkRefused::Illegal(illegal)))?;
    Ok(vec![Done {
        when: "",
        after,
        ids: taken.iter().map(|segment| segment.id().to_string()).collect(),
        over: condense(taken.iter().map(|segment| segment.interval)),
        holders,
    }])
}

fn newest(holders: &[NewHolder]) -> Arc<str> {
    let versions = holders.iter().map(|holder| &holder.version);
    versions.max_by(|a, b| compare_versions(a, b)).cloned().unwrap_or_else(|| "".into())
}

fn world(question: &Question<'_>, typed: &[Interval], done: Done) -> World {
    let mut world = World::new(done.when, Outcome::Success, question.timeline);
    for stretch in stretches(question.timeline, &done.after, &done.reach(typed)) {
        let at = world.old.len() as u32;
        let (kind, why, becomes) = judged(question.timeline, &done, typed, &stretch);
        if let Some(holder) = stretch.before.and_then(|id| question.timeline.holder(id)) {
            let holds_data = !holder.tombstone;
            world.old.push(OldPiece { interval: stretch.interval, holder: holder.id, holds_data, becomes });
        }
        let over = at..world.old.len() as u32;
        world.fates.push(Fate { interval: stretch.interval, chunks: 1, kind, why, born: Born::Served, over });
    }
    world.marked = done.ids;
    world.added = done.holders;
    world.after = done.after;
    world.counts = counts::of(question.timeline, Some(typed), &world);
    world
}

/// A stretch in which one holder is visible before and one after, or none.
struct Stretch {
    interval: Interval,
    before: Option<HolderId>,
    after: Option<HolderId>,
}

fn stretches(before: &Timeline, after: &Timeline, within: &[Interval]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for range in within {
        let (before, after) = (before.lookup(*range), after.lookup(*range));
        let bounds = |pieces: &[Piece]| -> Vec<Instant> {
            pieces.iter().flat_map(|piece| [piece.interval.start, piece.interval.end]).collect()
        };
        let mut cuts = bounds(&before);
        cuts.extend(bounds(&after));
        cuts.extend([range.start, range.end]);
        cuts.order();
        cuts.dedup();
        let (mut was, mut is) = (before.iter().peekable(), after.iter().peekable());
        for pair in cuts.windows(2) {
            let &[start, end] = pair else { continue };
            while was.next_if(|piece| piece.interval.end <= start).is_some() {}
            while is.next_if(|piece| piece.interval.end <= start).is_some() {}
            let over = |piece: Option<&&Piece>| {
                piece.filter(|piece| piece.interval.start <= start).map(|piece| piece.holder)
            };
            let (before, after) = (over(was.peek()), over(is.peek()));
            match found.last_mut() {
                Some(last) if last.interval.end == start && last.before == before && last.after == after => {
                    last.interval.end = end;
                }
                _ => found.push(Stretch { interval: Interval { start, end }, before, after }),
            }
        }
    }
    found
}

fn judged(
    before: &Timeline,
    done: &Done,
    typed: &[Interval],
    stretch: &Stretch,
) -> (FateKind, Reason, Becomes) {
    let old = stretch.before.and_then(|id| before.holder(id));
    let new = stretch.after.and_then(|id| done.after.holder(id));
    let holds = old.is_some_and(|old| !old.tombstone);
    let version = |text: &str| -> Arc<str> { text.into() };
    match (old, new) {
        (Some(old), Some(new)) if old.id == new.id => match old.len().cmp(&new.len()) {
            std::cmp::Ordering::Less => {
                (FateKind::Appended, Reason::PartitionsBack { version: version(old.version) }, Becomes::Grows)
            }
            std::cmp::Ordering::Greater => (
                FateKind::Thinned,
                Reason::PartitionsGone { version: version(old.version) },
                Becomes::Shrinks,
            ),
            std::cmp::Ordering::Equal => (FateKind::Kept, untouched(done, stretch), Becomes::Stays),
        },
        (None, None) => (FateKind::Nothing, untouched(done, stretch), Becomes::Stays),
        (old, Some(new)) => {
            let kind = match (new.tombstone, holds) {
                (false, _) => FateKind::Back,
                (true, true) => FateKind::Tombstone,
                (true, false) => FateKind::Nothing,
            };
            let (covers, tombstone) = (!new.added.is_empty(), new.tombstone);
            let why = if covers {
                let over = old.filter(|old| !old.tombstone).map(|old| version(old.version));
                Reason::MarkedUsed { version: version(new.version), tombstone, over }
            } else {
                Reason::Uncovered { version: version(new.version), tombstone, how: how(old, done, typed) }
            };
            (kind, why, if covers { Becomes::Hidden } else { Becomes::Gone })
        }
        (Some(_), None) => {
            let kind = if holds { FateKind::Gone } else { FateKind::Nothing };
            (kind, Reason::NothingUnder { how: how(old, done, typed) }, Becomes::Gone)
        }
    }
}

fn how(old: Option<Holder<'_>>, done: &Done, typed: &[Interval]) -> TakenAway {
    match old {
        // What is there still serves nothing for want of core partitions.
        Some(old) if done.after.holder(old.id).is_some() => TakenAway::Broken,
        Some(old) if !typed.iter().any(|typed| typed.contains(old.interval)) => TakenAway::FromCache,
        _ => TakenAway::Marked,
    }
}

fn touches(condensed: &[Interval], interval: Interval) -> bool {
    let after = condensed.partition_point(|other| other.end <= interval.start);
    condensed.get(after).is_some_and(|other| other.overlaps(interval))
}

fn untouched(done: &Done, stretch: &Stretch) -> Reason {
    if touches(&done.over, stretch.interval) { Reason::MarkedUnseen } else { Reason::NotMarked }
}
