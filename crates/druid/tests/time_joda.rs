//! Texts, zones, periods and time chunks against values computed by Druid 33.0.0's own classes (`Intervals`,
//! `DateTimes`, `PeriodGranularity`) on Joda 2.12.5, whose time zone rules are those of 2023c.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)] // vectors are ours

use std::io::Read;

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval, Period};
use druid::zone::{Lookup, Tzdb, Zone, Zones};
use serde_json::Value;

fn list(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

#[test]
fn interval_texts_mean_what_joda_reads_and_are_refused_where_it_refuses() {
    for case in list(include_str!("vectors/interval-joda.json")) {
        let text = case["text"].as_str().unwrap();
        let read = Interval::parse(text);
        match case["interval"].as_str() {
            Some(printed) => {
                let read = read.unwrap_or_else(|e| panic!("{text}: {e}"));
                assert_eq!(read.to_string(), printed, "{text}");
                assert_eq!(vec![read.start.ms(), read.end.ms()], ms(&case["ms"]), "{text}");
                assert_eq!(Period::between(read.start, read.end).to_string(), case["period"], "{text}");
            }
            None => assert!(read.is_err(), "{text}: {read:?}, Joda says {}", case["error"]),
        }
    }
}

fn ms(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
}

#[test]
fn intervals_are_the_periods_and_granularities_that_druid_makes_of_them() {
    for case in list(include_str!("vectors/interval-periods.json")) {
        let interval = Interval::parse(case["interval"].as_str().unwrap()).unwrap();
        let period = Period::between(interval.start, interval.end);
        assert_eq!(period.to_string(), case["period"], "{interval}");
        let like = Granularity::like(period).and_then(|g| g.name());
        assert_eq!(like, case["granularity"].as_str(), "{interval}");
    }
}

#[test]
fn zone_names_are_what_druid_infers_from_them() {
    let zones = Tzdb::default();
    for case in list(include_str!("vectors/zone-names.json")) {
        let name = case["name"].as_str().unwrap();
        let zone = match zones.lookup(name) {
            Lookup::Known(zone) => zone,
            Lookup::Unknown => Zone::Utc,
            Lookup::NotLoaded => panic!("{name}"),
        };
        assert_eq!(zone == Zone::Utc, case["utc"], "{name}");
        for (at, key) in [("2026-01-01T12Z", "january"), ("2026-07-16T00Z", "july")] {
            assert_eq!(zone.offset(Instant::parse(at).unwrap()), case[key], "{name} in {key}");
        }
    }
}

#[test]
fn chunks_of_periods_are_those_of_druids_own_class() {
    let mut text = String::new();
    let packed = include_bytes!("vectors/period-buckets.jsonl.gz");
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let zones = Tzdb::default();
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let spelled = serde_json::json!({
            "type": "period", "period": case["period"], "timeZone": case["timeZone"], "origin": case["origin"],
        });
        let granularity = Granularity::from_json(&spelled, &zones).unwrap();
        let mut check = |same: bool, what: String| {
            all += 1;
            right += usize::from(same);
            if !same {
                wrong.push(format!("{granularity} {what}"));
            }
        };
        for bucket in case["buckets"].as_array().unwrap() {
            // Null where Druid throws.
            let [Some(at), Some(start), Some(end)] = [0, 1, 2].map(|i| bucket[i].as_i64()) else { continue };
            let ours = granularity.bucket(Instant::from_ms(at));
            let what = format!("{}: {ours} is {}", Instant::from_ms(at), Instant::from_ms(start));
            check(ours.start.ms() == start && ours.end.ms() == end.max(start), what);
        }
        for walk in case["walks"].as_array().unwrap() {
            let [from, to] = [0, 1].map(|i| Instant::from_ms(walk[i].as_i64().unwrap()));
            let starts = ms(&walk[2]);
            let walked = granularity.buckets(Interval::new(from, to).unwrap());
            let ours: Vec<i64> = walked.map(|chunk| chunk.start.ms()).take(starts.len().max(1)).collect();
            check(ours == starts, format!("{from}/{to}: {ours:?} is {starts:?}"));
        }
    }
    println!("chunks: {right} of {all}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
