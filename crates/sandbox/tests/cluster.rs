//! The built-in cluster as a client sees it. Shapes and words are those of live clusters (facts §4, §5, §6).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test that cannot go on should fail"
)]

use druid::{
    answer::{self, RunState, Runner, Submit, classify_submit},
    endpoint::{Endpoint, LoadForm, LockFilter, Marks, Name, Request, TaskState},
    interval::{Instant, Interval},
    release::Release,
    segment::{Segment, ShardSpec},
};
use sandbox::{Fault, Sandbox};
use serde_json::{Value, json};

const DAY: &str = "2026-07-16T00:00:00.000Z/2026-07-17T00:00:00.000Z";

fn now() -> Instant {
    Instant::parse("2026-08-01T12:00:00Z").unwrap()
}

fn later(ms: i64) -> Instant {
    Instant::from_ms(now().ms() + ms)
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

fn cluster() -> Sandbox {
    let mut cluster = Sandbox::empty(Release::major(33), now());
    let old = (0..24).map(|hour| {
        let start = Interval::parse(DAY).unwrap().start.ms() + hour * 3_600_000;
        let interval = Interval { start: Instant::from_ms(start), end: Instant::from_ms(start + 3_600_000) };
        Segment::new(
            "web",
            interval,
            "2026-07-20T00:00:00.000Z",
            ShardSpec::Numbered { partition: 0, core: 1 },
        )
    });
    cluster.seed("web", old.collect());
    cluster
}

fn task(id: &str, rows: &[&str], more: &Value) -> String {
    // Inline data may not be empty (facts 3.6): a row outside the interval stands for none.
    let rows = if rows.is_empty() { &["2020-01-01T00:00:00Z"] } else { rows };
    let data: Vec<String> = rows.iter().map(|ts| json!({ "ts": ts }).to_string()).collect();
    let mut io = json!({
        "type": "index_parallel", "inputSource": { "type": "inline", "data": data.join("\n") },
        "inputFormat": { "type": "json" }, "dropExisting": true,
    });
    for (key, value) in more.as_object().unwrap() {
        io[key] = value.clone();
    }
    json!({
        "type": "index_parallel", "id": id,
        "spec": {
            "dataSchema": {
                "dataSource": "web", "timestampSpec": { "column": "ts", "format": "iso" },
                "dimensionsSpec": { "dimensions": [] },
                "granularitySpec": { "segmentGranularity": "HOUR", "intervals": [DAY] },
            },
            "ioConfig": io,
            "tuningConfig": { "type": "index_parallel" },
        },
    })
    .to_string()
}

fn submit(cluster: &mut Sandbox, at: Instant, id: &str, body: &str) -> &'static str {
    match classify_submit(&cluster.handle(at, &Request::submit(body)), id) {
        Submit::Accepted { .. } => "accepted",
        Submit::Duplicate { .. } => "duplicate",
        Submit::Again { .. } => "again",
        Submit::Stop { .. } => "stop",
    }
}

fn status(cluster: &mut Sandbox, at: Instant, id: &str) -> answer::TaskStatus {
    let response = cluster.handle(at, &Endpoint::TaskStatus(name(id)).request());
    answer::task_status(&response).unwrap().unwrap()
}

fn segments(cluster: &mut Sandbox, at: Instant) -> Vec<Segment> {
    let response = cluster.handle(at, &Request::used_segments(name("web"), &[]));
    let list: Vec<Value> = serde_json::from_slice(&response.body).unwrap();
    list.iter().map(|raw| Segment::from_json(raw).unwrap()).collect()
}

