//! Reading what is there: datasources, segments, who else is at work, and the cluster around.

use super::{
    about::told,
    send::{send, whole},
};
use crate::cluster::about::browser_now;
use backfill::check::{Retention, Slots};
use druid::{
    answer,
    columns::Decoder,
    endpoint::{Endpoint, LockFilter, Name, Request, TaskState},
    interval::Interval,
    lock::Held,
    release::Release,
    segment::{SegmentSet, UnusedSegment},
    timeline::Timeline,
};
use gloo_net::http::Request as Fetch;

/// The used segments of one datasource at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// Whose.
    pub datasource: String,
    /// The segments.
    pub segments: SegmentSet,
    /// Who is visible where; the refusal where Druid itself would refuse the set.
    pub timeline: Result<Timeline, druid::timeline::Illegal>,
    /// When they were read: the browser's clock, ms.
    pub read_ms: i64,
}

/// Who else is at work on a datasource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Which one.
    pub datasource: String,
    /// Locks held.
    pub locks: Vec<Held>,
    /// Tasks that wait, are pending or run.
    pub tasks: Vec<answer::TaskStatus>,
}

const READ_LIMIT_MS: u32 = 60_000;
const ASK_LIMIT_MS: u32 = 15_000;

/// The datasources that have used segments.
pub async fn datasources() -> Result<Vec<String>, String> {
    let answer =
        send(&Endpoint::Datasources.request(), ASK_LIMIT_MS).await.map_err(|none| none.to_string())?;
    if answer.status != 200 {
        return Err(told(&answer));
    }
    answer::names(&answer).map_err(|error| error.to_string())
}

/// The used segments of a datasource, overshadowed ones included; none at all is an empty set.
pub async fn snapshot(datasource: &str) -> Result<Snapshot, String> {
    let name = Name::new(datasource).map_err(|error| error.to_string())?;
    let path = format!("/foreshadow/segments/{}", js_sys::encode_uri_component(name.as_str()));
    let answer = whole(Fetch::get(&path), None, READ_LIMIT_MS).await.map_err(|none| none.to_string())?;
    if answer.status != 200 {
        return Err(told(&answer));
    }
    let mut decoder = Decoder::new();
    decoder.push(&answer.body).map_err(|error| format!("The segments cannot be read: {error}"))?;
    let segments = decoder.finish().map_err(|error| format!("The segments cannot be read: {error}"))?;
    let timeline = Timeline::build(&segments);
    Ok(Snapshot { datasource: datasource.to_owned(), segments, timeline, read_ms: browser_now() })
}

/// Locks and unfinished tasks of a datasource.
pub async fn traffic(datasource: &str) -> Result<Traffic, String> {
    let name = Name::new(datasource).map_err(|error| error.to_string())?;
    let (locks, tasks) = futures::join!(locks(datasource), tasks(name));
    Ok(Traffic { datasource: datasource.to_owned(), locks: locks?, tasks: tasks? })
}

/// All locks on a datasource.
pub async fn locks(datasource: &str) -> Result<Vec<Held>, String> {
    let datasource = Name::new(datasource).map_err(|error| error.to_string())?;
    let filter = LockFilter { datasource, priority: 0, intervals: Vec::new() };
    let answer = ask(Request::active_locks(&[filter])).await?;
    let locks = answer::locks(&answer).map_err(|error| error.to_string())?;
    Ok(locks.into_iter().map(answer::LockRow::held).collect())
}

/// The cluster around a datasource, as far as it says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Around {
    /// Which datasource.
    pub datasource: String,
    /// Its automatic compaction as Druid's JSON; none where there is none or nobody knows.
    pub compaction: Option<serde_json::Value>,
    /// Slots of all workers.
    pub slots: Option<Slots>,
    /// Its retention rules, the cluster's default ones behind them.
    pub retention: Vec<Retention>,
    /// Its unused segments; none where nobody asked, or where there are too many to read.
    pub unused: Option<Vec<UnusedSegment>>,
}

/// Unused segments that are read: more than this mean that nobody knows which there are.
const MOST_UNUSED: u32 = 10_000;

/// What there is around a datasource. What the cluster does not say stays unknown: the rules that need it say nothing.
/// `unused`: of what interval unused segments are asked for, if they are (`druid::ingest::wants_unused`).
pub async fn around(datasource: &str, release: Release, unused: Option<Option<Interval>>) -> Around {
    let mut around = Around { datasource: datasource.to_owned(), ..Around::default() };
    let Ok(name) = Name::new(datasource) else { return around };
    let (compaction, workers, rules, unused) = futures::join!(
        answered(Endpoint::compactions_of(release)),
        answered(Endpoint::Workers),
        answered(Endpoint::RetentionRules(name.clone())),
        async {
            let (datasource, interval, limit) = (name.clone(), unused?, Some(MOST_UNUSED));
            answered(Endpoint::UnusedSegments { datasource, interval, limit, after: None, order: None }).await
        },
    );
    around.unused = unused
        .and_then(|answer| answer::unused_segments(&answer).ok())
        .filter(|unused| unused.len() < MOST_UNUSED as usize)
        .map(|unused| unused.into_iter().map(UnusedSegment::from).collect());
    around.compaction =
        compaction.and_then(|answer| answer::compaction_config_among(&answer, datasource).ok()).flatten();
    around.slots = workers.and_then(|answer| answer::workers(&answer).ok()).map(|all| Slots::of(&all));
    let rules = rules.and_then(|answer| answer::retention_rules(&answer).ok());
    around.retention = rules.map(|rules| Retention::list(&rules)).unwrap_or_default();
    around
}

/// Whatever is answered, if anything is.
async fn answered(endpoint: Endpoint) -> Option<answer::Response> {
    send(&endpoint.request(), ASK_LIMIT_MS).await.ok()
}

/// Unfinished tasks.
async fn tasks(name: Name) -> Result<Vec<answer::TaskStatus>, String> {
    let mut found: Vec<answer::TaskStatus> = Vec::new();
    for state in TaskState::UNFINISHED {
        let asked =
            Endpoint::Tasks { state: Some(state), datasource: Some(name.clone()), created: None, max: None };
        for task in answer::task_list(&ask(asked.request()).await?).map_err(|error| error.to_string())? {
            found.retain(|earlier| earlier.id != task.id);
            found.push(task);
        }
    }
    Ok(found)
}

/// An answer of success.
async fn ask(request: Request) -> Result<answer::Response, String> {
    let answer = send(&request, ASK_LIMIT_MS).await.map_err(|none| none.to_string())?;
    if answer.status == 200 { Ok(answer) } else { Err(told(&answer)) }
}
