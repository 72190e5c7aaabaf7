//! Which segments a mark call takes: none at all, more than meant, or so many (facts 6.3).
//!
//! By interval only segments that lie wholly inside are marked. Marking used leaves out what a newer version covers. Before
//! 30 `versions` is an unknown key and does nothing. From 37 on the Overlord's cache drops what merely overlaps as well:
//! `HeapMemoryDatasourceSegmentCache`.

use druid::endpoint::Marks;
use druid::interval::Interval;
use druid::json::{Edit, Path, quote};
use druid::release::Release;
use druid::spec::Mark;

use super::saw::Saw;
use super::{Finding, Seen, edits};
use crate::forecast::{Fate, Outcome, Reason, TakenAway, World};
use crate::words::{agreeing, count, intervals};

pub(super) const NAME: &str = "mark-takes";

pub(super) fn look(seen: &Seen<'_>) -> Vec<Finding> {
    let (Some(mark), Some(world)) = (seen.mark(), seen.worst) else { return Vec::new() };
    if world.outcome == Outcome::Refused {
        let why = world.reason.clone().unwrap_or_default();
        let told = !seen.refusals.is_empty();
        let stop = || {
            Finding::stop(
                NAME,
                "The server refuses the call and marks nothing",
                format!("In its own words: {why}"),
            )
        };
        return if told { Vec::new() } else { vec![stop()] };
    }
    let word = if mark.used { "used" } else { "unused" };
    let taken = world.marked.len() as u64;
    let saw = world.marked.iter().fold(Saw::new(NAME), |saw, id| saw.text(id));
    let mut found =
        vec![if taken == 0 {
        Finding::warn(NAME, format!("No segment is marked {word}"), nothing(seen, mark))
    } else {
        let title = format!("{} {} marked {word}", count(taken, "segment"), agreeing(taken, "is", "are"));
        let why = if mark.used {
            "What newer segments cover is left out; what is marked has to be loaded before it is served."
        } else {
            "They stay in the metadata store and in deep storage until a kill task deletes them."
        };
        Finding::pass(NAME, title, why).number(taken)
    }
    .saw(&saw)];
    found.extend(versions_ignored(seen, mark));
    found.extend(lost_from_cache(seen, world));
    found
}

fn nothing(seen: &Seen<'_>, mark: &Mark) -> String {
    match &mark.marks {
        Some(Marks::Inside { versions: Some(versions), .. }) if versions.is_empty() => {
            "The list of versions is empty: it means no version, not all of them.".to_owned()
        }
        Some(Marks::Inside { interval, .. }) if !mark.used => match overlapping(seen, *interval).as_slice() {
            [] => "No used segment lies inside the interval.".to_owned(),
            some => format!(
                "Only segments that lie wholly inside the interval are marked; {} {} out of it.",
                intervals(some, 3),
                agreeing(some.len() as u64, "sticks", "stick")
            ),
        },
        Some(Marks::Inside { .. } | Marks::Ids(_)) if mark.used => {
            "No unused segment that is meant is left over: none lies wholly inside, or newer ones cover them whole."
                .to_owned()
        }
        _ => "None of the ids is a used segment's; the call passes over those it does not know.".to_owned(),
    }
}

fn overlapping(seen: &Seen<'_>, interval: Interval) -> Vec<Interval> {
    let timeline = seen.question.timeline;
    timeline
        .overlapping(interval)
        .into_iter()
        .filter_map(|id| timeline.holder(id))
        .map(|holder| holder.interval)
        .collect()
}

fn versions_ignored(seen: &Seen<'_>, mark: &Mark) -> Option<Finding> {
    let named = matches!(&mark.marks, Some(Marks::Inside { versions: Some(_), .. }));
    (named && seen.question.release < Release::major(30)).then(|| {
        let why = "Servers before 30 do not know the key versions: they mark segments of every version inside the interval. \
                   Name segmentIds instead.";
        Finding::warn(NAME, "The versions are not looked at", why)
    })
}

/// Segments that the cache drops although they are not marked.
fn lost_from_cache(seen: &Seen<'_>, world: &World) -> Option<Finding> {
    let is_lost = |fate: &&Fate| {
        matches!(
            fate.why,
            Reason::Uncovered { how: TakenAway::FromCache, .. }
                | Reason::NothingUnder { how: TakenAway::FromCache }
        )
    };
    let lost: Vec<Interval> = world.fates.iter().filter(is_lost).map(|fate| fate.interval).collect();
    if lost.is_empty() {
        return None;
    }
    let number = lost.len() as u64;
    let saw = lost.iter().fold(Saw::new(NAME), |saw, interval| saw.text(&interval.short()));
    let why = format!(
        "Segments that stick out of the interval are not marked, and yet vanish: Druid {} drops them from the Overlord's cache \
         of segments, on by default since 37, and nothing serves {} until the service starts anew. Name segmentIds instead of \
         an interval.",
        seen.question.release,
        intervals(&lost, 3),
    );
    let ids: Vec<String> = world.marked.iter().map(|id| quote(id)).collect();
    let fix = edits::fix(
        "Name the segments instead",
        vec![
            Edit::Remove(Path::keys(&["interval"])),
            Edit::Set(Path::keys(&["segmentIds"]), format!("[{}]", ids.join(", "))),
        ],
    );
    let title = format!("{} beside the interval would vanish", count(number, "range"));
    let found = Finding::stop(NAME, title, why).number(number).saw(&saw);
    // With versions beside ids the call is refused, and without any id as well.
    let has_versions = seen.document().get(&Path::keys(&["versions"])).is_some();
    Some(if ids.is_empty() || has_versions { found } else { found.fix(fix) })
}
