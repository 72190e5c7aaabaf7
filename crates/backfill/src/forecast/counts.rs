//! The numbers under the picture: how much is replaced, emptied, hidden, kept, counted twice.
//!
//! What always holds: `least` is what happens for certain, `most` what may happen; they are equal where the input is
//! known. Rows are counted where the cluster says them, and only of holders that are hidden as a whole: of a holder that
//! is hidden in part nobody knows how many of its rows lie where.

use std::collections::BTreeMap;

use druid::interval::{Interval, subtract};
use druid::timeline::{HolderId, Timeline};

use super::World;
use super::fate::{Becomes, Born, FateKind, OldPiece};

/// From what is certain to what may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Count {
    /// At least so many.
    pub least: u64,
    /// At most so many; `u64::MAX` where nobody can count them.
    pub most: u64,
}

/// Chunks, segment holders and rows to which one thing happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Time chunks of the run.
    pub chunks: Count,
    /// Segment holders (one interval, one version) that are there now.
    pub holders: Count,
    /// Their rows, as far as the cluster says them.
    pub rows: Count,
}

/// Visible rows outside the typed intervals that the run hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// Whose rows.
    pub holder: HolderId,
    /// The stretch that is hidden and was not typed.
    pub interval: Interval,
    /// Whether it happens whatever the input.
    pub certain: bool,
}

/// Everything counted over one world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Chunks that hold rows now and get new ones in a new version.
    pub replaced: Tally,
    /// Chunks that hold rows now and get a tombstone.
    pub emptied: Tally,
    /// Chunks that hold nothing now and get rows.
    pub filled: Count,
    /// Chunks that hold rows now and stay as they are.
    pub kept: Tally,
    /// Holders with rows of which nothing stays visible.
    pub hidden: Tally,
    /// Holders with rows of which a part stays visible.
    pub hidden_in_part: Tally,
    /// Holders with rows that get further partitions: the same data twice, if it is the same data.
    pub doubled: Tally,
    /// New chunks and tombstones that existing newer versions hide at birth, wholly or in part.
    pub born_hidden: Count,
    /// Stretches outside the typed intervals whose rows the run hides.
    pub neighbours: Vec<Neighbour>,
    /// Their length in milliseconds.
    pub not_named: Count,
}

impl Count {
    fn add(&mut self, n: u64, certain: bool, possible: bool) {
        if certain {
            self.least = self.least.saturating_add(n);
        }
        if possible {
            self.most = self.most.saturating_add(n);
        }
    }

    /// Whether it may happen at all.
    pub fn may_be(self) -> bool {
        self.most > 0
    }

    /// Whether the input no longer matters.
    pub fn is_certain(self) -> bool {
        self.least == self.most
    }
}

/// What of one holder is hidden, over all its pieces in range.
#[derive(Default)]
struct Share {
    hidden: i64,
    may_be: i64,
    may_grow: bool,
    grows: bool,
}

/// `named`: what somebody asked to be worked on; none where no intervals were given.
pub(super) fn of(timeline: &Timeline, named: Option<&[Interval]>, world: &World) -> Counts {
    let mut counts = Counts::default();
    for fate in &world.fates {
        let under = world.under(fate);
        let holds_data = under.iter().any(|piece| piece.holds_data);
        let only = |kind: FateKind| fate.kind.may() == [kind];
        let may = |kind: FateKind| fate.kind.may().contains(&kind);
        if fate.born != Born::Served {
            let certain =
                only(FateKind::New) || only(FateKind::Tombstone) || fate.kind == FateKind::NewOrTombstone;
            counts.born_hidden.add(fate.chunks, certain, true);
        }
        if fate.born == Born::Hidden {
            continue;
        }
        if holds_data {
            let new = |kind: FateKind| matches!(kind, FateKind::New | FateKind::Back);
            let empty = |kind: FateKind| matches!(kind, FateKind::Tombstone | FateKind::Gone);
            let all = |is: &dyn Fn(FateKind) -> bool| fate.kind.may().iter().all(|kind| is(*kind));
            let any = |is: &dyn Fn(FateKind) -> bool| fate.kind.may().iter().any(|kind| is(*kind));
            counts.replaced.chunks.add(fate.chunks, all(&new), any(&new));
            counts.emptied.chunks.add(fate.chunks, all(&empty), any(&empty));
            counts.kept.chunks.add(fate.chunks, only(FateKind::Kept), may(FateKind::Kept));
            counts.doubled.chunks.add(fate.chunks, only(FateKind::Appended), may(FateKind::Appended));
        } else {
            let fills = may(FateKind::New) || may(FateKind::Back);
            counts.filled.add(fate.chunks, fate.kind.is_certain() && fills, fills);
        }
    }
    holders(timeline, world, &mut counts);
    // Without intervals nothing was named, so nothing is a neighbour.
    counts.neighbours = named.map(|named| neighbours(named, world)).unwrap_or_default();
    for neighbour in &counts.neighbours {
        counts.not_named.add(neighbour.interval.duration_ms().unsigned_abs(), neighbour.certain, true);
    }
    counts
}

