//! A limit to waiting.

use futures::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use std::{future::Future, pin::pin};

/// What came within the limit, in ms; what is ready already comes also where the limit is 0.
pub async fn within<T>(limit_ms: u32, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), TimeoutFuture::new(limit_ms)).await {
        Either::Left((came, _)) => Some(came),
        Either::Right(_) => None,
    }
}
