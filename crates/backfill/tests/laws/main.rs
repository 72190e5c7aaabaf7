//! Laws of the forecast over random small situations: what `druid::ingest` makes of any rows is foreseen exactly when
//! the rows are known, and lies in a world when they are not; and every world and alternative is reached by some rows.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a law that cannot be tried must fail"
)]

#[path = "../agree/mod.rs"]
mod agree;
mod compaction;
mod drawn;
#[path = "../ground/mod.rs"]
mod ground;
mod reach;

use backfill::forecast::{Basis, Fate, Forecast, Known, MORE_THAN_LISTED, RowsFrom, World, visible};
use drawn::{Case, case, happens, unforeseen_end};
use druid::ingest::Rows;
use ground::Ground;
use proptest::prelude::*;

/// Why what happens is not foreseen from the rows; none when it is.
fn not_foreseen(case: &Case) -> Option<String> {
    let mut ground = case.ground();
    ground.known = Known::only(Basis::Rows { rows: case.rows(), from: RowsFrom::List, exact: true });
    let forecast = ground.forecast();
    // What others do meanwhile is not known: their worlds stand beside the one that the rows lead to.
    let own: Vec<&World> = forecast.worlds.iter().filter(|world| !world.by_others).collect();
    let [world] = own.as_slice() else {
        return Some(format!("{} worlds of the run's own, though its rows are known", own.len()));
    };
    match happens(&ground, &case.rows()) {
        Ok(real) => real.differs_from(&ground.set, &forecast, world),
        Err(outcome) => unforeseen_end(&forecast, outcome),
    }
}

/// Why what happens lies in no world of the forecast that does not know the rows; none when it does, or when the forecast
/// itself says that more can come than it lists.
fn in_no_world(case: &Case) -> Option<String> {
    let ground = case.ground();
    excused(&ground.forecast(), in_no_world_as_far_as_listed(&ground, &case.rows()))
}

/// The same, without the excuse.
fn in_no_world_as_far_as_listed(ground: &Ground, rows: &Rows) -> Option<String> {
    let forecast = ground.forecast();
    match happens(ground, rows) {
        Ok(real) => {
            let mut reasons = Vec::new();
            for world in &forecast.worlds {
                reasons.push(format!("world \"{}\": {}", world.when, real.lies_outside(&forecast, world)?));
            }
            Some(reasons.join("\n"))
        }
        Err(outcome) => unforeseen_end(&forecast, outcome),
    }
}

/// A reason counts unless a world was cut and people are told so.
fn excused(forecast: &Forecast, reason: Option<String>) -> Option<String> {
    reason.filter(|_| !forecast.unknown.iter().any(|text| text == MORE_THAN_LISTED))
}

/// Everything that a forecast says, with holders called by interval and version.
fn said(ground: &Ground) -> Vec<String> {
    let forecast = ground.forecast();
    let mut lines = vec![format!(
        "{:?} {:?} {:?} {} {:?}",
        forecast.typed, forecast.effective, forecast.widened, forecast.chunks, forecast.unknown
    )];
    for world in &forecast.worlds {
        lines.push(format!("{}: {:?} {:?}", world.when, world.outcome, world.reason));
        let fate = |fate: &Fate| format!("{} {:?} {:?} {:?}", fate.interval, fate.kind, fate.why, fate.born);
        lines.extend(world.fates.iter().map(fate));
        lines.extend(world.old.iter().map(|piece| {
            let holder = ground.timeline.holder(piece.holder).unwrap();
            format!("{} of {} {} {:?}", piece.interval, holder.interval, holder.version, piece.becomes)
        }));
        lines.extend(world.either.iter().map(|either| format!("{either:?}")));
        lines.extend(visible(&forecast, world).map(|entry| format!("{entry:?}")));
        let mut hidden: Vec<String> = world.after.overshadowed().map(|row| ground.set.id(row)).collect();
        hidden.sort();
        lines.push(format!("{hidden:?} {:?} {:?}", world.counts.not_named, world.counts.hidden));
    }
    lines.extend(
        ground.findings().iter().map(|found| format!("{} {:?} {}", found.check, found.verdict, found.title)),
    );
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_the_rows_known_the_forecast_is_what_happens(case in case()) {
        let reason = not_foreseen(&case);
        prop_assert!(reason.is_none(), "{}", reason.unwrap_or_default());
    }

    #[test]
    fn whatever_rows_come_the_result_lies_in_a_world(case in case()) {
        let reason = in_no_world(&case);
        prop_assert!(reason.is_none(), "{}", reason.unwrap_or_default());
    }

    #[test]
    fn only_a_forecast_that_was_cut_says_that_more_can_come_than_it_lists(case in case()) {
        let forecast = case.ground().forecast();
        let says = forecast.unknown.iter().filter(|text| *text == MORE_THAN_LISTED).count();
        let is_cut = forecast.worlds.iter().any(|world| world.is_cut);
        prop_assert_eq!(says, usize::from(is_cut));
    }

    #[test]
    fn the_order_in_which_segments_are_given_does_not_change_the_forecast(
        (case, order) in case().prop_flat_map(|case| {
            let lines: Vec<String> = case.segments.lines().map(str::to_owned).collect();
            (Just(case), Just(lines).prop_shuffle())
        })
    ) {
        let turned = Case { segments: order.join("\n"), ..case.clone() };
        prop_assert_eq!(said(&case.ground()), said(&turned.ground()));
    }

    #[test]
    fn what_is_published_elsewhere_does_not_change_what_is_foreseen_here(case in case()) {
        // Three years away, in chunks of their own whatever the granularity; only an append by ALL looks so far.
        let beside = format!("{}\n2029-07-16/P1D v1 1\n2029-07-16T03/PT1H v2 1", case.segments);
        let more = Case { segments: beside, ..case.clone() };
        let ground = case.ground();
        let looks_at_all_of_time = |batch: &druid::spec::Batch| {
            let granularity = &batch.granularity;
            let by_all = granularity.segment == druid::granularity::Granularity::All;
            granularity.intervals.is_empty() || (by_all && batch.append_to_existing)
        };
        prop_assume!(ground.task.batch().is_some_and(|batch| !looks_at_all_of_time(batch)));
        let fates = |ground: &Ground| -> Vec<String> {
            let forecast = ground.forecast();
            let fates = forecast.worlds.iter().flat_map(|world| {
                world.fates.iter().map(|fate| format!("{} {:?} {:?}", fate.interval, fate.kind, fate.why))
            });
            fates.collect()
        };
        prop_assert_eq!(fates(&ground), fates(&more.ground()));
    }
}
