//! The sandbox behind the gateway: the clock is read here and handed in.

use druid::answer::Response;
use druid::endpoint::Request;
use druid::interval::Instant;
use druid::release::Release;
use sandbox::{Sandbox, history};

use crate::upstream::{Local, Upstream, now};

/// The release that the sandbox is.
const RELEASE: Release = Release(33, 0, 0);

/// The built-in cluster with its history; with `many` above 0 one more datasource of that name with so many segments, for
/// benchmarks.
pub fn sandbox(many: usize) -> Upstream {
    let now = now();
    let mut sandbox = Sandbox::new(RELEASE, now);
    if many > 0 {
        let (datasource, segments) = history::many(now, many);
        sandbox.seed(&datasource, segments);
    }
    Upstream::local(sandbox)
}

impl Local for Sandbox {
    fn handle(&mut self, now: Instant, request: &Request) -> Response {
        Sandbox::handle(self, now, request)
    }
}
