//! From a timeline and a forecast to bars: what the picture shows. Pure.
//!
//! What always holds: Now shows what is; After shows the world that is looked at, where the input decides as either /
//! or; Difference is After with everything the run does not touch paled. A bar's id leads back to what it stands for.

use super::{
    lanes::{Lanes, lanes},
    words,
};
use crate::timeline::{LaneName, LockName, Scene, Shared};
use backfill::forecast::{Becomes, Born, Fate, FateKind, Forecast, Intent, Reason, World};
use chart::{Bar, LockMark, Mark, Span, Store};
use druid::order::Order as _;
use druid::{
    granularity::Granularity,
    interval::Interval,
    lock::Held,
    timeline::{Holder, HolderId, Timeline},
};

/// Which picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// What is served now.
    Now,
    /// What would be served afterwards.
    #[default]
    After,
    /// What changes.
    Difference,
}

impl Show {
    /// The name in the address.
    pub const fn slug(self) -> &'static str {
        match self {
            Show::Now => "now",
            Show::After => "after",
            Show::Difference => "difference",
        }
    }

    /// From the name in the address.
    pub fn parse(slug: &str) -> Option<Show> {
        [Show::Now, Show::After, Show::Difference].into_iter().find(|show| show.slug() == slug)
    }
}

/// What a bar stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// A holder that is there.
    For(HolderId),
    /// A chunk that the run decides: the number of its fate.
    Fate(u32),
}

/// Most bars drawn for the chunks of the run; beyond it each stretch of one fate is one bar.
const MOST_CHUNKS: u64 = 20_000;

struct Builder<'a> {
    timeline: &'a Timeline,
    lanes: &'a Lanes,
    bars: Vec<Bar>,
    stands: Vec<Stands>,
}

impl Builder<'_> {
    fn bar(&mut self, lane: u32, over: Interval, mark: Mark, weight: f32, stands: Stands) {
        let id = u32::try_from(self.stands.len()).unwrap_or(u32::MAX);
        self.stands.push(stands);
        self.bars.push(Bar { start: over.start.ms(), end: over.end.ms(), lane, id, weight, mark });
    }

    fn holder(&mut self, holder: &Holder<'_>, over: Interval, mark: Mark) {
        let lane = self.lanes.of.get(&holder.id).copied().unwrap_or(0);
        // Rows where the cluster says them, else bytes in thousands: enough for a relative height.
        let weight = holder.rows().map_or(holder.size() as f32 / 1_000.0, |rows| rows as f32);
        let whole = holder.interval.duration_ms().max(1) as f32;
        let part = over.duration_ms() as f32 / whole;
        self.bar(lane, over, mark, (weight * part).max(1.0), Stands::For(holder.id));
    }
}

/// A scene, and what each of its bar ids stands for.
#[derive(Debug)]
pub struct Picture {
    /// What is drawn.
    pub scene: Shared<Scene>,
    /// By bar id.
    pub stands: Vec<Stands>,
}

impl Default for Picture {
    fn default() -> Self {
        Picture { scene: Shared::new(Scene::default()), stands: Vec::new() }
    }
}

