//! The story of a holder: what it is, who lies over it and whom it lies over, since when, what would bring it back, when
//! it is gone, and what a run makes of it. All as values; [`Story::lines`] says the same in words.
//!
//! What always holds: who hides whom is the timeline's word (complete holders of higher versions); times come from versions
//! that are times, as locks make them, and are none where a version is not.
//!
//! What it does not do: know when something was loaded, or when the Coordinator last took the lead.

use druid::interval::{Instant, Interval, condense, subtract};
use druid::order::Order as _;
use druid::segment::compare_versions;
use druid::timeline::{Holder, HolderId, Timeline};

use super::{Becomes, World};
use crate::words;

/// What is to be told of a holder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its time chunk.
    pub interval: Interval,
    /// Its version.
    pub version: String,
    /// Whether it holds no rows and only hides.
    pub tombstone: bool,
    /// How many segments.
    pub segments: u64,
    /// Their rows, where the cluster says them.
    pub rows: Option<u64>,
    /// How it stands now.
    pub state: State,
    /// Complete holders of higher versions over it, the newest first. All of them would have to go to bring it back whole.
    pub above: Vec<Layer>,
    /// Holders of lower versions under it, the newest first. They would come to light where it went.
    pub below: Vec<Layer>,
    /// Since when it is served (its own version), or hidden whole (the version that covered the last of it).
    pub since: Option<Instant>,
    /// What a run makes of its pieces in range, each once.
    pub then: Vec<Becomes>,
}

/// A holder over or under another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Which.
    pub holder: HolderId,
    /// Where they overlap.
    pub overlap: Interval,
    /// Its version.
    pub version: String,
    /// Whether it is a tombstone.
    pub tombstone: bool,
}

/// How a holder stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Served whole.
    Served,
    /// Served only here.
    InPart(Vec<Interval>),
    /// Hidden everywhere.
    Hidden,
    /// Core partitions are missing: it serves nothing and hides nothing.
    Incomplete,
}

/// The story of a holder; `world` is the run that is looked at, if one is. None where the holder is gone.
pub fn story(timeline: &Timeline, id: HolderId, world: Option<&World>) -> Option<Story> {
    let holder = timeline.holder(id)?;
    let pieces = timeline.visible().within(holder.interval).filter(|piece| piece.holder == id);
    let visible = condense(pieces.map(|piece| piece.interval));
    let state = match visible.as_slice() {
        _ if !holder.complete => State::Incomplete,
        [] => State::Hidden,
        [whole] if *whole == holder.interval => State::Served,
        _ => State::InPart(visible),
    };
    let (above, below) = layers(timeline, &holder);
    let since = match state {
        State::Incomplete => None,
        State::Hidden => covered_at(&holder, &above),
        State::Served | State::InPart(_) => Instant::parse(holder.version).ok(),
    };
    let told = world.filter(|world| world.outcome.publishes());
    let mut then: Vec<Becomes> =
        told.into_iter().flat_map(|world| world.story(id)).map(|piece| piece.becomes).collect();
    then.order();
    then.dedup();
    Some(Story {
        interval: holder.interval,
        version: holder.version.to_owned(),
        tombstone: holder.tombstone,
        segments: holder.len() as u64,
        rows: holder.rows().filter(|_| !holder.tombstone),
        state,
        above,
        below,
        since: since.filter(|since| *since > Instant::EPOCH),
        then,
    })
}

/// Complete holders over it, and holders under it, the newest first.
fn layers(timeline: &Timeline, holder: &Holder<'_>) -> (Vec<Layer>, Vec<Layer>) {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for other in timeline.overlapping(holder.interval) {
        let Some(other) = timeline.holder(other).filter(|other| other.id != holder.id) else { continue };
        let Some(overlap) = other.interval.intersect(holder.interval) else { continue };
        let layer = Layer {
            holder: other.id,
            overlap,
            version: other.version.to_owned(),
            tombstone: other.tombstone,
        };
        match compare_versions(other.version, holder.version).is_gt() {
            true if other.complete => above.push(layer),
            false if holder.complete && other.complete => below.push(layer),
            _ => {}
        }
    }
    for list in [&mut above, &mut below] {
        list.order_by(|a, b| {
            compare_versions(&b.version, &a.version).then(a.overlap.start.cmp(&b.overlap.start))
        });
    }
    (above, below)
}

