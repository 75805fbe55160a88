//! What stands behind the question mark of an address. What cannot be used is refused like everything else.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// The query of an address.
#[derive(Clone, Copy, Debug)]
pub struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Failure> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(refused) => {
                let why = refused.body_text();
                Err(Failure::invalid(
                    format!("地址中的参数不能用：{why}"),
                    format!("the query of the address cannot be used: {why}"),
                ))
            }
        }
    }
}
