//! The forecast, made before the run from what was there then, and whether what happened is what it said.
//!
//! Asked twice: with the rows known (by the product's own reading of inline data, or told) there must be one world, and
//! it must be what happened; with the rows withheld what happened must lie in one of the worlds.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use backfill::forecast::{Forecast, Known, Outcome};
use druid::zone::Tzdb;
use serde_json::Value;

use crate::cluster::End;
use crate::recorded::{Run, run};

/// Both forecasts of a run, and what they were made from.
pub(crate) struct Frozen {
    run: Run,
    /// None where nobody knows the rows.
    told: Option<Forecast>,
    withheld: Forecast,
}

impl Frozen {
    /// From a recording without its end.
    pub(crate) fn of(record: &Value, zones: &Tzdb) -> Frozen {
        let run = run(record.clone(), zones);
        let reads_nothing = run.kind.starts_with("kill");
        let known = Known::inline(&run.task)
            .ok()
            .or_else(|| run.known())
            .or_else(|| reads_nothing.then(Known::default));
        Frozen {
            told: known.map(|known| run.forecast(&known)),
            withheld: run.forecast(&Known::default()),
            run,
        }
    }

    /// Whether the task is foreseen not to end.
    pub(crate) fn hangs(&self) -> bool {
        let forecast = self.told.as_ref().unwrap_or(&self.withheld);
        forecast.worlds.iter().any(|world| world.outcome == Outcome::Hangs)
    }
}

/// How what happened is not what was foreseen.
#[derive(Clone, Debug)]
pub(crate) enum Difference {
    /// Of the forecast that knows the rows.
    RowsKnown(String),
    /// Only of the one that does not: what happened lies in none of its worlds.
    RowsWithheld(String),
}

impl Difference {
    pub(crate) fn words(&self) -> &str {
        match self {
            Difference::RowsKnown(words) | Difference::RowsWithheld(words) => words,
        }
    }
}

/// Why the forecast was wrong; none when it was right.
pub(crate) fn judged(mut frozen: Frozen, record: &Value, end: &End) -> Option<Difference> {
    frozen.run.raw = record.clone();
    let withheld = || withheld(&frozen.run, &frozen.withheld, end).map(Difference::RowsWithheld);
    let compare = || match &frozen.told {
        Some(forecast) => told(&frozen.run, forecast, end).map(Difference::RowsKnown).or_else(withheld),
        None => withheld(),
    };
    // What was recorded is read by code made for tests, which panics where it cannot be read.
    catch_unwind(AssertUnwindSafe(compare))
        .unwrap_or_else(|_| Some(Difference::RowsKnown("what happened could not be compared".to_owned())))
}

/// With the rows known there is one world, nothing in it is open, and it is what happened.
fn told(run: &Run, forecast: &Forecast, end: &End) -> Option<String> {
    let [world] = forecast.worlds.as_slice() else {
        let worlds: Vec<&str> = forecast.worlds.iter().map(|world| world.when.as_str()).collect();
        return Some(format!("{} worlds though the rows are known: {worlds:?}", worlds.len()));
    };
    if !world.is_certain() {
        return Some("something stays open though the rows are known".to_owned());
    }
    if world.outcome == Outcome::Hangs || *end == End::Runs {
        return hung(run, world.outcome, end);
    }
    if let End::Refused(said) = end {
        let foreseen = world.reason.as_deref().unwrap_or_default();
        let same = world.outcome == Outcome::Refused && said.contains(foreseen);
        return (!same)
            .then(|| format!("refused with “{said}”, foreseen {}: “{foreseen}”", world.outcome.name()));
    }
    if world.outcome == Outcome::Refused {
        return Some(format!("foreseen refused ({:?}), and it was taken", world.reason));
    }
    run.real().differs_from(&run.set, forecast, world).or_else(|| {
        let foreseen: BTreeSet<&str> = world.deleted.iter().map(String::as_str).collect();
        let is_kill = run.kind.starts_with("kill");
        (is_kill && foreseen != run.deleted())
            .then(|| format!("deleted {:?}, foreseen {foreseen:?}", run.deleted()))
    })
}

/// A task that does not end publishes nothing.
fn hung(run: &Run, foreseen: Outcome, end: &End) -> Option<String> {
    match (foreseen, end) {
        (Outcome::Hangs, End::Runs) => {
            (run.visible_after() != run.visible_before()).then(|| "it hangs, and has published".to_owned())
        }
        _ => Some(format!("foreseen {}, and it ended as {end:?}", foreseen.name())),
    }
}

/// With the rows withheld what happened lies in one of the worlds.
fn withheld(run: &Run, forecast: &Forecast, end: &End) -> Option<String> {
    if forecast.worlds.iter().any(|world| world.is_cut) {
        // Cut short, a list of alternatives promises nothing.
        return None;
    }
    let fits = |outcome: Outcome| match end {
        End::Runs => outcome == Outcome::Hangs,
        End::Refused(_) => outcome == Outcome::Refused,
        End::Success(_) | End::Failed(_) => !matches!(outcome, Outcome::Hangs | Outcome::Refused),
    };
    if matches!(end, End::Runs | End::Refused(_)) {
        let outcomes: Vec<&str> = forecast.worlds.iter().map(|world| world.outcome.name()).collect();
        let foreseen = forecast.worlds.iter().any(|world| fits(world.outcome));
        return (!foreseen).then(|| format!("with the rows withheld: {end:?}, foreseen {outcomes:?}"));
    }
    let real = run.real();
    let mut reasons = Vec::new();
    for world in forecast.worlds.iter().filter(|world| fits(world.outcome)) {
        reasons.push(format!("world “{}”: {}", world.when, real.lies_outside(forecast, world)?));
    }
    Some(format!("with the rows withheld it lies in no world:\n{}", reasons.join("\n")))
}
