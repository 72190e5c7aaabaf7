//! The gateway's own calls, all of them reads:
//!
//! - `GET /foreshadow/health`: `{"healthy":true}` as long as this process answers;
//! - `GET /foreshadow/about`: what is behind this gateway;
//! - `GET /foreshadow/segments/{datasource}[?intervals=a_b,c_d]`: used segments as `druid::columns`;
//! - `GET /foreshadow/zones/{name}`: the rules of one time zone.

use druid::answer;
use druid::endpoint::{Endpoint, Name};
use druid::interval::Interval;
use http::{HeaderValue, Response, header};
use serde_json::{Value, json};

use crate::body::{Body, full};
use crate::error::Refusal;
use crate::gateway::Gateway;
use crate::probe::collect;
use crate::{segments, upstream, zones};

/// One of them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Own {
    Health,
    About,
    Segments { datasource: Name, intervals: Vec<Interval> },
    Zone(String),
}

impl Own {
    /// Reads a raw path and query, as strictly as Druid's are read.
    pub(crate) fn parse(path: &str, query: &str) -> Result<Own, Refusal> {
        let rest = path.strip_prefix("/foreshadow/").ok_or(Refusal::NoSuchPage)?;
        let (first, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let own = match (first, rest) {
            ("health", "") => Own::Health,
            ("about", "") => Own::About,
            ("zones", name) if !name.is_empty() => Own::Zone(zones::name(name).ok_or(Refusal::NoSuchPage)?),
            ("segments", name) if !name.is_empty() => {
                let datasource = Name::from_segment(name).ok_or(Refusal::NoSuchPage)?;
                return Ok(Own::Segments { datasource, intervals: intervals(query)? });
            }
            _ => return Err(Refusal::NoSuchPage),
        };
        if query.is_empty() { Ok(own) } else { Err(Refusal::BadQuery("this call takes none".to_owned())) }
    }
}

/// Most intervals in one request.
const MOST_INTERVALS: usize = 1000;

fn intervals(query: &str) -> Result<Vec<Interval>, Refusal> {
    if query.is_empty() {
        return Ok(Vec::new());
    }
    let list = query
        .strip_prefix("intervals=")
        .ok_or_else(|| Refusal::BadQuery("only intervals= is known".to_owned()))?;
    let list = list.replace("%3A", ":").replace("%3a", ":").replace("%2C", ",").replace("%2c", ",");
    let parts: Vec<&str> = list.split(',').collect();
    if parts.len() > MOST_INTERVALS {
        return Err(Refusal::BadQuery(format!("at most {MOST_INTERVALS} intervals")));
    }
    parts
        .iter()
        .map(|text| {
            let bad = || {
                Refusal::BadQuery(format!(
                    "{:?} is no interval of the form start_end",
                    text.escape_debug().to_string()
                ))
            };
            let plain = text.matches('_').count() == 1;
            if plain { Interval::parse(&text.replace('_', "/")).map_err(|_| bad()) } else { Err(bad()) }
        })
        .collect()
}

pub(crate) async fn answer(gateway: &Gateway, own: Own) -> Result<Response<Body>, Refusal> {
    match own {
        Own::Health => Ok(as_json(&json!({ "healthy": true }))),
        Own::About => Ok(about(gateway).await),
        Own::Zone(name) => zones::answer(&name),
        Own::Segments { datasource, intervals } => {
            segments::answer(&gateway.upstream, datasource, &intervals).await
        }
    }
}

/// What is behind this gateway, asked anew each time: `druid` is null and `trouble` says why while the cluster does not answer.
async fn about(gateway: &Gateway) -> Response<Body> {
    let endpoint = Endpoint::OverlordStatus;
    let version = match gateway.upstream.send(&endpoint, endpoint.request()).await {
        Ok(response) => collect(response)
            .await
            .and_then(|answer| answer::version(&answer).map_err(|error| error.to_string())),
        Err(refusal) => Err(refusal.to_string()),
    };
    let (druid, trouble) = match version {
        Ok(version) => (Value::String(version.version), Value::Null),
        Err(trouble) => (Value::Null, Value::String(trouble)),
    };
    as_json(&json!({
        "sandbox": gateway.upstream.is_sandbox(),
        "cluster": gateway.upstream.label(),
        "druid": druid,
        "trouble": trouble,
        "product": env!("CARGO_PKG_VERSION"),
        "read_only": gateway.read_only,
        "now": upstream::now().to_string(),
    }))
}

pub(crate) fn as_json(value: &Value) -> Response<Body> {
    let mut response = Response::new(full(value.to_string()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests: a panic is a failure
mod tests {
    use super::*;

    #[test]
    fn own_paths_are_read_strictly() {
        assert_eq!(Own::parse("/foreshadow/health", ""), Ok(Own::Health));
        assert_eq!(
            Own::parse("/foreshadow/zones/America/New_York", ""),
            Ok(Own::Zone("America/New_York".into()))
        );
        let day = Interval::parse("2026-07-16/2026-07-17").unwrap();
        assert_eq!(
            Own::parse(
                "/foreshadow/segments/%C3%BCn%C3%AF%20%3F%23%25",
                "intervals=2026-07-16T00%3A00:00Z_2026-07-17,2026-07-16_2026-07-17"
            ),
            Ok(Own::Segments { datasource: Name::new("ünï ?#%").unwrap(), intervals: vec![day, day] })
        );
        for (path, query) in [
            ("/foreshadow", ""),
            ("/foreshadow/", ""),
            ("/foreshadow/health/", "x"),
            ("/foreshadow/about", "x=1"),
            ("/foreshadow/segments", ""),
            ("/foreshadow/segments/", ""),
            ("/foreshadow/segments/a/b", ""),
            ("/foreshadow/segments/..", ""),
            ("/foreshadow/segments/x", "interval=2026_2027"),
            ("/foreshadow/segments/x", "intervals=2026-07-16/2026-07-17"),
            ("/foreshadow/segments/x", "intervals="),
            ("/foreshadow/zones/", ""),
            ("/foreshadow/zones/../etc/passwd", ""),
            ("/foreshadow/nothing", ""),
        ] {
            assert!(Own::parse(path, query).is_err(), "{path} {query}");
        }
    }
}
