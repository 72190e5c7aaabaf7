//! `classify_submit` against the table of answers by release and against every submit recorded on a live 33.0.0.

use druid::answer::{Fatal, Response, Retry, Submit, classify_submit};
use serde_json::Value;

const ID: &str = "idx_events_web_28cbd6885a6a";

fn vectors(text: &str) -> Value {
    serde_json::from_str(text).expect("the vectors are JSON")
}

/// The answer of a recorded case: `body` may be JSON or, where the content type or a leading `<` says so, text.
fn response(answer: &Value) -> Response {
    let header =
        |name: &str| answer.pointer(&format!("/headers/{name}")).and_then(Value::as_str).map(str::to_owned);
    let body = match (answer.get("body"), answer.get("body_text")) {
        (_, Some(text)) => text.as_str().unwrap().to_owned(),
        (Some(Value::String(text)), None) => text.clone(),
        (Some(Value::Null) | None, None) => String::new(),
        (Some(json), None) => json.to_string(),
    };
    Response {
        status: answer["status"].as_u64().unwrap().try_into().unwrap(),
        content_type: header("Content-Type").unwrap_or_default(),
        location: header("Location"),
        body: body.into_bytes(),
        ..Response::default()
    }
}

fn class(submit: &Submit) -> &'static str {
    match submit {
        Submit::Accepted { .. } => "accepted",
        Submit::Duplicate { .. } => "duplicate",
        Submit::Again { .. } => "retry",
        Submit::Stop { .. } => "fatal",
    }
}

#[test]
fn every_answer_of_every_release_is_told_apart() {
    let table = vectors(include_str!("../vectors/submit-responses.json"));
    let cases = table["cases"].as_array().unwrap();
    assert!(cases.len() > 20);
    for case in cases {
        let name = case["id"].as_str().unwrap();
        let submit = if case["status"].is_null() {
            Submit::unanswered("the connection was closed")
        } else {
            let text = case.to_string().replace("TASK", ID);
            classify_submit(&response(&serde_json::from_str(&text).unwrap()), ID)
        };
        match case["expect"].as_str().unwrap() {
            "retry-same-id" => match submit {
                Submit::Again { told, .. } => assert!(told.may_be_stored, "{name}"),
                other => panic!("{name}: {other:?}"),
            },
            expected => assert_eq!(class(&submit), expected, "{name}: {submit:?}"),
        }
    }
}

#[test]
fn every_submit_to_a_live_druid_is_told_apart() {
    let table = vectors(include_str!("../vectors/live-responses.json"));
    let mut seen = 0;
    for pair in table["pairs"].as_array().unwrap() {
        let (name, request, answer) = (pair["id"].as_str().unwrap(), &pair["request"], &pair["response"]);
        if request["method"] != "POST" || request["path"] != "/druid/indexer/v1/task" {
            continue;
        }
        seen += 1;
        // The record describes most request bodies in words; the id that was sent is the one that a 200 gives back, and for a
        // duplicate the one that Druid names.
        let id = match (answer.pointer("/body/task"), answer.pointer("/body/errorMessage")) {
            (Some(id), _) => id.as_str().unwrap(),
            (None, Some(text)) if name.starts_with("duplicate") => {
                text.as_str().unwrap().split(['[', ']']).nth(1).unwrap()
            }
            _ => "some_id",
        };
        let submit = classify_submit(&response(answer), id);
        let expected = match answer["status"].as_u64().unwrap() {
            200 => "accepted",
            307 => "retry",
            _ if name.starts_with("duplicate") => "duplicate",
            _ => "fatal",
        };
        assert_eq!(class(&submit), expected, "{name}: {submit:?}");
    }
    assert!(seen > 70, "{seen} submits are recorded");
}

#[test]
fn malformed_json_is_final_although_its_status_is_500() {
    let table = vectors(include_str!("../vectors/live-responses.json"));
    for name in ["malformed-json", "empty-body", "json-null"] {
        let pair = table["pairs"].as_array().unwrap().iter().find(|pair| pair["id"] == name).unwrap();
        let Submit::Stop { why, told } = classify_submit(&response(&pair["response"]), ID) else {
            panic!("{name}")
        };
        assert_eq!((why, told.status, told.may_be_stored), (Fatal::NotJson, Some(500), false), "{name}");
        assert!(told.text.contains("Error 500"), "the sentence is the title of Jetty's page: {}", told.text);
        assert!(told.body.contains("<h2>"), "the whole page is kept");
    }
}

