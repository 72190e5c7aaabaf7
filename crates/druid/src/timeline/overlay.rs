//! What a few segments coming and going change: the holders they touch, and the pieces of the windows of time
//! they cover. Everything else stays in the columns.

#![allow(clippy::indexing_slicing, reason = "every index is made here from the length of the same column")]

use crate::order::Order as _;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::build::{self, Base};
use super::complete::{Chunk, is_complete};
use super::pieces::{Served, Splice};
use super::sweep::{Contender, sweep};
use super::{HolderId, Illegal, NewHolder, Piece, VersionKey};
use crate::interval::{Instant, Interval, condense};
use crate::segment::{ChunkKind, Row, SegmentId, compare_versions};

/// Changes over a [`Base`].
#[derive(Debug)]
pub(super) struct Overlay {
    /// Everything that came and went so far, so that a further overlay can start from the columns again.
    pub(super) added: Vec<NewHolder>,
    pub(super) removed: Vec<Row>,
    /// Versions the columns do not have.
    pub(super) versions: Vec<(VersionKey, Arc<str>)>,
    /// Holders of the columns that gained or lost segments.
    pub(super) changed: BTreeMap<u32, State>,
    /// Holders the columns do not have; named from the length of the columns on.
    pub(super) new: Vec<State>,
    /// Places in `new`, by interval and version.
    by_name: Vec<u32>,
    pub(super) complete: Vec<Splice>,
    pub(super) any: Vec<Splice>,
}

/// A holder as the overlay leaves it.
#[derive(Debug)]
pub(super) struct State {
    pub(super) interval: Interval,
    pub(super) version: Arc<str>,
    pub(super) key: VersionKey,
    pub(super) segments: Vec<Row>,
    pub(super) added: Vec<NewHolder>,
    pub(super) complete: bool,
    pub(super) tombstone: bool,
}

impl State {
    pub(super) fn is_gone(&self) -> bool {
        self.segments.is_empty() && self.added.is_empty()
    }

    /// Sorts out what was added twice, and says whether the holder can be served.
    fn settle(&mut self, base: &Base) -> Result<(), Illegal> {
        // By ascending partition, as the columns have them.
        let mut chunks: Vec<Chunk<'_>> =
            self.segments.iter().map(|row| build::chunk(&base.set, *row)).collect();
        let mut added: Vec<NewHolder> = Vec::new();
        for new in &self.added {
            for partition in new.partitions.clone() {
                let chunk = Chunk { partition, core: new.core, kind: new.kind, range: None };
                match chunks.binary_search_by_key(&partition, |other| other.partition) {
                    Ok(at) if chunks[at].same(&chunk) => continue,
                    Ok(_) => {
                        return Err(Illegal {
                            reason: build::different_chunk_reason(partition),
                            segments: vec![self.segment_id(base, partition)],
                        });
                    }
                    Err(at) => chunks.insert(at, chunk),
                }
                match added.last_mut() {
                    Some(last) if last.partitions.end == partition && new.partitions.start < partition => {
                        last.partitions.end += 1;
                    }
                    _ => {
                        let partitions = partition..partition.saturating_add(1);
                        added.push(NewHolder { partitions, ..new.clone() });
                    }
                }
            }
        }
        self.tombstone = chunks.iter().all(|chunk| chunk.kind == ChunkKind::Tombstone) && !chunks.is_empty();
        self.complete = is_complete(chunks.iter().copied());
        self.added = added;
        Ok(())
    }

    fn segment_id(&self, base: &Base, partition: u32) -> SegmentId {
        SegmentId {
            datasource: base.set.datasource().into(),
            interval: self.interval,
            version: self.version.clone(),
            partition,
        }
    }
}

impl Overlay {
    pub(super) fn build(
        base: &Base,
        added: Vec<NewHolder>,
        mut removed: Vec<Row>,
    ) -> Result<Overlay, Illegal> {
        removed.order();
        removed.dedup();
        let mut overlay = Overlay {
            versions: new_versions(base, &added),
            added,
            removed,
            changed: BTreeMap::new(),
            new: Vec::new(),
            by_name: Vec::new(),
            complete: Vec::new(),
            any: Vec::new(),
        };
        overlay.remove_segments(base);
        overlay.add_segments(base);
        for state in overlay.changed.values_mut().chain(&mut overlay.new) {
            state.settle(base)?;
        }
        let windows = condense(overlay.changed.values().chain(&overlay.new).map(|state| state.interval));
        let contenders = overlay.contenders(base, &windows);
        for contenders in &contenders {
            overlay.refuse_clashes(base, contenders)?;
        }
        overlay.complete = splice(base.complete(), &windows, &contenders, true);
        overlay.any = splice(base.any(), &windows, &contenders, false);
        Ok(overlay)
    }

