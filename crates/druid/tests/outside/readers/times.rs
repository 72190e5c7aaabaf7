//! Instants, intervals, periods, granularities, zone tables.

use std::sync::{Arc, LazyLock};

use druid::granularity::{Granularity, PeriodGranularity};
use druid::interval::{Instant, Interval, ParseError, Period};
use druid::spec::words_for_interval;
use druid::zone::{Named, Tzdb, Zone, ZoneTable, named};

use super::text;

static ZONE_RULES: LazyLock<Tzdb> = LazyLock::new(Tzdb::default);

/// Moments at which rules change or numbers end.
const MOMENTS: [i64; 9] = [
    i64::MIN,
    i64::MIN / 2,
    -2_208_988_800_001,
    -1,
    0,
    951_782_400_000,
    1_784_160_000_000,
    i64::MAX / 2,
    i64::MAX,
];

/// The place of an error is one in the text.
fn has_its_place(error: &ParseError, text: &str) {
    assert!(text.get(error.at..).is_some(), "{error:?} in {text:?}");
    assert!(!error.message.is_empty());
}

/// Whether the year is one that Joda reads; it prints some that it does not.
fn can_be_written(at: Instant) -> bool {
    (-292_275_054..=292_278_994).contains(&at.civil().year)
}

pub(super) fn instant(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match Instant::parse(text) {
        Err(error) => has_its_place(&error, text),
        Ok(at) if can_be_written(at) => {
            assert_eq!(Instant::parse(&at.to_string()), Ok(at));
            assert_eq!(Instant::parse(&at.short()), Ok(at));
            let civil = at.civil();
            let day = Instant::of_date(civil.year, civil.month.into(), civil.day.into());
            assert!((0..86_400_000).contains(&(at.ms() - day.ms())), "{at} is not on {day}");
        }
        Ok(at) => assert!(!at.short().is_empty()),
    }
}

pub(super) fn interval(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let interval = match Interval::parse(text) {
        Err(error) => {
            has_its_place(&error, text);
            assert!(words_for_interval(text).is_some_and(|words| !words.is_empty()));
            return;
        }
        Ok(interval) => interval,
    };
    assert_eq!(words_for_interval(text), None);
    assert!(interval.start <= interval.end);
    assert_eq!(interval.is_empty(), interval.duration_ms() == 0);
    if can_be_written(interval.start) && can_be_written(interval.end) {
        assert_eq!(Interval::parse(&interval.to_string()), Ok(interval));
        assert_eq!(Interval::parse(&interval.short()), Ok(interval));
    }
    for name in Granularity::names() {
        chunks(&Granularity::named(name).unwrap(), interval);
    }
}

/// The chunks of an interval cover it, and whichever end they are taken from they are the same.
fn chunks(granularity: &Granularity, interval: Interval) {
    let chunks = granularity.buckets(interval);
    let count = granularity.count(interval);
    assert_eq!(chunks.remaining(), count);
    let (Some(first), Some(last)) = (chunks.clone().next(), chunks.clone().next_back()) else {
        // Several hours are rounded up before the origin, as Druid does: past the end, perhaps.
        let passed = granularity.bucket(interval.start).start >= interval.end;
        return assert!(count == 0 && (interval.is_empty() || passed), "{granularity} of {interval}");
    };
    assert!(!interval.is_empty());
    // Beyond eternity there is nothing to cover.
    let known = Interval::ETERNITY.contains(interval);
    assert!(first.start <= last.start && first.end <= last.end);
    if !known {
        return;
    }
    assert!(interval.end <= last.end, "{granularity} of {interval} ends at {last}");
    let rounds_up = first.start > interval.start;
    assert!(!rounds_up || first.start.ms() <= 0, "{granularity} of {interval} starts at {first}");
    if let Some(second) = chunks.clone().nth(1) {
        assert_eq!(first.end, second.start);
    }
    if let Some(holder) = chunks.containing(interval.start) {
        assert!(holder.contains_instant(interval.start));
    } else {
        assert!(rounds_up, "{granularity} of {interval} has no chunk at its start");
    }
    let narrowed = chunks.overlapping(interval);
    assert!(narrowed.remaining() <= count);
}

