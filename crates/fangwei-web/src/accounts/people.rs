//! People: who has an account, invitations, roles, links for a new password, leaving and coming back.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::json;
use sqlx::Row;

use super::{Kept, account_of, find, link, session};
use crate::app::App;
use crate::audit;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::who::{Account, Who};

#[derive(Template)]
#[template(path = "accounts/people.html")]
struct PeoplePage {
    page: Page,
    people: Vec<Kept>,
    roles: Vec<Role>,
    made: Option<String>,
}

/// The list of accounts.
pub async fn page(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    people_page(&app, &who, None).await
}

async fn people_page(app: &App, who: &Who, made: Option<String>) -> Result<Response, Failure> {
    let me = who.me()?;
    let roles = Role::ALL.into_iter().filter(|role| may_give(me, *role)).collect();
    show(&PeoplePage { page: Page::new(who, "人员", "People"), people: all(app).await?, roles, made })
}

/// All accounts, by name.
pub async fn all(app: &App) -> Result<Vec<Kept>, Failure> {
    let select = "SELECT account.id, account.name, account.shown, account.role, '', state, tags, created_at FROM account ORDER BY account.name";
    let rows = sqlx::query(select).fetch_all(app.database.read()).await?;
    let kept = |row: &sqlx::any::AnyRow| {
        Ok(Kept {
            account: account_of(row)?,
            password: String::new(),
            state: row.try_get(5)?,
            tags: row.try_get(6)?,
            created_at: row.try_get(7)?,
        })
    };
    rows.iter().map(kept).collect()
}

/// Roles below one's own may be given; an admin may also make admins.
fn may_give(me: &Account, role: Role) -> bool {
    role < me.role || me.role == Role::Admin
}

fn too_high() -> Failure {
    Failure::forbidden("不能授予或改动不低于自己的角色", "roles as high as your own are not yours to give or change")
}

/// What the form for an invitation sends.
#[derive(Deserialize)]
pub struct Invite {
    role: Role,
}

/// Makes an invitation and shows its address once.
pub async fn invite(State(app): State<App>, who: Who, Form(Invite { role }): Form<Invite>) -> Result<Response, Failure> {
    let me = who.me()?;
    if !may_give(me, role) {
        return Err(too_high());
    }
    let mut changes = app.database.begin().await?;
    let address = link::make(&app, &mut changes, &link::Purpose::Join(role), Some(&me.id)).await?;
    audit::note(&mut changes, app.now(), Some(&me.id), "invite", "", &json!({ "role": role })).await?;
    changes.commit().await?;
    people_page(&app, &who, Some(address)).await
}

/// What the form of one person sends.
#[derive(Deserialize)]
pub struct Change {
    role: Role,
    state: String,
    #[serde(default)]
    tags: String,
}

/// Changes role, state and tags of an account. Who leaves is signed out at once.
pub async fn change(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<Change>,
) -> Result<Response, Failure> {
    let me = who.me()?;
    let mut changes = app.database.begin().await?;
    let kept = find(&mut *changes, &id).await?.ok_or(Failure::NotFound)?;
    if !may_give(me, kept.account.role) || !may_give(me, given.role) {
        return Err(too_high());
    }
    if kept.account.id == me.id {
        return Err(Failure::forbidden("不能改动自己的角色和状态", "your own role and state are not yours to change"));
    }
    if !["active", "left"].contains(&given.state.as_str()) {
        return Err(Failure::invalid("状态应为 active 或 left", "expected the state active or left"));
    }
    let tags: String = given.tags.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
    sqlx::query("UPDATE account SET role = $1, state = $2, tags = $3 WHERE id = $4")
        .bind(given.role.as_str())
        .bind(given.state.clone())
        .bind(tags.clone())
        .bind(kept.account.id.clone())
        .execute(&mut *changes)
        .await?;
    if given.state == "left" {
        session::end_all(&mut changes, &kept.account.id, "").await?;
    }
    let detail = json!({ "from": { "role": kept.account.role, "state": kept.state, "tags": kept.tags },
                         "to": { "role": given.role, "state": given.state, "tags": tags } });
    audit::note(&mut changes, app.now(), Some(&me.id), "change-account", &kept.account.id, &detail).await?;
    changes.commit().await?;
    Ok(Redirect::to("/people").into_response())
}

/// Makes a link with which a person sets a new password.
pub async fn reset_link(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let me = who.me()?;
    let mut changes = app.database.begin().await?;
    let kept = find(&mut *changes, &id).await?.ok_or(Failure::NotFound)?;
    let purpose = link::Purpose::Reset(kept.account.id.clone());
    let address = link::make(&app, &mut changes, &purpose, Some(&me.id)).await?;
    audit::note(&mut changes, app.now(), Some(&me.id), "reset-link", &kept.account.id, &json!({})).await?;
    changes.commit().await?;
    people_page(&app, &who, Some(address)).await
}
