//! What everybody reads: the list of competitions, home, pages, tasks, the schedule.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use fangwei::contest::TEMPLATES;

use super::head::{Head, clock};
use super::kept::{self, Kept};
use crate::app::App;
use crate::failure::Failure;
use crate::markdown::Markdown;
use crate::page::{Page, show};
use crate::who::Who;

#[derive(Template)]
#[template(path = "contests/list.html")]
struct ListPage {
    page: Page,
    contests: Vec<(Head, String)>,
    /// Names and titles.
    templates: Vec<(&'static str, &'static str)>,
}

/// The list of competitions.
pub async fn list(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    let all = kept::all(&app, &who).await?;
    let line = |kept: &Arc<Kept>| (Head::new(&app, &who, kept), kept.contest.about.get(who.lang).to_owned());
    let contests = all.iter().map(line).collect();
    let templates = TEMPLATES.iter().map(|template| (template.name, template.title.get(who.lang))).collect();
    show(&ListPage { page: Page::new(&who, "比赛", "Competitions"), contests, templates })
}

#[derive(Template)]
#[template(path = "contests/text.html")]
struct TextPage {
    page: Page,
    head: Head,
    about: String,
    text: Markdown,
    contact: String,
}

/// The first page of a competition.
pub async fn home(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let text = match kept.contest.pages.first() {
        Some(page) => kept.text(&app, page.file.get(who.lang)).await?,
        None => String::new(),
    };
    let name = &kept.contest.name;
    let (about, contact) = (kept.contest.about.get(who.lang).to_owned(), kept.contest.contact.clone());
    let page = Page::new(&who, name.zh.clone(), name.en.clone());
    show(&TextPage { page, head: Head::new(&app, &who, &kept), about, text: Markdown::new(&text), contact })
}

/// Another page.
pub async fn one(State(app): State<App>, who: Who, Path((id, name)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let found = kept.contest.page(&name).ok_or(Failure::NotFound)?;
    let text = kept.text(&app, found.file.get(who.lang)).await?;
    let page = Page::new(&who, found.title.zh.clone(), found.title.en.clone());
    show(&TextPage {
        page,
        head: Head::new(&app, &who, &kept),
        about: String::new(),
        text: Markdown::new(&text),
        contact: String::new(),
    })
}

/// The guide of a task: the file's own page, or the task's.
pub async fn task(State(app): State<App>, who: Who, Path((id, name)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let entry = kept.contest.task(&name).ok_or(Failure::NotFound)?;
    let text = match &entry.guide {
        Some(paths) => kept.text(&app, paths.get(who.lang)).await?,
        None => entry.task.about().guide.get(who.lang).to_owned(),
    };
    let page = Page::new(&who, entry.title.zh.clone(), entry.title.en.clone());
    let about = entry.task.about().alias.to_owned();
    show(&TextPage { page, head: Head::new(&app, &who, &kept), about, text: Markdown::new(&text), contact: String::new() })
}

#[derive(Template)]
#[template(path = "contests/schedule.html")]
struct SchedulePage {
    page: Page,
    head: Head,
    dates: Vec<DateLine>,
}

struct DateLine {
    at: String,
    ms: i64,
    what: String,
    is_past: bool,
}

/// Everything that has a date.
pub async fn schedule(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let (contest, now) = (&kept.contest, app.now());
    let line = |date: fangwei::contest::Date| DateLine {
        at: clock(fangwei::contest::Moment::at(date.at.ms, contest.zone)),
        ms: date.at.ms,
        what: date.say.get(who.lang).to_owned(),
        is_past: date.at.ms <= now,
    };
    let dates = contest.schedule().into_iter().map(line).collect();
    show(&SchedulePage { page: Page::new(&who, "日程", "Schedule"), head: Head::new(&app, &who, &kept), dates })
}
