//! What a server answered: to a submit, and to everything else.
//!
//! The first line is status, content type and, where the gateway answered, its code; the rest is the body.

use druid::answer::{
    AnswerError, Response, Submit, classify_submit, compaction_config, leader, leads, load_missing,
    load_percent, locked_intervals, locks, marked, names, proxy_enabled, report, supervisors, task_list,
    task_payload, task_status, version, workers,
};
use druid::release::Release;
use druid::spec::inline::sampled_times;

const TASK: &str = "idx_events_web_f290698762e7";

fn response(bytes: &[u8]) -> Option<Response> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let mut words = std::str::from_utf8(&bytes[..end]).ok()?.split(' ');
    let status = words.next()?.parse().ok()?;
    let mut response = Response::bytes(status, words.next().unwrap_or_default(), &bytes[end + 1..]);
    response.gateway_error = words.next().map(str::to_owned);
    response.retry_after = words.next().map(str::to_owned);
    Some(response)
}

pub(super) fn submit(bytes: &[u8]) {
    let Some(response) = response(bytes) else { return };
    let is_gateways = response.gateway_error.is_some();
    match classify_submit(&response, TASK) {
        Submit::Accepted { id } => {
            assert_eq!(id, TASK);
            assert!(response.is_success() && !is_gateways);
            let body: serde_json::Value = serde_json::from_slice(&response.body).unwrap();
            assert_eq!(body["task"], TASK);
        }
        Submit::Duplicate { text } => {
            assert!(response.status == 400 && !is_gateways);
            assert!(!text.is_empty());
        }
        Submit::Again { told, .. } | Submit::Stop { told, .. } => {
            assert_eq!(told.status, Some(response.status));
            assert_eq!(told.body, response.lossy());
            assert!(!told.text.is_empty());
            assert!(is_gateways || told.text.chars().count() <= 2_001);
        }
    }
}

pub(super) fn any(bytes: &[u8]) {
    let Some(response) = response(bytes) else { return };
    let no_success = !response.is_success();
    let is_gateways = response.gateway_error.is_some();
    // Of these, nothing but a good answer has anything to say.
    let plain = [
        error(version(&response)),
        error(names(&response)),
        error(locks(&response)),
        error(locked_intervals(&response)),
        error(load_percent(&response, "d")),
        error(load_missing(&response, "d")),
        error(leader(&response)),
        error(marked(&response)),
        error(workers(&response)),
        error(supervisors(&response)),
        error(task_list(&response)),
    ];
    assert!(!(no_success || is_gateways) || plain.iter().all(Option::is_some));
    // To these, 404 is an answer too.
    let or_none =
        [error(leads(&response)), error(compaction_config(&response)), error(task_status(&response))];
    let with_reports = [error(task_payload(&response)), error(report(&response))];
    assert!(!is_gateways || or_none.iter().chain(&with_reports).all(Option::is_some));
    assert!(!proxy_enabled(&response) || !no_success);
    for error in plain.into_iter().chain(or_none).chain(with_reports).flatten() {
        assert!(!error.to_string().is_empty());
    }
    if let Ok(version) = version(&response)
        && let Some(release) = Release::parse(&version.version)
    {
        assert_eq!(Release::parse(&release.to_string()), Some(release));
    }
    if let Ok(body) = serde_json::from_slice(&response.body) {
        let _ = sampled_times(&body);
    }
}

fn error<T>(read: Result<T, AnswerError>) -> Option<AnswerError> {
    read.err()
}
