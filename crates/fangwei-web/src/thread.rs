//! What computes for long does so on a thread that serves no requests.

use crate::failure::Failure;

/// Runs something on a thread of its own.
pub async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Failure::Internal(format!("a thread failed: {error}")))?
}
