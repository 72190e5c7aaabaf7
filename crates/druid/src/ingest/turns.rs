//! The order in which the parts of a compaction run: that of a Java `HashMap`.
//!
//! It matters where parts work on the same chunk, as they can with `allowNonAlignedInterval` over segments that begin
//! elsewhere than their chunks (days of a zone): what the first has published there is what the next meets, and a segment
//! whose id is taken is left out without a word (`IndexerSQLMetadataStorageCoordinator.insertSegments`).
//!
//! Source: `CompactionTask.createDataSchemasForIntervals`, a map with the interval as its key; in 37.0.0
//! `createInputDataSchemas`, with a list of the one interval. Hashes are Joda's (`AbstractInterval.hashCode`).

use crate::interval::Interval;
use crate::order::Order as _;
use crate::release::Release;

/// Places in `reads`, what each part reads, in the order in which they run.
pub(super) fn turns(reads: &[Interval], release: Release) -> Vec<usize> {
    // A map begins with sixteen buckets and doubles them when it is more than three quarters full.
    let mut buckets = 16_usize;
    while reads.len() * 4 > buckets * 3 {
        buckets *= 2;
    }
    let bucket = |reads: &Interval| {
        let own = hash(*reads);
        let key = if release < Release::major(37) { own } else { own.wrapping_add(31) };
        (key ^ key.wrapping_shr(16)) as usize & (buckets - 1)
    };
    let mut order: Vec<(usize, usize)> = reads.iter().map(bucket).zip(0..).collect();
    order.order();
    order.into_iter().map(|(_, place)| place).collect()
}

/// Joda's hash of an interval in UTC.
fn hash(interval: Interval) -> u32 {
    /// Of the chronology: ISO, in UTC.
    const ISO_UTC: u32 = 885_211;
    let fold = |ms: i64| (ms ^ ((ms as u64) >> 32) as i64) as u32;
    let numbers = [fold(interval.start.ms()), fold(interval.end.ms()), ISO_UTC];
    numbers.into_iter().fold(97, |sum, number| sum.wrapping_mul(31).wrapping_add(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Instant;

    #[test]
    fn an_interval_hashes_as_jodas_does() {
        assert_eq!(hash(Interval { start: Instant::EPOCH, end: Instant::EPOCH }), 3_774_938);
    }

    #[test]
    fn parts_run_in_the_order_of_a_java_map() {
        // Days of New York, put into a java.util.HashMap by the class of each release.
        const DAY: i64 = 86_400_000;
        let start = Instant::parse("2026-03-04T05:00:00Z").unwrap().ms();
        let at = |day: i64| Instant::from_ms(start + day * DAY);
        let days = |count| (0..count).map(|day| Interval { start: at(day), end: at(day + 1) }).collect();
        let order = |count: i64, release| {
            let days: Vec<Interval> = days(count);
            turns(&days, Release::major(release))
        };
        assert_eq!(order(4, 33), [2, 3, 0, 1]);
        assert_eq!(order(4, 37), [2, 3, 0, 1]);
        assert_eq!(order(13, 33), [9, 2, 3, 10, 0, 1, 8, 6, 7, 4, 11, 5, 12]);
        assert_eq!(order(13, 37), [2, 9, 3, 10, 0, 1, 8, 6, 7, 11, 4, 5, 12]);
        assert_eq!(order(30, 33).get(..6), Some(&[9, 2, 17, 24, 29, 15][..]));
        assert_eq!(order(30, 37).get(..6), Some(&[16, 3, 10, 1, 8, 23][..]));
    }
}
