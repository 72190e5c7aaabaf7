//! The readers of Druid's answers, against what a live 33.0.0 answered and against damage.

use std::sync::LazyLock;

use druid::answer::{self, AnswerError, LoadStatus, LockRow, Response, RunState, Runner};
use druid::endpoint::{Answer, Endpoint, Method};
use druid::lock::LockType;
use proptest::prelude::*;
use serde_json::{Value, json};

fn pairs() -> &'static [Value] {
    static TABLE: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("../vectors/live-responses.json")).unwrap());
    TABLE["pairs"].as_array().unwrap()
}

fn response(pair: &Value) -> Response {
    let answer = &pair["response"];
    let content_type = answer.pointer("/headers/Content-Type").and_then(Value::as_str).unwrap_or_default();
    let body = match (answer.get("body_text"), answer.get("body")) {
        (Some(text), _) => text.as_str().unwrap().to_owned(),
        (None, Some(json)) => json.to_string(),
        (None, None) => String::new(),
    };
    Response::bytes(answer["status"].as_u64().unwrap().try_into().unwrap(), content_type, body)
}

fn recorded(id: &str) -> Response {
    response(pairs().iter().find(|pair| pair["id"] == id).unwrap_or_else(|| panic!("no record {id}")))
}

#[test]
fn a_running_a_finished_and_a_stopped_task_are_told_apart() {
    let running = answer::task_status(&recorded("status-running")).unwrap().unwrap();
    assert_eq!(
        (running.state.clone(), running.runner, running.duration_ms),
        (RunState::Running, Runner::Running, None)
    );
    assert_eq!(running.worker.as_deref(), Some("127.0.0.1:18091"));
    assert!(!running.is_over() && !running.is_waiting());
    let done = answer::task_status(&recorded("status-finished")).unwrap().unwrap();
    assert!(done.is_over() && !done.is_waiting(), "WAITING of a finished task means nothing");
    let stopped = answer::task_status(&recorded("status-after-shutdown")).unwrap().unwrap();
    assert_eq!(
        (stopped.state, stopped.error.as_deref()),
        (RunState::Failed, Some("Shutdown request from user"))
    );
    let waiting = answer::task_status(&recorded("waiting-status")).unwrap().unwrap();
    assert!(waiting.is_waiting());
}

#[test]
fn a_task_that_druid_does_not_know_is_no_error() {
    assert_eq!(answer::task_status(&recorded("status-unknown")), Ok(None));
    assert_eq!(answer::task_payload(&recorded("payload-unknown")), Ok(None));
    assert_eq!(answer::report(&recorded("reports-unknown")), Ok(None));
    assert_eq!(answer::report(&recorded("waiting-reports")), Ok(None));
    let router = Response::bytes(404, "text/html", "<html><title>Error 404 Not Found</title></html>");
    let Err(AnswerError::Refused(refusal)) = answer::task_status(&router) else { panic!() };
    assert_eq!((refusal.status, refusal.text.as_str()), (404, "Error 404 Not Found"));
}