    /// The place in `new` of the holder of an interval and version.
    pub(super) fn find(&self, interval: Interval, version: &str) -> Option<usize> {
        let name = |place: &u32| {
            let state = &self.new[*place as usize];
            state.interval.cmp(&interval).then_with(|| (*state.version).cmp(version))
        };
        self.by_name.binary_search_by(name).ok().map(|at| self.by_name[at] as usize)
    }

    /// The holder as this overlay leaves it; `None` when it does not touch it.
    pub(super) fn state(&self, base: &Base, id: HolderId) -> Option<&State> {
        match (id.0 as usize).checked_sub(base.len()) {
            Some(at) => self.new.get(at),
            None => self.changed.get(&id.0),
        }
    }

    /// Whether an interval reaches into a splice.
    pub(super) fn touches(&self, splices: &[Splice], interval: Interval) -> bool {
        let at = splices.partition_point(|splice| splice.span.end <= interval.start);
        splices.get(at).is_some_and(|splice| splice.span.start < interval.end)
    }

    fn remove_segments(&mut self, base: &Base) {
        for row in &self.removed {
            let Some(interval) = base.set.interval(*row) else { continue };
            let Some(holder) = base.find(interval, base.set.version(*row)) else { continue };
            self.changed.entry(holder).or_insert_with(|| unchanged(base, holder));
        }
        for state in self.changed.values_mut() {
            state.segments.retain(|row| self.removed.binary_search(row).is_err());
        }
    }

    fn add_segments(&mut self, base: &Base) {
        // Looked up by the whole name, as a replacing run may bring many thousand holders.
        let mut places: BTreeMap<(Interval, Arc<str>), u32> = BTreeMap::new();
        for new in self.added.iter().filter(|new| !new.partitions.is_empty()) {
            if let Some(holder) = base.find(new.interval, &new.version) {
                let state = self.changed.entry(holder).or_insert_with(|| unchanged(base, holder));
                state.added.push(new.clone());
                continue;
            }
            let place = *places.entry((new.interval, new.version.clone())).or_insert_with(|| {
                self.new.push(State {
                    interval: new.interval,
                    version: new.version.clone(),
                    key: key(base, &self.versions, &new.version),
                    segments: Vec::new(),
                    added: Vec::new(),
                    complete: false,
                    tombstone: false,
                });
                self.new.len() as u32 - 1
            });
            self.new[place as usize].added.push(new.clone());
        }
        self.by_name = places.into_values().collect();
    }

    /// For each window everybody who overlaps it, by start; with whether they are complete.
    fn contenders(&self, base: &Base, windows: &[Interval]) -> Vec<Vec<(Contender, bool)>> {
        let changed = self.changed.iter().map(|(holder, state)| (*holder, state));
        let new = self.new.iter().enumerate().map(|(at, state)| ((base.len() + at) as u32, state));
        let mut moved: Vec<(u32, &State)> =
            changed.chain(new).filter(|(_, state)| !state.is_gone()).collect();
        moved.order_by_key(|(holder, state)| (state.interval, *holder));
        // Each of them lies in one window, as the windows are made of them.
        let mut moved = moved.into_iter().peekable();
        let in_window = |window: &Interval| {
            let mut found: Vec<(Contender, bool)> = Vec::new();
            base.overlapping(*window, &mut |holder| {
                if !self.changed.contains_key(&holder)
                    && let Some(mark) = base.mark(holder)
                {
                    let interval = base.interval(holder);
                    found.push((contender(holder, interval, mark.key()), mark.is(build::COMPLETE)));
                }
            });
            while let Some((holder, state)) = moved.next_if(|(_, state)| state.interval.start < window.end) {
                if state.interval.overlaps(*window) {
                    found.push((contender(holder, state.interval, state.key), state.complete));
                }
            }
            found.order_by_key(|(contender, _)| (contender.start, contender.end, contender.key));
            found
        };
        windows.iter().map(in_window).collect()
    }

    fn refuse_clashes(&self, base: &Base, contenders: &[(Contender, bool)]) -> Result<(), Illegal> {
        let mut farthest: BTreeMap<VersionKey, Contender> = BTreeMap::new();
        for (contender, _) in contenders {
            if let Some(before) = farthest.insert(contender.key, *contender)
                && before.end > contender.start
            {
                let (a, b) = (self.described(base, before.holder), self.described(base, contender.holder));
                let reason = build::same_version_reason(a.0, b.0, &a.1);
                return Err(Illegal { reason, segments: a.2.into_iter().chain(b.2).collect() });
            }
        }
        Ok(())
    }

    fn described(&self, base: &Base, holder: u32) -> (Interval, Arc<str>, Vec<SegmentId>) {
        let of_rows = |rows: &[Row]| {
            rows.iter().filter_map(|row| base.set.get(*row)).map(|segment| segment.id()).collect::<Vec<_>>()
        };
        match self.state(base, HolderId(holder)) {
            Some(state) => {
                let mut ids = of_rows(&state.segments);
                let added = state.added.iter().flat_map(|new| new.partitions.clone());
                ids.extend(added.map(|partition| state.segment_id(base, partition)));
                (state.interval, state.version.clone(), ids)
            }
            None => {
                let rank = base.mark(holder).map_or(0, build::Mark::rank);
                (base.interval(holder), base.version(rank).into(), of_rows(base.segments(holder)))
            }
        }
    }
}

