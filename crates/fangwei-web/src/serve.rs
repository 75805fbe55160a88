//! Serving: bind, say where, answer until told to stop, finish what is under way.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::accounts::link;
use crate::app::{App, app};
use crate::failure::Failure;

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
    let (told, mut stopping) = tokio::sync::watch::channel(false);
    let stop = async move {
        stop.await;
        let _ = told.send(true);
    };
    let service = app(state).into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(stop);
    let late = async move {
        let _ = stopping.wait_for(|stopping| *stopping).await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        done = IntoFuture::into_future(serving) => done?,
        () = late => tracing::warn!("requests that took longer than {GRACE:?} were cut off"),
    }
    database.close().await;
    Ok(())
}

/// Done at SIGTERM or SIGINT.
pub async fn signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! { _ = term.recv() => {}, _ = int.recv() => {} }
    Ok(())
}
