//! The bytes of an upload: bounded in size, in time and in number, so that slow clients and floods cost only themselves.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, header};
use tokio::sync::Semaphore;

use super::bounds::MOST_SENT;
use crate::app::App;
use crate::failure::Failure;
use crate::who::Account;

/// So many files of one account are received together; others wait for their turn.
const AT_ONCE: usize = 4;
/// So long may a file be under way.
const MOST_TIME: Duration = Duration::from_mins(1);
/// So long may one wait for one's turn.
const MOST_WAIT: Duration = Duration::from_mins(2);

/// Who is sending how many files.
#[derive(Debug, Default)]
pub struct Senders(Mutex<HashMap<String, Arc<Semaphore>>>);

impl Senders {
    fn of(&self, account: &str) -> Arc<Semaphore> {
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Only this map holds those that nobody waits for.
        senders.retain(|name, turn| name == account || Arc::strong_count(turn) > 1);
        senders.entry(account.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE))).clone()
    }
}

/// Reads a file.
pub async fn receive(app: &App, me: &Account, headers: &HeaderMap, body: Body) -> Result<Arc<Vec<u8>>, Failure> {
    let length =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()).and_then(|length| length.parse().ok());
    if length.is_some_and(|length: usize| length > MOST_SENT) {
        return Err(too_large());
    }
    let turns = app.senders.of(&me.id);
    let waited = tokio::time::timeout(MOST_WAIT, turns.acquire()).await;
    let _turn = waited.map_err(|_| Failure::TooMany(60))?.map_err(|error| Failure::Internal(error.to_string()))?;
    match tokio::time::timeout(MOST_TIME, to_bytes(body, MOST_SENT)).await {
        Ok(Ok(bytes)) => Ok(Arc::new(bytes.to_vec())),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => {
            let seconds = MOST_TIME.as_secs();
            Err(Failure::invalid(format!("文件没有在 {seconds} 秒内传完"), format!("the file did not arrive within {seconds} s")))
        }
    }
}

fn too_large() -> Failure {
    let mega = MOST_SENT >> 20;
    Failure::invalid(
        format!("文件没有传完，或超过 {mega} MB；可以用 gzip 压缩后再传"),
        format!("the file did not arrive whole, or is larger than {mega} MB; it may be packed with gzip"),
    )
}
