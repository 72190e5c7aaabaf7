//! Worlds of a compaction whose parts work on the same chunks, as they can with `allowNonAlignedInterval` over segments
//! that begin elsewhere than their chunks: what one part has published hides rows from the next and takes its ids. No
//! rule for one chunk says what comes of that, so the whole run is done (`druid::ingest::run`), once for rows that are
//! known, else once for each way in which rows can lie in the segments.
//!
//! What always holds: every way that is listed is reached by some rows; where there are too many, the world is cut.
//!
//! What it does not do: go by what was painted or seen; compactions whose parts keep apart.

use std::collections::BTreeMap;

use druid::ingest::{self, Chunks, Part, Rows, Situation};
use druid::interval::{Instant, Interval, condense, subtract};
use druid::order::Order as _;
use druid::segment::{Segment, ShardSpec};
use druid::spec::Compact;
use druid::timeline::NewHolder;

use super::fate::{Becomes, Born, Fate, FateKind, OldPiece, Reason};
use super::known::Basis;
use super::world::Either;
use super::{Outcome, Question, World, counts};

/// With more ways than this for rows to lie none is tried.
const MOST_WAYS: usize = 1_000;
/// Chunks of one part whose edges are looked at: a group of segments makes one chunk, or two where it is not aligned.
const MOST_CHUNKS: usize = 8;

pub(super) fn worlds(question: &Question<'_>, compact: &Compact, parts: &[Part]) -> Vec<World> {
    let ways = match &question.known.basis {
        Basis::Rows { rows, .. } if question.known.exact().is_some() => Some(vec![rows.clone()]),
        _ => ways(question, compact, parts),
    };
    // By how it ends: all that can be published.
    let mut ends: BTreeMap<(bool, String), Vec<Vec<NewHolder>>> = BTreeMap::new();
    for rows in ways.iter().flatten() {
        let (ended_well, message, published) = run(question, rows);
        let all = ends.entry((ended_well, message)).or_default();
        if !all.contains(&published) {
            all.push(published);
        }
    }
    if ends.is_empty() {
        let mut world = world(question, parts, "", &[Vec::new()]);
        world.is_cut = true;
        let idle = parts.iter().filter(|part| !part.is_ready).count();
        if idle > 0 {
            world.outcome = Outcome::Fails;
            let (all, most) = (parts.len(), parts.len() - idle);
            world.reason = Some(format!("Ran [{all}] specs, [{most}] succeeded, [{idle}] failed"));
        }
        return vec![world];
    }
    let divided = ends.len() > 1;
    let each = ends.iter().rev().map(|((ended_well, message), published)| {
        let when = match (divided, *ended_well) {
            (false, _) => "",
            (true, true) => "no row in a place where a part fails",
            (true, false) => "a row in a place where a part fails",
        };
        let mut world = world(question, parts, when, published);
        if !ended_well {
            world.outcome = Outcome::Fails;
            world.reason = Some(message.clone());
        }
        world
    });
    each.collect()
}

/// Every way in which rows can lie in the segments that are read, as far as it makes a difference: a row or none in each
/// stretch between the edges of chunks. None where there are too many.
fn ways(question: &Question<'_>, compact: &Compact, parts: &[Part]) -> Option<Vec<Rows>> {
    let timeline = question.timeline;
    let mut edges: Vec<Instant> = parts
        .iter()
        .flat_map(|part| Chunks::of(&part.batch.granularity).all().take(MOST_CHUNKS).collect::<Vec<_>>())
        .flat_map(|chunk| [chunk.start, chunk.end])
        .collect();
    edges.order();
    edges.dedup();
    // Groups of stretches of which at least one has a row; where it is not certain, nothing at all is another way.
    let mut groups: Vec<(Vec<Instant>, bool)> = Vec::new();
    for piece in parts.iter().flat_map(|part| timeline.visible().within(part.reads)) {
        let Some(holder) = timeline.holder(piece.holder).filter(|holder| !holder.tombstone) else { continue };
        let inside = edges
            .iter()
            .copied()
            .filter(|edge| piece.interval.start < *edge && piece.interval.contains_instant(*edge));
        let starts = std::iter::once(piece.interval.start).chain(inside).collect();
        groups.push((starts, holder.interval == piece.interval && !compact.filters_rows));
    }
    let choices = |(starts, sure): &(Vec<Instant>, bool)| {
        let all = 1_usize.checked_shl(starts.len() as u32).unwrap_or(usize::MAX);
        all - usize::from(*sure)
    };
    if groups.iter().map(choices).fold(1, usize::saturating_mul) > MOST_WAYS {
        return None;
    }
    let mut ways: Vec<Vec<Instant>> = vec![Vec::new()];
    for (starts, sure) in groups {
        let chosen = (usize::from(sure)..1 << starts.len()).map(|choice| {
            let taken = starts.iter().enumerate().filter(move |(at, _)| choice >> at & 1 == 1);
            taken.map(|(_, start)| *start).collect::<Vec<_>>()
        });
        let chosen: Vec<Vec<Instant>> = chosen.collect();
        ways =
            ways.iter().flat_map(|way| chosen.iter().map(|more| [way.as_slice(), more].concat())).collect();
    }
    Some(ways.into_iter().map(|rows| Rows { splits: vec![rows] }).collect())
}

