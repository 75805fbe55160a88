//! What organisers do with a competition: make one of a template, open, close, move deadlines, let files out, reveal, freeze, tell news.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::{Change, Edge, Moment, Template as Pattern, Text};
use fangwei::lang::Lang;
use serde::Deserialize;

use super::head::{Head, clock};
use super::kept::{self, Kept};
use super::put;
use crate::app::App;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

/// What the form for a competition sends.
#[derive(Deserialize)]
pub struct Making {
    template: String,
}

/// Makes a draft of a template, with the sample data.
pub async fn make(State(app): State<App>, who: Who, Form(given): Form<Making>) -> Result<Response, Failure> {
    let pattern =
        Pattern::find(&given.template).map_err(|unknown| Failure::invalid(unknown.say(Lang::Zh), unknown.say(Lang::En)))?;
    let files = pattern.files(app.now());
    let id = format!("space{}", pattern.name);
    if !matches!(kept::load(&app, &id).await, Err(Failure::NotFound)) {
        return Err(Failure::invalid(
            format!(
                "已经有比赛 {id}；要再办一个，用 fangwei competition init 建立文件夹，改掉 id，再用 fangwei competition open 放上来"
            ),
            format!(
                "there is a competition {id}; for another one, make a folder with fangwei competition init, change its id, and bring it with fangwei competition open"
            ),
        ));
    }
    let put = put::put(&app, &files, Some(&who.me()?.id), "").await?;
    Ok(Redirect::to(&format!("/contests/{}/manage", put.contest)).into_response())
}

#[derive(Template)]
#[template(path = "contests/manage.html")]
struct ManagePage {
    page: Page,
    head: Head,
    state: &'static str,
    version: i64,
    phases: Vec<PhaseForm>,
    files: Vec<FileForm>,
    boards: Vec<BoardForm>,
    documents: Vec<(String, String, String)>,
}

struct PhaseForm {
    id: String,
    name: String,
    /// Each edge: its word in forms, its name, where it is.
    edges: Vec<(&'static str, &'static str, String)>,
    is_revealed: bool,
}

struct FileForm {
    id: String,
    title: String,
    gate: String,
    is_released: bool,
}

struct BoardForm {
    id: String,
    title: String,
    frozen: Option<String>,
}

/// What can be done.
pub async fn page(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let (contest, now, lang) = (&kept.contest, app.now(), who.lang);
    let phases = contest.phases.iter().map(|phase| PhaseForm {
        id: phase.id.clone(),
        name: phase.name.get(lang).to_owned(),
        edges: Edge::ALL.iter().map(|edge| (edge.as_str(), edge.title().get(lang), phase.edge(*edge).to_string())).collect(),
        is_revealed: contest.is_revealed(phase, now),
    });
    let files = contest.data.iter().map(|file| FileForm {
        id: file.id.clone(),
        title: file.title.get(lang).to_owned(),
        gate: file.gate.to_string(),
        is_released: contest.is_released(file, now),
    });
    let boards = contest.boards.iter().map(|board| BoardForm {
        id: board.id.clone(),
        title: board.title.get(lang).to_owned(),
        frozen: board.frozen_at.map(|at| clock(Moment::at(at, contest.zone))),
    });
    let documents = contest.awards.iter().flat_map(|awards| &awards.documents);
    let documents =
        documents.map(|document| (document.id.clone(), document.title.get(lang).to_owned(), document.deadline.to_string()));
    show(&ManagePage {
        page: Page::new(&who, "管理比赛", "Manage the competition"),
        head: Head::new(&app, &who, &kept),
        state: kept.state.as_str(),
        version: kept.version,
        phases: phases.collect(),
        files: files.collect(),
        boards: boards.collect(),
        documents: documents.collect(),
    })
}

/// What the forms of the page send: the kind of the change and what it needs.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Changing {
    kind: String,
    phase: String,
    edge: String,
    to: String,
    file: String,
    board: String,
    document: String,
    reason: String,
    title_zh: String,
    title_en: String,
    text_zh: String,
    text_en: String,
}

/// Makes a change.
pub async fn change(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<Changing>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let change = meant(&kept, given)?;
    let mut changes = app.database.begin().await?;
    kept::change(&app, &mut changes, &kept, Some(&who.me()?.id), &change).await?;
    changes.commit().await?;
    Ok(Redirect::to(&format!("/contests/{id}/manage")).into_response())
}

fn meant(kept: &Kept, given: Changing) -> Result<Change, Failure> {
    let Changing { phase, file, board, document, reason, .. } = given;
    let time = |text: &str| {
        text.trim().parse::<Moment>().map_err(|error| {
            Failure::invalid(format!("应为带时差的时间，如 2022-08-12T00:00:00+08:00，实为 {text:?}"), error.to_string())
        })
    };
    Ok(match given.kind.as_str() {
        "open" => Change::Open {},
        "close" => Change::Close {},
        "move" => {
            let edge = Edge::parse(&given.edge).ok_or_else(|| Failure::invalid("应为 start 或 end", "expected start or end"))?;
            moved(kept, phase, edge, time(&given.to)?, reason)?
        }
        "move-document" => {
            let documents = kept.contest.awards.iter().flat_map(|awards| &awards.documents);
            let from = documents.clone().find(|known| known.id == document).ok_or(Failure::NotFound)?.deadline;
            Change::MoveDocument { document, from, to: time(&given.to)?, reason }
        }
        "release" => Change::Release { file },
        "withhold" => Change::Withhold { file, reason },
        "reveal" => Change::Reveal { phase },
        "freeze" => Change::Freeze { board },
        "thaw" => Change::Thaw { board },
        "news" => {
            let title = Text { zh: given.title_zh.trim().to_owned(), en: given.title_en.trim().to_owned() };
            if title.zh.is_empty() && title.en.is_empty() {
                return Err(Failure::invalid("消息要有标题", "news needs a title"));
            }
            Change::News { title, text: Text { zh: given.text_zh, en: given.text_en } }
        }
        other => return Err(Failure::invalid(format!("没有这种变动：{other}"), format!("unknown change: {other}"))),
    })
}

/// The move of an edge from where it is.
pub fn moved(kept: &Kept, phase: String, edge: Edge, to: Moment, reason: String) -> Result<Change, Failure> {
    let found = kept.contest.phase(&phase).ok_or(Failure::NotFound)?;
    let from = found.edge(edge);
    Ok(Change::Move { phase, edge, from, to, reason })
}
