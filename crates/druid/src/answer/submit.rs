//! What an answer to `POST /druid/indexer/v1/task` is, for every release since 24.
//!
//! The trap: "status 400 and the body contains the id" is not a duplicate. Payload too large, packet too large and an id that
//! breaks the rules all name the id in a 400. Nor is a 4xx always final (429) or a 5xx always passing (malformed JSON comes back
//! as a 500 page). Sources: `OverlordResource.taskPost`, `TaskQueue.add`, `SQLMetadataStorageActionHandler`, `IdUtils`,
//! `CustomExceptionMapper`, `ErrorResponse`.

use serde_json::Value;

use super::error::{parse, words};
use super::{AnswerError, Response};

/// What an answer to a submit means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submit {
    /// Stored and queued under this id. Not yet run, not even sure to start.
    Accepted {
        /// The id Druid gave back; the one sent.
        id: String,
    },
    /// The id is taken, by a run that may have ended well, badly or not at all, with this content or other: Druid refuses on the
    /// id alone. Look at the task before believing anything.
    Duplicate {
        /// Druid's sentence.
        text: String,
    },
    /// The same request may be sent again later, under the same id.
    Again {
        /// Why it did not go through.
        why: Retry,
        /// What is known of it.
        told: Told,
    },
    /// The same request will fare no better.
    Stop {
        /// Why.
        why: Fatal,
        /// What is known of it.
        told: Told,
    },
}

/// The server's words and what they leave open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The HTTP status; `None` when nothing came.
    pub status: Option<u16>,
    /// The server's sentence, or ours where it had none.
    pub text: String,
    /// The whole body as it came.
    pub body: String,
    /// How long the server asks to wait, seconds (`Retry-After`, the form in seconds).
    pub after_s: Option<u32>,
    /// Whether the task may have been stored all the same. Sending the same id again is safe either way; a new id is not.
    pub may_be_stored: bool,
}

/// Why a submit may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retry {
    /// No answer: the connection failed or the time ran out.
    NoAnswer,
    /// An answer of which the end is missing.
    CutAnswer,
    /// The task queue is full (429 since 29, a 500 page before), or a request limit was hit.
    Busy,
    /// No leader, or one that is only starting.
    NoLeader,
    /// Sent to an Overlord that does not lead.
    Redirected,
    /// A server in between could not reach Druid.
    Unreachable,
    /// A server error that may pass.
    ServerError,
}

/// Why a submit must not be sent again as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fatal {
    /// Druid refused the task; its sentence says why.
    Refused,
    /// What was sent is not JSON.
    NotJson,
    /// The body is too large for Druid, its metadata store, or a server in between.
    TooLarge,
    /// The id names another task in Druid's answer: this is not the answer to what was sent.
    OtherTask,
    /// The metadata store cannot hold it (an id over 255 characters, for one).
    Store,
    /// Not logged in.
    Unauthenticated,
    /// Not allowed.
    Forbidden,
    /// There is no such address: not a Druid, or a Router whose management proxy is off.
    NotFound,
    /// A page, or a redirect to elsewhere: something in between answered.
    NotDruid,
    /// The gateway refuses to pass it on.
    Gateway,
    /// Any other status that says no.
    Unexpected,
}

impl Submit {
    /// No answer came: `text` says what happened instead.
    pub fn unanswered(text: impl Into<String>) -> Submit {
        Submit::Again {
            why: Retry::NoAnswer,
            told: Told { text: text.into(), may_be_stored: true, ..Told::default() },
        }
    }
}

/// Says what an answer to the submit of `task_id` is.
pub fn classify_submit(response: &Response, task_id: &str) -> Submit {
    let told = |may_be_stored| Told {
        status: Some(response.status),
        text: words(response),
        body: response.lossy(),
        after_s: response.retry_after.as_deref().and_then(|text| text.trim().parse().ok()),
        may_be_stored,
    };
    let again = |why, may_be_stored| Submit::Again { why, told: told(may_be_stored) };
    let stop = |why| Submit::Stop { why, told: told(false) };
    if let Some(code) = &response.gateway_error {
        return of_gateway(response, code, told(false));
    }
    match response.status {
        200..300 => accepted(response, task_id, told(true)),
        307 => again(Retry::Redirected, false),
        300..400 => stop(Fatal::NotDruid),
        400 => bad_request(response, task_id, told(false)),
        401 => stop(Fatal::Unauthenticated),
        403 => stop(Fatal::Forbidden),
        404 => stop(Fatal::NotFound),
        408 => again(Retry::NoAnswer, true),
        413 => stop(Fatal::TooLarge),
        429 => again(Retry::Busy, false),
        500 => server_error(response, told(true)),
        503 => again(Retry::NoLeader, false),
        502 | 504 => again(Retry::Unreachable, true),
        501 | 505..=511 => stop(Fatal::Unexpected),
        512.. => again(Retry::ServerError, true),
        _ => stop(Fatal::Unexpected),
    }
}