/// Whether it ends well, its message, and what it publishes, one holder for each chunk.
fn run(question: &Question<'_>, rows: &Rows) -> (bool, String, Vec<NewHolder>) {
    let version = question.lock_version();
    let situation = Situation {
        timeline: question.timeline,
        unused: &[],
        locks: &[],
        release: question.release,
        lock_version: Instant::parse(&version).unwrap_or(question.now),
    };
    let holders = |segments: &[Segment]| {
        let mut holders: BTreeMap<Interval, NewHolder> = BTreeMap::new();
        for segment in segments {
            let whole = match segment.shard {
                ShardSpec::Tombstone => NewHolder::tombstone(segment.interval, &version),
                _ => NewHolder::whole(segment.interval, &version, 1),
            };
            holders.entry(segment.interval).or_insert(whole);
        }
        holders.into_values().collect()
    };
    match ingest::run(&situation, question.task, rows) {
        ingest::Outcome::Success(published) => (true, String::new(), holders(&published.segments)),
        ingest::Outcome::FailedInPart { message, published } => {
            (false, message, holders(&published.segments))
        }
        ingest::Outcome::Failed { message, .. } => (false, message, Vec::new()),
        _ => (false, String::new(), Vec::new()),
    }
}

/// The world in which one of `published` comes.
fn world(question: &Question<'_>, parts: &[Part], when: &str, published: &[Vec<NewHolder>]) -> World {
    let timeline = question.timeline;
    let mut world = World::new(when, Outcome::Success, timeline);
    let touched = condense(parts.iter().flat_map(|part| Chunks::of(&part.batch.granularity).runs()));
    let fate = |interval: Interval, kind: FateKind, why: Reason| Fate {
        interval,
        chunks: 1,
        kind,
        why,
        born: Born::Served,
        over: 0..0,
    };
    let kept = |interval: Interval| match timeline.visible().within(interval).next() {
        Some(_) => fate(interval, FateKind::Kept, Reason::EmptyStays),
        None => fate(interval, FateKind::Nothing, Reason::NeverHeld),
    };
    let mut fates: Vec<Fate> = Vec::new();
    if let [published] = published {
        for holder in published {
            fates.push(match NewHolder::tombstone(holder.interval, &holder.version) == *holder {
                true => fate(holder.interval, FateKind::Tombstone, Reason::EmptyOverReach),
                false => fate(holder.interval, FateKind::New, Reason::RowsHere { rows: None }),
            });
        }
        let new = condense(published.iter().map(|holder| holder.interval));
        fates.extend(subtract(&touched, &new).into_iter().map(kept));
        world.added.clone_from(published);
    } else {
        fates.extend(touched.iter().map(|run| fate(*run, FateKind::Mixed, Reason::DependsOnRows)));
        let hull = touched.iter().copied().reduce(|a, b| Interval { start: a.start, end: b.end });
        world.either.extend(hull.map(|interval| Either { interval, alternatives: published.to_vec() }));
    }
    fates.order_by_key(|fate| (fate.interval.start, std::cmp::Reverse(fate.interval.end)));
    for mut fate in fates {
        if world.fates.last().is_some_and(|last| last.interval.overlaps(fate.interval)) {
            continue;
        }
        let from = world.old.len() as u32;
        for piece in timeline.visible().within(fate.interval) {
            let becomes = match fate.kind {
                FateKind::Mixed => Becomes::MayBeHidden,
                FateKind::New | FateKind::Tombstone => Becomes::Hidden,
                _ => Becomes::Stays,
            };
            let holds_data = timeline.holder(piece.holder).is_some_and(|holder| !holder.tombstone);
            world.old.push(OldPiece { interval: piece.interval, holder: piece.holder, holds_data, becomes });
        }
        fate.over = from..world.old.len() as u32;
        world.fates.push(fate);
    }
    let named = condense(parts.iter().map(|part| part.reads));
    world.counts = counts::of(timeline, Some(&named), &world);
    world
}
