//! Laws that every granularity obeys, at random places and over Druid's whole range.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // the granularities are spelled here

use std::sync::LazyLock;

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval, condense, subtract};
use druid::zone::Tzdb;
use proptest::prelude::*;

static ZONE_RULES: LazyLock<Tzdb> = LazyLock::new(Tzdb::default);

const ZONES: &[&str] = &[
    "UTC",
    "America/New_York",
    "America/Santiago",
    "Asia/Kathmandu",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Europe/Dublin",
    "+05:30",
];

fn granularities() -> impl Strategy<Value = Granularity> {
    let periods = prop::sample::select(vec![
        "PT1S", "PT1M", "PT10M", "PT1H", "PT6H", "PT8H", "PT12H5M", "P1D", "P2D", "P1W", "P3W", "P1M", "P3M",
        "P1Y", "P2Y", "P1M2D",
    ]);
    (periods, prop::sample::select(ZONES), prop::option::of(0i64..2_000_000_000_000)).prop_map(
        |(period, zone, origin)| {
            let origin = origin.map(|ms| Instant::from_ms(ms).to_string());
            let json = serde_json::json!({"type":"period","period":period,"timeZone":zone,"origin":origin});
            Granularity::from_json(&json, &*ZONE_RULES).unwrap()
        },
    )
}

