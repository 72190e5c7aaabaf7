//! From Druid's answers, as `druid::answer` reads them, to what the submission's machine takes.

use crate::cluster::NoAnswer;
use backfill::{
    retry::FailureClass,
    submission::{PayloadAnswer, RunnerStatus, StatusAnswer, Submitted, TaskCode, Trouble},
};
use druid::answer::{self, AnswerError, Fatal, Response, Retry, RunState, Runner, Submit, classify_submit};

type Answer = Result<Response, NoAnswer>;

/// The answer to a submit.
pub(super) fn submitted(answer: Answer, id: &str) -> Submitted {
    let submit = match answer {
        Ok(response) => classify_submit(&response, id),
        Err(none) => Submit::unanswered(none.to_string()),
    };
    match submit {
        Submit::Accepted { .. } => Submitted::Accepted,
        Submit::Duplicate { .. } => Submitted::Duplicate,
        Submit::Again { why, told } => Submitted::Again(Trouble {
            class: match why {
                Retry::NoAnswer => FailureClass::NoAnswer,
                Retry::CutAnswer => FailureClass::Unreadable,
                Retry::Busy => FailureClass::Busy,
                Retry::NoLeader | Retry::Redirected => FailureClass::NoLeader,
                Retry::Unreachable => FailureClass::Gateway,
                Retry::ServerError => FailureClass::ServerTrouble,
            },
            retry_after_ms: told.after_s.map(|seconds| u64::from(seconds) * 1_000),
            text: in_full(told.text, &told.body),
        }),
        // A page with status 200, say: it is not known whether Druid ever saw the task, so nothing says "not stored".
        Submit::Stop { told, .. } if told.may_be_stored => Submitted::Again(Trouble {
            class: FailureClass::Unreadable,
            retry_after_ms: None,
            text: in_full(told.text, &told.body),
        }),
        Submit::Stop { why, told } => Submitted::Refused(Trouble {
            class: match why {
                Fatal::NotJson => FailureClass::NotJson,
                Fatal::Unauthenticated | Fatal::Forbidden => FailureClass::NotAllowed,
                Fatal::NotFound | Fatal::NotDruid => FailureClass::NoEndpoint,
                Fatal::Gateway => FailureClass::Gateway,
                Fatal::Refused | Fatal::TooLarge | Fatal::OtherTask | Fatal::Store | Fatal::Unexpected => {
                    FailureClass::Refused
                }
            },
            retry_after_ms: None,
            text: in_full(told.text, &told.body),
        }),
    }
}

/// The sentence, and the whole body where it says more.
fn in_full(text: String, body: &str) -> String {
    if body.trim().is_empty() || body.contains(&text) && body.len() < text.len() + 40 {
        text
    } else {
        format!("{text}\n{body}")
    }
}

/// The answer to a question for a status.
pub(super) fn status(answer: Answer) -> StatusAnswer {
    let response = match answer {
        Ok(response) => response,
        Err(none) => return StatusAnswer::Trouble(no_answer(none)),
    };
    match answer::task_status(&response) {
        Ok(None) => StatusAnswer::Unknown(response.lossy()),
        Ok(Some(task)) => StatusAnswer::Known {
            code: match task.state {
                RunState::Success => TaskCode::Success,
                RunState::Failed => TaskCode::Failed,
                // A state that no release has: it is not over as far as anybody knows, so it is asked for again.
                RunState::Running | RunState::Other(_) => TaskCode::Running,
            },
            runner: match task.runner {
                Runner::Waiting => RunnerStatus::Waiting,
                Runner::Pending => RunnerStatus::Pending,
                Runner::Running => RunnerStatus::Running,
                Runner::None => RunnerStatus::None,
            },
            created_time: task.created.map(|created| created.to_string()),
            error_msg: task.error,
        },
        Err(error) => StatusAnswer::Trouble(misread(&error)),
    }
}

/// The answer to a question for a payload.
pub(super) fn payload(answer: Answer) -> PayloadAnswer {
    let response = match answer {
        Ok(response) => response,
        Err(none) => return PayloadAnswer::Trouble(no_answer(none)),
    };
    match answer::task_payload(&response) {
        Ok(None) => PayloadAnswer::Unknown,
        Ok(Some(payload)) => PayloadAnswer::Stored(payload.to_string()),
        Err(error) => PayloadAnswer::Trouble(misread(&error)),
    }
}

/// The answer to a shutdown. A task the server does not know needs none.
pub(super) fn shut_down(answer: Answer) -> Result<(), Trouble> {
    match answer {
        Ok(response)
            if response.is_success() || response.status == 404 && response.gateway_error.is_none() =>
        {
            Ok(())
        }
        Ok(response) => Err(Trouble {
            class: FailureClass::ServerTrouble,
            text: format!("The server answered {}: {}", response.status, response.lossy()),
            retry_after_ms: None,
        }),
        Err(none) => Err(no_answer(none)),
    }
}

/// An id that cannot travel: it was never sent.
pub(super) fn unaskable(error: impl std::fmt::Display) -> StatusAnswer {
    StatusAnswer::Unknown(error.to_string())
}

/// The same for a payload.
pub(super) fn unreadable(_: impl std::fmt::Display) -> PayloadAnswer {
    PayloadAnswer::Unknown
}

fn no_answer(none: NoAnswer) -> Trouble {
    Trouble { class: FailureClass::NoAnswer, text: none.to_string(), retry_after_ms: None }
}

fn misread(error: &AnswerError) -> Trouble {
    let class = match error {
        AnswerError::Refused(refusal) => match refusal.status {
            401 | 403 => FailureClass::NotAllowed,
            429 => FailureClass::Busy,
            503 => FailureClass::NoLeader,
            _ => FailureClass::ServerTrouble,
        },
        AnswerError::Gateway { .. } => FailureClass::Gateway,
        _ => FailureClass::Unreadable,
    };
    Trouble { class, text: error.to_string(), retry_after_ms: None }
}
