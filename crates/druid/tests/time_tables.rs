//! Interval texts and time chunks against tables taken from Druid's own tests and docs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // tables are ours

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval, Period, condense, subtract};
use druid::zone::{Lookup, Tzdb, Zone, ZoneTable, Zones};
use serde_json::{Value, json};

fn table(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn interval(text: &str) -> Interval {
    Interval::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn granularity(json: &Value) -> Granularity {
    Granularity::from_json(json, &Tzdb::default()).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

#[test]
fn every_interval_form_means_what_joda_makes_of_it() {
    let table = table(include_str!("vectors/interval-text-forms.json"));
    for case in table["valid"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let read = interval(text);
        match case["utc"].as_str().unwrap() {
            "eternity" => assert_eq!(read, Interval::ETERNITY, "{text}"),
            "same" => assert_eq!(read.to_string(), text),
            "empty" => assert!(read.is_empty(), "{text}"),
            utc => assert_eq!(read.to_string(), utc, "{text}"),
        }
        assert_eq!(interval(&read.to_string()), read, "printing and reading {text}");
        assert_eq!(interval(&read.short()), read, "short form of {text}");
    }
}

#[test]
fn what_is_no_interval_is_refused_with_the_place() {
    let table = table(include_str!("vectors/interval-text-forms.json"));
    for text in texts(&table["invalid"]) {
        let error = Interval::parse(text).expect_err(text);
        assert!(error.at <= text.len(), "{text}: {error:?}");
    }
    let error = Interval::parse("2020-01-01 00:00/2020-01-02").unwrap_err();
    assert_eq!(error.at, 10);
    assert_eq!(error.message, "unexpected ' ' at character 11: expected 'T' and a time, or the end");
    assert_eq!(Interval::parse("2020-13-01/2020-14-01").unwrap_err().at, 5);
    assert_eq!(Interval::parse("2026-01-01/P1X").unwrap_err().at, 13);
    assert_eq!(Interval::parse("2026-01-01/").unwrap_err().at, 11);
    assert!(Interval::parse("2026-01-01/2026-02-30").unwrap_err().message.contains("[1,28]"));
    assert!(Interval::parse("2026-01-0١/2026-01-02").is_err(), "only ASCII digits count");
}

#[test]
fn instants_take_every_form_joda_takes() {
    for (text, utc) in [
        ("2026", "2026-01-01T00:00:00.000Z"),
        ("2026-7-4", "2026-07-04T00:00:00.000Z"),
        ("2026-07-16T", "2026-07-16T00:00:00.000Z"),
        ("2026-07-16TZ", "2026-07-16T00:00:00.000Z"),
        ("2026-07-16T05", "2026-07-16T05:00:00.000Z"),
        ("2026-07-16T05.5", "2026-07-16T05:30:00.000Z"),
        ("2026-07-16t05:06:07,89z", "2026-07-16T05:06:07.890Z"),
        ("2026-07-16T05:06:07.123456789Z", "2026-07-16T05:06:07.123Z"),
        ("2026-07-16T00:00:00-08", "2026-07-16T08:00:00.000Z"),
        ("2026-W01-5", "2026-01-02T00:00:00.000Z"),
        ("2024-366", "2024-12-31T00:00:00.000Z"),
        ("-0001-01-01", "-0001-01-01T00:00:00.000Z"),
        ("12345-01-01", "12345-01-01T00:00:00.000Z"),
        ("T10:30Z", "1970-01-01T10:30:00.000Z"),
    ] {
        assert_eq!(Instant::parse(text).map(|i| i.to_string()), Ok(utc.to_owned()), "{text}");
    }
    for text in
        ["", "T", "2026-07-16Z", "2026-07-16T24:00", "2025-366", "2026-W54", "2026-07-16T05:06:07.", "x"]
    {
        let empty_time_is_fine = text == "T";
        assert_eq!(Instant::parse(text).is_ok(), empty_time_is_fine, "{text}");
    }
    assert_eq!(Instant::from_ms(1).short(), "1970-01-01T00:00:00.001Z");
    assert_eq!(Instant::from_ms(-1000).short(), "1969-12-31T23:59:59Z");
}

#[test]
fn chunks_are_those_of_druids_own_tests() {
    let table = table(include_str!("vectors/granularity-buckets.json"));
    let mut checked = 0;
    for case in table["cases"].as_array().unwrap() {
        let granularity = granularity(&case["granularity"]);
        let intervals = case.get("intervals").map(texts).unwrap_or_default();
        let condensed = condense(intervals.into_iter().map(interval));
        // Two intervals in one chunk give the chunk once.
        let buckets = || {
            let mut all: Vec<Interval> = condensed.iter().flat_map(|&i| granularity.buckets(i)).collect();
            all.dedup();
            all
        };
        if let Some(wanted) = case.get("buckets") {
            let wanted: Vec<Interval> = texts(wanted).into_iter().map(interval).collect();
            assert_eq!(buckets(), wanted, "{case}");
            checked += 1;
        }
        if let Some(wanted) = case.get("bucket_count") {
            let count: u64 = condensed.iter().map(|&i| granularity.count(i)).sum();
            assert_eq!(count, wanted.as_u64().unwrap(), "{case}");
            checked += 1;
        }
        if let Some(wanted) = case.get("bucket_starts") {
            let wanted: Vec<Instant> =
                texts(wanted).into_iter().map(|t| Instant::parse(t).unwrap()).collect();
            assert_eq!(buckets().iter().map(|b| b.start).collect::<Vec<_>>(), wanted, "{case}");
            checked += 1;
        }
        if let Some(moments) = case.get("moments") {
            for (moment, start) in texts(moments).into_iter().zip(texts(&case["starts"])) {
                let bucket = granularity.bucket(Instant::parse(moment).unwrap());
                assert_eq!(bucket.start, Instant::parse(start).unwrap(), "{moment} in {case}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, table["cases"].as_array().unwrap().len());
}

#[test]
fn all_of_time_is_counted_at_once() {
    let day = Granularity::named("day").unwrap();
    assert_eq!(day.count(Interval::ETERNITY), 106_751_991_168);
    assert_eq!(Granularity::None.count(Interval::ETERNITY), i64::MAX as u64);
    let month = Granularity::named("MONTH").unwrap();
    let years: i64 = 146_140_482 + 146_136_543;
    assert_eq!(month.count(Interval::ETERNITY), (years * 12 + 4 - 9 + 1) as u64);
    assert_eq!(
        month.buckets(Interval::ETERNITY).next_back().unwrap().start.short(),
        "146140482-04-01T00:00:00Z"
    );
    assert_eq!(Granularity::All.count(Interval::ETERNITY), 1);
    assert_eq!(Granularity::All.bucket(Instant::EPOCH), Interval::ETERNITY);
}

#[test]
fn an_interval_is_covered_by_the_fewest_whole_chunks() {
    let new_york = json!({"type": "period", "period": "P1D", "timeZone": "America/New_York"});
    let (day, week, month) = (json!("DAY"), json!("WEEK"), json!("MONTH"));
    // Each beside copies that differ by a millisecond: a whole chunk stays as it is, one more takes in the next.
    for (of, asked, covered) in [
        (&day, "2026-07-16/2026-07-17", Some("2026-07-16/2026-07-17")),
        (&day, "2026-07-16/2026-07-17T00:00:00.001", Some("2026-07-16/2026-07-18")),
        (&day, "2026-07-15T23:59:59.999/2026-07-17", Some("2026-07-15/2026-07-17")),
        (&day, "2026-07-16T00:00:00.001/2026-07-16T23:59:59.999", Some("2026-07-16/2026-07-17")),
        (&day, "2026-07-16/2026-07-16T00:00:00.001", Some("2026-07-16/2026-07-17")),
        (&day, "2026-07-16/2026-07-16", None),
        // Thursday to Thursday reaches into two weeks, Monday to Monday is one.
        (&week, "2026-07-16/2026-07-23", Some("2026-07-13/2026-07-27")),
        (&week, "2026-07-13/2026-07-20", Some("2026-07-13/2026-07-20")),
        (&month, "2026-01-31/2026-02-01", Some("2026-01-01/2026-02-01")),
        (&month, "2026-01-31/2026-03-01", Some("2026-01-01/2026-03-01")),
        // A day of New York in summer is no day of UTC, and one across the change in autumn has 25 hours.
        (&new_york, "2026-07-16T04/2026-07-17T04", Some("2026-07-16T04/2026-07-17T04")),
        (&new_york, "2026-07-16/2026-07-17", Some("2026-07-15T04/2026-07-17T04")),
        (&new_york, "2026-11-01T12/2026-11-01T13", Some("2026-11-01T04/2026-11-02T05")),
        (&json!("ALL"), "2026-07-16T05/2026-07-16T06", Some("2026-07-16T05/2026-07-16T06")),
        (&json!("NONE"), "2026-07-16T05/2026-07-16T06", Some("2026-07-16T05/2026-07-16T06")),
    ] {
        let asked = interval(asked);
        let covered = covered.map(interval);
        assert_eq!(granularity(of).cover(asked), covered, "{of} over {asked}");
        assert_eq!(granularity(of).is_whole(asked), covered == Some(asked), "{of} over {asked}");
    }
}

#[test]
fn a_year_of_seconds_is_covered_without_walking_it() {
    let second = Granularity::named("SECOND").unwrap();
    let year = interval("2026-01-01T00:00:00.500/2027-01-01T00:00:00.500");
    assert_eq!(second.cover(year), Some(interval("2026-01-01/2027-01-01T00:00:01")));
    assert_eq!(second.cover(Interval::ETERNITY).map(|all| all.contains(Interval::ETERNITY)), Some(true));
}

#[test]
fn a_compound_period_over_all_of_time_is_not_walked() {
    let chunks = granularity(&json!({"type": "period", "period": "P1M2D"}));
    // 146,140,482 and 146,136,543 years of 365.2425 days, in chunks of 32.436875 days.
    let days = (i128::from(i64::MAX)) / 86_400_000;
    let counted = i128::from(chunks.count(Interval::ETERNITY));
    assert!((counted - days * 1_000_000 / 32_436_875).abs() < 1_000, "{counted}");
    let all = chunks.cover(Interval::ETERNITY).unwrap();
    assert!(all.start <= Instant::MIN && all.end >= Instant::MAX);
    // Where it is walked it is counted one by one.
    assert_eq!(
        chunks.count(interval("1970-01-01/1971-01-01")),
        chunks.buckets(interval("1970-01-01/1971-01-01")).fold(0, |n, _| n + 1)
    );
    let typed = [interval("1970-01-01/1970-03-01"), interval("1970-03-02/1970-05-01")];
    let two = druid::ingest::Chunks::uniform(&chunks, &typed);
    assert_eq!(two.count(), two.all().count() as u64);
}

#[test]
fn a_new_york_day_has_23_or_25_hours_twice_a_year() {
    let json = serde_json::json!({"type": "period", "period": "P1D", "timeZone": "America/New_York"});
    let days = granularity(&json);
    let march: Vec<Interval> = days.buckets(interval("2026-03-07T05:00Z/2026-03-10T04:00Z")).collect();
    let wanted =
        ["2026-03-07T05/2026-03-08T05", "2026-03-08T05/2026-03-09T04", "2026-03-09T04/2026-03-10T04"];
    assert_eq!(march, wanted.map(interval));
    let november = days.bucket(Instant::parse("2026-11-01T12:00Z").unwrap());
    assert_eq!(november.duration_ms(), 25 * 3_600_000);
    // The tz rules of today go on; the year 2500 and the year 9999 have them as well.
    for year in [2_500, 9_999] {
        let summer = days.bucket(Instant::parse(&format!("{year}-07-16T12:00Z")).unwrap());
        assert!(summer.start.short().ends_with("T04:00:00Z"), "{year}: {}", summer.short());
    }
}

#[test]
fn half_hour_zones_shift_hours_and_days() {
    let kolkata = |period: &str| {
        granularity(&serde_json::json!({"type": "period", "period": period, "timeZone": "Asia/Kolkata"}))
    };
    let at = Instant::parse("2026-07-16T10:00Z").unwrap();
    assert_eq!(kolkata("PT1H").bucket(at).short(), "2026-07-16T09:30:00Z/2026-07-16T10:30:00Z");
    assert_eq!(kolkata("P1D").bucket(at).short(), "2026-07-15T18:30:00Z/2026-07-16T18:30:00Z");
    assert_eq!(kolkata("PT8H").bucket(at).short(), "2026-07-16T02:30:00Z/2026-07-16T10:30:00Z");
}

#[test]
fn where_midnight_is_skipped_the_chunk_starts_late_and_later_ones_keep_its_hour() {
    // Santiago skips 2026-09-06T00:00–01:00. Joda's days().add keeps 01:00 from there on.
    let days =
        granularity(&serde_json::json!({"type": "period", "period": "P1D", "timeZone": "America/Santiago"}));
    let starts: Vec<String> =
        days.buckets(interval("2026-09-04T04:00Z/2026-09-09T03:00Z")).map(|b| b.start.short()).collect();
    let wanted = ["2026-09-04T04", "2026-09-05T04", "2026-09-06T04", "2026-09-07T04", "2026-09-08T04"];
    assert_eq!(starts, wanted.map(|w| format!("{w}:00:00Z")));
    // Rounding down alone knows nothing of that.
    let alone = days.bucket(Instant::parse("2026-09-07T12:00Z").unwrap());
    assert_eq!(alone.short(), "2026-09-07T03:00:00Z/2026-09-08T03:00:00Z");
}

#[test]
fn six_hours_before_1970_round_up_as_in_druid() {
    let six = Granularity::named("SIX_HOUR").unwrap();
    assert_eq!(six.bucket(Instant::from_ms(-3_600_000)).start, Instant::EPOCH);
    assert_eq!(six.bucket(Instant::from_ms(-6 * 3_600_000)).start.ms(), -6 * 3_600_000);
}

#[test]
fn finer_granularities_come_longest_first_in_the_same_zone() {
    let names = |g: &Granularity| g.finer().iter().map(ToString::to_string).collect::<Vec<_>>();
    let day = Granularity::named("DAY").unwrap();
    let below_day = [
        "DAY",
        "EIGHT_HOUR",
        "SIX_HOUR",
        "HOUR",
        "THIRTY_MINUTE",
        "FIFTEEN_MINUTE",
        "TEN_MINUTE",
        "FIVE_MINUTE",
        "MINUTE",
        "SECOND",
    ];
    assert_eq!(names(&day), below_day);
    assert_eq!(names(&Granularity::named("WEEK").unwrap())[..2], ["WEEK", "DAY"]);
    assert_eq!(names(&Granularity::All)[..4], ["ALL", "YEAR", "QUARTER", "MONTH"]);
    assert!(Granularity::None.finer().is_empty());
    let new_york =
        granularity(&serde_json::json!({"type":"period","period":"P1D","timeZone":"America/New_York"}));
    let eight = &new_york.finer()[1];
    let at = Instant::parse("2026-01-20T06:00Z").unwrap();
    assert_eq!(eight.bucket(at).short(), "2026-01-20T05:00:00Z/2026-01-20T13:00:00Z");
}

#[test]
fn granularities_print_as_druid_prints_them() {
    let zoned = granularity(&serde_json::json!({"type":"period","period":"P1D","timeZone":"Asia/Tokyo"}));
    assert_eq!(zoned.to_string(), "{type=period, period=P1D, timeZone=Asia/Tokyo, origin=null}");
    let day = granularity(&Value::from("day"));
    assert_eq!(day.to_string(), "DAY");
    assert_eq!(day.in_messages(), "{type=period, period=P1D, timeZone=UTC, origin=null}");
    assert_eq!(granularity(&day.to_json()), day);
    assert_eq!(granularity(&zoned.to_json()), zoned);
    let nowhere = granularity(&serde_json::json!({"type":"period","period":"P1D","timeZone":"Mars/Olympus"}));
    assert_eq!(nowhere, day, "an unknown zone means UTC");
    for bad in ["P0D", "P-1D", "1D", ""] {
        let json = serde_json::json!({"type":"period","period":bad});
        assert!(Granularity::from_json(&json, &Tzdb::default()).is_err(), "{bad}");
    }
    for text in ["P1Y2M3W4DT5H6M7.008S", "PT24H", "PT0.500S", "P1M2D", "PT0S"] {
        assert_eq!(Period::parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn a_zone_survives_the_way_to_the_browser() {
    let table = Tzdb::default().table("Europe/Dublin").unwrap();
    let json = serde_json::to_string(&table).unwrap();
    let back: ZoneTable = serde_json::from_str(&json).unwrap();
    assert_eq!(back, table);
    assert!(json.len() < 24_000, "{} bytes", json.len());
    let hostile = r#"{"name":"x","first":0,"changes":[[5,3600],[-9,0]]}"#;
    assert!(serde_json::from_str::<ZoneTable>(hostile).is_err());
    assert_eq!(Tzdb::default().lookup("america/new_york"), Lookup::Unknown, "Joda minds the case");
    assert_eq!(Tzdb::default().lookup("+05:30"), Lookup::Known(Zone::Fixed(19_800_000)));
}

#[test]
fn subtracting_leaves_the_pieces_between() {
    let list = |texts: &[&str]| texts.iter().map(|t| interval(t)).collect::<Vec<_>>();
    let left = subtract(
        &list(&["2026-01/2026-02", "2026-03/2026-04", "2026-05/2026-06"]),
        &list(&[
            "2025-12-20/2026-01-05",
            "2026-01-10/2026-01-11",
            "2026-01-20/2026-03-10",
            "2026-05/2026-06",
        ]),
    );
    assert_eq!(left, list(&["2026-01-05/2026-01-10", "2026-01-11/2026-01-20", "2026-03-10/2026-04"]));
}

#[test]
fn an_instant_has_a_date_and_a_weekday() {
    let civil = Instant::parse("2026-07-16T05:06:07.089Z").unwrap().civil();
    assert_eq!((civil.year, civil.month, civil.day, civil.weekday), (2026, 7, 16, 4));
    assert_eq!((civil.hour, civil.minute, civil.second, civil.millisecond), (5, 6, 7, 89));
    assert_eq!(Instant::of_date(2026, 13, 32).short(), "2027-02-01T00:00:00Z");
    assert_eq!(Instant::MIN.civil().year, -146_136_543);
}

#[test]
fn a_refused_text_is_told_with_its_character_and_what_would_stand_there() {
    let no_slash = "an interval needs a '/' between its start and its end, such as 2026-07-16/2026-07-17";
    for (text, at, says) in [
        ("", 0, no_slash),
        ("2026-01-01", 10, no_slash),
        ("/2026-01-01", 0, "the start before the '/' is missing"),
        ("2026-01-01/", 11, "the end after the '/' is missing"),
        ("P1D/P1D", 4, "two periods make no interval: one side must be a date"),
        (
            "2026-01-01/2025-01-01",
            11,
            "the end 2025-01-01T00:00:00Z lies before the start 2026-01-01T00:00:00Z",
        ),
        ("x/2027", 0, "unexpected 'x' at character 1: expected a year, such as 2026"),
        ("2026/-P1D", 5, "unexpected '-' at character 6: expected a year, such as 2026"),
        ("2026-x/2027", 5, "unexpected 'x' at character 6: expected a month, a day of the year or a week"),
        ("2026-/2027", 5, "the text ends where a month, a day of the year or a week should follow"),
        ("2027/2028-", 10, "the text ends where a month, a day of the year or a week should follow"),
        ("2026-Wx/2027", 6, "unexpected 'x' at character 7: expected a week, such as W05"),
        ("2026-W54/2027", 6, "week 54 must be in the range [1,53]"),
        ("2026-W05-8/2027", 9, "day of week 8 must be in the range [1,7]"),
        ("2025-366/2027", 5, "day of year 366 must be in the range [1,365]"),
        ("2024-367/2027", 5, "day of year 367 must be in the range [1,366]"),
        ("2026/2026-02-30", 13, "day of month 30 must be in the range [1,28]"),
        ("2026/2026-13-30", 10, "month 13 must be in the range [1,12]"),
        ("2026-01-01T24:01/2027", 11, "hour 24 must be in the range [0,23]"),
        ("2026-01-01T05:60/2027", 14, "minute 60 must be in the range [0,59]"),
        ("2026-01-01T05:06:60/2027", 17, "second 60 must be in the range [0,59]"),
        (
            "2026-01-01T05:06:07./2027",
            19,
            "unexpected '.' at character 20: expected more of the time, or the end",
        ),
        ("2026-01-01T05+24:00/2027", 14, "offset hour 24 must be in the range [0,23]"),
        ("2026-01-01T05+05:60/2027", 17, "offset minute 60 must be in the range [0,59]"),
        (
            "2026-01-01T05+5/2027",
            14,
            "unexpected '5' at character 15: expected two digits for the hours of an offset, such as +05:30",
        ),
        (
            "2026-01-01/2026-01-02/2026",
            21,
            "unexpected '/' at character 22: expected 'T' and a time, or the end",
        ),
        ("2026-01-01/PT", 13, "the text ends where a number should follow"),
        ("2026-01-01/P1D1Y", 14, "the parts of a period go from years down to seconds, once each"),
        ("2026-01-01/P1DT1D", 16, "unexpected 'D' at character 17: expected H, M or S after the number"),
        ("P1X/2026-01-01", 2, "unexpected 'X' at character 3: expected Y, M, W or D after the number"),
        ("2026-01-01/P1.5D", 12, "only seconds may have decimals"),
        ("2026-01-01/P99999999999Y", 12, "the number does not fit 32 bits"),
        ("2026/999999999", 5, "year 999999999 must be in the range [-292275054,292278994]"),
        ("2026/292278994-12-31", 5, "the time is beyond what 64 bits of milliseconds hold"),
    ] {
        let error = Interval::parse(text).unwrap_err();
        assert_eq!((error.at, error.to_string().as_str()), (at, says), "{text}");
        assert_eq!(error.message, says);
    }
}
