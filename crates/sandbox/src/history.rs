//! What the built-in cluster holds when it starts: a past worth looking at, the same for everybody.
//!
//! Of `events_web`, oldest first:
//!
//! | time | what happened there |
//! | --- | --- |
//! | May 2026 | 31 days, later compacted to one MONTH of six partitions: the days lie hidden underneath |
//! | June | DAY chunks in weekly loads. Late rows appended on the 24th; the 17th lacks a core partition, so nothing of it is served; the 21st was never loaded |
//! | 1 to 30 July | HOUR chunks in weekly loads |
//! | 9 July, 10:00 | a newer load that lacks a partition, over an older whole one that is still served |
//! | 11 July, 02:00 to 06:00 | emptied by a replace: tombstones over the load |
//! | 13 to 19 July | three generations: the load; a reload of the whole week with hashed partitions; an overwrite from the lake, by range, which left alone what the lake did not have: hour 13 of the 16th and the whole 19th |
//! | 16 July, 05:00 and 06:00 | late rows appended to the newest generation |
//! | 16 July, 21:00 | a hole: the export had not arrived. (It has now: the lake has that hour) |
//! | 17 July, 00:00 | the neighbour of the seed's interval, reloaded alone by hand, newer than all around it |
//! | 25 July, 09:00 to 12:00 | never loaded |
//! | 30 July, 20:00 to 24:00 | appended only, under concurrent locks: the epoch version, no core partitions |
//!
//! `metrics_ny` has days of America/New_York over the change to summer time and in July; `lookup_all` is one eternity,
//! replaced once. All rows, sizes and versions follow from rules; nothing is random.
//!
//! Always holds: every version is older than the cluster's start, every set is one that Druid accepts.

use druid::granularity::Granularity;
use druid::interval::{Instant, Interval};
use druid::segment::{Segment, ShardSpec};
use druid::zone::{Tzdb, UtcOnly};
use serde_json::json;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// What a row takes in deep storage.
const BYTES_A_ROW: u64 = 38;

/// The newest version below, as it is written: with a clock before it, all versions are moved back.
const NEWEST: &str = "2026-07-31T01:18:19.006Z";

/// Datasources by name, with their used segments.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Names and segments.
    pub datasources: Vec<(String, Vec<Segment>)>,
}

/// The history of a cluster that starts at `now`.
pub fn history(now: Instant) -> History {
    let datasources = vec![events_web(now), metrics_ny(now), lookup_all(now)];
    History {
        datasources: datasources
            .into_iter()
            .map(|past| (past.datasource.to_owned(), past.segments))
            .collect(),
    }
}

/// A datasource of so many segments, for measuring: hours back from the start of 2026, four partitions each, every
/// fifth hour loaded twice.
pub fn many(now: Instant, count: usize) -> (String, Vec<Segment>) {
    let mut past = Past::new("many", now);
    let newest = at("2026-01-01T00:00:00Z");
    let mut hour = 0;
    while past.segments.len() < count {
        hour += 1;
        let start = newest - hour * HOUR;
        let chunk = span(start, start + HOUR);
        past.load(&[chunk], &printed(start + 3 * HOUR), &Parts::Numbered(4));
        if hour % 5 == 0 {
            past.load(&[chunk], &printed(start + 7 * DAY), &Parts::Numbered(1));
        }
    }
    past.segments.truncate(count);
    (past.datasource.to_owned(), past.segments)
}

fn events_web(now: Instant) -> Past {
    let mut past = Past::new("events_web", now);
    past.load(&days("2026-05-01/2026-06-01", &[]), "2026-06-01T01:30:12.804Z", &Parts::Numbered(1));
    past.load(&[interval("2026-05-01/2026-06-01")], "2026-06-03T03:11:07.412Z", &Parts::Range(6));
    june(&mut past);
    july(&mut past);
    past
}

fn june(past: &mut Past) {
    let loads = [
        ("2026-06-01/2026-06-08", "2026-06-08T01:12:44.190Z"),
        ("2026-06-08/2026-06-15", "2026-06-15T01:09:31.552Z"),
        ("2026-06-15/2026-06-22", "2026-06-22T01:10:57.013Z"),
        ("2026-06-22/2026-07-01", "2026-07-01T01:21:36.728Z"),
    ];
    for (week, version) in loads {
        past.load(
            &days(week, &["2026-06-17/2026-06-18", "2026-06-21/2026-06-22"]),
            version,
            &Parts::Numbered(2),
        );
    }
    // A core partition that got lost: the third of four.
    past.load(&days("2026-06-17/2026-06-18", &[]), "2026-06-22T01:10:57.013Z", &Parts::Numbered(4));
    past.lose("2026-06-17/2026-06-18", 2);
    past.append("2026-06-24/2026-06-25", "2026-07-01T01:21:36.728Z", 2, 2..4);
}

