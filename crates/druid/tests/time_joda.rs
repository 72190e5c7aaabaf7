//! Texts, zones, periods and time chunks against values computed by Druid 33.0.0's own classes (`Intervals`,
//! `DateTimes`, `PeriodGranularity`) on Joda 2.12.5, whose time zone rules are those of 2023c.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)] // vectors are ours

use std::collections::BTreeMap;
use std::io::Read;

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval, Period, condense};
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
fn intervals_contain_overlap_and_abut_each_other_as_in_joda() {
    let table: Value = serde_json::from_str(include_str!("vectors/interval-relations.json")).unwrap();
    let pairs = table["pairs"].as_array().unwrap();
    for pair in pairs {
        let ends: Vec<i64> = pair.as_array().unwrap().iter().filter_map(Value::as_i64).collect();
        let (one, other) = (span(ends[0], ends[1]), span(ends[2], ends[3]));
        let said = pair[4].as_str().unwrap();
        assert_eq!(one.contains(other), said.contains('c'), "{ends:?} contains");
        assert_eq!(one.overlaps(other), said.contains('o'), "{ends:?} overlaps");
        assert_eq!(one.abuts(other), said.contains('a'), "{ends:?} abuts");
    }
    assert_eq!(pairs.len(), 15 * 15, "all intervals with ends from 0 to 4 ms");
}

#[test]
fn intervals_are_condensed_as_druid_condenses_them() {
    let table: Value = serde_json::from_str(include_str!("vectors/interval-relations.json")).unwrap();
    let spans = |list: &Value| -> Vec<Interval> {
        list.as_array().unwrap().iter().map(|ends| span(ms(ends)[0], ms(ends)[1])).collect()
    };
    for case in table["condensed"].as_array().unwrap() {
        // Druid keeps empty intervals that stand alone; nothing of ours can be in them, so they go.
        let wanted: Vec<Interval> = spans(&case[1]).into_iter().filter(|i| !i.is_empty()).collect();
        assert_eq!(condense(spans(&case[0])), wanted, "{case}");
    }
}

fn instant(text: &str) -> i64 {
    Instant::parse(text).unwrap().ms()
}

fn span(start: i64, end: i64) -> Interval {
    Interval::new(Instant::from_ms(start), Instant::from_ms(end)).unwrap()
}

/// Where the rules of a zone have changed between Joda's tables (2023c) and ours (2026f), and from when to when chunks
/// are others for it. A real Druid has the tables of its own Joda.
const NEWER_RULES: [(&str, &str, &str); 5] = [
    ("Africa/Casablanca", "2026-09-01", "9999-12-31"), // another offset since
    ("America/Asuncion", "2024-10-06", "9999-12-31"),  // 2024b: summer time all year
    ("America/Havana", "2026-11-01", "9999-12-31"),    // another offset since
    ("Asia/Almaty", "2024-03-01", "9999-12-31"),       // 2024a: all of Kazakhstan at +05
    ("Asia/Tehran", "1977-01-01", "1980-01-01"),       // 2024b: older clocks corrected
];

#[test]
fn time_chunks_are_those_of_druids_own_classes() {
    let mut text = String::new();
    let packed = include_bytes!("vectors/chunks.jsonl.gz");
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let zones = Tzdb::default();
    let newer = NEWER_RULES.map(|(zone, from, to)| (zone, span(instant(from), instant(to))));
    let (mut right, mut all, mut by_rules, mut wrong) = (0, 0, BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let granularity = Granularity::from_json(&case["granularity"], &zones).unwrap();
        let mut check = |same: bool, touched: Interval, what: &dyn Fn() -> String| {
            all += 1;
            let zone = case["granularity"]["timeZone"].as_str();
            let rules = newer.iter().find(|(name, when)| zone == Some(*name) && when.overlaps(touched));
            match (same, rules) {
                (true, _) => right += 1,
                (false, Some((name, _))) => *by_rules.entry(*name).or_insert(0) += 1,
                (false, None) => wrong.push(format!("{granularity} {}", what())),
            }
        };
        for chunk in case["chunks"].as_array().unwrap().chunks(3) {
            // Null where Druid throws.
            let [Some(at), Some(before), Some(length)] = [0, 1, 2].map(|i| chunk[i].as_i64()) else {
                continue;
            };
            let (at, start) = (Instant::from_ms(at), at - before);
            let ours = granularity.bucket(at);
            let theirs = span(start, start + length);
            check(ours == theirs, theirs, &|| format!("{at}: {ours} is {theirs}"));
        }
        for walk in case["walks"].as_array().unwrap() {
            let [from, to] = [0, 1].map(|i| Instant::from_ms(walk[i].as_i64().unwrap()));
            let starts = ms(&walk[2]);
            let walked = granularity.buckets(Interval::new(from, to).unwrap());
            let ours: Vec<i64> = walked.map(|chunk| chunk.start.ms()).take(starts.len().max(1)).collect();
            let touched = span(granularity.bucket(from).start.ms(), granularity.bucket(to).end.ms());
            check(ours == starts, touched, &|| format!("{from}/{to}: {ours:?} is {starts:?}"));
        }
    }
    println!("chunks: {right} of {all}; by newer rules of a zone: {by_rules:?}");
    assert!(all > 100_000);
    let listed: Vec<&str> = NEWER_RULES.map(|(zone, ..)| zone).to_vec();
    assert_eq!(by_rules.into_keys().collect::<Vec<_>>(), listed, "a zone whose rules are the same again");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
