//! Adjudication in the editor: a mark of the item lies on the adjudicator's own desk as a draft; what they finish there is a further side of the case.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use fangwei::lang::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::adjudicate::{Case, elsewhere};
use crate::app::App;
use crate::assignments::{Given, give};
use crate::database::Changes;
use crate::failure::Failure;
use crate::marks;
use crate::marks::NewMark;
use crate::sent::Sent;
use crate::thread::on_thread;
use crate::who::{Account, Who};

/// From what an adjudicator goes on in the editor: a mark of the item, or one that was merged from several.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Continue {
    /// This mark.
    #[serde(default)]
    pub take: Option<String>,
    /// Or this one.
    #[serde(default)]
    pub mark: Option<Value>,
}

/// Where it goes on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Continued {
    /// The adjudicator's own assignment: `/work/{assignment}` opens it.
    pub assignment: String,
    /// Its version.
    pub version: i64,
}

/// Puts a mark on the adjudicator's own desk as a draft. What lay there stays as an earlier version.
pub async fn go_on(app: &App, me: &Account, case: &Case, asked: &Continue, lang: Lang) -> Result<Continued, Failure> {
    let mark: Value = match (&asked.take, &asked.mark) {
        (Some(id), None) => json!(case.find_mark(id)?.write(case.batch.task)),
        (None, Some(mark)) => mark.clone(),
        _ => return Err(Failure::invalid("请选一份标注，或给出合并的标注", "expected one of take and mark")),
    };
    let ready = app.readings.of(&case.batch, &case.known.id, &case.record).await?;
    let content = on_thread(move || ready.read_mark(&mark, true, lang)).await?.content;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let (assignment, version) = desk_of(&mut changes, now, me, case).await?;
    let update = "UPDATE assignment SET state = 'draft', version = version + 1, changed_at = $1 WHERE id = $2 AND version = $3";
    let moved = sqlx::query(update).bind(now).bind(assignment.clone()).bind(version).execute(&mut *changes).await?;
    if moved.rows_affected() == 0 {
        return Err(elsewhere());
    }
    let new = NewMark {
        assignment: &assignment,
        version: version + 1,
        author: &me.id,
        source: "person",
        content: &content,
        finished: false,
        late: false,
        client: "",
    };
    marks::append(&mut changes, now, new).await?;
    changes.commit().await?;
    Ok(Continued { assignment, version: version + 1 })
}

/// The adjudicator's own assignment, made where there is none: managers decide on items that nobody gave them.
async fn desk_of(changes: &mut Changes, now: i64, me: &Account, case: &Case) -> Result<(String, i64), Failure> {
    let item = case.known.id.clone();
    give(changes, now, Given { batch: &case.batch.id, item: &item, account: &me.id, part: "adjudicate" }).await?;
    let select = "SELECT id, version FROM assignment WHERE item = $1 AND account = $2 AND part = 'adjudicate'";
    Ok(sqlx::query_as(select).bind(item).bind(me.id.clone()).fetch_one(&mut **changes).await?)
}

/// Goes on in the editor, for programs.
pub async fn json_go_on(
    State(app): State<App>,
    who: Who,
    Path(item): Path<String>,
    Sent(asked): Sent<Continue>,
) -> Result<Json<Continued>, Failure> {
    let case = Case::find(&app, who.me()?, &item).await?;
    Ok(Json(go_on(&app, who.me()?, &case, &asked, who.lang).await?))
}

/// What the buttons for the editor send: `edit` is the id of a mark, or `merge`.
#[derive(Deserialize)]
pub struct ContinueForm {
    edit: String,
    #[serde(default)]
    mark: String,
}

/// Goes on in the editor, from the page.
pub async fn say_go_on(
    State(app): State<App>,
    who: Who,
    Path(item): Path<String>,
    Form(form): Form<ContinueForm>,
) -> Result<Response, Failure> {
    let case = Case::find(&app, who.me()?, &item).await?;
    let is_merge = form.edit == "merge";
    let mark = is_merge.then(|| serde_json::from_str(&form.mark).unwrap_or(Value::Null));
    let asked = Continue { take: (!is_merge).then_some(form.edit), mark };
    let on = go_on(&app, who.me()?, &case, &asked, who.lang).await?;
    Ok(Redirect::to(&format!("/work/{}", on.assignment)).into_response())
}
