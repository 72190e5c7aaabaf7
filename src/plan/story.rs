//! The story of a bar, as `backfill::forecast::story` and the fates of the forecast tell it.

use super::{scene::Stands, state::PlanPage, words};
use leptos::prelude::*;

/// The story, a line each. Empty where the bar is gone.
pub(super) fn story(page: PlanPage, bar: u32) -> String {
    let stands = page.picture.with(|picture| picture.stands.get(bar as usize).copied());
    match stands {
        Some(Stands::For(holder)) => page.with_timeline(|timeline| {
            let told = page
                .drawn
                .with(|drawn| backfill::forecast::story(timeline?, holder, page.looked_at(drawn)))?;
            Some(told.lines_with(&words::span).join("\n"))
        }),
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
