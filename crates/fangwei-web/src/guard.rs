//! Before every handler: who asks, may they, did the change come from our own page, do they ask too often.

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use std::net::SocketAddr;

use crate::accounts::{session, token};
use crate::app::{App, MOST_BYTES};
use crate::chance;
use crate::failure::Failure;
use crate::policy::{Policy, Scope};
use crate::route::is_api;
use crate::who::{Account, By, Who, lang};

/// The header in which scripts send the secret of the session.
pub const CSRF_HEADER: &str = "x-csrf-token";

/// What the guard of a route knows.
#[derive(Clone, Debug)]
pub struct Guarded {
    /// The app.
    pub app: App,
    /// Whom the route serves.
    pub policy: Policy,
    /// What a token needs.
    pub scope: Option<Scope>,
    /// Whether asking does not count.
    pub is_free: bool,
}

/// The address of the asker.
#[derive(Clone, Debug)]
pub struct Address(pub String);

/// Lets a request through to its handler, or refuses it.
pub async fn guard(State(guarded): State<Guarded>, mut request: Request, next: Next) -> Response {
    let address = address(&guarded.app, &request);
    let is_page_view = request.method() == Method::GET && !is_api(request.uri().path());
    let wanted = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    request.extensions_mut().insert(Address(address.clone()));
    match admit(&guarded, &address, request).await {
        Ok(request) => next.run(request).await,
        Err(Failure::SignIn) if is_page_view => Redirect::to(&format!("/login?next={}", escape(&wanted))).into_response(),
        Err(failure) => failure.into_response(),
    }
}

async fn admit(guarded: &Guarded, address: &str, request: Request) -> Result<Request, Failure> {
    let Guarded { app, policy, scope, is_free } = guarded;
    let account = identify(app, request.headers(), *scope).await?;
    let asker = account.as_ref().map_or_else(|| address.to_owned(), |(account, _)| account.id.clone());
    if !is_free {
        app.limits.take(&asker, app.now()).map_err(Failure::TooMany)?;
    }
    if let Policy::AtLeast(least) = policy {
        let (account, _) = account.as_ref().ok_or(Failure::SignIn)?;
        if account.role < *least {
            return Err(Failure::forbidden("你的角色没有这个权限", "your role does not allow this"));
        }
    }
    let who = Who { account, lang: lang(request.headers()) };
    let mut request = if request.method().is_safe() { request } else { from_our_page(&who, request).await? };
    request.extensions_mut().insert(who);
    Ok(request)
}

/// The account of a cookie or a token. A token that is wrong is refused; a cookie that has expired is nobody.
async fn identify(app: &App, headers: &HeaderMap, scope: Option<Scope>) -> Result<Option<(Account, By)>, Failure> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return session::find(app, headers).await };
    let secret = value.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
    let found = token::find(app, secret.unwrap_or_default()).await?;
    let (account, scopes) = found.ok_or_else(|| Failure::SignIn)?;
    match scope {
        Some(scope) if scopes.contains(&scope) => Ok(Some((account, By::Token(scopes)))),
        Some(scope) => Err(Failure::forbidden(
            format!("令牌没有 {} 权限", scope.as_str()),
            format!("the token lacks the scope {}", scope.as_str()),
        )),
        None => Err(Failure::forbidden("令牌只能用于 /api", "tokens are for /api only")),
    }
}

/// A change by a browser carries the secret of its session, in a header or in the form; where nobody is signed in, it comes from this site.
async fn from_our_page(who: &Who, request: Request) -> Result<Request, Failure> {
    let foreign = || {
        Failure::forbidden(
            "请求不是从本站页面发出的，请刷新后再试",
            "the request does not come from a page of this site; reload and try again",
        )
    };
    let Some((_, by)) = &who.account else {
        return if is_same_site(request.headers()) { Ok(request) } else { Err(foreign()) };
    };
    let By::Session { csrf, .. } = by else { return Ok(request) };
    if !is_same_site(request.headers()) {
        return Err(foreign());
    }
    if let Some(sent) = request.headers().get(CSRF_HEADER) {
        let matches = sent.to_str().is_ok_and(|sent| chance::same(sent, csrf));
        return if matches { Ok(request) } else { Err(foreign()) };
    }
    let is_form = |value: &header::HeaderValue| value.as_bytes().starts_with(b"application/x-www-form-urlencoded");
    if !request.headers().get(header::CONTENT_TYPE).is_some_and(is_form) {
        return Err(foreign());
    }
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, MOST_BYTES).await.map_err(|_| Failure::TooLarge)?;
    let field = format!("csrf={csrf}");
    if !bytes.split(|byte| *byte == b'&').any(|pair| pair == field.as_bytes()) {
        return Err(foreign());
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// Whether a browser says that the request comes from a page of this site. Programs that are no browsers say nothing, and have no cookies to abuse.
fn is_same_site(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    matches!((origin, host), (Some((_, origin)), Some(host)) if origin.eq_ignore_ascii_case(host))
}

fn address(app: &App, request: &Request) -> String {
    let forwarded = || {
        // The last entry is the one that our own proxy wrote, in the header that is there or in one of its own; those before it are what the asker claims.
        let value = request.headers().get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        Some(value.rsplit(',').next()?.trim().to_owned())
    };
    let direct = || request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(from)| from.ip().to_string());
    let proxied = if app.settings.behind_proxy { forwarded() } else { None };
    proxied.or_else(direct).unwrap_or_else(|| "local".to_owned())
}

/// A text as part of an address.
pub fn escape(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
