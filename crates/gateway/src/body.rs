//! Bodies: one boxed type for all answers, and one that counts, caps and times what streams through it.

use std::convert::Infallible;
use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep};

/// The body of every answer. An error in it breaks the connection off, so that nobody takes a part for the whole.
pub type Body = BoxBody<Bytes, Box<dyn Error + Send + Sync>>;

/// A body that is there in full.
pub fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never: Infallible| match never {}).boxed()
}

/// A body from upstream on its way through: at most `left` more bytes, no silence longer than `idle`.
pub(crate) struct Metered<B> {
    inner: B,
    ahead: Option<Bytes>,
    left: u64,
    idle: Duration,
    timer: Pin<Box<Sleep>>,
}

impl<B> Metered<B> {
    /// `ahead` is what was read already and goes first; it is not counted against `left`.
    pub(crate) fn new(inner: B, ahead: Bytes, left: u64, idle: Duration) -> Metered<B> {
        let ahead = (!ahead.is_empty()).then_some(ahead);
        Metered { inner, ahead, left, idle, timer: Box::pin(tokio::time::sleep(idle)) }
    }
}

impl<B> HttpBody for Metered<B>
where
    B: HttpBody<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Some(ahead) = self.ahead.take() {
            return Poll::Ready(Some(Ok(Frame::data(ahead))));
        }
        let frame = match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(frame) => frame,
            Poll::Pending => {
                ready!(self.timer.as_mut().poll(context));
                return Poll::Ready(Some(Err("the cluster fell silent in the middle of its answer".into())));
            }
        };
        let deadline = Instant::now() + self.idle;
        self.timer.as_mut().reset(deadline);
        Poll::Ready(match frame {
            None => None,
            Some(Err(error)) => Some(Err(error.into())),
            Some(Ok(frame)) => match frame.into_data() {
                // Trailers are headers that nobody asked for.
                Err(_) => Some(Ok(Frame::data(Bytes::new()))),
                Ok(bytes) => match self.left.checked_sub(bytes.len() as u64) {
                    Some(left) => {
                        self.left = left;
                        Some(Ok(Frame::data(bytes)))
                    }
                    None => {
                        Some(Err("the cluster's answer is longer than an answer of this kind may be".into()))
                    }
                },
            },
        })
    }

    fn is_end_stream(&self) -> bool {
        self.ahead.is_none() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // Unknown: the answer's own length may be a lie, and hyper would hold us to it.
        SizeHint::default()
    }
}

/// A body that is made elsewhere, piece by piece. An error in the channel breaks the connection off.
pub(crate) fn from_channel<E>(first: Bytes, rest: mpsc::Receiver<Result<Bytes, E>>) -> Body
where
    E: Error + Send + Sync + 'static,
{
    Channel { first: Some(first), rest }.boxed()
}

struct Channel<E> {
    first: Option<Bytes>,
    rest: mpsc::Receiver<Result<Bytes, E>>,
}

impl<E: Error + Send + Sync + 'static> HttpBody for Channel<E> {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        self.rest
            .poll_recv(context)
            .map(|piece| piece.map(|piece| piece.map(Frame::data).map_err(Into::into)))
    }
}
