//! Listening: connections, their limits in time and number, and an orderly end.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep};

use crate::gateway::Gateway;

/// How long calls under way may take to end once the server is told to stop.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// Serves until `stop` is done, then lets calls under way end.
pub async fn serve(
    gateway: Arc<Gateway>,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let limits = gateway.limits.clone();
    let open = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        // A place first, then a connection: who comes when all are taken waits in the system's queue.
        let accepted = async {
            let place = open.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, or a connection gone before it was taken: neither is a reason to stop.
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(Impatient::new(stream, limits.write_time));
        let gateway = gateway.clone();
        let service = service_fn(move |request| {
            let gateway = gateway.clone();
            async move { Ok::<_, Infallible>(gateway.answer(request, peer).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .max_buf_size(limits.head_bytes.max(8 << 10))
            .max_headers(64)
            .serve_connection(io, service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // An error here is a client that went away or talked nonsense; it has had its 400.
            if let Err(error) = connection.await {
                tracing::debug!(%error, %peer, "connection ended");
            }
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_CALLS, graceful.shutdown()).await;
    Ok(())
}

/// Binds the loopback address. Port 0 asks for any that is free.
pub async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await
}

/// A connection that gives up on a peer which does not take what is written to it.
struct Impatient {
    stream: TcpStream,
    patience: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    fn new(stream: TcpStream, patience: Duration) -> Impatient {
        Impatient { stream, patience, timer: None }
    }

    /// Passes a ready result through; one that is pending starts the timer or finds it run out.
    fn watch<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.timer = None;
            return result;
        }
        let patience = self.patience;
        let timer =
            self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        ready!(timer.as_mut().poll(context));
        self.timer = None;
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read")))
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