fn july(past: &mut Past) {
    let never = ["2026-07-16T21/2026-07-16T22", "2026-07-25T09/2026-07-25T12", "2026-07-30T20/2026-07-31T00"];
    let loads = [
        ("2026-07-01/2026-07-06", "2026-07-06T01:20:03.377Z"),
        ("2026-07-06/2026-07-13", "2026-07-13T01:11:58.640Z"),
        ("2026-07-13/2026-07-20", "2026-07-20T01:16:27.905Z"),
        ("2026-07-20/2026-07-27", "2026-07-27T01:14:50.233Z"),
        ("2026-07-27/2026-07-31", NEWEST),
    ];
    for (week, version) in loads {
        past.load(&hours(week, &never), version, &Parts::Numbered(1));
    }
    past.tombstones(&hours("2026-07-11T02/2026-07-11T06", &[]), "2026-07-22T11:30:40.081Z");
    past.load(&hours("2026-07-09T10/2026-07-09T11", &[]), "2026-07-23T08:15:26.470Z", &Parts::Numbered(3));
    past.lose("2026-07-09T10/2026-07-09T11", 1);

    let week = "2026-07-13/2026-07-20";
    past.load(&hours(week, &never), "2026-07-24T09:41:55.027Z", &Parts::Hashed(2));
    let newest = "2026-07-28T16:05:32.719Z";
    let left_alone = [never[0], "2026-07-16T13/2026-07-16T14", "2026-07-19/2026-07-20"];
    past.load(&hours(week, &left_alone), newest, &Parts::Range(2));
    past.append("2026-07-16T05/2026-07-16T06", newest, 2, 2..4);
    past.append("2026-07-16T06/2026-07-16T07", newest, 2, 2..3);
    past.load(&hours("2026-07-17T00/2026-07-17T01", &[]), "2026-07-29T07:58:01.344Z", &Parts::Range(1));
    for hour in hours(never[2], &[]) {
        past.appended_only(hour, 2);
    }
}

fn metrics_ny(now: Instant) -> Past {
    let mut past = Past::new("metrics_ny", now);
    let day = json!({"type": "period", "period": "P1D", "timeZone": "America/New_York"});
    let Ok(day) = Granularity::from_json(&day, &Tzdb::default()) else { return past };
    let days = |text: &str| day.buckets(interval(text)).collect::<Vec<_>>();
    past.load(&days("2026-02-20T05Z/2026-03-22T04Z"), "2026-03-23T06:02:15.318Z", &Parts::Numbered(1));
    past.load(&days("2026-07-01T04Z/2026-07-31T04Z"), "2026-07-31T00:05:44.871Z", &Parts::Numbered(1));
    past.load(&days("2026-03-07T05Z/2026-03-10T04Z"), "2026-04-02T14:47:09.655Z", &Parts::Numbered(1));
    if let Some(last) = days("2026-07-30T04Z/2026-07-31T04Z").first() {
        past.append(&last.to_string(), "2026-07-31T00:05:44.871Z", 1, 1..2);
    }
    past
}

fn lookup_all(now: Instant) -> Past {
    let mut past = Past::new("lookup_all", now);
    past.load(&[Interval::ETERNITY], "2026-05-11T12:00:31.006Z", &Parts::Numbered(1));
    past.load(&[Interval::ETERNITY], "2026-07-02T12:00:29.774Z", &Parts::Numbered(1));
    past
}

/// How a load was partitioned.
enum Parts {
    Numbered(u32),
    Hashed(u32),
    Range(u32),
}

/// A datasource's past in the making.
struct Past {
    datasource: &'static str,
    segments: Vec<Segment>,
    /// Added to every version, in milliseconds; never above 0.
    shift: i64,
}

impl Past {
    fn new(datasource: &'static str, now: Instant) -> Past {
        let newest = at(NEWEST) + HOUR;
        // Whole days, so that the versions keep their times of day.
        let shift = (now.ms() - newest).min(0).div_euclid(DAY) * DAY;
        Past { datasource, segments: Vec::new(), shift }
    }

    fn version(&self, text: &str) -> String {
        Instant::from_ms(at(text) + self.shift).to_string()
    }