#[test]
fn lists_locks_and_the_rest_are_read_as_recorded() {
    assert_eq!(answer::task_list(&recorded("tasks-running")).unwrap()[0].id, "ls_slow1");
    assert_eq!(answer::task_list(&recorded("list-tasks_datasource_ls_nothing")).unwrap(), []);
    let locks = answer::locks(&recorded("active-locks")).unwrap();
    assert_eq!(locks.len(), 1);
    let lock = &locks[0];
    assert_eq!(
        (
            lock.kind.as_str(),
            lock.group_id.as_str(),
            lock.priority,
            lock.revoked,
            lock.interval.short().as_str()
        ),
        ("EXCLUSIVE", "ls_slow1", 50, false, "2026-07-16T00:00:00Z/2026-07-17T00:00:00Z")
    );
    assert_eq!(answer::locks(&recorded("active-locks-higher-priority")).unwrap(), []);
    assert_eq!(answer::locked_intervals(&recorded("locked-intervals-v2")).unwrap()["ls_slow"].len(), 1);
    assert_eq!(answer::version(&recorded("status")).unwrap().version, "33.0.0");
    assert_eq!(answer::version(&recorded("status-overlord")).unwrap().extensions, ["druid-gcp-common"]);
    assert_eq!(answer::names(&recorded("metadata-datasources")).unwrap().len(), 3);
    assert_eq!(answer::names(&recorded("supervisors")).unwrap(), ["autocompact__me_web"]);
    let supervisors = answer::supervisors(&recorded("supervisors-full")).unwrap();
    assert_eq!(
        (supervisors[0].id.as_str(), supervisors[0].kind.as_str()),
        ("autocompact__me_web", "autocompact")
    );
    assert_eq!(answer::workers(&recorded("workers")).unwrap()[0].capacity, 6);
    assert_eq!(answer::marked(&recorded("mark-unused-segments")).unwrap().changed, 1);
    assert!(matches!(answer::marked(&recorded("mark-used")), Err(AnswerError::Refused(_))));
    assert_eq!(answer::leader(&recorded("leader")).unwrap(), "http://127.0.0.1:18081");
    assert_eq!(answer::leads(&recorded("isLeader-overlord")), Ok(true));
    assert_eq!(answer::leads(&recorded("standby-isLeader")), Ok(false));
    assert!(
        answer::proxy_enabled(&recorded("proxy-enabled"))
            && !answer::proxy_enabled(&recorded("proxy-unknown"))
    );
    assert!(answer::leads(&recorded("indexer-on-broker")).is_err(), "a Broker is no Overlord");
    assert_eq!(answer::compaction_config(&recorded("compaction-get-ds-none")), Ok(None));
    assert!(answer::compaction_config(&recorded("compaction-get-ds")).unwrap().is_some());
    for (list, of, skips) in [
        ("compaction-get-all", "me_web", Some("P1D")),
        ("compaction-get-all", "me", None),
        ("overlord-compaction-config-datasources", "md_web", Some("P1D")),
        ("overlord-compaction-config-datasources", "nobody", None),
    ] {
        let config = answer::compaction_config_among(&recorded(list), of).unwrap();
        let found = config.as_ref().map(|config| config["skipOffsetFromLatest"].as_str().unwrap());
        assert_eq!(found, skips, "{list}: {of}");
    }
    assert!(answer::compaction_config_among(&recorded("compaction-get-ds"), "me_web").is_err(), "no list");
}

