//! One way a run can go: what becomes of every chunk in range, and what is there afterwards.
//!
//! What always holds: fates are sorted and disjoint, and each names the old pieces under it. What a world leaves open is
//! either / or per chunk (a fate with an "or" in its kind) or a list of alternatives ([`World::either`]).
//!
//! What it does not do: say how likely it is.

use druid::interval::{Instant, Interval};
use druid::order::Order as _;
use druid::timeline::{HolderId, NewHolder, Timeline};

use super::{Becomes, Born, Counts, Fate, FateKind, OldPiece, Outcome, Reason};

/// One way the run can go.
#[derive(Clone, Debug)]
pub struct World {
    /// Under which condition, as words that follow "if there is"; empty when it is the only one.
    pub when: String,
    /// How the run ends.
    pub outcome: Outcome,
    /// The server's or the task's own words, or ours, where it does not simply end well.
    pub reason: Option<String>,
    /// Every run of chunks in range, in order of time.
    pub fates: Vec<Fate>,
    /// It takes what other tasks do meanwhile, whatever the run's own rows are.
    pub by_others: bool,
    /// What is visible now in range, cut to the fates, in order of time.
    pub old: Vec<OldPiece>,
    /// What is published for certain, also by a compaction of which another part fails. A holder of a run of several chunks stands for one holder per chunk.
    pub added: Vec<NewHolder>,
    /// Places where an append can have one of several results.
    pub either: Vec<Either>,
    /// Whether there are more alternatives than are listed.
    pub is_cut: bool,
    /// Ids of unused segments that are deleted for good.
    pub deleted: Vec<String>,
    /// Ids of segments that a call marks used or unused.
    pub marked: Vec<String>,
    /// The numbers under the picture.
    pub counts: Counts,
    /// What will be visible, as far as it is certain.
    pub after: Timeline,
}

/// A stretch of time that ends up in one of several ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Either {
    /// The stretch. Outside it nothing depends on the choice.
    pub interval: Interval,
    /// What is published there, one list per way. An empty list is "nothing".
    pub alternatives: Vec<Vec<NewHolder>>,
}

impl World {
    pub(super) fn new(when: &str, outcome: Outcome, timeline: &Timeline) -> World {
        World {
            when: when.to_owned(),
            outcome,
            reason: None,
            fates: Vec::new(),
            by_others: false,
            old: Vec::new(),
            added: Vec::new(),
            either: Vec::new(),
            is_cut: false,
            deleted: Vec::new(),
            marked: Vec::new(),
            counts: Counts::default(),
            after: timeline.clone(),
        }
    }

    /// Turns it into a world in which nothing is published.
    pub(super) fn leave_all_as_it_is(&mut self) {
        for fate in &mut self.fates {
            let over = fate.over.start as usize..fate.over.end as usize;
            let holds = self.old.get(over).is_some_and(|pieces| !pieces.is_empty());
            fate.kind = if holds { FateKind::Kept } else { FateKind::Nothing };
            fate.why = Reason::NothingPublished;
            fate.born = Born::Served;
        }
        self.old.iter_mut().for_each(|piece| piece.becomes = Becomes::Stays);
        self.added.clear();
        self.either.clear();
        self.is_cut = false;
    }

    /// The old pieces under a fate.
    pub fn under(&self, fate: &Fate) -> &[OldPiece] {
        self.old.get(fate.over.start as usize..fate.over.end as usize).unwrap_or_default()
    }

    /// The segment holders that a fate is about: those visible under it, or, where none is, those that reach into it
    /// hidden. `now`: the timeline that the forecast was drawn from.
    pub fn behind(&self, now: &Timeline, fate: &Fate) -> Vec<HolderId> {
        let mut holders: Vec<HolderId> = self.under(fate).iter().map(|piece| piece.holder).collect();
        if holders.is_empty() {
            holders = now.overlapping(fate.interval);
        }
        holders.order();
        holders.dedup();
        holders
    }

    /// The fate of the chunk that holds an instant.
    pub fn fate_at(&self, at: Instant) -> Option<&Fate> {
        let after = self.fates.partition_point(|fate| fate.interval.end <= at);
        self.fates.get(after).filter(|fate| fate.interval.contains_instant(at))
    }

    /// Whether the input is known well enough that nothing here is open.
    pub fn is_certain(&self) -> bool {
        self.either.is_empty() && self.fates.iter().all(|fate| fate.kind.is_certain())
    }

    /// What becomes of a holder that is visible now and touched: its pieces in range.
    pub fn story(&self, holder: HolderId) -> impl Iterator<Item = &OldPiece> {
        self.old.iter().filter(move |piece| piece.holder == holder)
    }
}