/// 2000 to 2100.
fn moments() -> impl Strategy<Value = i64> {
    946_684_800_000i64..4_102_444_800_000
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn chunks_abut_and_cover_their_interval(g in granularities(), start in moments(), length in 1i64..8_000_000_000) {
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(start + length)).unwrap();
        let chunks: Vec<Interval> = g.buckets(interval).take(3_000).collect();
        prop_assert!(chunks[0].start <= interval.start);
        for pair in chunks.windows(2) {
            prop_assert_eq!(pair[0].end, pair[1].start);
            prop_assert!(pair[0].end < interval.end);
        }
        if chunks.len() < 3_000 {
            prop_assert!(chunks[chunks.len() - 1].end >= interval.end);
        }
    }

    #[test]
    fn counting_jumping_and_walking_backwards_agree(g in granularities(), start in moments(), days in 1i64..900) {
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(start + days * 86_400_000)).unwrap();
        let count = g.count(interval);
        prop_assume!(count < 40_000);
        let forward: Vec<Interval> = g.buckets(interval).collect();
        let mut backward: Vec<Interval> = g.buckets(interval).rev().collect();
        backward.reverse();
        prop_assert_eq!(forward.len() as u64, count);
        prop_assert_eq!(&forward, &backward);
        let middle = forward.len() / 2;
        prop_assert_eq!(g.buckets(interval).nth(middle), forward.get(middle).copied());
        let mut both_ends = g.buckets(interval);
        let (mut front, mut back) = (Vec::new(), Vec::new());
        while let Some(chunk) = both_ends.next() {
            front.push(chunk);
            back.extend(both_ends.next_back());
        }
        front.extend(back.into_iter().rev());
        prop_assert_eq!(front, forward);
    }

    #[test]
    fn what_covers_an_interval_is_the_walk_from_end_to_end(g in granularities(), start in moments(), days in 1i64..500) {
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(start + days * 86_400_000)).unwrap();
        prop_assume!(g.count(interval) < 12_000);
        let chunks: Vec<Interval> = g.buckets(interval).collect();
        let ends = (chunks[0].start, chunks[chunks.len() - 1].end);
        prop_assert_eq!(g.cover(interval).map(|all| (all.start, all.end)), Some(ends));
        let mut half = g.buckets(interval);
        half.nth(chunks.len() / 2);
        let left = half.span().map(|all| (all.start, all.end));
        let rest = chunks.get(chunks.len() / 2 + 1).map(|first| (first.start, ends.1));
        prop_assert_eq!(left, rest);
    }

    #[test]
    fn the_chunk_of_an_instant_holds_it(g in granularities(), at in moments()) {
        let chunk = g.bucket(Instant::from_ms(at));
        prop_assert!(chunk.start.ms() <= at);
        let compound_before_origin = chunk.end.ms() <= at && g.to_string().contains("P1M2D");
        // Druid takes remainders with their signs (PeriodGranularity.truncateMillisPeriod): with an origin before 1970, as
        // a zone east of Greenwich gives, the start of a period of hours and minutes may lie one period early.
        let signed_remainder =
            chunk.end.ms() <= at && g.to_string().contains("PT12H5M") && g.to_string().contains("timeZone=+");
        // Of several hours Druid counts whole ones from the origin and then goes back to the full hour there. Where the full
        // hour is not that of 1970 (a quarter off in Kathmandu, half an hour in the summers of Lord Howe) the first minutes
        // of a chunk count to the one before.
        let of_hours = g.to_string().contains("PT6H") || g.to_string().contains("PT8H");
        let moves = ["Asia/Kathmandu", "Australia/Lord_Howe"].iter().any(|zone| g.to_string().contains(zone));
        let hour_moved = of_hours && moves && (0..3_600_000).contains(&(at - chunk.end.ms()));
        let midnight_skipped = chunk.is_empty() || chunk.duration_ms() % 86_400_000 == 82_800_000;
        prop_assert!(chunk.end.ms() > at || compound_before_origin || signed_remainder || hour_moved || midnight_skipped,
            "{} {}", g, chunk);
    }

    #[test]
    fn the_chunk_of_an_instant_is_found_without_walking(g in granularities(), start in moments(), share in 0u64..1_000) {
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(start + 400 * 86_400_000)).unwrap();
        prop_assume!(g.count(interval) < 12_000);
        let at = Instant::from_ms(start + (share as i64) * 400 * 86_400);
        let walked = g.buckets(interval).find(|b| b.contains_instant(at));
        prop_assert_eq!(g.buckets(interval).containing(at), walked);
    }

    #[test]
    fn narrowing_keeps_exactly_the_chunks_that_overlap(
        g in granularities(), start in moments(), from in -50i64..500, length in 0i64..200,
    ) {
        let day = 86_400_000;
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(start + 400 * day)).unwrap();
        prop_assume!(g.count(interval) < 12_000);
        let from = start + from * day + 7;
        let part = Interval::new(Instant::from_ms(from), Instant::from_ms(from + length * day)).unwrap();
        let wanted: Vec<Interval> = g.buckets(interval).filter(|b| b.overlaps(part)).collect();
        prop_assert_eq!(g.buckets(interval).overlapping(part).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn runs_without_a_walk_are_the_runs_of_a_walk(g in granularities(), start in moments(), days in 1i64..500) {
        // Step by step with the only primitive Druid has: the start of the first chunk, then increments.
        let end = start + days * 86_400_000;
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(end)).unwrap();
        prop_assume!(g.count(interval) < 5_000);
        let mut at = g.bucket(interval.start).start;
        for chunk in g.buckets(interval) {
            prop_assert_eq!(chunk.start, at);
            at = g.bucket_end_from(at);
        }
        prop_assert!(at >= interval.end);
    }

    #[test]
    fn texts_come_back_over_all_of_time(start in Instant::MIN.ms()..Instant::MAX.ms(), length in 0i64..i64::MAX / 4) {
        let end = start.saturating_add(length).min(Instant::MAX.ms());
        let interval = Interval::new(Instant::from_ms(start), Instant::from_ms(end)).unwrap();
        prop_assert_eq!(Interval::parse(&interval.to_string()).unwrap(), interval);
        prop_assert_eq!(Interval::parse(&interval.short()).unwrap(), interval);
    }

    #[test]
    fn condensing_and_subtracting_are_set_arithmetic(a in sets(), b in sets()) {
        let (ca, cb) = (condense(a.clone()), condense(b.clone()));
        for pair in ca.windows(2) {
            prop_assert!(pair[0].end < pair[1].start);
        }
        let rest = subtract(&ca, &cb);
        for at in (0..120).map(Instant::from_ms) {
            let within = |set: &[Interval]| set.iter().any(|i| i.contains_instant(at));
            prop_assert_eq!(within(&ca), within(&a));
            prop_assert_eq!(within(&rest), within(&ca) && !within(&cb));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,24}") {
        let _ = Interval::parse(&text);
        let _ = Instant::parse(&text);
        let _ = druid::interval::Period::parse(&text);
    }

    #[test]
    fn no_text_of_the_right_letters_makes_the_reader_panic(text in "[-+PTWYMDHSZ/.:0-9]{0,28}") {
        if let Ok(interval) = Interval::parse(&text) {
            prop_assert!(interval.start <= interval.end);
        }
        if let Ok(period) = druid::interval::Period::parse(&text) {
            let _ = period.add_utc(Instant::MAX, 1);
            let _ = period.add_utc(Instant::MIN, -1);
        }
    }
}

fn sets() -> impl Strategy<Value = Vec<Interval>> {
    let one = (0i64..100, 0i64..20)
        .prop_map(|(s, l)| Interval::new(Instant::from_ms(s), Instant::from_ms(s + l)).unwrap());
    prop::collection::vec(one, 0..12)
}