#[test]
fn a_duplicate_is_of_exactly_this_id() {
    for (text, expected) in [
        ("Task[{}] already exists!", "duplicate"),
        ("Task [{}] already exists.", "duplicate"),
        ("Task[{}] already exists", "duplicate"),
        ("Task [{}] already exists", "duplicate"),
        ("Task[{}_2] already exists!", "fatal"),
        ("Task[x{}] already exists!", "fatal"),
        ("Task  [{}] already exists", "fatal"),
        ("The Task[{}] already exists", "fatal"),
        ("Task[{}] already exists?!", "fatal"),
        ("Task[{}] already exists!!", "fatal"),
    ] {
        let text = text.replace("{}", ID);
        let body = serde_json::json!({ "error": text });
        assert_eq!(class(&classify_submit(&Response::json(400, &body), ID)), expected, "{text}");
    }
    let odd = "a] already exists [b";
    let body = serde_json::json!({ "error": format!("Task[{odd}] already exists!") });
    assert_eq!(class(&classify_submit(&Response::json(400, &body), odd)), "duplicate");
    assert_eq!(class(&classify_submit(&Response::json(400, &body), "a")), "fatal");
}

#[test]
fn the_code_for_a_duplicate_does_not_cover_another_task() {
    let body = serde_json::json!({
        "error": "druidException", "errorCode": "entryAlreadyExists", "errorMessage": "Task[other] already exists"
    });
    let Submit::Stop { why, .. } = classify_submit(&Response::json(400, &body), ID) else { panic!() };
    assert_eq!(why, Fatal::OtherTask);
}

#[test]
fn a_lost_half_of_an_answer_never_counts_as_an_end() {
    for (status, body) in
        [(200, "{\"task\":\"idx_ev"), (200, ""), (400, "{\"error\":\"Task[idx_events"), (400, "")]
    {
        let answer = Response::bytes(status, "application/json", body);
        let Submit::Again { why, told } = classify_submit(&answer, ID) else { panic!("{status} {body}") };
        assert_eq!((why, told.may_be_stored), (Retry::CutAnswer, true), "{status} {body}");
    }
}

#[test]
fn a_page_with_status_200_is_not_success() {
    let answer = Response::bytes(200, "text/html", "<html><title>Log in</title></html>");
    let Submit::Stop { why, told } = classify_submit(&answer, ID) else { panic!() };
    assert_eq!((why, told.text.as_str(), told.may_be_stored), (Fatal::NotDruid, "Log in", true));
    let Submit::Stop { why, .. } = classify_submit(&Response::json(200, &serde_json::json!({ "ok": 1 })), ID)
    else {
        panic!()
    };
    assert_eq!(why, Fatal::NotDruid);
}

#[test]
fn the_old_ways_of_saying_busy_are_understood() {
    let page = "<html><head><title>Error 500 org.apache.druid.java.util.common.ISE: Too many tasks (max = 5)</title></head></html>";
    let Submit::Again { why, told } = classify_submit(&Response::bytes(500, "text/html", page), ID) else {
        panic!()
    };
    assert_eq!((why, told.may_be_stored), (Retry::Busy, false));
    let page = "<html><head><title>Error 500 java.lang.IllegalStateException: Queue is not active!</title></head></html>";
    let Submit::Again { why, .. } = classify_submit(&Response::bytes(500, "text/html", page), ID) else {
        panic!()
    };
    assert_eq!(why, Retry::NoLeader);
    let busy = Response { retry_after: Some("7".into()), ..Response::empty(429) };
    let Submit::Again { why, told } = classify_submit(&busy, ID) else { panic!() };
    assert_eq!((why, told.after_s), (Retry::Busy, Some(7)));
}

#[test]
fn the_gateways_own_refusals_are_not_druids() {
    for (code, expected) in [
        ("busy", "retry"),
        ("unreachable", "retry"),
        ("timed-out", "retry"),
        ("read-only", "fatal"),
        ("x", "fatal"),
    ] {
        let body = serde_json::json!({ "gateway": { "code": code, "message": "Told by the gateway." } });
        let answer = Response { gateway_error: Some(code.into()), ..Response::json(503, &body) };
        let submit = classify_submit(&answer, ID);
        assert_eq!(class(&submit), expected, "{code}");
        let (Submit::Again { told, .. } | Submit::Stop { told, .. }) = submit else { panic!() };
        assert_eq!(told.text, "Told by the gateway.");
        assert_eq!(told.may_be_stored, code == "timed-out");
    }
}
