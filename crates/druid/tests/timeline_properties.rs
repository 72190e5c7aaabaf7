//! The timeline against a model written from the rules: time cut at every boundary, the highest version chosen in
//! each slice by looking at everybody. Slow, short and independent of the code under test.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use druid::interval::{Instant, Interval};
use druid::segment::{ChunkKind, SegmentRef, SegmentSet};
use druid::timeline::{HolderId, NewHolder, Timeline};
use proptest::collection::vec;
use proptest::prelude::*;

/// One segment of the model: hours, version, chunk.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Chunk {
    start: i64,
    end: i64,
    version: String,
    partition: u32,
    core: u32,
    kind: u8,
}

const NUMBERED: u8 = 0;
const LINEAR: u8 = 1;
const TOMBSTONE: u8 = 2;

fn hours(start: i64, end: i64) -> Interval {
    Interval::new(Instant::from_ms(start * 3_600_000), Instant::from_ms(end * 3_600_000)).unwrap()
}

fn kind(chunk: &Chunk) -> ChunkKind {
    [ChunkKind::Numbered, ChunkKind::Linear, ChunkKind::Tombstone][usize::from(chunk.kind)]
}

fn set(chunks: &[Chunk]) -> SegmentSet {
    let mut set = SegmentSet::new("x");
    for chunk in chunks {
        set.push_parts(&SegmentRef {
            datasource: "x",
            interval: hours(chunk.start, chunk.end),
            version: &chunk.version,
            partition: chunk.partition,
            core: Some(chunk.core),
            kind: kind(chunk),
            rows: Some(1),
            size: 1,
            dimensions: "",
            metrics: "",
        });
    }
    set
}

/// What the rules say, holders named by (start, end, version).
type Name = (i64, i64, String);
#[derive(Debug, PartialEq)]
struct Said {
    complete: Vec<(i64, i64, Name)>,
    any: Vec<(i64, i64, Name)>,
    overshadowed: BTreeSet<Name>,
    fully: BTreeSet<Name>,
    holders: BTreeMap<Name, (bool, bool, Vec<u32>)>,
}

/// `None` for a set that Druid refuses.
fn model(chunks: &[Chunk]) -> Option<Said> {
    let mut holders: BTreeMap<Name, BTreeMap<u32, &Chunk>> = BTreeMap::new();
    for chunk in chunks {
        let name = (chunk.start, chunk.end, chunk.version.clone());
        let before = holders.entry(name).or_default().entry(chunk.partition).or_insert(chunk);
        if (before.kind, before.core) != (chunk.kind, chunk.core) {
            return None;
        }
    }
    let names: Vec<&Name> = holders.keys().collect();
    for (at, a) in names.iter().enumerate() {
        for b in &names[..at] {
            if a.2 == b.2 && a.0 < b.1 && b.0 < a.1 {
                return None;
            }
        }
    }
    let complete = |chunks: &BTreeMap<u32, &Chunk>| {
        let first = chunks.values().next().unwrap();
        if first.kind != NUMBERED || first.core == 0 {
            return true;
        }
        // Core partitions must be there from 0 on without a gap, then the rest does not matter. A chunk of core
        // count 0 among them ends the walk well as soon as it abuts.
        if first.partition != 0 {
            return false;
        }
        let mut before: Option<&Chunk> = None;
        for chunk in chunks.values() {
            if let Some(before) = before {
                let abuts = chunk.kind == NUMBERED
                    && if chunk.partition < chunk.core {
                        chunk.partition == before.partition + 1
                    } else {
                        chunk.partition > before.partition
                    };
                if !abuts {
                    return false;
                }
            }
            if chunk.core == 0 || chunk.partition == chunk.core - 1 {
                return true;
            }
            before = Some(chunk);
        }
        false
    };
    let slices: BTreeSet<i64> = names.iter().flat_map(|name| [name.0, name.1]).collect();
    let slices: Vec<(i64, i64)> = slices.iter().copied().zip(slices.iter().copied().skip(1)).collect();
    let winner = |slice: (i64, i64), only_complete: bool| {
        names
            .iter()
            .filter(|name| name.0 <= slice.0 && slice.1 <= name.1)
            .filter(|name| !only_complete || complete(&holders[**name]))
            .max_by(|a, b| a.2.cmp(&b.2))
            .map(|name| (*name).clone())
    };
    let pieces = |only_complete: bool| {
        let mut pieces: Vec<(i64, i64, Name)> = Vec::new();
        for slice in &slices {
            let Some(name) = winner(*slice, only_complete) else { continue };
            match pieces.last_mut() {
                Some(last) if last.1 == slice.0 && last.2 == name => last.1 = slice.1,
                _ => pieces.push((slice.0, slice.1, name)),
            }
        }
        pieces
    };
    let covered = |name: &Name| {
        let inside = slices.iter().filter(|slice| name.0 <= slice.0 && slice.1 <= name.1);
        inside.clone().count() > 0
            && inside.copied().all(|slice| winner(slice, true).is_some_and(|winner| winner.2 > name.2))
    };
    let (complete_pieces, any_pieces) = (pieces(true), pieces(false));
    let served = |name: &Name| complete_pieces.iter().chain(&any_pieces).any(|piece| piece.2 == *name);
    Some(Said {
        overshadowed: names.iter().filter(|name| covered(name)).map(|name| (*name).clone()).collect(),
        fully: names.iter().filter(|name| !served(name)).map(|name| (*name).clone()).collect(),
        holders: holders
            .iter()
            .map(|(name, chunks)| {
                let tombstone = chunks.values().all(|chunk| chunk.kind == TOMBSTONE);
                (name.clone(), (complete(chunks), tombstone, chunks.keys().copied().collect()))
            })
            .collect(),
        complete: complete_pieces,
        any: any_pieces,
    })
}