/// Sums over holders: one that lies in a single piece at once, the others by what is hidden of them.
fn holders(timeline: &Timeline, world: &World, counts: &mut Counts) {
    let mut shares: BTreeMap<HolderId, Share> = BTreeMap::new();
    for piece in world.old.iter().filter(|piece| piece.holds_data) {
        let Some(holder) = timeline.holder(piece.holder) else { continue };
        let mut share = Share::default();
        share.take(piece);
        if holder.interval == piece.interval {
            let rows = holder.rows().unwrap_or(0);
            counts.share(&share, piece.interval.duration_ms(), rows);
        } else {
            shares.entry(piece.holder).or_default().take(piece);
        }
    }
    for (id, share) in shares {
        let Some(holder) = timeline.holder(id) else { continue };
        let visible = timeline.visible().within(holder.interval).filter(|piece| piece.holder == id);
        let whole: i64 = visible.map(|piece| piece.interval.duration_ms()).fold(0, i64::saturating_add);
        counts.share(&share, whole, holder.rows().unwrap_or(0));
    }
}

impl Count {
    fn plus(&mut self, other: Count) {
        self.least = self.least.saturating_add(other.least);
        self.most = self.most.saturating_add(other.most);
    }
}

impl Tally {
    fn plus(&mut self, other: Tally) {
        self.chunks.plus(other.chunks);
        self.holders.plus(other.holders);
        self.rows.plus(other.rows);
    }
}

impl Share {
    fn take(&mut self, piece: &OldPiece) {
        let length = piece.interval.duration_ms();
        match piece.becomes {
            Becomes::Hidden | Becomes::Gone => self.hidden = self.hidden.saturating_add(length),
            Becomes::MayBeHidden => self.may_be = self.may_be.saturating_add(length),
            Becomes::Grows => (self.grows, self.may_grow) = (true, true),
            Becomes::MayGrow => self.may_grow = true,
            Becomes::Stays | Becomes::Shrinks => {}
        }
    }
}

impl Counts {
    /// Counts of another part of the same run: parts share no holder.
    pub(super) fn add_up(&mut self, other: &Counts) {
        self.replaced.plus(other.replaced);
        self.emptied.plus(other.emptied);
        self.filled.plus(other.filled);
        self.kept.plus(other.kept);
        self.hidden.plus(other.hidden);
        self.hidden_in_part.plus(other.hidden_in_part);
        self.doubled.plus(other.doubled);
        self.born_hidden.plus(other.born_hidden);
        self.neighbours.extend_from_slice(&other.neighbours);
        self.not_named.plus(other.not_named);
    }

    /// One holder of which `whole` milliseconds are visible now.
    fn share(&mut self, share: &Share, whole: i64, rows: u64) {
        let may = share.hidden.saturating_add(share.may_be);
        let all = (share.hidden >= whole, may >= whole);
        let part = (share.hidden > 0 && may < whole, may > 0 && share.hidden < whole);
        for (tally, (certain, possible)) in [
            (&mut self.hidden, all),
            (&mut self.hidden_in_part, part),
            (&mut self.kept, (may == 0 && !share.may_grow, share.hidden == 0 && !share.grows)),
            (&mut self.doubled, (share.grows, share.may_grow)),
        ] {
            tally.holders.add(1, certain, possible);
            tally.rows.add(rows, certain, possible);
        }
    }
}

/// Visible rows that are hidden and were not named.
fn neighbours(named: &[Interval], world: &World) -> Vec<Neighbour> {
    let mut found: Vec<Neighbour> = Vec::new();
    for piece in &world.old {
        let certain = match piece.becomes {
            Becomes::Hidden | Becomes::Gone => true,
            Becomes::MayBeHidden => false,
            _ => continue,
        };
        if !piece.holds_data {
            continue;
        }
        let from = named.partition_point(|typed| typed.end <= piece.interval.start);
        let over = named.get(from..).unwrap_or_default();
        let until = over.partition_point(|typed| typed.start < piece.interval.end);
        let over = over.get(..until).unwrap_or_default();
        if let [typed] = over
            && typed.start <= piece.interval.start
            && piece.interval.end <= typed.end
        {
            continue;
        }
        for interval in subtract(&[piece.interval], over) {
            found.push(Neighbour { holder: piece.holder, interval, certain });
        }
    }
    found
}
