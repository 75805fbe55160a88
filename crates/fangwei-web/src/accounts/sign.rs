//! Signing in and out, joining by an invitation, setting a new password by a link.

use askama::Template;
use axum::Extension;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::json;

use super::{checked_name, find, link, make, password, session};
use crate::app::App;
use crate::audit;
use crate::database::Changes;
use crate::failure::Failure;
use crate::guard::Address;
use crate::id;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::who::{By, Who};

/// So long failed attempts count.
const WINDOW_MS: i64 = 15 * 60 * 1000;
/// So many failed attempts for one name lock it for the window.
const MOST_FOR_NAME: i64 = 8;
/// So many failed attempts from one address lock it; a class shares one.
const MOST_FROM_ADDRESS: i64 = 60;

/// Where to go after signing in.
#[derive(Deserialize)]
pub struct Next {
    #[serde(default)]
    next: String,
}

#[derive(Template)]
#[template(path = "accounts/login.html")]
struct LoginPage {
    page: Page,
    next: String,
    name: String,
    message: String,
}

/// The page to sign in.
pub async fn login_page(who: Who, Query(Next { next }): Query<Next>) -> Result<Response, Failure> {
    if who.account.is_some() {
        return Ok(Redirect::to(own(&next)).into_response());
    }
    show(&LoginPage { page: Page::new(&who, "登录", "Sign in"), next, name: String::new(), message: String::new() })
}

/// What the form to sign in sends.
#[derive(Deserialize)]
pub struct Login {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// Signs in.
pub async fn login(
    State(app): State<App>,
    who: Who,
    Extension(Address(address)): Extension<Address>,
    Form(given): Form<Login>,
) -> Result<Response, Failure> {
    let name = given.name.trim().to_owned();
    refuse_locked(&app, &name, &address).await?;
    let kept = find(app.database.read(), &name).await?.filter(|kept| kept.account.name == name && kept.state == "active");
    let hash = kept.as_ref().map(|kept| kept.password.as_str());
    let passed = password::matches(&given.password, hash, app.settings.cost).await?;
    let mut changes = app.database.begin().await?;
    note_attempt(&app, &mut changes, &name, &address, passed).await?;
    let Some(kept) = kept.filter(|_| passed) else {
        changes.commit().await?;
        let page = Page::new(&who, "登录", "Sign in");
        let message = page.say("用户名或密码不对", "wrong name or password").to_owned();
        let shown = show(&LoginPage { page, next: given.next, name, message })?;
        return Ok((StatusCode::UNAUTHORIZED, shown).into_response());
    };
    enter(&app, changes, &kept.account.id, own(&given.next)).await
}

/// Signs out.
pub async fn logout(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    if let Some((account, By::Session { hash, .. })) = &who.account {
        let mut changes = app.database.begin().await?;
        session::end(&mut changes, hash).await?;
        audit::note(&mut changes, app.now(), Some(&account.id), "sign-out", &account.id, &json!({})).await?;
        changes.commit().await?;
    }
    Ok(([(header::SET_COOKIE, session::forget(&app)?)], Redirect::to("/login")).into_response())
}

#[derive(Template)]
#[template(path = "accounts/join.html")]
struct JoinPage {
    page: Page,
    secret: String,
    role: Option<Role>,
    name: String,
    message: String,
}

/// The page behind an invitation or a link for a new password.
pub async fn link_page(State(app): State<App>, who: Who, Path(secret): Path<String>) -> Result<Response, Failure> {
    show(&join_page(&app, &who, secret, "", "").await?)
}

async fn join_page(app: &App, who: &Who, secret: String, name: &str, message: &str) -> Result<JoinPage, Failure> {
    let message = message.to_owned();
    match link::find(app, &secret).await?.ok_or_else(ended)? {
        link::Purpose::Join(role) => {
            let page = Page::new(who, "加入", "Join");
            Ok(JoinPage { page, secret, role: Some(role), name: name.to_owned(), message })
        }
        link::Purpose::Reset(account) | link::Purpose::Welcome(account) => {
            let kept = find(app.database.read(), &account).await?.ok_or(Failure::NotFound)?;
            let page = Page::new(who, "设置新密码", "Set a new password");
            Ok(JoinPage { page, secret, role: None, name: kept.account.name, message })
        }
    }
}

fn ended() -> Failure {
    Failure::invalid("这个链接已经用过或已过期，请向管理员再要一个", "the link was used or has expired; ask an admin for another")
}

/// What the form behind a link sends.
#[derive(Deserialize)]
pub struct Joining {
    #[serde(default)]
    pub(crate) name: String,
    password: String,
    again: String,
}

/// Makes the account of an invitation, and signs in.
pub async fn join(
    State(app): State<App>,
    who: Who,
    Path(secret): Path<String>,
    Form(given): Form<Joining>,
) -> Result<Response, Failure> {
    let link::Purpose::Join(role) = link::find(&app, &secret).await?.ok_or_else(ended)? else { return Err(Failure::NotFound) };
    match make_account(&app, &given, Some(&secret), role, "/").await {
        Err(Failure::Invalid(say)) => {
            let shown = show(&join_page(&app, &who, secret, &given.name, say.get(who.lang)).await?)?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, shown).into_response())
        }
        made => made,
    }
}

