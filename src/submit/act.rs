//! One action, carried out; its answer as an event.

use super::{Submissions, answers};
use crate::cluster;
use backfill::{
    audit::{Seen, compare},
    retry::FailureClass,
    submission::{Action, AuditNote, Event, JournalAnswer, Picture, Trouble},
};
use druid::{
    endpoint::{Endpoint, Name, Request},
    lock::Held,
};
use gloo_timers::future::TimeoutFuture;

const SEND_LIMIT_MS: u32 = 60_000;
const ASK_LIMIT_MS: u32 = 15_000;

/// Carries an action out.
pub(super) async fn perform(submissions: Submissions, key: &str, action: Action) -> Event {
    match action {
        Action::Journal { token, expect, record } => {
            let answer = match submissions.journal().await {
                Ok(journal) => journal.write(expect, &record).await,
                Err(why) => JournalAnswer::Unavailable(why),
            };
            Event::Journalled(token, answer)
        }
        Action::ReadJournal { token, key } => {
            let stored = match submissions.journal().await {
                Ok(journal) => journal.read(&key).await,
                Err(_) => None,
            };
            Event::JournalRead(token, stored.map(Box::new))
        }
        Action::ReadAgain { token } => Event::Read(token, read_again(submissions, key).await),
        Action::Send { token, id, body } => {
            let answer = cluster::send(&Request::submit(body), SEND_LIMIT_MS).await;
            Event::Submitted(token, answers::submitted(answer, &id))
        }
        Action::AskStatus { token, id } => {
            let answer = match Name::new(&id) {
                Ok(name) => cluster::send(&Endpoint::TaskStatus(name).request(), ASK_LIMIT_MS).await,
                Err(error) => return Event::Status(token, answers::unaskable(error)),
            };
            Event::Status(token, answers::status(answer))
        }
        Action::AskLocks { token } => Event::Locks(token, locks(submissions, key).await),
        Action::AskPayload { token, id } => {
            let answer = match Name::new(&id) {
                Ok(name) => cluster::send(&Endpoint::TaskPayload(name).request(), ASK_LIMIT_MS).await,
                Err(error) => return Event::Payload(token, answers::unreadable(error)),
            };
            Event::Payload(token, answers::payload(answer))
        }
        Action::ShutDown { token, id } => {
            let result = match Name::new(&id) {
                Ok(name) => {
                    let answer =
                        cluster::send(&Endpoint::ShutdownTask(name).request_with(""), ASK_LIMIT_MS).await;
                    answers::shut_down(answer)
                }
                Err(error) => Err(trouble(error)),
            };
            Event::ShutDown(token, result)
        }
        Action::Compare { token } => Event::Compared(token, audit(submissions, key).await),
        Action::Sleep { token, ms } => {
            TimeoutFuture::new(u32::try_from(ms).unwrap_or(u32::MAX)).await;
            Event::Woke(token)
        }
    }
}

/// Words about a read that failed.
fn trouble(text: impl std::fmt::Display) -> Trouble {
    Trouble { class: FailureClass::NoAnswer, text: text.to_string(), retry_after_ms: None }
}

/// The affected chunks and locks as they are now.
async fn read_again(submissions: Submissions, key: &str) -> Result<Picture, Trouble> {
    let live = submissions.live(key).ok_or_else(|| trouble("This submission is gone."))?;
    let datasource = live.submission.record().wish.datasource.clone();
    let read = cluster::snapshot(&datasource).await.map_err(trouble)?;
    let traffic = cluster::traffic(&datasource).await.map_err(trouble)?;
    let range = live.submission.record().wish.picture.intervals();
    Ok(Picture::of(&read.segments, &traffic.locks, &range))
}

/// The locks on the datasource; none where they cannot be read.
async fn locks(submissions: Submissions, key: &str) -> Option<Vec<Held>> {
    let live = submissions.live(key)?;
    cluster::locks(&live.submission.record().wish.datasource).await.ok()
}

/// What is there against what was promised.
async fn audit(submissions: Submissions, key: &str) -> Result<AuditNote, Trouble> {
    let live = submissions.live(key).ok_or_else(|| trouble("This submission is gone."))?;
    let Some(expected) = live.expected.as_ref() else {
        let line = "What was foreseen was not kept, so nothing was compared.".to_owned();
        return Ok(AuditNote { as_foreseen: false, line });
    };
    let read = cluster::snapshot(&live.submission.record().wish.datasource).await.map_err(trouble)?;
    let timeline = read.timeline.as_ref().map_err(|illegal| trouble(&illegal.reason))?;
    Ok(compare(expected, &Seen::of(timeline, &expected.intervals())).note())
}
