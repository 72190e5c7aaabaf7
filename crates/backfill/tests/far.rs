//! Times at the ends of what 64 bits hold, as a file or a cluster may say them: everything is foreseen, nothing breaks.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod ground;

use backfill::forecast::{Basis, Known, Paint, Painted, RowsFrom};
use druid::ingest::Rows;
use druid::interval::{Instant, Interval};
use ground::Ground;

const FAR: [i64; 10] = [
    i64::MIN,
    i64::MIN + 1,
    i64::MIN / 2 - 1,
    i64::MIN / 2,
    -1,
    0,
    i64::MAX / 2 - 1,
    i64::MAX / 2,
    i64::MAX - 1,
    i64::MAX,
];

const GRANULARITIES: [&str; 12] = [
    "\"SECOND\"",
    "\"HOUR\"",
    "\"SIX_HOUR\"",
    "\"DAY\"",
    "\"WEEK\"",
    "\"MONTH\"",
    "\"YEAR\"",
    "\"ALL\"",
    r#"{"type":"period","period":"P1D","timeZone":"America/New_York"}"#,
    r#"{"type":"period","period":"P1M2D"}"#,
    r#"{"type":"period","period":"P2D","origin":"2026-01-02"}"#,
    r#"{"type":"duration","duration":129600000,"origin":"2026-01-01T06:00:00Z"}"#,
];

fn inputs() -> Vec<Known> {
    let instants: Vec<Instant> = FAR.iter().copied().map(Instant::from_ms).collect();
    let listed = |rows: &[Instant]| {
        let rows = Rows { splits: vec![rows.to_vec()] };
        Known::only(Basis::Rows { rows, from: RowsFrom::List, exact: true })
    };
    let mut all = vec![Known::default(), Known::sampled(&instants), listed(&instants)];
    all.extend([i64::MIN, i64::MAX / 2].map(|one| listed(&[Instant::from_ms(one)])));
    let painted = instants
        .iter()
        .zip(instants.iter().skip(1))
        .map(|(start, end)| Paint { interval: Interval { start: *start, end: *end }, says: Painted::Rows });
    all.push(Known { basis: Basis::Unknown, painted: painted.collect() });
    all
}

#[test]
fn whatever_times_are_said_a_forecast_is_made() {
    let modes = ["", "appendToExisting = true", "dropExisting = true"];
    let typed = [
        "",
        "intervals = [\"2026-07-16/2026-07-17\"]",
        "intervals = [\"-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z\"]",
        "intervals = [\"-292275054-01-02/-292275054-01-03\"]",
        "intervals = [\"+292278993-01-02/+292278993-01-03\"]",
    ];
    let there = "2026-07-16/P1D v1 10\n-146136543-09-08T08:23:32.096Z/2020-01-01 v2 5";
    for granularity in GRANULARITIES {
        for mode in modes {
            for typed in typed {
                let spec = format!("segmentGranularity = {granularity}\n{mode}\n{typed}");
                for known in inputs() {
                    let mut ground = Ground::of(there).spec(&spec);
                    ground.known = known;
                    let forecast = ground.forecast();
                    let found = ground.findings();
                    assert!(!forecast.worlds.is_empty() && !found.is_empty(), "{spec}");
                }
            }
        }
    }
}
