//! The pages of a reviewer: the list, and one assignment with its text, cards, findings, versions and rounds.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::annotate::{Finding, Severity};
use serde::Deserialize;

use super::inspection::{Inspection, Round, Seen};
use super::queue::{Needs, Queued, queue};
use super::verdict::{Said, Verdict, settle};
use crate::app::App;
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::shown::{self, Line, View, difference, shown as cards_of};
use crate::stored;
use crate::thread::on_thread;
use crate::who::Who;

#[derive(Template)]
#[template(path = "review/list.html")]
struct ListPage {
    page: Page,
    queue: Vec<Queued>,
    waiting: usize,
}

/// The list of who looks.
pub async fn list(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    let queue = queue(&app, &who.me()?.id).await?;
    let waiting = queue.iter().filter(|one| one.needs <= Needs::Waiting).count();
    show(&ListPage { page: Page::new(&who, "审核", "Review"), queue, waiting })
}

/// A version, and what it changed.
pub struct Step {
    pub version: i64,
    pub source: String,
    pub author: String,
    pub at: i64,
    pub finished: bool,
    pub lines: Vec<Line>,
}

#[derive(Template)]
#[template(path = "review/one.html")]
struct OnePage {
    page: Page,
    inspection: Inspection,
    seen: Seen,
    view: View,
    findings: Vec<Finding>,
    steps: Vec<Step>,
    refused: String,
}

/// What is computed from a version: how it looks, what rules find in it, and what each version changed.
pub struct Looked {
    pub view: View,
    pub findings: Vec<Finding>,
    pub steps: Vec<Step>,
    pub content: String,
}

/// Reads texts and checks marks, which takes too long for the threads that answer.
pub async fn look(inspection: &Inspection, seen: &Seen, who: &Who) -> Result<Looked, Failure> {
    let (inspection, seen, lang) = (inspection.clone(), seen.clone(), who.lang);
    let computed = on_thread(move || {
        let task = inspection.batch.task;
        let item = stored::given(&inspection.batch, &inspection.record)?.item;
        let mut before = Vec::new();
        let (mut steps, mut last) = (Vec::new(), None);
        for version in &seen.versions {
            let mark = stored::mark(task, &version.content)?;
            let cards = cards_of(task, &item, &mark);
            let lines = difference(&before, &cards, lang).into_iter().filter(|line| line.sign != ' ').collect();
            let (source, author) = (version.source.clone(), version.author.clone());
            steps.push(Step { version: version.number, source, author, at: version.at, finished: version.finished, lines });
            before = cards;
            last = Some((mark, version.content.clone()));
        }
        let (mark, content) = last.ok_or(Failure::NotFound)?;
        let findings = stored::findings(&inspection.batch, &item, &mark, stored::replaced(&inspection.secret));
        steps.reverse();
        Ok(Looked { view: shown::view(task, &item, &mark), findings, steps, content })
    });
    computed.await
}

/// The page of one inspection.
pub async fn one(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let inspection = Inspection::find(&app, who.me()?, &id).await?;
    one_page(&app, &who, inspection, String::new()).await
}

async fn one_page(app: &App, who: &Who, inspection: Inspection, refused: String) -> Result<Response, Failure> {
    let seen = inspection.seen(app, who.me()?).await?;
    let Looked { view, findings, steps, .. } = look(&inspection, &seen, who).await?;
    let title = format!("{} · {}", inspection.batch.name, inspection.qid);
    let page = Page::new(who, format!("审核 {title}"), format!("Review {title}"));
    show(&OnePage { page, inspection, seen, view, findings, steps, refused })
}

/// What the form of a verdict sends.
#[derive(Deserialize)]
pub struct VerdictForm {
    verdict: Verdict,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    pointer: String,
    version: i64,
}

/// Takes a verdict from the page; then comes the next that waits.
pub async fn say(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(form): Form<VerdictForm>,
) -> Result<Response, Failure> {
    let inspection = Inspection::find(&app, who.me()?, &id).await?;
    let said = Said { verdict: form.verdict, comment: form.comment, pointer: form.pointer, version: form.version, sheet: None };
    match settle(&app, who.me()?, &inspection, &said, who.lang).await {
        Ok(_) => {
            let queue = queue(&app, &who.me()?.id).await?;
            let next = queue.first().filter(|next| next.needs <= Needs::Waiting);
            Ok(Redirect::to(&next.map_or("/review".to_owned(), |next| format!("/review/{}", next.inspection))).into_response())
        }
        Err(failure @ (Failure::Database(_) | Failure::Internal(_) | Failure::NotFound)) => Err(failure),
        Err(refused) => {
            let (status, message) = (refused.status(), refused.say().get(who.lang).to_owned());
            let again = Inspection::find(&app, who.me()?, &id).await?;
            Ok((status, one_page(&app, &who, again, message).await?).into_response())
        }
    }
}

impl OnePage {
    /// A verdict in words.
    fn word(&self, round: &Round) -> &'static str {
        match round.verdict.as_str() {
            "approve" => self.page.say("通过", "approved"),
            "return" => self.page.say("退回", "returned"),
            _ => self.page.say("修订", "revised"),
        }
    }

    /// A severity in words.
    fn severity(&self, finding: &Finding) -> &'static str {
        finding.severity.title(self.page.who.lang)
    }
}
