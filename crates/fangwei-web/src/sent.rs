//! JSON from programs, and names in forms. What cannot be used is refused like everything else, with a message that says where.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// A body of JSON.
#[derive(Clone, Debug)]
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Sent<T>, Failure> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(sent)) => Ok(Sent(sent)),
            Err(JsonRejection::MissingJsonContentType(_)) => {
                Err(Failure::invalid("请求应为 JSON（content-type: application/json）", "expected content-type application/json"))
            }
            Err(refused) => Err(unread(refused.status(), &refused.body_text())),
        }
    }
}

/// Why a body was not read: it is too large, or cannot be used.
pub fn unread(status: StatusCode, why: &str) -> Failure {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return Failure::TooLarge;
    }
    Failure::invalid(format!("请求的内容不能用：{why}"), format!("the body cannot be used: {why}"))
}

/// The names in a field of a form, which commas or line ends separate.
pub fn names_in(text: &str) -> Vec<String> {
    text.split([',', '，', '\n']).map(str::trim).filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
}
