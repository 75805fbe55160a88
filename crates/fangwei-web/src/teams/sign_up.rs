//! An account for who wants to take part: whoever sees an open competition makes one, with the least rights there are.

use askama::Template;
use axum::extract::{Path, State as Of};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;

use crate::accounts::sign::{self, Joining};
use crate::app::App;
use crate::asked::Asked;
use crate::contests::{self, Head, Kept, kept};
use crate::failure::Failure;
use crate::guard::Address;
use crate::limit::RARE;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::who::Who;

/// Where to go afterwards.
#[derive(Deserialize)]
pub struct Next {
    #[serde(default)]
    next: String,
}

#[derive(Template)]
#[template(path = "teams/sign_up.html")]
struct SignUpPage {
    page: Page,
    head: Head,
    next: String,
    name: String,
    message: String,
}

fn sign_up_page(app: &App, who: &Who, kept: &Kept, next: &str, name: &str, message: String) -> SignUpPage {
    SignUpPage {
        page: Page::new(who, "注册帐户", "Make an account"),
        head: Head::new(app, who, kept),
        next: next.to_owned(),
        name: name.to_owned(),
        message,
    }
}

/// The competition, if accounts can be made for it: as long as it is open, since members may join after registration has ended.
async fn open(app: &App, who: &Who, id: &str) -> Result<std::sync::Arc<Kept>, Failure> {
    let kept = kept::find(app, who, id).await?;
    if kept.state == contests::State::Open {
        return Ok(kept);
    }
    Err(Failure::forbidden("这个比赛现在不能注册", "no account can be made for this competition at this time"))
}

fn onward(id: &str, next: &str) -> String {
    if next.is_empty() { format!("/contests/{id}/register") } else { sign::own(next).to_owned() }
}

/// The form.
pub async fn page(
    Of(app): Of<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(Next { next }): Asked<Next>,
) -> Result<Response, Failure> {
    let kept = open(&app, &who, &id).await?;
    if who.account.is_some() {
        return Ok(Redirect::to(&onward(&id, &next)).into_response());
    }
    show(&sign_up_page(&app, &who, &kept, &next, "", String::new()))
}

/// Makes the account and signs in.
pub async fn sign_up(
    Of(app): Of<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(Next { next }): Asked<Next>,
    Extension(Address(address)): Extension<Address>,
    Form(given): Form<Joining>,
) -> Result<Response, Failure> {
    let kept = open(&app, &who, &id).await?;
    // A class shares one address, a flood comes from one too.
    app.limits.take_at(RARE, &format!("sign-up {address}"), app.now()).map_err(Failure::TooMany)?;
    match sign::make_account(&app, &given, None, Role::Participant, &onward(&id, &next)).await {
        Err(Failure::Invalid(say)) => {
            let shown = show(&sign_up_page(&app, &who, &kept, &next, &given.name, say.get(who.lang).to_owned()))?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, shown).into_response())
        }
        made => made,
    }
}