/// The picture of a timeline, and of one world of a forecast over it.
pub fn picture(
    timeline: &Timeline,
    forecast: Option<(&Forecast, &World)>,
    locks: &[Held],
    show: Show,
) -> Picture {
    let run = forecast
        .filter(|(_, world)| world.outcome.publishes() || !world.fates.is_empty())
        // What is marked unused makes nothing of its own.
        .filter(|(forecast, _)| forecast.intent != Intent::MarkUnused)
        .map(|(forecast, _)| (&*forecast.version, forecast.effective.as_slice()));
    let lanes = lanes(timeline, run);
    let mut builder = Builder { timeline, lanes: &lanes, bars: Vec::new(), stands: Vec::new() };
    let world = match show {
        Show::Now => None,
        Show::After | Show::Difference => {
            forecast.map(|(_, world)| world).filter(|world| world.outcome.publishes())
        }
    };
    old(&mut builder, world, show);
    if let (Some(world), Some((forecast, _)), Some(lane)) = (world, forecast, lanes.run) {
        new(&mut builder, forecast, world, lane);
    }
    let spans =
        |intervals: &[Interval]| intervals.iter().map(|i| Span::new(i.start.ms(), i.end.ms())).collect();
    let (typed, effective, widened) = match forecast {
        Some((forecast, _)) => (spans(&forecast.typed), spans(&forecast.effective), spans(&forecast.widened)),
        None => Default::default(),
    };
    let widened_words = forecast
        .map(|(forecast, _)| {
            forecast
                .widened
                .iter()
                .map(|more| format!("{} more", words::length(more.duration_ms())))
                .collect()
        })
        .unwrap_or_default();
    let named = forecast
        .and_then(|(forecast, world)| lanes.run.map(|lane| (forecast, world, lane)))
        .map(|(_, world, _)| words_in_bars(&builder, world))
        .unwrap_or_default();
    let scene = Scene {
        store: Store::build(lanes.versions.len(), builder.bars),
        lanes: names(timeline, &lanes, forecast.map(|(forecast, _)| forecast)),
        typed,
        effective,
        widened,
        widened_words,
        locks: locks.iter().filter(|lock| !lock.revoked).map(|lock| lock_name(lock, forecast)).collect(),
        words: named,
        summary: summary(timeline, forecast),
    };
    Picture { scene: Shared::new(scene), stands: builder.stands }
}

/// A lock as a mark: solid where the run has to wait for it.
fn lock_name(lock: &Held, forecast: Option<(&Forecast, &World)>) -> LockName {
    let blocks = forecast.is_some_and(|(forecast, _)| {
        forecast
            .conflicts
            .iter()
            .any(|conflict| conflict.interval == lock.interval && conflict.task_id == lock.group_id)
    });
    LockName {
        mark: LockMark { span: Span::new(lock.interval.start.ms(), lock.interval.end.ms()), blocks },
        name: format!("{} · {} · priority {}", lock.group_id, lock.kind.name(), lock.priority),
    }
}

/// Words for the run's own bars, where they are wide enough.
fn words_in_bars(builder: &Builder<'_>, world: &World) -> Vec<(u32, &'static str)> {
    let word = |kind: FateKind| match kind {
        FateKind::New => Some("new rows"),
        FateKind::Tombstone => Some("emptied"),
        FateKind::NewOrTombstone | FateKind::NewOrKept | FateKind::NewOrNothing | FateKind::Mixed => {
            Some("?")
        }
        FateKind::Back => Some("again"),
        FateKind::Kept
        | FateKind::Nothing
        | FateKind::Appended
        | FateKind::AppendedOrKept
        | FateKind::Gone
        | FateKind::Thinned => None,
    };
    let stands = builder.stands.iter().enumerate();
    stands
        .filter_map(|(id, stands)| match stands {
            Stands::Fate(number) => {
                let fate = world.fates.get(*number as usize)?;
                Some((u32::try_from(id).ok()?, word(fate.kind)?))
            }
            Stands::For(_) => None,
        })
        .collect()
}

/// The picture in one sentence.
fn summary(timeline: &Timeline, forecast: Option<(&Forecast, &World)>) -> String {
    let segments = timeline.segments();
    let mut text = format!(
        "{}: {}, {}.",
        segments.datasource(),
        words::several(segments.len() as u64, "segment"),
        words::several(segments.versions().count() as u64, "version"),
    );
    if let Some((_, world)) = forecast {
        let counts = &world.counts;
        text.push_str(&format!(
            " After the run: {} replaced, {} emptied, {} hidden.",
            words::several(counts.replaced.chunks.most, "chunk"),
            words::count(counts.emptied.chunks.most),
            words::several(counts.hidden.holders.most, "older chunk"),
        ));
    }
    text
}