#[test]
fn a_replace_runs_and_publishes_what_its_rows_say() {
    let mut cluster = cluster();
    let body = task("t1", &["2026-07-16T05:10:00Z", "2026-07-16T06:10:00Z"], &json!({}));
    assert_eq!(submit(&mut cluster, now(), "t1", &body), "accepted");
    assert_eq!(status(&mut cluster, later(100), "t1").runner, Runner::Pending);
    assert_eq!(status(&mut cluster, later(1_000), "t1").runner, Runner::Running);
    assert_eq!(segments(&mut cluster, later(1_000)).len(), 24, "nothing is published before the end");
    let ended = status(&mut cluster, later(60_000), "t1");
    assert_eq!((ended.state, ended.error), (RunState::Success, None));
    let all = segments(&mut cluster, later(60_000));
    let new: Vec<&Segment> = all.iter().filter(|segment| &*segment.version > "2026-08").collect();
    assert_eq!(new.iter().filter(|segment| !segment.is_tombstone()).count(), 2);
    assert_eq!(new.iter().filter(|segment| segment.is_tombstone()).count(), 22);
    assert_eq!(all.len(), 48, "what is overshadowed stays used");
}

#[test]
fn an_id_is_used_for_ever_however_its_run_ended() {
    let mut cluster = cluster();
    let body = task("t1", &[], &json!({}));
    assert_eq!(submit(&mut cluster, now(), "t1", &body), "accepted");
    assert_eq!(submit(&mut cluster, later(10), "t1", &body), "duplicate");
    cluster.handle(later(20), &Endpoint::ShutdownTask(name("t1")).request());
    let ended = status(&mut cluster, later(30), "t1");
    assert_eq!((ended.state, ended.error.as_deref()), (RunState::Failed, Some("Shutdown request from user")));
    let other = task("t1", &["2026-07-16T05:10:00Z"], &json!({}));
    assert_eq!(submit(&mut cluster, later(90_000), "t1", &other), "duplicate");
}

#[test]
fn a_second_task_waits_for_the_first_ones_lock() {
    let mut cluster = cluster();
    submit(&mut cluster, now(), "t1", &task("t1", &[], &json!({})));
    submit(&mut cluster, later(10), "t2", &task("t2", &[], &json!({})));
    assert_eq!(status(&mut cluster, later(500), "t2").runner, Runner::Waiting);
    let filter = LockFilter { datasource: name("web"), priority: 0, intervals: vec![] };
    let held = answer::locks(&cluster.handle(later(600), &Request::active_locks(&[filter]))).unwrap();
    assert_eq!(held.iter().map(|lock| lock.group_id.as_str()).collect::<Vec<_>>(), ["t1"]);
    assert_eq!(status(&mut cluster, later(60_000), "t2").state, RunState::Success);
    let versions: std::collections::BTreeSet<String> =
        segments(&mut cluster, later(60_000)).iter().map(|segment| segment.version.to_string()).collect();
    assert_eq!(versions.len(), 3, "each run has a version of its own: {versions:?}");
}

#[test]
fn more_tasks_than_slots_wait_for_a_slot() {
    let mut cluster = Sandbox::empty(Release::major(33), now());
    for at in 0..4 {
        let id = format!("t{at}");
        let body = task(&id, &[], &json!({})).replace("\"web\"", &format!("\"web{at}\""));
        assert_eq!(submit(&mut cluster, now(), &id, &body), "accepted");
    }
    let running =
        Endpoint::Tasks { state: Some(TaskState::Running), datasource: None, created: None, max: None };
    let list = answer::task_list(&cluster.handle(later(1_000), &running.request())).unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(status(&mut cluster, later(1_000), "t3").runner, Runner::Pending);
    assert_eq!(status(&mut cluster, later(60_000), "t3").state, RunState::Success);
}

#[test]
fn a_task_the_constructor_refuses_is_refused_in_the_servers_words() {
    let mut cluster = cluster();
    let both = task("t1", &[], &json!({ "appendToExisting": true }));
    let response = cluster.handle(now(), &Request::submit(both));
    assert_eq!(response.status, 400);
    let body: Value = serde_json::from_slice(&response.body).unwrap();
    assert!(
        body["error"].as_str().unwrap().ends_with(
            "problem: Cannot simultaneously replace and append to existing segments. \
             Either dropExisting or appendToExisting should be set to false"
        ),
        "{body}"
    );
    let slash = task("t2", &[], &json!({})).replace("\"web\"", "\"a/b \\\"c\\\"\"");
    let response = cluster.handle(now(), &Request::submit(slash));
    assert!(response.lossy().contains("cannot contain '/'"), "{}", response.lossy());
}

