//! The story of a bar: what it is, who is over whom, since when, and what would bring it back.

use super::{scene::Stands, state::PlanPage, words};
use backfill::forecast::Becomes;
use druid::order::Order as _;
use druid::{
    interval::{Interval, condense},
    timeline::{Holder, HolderId, Timeline},
};
use leptos::prelude::*;

/// The story, a line each. Empty where the bar is gone.
pub(super) fn story(page: PlanPage, bar: u32) -> String {
    let stands = page.picture.with(|picture| picture.stands.get(bar as usize).copied());
    match stands {
        Some(Stands::For(holder)) => page
            .with_timeline(|timeline| {
                timeline.and_then(|timeline| Some(of_holder(timeline, &timeline.holder(holder)?)))
            })
            .map(|now| format!("{now}{}", afterwards(page, holder))),
        Some(Stands::Fate(number)) => page.drawn.with(|drawn| {
            let fate = page.looked_at(drawn)?.fates.get(number as usize)?.clone();
            let chunks = if fate.chunks == u64::MAX {
                "any chunk".to_owned()
            } else {
                words::several(fate.chunks, "chunk")
            };
            Some(format!("This run · {} · {chunks}\n{}", words::span(fate.interval), fate.sentence()))
        }),
        None => None,
    }
    .unwrap_or_default()
}

/// What the run makes of a holder; nothing where it does not touch it.
fn afterwards(page: PlanPage, holder: HolderId) -> String {
    page.drawn.with(|drawn| {
        let Some(world) = page.looked_at(drawn).filter(|world| world.outcome.publishes()) else {
            return String::new();
        };
        let mut fates: Vec<&str> = world
            .story(holder)
            .filter_map(|piece| match piece.becomes {
                Becomes::Stays => None,
                Becomes::Hidden => Some("hides it"),
                Becomes::MayBeHidden => Some("may hide it"),
                Becomes::Grows => Some("adds to it"),
                Becomes::MayGrow => Some("may add to it"),
            })
            .collect();
        fates.order();
        fates.dedup();
        match fates.as_slice() {
            [] => String::new(),
            fates => format!("\nThis run {} where they overlap.", fates.join(" and ")),
        }
    })
}

fn of_holder(timeline: &Timeline, holder: &Holder<'_>) -> String {
    let mut facts = vec![words::several(holder.len() as u64, "segment")];
    if let Some(rows) = holder.rows().filter(|_| !holder.tombstone) {
        facts.push(format!("{} rows", words::count(rows)));
    }
    if holder.tombstone {
        facts.push("a tombstone: no rows, it hides what lies under it".to_owned());
    }
    let visible: Vec<Interval> = timeline
        .visible()
        .overlapping(holder.interval)
        .filter(|piece| piece.holder == holder.id)
        .map(|piece| piece.interval)
        .collect();
    let state = match (holder.complete, visible.as_slice()) {
        (false, _) => {
            "Incomplete: core partitions are missing, so it serves nothing and hides nothing.".to_owned()
        }
        (true, []) => format!("Hidden: {}.", over(timeline, holder)),
        (true, pieces) if condense(pieces.iter().copied()) == [holder.interval] => {
            "Served: nothing newer lies over it.".to_owned()
        }
        (true, pieces) => {
            let seen: Vec<String> = pieces.iter().take(3).map(|piece| words::span(*piece)).collect();
            format!("Served only in part: {}. Elsewhere {}.", seen.join(", "), over(timeline, holder))
        }
    };
    format!("Version {} · {}\n{}\n{state}", holder.version, words::span(holder.interval), facts.join(" · "))
}

/// Who lies over a holder.
fn over(timeline: &Timeline, holder: &Holder<'_>) -> String {
    let mut versions: Vec<String> = timeline
        .visible()
        .overlapping(holder.interval)
        .filter(|piece| piece.holder != holder.id)
        .filter_map(|piece| timeline.holder(piece.holder).map(|above| above.version.to_owned()))
        .collect();
    versions.order();
    versions.dedup();
    match versions.as_slice() {
        [] => "nothing complete is served there".to_owned(),
        [one] => format!(
            "version {one} lies over it; marking that unused would bring it back, as long as it stays used"
        ),
        [.., newest] => format!("{} newer versions lie over it, the newest {newest}", versions.len()),
    }
}
