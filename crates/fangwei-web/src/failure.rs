//! Why a request is refused: one enum, mapped to a status here and nowhere else. Programs get it as JSON, people as a page (see [`crate::page`]).

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use fangwei::lang::{Lang, Say};
use serde_json::{Value, json};

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Nobody is signed in.
    #[error("not signed in")]
    SignIn,
    /// The role or the token does not suffice, or the thing is not theirs.
    #[error("not allowed: {}", .0.en)]
    Forbidden(Say),
    /// It is not there, or not for them to know.
    #[error("not found")]
    NotFound,
    /// What was sent cannot be used.
    #[error("cannot be used: {}", .0.en)]
    Invalid(Say),
    /// What was sent cannot be used; details for programs.
    #[error("cannot be used: {}", .0.en)]
    Defects(Say, Value),
    /// It was changed in the meantime; what it is now.
    #[error("changed in the meantime: {}", .0.en)]
    Conflict(Say, Value),
    /// What was sent is larger than what is taken.
    #[error("too large")]
    TooLarge,
    /// The address is there, and this cannot be done with it.
    #[error("no such method here")]
    Method,
    /// Too often; seconds to wait.
    #[error("too many requests, wait {0} s")]
    TooMany(u64),
    /// The database failed.
    #[error(transparent)]
    Database(sqlx::Error),
    /// Something that should not happen.
    #[error("{0}")]
    Internal(String),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Failure {
        // PostgreSQL keeps no text with a NUL in it, and says so by this code: the fault is in what was sent.
        let is_nul = error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == "22021");
        if is_nul {
            Failure::invalid("文字里有空字符（NUL）", "the text has a NUL character in it")
        } else {
            Failure::Database(error)
        }
    }
}

impl Failure {
    /// Something cannot be used, in both languages.
    pub fn invalid(zh: impl Into<String>, en: impl Into<String>) -> Failure {
        Failure::Invalid(Say::new(zh, en))
    }

    /// Something is not theirs to do, in both languages.
    pub fn forbidden(zh: impl Into<String>, en: impl Into<String>) -> Failure {
        Failure::Forbidden(Say::new(zh, en))
    }

    /// The status of the answer.
    pub const fn status(&self) -> StatusCode {
        match self {
            Failure::SignIn => StatusCode::UNAUTHORIZED,
            Failure::Forbidden(_) => StatusCode::FORBIDDEN,
            Failure::NotFound => StatusCode::NOT_FOUND,
            Failure::Invalid(_) | Failure::Defects(..) => StatusCode::UNPROCESSABLE_ENTITY,
            Failure::Conflict(..) => StatusCode::CONFLICT,
            Failure::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Failure::Method => StatusCode::METHOD_NOT_ALLOWED,
            Failure::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Failure::Database(_) | Failure::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A word for programs, which never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Failure::SignIn => "sign-in",
            Failure::Forbidden(_) => "forbidden",
            Failure::NotFound => "not-found",
            Failure::Invalid(_) | Failure::Defects(..) => "invalid",
            Failure::Conflict(..) => "conflict",
            Failure::TooLarge => "too-large",
            Failure::Method => "method",
            Failure::TooMany(_) => "too-many",
            Failure::Database(_) | Failure::Internal(_) => "internal",
        }
    }

    /// What to tell people. Faults of the server are told in the log only.
    pub fn say(&self) -> Say {
        match self {
            Failure::SignIn => Say::new("请先登录", "sign in first"),
            Failure::NotFound => Say::new("没有找到", "not found"),
            Failure::Forbidden(say) | Failure::Invalid(say) | Failure::Defects(say, _) | Failure::Conflict(say, _) => say.clone(),
            Failure::TooLarge => Say::new(
                "发送的内容太大：题目文件至多 64 MB，其他至多 2 MB",
                "too large: a file of items may have 64 MB, everything else 2 MB",
            ),
            Failure::Method => Say::new("这个地址不支持这种请求方法", "the address does not take this method"),
            Failure::TooMany(seconds) => {
                Say::new(format!("请求太多，请等 {seconds} 秒"), format!("too many requests, wait {seconds} s"))
            }
            Failure::Database(_) | Failure::Internal(_) => {
                Say::new("服务器出错，已经记入日志", "the server failed; the log says why")
            }
        }
    }
}

/// What a failed answer carries, for the layer that shows it in the asker's language as page or JSON.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The word for programs.
    pub code: &'static str,
    /// What to tell people.
    pub say: Say,
    /// Details for programs.
    pub detail: Value,
}

impl Refusal {
    /// The answer to a program.
    pub fn json(&self, lang: Lang) -> Json<Value> {
        let mut answer = json!({ "error": self.code, "message": self.say.get(lang) });
        if !self.detail.is_null() {
            answer["detail"] = self.detail.clone();
        }
        Json(answer)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if matches!(self, Failure::Database(_) | Failure::Internal(_)) {
            tracing::error!("{self}");
        }
        let refusal = Refusal {
            code: self.code(),
            say: self.say(),
            detail: match &self {
                Failure::Defects(_, detail) | Failure::Conflict(_, detail) => detail.clone(),
                _ => Value::Null,
            },
        };
        let mut answer = self.status().into_response();
        if let Failure::TooMany(seconds) = self {
            answer.headers_mut().insert("retry-after", seconds.into());
        }
        answer.extensions_mut().insert(refusal);
        answer
    }
}