#[test]
fn malformed_json_comes_back_as_a_500_page() {
    let mut cluster = cluster();
    for body in ["{\"type\": ", "", "null"] {
        let response = cluster.handle(now(), &Request::submit(body));
        assert_eq!(
            (response.status, response.content_type.as_str()),
            (500, "text/html;charset=iso-8859-1"),
            "{body}"
        );
    }
}

#[test]
fn an_unknown_id_is_a_404_in_plain_text() {
    let mut cluster = cluster();
    let response = cluster.handle(now(), &Endpoint::TaskStatus(name("nobody")).request());
    assert_eq!((response.status, response.content_type.as_str()), (404, "text/plain"));
    assert_eq!(response.lossy(), "Cannot find any task with id: [nobody]");
}

#[test]
fn an_empty_input_with_drop_existing_empties_the_interval_and_says_success() {
    let mut cluster = cluster();
    let spec =
        task("t1", &[], &json!({ "inputSource": { "type": "s3", "prefixes": ["s3://lake/event/web/"] } }));
    submit(&mut cluster, now(), "t1", &spec);
    assert_eq!(status(&mut cluster, later(60_000), "t1").state, RunState::Success);
    assert_eq!(
        segments(&mut cluster, later(60_000)).iter().filter(|segment| segment.is_tombstone()).count(),
        24
    );
}

#[test]
fn segments_marked_unused_are_gone_from_the_used_ones_and_can_come_back() {
    let mut cluster = cluster();
    let inside = Marks::Inside { interval: Interval::parse(DAY).unwrap(), versions: None };
    let marked =
        answer::marked(&cluster.handle(now(), &Request::mark(&Endpoint::MarkUnused(name("web")), &inside)))
            .unwrap();
    assert_eq!(marked.changed, 24);
    assert_eq!(segments(&mut cluster, now()).len(), 0);
    let used = Request::mark(&Endpoint::OverlordMarkUsed(name("web")), &inside);
    assert_eq!(answer::marked(&cluster.handle(now(), &used)).unwrap().changed, 24);
    assert_eq!(segments(&mut cluster, now()).len(), 24);
}

#[test]
fn new_segments_are_served_a_moment_after_they_are_published() {
    let mut cluster = cluster();
    submit(&mut cluster, now(), "t1", &task("t1", &["2026-07-16T05:10:00Z"], &json!({})));
    let ask = Endpoint::LoadStatus {
        datasource: name("web"),
        interval: None,
        refresh: true,
        form: LoadForm::Missing,
    };
    let missing = |cluster: &mut Sandbox, at| {
        let response = cluster.handle(at, &ask.request());
        serde_json::from_slice::<Value>(&response.body).unwrap()["web"].as_u64().unwrap()
    };
    assert_eq!(missing(&mut cluster, later(3_100)), 24);
    assert_eq!(missing(&mut cluster, later(9_000)), 0);
}

#[test]
fn a_lost_answer_leaves_the_task_accepted() {
    let mut cluster = cluster();
    cluster.order(Fault::LostAnswer);
    let body = task("t1", &[], &json!({}));
    assert_eq!(cluster.handle(now(), &Request::submit(body.clone())).status, 504);
    assert_eq!(submit(&mut cluster, later(10), "t1", &body), "duplicate");
}