/// Bars of what is there.
fn old(builder: &mut Builder<'_>, world: Option<&World>, show: Show) {
    let timeline = builder.timeline;
    let mut touched = world.map(|world| world.old.as_slice()).unwrap_or_default();
    let calm = |mark: Mark| if show == Show::Difference { Mark::Untouched } else { mark };
    // Visible pieces in order of time, cut where the world says what becomes of them.
    let mut seen: std::collections::HashMap<HolderId, Vec<Interval>> = std::collections::HashMap::new();
    for piece in timeline.visible().iter() {
        let Some(holder) = timeline.holder(piece.holder) else { continue };
        seen.entry(piece.holder).or_default().push(piece.interval);
        let plain = if holder.tombstone { Mark::Tombstone } else { Mark::Served };
        let mut from = piece.interval.start;
        while let Some((first, rest)) = touched.split_first() {
            if first.interval.start >= piece.interval.end {
                break;
            }
            touched = rest;
            if first.holder != piece.holder {
                continue;
            }
            if let Some(before) = Interval::new(from, first.interval.start).filter(|i| !i.is_empty()) {
                builder.holder(&holder, before, calm(plain));
            }
            let mark = match (first.becomes, holder.tombstone) {
                (Becomes::Stays, _) => calm(plain),
                (Becomes::Hidden, true) => Mark::HiddenTombstone,
                (Becomes::Hidden, false) => Mark::Hidden,
                (Becomes::MayBeHidden, _) => Mark::EitherHidden,
                (Becomes::Grows, _) => Mark::Doubled,
                (Becomes::MayGrow, _) => Mark::Appended,
                (Becomes::Shrinks, _) => plain,
                // Not there any more: nothing is drawn.
                (Becomes::Gone, _) => {
                    from = first.interval.end;
                    continue;
                }
            };
            builder.holder(&holder, first.interval, mark);
            from = first.interval.end;
        }
        if let Some(after) = Interval::new(from, piece.interval.end).filter(|i| !i.is_empty()) {
            builder.holder(&holder, after, calm(plain));
        }
    }
    for (id, pieces) in world.map(uncovered).unwrap_or_default() {
        let Some(holder) = timeline.holder(id) else { continue };
        let mark = match (show, holder.tombstone) {
            (_, true) => Mark::Tombstone,
            (Show::Difference, false) => Mark::New,
            (_, false) => Mark::Served,
        };
        pieces.iter().for_each(|piece| builder.holder(&holder, *piece, mark));
        let all = seen.entry(id).or_default();
        all.extend(pieces);
        all.order();
    }
    let is_gone = |id: HolderId| world.is_some_and(|world| world.after.holder(id).is_none());
    for holder in timeline.holders().filter(|holder| !is_gone(holder.id)) {
        let visible = seen.get(&holder.id).map(Vec::as_slice).unwrap_or_default();
        let mark = match (holder.complete, holder.tombstone) {
            (false, _) => Mark::Incomplete,
            (true, true) => Mark::HiddenTombstone,
            (true, false) => Mark::Hidden,
        };
        for hidden in druid::interval::subtract(&[holder.interval], visible) {
            builder.holder(&holder, hidden, calm(mark));
        }
    }
}

/// What comes to light where what lay on top is marked unused.
fn uncovered(world: &World) -> std::collections::HashMap<HolderId, Vec<Interval>> {
    let mut lit: std::collections::HashMap<HolderId, Vec<Interval>> = std::collections::HashMap::new();
    for fate in world.fates.iter().filter(|fate| matches!(fate.why, Reason::Uncovered { .. })) {
        for piece in world.after.lookup(fate.interval) {
            lit.entry(piece.holder).or_default().push(piece.interval);
        }
    }
    lit
}