    /// What a batch publishes: per chunk the partitions from 0 on, all of them core.
    fn load(&mut self, chunks: &[Interval], version: &str, parts: &Parts) {
        for chunk in chunks {
            let count = match parts {
                Parts::Numbered(count) | Parts::Hashed(count) | Parts::Range(count) => *count,
            };
            for partition in 0..count {
                let shard = match parts {
                    Parts::Numbered(core) => ShardSpec::Numbered { partition, core: *core },
                    Parts::Hashed(core) => ShardSpec::Hashed {
                        partition,
                        core: *core,
                        bucket: Some((partition, *core)),
                        dimensions: vec!["country".into()],
                        function: Some("murmur3_32_abs".into()),
                    },
                    Parts::Range(core) => country_range(partition, *core),
                };
                let rows = rows_of(*chunk) / u64::from(count);
                self.publish(*chunk, &self.version(version), shard, rows);
            }
        }
    }

    /// Late rows: further partitions of a holder, its core count copied.
    fn append(&mut self, chunk: &str, version: &str, core: u32, partitions: std::ops::Range<u32>) {
        for partition in partitions {
            let chunk = interval(chunk);
            let rows = rows_of(chunk) / 40 + u64::from(partition) * 7;
            self.publish(chunk, &self.version(version), ShardSpec::Numbered { partition, core }, rows);
        }
    }

    /// What appends under concurrent locks leave in a chunk that had nothing.
    fn appended_only(&mut self, chunk: Interval, count: u32) {
        for partition in 0..count {
            let shard = ShardSpec::Numbered { partition, core: 0 };
            self.publish(chunk, &Instant::EPOCH.to_string(), shard, rows_of(chunk) / u64::from(count));
        }
    }

    fn tombstones(&mut self, chunks: &[Interval], version: &str) {
        for chunk in chunks {
            let tombstone = Segment {
                size: 1,
                rows: Some(0),
                load_spec: Some(json!({"type": "tombstone", "path": null})),
                ..Segment::new(self.datasource, *chunk, &self.version(version), ShardSpec::Tombstone)
            };
            self.segments.push(tombstone);
        }
    }

    /// Takes a partition of the load published last in a chunk away.
    fn lose(&mut self, chunk: &str, partition: u32) {
        let chunk = interval(chunk);
        let lost = |segment: &Segment| segment.interval == chunk && segment.shard.partition() == partition;
        if let Some(at) = self.segments.iter().rposition(lost) {
            self.segments.remove(at);
        }
    }

    fn publish(&mut self, chunk: Interval, version: &str, shard: ShardSpec, rows: u64) {
        let (dimensions, metrics) = match self.datasource {
            "events_web" | "many" => ("country,device,page_id", "rows,bytes"),
            "metrics_ny" => ("service,region", "count,latency_ms"),
            _ => ("key,value", ""),
        };
        let partition = shard.partition();
        let key = format!(
            "segments/{}/{}_{}/{version}/{partition}/index.zip",
            self.datasource, chunk.start, chunk.end
        );
        let mut segment = Segment {
            dimensions: dimensions.into(),
            metrics: metrics.into(),
            rows: Some(rows),
            size: rows * BYTES_A_ROW + 900,
            load_spec: Some(
                json!({"type": "s3_zip", "bucket": "deep-storage", "key": key, "S3Schema": "s3n"}),
            ),
            ..Segment::new(self.datasource, chunk, version, shard)
        };
        segment.extra.insert("binaryVersion".to_owned(), json!(9));
        self.segments.push(segment);
    }
}

/// `range` over one dimension publishes `single`.
fn country_range(partition: u32, core: u32) -> ShardSpec {
    const CUTS: [&str; 5] = ["CH", "ES", "IN", "NL", "US"];
    let cut = |number: u32| {
        let number = number.checked_sub(1).filter(|_| number < core)?;
        CUTS.get((number * 5 / core.max(1)) as usize).map(|cut| (*cut).into())
    };
    ShardSpec::Single {
        partition,
        core: Some(core),
        dimension: "country".into(),
        start: cut(partition),
        end: cut(partition + 1),
    }
}

/// Rows of a chunk: by the hour a day's rise and fall, with a little that differs from hour to hour. What the lake's
/// files stand for is of the same size.
fn rows_of(chunk: Interval) -> u64 {
    let hours = (chunk.duration_ms() / HOUR).clamp(1, 31 * 24);
    let first = chunk.start.ms().div_euclid(HOUR);
    (first..first.saturating_add(hours))
        .map(|hour| {
            let noon = (hour.rem_euclid(24) - 13).unsigned_abs();
            13_500 - 550 * noon + hour.unsigned_abs() % 97 * 11
        })
        .sum()
}

