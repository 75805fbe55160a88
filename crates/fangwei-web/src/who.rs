//! Who asks: found out once, by the guard, and handed to the handlers.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use fangwei::lang::Lang;

use crate::failure::Failure;
use crate::policy::{Role, Scope};

/// An account that is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: String,
    /// The name to sign in with.
    pub name: String,
    /// The name that is shown.
    pub shown: String,
    /// What it may do.
    pub role: Role,
}

/// By what somebody proved who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// By a session's cookie; the secret that changes must carry.
    Session {
        /// The session, as kept.
        hash: String,
        /// The secret of its forms.
        csrf: String,
    },
    /// By a token, good for these.
    Token(Vec<Scope>),
}

/// Who asks, and in which language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// The account and its proof, if signed in.
    pub account: Option<(Account, By)>,
    /// The language of the answer.
    pub lang: Lang,
}

impl Who {
    /// The account; an error if nobody is signed in.
    pub fn me(&self) -> Result<&Account, Failure> {
        self.account.as_ref().map(|(account, _)| account).ok_or(Failure::SignIn)
    }

    /// The secret that forms carry; empty where nobody is signed in by a session.
    pub fn csrf(&self) -> &str {
        match &self.account {
            Some((_, By::Session { csrf, .. })) => csrf,
            _ => "",
        }
    }

    /// Whether the role is this or higher.
    pub fn is_at_least(&self, role: Role) -> bool {
        self.account.as_ref().is_some_and(|(account, _)| account.role >= role)
    }
}

impl<S: Sync> FromRequestParts<S> for Who {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Who, Failure> {
        parts.extensions.get().cloned().ok_or_else(|| Failure::Internal(format!("{} is not guarded", parts.uri.path())))
    }
}

/// A cookie of a request.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(found, value)| (found == name).then_some(value))
}

/// The language that a request asks for: its cookie, then the browser's order, then Chinese.
pub fn lang(headers: &HeaderMap) -> Lang {
    let chosen = cookie(headers, "lang").and_then(Lang::parse);
    let accepted = || {
        let value = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
        value.split(',').find_map(|tag| Lang::parse(tag.trim()))
    };
    chosen.or_else(accepted).unwrap_or_default()
}
