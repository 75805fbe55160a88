//! Files to download: only what is released, and only by who accepted the agreement.

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::{Contest, DataFile, Moment, Use};

use super::head::{Head, clock, short};
use super::{accept, kept};
use crate::app::App;
use crate::failure::Failure;
use crate::guard::escape;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::route::is_api;
use crate::who::Who;

#[derive(Template)]
#[template(path = "contests/data.html")]
struct DataPage {
    page: Page,
    head: Head,
    files: Vec<FileLine>,
    has_agreement: bool,
    is_settled: bool,
}

struct FileLine {
    id: String,
    title: String,
    task: String,
    kind: &'static str,
    is_released: bool,
    /// When it will be, where that is known.
    gate: String,
    ms: Option<i64>,
    sha256: String,
}

fn line(contest: &Contest, file: &DataFile, now: i64, who: &Who, sha256: Option<&String>) -> FileLine {
    let moment = file.gate.moment(contest).filter(|_| file.released.is_none());
    let is_released = contest.is_released(file, now);
    FileLine {
        id: file.id.clone(),
        title: file.title.get(who.lang).to_owned(),
        task: file.task.as_deref().map(short).unwrap_or_default().to_owned(),
        kind: file.holds.title().get(who.lang),
        is_released,
        gate: moment.map(|moment| clock(Moment::at(moment.ms, contest.zone))).unwrap_or_default(),
        ms: moment.map(|moment| moment.ms),
        // The hash of what is not released could be compared with a guess.
        sha256: sha256.filter(|_| is_released).cloned().unwrap_or_default(),
    }
}

/// All files, released or not.
pub async fn list(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let (contest, now) = (&kept.contest, app.now());
    let files = contest.data.iter().map(|file| line(contest, file, now, &who, kept.files.get(&file.file))).collect();
    let is_settled = match who.me() {
        Ok(me) => accept::is_settled(&app, &kept, &me.id).await?,
        Err(_) => false,
    };
    let has_agreement = contest.agreement.is_some();
    show(&DataPage {
        page: Page::new(&who, "数据", "Data"),
        head: Head::new(&app, &who, &kept),
        files,
        has_agreement,
        is_settled,
    })
}

/// One file. What is not released is not there; organisers may try it, unless it holds answers, which nobody has before the others. Who has not accepted the
/// agreement is led to it.
pub async fn file(
    State(app): State<App>,
    who: Who,
    uri: Uri,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let (kept, me) = (kept::find(&app, &who, &id).await?, who.me()?);
    let file = kept.contest.data(&name).ok_or(Failure::NotFound)?;
    let is_organiser = who.is_at_least(Role::Organiser);
    let may_try = is_organiser && file.holds != Use::Answers && !kept.is_gold(&file.file);
    if !may_try && !kept.contest.is_released(file, app.now()) {
        return Err(Failure::NotFound);
    }
    if file.agreement && !is_organiser && !accept::is_settled(&app, &kept, &me.id).await? {
        if is_api(uri.path()) {
            return Err(Failure::forbidden(
                format!("请先同意协议：POST /api/contests/{id}/agreement"),
                format!("accept the agreement first: POST /api/contests/{id}/agreement"),
            ));
        }
        return Ok(
            Redirect::to(&format!("/contests/{id}/agreement?next={}", escape(&format!("/contests/{id}/data")))).into_response()
        );
    }
    let bytes = kept.file(&app, &file.file).await?;
    let name = escape(file.file.rsplit('/').next().unwrap_or(&file.id));
    let about = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{}-{name}", escape(&file.id))),
    ];
    Ok((about, Body::from(bytes)).into_response())
}