fn accepted(response: &Response, task_id: &str, told: Told) -> Submit {
    match parse(response) {
        Ok(body) => match body.get("task").and_then(Value::as_str) {
            Some(id) if id == task_id => Submit::Accepted { id: id.to_owned() },
            Some(_) => Submit::Stop { why: Fatal::OtherTask, told },
            None => Submit::Stop { why: Fatal::NotDruid, told },
        },
        Err(AnswerError::Page { .. }) => Submit::Stop { why: Fatal::NotDruid, told },
        Err(_) => Submit::Again { why: Retry::CutAnswer, told },
    }
}

fn bad_request(response: &Response, task_id: &str, told: Told) -> Submit {
    let body = match parse(response) {
        Ok(body) => body,
        // Half an answer could be half a "already exists"; the same id again finds out and harms nothing.
        Err(AnswerError::Cut { .. } | AnswerError::Empty { .. }) => {
            return Submit::Again { why: Retry::CutAnswer, told: Told { may_be_stored: true, ..told } };
        }
        Err(_) => return Submit::Stop { why: Fatal::Refused, told },
    };
    let text = words(response);
    let taken = already_exists(&text);
    let coded = body.get("errorCode").and_then(Value::as_str) == Some("entryAlreadyExists");
    match taken {
        Some(id) if id == task_id => Submit::Duplicate { text },
        Some(_) => Submit::Stop { why: Fatal::OtherTask, told },
        None if coded => Submit::Duplicate { text },
        None if too_large(&text) => Submit::Stop { why: Fatal::TooLarge, told },
        None => Submit::Stop { why: Fatal::Refused, told },
    }
}

/// The id in `Task[id] already exists!` (to 26), `Task [id] already exists.` (27 to 29), `Task[id] already exists` and
/// `Task [id] already exists` (from 30; the second when two submits raced past the first check).
fn already_exists(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("Task")?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix('[')?;
    let rest = rest.strip_suffix(['.', '!']).unwrap_or(rest);
    rest.strip_suffix("] already exists")
}

/// The two sentences of a payload that is too large (`TaskQueue.validateTaskPayload`, `SQLMetadataStorageActionHandler`).
fn too_large(text: &str) -> bool {
    text.contains("but max allowed size is [") || text.contains("exceeds the max allowed packet limit")
}

fn server_error(response: &Response, told: Told) -> Submit {
    let text = told.text.as_str();
    if text.contains("com.fasterxml.jackson")
        || text.contains("JsonParseException")
        || text.contains("\"task\" is null")
    {
        return Submit::Stop { why: Fatal::NotJson, told: Told { may_be_stored: false, ..told } };
    }
    if text.contains("Invalid value for field [") {
        return Submit::Stop { why: Fatal::Refused, told: Told { may_be_stored: false, ..told } };
    }
    if text.contains("Too many tasks (max = ") {
        return Submit::Again { why: Retry::Busy, told: Told { may_be_stored: false, ..told } };
    }
    if text.contains("Queue is not active!") {
        return Submit::Again { why: Retry::NoLeader, told: Told { may_be_stored: false, ..told } };
    }
    let body = parse(response).unwrap_or(Value::Null);
    let transient =
        body.pointer("/context/isTransient").map(|flag| flag == "true" || flag == &Value::Bool(true));
    let category = body.get("category").and_then(Value::as_str).unwrap_or_default();
    match (transient, category) {
        (Some(false), _) => Submit::Stop { why: Fatal::Store, told: Told { may_be_stored: false, ..told } },
        (None, "INVALID_INPUT" | "UNSUPPORTED" | "DEFENSIVE") => Submit::Stop { why: Fatal::Refused, told },
        (None, "CAPACITY_EXCEEDED") => Submit::Again { why: Retry::Busy, told },
        _ => Submit::Again { why: Retry::ServerError, told },
    }
}

/// Which of the gateway's refusals pass with time. A connection that could not be made has carried nothing; one that broke may
/// have.
fn of_gateway(response: &Response, code: &str, told: Told) -> Submit {
    let text = match super::error::refused(response) {
        Err(error) => error.to_string(),
        Ok(()) => told.text.clone(),
    };
    let told = Told { text, ..told };
    match code {
        "busy" => Submit::Again { why: Retry::Busy, told },
        "unreachable" => Submit::Again { why: Retry::Unreachable, told },
        "timed-out" => Submit::Again { why: Retry::NoAnswer, told: Told { may_be_stored: true, ..told } },
        "answer-broken" => {
            Submit::Again { why: Retry::CutAnswer, told: Told { may_be_stored: true, ..told } }
        }
        "no-leader" => Submit::Again { why: Retry::Redirected, told },
        "body-too-large" => Submit::Stop { why: Fatal::TooLarge, told },
        _ => Submit::Stop { why: Fatal::Gateway, told },
    }
}
