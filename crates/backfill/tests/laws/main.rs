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

use backfill::forecast::{Basis, Forecast, Known, RowsFrom, World};
use drawn::{Case, case, happens, unforeseen_end};
use ground::DATASOURCE;
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

/// Why what happens lies in no world of the forecast that does not know the rows; none when it does.
fn in_no_world(case: &Case) -> Option<String> {
    let ground = case.ground();
    let forecast = ground.forecast();
    match happens(&ground, &case.rows()) {
        Ok(real) => {
            let mut reasons = Vec::new();
            for world in &forecast.worlds {
                // Cut short, a list of alternatives promises nothing.
                let outside = if world.is_cut { None } else { real.lies_outside(&forecast, world) };
                reasons.push(format!("world \"{}\": {}", world.when, outside?));
            }
            Some(reasons.join("\n"))
        }
        Err(outcome) => unforeseen_end(&forecast, outcome),
    }
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
    fn the_same_question_has_the_same_answer(case in case()) {
        let ground = case.ground();
        let shown = |forecast: &Forecast| format!("{:?}", forecast.worlds.iter().map(|w| (&w.when, &w.fates, &w.either)).collect::<Vec<_>>());
        prop_assert_eq!(shown(&ground.forecast()), shown(&ground.forecast()));
        prop_assert_eq!(DATASOURCE, ground.set.datasource());
    }
}