#[test]
fn a_clock_that_jumps_back_stands_still() {
    let mut cluster = cluster();
    submit(&mut cluster, now(), "t1", &task("t1", &[], &json!({})));
    assert_eq!(status(&mut cluster, later(60_000), "t1").state, RunState::Success);
    submit(&mut cluster, later(-3_600_000), "t2", &task("t2", &[], &json!({})));
    assert_eq!(status(&mut cluster, later(120_000), "t2").state, RunState::Success);
    let newest = segments(&mut cluster, later(120_000))
        .iter()
        .map(|segment| segment.version.to_string())
        .max()
        .unwrap();
    assert!(newest.as_str() >= "2026-08-01T12:01:00", "{newest}");
}

#[test]
fn the_seeds_spec_replaces_empties_and_fills_hours_of_its_day() {
    let mut cluster = Sandbox::new(Release::major(37), now());
    let mut spec: Value = serde_json::from_str(druid::spec::example()).unwrap();
    spec["id"] = json!("idx_events_web_28cbd6885a6a");
    let body = spec.to_string();
    assert_eq!(submit(&mut cluster, now(), "idx_events_web_28cbd6885a6a", &body), "accepted");
    let ended = status(&mut cluster, later(60_000), "idx_events_web_28cbd6885a6a");
    assert_eq!((ended.state, ended.error), (RunState::Success, None));
    let day = Interval::parse(DAY).unwrap();
    let response = cluster.handle(later(60_000), &Request::used_segments(name("events_web"), &[day]));
    let list: Vec<Value> = serde_json::from_slice(&response.body).unwrap();
    let all: Vec<Segment> = list.iter().map(|raw| Segment::from_json(raw).unwrap()).collect();
    let new = |hour: u32| {
        let at = format!("2026-07-16T{hour:02}:00:00.000Z");
        let here = all.iter().filter(|one| one.interval.start.to_string() == at && &*one.version > "2026-08");
        here.map(Segment::is_tombstone).collect::<Vec<_>>()
    };
    for hour in 0..24 {
        // The lake lacks hour 13; hour 21 was a hole, and the lake has it.
        assert_eq!(new(hour).first(), Some(&(hour == 13)), "hour {hour}");
    }
}

#[test]
fn somebody_elses_compaction_holds_a_lock_then_turns_hours_into_days() {
    let mut cluster = Sandbox::new(Release::major(37), now());
    let filter = || LockFilter { datasource: name("events_web"), priority: 0, intervals: vec![] };
    let locks = |cluster: &mut Sandbox, at: Instant| {
        answer::locks(&cluster.handle(at, &Request::active_locks(&[filter()]))).unwrap()
    };
    let three_days = Interval::parse("2026-07-20T00:00:00Z/2026-07-23T00:00:00Z").unwrap();
    assert_eq!(
        locks(&mut cluster, later(0)).iter().map(|lock| lock.interval).collect::<Vec<_>>(),
        [three_days]
    );
    let half_an_hour = 1_800_000;
    assert_eq!(locks(&mut cluster, later(half_an_hour)), []);
    let response =
        cluster.handle(later(half_an_hour), &Request::used_segments(name("events_web"), &[three_days]));
    let list: Vec<Value> = serde_json::from_slice(&response.body).unwrap();
    let days = list
        .iter()
        .map(|raw| Segment::from_json(raw).unwrap())
        .filter(|segment| segment.interval.duration_ms() == 86_400_000);
    assert_eq!(days.count(), 3);
}

#[test]
fn a_used_id_is_refused_in_the_words_of_each_release() {
    let words = |major| {
        let mut cluster = Sandbox::empty(Release::major(major), now());
        let body = task("t1", &[], &json!({}));
        cluster.handle(now(), &Request::submit(&body));
        String::from_utf8(cluster.handle(now(), &Request::submit(&body)).body).unwrap()
    };
    assert!(words(26).contains("\"Task[t1] already exists!\""));
    assert!(words(28).contains("\"Task [t1] already exists.\""));
    assert!(
        words(33).contains("\"entryAlreadyExists\"") && words(33).contains("\"Task[t1] already exists\"")
    );
}
