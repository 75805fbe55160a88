//! The pages of submitting: send a file, one's own submissions, one of them.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::Rule;
use fangwei::lang::{Lang, Words, words};
use serde_json::Value;
use sqlx::Row;

use super::api::{self, OpenPlace, Whose, defects_of, team_of};
use super::bounds::MOST_SENT;
use super::examine::MOST_TOLD;
use super::log::Line;
use super::look::{self, Shown};
use crate::app::App;
use crate::asked::Asked;
use crate::contests::{Head, accept, kept};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::teams::{self, Team};
use crate::who::Who;

#[derive(Template)]
#[template(path = "submit/submit.html")]
struct SubmitPage {
    page: Page,
    head: Head,
    team: Team,
    is_approved: bool,
    accepted: bool,
    places: Vec<OpenPlace>,
    most: usize,
}

/// The page to send a file.
pub async fn submit(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let team = match team_of(&app, &who, &kept, &Whose::default()).await {
        Ok(team) => team,
        Err(Failure::NotFound) => return Ok(Redirect::to(&format!("/contests/{id}/register")).into_response()),
        Err(failure) => return Err(failure),
    };
    show(&SubmitPage {
        page: Page::new(&who, "提交", "Submit"),
        head: Head::new(&app, &who, &kept),
        places: api::open_places(&app, &who, &kept, &team).await?,
        is_approved: team.state == teams::State::Approved,
        accepted: accept::is_settled(&app, &kept, &who.me()?.id).await?,
        team,
        most: MOST_SENT >> 20,
    })
}

/// A file that was refused.
struct Refused {
    id: String,
    file: String,
    task: String,
    errors: i64,
    at: i64,
}

#[derive(Template)]
#[template(path = "submit/list.html")]
struct ListPage {
    page: Page,
    head: Head,
    team: Team,
    submissions: Vec<Shown>,
    refused: Vec<Refused>,
}

/// The submissions of a team, and its files that were refused.
pub async fn list(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(whose): Asked<Whose>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let team = match team_of(&app, &who, &kept, &whose).await {
        Ok(team) => team,
        Err(Failure::NotFound) if whose.team.is_empty() => {
            return Ok(Redirect::to(&format!("/contests/{id}/register")).into_response());
        }
        Err(failure) => return Err(failure),
    };
    show(&ListPage {
        page: Page::new(&who, "我的提交", "My submissions"),
        head: Head::new(&app, &who, &kept),
        submissions: look::of_team(&app, &who, &kept, &team.id).await?,
        refused: refused(&app, &team.id).await?,
        team,
    })
}

async fn refused(app: &App, team: &str) -> Result<Vec<Refused>, Failure> {
    let select = "SELECT id, file_name, task, errors, at FROM upload WHERE team = $1 AND verdict = 'rejected' ORDER BY at DESC, id DESC LIMIT 50";
    let rows = sqlx::query(select).bind(team.to_owned()).fetch_all(app.database.read()).await?;
    let one = |row: &sqlx::any::AnyRow| {
        Ok(Refused {
            id: row.try_get(0)?,
            file: row.try_get(1)?,
            task: row.try_get(2)?,
            errors: row.try_get(3)?,
            at: row.try_get(4)?,
        })
    };
    rows.iter().map(one).collect()
}

#[derive(Template)]
#[template(path = "submit/one.html")]
struct OnePage {
    page: Page,
    head: Head,
    shown: Shown,
    measures: Vec<(String, String, String)>,
    log: Vec<(i64, &'static str, String)>,
    can_choose: bool,
    warnings: Vec<DefectRow>,
}

/// One submission.
pub async fn one(State(app): State<App>, who: Who, Path((id, submission)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let look::Whole { submission: shown, log } = look::whole(&app, &who, &kept, &submission).await?;
    let phase = kept.contest.phase(&shown.phase);
    let (warnings, _) = look::defects_of(&app, &shown.upload, who.lang, MOST_TOLD).await?;
    show(&OnePage {
        page: Page::new(&who, format!("提交 {}", shown.number), format!("Submission {}", shown.number)),
        head: Head::new(&app, &who, &kept),
        measures: measures(&shown, who.lang),
        log: log.iter().map(|line| told(line, who.lang, who.is_at_least(Role::Organiser))).collect(),
        can_choose: phase.is_some_and(|phase| phase.rule == Rule::Chosen && phase.is_open(app.now())),
        warnings: warnings.iter().map(DefectRow::of).collect(),
        shown,
    })
}

/// Measures by path: value, and what it is.
fn measures(shown: &Shown, lang: Lang) -> Vec<(String, String, String)> {
    fn walk(path: &str, value: &Value, found: &mut Vec<(String, Value)>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    walk(&if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, value, found);
                }
            }
            number => found.push((path.to_owned(), number.clone())),
        }
    }
    let Some(score) = &shown.score else { return Vec::new() };
    let mut found = Vec::new();
    walk("", &score.measures, &mut found);
    let row = |(path, value): (String, Value)| {
        let shown = if value.is_u64() {
            value.to_string()
        } else {
            value.as_f64().map_or_else(String::new, |value| format!("{value:.4}"))
        };
        let meaning = fangwei::score::title(&path).get(lang).to_owned();
        (path, shown, meaning)
    };
    found.into_iter().map(row).collect()
}

/// A line of the log, for people.
fn told(line: &Line, lang: Lang, in_full: bool) -> (i64, &'static str, String) {
    const KINDS: [(&str, Words); 6] = [
        ("received", words("已收到，检查通过", "received and found good")),
        ("run", words("组织者运行了提示词", "run by the organisers")),
        ("grading", words("交给评分员", "given to raters")),
        ("scored", words("已评分", "scored")),
        ("failed", words("评分失败", "scoring failed")),
        ("chosen", words("更改了选定", "choice changed")),
    ];
    let title = KINDS.iter().find(|(kind, _)| *kind == line.kind).map_or("", |(_, title)| title.get(lang));
    (line.at, title, if in_full { line.detail.to_string() } else { String::new() })
}

/// A defect as a row of a table.
struct DefectRow {
    line: String,
    qid: String,
    pointer: String,
    message: String,
    expected: String,
    found: String,
    is_error: bool,
}

impl DefectRow {
    fn of(defect: &Value) -> DefectRow {
        let text = |name: &str| match &defect[name] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        DefectRow {
            line: text("line"),
            qid: text("qid"),
            pointer: text("pointer"),
            message: text("message"),
            expected: text("expected"),
            found: text("found"),
            is_error: text("severity") == "error",
        }
    }
}

#[derive(Template)]
#[template(path = "submit/defects.html")]
struct DefectsPage {
    page: Page,
    head: Head,
    file: String,
    count: usize,
    upload: String,
    defects: Vec<DefectRow>,
}

impl DefectsPage {
    fn has_more(&self) -> bool {
        self.count > self.defects.len()
    }
}

/// What the validator said of a file that was refused.
pub async fn defects(State(app): State<App>, who: Who, Path((id, upload)): Path<(String, String)>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let found = defects_of(&app, &who, &kept, &upload, MOST_TOLD).await?;
    show(&DefectsPage {
        page: Page::new(&who, "文件的缺陷", "Defects of a file"),
        head: Head::new(&app, &who, &kept),
        file: found.file,
        count: found.count,
        upload,
        defects: found.defects.iter().map(DefectRow::of).collect(),
    })
}
