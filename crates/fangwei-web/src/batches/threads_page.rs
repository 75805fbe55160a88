//! The page of questions and reports.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::batch::{self, Batch};
use super::threads::{self, NewAnswer, Search, Thread};
use crate::app::App;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::who::Who;

#[derive(Template)]
#[template(path = "batches/threads.html")]
struct ThreadsPage {
    page: Page,
    batch: Batch,
    threads: Vec<Thread>,
    words: String,
}

impl ThreadsPage {
    fn state(&self, thread: &Thread) -> &'static str {
        match thread.state.as_str() {
            "open" => self.page.say("待回答", "open"),
            "answered" => self.page.say("已回答", "answered"),
            _ => self.page.say("已解决", "resolved"),
        }
    }

    fn kind(&self, kind: &str) -> &'static str {
        match kind {
            "question" => self.page.say("提问", "question"),
            "report" => self.page.say("报告", "report"),
            "skip" => self.page.say("跳过", "skipped"),
            "answer" => self.page.say("回答", "answer"),
            "resolved" => self.page.say("已解决", "resolved"),
            _ => self.page.say("留言", "comment"),
        }
    }
}

/// The questions and reports of a batch.
pub async fn list(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(search): Asked<Search>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    let threads = threads::find(&app, &batch.id, &search.q).await?;
    let page = Page::new(&who, format!("{}：问答", batch.name), format!("{}: questions", batch.name));
    show(&ThreadsPage { page, batch, threads, words: search.q })
}

/// What the form for an answer sends.
#[derive(Deserialize)]
pub struct AnswerForm {
    to: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    resolved: Option<String>,
}

/// Answers a question or report.
pub async fn reply(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<AnswerForm>,
) -> Result<Response, Failure> {
    let answer = NewAnswer { to: given.to, text: given.text, resolved: given.resolved.is_some() };
    threads::write(&app, who.me()?, &id, &answer).await?;
    Ok(Redirect::to(&format!("/batches/{id}/threads")).into_response())
}
