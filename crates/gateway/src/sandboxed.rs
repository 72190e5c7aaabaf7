//! The sandbox behind the gateway: the clock is read here and handed in.

use druid::answer::Response;
use druid::endpoint::Request;
use druid::interval::{Instant, Interval};
use druid::release::Release;
use druid::segment::{Segment, ShardSpec};
use sandbox::Sandbox;

use crate::upstream::{Local, Upstream, now};

/// The release that the sandbox is.
const RELEASE: Release = Release(33, 0, 0);

/// Hour, ms.
const HOUR: i64 = 3_600_000;

/// The built-in cluster with its history; with `many` above 0 one more datasource of that name with so many segments, hour by
/// hour back from midnight, for benchmarks.
pub fn sandbox(many: usize) -> Upstream {
    let now = now();
    let mut sandbox = Sandbox::new(RELEASE, now);
    if many > 0 {
        sandbox.seed("many", hours_before(now, many));
    }
    Upstream::local(sandbox)
}

impl Local for Sandbox {
    fn handle(&mut self, now: Instant, request: &Request) -> Response {
        Sandbox::handle(self, now, request)
    }
}

/// Four partitions to an hour, a new version every 500 hours.
fn hours_before(now: Instant, count: usize) -> Vec<Segment> {
    let midnight = now.ms() - now.ms().rem_euclid(24 * HOUR);
    (0..count)
        .filter_map(|at| {
            let (hour, partition) = ((at / 4) as i64, (at % 4) as u32);
            let end = Instant::from_ms(midnight - hour * HOUR);
            let interval = Interval::new(Instant::from_ms(end.ms() - HOUR), end)?;
            let version = Instant::from_ms(end.ms() + (500 - hour % 500) * HOUR).to_string();
            let core = (count - (at - at % 4)).min(4) as u32;
            Some(Segment::new("many", interval, &version, ShardSpec::Numbered { partition, core }))
        })
        .collect()
}