/// The same, asked of the timeline.
fn said(timeline: &Timeline) -> Said {
    let hour = |instant: Instant| instant.ms() / 3_600_000;
    let name = |id: HolderId| {
        let holder = timeline.holder(id).unwrap();
        (hour(holder.interval.start), hour(holder.interval.end), holder.version.to_owned())
    };
    let pieces = |pieces: druid::timeline::Pieces<'_>| {
        let listed: Vec<_> = pieces
            .iter()
            .map(|piece| (hour(piece.interval.start), hour(piece.interval.end), name(piece.holder)))
            .collect();
        assert_eq!(pieces.len(), listed.len());
        listed
    };
    Said {
        complete: pieces(timeline.visible()),
        any: pieces(timeline.visible_incomplete()),
        overshadowed: timeline
            .holders()
            .filter(|holder| timeline.is_overshadowed(holder.id))
            .map(|holder| name(holder.id))
            .collect(),
        fully: timeline.fully_overshadowed().map(name).collect(),
        holders: timeline
            .holders()
            .map(|holder| {
                let mut partitions: Vec<u32> = holder.partitions().collect();
                partitions.sort_unstable();
                (name(holder.id), (holder.complete, holder.tombstone, partitions))
            })
            .collect(),
    }
}

prop_compose! {
    /// A chunk of a time grid: lengths 1, 2, 4, 8 hours, or now and then anything. Versions carry the length most of
    /// the time, so that most sets are legal.
    fn chunk()(
        size in 0u32..4,
        slot in 0i64..8,
        generation in 0u32..3,
        odd in 0u32..40,
        shape in 0u32..8,
        partition in 0u32..4,
    ) -> Chunk {
        let length = 1i64 << size;
        let slot = slot % (16 / length);
        let start = slot * length + i64::from(odd == 1);
        let version = if odd == 0 { format!("{generation}") } else { format!("{generation}-{size}-{}", odd == 1) };
        // Equal names get equal core counts mostly: they follow from the name.
        let core = (slot as u32 + generation + size) % 3;
        let (kind, partition, core) = match shape {
            0 if generation == 2 => (TOMBSTONE, 0, 0),
            1 if generation == 1 => (LINEAR, partition, 0),
            _ if generation == 2 && slot % 2 == 0 => (NUMBERED, partition + 1, 0),
            _ => (NUMBERED, partition, core),
        };
        Chunk { start, end: start + length, version, partition, core, kind }
    }
}

fn new_holder(chunk: &Chunk) -> NewHolder {
    NewHolder {
        interval: hours(chunk.start, chunk.end),
        version: chunk.version.as_str().into(),
        kind: kind(chunk),
        partitions: chunk.partition..chunk.partition + 1,
        core: Some(chunk.core),
        rows: Some(1),
        size: 1,
    }
}

