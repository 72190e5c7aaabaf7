//! Used segments as `druid::columns`: a million of them are 800 MB of JSON, which no browser can parse.
//!
//! The JSON is never held whole: segments are read out of the stream as they arrive, on a thread of their own, and each full
//! group of rows is sent on while the rest is under way. Until the first group is out, whatever goes wrong is an answer of its
//! own; after that it breaks the connection off, and the browser's decoder says that the stream was cut.

use bytes::Bytes;
use druid::columns::Encoder;
use druid::endpoint::{Name, Request};
use druid::interval::Interval;
use druid::segment::stream::{Reader, StreamError};
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::BodyExt;
use tokio::sync::mpsc;

use crate::body::{Body, from_channel};
use crate::error::Refusal;
use crate::upstream::Upstream;

/// The content type of the answer.
pub const COLUMNS: &str = "application/vnd.foreshadow.columns";

/// Pieces that may wait on either side of the thread.
const AHEAD: usize = 16;

/// Encoded bytes worth sending on.
const WORTHWHILE: usize = 64 << 10;

/// The segments, or what Druid said in their place, untouched.
pub(crate) async fn answer(
    upstream: &Upstream,
    datasource: Name,
    intervals: &[Interval],
) -> Result<Response<Body>, Refusal> {
    let request = Request::used_segments(datasource.clone(), intervals);
    let endpoint = request.endpoint().ok_or(Refusal::NotListed)?;
    let response = upstream.send(&endpoint, request).await?;
    if response.status() != StatusCode::OK {
        return Ok(response);
    }
    let (to_thread, pieces) = mpsc::channel(AHEAD);
    let (groups, mut encoded) = mpsc::channel(AHEAD);
    tokio::spawn(feed(response.into_body(), to_thread));
    tokio::task::spawn_blocking(move || {
        if let Err(refusal) = encode(datasource.as_str(), pieces, &groups) {
            // Nobody is there to be told when the browser has gone.
            let _ = groups.blocking_send(Err(refusal));
        }
    });
    let first = encoded
        .recv()
        .await
        .unwrap_or_else(|| Err(Refusal::NotSegments("the reader stopped.".to_owned())))?;
    let mut response = Response::new(from_channel(first, encoded));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(COLUMNS));
    Ok(response)
}

/// Hands the answer's pieces to the thread until there are no more or it wants no more.
async fn feed(mut body: Body, to_thread: mpsc::Sender<Result<Bytes, Refusal>>) {
    while let Some(frame) = body.frame().await {
        let piece = match frame {
            Ok(frame) => match frame.into_data() {
                Ok(piece) => Ok(piece),
                Err(_) => continue,
            },
            Err(error) => Err(Refusal::AnswerBroken(error.to_string())),
        };
        if to_thread.send(piece).await.is_err() {
            return;
        }
    }
}

/// Reads pieces of the list until there are no more, and sends it on in groups.
fn encode(
    datasource: &str,
    mut pieces: mpsc::Receiver<Result<Bytes, Refusal>>,
    groups: &mpsc::Sender<Result<Bytes, Refusal>>,
) -> Result<(), Refusal> {
    let mut reader = Reader::new(Some(datasource));
    let mut encoder = Encoder::default();
    let mut out = Vec::new();
    while let Some(piece) = pieces.blocking_recv() {
        reader.push(&piece?).map_err(refusal)?;
        encoder.advance(reader.so_far(), &mut out);
        if out.len() >= WORTHWHILE && groups.blocking_send(Ok(Bytes::from(std::mem::take(&mut out)))).is_err()
        {
            return Ok(());
        }
    }
    encoder.finish(&reader.finish().map_err(refusal)?, &mut out);
    let _ = groups.blocking_send(Ok(Bytes::from(out)));
    Ok(())
}

fn refusal(error: StreamError) -> Refusal {
    match error {
        StreamError::Cut { .. } => Refusal::AnswerBroken(error.to_string()),
        other => Refusal::NotSegments(format!("{other}.")),
    }
}
