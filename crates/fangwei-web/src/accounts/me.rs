//! One's own account: the password, and tokens for programs.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::json;

use super::token::Token;
use super::{find, password, sign, token};
use crate::app::App;
use crate::audit;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::{Role, Scope};
use crate::who::{By, Who};

#[derive(Template)]
#[template(path = "accounts/me.html")]
struct MePage {
    page: Page,
    role: Role,
    tokens: Vec<Token>,
    secret: String,
    message: String,
}

/// The page of one's own account.
pub async fn page(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    me_page(&app, &who, String::new(), String::new()).await
}

async fn me_page(app: &App, who: &Who, secret: String, message: String) -> Result<Response, Failure> {
    let me = who.me()?;
    let tokens = token::of(app, &me.id).await?;
    show(&MePage { page: Page::new(who, "我的帐户", "My account"), role: me.role, tokens, secret, message })
}

/// What the form for a new password sends.
#[derive(Deserialize)]
pub struct NewPassword {
    old: String,
    password: String,
    again: String,
}

/// Sets a new password; other sessions end.
pub async fn set_password(State(app): State<App>, who: Who, Form(given): Form<NewPassword>) -> Result<Response, Failure> {
    let me = who.me()?;
    let Some((_, By::Session { hash: session, .. })) = &who.account else { return Err(Failure::SignIn) };
    let kept = find(app.database.read(), &me.id).await?.ok_or(Failure::NotFound)?;
    let refused = if !password::matches(&given.old, Some(&kept.password), app.settings.cost).await? {
        Some(who.lang.say("旧密码不对", "the old password is wrong").to_owned())
    } else if given.password != given.again {
        Some(who.lang.say("两次输入的密码不同", "the two passwords differ").to_owned())
    } else {
        password::checked(&given.password, &me.name).err().map(|failure| failure.say().get(who.lang).to_owned())
    };
    if let Some(message) = refused {
        let shown = me_page(&app, &who, String::new(), message).await?;
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, shown).into_response());
    }
    let hash = password::hash(&given.password, app.settings.cost).await?;
    let mut changes = app.database.begin().await?;
    sign::set_password(&app, &mut changes, &me.id, hash, session).await?;
    changes.commit().await?;
    let message = who.lang.say("密码已更换，其他登录已退出", "password changed; other sessions have ended");
    me_page(&app, &who, String::new(), message.to_owned()).await
}

/// What the form for a token sends.
#[derive(Deserialize)]
pub struct NewToken {
    name: String,
    days: i64,
    #[serde(default)]
    read: Option<String>,
    #[serde(default)]
    submit: Option<String>,
    #[serde(default)]
    annotate: Option<String>,
    #[serde(default)]
    manage: Option<String>,
}

/// Makes a token and shows its secret once.
pub async fn make_token(State(app): State<App>, who: Who, Form(given): Form<NewToken>) -> Result<Response, Failure> {
    let me = who.me()?;
    let chosen = [
        (Scope::Read, &given.read),
        (Scope::Submit, &given.submit),
        (Scope::Annotate, &given.annotate),
        (Scope::Manage, &given.manage),
    ];
    let scopes: Vec<Scope> = chosen.iter().filter(|(_, box_)| box_.is_some()).map(|(scope, _)| *scope).collect();
    let name: String = given.name.trim().chars().take(60).collect();
    if name.is_empty() || scopes.is_empty() || !(1..=366).contains(&given.days) {
        let message =
            who.lang.say("令牌要有名称、至少一项权限、1 到 366 天的期限", "a token needs a name, a scope, and 1 to 366 days");
        let shown = me_page(&app, &who, String::new(), message.to_owned()).await?;
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, shown).into_response());
    }
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let secret = token::make(&mut changes, now, &me.id, &name, &scopes, given.days).await?;
    audit::note(&mut changes, now, Some(&me.id), "make-token", &me.id, &json!({ "name": name, "scopes": scopes })).await?;
    changes.commit().await?;
    me_page(&app, &who, secret, String::new()).await
}

/// Ends a token.
pub async fn revoke_token(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let me = who.me()?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    if !token::revoke(&mut changes, now, &me.id, &id).await? {
        return Err(Failure::NotFound);
    }
    audit::note(&mut changes, now, Some(&me.id), "revoke-token", &id, &json!({})).await?;
    changes.commit().await?;
    Ok(Redirect::to("/me").into_response())
}

/// Chooses the language of the pages.
pub async fn set_lang(Path(lang): Path<String>, headers: axum::http::HeaderMap) -> Result<Response, Failure> {
    let lang = if lang == "en" { "en" } else { "zh" };
    let cookie = format!("lang={lang}; Path=/; SameSite=Lax; Max-Age=31536000");
    let from = headers.get(header::REFERER).and_then(|from| from.to_str().ok()).and_then(|from| from.split_once("://"));
    // The page one came from, without its host: a foreign page leads to our own root at worst.
    let back =
        from.and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).filter(|path| !path.starts_with("//")).unwrap_or("/");
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(back)).into_response())
}
