//! Serving: bind, say where, answer until told to stop, finish what is under way.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::accounts::link;
use crate::app::{App, app};
use crate::failure::Failure;
use crate::submit::queue;

/// So long a connection may take to say what it wants, and so long it may be idle.
const MOST_HEAD: Duration = Duration::from_mins(1);
/// So long it may take nothing of what is sent to it.
const MOST_DEAF: Duration = Duration::from_mins(1);
/// So long requests that are under way may take after the signal to stop.
const GRACE: Duration = Duration::from_secs(20);

/// Why serving ended badly.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or not ours.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The first link could not be made.
    #[error(transparent)]
    First(#[from] Failure),
    /// The listener failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Binds the address, so that a taken one is told before anything else happens.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })
}

/// Serves until `stop` is done. `ready` is told the link for the first admin, if there is no account yet.
pub async fn serve(
    listener: TcpListener,
    state: App,
    ready: impl FnOnce(Option<String>),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    ready(link::first(&state).await?);
    // The dictionary takes a second to read: not at the cost of whoever opens the first item.
    tokio::task::spawn_blocking(|| fangwei::annotate::Reading::of("在"));
    let database = state.database.clone();
    let (told, stopping) = watch::channel(false);
    tokio::spawn(async move {
        stop.await;
        let _ = told.send(true);
    });
    tokio::spawn(queue::keep_on(state.clone(), stopping.clone()));
    let open = accept(&listener, &app(state), stopping).await;
    drop(listener);
    if tokio::time::timeout(GRACE, open.shutdown()).await.is_err() {
        tracing::warn!("requests that took longer than {GRACE:?} were cut off");
    }
    database.close().await;
    Ok(())
}

/// Lets connections in until told to stop; gives those that are open.
async fn accept(listener: &TcpListener, router: &Router, mut stopping: watch::Receiver<bool>) -> GracefulShutdown {
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => return open,
        };
        match accepted {
            Ok((stream, from)) => attend(&open, router.clone(), stream, from),
            // One that left before it was let in; or no file is free, and a while later some are.
            Err(error) => {
                tracing::debug!("a connection was not let in: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Serves one connection. Who does not say what they want in time, or does not take the answer, is cut off.
fn attend(open: &GracefulShutdown, router: Router, stream: TcpStream, from: SocketAddr) {
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(from));
        request
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(MOST_HEAD);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(MOST_DEAF));
    let connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(service));
    let watched = open.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = watched.await {
            tracing::debug!("a connection ended: {error}");
        }
    });
}

/// Done at SIGTERM or SIGINT.
pub async fn signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! { _ = term.recv() => {}, _ = int.recv() => {} }
    Ok(())
}