/// Makes an account, by a link that is used up or without one, signs in, and leads on.
pub(crate) async fn make_account(
    app: &App,
    given: &Joining,
    secret: Option<&str>,
    role: Role,
    to: &str,
) -> Result<Response, Failure> {
    let name = checked_name(&given.name)?;
    checked_pair(given, &name)?;
    let hash = password::hash(&given.password, app.settings.cost).await?;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    if let Some(secret) = secret {
        link::spend(app, &mut changes, secret).await?;
    }
    let id = make(&mut changes, now, &name, hash, role).await?;
    enter(app, changes, &id, to).await
}

/// Sets the password of a link's account, ends its other sessions, and signs in.
pub async fn reset(
    State(app): State<App>,
    who: Who,
    Path(secret): Path<String>,
    Form(given): Form<Joining>,
) -> Result<Response, Failure> {
    let link::Purpose::Reset(account) = link::find(&app, &secret).await?.ok_or_else(ended)? else {
        return Err(Failure::NotFound);
    };
    let kept = find(app.database.read(), &account).await?.ok_or(Failure::NotFound)?;
    if let Err(Failure::Invalid(say)) = checked_pair(&given, &kept.account.name) {
        let shown = show(&join_page(&app, &who, secret, "", say.get(who.lang)).await?)?;
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, shown).into_response());
    }
    let hash = password::hash(&given.password, app.settings.cost).await?;
    let mut changes = app.database.begin().await?;
    link::spend(&app, &mut changes, &secret).await?;
    set_password(&app, &mut changes, &account, hash, "").await?;
    enter(&app, changes, &account, "/").await
}

/// Keeps a new password and ends the sessions of the account, except one if told.
pub(super) async fn set_password(
    app: &App,
    changes: &mut Changes,
    account: &str,
    hash: String,
    except: &str,
) -> Result<(), Failure> {
    let update = sqlx::query("UPDATE account SET password = $1 WHERE id = $2").bind(hash).bind(account.to_owned());
    update.execute(&mut **changes).await?;
    session::end_all(changes, account, except).await?;
    audit::note(changes, app.now(), Some(account), "set-password", account, &json!({})).await?;
    Ok(())
}

fn checked_pair(given: &Joining, name: &str) -> Result<(), Failure> {
    if given.password != given.again {
        return Err(Failure::invalid("两次输入的密码不同", "the two passwords differ"));
    }
    password::checked(&given.password, name)
}

async fn enter(app: &App, mut changes: Changes, account: &str, to: &str) -> Result<Response, Failure> {
    let cookie = session::begin(app, &mut changes, account).await?;
    audit::note(&mut changes, app.now(), Some(account), "sign-in", account, &json!({})).await?;
    changes.commit().await?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(to)).into_response())
}

async fn refuse_locked(app: &App, name: &str, address: &str) -> Result<(), Failure> {
    let since = app.now() - WINDOW_MS;
    let by_name = "SELECT COUNT(*) FROM attempt WHERE name = $1 AND at > $2 AND passed = 0";
    let by_address = "SELECT COUNT(*) FROM attempt WHERE address = $1 AND at > $2 AND passed = 0";
    for (count, of, most) in [(by_name, name, MOST_FOR_NAME), (by_address, address, MOST_FROM_ADDRESS)] {
        let failed: i64 = sqlx::query_scalar(count).bind(of.to_owned()).bind(since).fetch_one(app.database.read()).await?;
        if failed >= most {
            return Err(Failure::TooMany(WINDOW_MS as u64 / 1000));
        }
    }
    Ok(())
}

async fn note_attempt(app: &App, changes: &mut Changes, name: &str, address: &str, passed: bool) -> Result<(), Failure> {
    let now = app.now();
    if passed {
        let clear = sqlx::query("DELETE FROM attempt WHERE name = $1 OR at < $2").bind(name.to_owned()).bind(now - WINDOW_MS);
        clear.execute(&mut **changes).await?;
    }
    // A name that is longer than any account's is cut: the log is no store for strangers.
    let name: String = name.chars().take(80).collect();
    sqlx::query("INSERT INTO attempt (id, name, address, passed, at) VALUES ($1, $2, $3, $4, $5)")
        .bind(id::at(now))
        .bind(name)
        .bind(address.to_owned())
        .bind(i64::from(passed))
        .bind(now)
        .execute(&mut **changes)
        .await?;
    Ok(())
}

/// An address of our own, so that a link cannot lead elsewhere.
pub(crate) fn own(next: &str) -> &str {
    let is_own = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n']);
    if is_own { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::own;

    #[test]
    fn only_own_addresses_are_followed() {
        assert_eq!(own("/agree/1?a=b"), "/agree/1?a=b");
        for foreign in ["https://elsewhere", "//elsewhere", "/\\elsewhere", "", "work"] {
            assert_eq!(own(foreign), "/", "{foreign}");
        }
    }
}