#[test]
fn retention_rules_are_a_list_of_rules_with_a_kind() {
    let read =
        |body: Value| answer::retention_rules(&Response::json(200, &body)).map_err(|error| error.to_string());
    let rules = json!([{"type": "loadByPeriod", "period": "P1M", "tieredReplicants": {"_default_tier": 2}}, {"type": "ofALaterRelease"}]);
    assert_eq!(read(rules.clone()), Ok(rules));
    assert_eq!(read(json!([])), Ok(json!([])));
    for bad in [json!({}), json!([{"period": "P1M"}]), json!([{"type": 1}]), json!("loadForever")] {
        assert!(read(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn a_lock_is_held_by_its_group_and_one_of_a_kind_to_come_lets_nobody_in() {
    let row = answer::locks(&recorded("active-locks")).unwrap().remove(0);
    let held = row.clone().held();
    assert_eq!((held.kind, held.group_id.as_str(), held.task_id), (LockType::Exclusive, "ls_slow1", None));
    assert_eq!((held.interval, held.priority, held.revoked), (row.interval, 50, false));
    assert_eq!(Some(held.version), row.version);
    for (kind, taken) in [
        ("SHARED", LockType::Shared),
        ("append", LockType::Append),
        ("REPLACE", LockType::Replace),
        ("KILL", LockType::Kill),
        ("OF_A_LATER_RELEASE", LockType::Exclusive),
        ("", LockType::Exclusive),
    ] {
        let row = LockRow { kind: kind.to_owned(), version: None, revoked: true, ..row.clone() };
        let held = row.held();
        assert_eq!((held.kind, held.version.as_str(), held.revoked), (taken, "", true), "{kind:?}");
    }
}

#[test]
fn reports_are_read_for_sequential_runs_and_for_none() {
    let done = answer::report(&recorded("reports-finished")).unwrap().unwrap();
    assert_eq!(done.state.as_deref(), Some("COMPLETED"));
    assert!(done.rows.unwrap().processed > 0);
    let kill = answer::report(&recorded("kill-reports")).unwrap().unwrap();
    assert_eq!(kill.rows, None);
}

#[test]
fn each_way_of_saying_how_much_is_loaded_is_understood() {
    assert_eq!(answer::load_percent(&recorded("loadstatus"), "me_web"), Ok(LoadStatus::Percent(100.0)));
    assert_eq!(answer::load_missing(&recorded("loadstatus-simple"), "me_web"), Ok(LoadStatus::Missing(0)));
    assert_eq!(
        answer::load_percent(&recorded("loadstatus-default-interval"), "me_web"),
        Ok(LoadStatus::Nothing)
    );
    assert_eq!(
        answer::load_percent(&recorded("loadstatus-unknown"), "nope"),
        Ok(LoadStatus::UnknownDatasource)
    );
    let Err(AnswerError::Refused(refusal)) = answer::load_percent(&recorded("loadstatus-no-param"), "me_web")
    else {
        panic!()
    };
    assert_eq!(refusal.text, "Invalid request. forceMetadataRefresh must be specified");
    let Err(AnswerError::Shape { at, .. }) = answer::load_percent(&recorded("loadstatus"), "other") else {
        panic!()
    };
    assert_eq!(at, "other");
}

#[test]
fn a_complaint_names_its_place() {
    let lock =
        json!({ "datasourceToLocks": { "x": [{ "interval": "2026/2027" }, { "interval": "2026-07" }] } });
    let error = answer::locks(&Response::json(200, &lock)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "The answer should have an interval at datasourceToLocks.x[1].interval and has \"2026-07\"."
    );
    let status = json!({ "task": "x", "status": { "id": 7, "statusCode": "RUNNING" } });
    let error = answer::task_status(&Response::json(200, &status)).unwrap_err();
    assert_eq!(error.to_string(), "The answer should have text at status.id and has 7.");
    let error = answer::names(&Response::json(200, &json!({}))).unwrap_err();
    assert_eq!(error.to_string(), "The answer should be a list and is an object. Is this a Druid?");
}

#[test]
fn unused_segments_are_read_as_recorded_and_none_is_left_out() {
    assert_eq!(answer::unused_segments(&recorded("unused-none")).unwrap(), []);
    let good = recorded("unused-one");
    let unused = answer::unused_segments(&good).unwrap();
    let ids: Vec<String> = unused.iter().map(|segment| segment.id().to_string()).collect();
    assert_eq!(ids, ["me_web_2026-07-16T00:00:00.000Z_2026-07-17T00:00:00.000Z_2026-11-30T18:50:41.515Z"]);

    let rows: Value = serde_json::from_slice(&good.body).unwrap();
    let bare = json!([rows[0]["dataSegment"]]);
    assert_eq!(answer::unused_segments(&Response::json(200, &bare)).unwrap(), unused);

    let place = |bad: Value, at: &str, why: &str| {
        let body = json!([rows[0], bad]);
        let error = answer::unused_segments(&Response::json(200, &body)).unwrap_err().to_string();
        assert!(error.contains(at) && error.contains(why), "{error}");
    };
    let without = |key: &str| {
        let mut row = rows[0].clone();
        row["dataSegment"].as_object_mut().unwrap().remove(key);
        row
    };
    place(without("version"), "[1].dataSegment", "no version");
    place(without("dataSource"), "[1].dataSegment", "no dataSource");
    place(json!({ "dataSegment": "me_web_x" }), "[1].dataSegment", "JSON object");
    place(json!({ "dataSource": "me_web", "interval": "2026-07", "version": "v" }), "[1]", "\"2026-07\"");
    place(json!("me_web_x"), "[1]", "JSON object");
    place(json!(null), "[1]", "JSON object");
}

#[test]
fn an_answer_that_was_not_wanted_speaks_its_words_without_tags() {
    let login = "<html> <head><title>401 Authorization Required</title></head> <body><center><h1>401 \
                 Authorization Required</h1></center><hr><center>nginx</center></body></html>";
    let cases = [
        (Response::bytes(401, "text/html", login), "The server answered 401: 401 Authorization Required"),
        (
            Response::bytes(403, "application/json", r#"{"Access-Check-Result":"reader may not"}"#),
            "The server answered 403: reader may not",
        ),
        (
            Response::bytes(200, "text/html", login),
            "A web page came in place of Druid's answer: “401 Authorization Required”. Is a proxy or a login page in between?",
        ),
        (Response::text(404, ""), "The server answered 404: (404 and no text)"),
    ];
    for (response, words) in cases {
        assert_eq!(answer::unwanted(&response).to_string(), words);
    }
}

#[test]
fn damage_is_told_apart() {
    let good = recorded("tasks-running");
    let half = Response { body: good.body[..good.body.len() / 2].to_vec(), ..good.clone() };
    assert_eq!(answer::task_list(&half), Err(AnswerError::Cut { bytes: half.body.len() }));
    let page = Response::bytes(200, "text/html", "<html><title>Sign in &amp; go</title></html>");
    assert_eq!(answer::task_list(&page), Err(AnswerError::Page { title: "Sign in & go".into() }));
    let words = Response::bytes(200, "text/plain", "service unavailable");
    assert_eq!(answer::task_list(&words), Err(AnswerError::Page { title: "service unavailable".into() }));
    assert_eq!(answer::task_list(&Response::empty(200)), Err(AnswerError::Empty { status: 200 }));
    let broken = Response::bytes(200, "application/json", "[\n1,,2]");
    assert!(matches!(answer::task_list(&broken), Err(AnswerError::Malformed { line: 2, column: 3, .. })));
    let long = Response::bytes(200, "application/json", vec![b' '; 300 << 10]);
    assert_eq!(answer::task_status(&long), Err(AnswerError::TooLong { cap: 256 << 10, bytes: 300 << 10 }));
    let own = Response {
        gateway_error: Some("unreachable".into()),
        ..Response::json(
            502,
            &json!({ "gateway": { "code": "unreachable", "message": "No answer from there." } }),
        )
    };
    let error = answer::task_list(&own).unwrap_err();
    assert_eq!(
        error,
        AnswerError::Gateway { code: "unreachable".into(), message: "No answer from there.".into() }
    );
}

fn read(kind: Answer, response: &Response) -> Result<(), AnswerError> {
    match kind {
        Answer::Submit => drop(answer::classify_submit(response, "x")),
        Answer::TaskPayload => drop(answer::task_payload(response)?),
        Answer::TaskStatus => drop(answer::task_status(response)?),
        Answer::Reports => drop(answer::report(response)?),
        Answer::TaskList => drop(answer::task_list(response)?),
        Answer::Locks => drop(answer::locks(response)?),
        Answer::LockedIntervals => drop(answer::locked_intervals(response)?),
        Answer::Names => drop(answer::names(response)?),
        Answer::LoadStatus => drop(answer::load_percent(response, "me_web")?),
        Answer::Version => drop(answer::version(response)?),
        Answer::Leads => drop(answer::leads(response)?),
        Answer::Marked => drop(answer::marked(response)?),
        Answer::Json | Answer::Text => {
            drop(answer::workers(response));
            drop(answer::supervisors(response));
            drop(answer::compaction_config(response));
            drop(answer::compaction_config_among(response, "me_web"));
            drop(answer::retention_rules(response));
            drop(answer::leader(response));
        }
        Answer::UnusedSegments => drop(answer::unused_segments(response)?),
        Answer::Segments | Answer::SqlLines => {}
    }
    Ok(())
}

#[test]
fn every_good_answer_on_record_to_a_listed_call_is_read() {
    let mut listed = 0;
    for pair in pairs() {
        let request = &pair["request"];
        let (path, query) = {
            let target = request["path"].as_str().unwrap();
            target.split_once('?').unwrap_or((target, ""))
        };
        let Some(method) = Method::parse(request["method"].as_str().unwrap()) else { continue };
        // The record writes `…/supervisor` for two kinds of answers; the readers are tried above.
        let Some(endpoint) = Endpoint::parse(method, path, query) else { continue };
        listed += 1;
        let answer = response(pair);
        let simple = query.contains("simple") || query.split('&').any(|key| key == "full");
        if answer.status == 200 && !(endpoint.call().answer == Answer::LoadStatus && simple) {
            read(endpoint.call().answer, &answer).unwrap_or_else(|error| panic!("{}: {error}", pair["id"]));
        } else {
            let _ = read(endpoint.call().answer, &answer);
        }
    }
    assert!(listed > 100, "{listed} recorded calls are on the list");
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(
        status in prop_oneof![Just(200u16), Just(204), Just(400), Just(404), Just(500), any::<u16>()],
        content_type in prop_oneof![Just("application/json"), Just("text/html;charset=iso-8859-1"), Just("")],
        body in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "\\PC{0,80}".prop_map(String::into_bytes),
            "[\\[{\"a-z:,0-9}\\]<>/&; ]{0,120}".prop_map(String::into_bytes),
        ],
        gateway in any::<bool>(),
    ) {
        let mut response = Response::bytes(status, content_type, body);
        response.gateway_error = gateway.then(|| "unreachable".to_owned());
        for call in druid::endpoint::ALL {
            let _ = read(call.answer, &response).map_err(|error| error.to_string());
        }
    }

    #[test]
    fn every_cut_of_a_real_answer_is_an_error_or_the_whole(which in 0usize..200, keep in 0.0f64..1.0) {
        let pair = &pairs()[which % pairs().len()];
        let mut response = response(pair);
        response.body.truncate((response.body.len() as f64 * keep) as usize);
        for call in druid::endpoint::ALL {
            let _ = read(call.answer, &response).map_err(|error| error.to_string());
        }
    }
}
