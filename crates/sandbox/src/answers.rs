//! Answers that do not depend on what the cluster holds, as live clusters gave them.

use druid::{
    answer::Response,
    endpoint::{Endpoint, Request},
    release::Release,
};
use serde_json::json;

/// Druid's structured error (`DruidException`), since 30.
pub(crate) fn envelope(status: u16, code: &str, category: &str, message: &str) -> Response {
    let body = json!({
        "error": "druidException", "errorCode": code, "persona": "USER", "category": category,
        "errorMessage": message, "context": {},
    });
    Response::json(status, &body)
}

/// The one-key 400 of a constructor that fails (facts 4.1).
pub(crate) fn refused(line: &str) -> Response {
    Response::json(400, &json!({ "error": line }))
}

/// A task whose id is used already, in the three spellings of the releases since 24 (facts 5.1).
pub(crate) fn duplicate(release: Release, id: &str) -> Response {
    if release >= Release::major(30) {
        envelope(400, "entryAlreadyExists", "INVALID_INPUT", &format!("Task[{id}] already exists"))
    } else if release >= Release::major(27) {
        refused(&format!("Task [{id}] already exists."))
    } else {
        refused(&format!("Task[{id}] already exists!"))
    }
}

/// What the Coordinator of 33.0.0 answers to changes it has made: read the segments, not the status (facts 6.3).
pub(crate) fn made_and_denied() -> Response {
    let message =
        "org.apache.druid.rpc.HttpResponseException: Server error [500 Internal Server Error]; no body";
    Response::json(500, &json!({ "error": "Unknown server error", "message": message }))
}

/// Words that a resource answers: plain, and yet called JSON, as several of Druid's are [live].
pub(crate) fn words(status: u16, words: &str) -> Response {
    Response::bytes(status, "application/json", words)
}

/// The page a container gives for what no resource caught.
pub(crate) fn error_page(status: u16, message: &str) -> Response {
    let safe = message.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let page = format!(
        "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html;charset=ISO-8859-1\"/>\n\
         <title>Error {status} {safe}</title>\n</head>\n<body>\n<h2>HTTP ERROR {status} {safe}</h2>\n</body>\n</html>\n"
    );
    Response::bytes(status, "text/html;charset=iso-8859-1", page)
}

/// A path that nothing answers, or with another method.
pub(crate) fn no_such_path(request: &Request) -> Response {
    if Endpoint::other_methods(&request.path).is_empty() {
        error_page(404, "Not Found")
    } else {
        Response::empty(405)
    }
}

/// Thrown by the authorisation filter before the resource sees the call (`TaskResourceFilter`).
pub(crate) fn unknown_task(id: &str) -> Response {
    Response::text(404, format!("Cannot find any task with id: [{id}]"))
}

pub(crate) fn version(release: Release) -> Response {
    Response::json(200, &json!({ "version": release.to_string(), "modules": [], "memory": {} }))
}

pub(crate) fn leads() -> Response {
    Response::json(200, &json!({ "leader": true }))
}

pub(crate) fn proxy_enabled() -> Response {
    Response::json(200, &json!({ "enabled": true }))
}

pub(crate) fn no_compaction_configs() -> Response {
    Response::json(
        200,
        &json!({ "compactionConfigs": [], "compactionTaskSlotRatio": 0.1, "maxCompactionTaskSlots": 2_147_483_647 }),
    )
}

pub(crate) fn no_compaction_config() -> Response {
    envelope(404, "notFound", "NOT_FOUND", "Datasource compaction config does not exist")
}

/// The rule that every cluster starts with.
pub(crate) fn default_rules() -> Response {
    let load = json!({ "type": "loadForever", "tieredReplicants": { "_default_tier": 2 }, "useDefaultTierForNull": true });
    Response::json(200, &json!([load]))
}

pub(crate) fn compaction_cluster() -> Response {
    let body = json!({
        "compactionTaskSlotRatio": 0.1, "maxCompactionTaskSlots": 2_147_483_647, "useSupervisors": false,
        "engine": "native", "compactionPolicy": { "type": "newestSegmentFirst", "priorityDatasource": null },
    });
    Response::json(200, &body)
}