/// Bars of what the run decides: a bar a chunk, or, where those would be too many, a bar a fate.
fn new(builder: &mut Builder<'_>, forecast: &Forecast, world: &World, lane: u32) {
    let drawn = || world.fates.iter().enumerate().filter_map(|(at, fate)| Some((at, fate, mark(fate)?)));
    let few = |fate: &Fate| fate.chunks <= MOST_CHUNKS;
    let in_all: u64 = drawn().map(|(_, fate, _)| fate).filter(|fate| few(fate)).map(|fate| fate.chunks).sum();
    let cut = forecast.granularity.as_ref().filter(|_| in_all <= MOST_CHUNKS);
    for (number, fate, mark) in drawn() {
        let stands = Stands::Fate(u32::try_from(number).unwrap_or(u32::MAX));
        match cut.filter(|_| fate.chunks > 1 && few(fate)) {
            Some(granularity) => {
                chunks(granularity, fate).for_each(|chunk| builder.bar(lane, chunk, mark, 1.0, stands))
            }
            None => builder.bar(lane, fate.interval, mark, 1.0, stands),
        }
    }
}

fn chunks(granularity: &Granularity, fate: &Fate) -> impl Iterator<Item = Interval> {
    granularity.buckets(fate.interval)
}

/// The mark of a fate on the run's lane; none where nothing of the run's own comes.
fn mark(fate: &Fate) -> Option<Mark> {
    if fate.born == Born::Hidden
        && matches!(fate.kind, FateKind::New | FateKind::Tombstone | FateKind::NewOrTombstone)
    {
        return Some(Mark::BornHidden);
    }
    match fate.kind {
        FateKind::New => Some(Mark::New),
        FateKind::Tombstone => Some(Mark::Tombstone),
        FateKind::NewOrTombstone => Some(Mark::EitherTomb),
        FateKind::NewOrKept | FateKind::NewOrNothing | FateKind::Mixed => Some(Mark::EitherKept),
        // What comes back from among the unused lies where a run's own would.
        FateKind::Back if matches!(fate.why, Reason::MarkedUsed { .. }) => Some(Mark::New),
        FateKind::Back
        | FateKind::Kept
        | FateKind::Nothing
        | FateKind::Appended
        | FateKind::AppendedOrKept
        | FateKind::Gone
        | FateKind::Thinned => None,
    }
}

/// "18 Jul 03:00" over "hour", or a span of versions over their number.
fn names(timeline: &Timeline, lanes: &Lanes, forecast: Option<&Forecast>) -> Vec<LaneName> {
    let mut sizes: Vec<Vec<i64>> = vec![Vec::new(); lanes.versions.len()];
    for holder in timeline.holders() {
        let lane = lanes.of.get(&holder.id).copied().unwrap_or(0) as usize;
        if let Some(all) = sizes.get_mut(lane)
            && !all.contains(&holder.interval.duration_ms())
            && all.len() < 4
        {
            all.push(holder.interval.duration_ms());
        }
    }
    lanes
        .versions
        .iter()
        .zip(sizes)
        .enumerate()
        .map(|(lane, (versions, sizes))| {
            if lanes.run == u32::try_from(lane).ok() {
                let chunks = forecast.and_then(|forecast| forecast.granularity.as_ref());
                let sub = chunks
                    .map(|granularity| words::granularity(&granularity.to_string()))
                    .unwrap_or_default();
                return LaneName { name: "this run".to_owned(), sub };
            }
            let mut sizes = sizes;
            sizes.order();
            let chunk: Vec<&str> = sizes.iter().map(|ms| words::chunk_length(*ms)).collect();
            let mut chunk_words = chunk;
            chunk_words.dedup();
            let spelled = chunk_words.join(", ");
            match versions.as_slice() {
                [] => LaneName::default(),
                [only] => LaneName { name: words::version(only), sub: spelled },
                [newest, ..] => LaneName {
                    name: words::version(newest),
                    sub: format!("and {} older · {spelled}", versions.len() - 1),
                },
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "scene_tests.rs"]
mod tests;