fn contender(holder: u32, interval: Interval, key: VersionKey) -> Contender {
    Contender { key, holder, start: interval.start.ms(), end: interval.end.ms() }
}

/// A holder of the columns, before anything changes.
fn unchanged(base: &Base, holder: u32) -> State {
    let mark = base.mark(holder);
    let rank = mark.map_or(0, build::Mark::rank);
    State {
        interval: base.interval(holder),
        version: base.version(rank).into(),
        key: mark.map_or(0, build::Mark::key),
        segments: base.segments(holder).to_vec(),
        added: Vec::new(),
        complete: false,
        tombstone: false,
    }
}

/// Versions that the columns do not have, each with its place among the columns' ranks.
fn new_versions(base: &Base, added: &[NewHolder]) -> Vec<(VersionKey, Arc<str>)> {
    let mut texts: Vec<Arc<str>> = Vec::new();
    for new in added {
        // A run brings one version for all its chunks.
        if texts.last() != Some(&new.version) {
            texts.push(new.version.clone());
        }
    }
    texts.order_by(|a, b| compare_versions(a, b));
    texts.dedup();
    let mut placed: Vec<(VersionKey, Arc<str>)> = Vec::new();
    for text in texts {
        let mut is_new = false;
        let key = base.key_of(&text, |below| {
            is_new = true;
            // One above the last of those with the same columns' versions below them.
            placed.last().map_or(0, |(key, _)| *key).max(below << 32) - (below << 32) + 1
        });
        if is_new {
            placed.push((key, text));
        }
    }
    placed
}

fn key(base: &Base, new: &[(VersionKey, Arc<str>)], version: &str) -> VersionKey {
    match new.binary_search_by(|(_, text)| compare_versions(text, version)) {
        Ok(at) => new[at].0,
        Err(_) => base.key_of(version, |_| 0),
    }
}

/// Replaces the pieces of the windows.
fn splice(
    served: Served<'_>,
    windows: &[Interval],
    contenders: &[Vec<(Contender, bool)>],
    complete_only: bool,
) -> Vec<Splice> {
    let mut splices: Vec<Splice> = Vec::new();
    for (window, contenders) in windows.iter().zip(contenders) {
        let from = served.first_ending_at_or_after(window.start);
        let to = served.first_starting_after(window.end).max(from);
        let mut fresh: Vec<Piece> = Vec::new();
        let wanted = contenders.iter().filter(|(_, complete)| *complete || !complete_only);
        sweep(
            wanted.map(|(contender, _)| *contender),
            window.start.ms(),
            window.end.ms(),
            |start, end, holder| push(&mut fresh, start, end, holder),
        );
        // A window that touches a piece the one before has replaced goes on where that one ended.
        let (start_from, mut splice) = match splices.pop() {
            Some(before) if before.to > from => (before.to, before),
            before => {
                splices.extend(before);
                let untouched = Splice { from, to: from, span: *window, pieces: Vec::new() };
                (from, untouched)
            }
        };
        let mut after: Vec<Piece> = Vec::new();
        cut(&mut splice.pieces, &mut after, *window);
        for at in start_from..to {
            let piece = served.piece(at);
            splice.pieces.push(piece);
            splice.span.start = splice.span.start.min(piece.interval.start);
            splice.span.end = splice.span.end.max(piece.interval.end);
            cut(&mut splice.pieces, &mut after, *window);
        }
        splice.span.end = splice.span.end.max(window.end);
        splice.to = splice.to.max(to);
        for piece in fresh.into_iter().chain(after) {
            push(&mut splice.pieces, piece.interval.start.ms(), piece.interval.end.ms(), piece.holder.0);
        }
        splices.push(splice);
    }
    splices
}

/// Cuts the window out of the last piece of `before`; what sticks out behind it goes to `after`.
fn cut(before: &mut Vec<Piece>, after: &mut Vec<Piece>, window: Interval) {
    let Some(piece) = before.pop() else { return };
    let Interval { start, end } = piece.interval;
    if start < window.start {
        let interval = Interval { start, end: end.min(window.start) };
        before.push(Piece { interval, ..piece });
    }
    if end > window.end {
        let interval = Interval { start: start.max(window.end), end };
        after.push(Piece { interval, ..piece });
    }
}

/// Appends a piece, or lengthens the last one when it is the same holder's and abuts.
fn push(pieces: &mut Vec<Piece>, start: i64, end: i64, holder: u32) {
    let (start, end, holder) = (Instant::from_ms(start), Instant::from_ms(end), HolderId(holder));
    match pieces.last_mut() {
        Some(last) if last.holder == holder && last.interval.end == start => last.interval.end = end,
        _ => pieces.push(Piece { interval: Interval { start, end }, holder }),
    }
}