/// The second of two chunks of one name and number is ignored when equal, so removing the first brings it back to
/// nothing: keep one of each to leave that question out.
fn distinct(chunks: Vec<Chunk>) -> Vec<Chunk> {
    let mut seen = BTreeSet::new();
    chunks.into_iter().filter(|c| seen.insert((c.start, c.end, c.version.clone(), c.partition))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_timeline_is_what_the_rules_say(chunks in vec(chunk(), 0..24)) {
        let built = Timeline::build(&set(&chunks)).ok();
        prop_assert_eq!(built.as_ref().map(said), model(&chunks));
    }

    #[test]
    fn the_order_in_which_segments_come_changes_nothing(chunks in vec(chunk(), 0..16)) {
        let reversed: Vec<Chunk> = chunks.iter().rev().cloned().collect();
        let of = |chunks: &[Chunk]| Timeline::build(&set(chunks)).ok().as_ref().map(said);
        prop_assert_eq!(of(&chunks), of(&reversed));
    }

    #[test]
    fn an_overlay_equals_a_rebuild(
        chunks in vec(chunk(), 0..24),
        added in vec(chunk(), 0..6),
        more in vec(chunk(), 0..3),
        gone in vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let chunks = distinct(chunks);
        let Ok(timeline) = Timeline::build(&set(&chunks)) else { return Ok(()) };
        let gone: BTreeSet<u32> = gone
            .iter()
            .filter(|_| !chunks.is_empty())
            .map(|index| index.index(chunks.len()) as u32)
            .collect();
        let left = |_: ()| chunks.iter().enumerate().filter(|(at, _)| !gone.contains(&(*at as u32))).map(|(_, c)| c.clone());

        let holders: Vec<NewHolder> = added.iter().map(new_holder).collect();
        let after = timeline.with(&holders, &gone.iter().copied().collect::<Vec<_>>());
        let all: Vec<Chunk> = left(()).chain(added.iter().cloned()).collect();
        prop_assert_eq!(after.as_ref().ok().map(said), model(&all));

        // And an overlay over an overlay.
        let Ok(after) = after else { return Ok(()) };
        let holders: Vec<NewHolder> = more.iter().map(new_holder).collect();
        let all: Vec<Chunk> = all.into_iter().chain(more.iter().cloned()).collect();
        prop_assert_eq!(after.with(&holders, &[]).ok().as_ref().map(said), model(&all));
        prop_assert_eq!(said(&after.without_overlay()), model(&chunks).unwrap());
    }

    #[test]
    fn a_lookup_is_the_pieces_cut_to_what_was_asked(
        chunks in vec(chunk(), 0..24),
        added in vec(chunk(), 0..4),
        start in -1i64..18,
        length in 0i64..18,
    ) {
        let Ok(timeline) = Timeline::build(&set(&chunks)) else { return Ok(()) };
        let Ok(timeline) = timeline.with(&added.iter().map(new_holder).collect::<Vec<_>>(), &[]) else { return Ok(()) };
        let asked = hours(start, start + length);
        let cut: Vec<_> = timeline
            .visible()
            .iter()
            .filter(|_| !asked.is_empty())
            .filter_map(|piece| piece.interval.intersect(asked).map(|interval| (interval, piece.holder)))
            .collect();
        let looked_up: Vec<_> = timeline.lookup(asked).iter().map(|piece| (piece.interval, piece.holder)).collect();
        prop_assert_eq!(&looked_up, &cut);
        let at = timeline.visible().at(asked.start).map(|piece| piece.holder);
        let there = timeline.visible().iter().find(|piece| piece.interval.contains_instant(asked.start));
        prop_assert_eq!(at, there.map(|piece| piece.holder));
        let mut overlapping = timeline.overlapping(asked);
        overlapping.sort_unstable();
        let expected: Vec<_> = timeline
            .holders()
            .filter(|holder| holder.interval.overlaps(asked) && !asked.is_empty())
            .map(|holder| holder.id)
            .collect();
        prop_assert_eq!(overlapping, expected);
    }

    #[test]
    fn a_segment_that_would_come_is_overshadowed_exactly_when_it_is_after_it_came(
        chunks in vec(chunk(), 0..24),
        added in vec(chunk(), 0..3),
        asked in chunk(),
    ) {
        let Ok(timeline) = Timeline::build(&set(&chunks)) else { return Ok(()) };
        let Ok(timeline) = timeline.with(&added.iter().map(new_holder).collect::<Vec<_>>(), &[]) else { return Ok(()) };
        let interval = hours(asked.start, asked.end);
        let would_be = timeline.would_be_overshadowed(interval, &asked.version);
        // Its coming can only matter where nothing of its own version is.
        if timeline.find(interval, &asked.version).is_none()
            && let Ok(after) = timeline.with(&[new_holder(&asked)], &[])
        {
            let id = after.find(interval, &asked.version).unwrap();
            prop_assert_eq!(after.is_overshadowed(id), would_be);
        }
    }
}