/// The version that covered the last of a hidden holder, as a time.
fn covered_at(holder: &Holder<'_>, above: &[Layer]) -> Option<Instant> {
    // The oldest so many of them hide it whole or not, and once they do, all that came later do: halved, not walked.
    let hides = |oldest: usize| {
        let over = above.iter().rev().take(oldest).map(|layer| layer.overlap);
        subtract(&[holder.interval], &condense(over)).is_empty()
    };
    let (mut short, mut enough) = (0, above.len());
    if !hides(enough) {
        return None;
    }
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if hides(middle) {
            enough = middle;
        } else {
            short = middle;
        }
    }
    let last = above.iter().rev().nth(enough.checked_sub(1)?)?;
    Instant::parse(&last.version).ok()
}

impl Story {
    /// The story in words, a line each, intervals as ISO texts.
    pub fn lines(&self) -> Vec<String> {
        self.lines_with(&|interval| interval.short())
    }

    /// The story in words, a line each, intervals as the caller writes them.
    pub fn lines_with(&self, span: &dyn Fn(Interval) -> String) -> Vec<String> {
        let mut facts = vec![words::count(self.segments, "segment")];
        match (self.tombstone, self.rows) {
            (true, _) => facts.push("a tombstone: no rows, it hides what lies under it".to_owned()),
            (false, Some(rows)) => facts.push(words::count(rows, "row")),
            (false, None) => {}
        }
        let mut lines = vec![
            format!("Version {} · {}", self.version, span(self.interval)),
            facts.join(" · "),
            self.now(span),
        ];
        lines.extend(self.back());
        lines.push(self.gone().to_owned());
        lines.extend(self.afterwards());
        lines
    }

    fn now(&self, span: &dyn Fn(Interval) -> String) -> String {
        let since = self.since.map(|since| format!(", since {} at the earliest", since.short()));
        let since = since.unwrap_or_default();
        let newest = self.above.first().map(|layer| layer.version.as_str()).unwrap_or_default();
        let over = match self.above.len() {
            0 => "nothing newer lies over it".to_owned(),
            1 => format!("version {newest} lies over it"),
            n => format!("{n} newer ones lie over it, the newest of version {newest}"),
        };
        match &self.state {
            State::Served => format!("Served{since}: {over}."),
            State::InPart(pieces) => {
                let pieces = words::listed(pieces.iter().map(|piece| span(*piece)), 3);
                format!("Served only in part, {pieces}: {over}.")
            }
            State::Hidden => format!("Hidden{since}: {over}."),
            State::Incomplete => {
                "Incomplete: core partitions are missing, so it serves nothing and hides nothing.".to_owned()
            }
        }
    }

    /// What would bring it back, and what comes to light where it goes.
    fn back(&self) -> Option<String> {
        match (&self.state, self.above.as_slice(), self.below.as_slice()) {
            (State::Hidden | State::InPart(_), [only], _) => Some(format!(
                "Marking version {} unused would bring it back, as long as it stays used.",
                only.version
            )),
            (State::Hidden | State::InPart(_), all, _) => Some(format!(
                "Marking all {} over it unused would bring it back whole, as long as it stays used.",
                all.len()
            )),
            (State::Served, _, [newest, ..]) => Some(format!(
                "It lies over {}; marking it unused would bring back version {}.",
                words::count(self.below.len() as u64, "older version"),
                newest.version
            )),
            _ => None,
        }
    }

    /// When it is gone (facts 2.8): `MarkOvershadowedSegmentsAsUnused`, then a kill task.
    fn gone(&self) -> &'static str {
        match self.state {
            State::Hidden => {
                "The Coordinator marks it unused once what hides it is loaded, at the earliest 15 minutes after it took the \
                 lead (markSegmentAsUnusedDelayMillis); from then on a kill task may delete it for good."
            }
            State::Served | State::InPart(_) => {
                "It stays until something newer covers it whole, or a rule drops it."
            }
            State::Incomplete => {
                "It stays used: what serves nothing is not cleaned up until something newer covers it."
            }
        }
    }

    fn afterwards(&self) -> Option<String> {
        let verb = |becomes: &Becomes| match becomes {
            Becomes::Stays => None,
            Becomes::Hidden => Some("hides it"),
            Becomes::MayBeHidden => Some("may hide it"),
            Becomes::Grows => Some("adds to it"),
            Becomes::MayGrow => Some("may add to it"),
            Becomes::Shrinks => Some("takes partitions from it"),
            Becomes::Gone => Some("takes it out of use"),
        };
        let verbs: Vec<&str> = self.then.iter().filter_map(verb).collect();
        (!verbs.is_empty()).then(|| format!("This run {} where they overlap.", verbs.join(" and ")))
    }
}
