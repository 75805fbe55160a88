//! The pages of awards: what a team hands in, what the jury judges, what everybody sees in the end.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::{Document, Moment};

use super::documents::{self, Version, last_of, plan};
use super::jury::{self, Desk};
use super::result::{self, Awards};
use crate::app::App;
use crate::contests::head::clock;
use crate::contests::{Head, kept};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::submit::MOST_SENT;
use crate::who::Who;

/// A document as its team sees it.
struct Line {
    document: Document,
    title: String,
    deadline: String,
    is_open: bool,
    versions: Vec<Version>,
}

#[derive(Template)]
#[template(path = "awards/documents.html")]
struct DocumentsPage {
    page: Page,
    head: Head,
    team: String,
    lines: Vec<Line>,
    most: usize,
}

/// What a team handed in, and what it still can.
pub async fn documents(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let plan = plan(&kept)?;
    let Some(team) = documents::own(&app, &who, &kept).await? else {
        return Ok(Redirect::to(&format!("/contests/{id}/register")).into_response());
    };
    let (all, now) = (documents::all(&app, &id).await?, app.now());
    let line = |document: &Document| Line {
        title: document.title.get(who.lang).to_owned(),
        deadline: clock(Moment::at(document.deadline.ms, kept.contest.zone)),
        is_open: now < document.deadline.ms,
        versions: all.iter().filter(|version| version.team == team.id && version.document == document.id).cloned().collect(),
        document: document.clone(),
    };
    show(&DocumentsPage {
        page: Page::new(&who, "奖项文件", "Documents for the awards"),
        head: Head::new(&app, &who, &kept),
        lines: plan.documents.iter().map(line).collect(),
        team: team.name,
        most: MOST_SENT >> 20,
    })
}

#[derive(Template)]
#[template(path = "awards/jury.html")]
struct JuryPage {
    page: Page,
    head: Head,
    desk: Desk,
    is_over: bool,
}

/// What who judges has on the desk.
pub async fn jury(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    show(&JuryPage {
        page: Page::new(&who, "评审", "Jury"),
        head: Head::new(&app, &who, &kept),
        desk: jury::desk(&app, &who, &kept).await?,
        is_over: kept.contest.awarded.is_some(),
    })
}

/// A team as organisers see it.
struct Entry {
    name: String,
    /// The last version of each document, in their order.
    documents: Vec<Option<Version>>,
    /// How many of the jury have judged it.
    judged: usize,
}

#[derive(Template)]
#[template(path = "awards/awards.html")]
struct AwardsPage {
    page: Page,
    head: Head,
    published: Option<Awards>,
    preview: Option<Awards>,
    titles: Vec<String>,
    entries: Vec<Entry>,
    /// Who judges: the names to sign in with and those that are shown.
    members: Vec<(String, String)>,
}

/// The awards: for everybody once they are public; for organisers who handed in what, who judges, and what the result would be.
pub async fn awards(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let plan = plan(&kept)?;
    let published = result::published(&app, &kept).await?;
    let is_organiser = who.is_at_least(Role::Organiser);
    if published.is_none() && !is_organiser {
        return Err(Failure::NotFound);
    }
    let (mut entries, mut members, mut preview) = (Vec::new(), Vec::new(), None);
    if is_organiser {
        preview = Some(result::compute(&app, &kept).await?);
        let votes = jury::votes(&app, &id).await?;
        for (team, handed_in) in jury::teams(&app, &kept).await? {
            let judged = kept.contest.jury.iter().filter(|account| jury::sum(plan, &votes, &team.id, account).is_some()).count();
            let documents = plan.documents.iter().map(|document| last_of(&handed_in, &team.id, &document.id).cloned()).collect();
            entries.push(Entry { name: team.name, documents, judged });
        }
        for (account, shown) in jury::names(&app, &kept).await? {
            let select = "SELECT name FROM account WHERE id = $1";
            let name: Option<String> = sqlx::query_scalar(select).bind(account).fetch_optional(app.database.read()).await?;
            members.push((name.unwrap_or_default(), shown));
        }
    }
    show(&AwardsPage {
        page: Page::new(&who, "奖项", "Awards"),
        head: Head::new(&app, &who, &kept),
        titles: plan.documents.iter().map(|document| document.title.get(who.lang).to_owned()).collect(),
        published,
        preview,
        entries,
        members,
    })
}