pub(super) fn period(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let period = match Period::parse(text) {
        Err(error) => return has_its_place(&error, text),
        Ok(period) => period,
    };
    assert_eq!(Period::parse(&period.to_string()), Ok(period));
    for at in MOMENTS.map(Instant::from_ms) {
        let (after, before) = (period.add_utc(at, 1), period.add_utc(at, -1));
        if period.is_positive() {
            assert!(before <= at && at <= after, "{period} from {at}: {before}, {after}");
        }
        let _ = Period::between(at.min(after), at.max(after)).to_string();
    }
    if let Some(granularity) = PeriodGranularity::new(period, None, Zone::Utc, "UTC") {
        near_and_far(&Granularity::Period(granularity));
    } else {
        assert!(!period.is_positive());
    }
    if let Some(like) = Granularity::like(period) {
        assert!(like.name().is_some());
    }
}

/// What must hold of any granularity, at moments where something may go wrong.
fn near_and_far(granularity: &Granularity) {
    let _ = granularity.in_messages();
    for at in MOMENTS.map(Instant::from_ms) {
        let chunk = granularity.bucket(at);
        assert!(chunk.start <= chunk.end);
        let _ = granularity.is_aligned(chunk);
        let is_known = Interval::ETERNITY.contains_instant(at);
        assert!(!is_known || granularity.bucket_end_from(at) >= at);
    }
    let year = Interval::parse("2026-01-01/2027-01-01").unwrap();
    let chunks = granularity.buckets(year);
    let count = chunks.remaining();
    assert!(count > 0, "{granularity} has no chunk in a year");
    let (first, last) = (chunks.clone().next().unwrap(), chunks.clone().next_back().unwrap());
    assert!(
        first.start < year.end && last.start < year.end && last.end >= year.end,
        "{granularity}: {first} {last}"
    );
    assert_eq!(chunks.clone().nth(usize::try_from(count - 1).unwrap()), Some(last));
    assert_eq!(chunks.clone().nth(usize::try_from(count).unwrap()), None);
    if let Some(holder) = chunks.containing(Instant::from_ms(1_784_160_000_001)) {
        assert!(holder.contains_instant(Instant::from_ms(1_784_160_000_001)));
    }
    for interval in [
        Interval::ETERNITY,
        Interval { start: Instant::from_ms(i64::MIN), end: Instant::MIN },
        Interval { start: Instant::MAX, end: Instant::from_ms(i64::MAX) },
    ] {
        let _ = granularity.buckets(interval).next();
    }
}

pub(super) fn granularity(bytes: &[u8]) {
    let Ok(json) = serde_json::from_slice::<serde_json::Value>(bytes) else { return };
    match Granularity::from_json(&json, &*ZONE_RULES) {
        Err(why) => assert!(!why.is_empty()),
        Ok(granularity) => {
            near_and_far(&granularity);
            let origin = match &granularity {
                Granularity::Period(period) => period.origin(),
                Granularity::Duration { origin, .. } => Some(*origin),
                Granularity::None | Granularity::All => None,
            };
            if origin.is_none_or(can_be_written) {
                assert_eq!(Granularity::from_json(&granularity.to_json(), &*ZONE_RULES), Ok(granularity));
            }
        }
    }
}

/// A zone's name, or a table as it travels.
pub(super) fn zone(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Named::Offset(ms) = named(text) {
        assert!(ms.abs() < 86_400_000);
    }
    let Some(table) = ZoneTable::read(text) else { return };
    let written = serde_json::to_string(&table).unwrap();
    assert_eq!(ZoneTable::read(&written).as_ref(), Some(&table));
    assert_eq!(serde_json::from_str::<ZoneTable>(&written).ok().as_ref(), Some(&table));
    let name = table.name().to_owned();
    let zone = Zone::Table(Arc::new(table));
    for at in MOMENTS {
        assert!(zone.offset(Instant::from_ms(at)).abs() < 86_400_000);
    }
    for text in ["P1D", "P1W", "P1M", "PT6H", "PT15M", "P1DT1H"] {
        let period = Period::parse(text).unwrap();
        let granularity = PeriodGranularity::new(period, None, zone.clone(), &name).unwrap();
        near_and_far(&Granularity::Period(granularity));
    }
}
