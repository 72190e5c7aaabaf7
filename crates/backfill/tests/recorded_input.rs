//! What can be learnt of an input without its rows, against runs recorded from a real Druid 33 and 37.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the share that agrees is the product's claim: it is printed"
)]

mod agree;
mod recorded;

use backfill::forecast::{Forecast, Known};
use recorded::{Run, runs};

/// Why what happened lies in no world of a forecast; none when it does.
fn outside(run: &Run, forecast: &Forecast) -> Option<String> {
    let real = run.real();
    let reasons: Vec<String> =
        forecast.worlds.iter().map_while(|world| real.lies_outside(forecast, world)).collect();
    (reasons.len() == forecast.worlds.len()).then(|| reasons.join("\n"))
}

/// How many chunks a forecast leaves open.
fn open(forecast: &Forecast) -> usize {
    forecast.worlds.iter().map(|world| backfill::forecast::open(forecast, world).count()).sum()
}

#[test]
fn what_a_recorded_reindex_did_lies_in_what_its_source_segments_say_and_less_is_open_than_without_them() {
    let (mut all, mut wrong, mut open_with, mut open_without) = (0, Vec::new(), 0, 0);
    for run in runs().iter().filter(|run| run.task.batch().is_some()) {
        let Some(known) = Known::reindex(&run.task, &run.timeline) else { continue };
        let forecast = run.forecast(&known);
        all += 1;
        wrong.extend(outside(run, &forecast).map(|why| format!("{}: {why}", run.name)));
        open_with += open(&forecast);
        open_without += open(&run.forecast(&Known::default()));
    }
    println!(
        "reindex by its source: {} of {all}; open places {open_with}, without it {open_without}",
        all - wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all > 20 && open_with < open_without, "{all} runs, {open_with} and {open_without} open");
}

#[test]
fn a_sample_of_the_rows_never_says_more_than_the_whole_input() {
    let (mut all, mut wrong) = (0, Vec::new());
    for run in runs().iter().filter(|run| run.task.batch().is_some()) {
        let Some(rows) = run.rows() else { continue };
        let times: Vec<_> = rows.splits.iter().flatten().copied().step_by(3).collect();
        let forecast = run.forecast(&Known::sampled(&times));
        all += 1;
        wrong.extend(outside(run, &forecast).map(|why| format!("{}: {why}", run.name)));
    }
    println!("by a third of the rows: {} of {all}", all - wrong.len());
    let names: Vec<&str> = wrong.iter().filter_map(|text| text.split(':').next()).collect();
    assert!(wrong.is_empty(), "{} runs: {}\n{}", wrong.len(), names.join(" "), wrong.first().unwrap());
}