fn days(span: &str, except: &[&str]) -> Vec<Interval> {
    chunks(interval(span), "DAY", except)
}

fn hours(span: &str, except: &[&str]) -> Vec<Interval> {
    chunks(interval(span), "HOUR", except)
}

fn chunks(span: Interval, granularity: &str, except: &[&str]) -> Vec<Interval> {
    let except: Vec<Interval> = except.iter().map(|text| interval(text)).collect();
    let Ok(granularity) = Granularity::from_json(&json!(granularity), &UtcOnly) else { return Vec::new() };
    granularity.buckets(span).filter(|chunk| !except.iter().any(|other| other.overlaps(*chunk))).collect()
}

/// The texts above are all readable; a test reads every one.
fn interval(text: &str) -> Interval {
    Interval::parse(text).unwrap_or(Interval::ETERNITY)
}

fn at(text: &str) -> i64 {
    Instant::parse(text).map_or(0, Instant::ms)
}

fn span(start: i64, end: i64) -> Interval {
    Interval { start: Instant::from_ms(start), end: Instant::from_ms(end) }
}

fn printed(ms: i64) -> String {
    Instant::from_ms(ms).to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use druid::segment::{ChunkKind, SegmentSet};
    use druid::timeline::{Holder, Timeline};

    fn timeline(name: &str) -> Timeline {
        let now = Instant::parse("2026-08-03T09:30:00Z").unwrap();
        let history = history(now);
        let (_, segments) = history.datasources.iter().find(|(other, _)| other == name).unwrap();
        Timeline::build(&SegmentSet::of(name, segments)).unwrap()
    }

    /// What is served at an instant.
    fn served<'a>(timeline: &'a Timeline, at: &str) -> Option<Holder<'a>> {
        let piece = timeline.visible().at(Instant::parse(at).unwrap())?;
        timeline.holder(piece.holder)
    }

    fn generations(timeline: &Timeline, at: &str) -> usize {
        timeline.overlapping(interval(at)).len()
    }

    #[test]
    fn sixty_days_are_there_in_day_and_hour_chunks() {
        let timeline = timeline("events_web");
        for day in days("2026-06-01/2026-07-31", &["2026-06-17/2026-06-18", "2026-06-21/2026-06-22"]) {
            let served = timeline.lookup(day);
            let wanted = if day.start < Instant::parse("2026-07-01").unwrap() { 1 } else { 21 };
            assert!(served.len() >= wanted && served.len() <= 24, "{day}: {}", served.len());
        }
    }

    #[test]
    fn may_is_one_month_over_its_days() {
        let timeline = timeline("events_web");
        let may = interval("2026-05-01/2026-06-01");
        assert_eq!(timeline.lookup(may).iter().map(|piece| piece.interval).collect::<Vec<_>>(), [may]);
        let hidden = timeline.overlapping(may).into_iter().filter(|id| timeline.is_overshadowed(*id));
        assert_eq!(hidden.count(), 31);
    }

    #[test]
    fn the_seeds_interval_has_three_generations_a_hole_appended_rows_and_neighbours() {
        let timeline = timeline("events_web");
        let day = interval("2026-07-16T00:00:00Z/2026-07-17T00:00:00Z");
        assert_eq!(timeline.lookup(day).len(), 23);
        assert_eq!(generations(&timeline, "2026-07-16T08/2026-07-16T09"), 3);
        assert!(served(&timeline, "2026-07-16T21:30").is_none());
        // What the last overwrite left alone is served from the generation before.
        let version = |at: &str| served(&timeline, at).unwrap().version.to_owned();
        assert_eq!(version("2026-07-16T12:00"), "2026-07-28T16:05:32.719Z");
        assert_eq!(version("2026-07-16T13:00"), "2026-07-24T09:41:55.027Z");
        assert_eq!(version("2026-07-19T13:00"), "2026-07-24T09:41:55.027Z");
        let appended = served(&timeline, "2026-07-16T05:00").unwrap();
        assert_eq!(appended.partitions().collect::<Vec<_>>(), [0, 1, 2, 3]);
        // One hour beside it on either side, and on the right one with a version of its own.
        assert!(served(&timeline, "2026-07-15T23:00").is_some());
        assert_eq!(version("2026-07-17T00:00"), "2026-07-29T07:58:01.344Z");
        assert_eq!(version("2026-07-17T01:00"), "2026-07-28T16:05:32.719Z");
    }

    #[test]
    fn tombstones_hide_four_hours_of_a_load() {
        let timeline = timeline("events_web");
        for hour in hours("2026-07-11T02/2026-07-11T06", &[]) {
            let holders: Vec<Holder<'_>> =
                timeline.overlapping(hour).into_iter().filter_map(|id| timeline.holder(id)).collect();
            assert_eq!(holders.iter().filter(|holder| holder.tombstone).count(), 1);
            assert_eq!(holders.iter().filter(|holder| timeline.is_overshadowed(holder.id)).count(), 1);
        }
    }

    #[test]
    fn incomplete_holders_are_not_served() {
        let timeline = timeline("events_web");
        assert!(served(&timeline, "2026-06-17T12:00").is_none());
        assert!(
            !timeline
                .holders()
                .find(|holder| holder.interval == interval("2026-06-17/2026-06-18"))
                .unwrap()
                .complete
        );
        // Over a whole older one: that one shows through.
        assert_eq!(served(&timeline, "2026-07-09T10:00").unwrap().version, "2026-07-13T01:11:58.640Z");
        assert_eq!(generations(&timeline, "2026-07-09T10/2026-07-09T11"), 2);
    }

    #[test]
    fn some_time_was_never_loaded() {
        let timeline = timeline("events_web");
        for at in ["2026-06-21T12:00", "2026-07-25T09:00", "2026-07-25T11:59"] {
            assert!(served(&timeline, at).is_none(), "{at}");
        }
        assert!(served(&timeline, "2026-07-25T12:00").is_some());
    }

    #[test]
    fn the_last_hours_are_appended_only() {
        let timeline = timeline("events_web");
        let last = served(&timeline, "2026-07-30T23:59").unwrap();
        assert_eq!((last.version, last.highest()), ("1970-01-01T00:00:00.000Z", Some((1, Some(0)))));
    }

    #[test]
    fn new_york_days_start_at_four_or_five() {
        let timeline = timeline("metrics_ny");
        let day = |at: &str| served(&timeline, at).unwrap().interval;
        assert_eq!(day("2026-03-07T12:00").duration_ms(), 24 * HOUR);
        // The clocks went forward on 8 March.
        assert_eq!(day("2026-03-08T12:00"), interval("2026-03-08T05Z/2026-03-09T04Z"));
        assert_eq!(day("2026-07-30T12:00"), interval("2026-07-30T04Z/2026-07-31T04Z"));
    }

    #[test]
    fn the_lookup_is_one_eternity_replaced_once() {
        let timeline = timeline("lookup_all");
        assert_eq!(timeline.holders().count(), 2);
        assert_eq!(
            timeline.visible().iter().map(|piece| piece.interval).collect::<Vec<_>>(),
            [Interval::ETERNITY]
        );
    }

    #[test]
    fn every_version_is_older_than_the_start_whenever_that_is() {
        for now in
            ["2024-02-29T12:00:00Z", "2026-07-30T00:00:00Z", "2026-07-31T02:18:20Z", "2031-01-01T00:00:00Z"]
        {
            let now = Instant::parse(now).unwrap();
            for (name, segments) in history(now).datasources {
                assert!(Timeline::build(&SegmentSet::of(&name, &segments)).is_ok(), "{name} at {now}");
                for segment in &segments {
                    assert!(*segment.version < *now.to_string(), "{} at {now}", segment.id());
                }
            }
        }
    }

    #[test]
    fn the_history_is_the_same_every_time() {
        let now = Instant::parse("2026-11-30T12:00:00Z").unwrap();
        assert_eq!(history(now), history(now));
    }

    #[test]
    fn sizes_are_those_of_real_hours() {
        let timeline = timeline("events_web");
        for holder in timeline.holders().filter(|holder| holder.complete && !holder.tombstone) {
            let rows = holder.rows().unwrap();
            let hours = (holder.interval.duration_ms() / HOUR) as u64;
            assert!((5_000..16_000).contains(&(rows / hours)), "{} has {rows} rows", holder.interval);
        }
        let kinds = timeline.segments().iter().map(|segment| segment.kind);
        let kinds: std::collections::BTreeSet<ChunkKind> = kinds.collect();
        assert!(kinds.contains(&ChunkKind::Single) && kinds.contains(&ChunkKind::Hashed));
    }

    #[test]
    fn as_many_segments_as_wished_can_be_made() {
        let (name, segments) = many(Instant::parse("2026-11-30T12:00:00Z").unwrap(), 10_001);
        assert_eq!(segments.len(), 10_001);
        assert!(Timeline::build(&SegmentSet::of(&name, &segments)).is_ok());
    }
}
