//! Faults to order: what goes wrong between a client and a cluster, for lessons and tests.

use crate::answers;
use druid::{answer::Response, endpoint::Endpoint};

/// Something that goes wrong with the next call it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The next submit is carried out and its answer lost on the way.
    LostAnswer,
    /// The next submit meets a full queue.
    QueueFull,
    /// The next call meets no leader.
    NoLeader,
    /// The next call meets an error page.
    ErrorPage,
    /// The next read gets JSON that is cut in the middle.
    CutAnswer,
}

impl Fault {
    pub(crate) fn fits(&self, endpoint: &Endpoint) -> bool {
        match self {
            Fault::LostAnswer | Fault::QueueFull => matches!(endpoint, Endpoint::SubmitTask),
            Fault::NoLeader | Fault::ErrorPage => true,
            Fault::CutAnswer => !matches!(endpoint, Endpoint::SubmitTask),
        }
    }

    pub(crate) fn response(&self) -> Response {
        match self {
            Fault::LostAnswer => lost(),
            Fault::QueueFull => answers::envelope(
                429,
                "capacityExceeded",
                "CAPACITY_EXCEEDED",
                "Task queue already contains [3] tasks. Retry later or increase 'druid.indexer.queue.maxSize'[3].",
            ),
            Fault::NoLeader => Response::empty(503),
            Fault::ErrorPage => answers::error_page(500, "Internal Server Error"),
            Fault::CutAnswer => Response::bytes(200, "application/json", "[{\"id\":\"idx_ev"),
        }
    }
}

/// What a client sees of an answer that was lost: a gateway that gave up waiting.
pub(crate) fn lost() -> Response {
    Response::empty(504)
}
